// Runs the hooks of a script: a call comes in as JSON text, and its answer goes
// back as JSON text with a letter in front that says what it is.
(function (native, kit) {
  'use strict';
  const { parse, stringify } = JSON;
  const { resolve } = Promise;
  const Room = ArrayBuffer;
  const calls = new Map();
  // A payload with numbers that JavaScript cannot hold travels in an envelope
  // that says which one it is. Scripts never see it.
  const ENVELOPE = '\u0000payload';
  const payloads = new WeakMap();

  const opened = (value) => {
    if (typeof value !== 'object' || value === null) return value;
    if (ENVELOPE in value) {
      const inner = value.value;
      if (typeof inner === 'object' && inner !== null) payloads.set(inner, value[ENVELOPE]);
      return inner;
    }
    for (const key of Object.keys(value)) value[key] = opened(value[key]);
    return value;
  };
  const read = (text, marked) => (marked ? opened(parse(text)) : parse(text));

  const enclose = function (key, value) {
    if (typeof value !== 'object' || value === null) return value;
    const payload = payloads.get(value);
    if (payload === undefined || (key === 'value' && ENVELOPE in this)) return value;
    return { [ENVELOPE]: payload, value };
  };
  const write = (call, value) => (call.marked ? stringify(value, enclose) : stringify(value));

  const answer = (call, value) => {
    if (value === undefined) return 'U';
    if (kit.isCancellation(value)) return 'V' + stringify(value.reason);
    const text = write(call, value);
    if (text === undefined) return failure(new TypeError(`answered with a ${typeof value}`));
    if (text.length > native.outputLimit) return 'L' + text.length;
    return 'A' + text;
  };

  const failure = (error) => {
    try {
      const invocation = kit.cameFrom(error);
      if (invocation !== undefined) return 'I' + invocation;
      if (kit.isTripwire(error)) {
        const { reason, info } = error.details;
        return 'T' + stringify({ reason, info });
      }
      if (typeof error !== 'object' || error === null) return 'E' + stringify({ message: String(error) });
      const { name, message, stack, code, type, retryable, cause } = error;
      const status = error.status ?? error.statusCode ?? error.response?.status;
      const causeCode = cause?.code;
      return 'E' + stringify({ name, message, stack, code: code ?? causeCode, type, retryable, status });
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
    new Promise((fulfil, reject) => {
      if (!calls.has(call.id)) throw new Error('next was called after the hook had answered');
      const { stream, ...rest } = handed ?? {};
      const invocation = ++call.invocations;
      const own = stream && stream !== call.stream ? stream : undefined;
      if (own && typeof own.write !== 'function') throw new TypeError('a stream sink has a method `write`');
      const text = given === undefined || handed === undefined ? undefined : write(call, rest);
      if (text !== undefined && text.length > native.outputLimit) {
        throw new RangeError(`next was handed ${text.length} characters; at most ${native.outputLimit} are allowed`);
      }
      call.waiting.set(invocation, { fulfil, reject, sink: own });
      native.next(call.id, invocation, text, own !== undefined);
    });

  // Where streamed text goes that may be shown.
  const streamOf = (call) => ({
    write(delta) {
      native.emit(call.id, stringify(typeof delta === 'string' ? { text: delta } : delta));
    },
    end() {},
    toJSON: () => undefined,
  });

  // The hooks by number: the name of the function, and what it gets.
  const hooks = native.hooks.split(' ').map((hook) => hook.split(':'));
  kit.hooks = hooks.map(([name]) => name);
  hooks.push(['enabled', 'enabled']);

  const invoke = (call, hook, target, input) => {
    const [name, shape] = hooks[hook];
    const fn = target[name];
    kit.fill(name, shape, input);
    switch (shape) {
      case 'event':
        return fn.call(target, input.event, kit.context(call, input.context));
      case 'platform':
        return fn.call(target, kit.context(call, input.context), kit.tools(input.initiator));
      case 'around': {
        if (input.streams) input.event.stream = call.stream = streamOf(call);
        return fn.call(target, input.event, nextOf(call, input.event), kit.context(call, input.context));
      }
      case 'wrap': {
        if (input.streams) call.stream = streamOf(call);
        return fn.call(target, input.event, nextOf(call, undefined), kit.context(call, input.context));
      }
      case 'enabled':
        return fn.call(target, kit.context(call, input.context));
    }
  };

  // Starts a call. The answer, or undefined when it comes later.
  kit.dispatch = (id, index, hook, text, marked, hasEffects) => {
    const call = { id, middleware: index, marked, hasEffects, hasThread: false, invocations: 0, waiting: new Map() };
    calls.set(id, call);
    try {
      const input = read(text, marked);
      call.hasThread = input.context?.threadId !== undefined;
      const value = invoke(call, hook, kit.middleware[index], input);
      if (typeof value === 'object' && value !== null && typeof value.then === 'function') {
        resolve.call(Promise, value).then(
          (value) => {
            try {
              settle(call, answer(call, value));
            } catch (error) {
              settle(call, failure(error));
            }
          },
          (error) => settle(call, failure(error)),
        );
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
    const waiting = call?.waiting.get(invocation);
    if (!waiting) return;
    call.waiting.delete(invocation);
    call.marked ||= marked;
    waiting.fulfil(read(text, marked));
  };
  kit.rejected = (id, invocation, text) => {
    const call = calls.get(id);
    const waiting = call?.waiting.get(invocation);
    if (!waiting) return;
    call.waiting.delete(invocation);
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
  // end of it.
  kit.stream = (id, invocation, ticket, text) => {
    const sink = calls.get(id)?.waiting.get(invocation)?.sink;
    const done = (error) => native.streamed(ticket, error === undefined ? undefined : failure(error));
    try {
      const value = sink === undefined ? undefined : text === undefined ? sink.end?.() : sink.write(parse(text));
      if (typeof value === 'object' && value !== null && typeof value.then === 'function') {
        resolve.call(Promise, value).then(() => done(), done);
      } else {
        done();
      }
    } catch (error) {
      done(error ?? new Error('threw nothing'));
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
