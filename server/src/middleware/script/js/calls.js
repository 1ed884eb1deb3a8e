// Runs the hooks of a script: a call comes in as JSON text, and its answer goes
// back as JSON text with a letter in front that says what it is.
(function (native, kit) {
  'use strict';
  const { parse, stringify } = JSON;
  const { keys } = Object;
  const { apply } = Reflect;
  const { resolve, prototype: { then } } = Promise;
  const { includes, slice, toWellFormed } = String.prototype;
  const Later = Promise;
  const Room = ArrayBuffer;
  const calls = kit.kept(new Map(), 'get', 'set', 'has', 'delete');
  // A payload with numbers that JavaScript cannot hold travels in an envelope
  // that says which one it is. Scripts never see it, and may keep the payload
  // from one call to the next.
  const ENVELOPE = '\u0000payload';
  const MARKED = '"\\u0000payload"';
  const payloads = kit.kept(new WeakMap(), 'get', 'set');
  let anyPayloads = false;

  const opened = (value) => {
    if (typeof value !== 'object' || value === null) return value;
    if (ENVELOPE in value) {
      const inner = value.value;
      if (typeof inner === 'object' && inner !== null) payloads.set(inner, value[ENVELOPE]);
      return inner;
    }
    const names = keys(value);
    for (let i = 0; i < names.length; i++) value[names[i]] = opened(value[names[i]]);
    return value;
  };
  const read = (text, marked) => {
    if (!marked) return parse(text);
    anyPayloads = true;
    return opened(parse(text));
  };

  const enclose = function (key, value) {
    if (typeof value !== 'object' || value === null) return value;
    const payload = payloads.get(value);
    if (payload === undefined || (key === 'value' && ENVELOPE in this)) return value;
    return { [ENVELOPE]: payload, value };
  };
  const write = (value) => (anyPayloads ? stringify(value, enclose) : stringify(value));

  const answer = (call, value) => {
    if (value === undefined) return 'U';
    if (kit.isCancellation(value)) return 'V' + stringify(short(value.reason));
    const text = write(value);
    if (text === undefined) return failure(new TypeError(`answered with a ${typeof value}`));
    if (text.length > native.outputLimit) return 'L' + text.length;
    return 'A' + text;
  };

  // So many characters of a text of an error, a reason or a stack are kept.
  const LONGEST = 8192;
  const text = String;
  const short = (value) =>
    typeof value === 'string' ? apply(toWellFormed, apply(slice, value, [0, LONGEST]), []) : value;

  // A tripwire ends the run, whatever its `info` is.
  const raised = ({ reason, info }) => {
    reason = short(reason);
    try {
      const text = stringify({ reason, info });
      if (text.length <= native.outputLimit) return text;
    } catch {}
    return stringify({ reason });
  };

  const failure = (error) => {
    try {
      const invocation = kit.cameFrom(error);
      if (invocation !== undefined) return 'I' + invocation;
      if (kit.isTripwire(error)) return 'T' + raised(kit.raised(error));
      if (error === null) return 'E{"message":"null, which may mean that it is out of memory"}';
      if (typeof error !== 'object') return 'E' + stringify({ message: short(text(error)) });
      const { name, message, stack, code, type, retryable, cause } = error;
      const status = error.status ?? error.statusCode ?? error.response?.status;
      const said = { name, message, stack, code: code ?? cause?.code, type, retryable, status };
      const members = keys(said);
      for (let i = 0; i < members.length; i++) said[members[i]] = short(said[members[i]]);
      const json = stringify(said);
      return json.length > 8 * LONGEST ? 'E{"message":"threw something very long"}' : 'E' + json;
    } catch {
      return 'E{"message":"threw something that cannot be read"}';
    }
  };

  kit.failure = failure;

  // Whether so many bytes can still be had.
  kit.hasRoom = (bytes) => {
    try {
      return new Room(bytes).byteLength === bytes;
    } catch {
      return false;
    }
  };

  const settle = (call, text) => {
    if (!calls.delete(call.id)) return;
    native.settle(call.id, text);
  };

  // `next` of a hook around a call: each use is a real call of its own.
  const nextOf = (call, given) => (handed = given) =>
    new Later((fulfil, reject) => {
      if (!calls.has(call.id)) throw new Error('next was called after the hook had answered');
      if (call.invocations >= native.nextLimit) {
        throw new RangeError(`next was called more than ${native.nextLimit} times`);
      }
      const { stream, ...rest } = handed ?? {};
      const invocation = ++call.invocations;
      const own = stream && stream !== call.stream ? stream : undefined;
      if (own && typeof own.write !== 'function') throw new TypeError('a stream sink has a method `write`');
      const text = given === undefined || handed === undefined ? undefined : write(rest);
      if (text !== undefined && text.length > native.outputLimit) {
        throw new RangeError(`next was handed ${text.length} characters; at most ${native.outputLimit} are allowed`);
      }
      native.next(call.id, invocation, text, own !== undefined);
      call.waiting[invocation] = { fulfil, reject, sink: own };
    });

  // Where streamed text goes that may be shown.
  const streamOf = (call) => ({
    write(delta) {
      const text = write(typeof delta === 'string' ? { text: delta } : delta);
      if (text === undefined) throw new TypeError(`a stream takes a text or a delta, got ${typeof delta}`);
      native.emit(call.id, text);
    },
    end() {},
    toJSON: () => undefined,
  });

  // The hooks by number: the name of the function, and what it gets.
  const hooks = native.hooks.split(' ').map((hook) => hook.split(':')).map(([name, shape]) => ({ name, shape }));
  kit.hooks = hooks.map(({ name }) => name);
  hooks.push({ name: 'enabled', shape: 'enabled' });

  const invoke = (call, hook, target, input) => {
    const { name, shape } = hooks[hook];
    kit.fill(name, shape, input);
    switch (shape) {
      case 'event':
        return target[name](input.event, kit.context(call, input.context));
      case 'platform':
        return target[name](kit.context(call, input.context), kit.tools(input.initiator));
      case 'around': {
        if (input.streams) input.event.stream = call.stream = streamOf(call);
        return target[name](input.event, nextOf(call, input.event), kit.context(call, input.context));
      }
      case 'wrap': {
        if (input.streams) call.stream = streamOf(call);
        return target[name](input.event, nextOf(call, undefined), kit.context(call, input.context));
      }
      case 'enabled':
        return target[name](kit.context(call, input.context));
    }
  };

  // Starts a call. The answer, or undefined when it comes later.
  kit.dispatch = (id, index, hook, text, marked, hasEffects) => {
    const call = { id, middleware: index, hasEffects, hasThread: false, invocations: 0, waiting: { __proto__: null } };
    calls.set(id, call);
    try {
      const input = read(text, marked);
      call.hasThread = input.context?.threadId !== undefined;
      const value = invoke(call, hook, kit.middleware[index], input);
      if (typeof value === 'object' && value !== null && typeof value.then === 'function') {
        const answered = (value) => {
          try {
            settle(call, answer(call, value));
          } catch (error) {
            settle(call, failure(error));
          }
        };
        apply(then, apply(resolve, Later, [value]), [answered, (error) => settle(call, failure(error))]);
        return undefined;
      }
      const said = answer(call, value);
      calls.delete(id);
      return said;
    } catch (error) {
      calls.delete(id);
      return failure(error);
    }
  };

  // What is inside a wrapped call has answered.
  kit.returned = (id, invocation, text, marked) => {
    const call = calls.get(id);
    const waiting = call?.waiting[invocation];
    if (!waiting) return;
    delete call.waiting[invocation];
    waiting.fulfil(read(text, marked));
  };
  kit.rejected = (id, invocation, text) => {
    const call = calls.get(id);
    const waiting = call?.waiting[invocation];
    if (!waiting) return;
    delete call.waiting[invocation];
    const { tripwire, ...failure } = parse(text);
    let error;
    if (tripwire) {
      error = new kit.Tripwire(tripwire.reason, tripwire.info, tripwire.middleware);
    } else {
      error = new kit.LLMError(failure.message, failure.type, failure);
      error.middleware = failure.middleware;
    }
    waiting.reject(kit.came(error, invocation));
  };

  // A piece of a stream reaches the sink that `next` was handed; no text is the
  // end of it. A tripwire in a sink answers the whole call.
  kit.stream = (id, invocation, ticket, text) => {
    const call = calls.get(id);
    const sink = call?.waiting[invocation]?.sink;
    const done = () => native.streamed(id, ticket, 'U');
    const failed = (error) => {
      if (kit.isTripwire(error)) settle(call, failure(error));
      else native.streamed(id, ticket, failure(error));
    };
    try {
      const value = sink === undefined ? undefined : text === undefined ? sink.end?.() : sink.write(read(text, apply(includes, text, [MARKED])));
      if (typeof value === 'object' && value !== null && typeof value.then === 'function') {
        apply(then, apply(resolve, Later, [value]), [done, failed]);
      } else {
        done();
      }
    } catch (error) {
      failed(error);
    }
  };

  // The call was answered without the script: it was interrupted.
  kit.drop = (id) => calls.delete(id);

  // The caller has gone away, or stopped waiting.
  kit.cancelled = (id) => {
    const call = calls.get(id);
    if (!call) return;
    calls.delete(id);
    kit.abort(call);
  };
});
