// The objects that a hook gets beside its event: the context, `tools`, state
// and the signal.
(function (native, kit) {
  'use strict';
  const { parse, stringify } = JSON;
  const { assign, defineProperty, freeze } = Object;
  const { apply } = Reflect;
  const { isSafeInteger } = Number;
  const { toWellFormed } = String.prototype;
  const cancellations = kit.kept(new WeakSet(), 'add', 'has');
  // A text that has an encoding: half of a surrogate pair has none.
  const texted = (value) => apply(toWellFormed, `${value}`, []);

  const toJson = (value) => {
    const text = stringify(value);
    if (text === undefined) throw new TypeError('values of state are JSON: no functions, no symbols');
    return text;
  };

  // The run's state, as a Map. A value that was read is a copy.
  class RunState {
    #call;
    constructor(call) {
      this.#call = call;
    }
    get(key) {
      const text = native.stateGet(this.#call.id, kit.storageOf(key));
      return text === undefined ? undefined : parse(text);
    }
    has(key) {
      return native.stateGet(this.#call.id, kit.storageOf(key)) !== undefined;
    }
    set(key, value) {
      if (value === undefined) this.delete(key);
      else native.stateSet(this.#call.id, kit.storageOf(key), toJson(value));
      return this;
    }
    delete(key) {
      return native.stateRemove(this.#call.id, kit.storageOf(key));
    }
    add(key, amount = 1) {
      if (!isSafeInteger(amount)) throw new TypeError('add takes a whole number');
      return native.stateAdd(this.#call.id, kit.storageOf(key), amount);
    }
    compareAndSet(key, expected, next) {
      const json = (value) => (value === undefined ? undefined : toJson(value));
      return native.stateCompare(this.#call.id, kit.storageOf(key), json(expected), json(next));
    }
  }

  // Aborts when the caller goes away.
  class AbortSignal {
    #listeners = [];
    aborted = false;
    reason = undefined;
    onabort = null;
    addEventListener(type, listener, options) {
      if (type !== 'abort' || this.#listeners.some((known) => known.listener === listener)) return;
      this.#listeners.push({ listener, once: options?.once === true });
    }
    removeEventListener(type, listener) {
      if (type === 'abort') this.#listeners = this.#listeners.filter((known) => known.listener !== listener);
    }
    throwIfAborted() {
      if (this.aborted) throw this.reason;
    }
    static abort(signal, reason) {
      if (signal.aborted) return;
      signal.aborted = true;
      signal.reason = reason;
      const event = { type: 'abort', target: signal };
      const listeners = signal.#listeners.map(({ listener }) => listener);
      signal.#listeners = [];
      if (typeof signal.onabort === 'function') listeners.push(signal.onabort);
      for (const listener of listeners) {
        try {
          typeof listener === 'function' ? listener.call(signal, event) : listener.handleEvent(event);
        } catch (error) {
          console.error('a listener of the signal threw', error);
        }
      }
    }
  }
  const { abort } = AbortSignal;
  delete AbortSignal.abort;
  defineProperty(globalThis, 'AbortSignal', { value: AbortSignal, configurable: true, writable: true });
  kit.abort = (call) => {
    const reason = new Error('the caller has gone away');
    reason.name = 'AbortError';
    call.aborted = reason;
    if (call.signal) abort(call.signal, reason);
  };

  // Scratch space of a script within a run: an object that lives here, so that
  // whatever is put into it keeps its identity.
  const owned = kit.kept(new Map(), 'get', 'set', 'delete', 'forEach');
  let count = 0;
  let sweepAt = 64;
  const ownOf = (call) => {
    const run = native.run(call.id);
    const key = `${call.middleware}:${run}`;
    let own = owned.get(key);
    if (own === undefined) {
      if (++count >= sweepAt) {
        const open = { __proto__: null };
        const runs = native.openRuns();
        for (let i = 0; i < runs.length; i++) open[runs[i]] = true;
        count = 0;
        owned.forEach(({ run }, other) => (open[run] ? (count += 1) : owned.delete(other)));
        sweepAt = count < 32 ? 64 : count * 2;
      }
      own = { run, space: {} };
      owned.set(key, own);
    }
    return own.space;
  };

  class Context {
    #call;
    constructor(call, fields) {
      this.#call = call;
      assign(this, fields);
    }
    get state() {
      return (this.#call.state ??= new RunState(this.#call));
    }
    get own() {
      return ownOf(this.#call);
    }
    get signal() {
      const call = this.#call;
      if (call.signal === undefined) {
        call.signal = new AbortSignal();
        if (call.aborted) abort(call.signal, call.aborted);
      }
      return call.signal;
    }
    get addContext() {
      const call = this.#call;
      return call.hasEffects ? (text) => native.addContext(call.id, texted(text)) : undefined;
    }
    get stop() {
      const call = this.#call;
      return call.hasEffects ? (reason) => native.stop(call.id, texted(reason ?? '')) : undefined;
    }
    get logEvent() {
      const call = this.#call;
      if (!call.hasEffects || !call.hasThread) return undefined;
      return (event, note) => native.logEvent(call.id, texted(event), stringify(note ?? null) ?? 'null');
    }
    get stream() {
      return this.#call.stream;
    }
  }
  kit.context = (call, fields) => new Context(call, fields);

  class Cancellation {
    constructor(reason) {
      this.reason = reason;
      cancellations.add(freeze(this));
    }
  }
  kit.isCancellation = (value) => typeof value === 'object' && value !== null && cancellations.has(value);

  kit.tools = (initiator) => ({
    initiator: initiator ?? { kind: undefined, isVerifiedPerson: false },
    cancel: (reason) => new Cancellation(reason === undefined ? '' : String(reason)),
  });
});
