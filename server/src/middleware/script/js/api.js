// What a script imports from `sidehook`: errors that mean something to the
// chain, and keys of state.
(function (native, kit) {
  'use strict';
  const { defineProperty, getPrototypeOf } = Object;
  const { apply } = Reflect;
  const { toWellFormed } = String.prototype;

  // A collection with its methods as its own: a script may replace those that
  // all collections share, and what is here must go on working.
  kit.kept = (collection, ...methods) => {
    const shared = getPrototypeOf(collection);
    for (let i = 0; i < methods.length; i++) {
      defineProperty(collection, methods[i], { value: shared[methods[i]] });
    }
    return collection;
  };
  const innermost = kit.kept(new WeakMap(), 'get', 'set');
  const tripwires = kit.kept(new WeakMap(), 'get', 'set', 'has');
  const retryable = kit.kept(new Set(['timeout', 'rate_limited', 'unavailable', 'network']), 'has');

  // Ends the run. Thrown by `tripwire`, or by `next` when something inside did.
  class Tripwire extends Error {
    constructor(reason, info, middleware) {
      super(String(reason));
      this.name = 'Tripwire';
      this.code = 'GUARDRAIL_TRIPPED';
      this.details = { middleware, reason: String(reason), info };
      tripwires.set(this, { reason: String(reason), info });
    }
  }

  // A failure with a type: `new LLMError(message, type, { code, retryable })`.
  class LLMError extends Error {
    constructor(message, type = 'invalid_params', options = {}) {
      super(message, options);
      this.name = 'LLMError';
      this.type = type;
      this.code = options.code;
      this.retryable = options.retryable ?? retryable.has(type);
    }
  }

  // Where a module's state key is kept: two modules that choose the same name
  // have two keys, unless one imports the other's.
  class StateKey {
    #storage;
    constructor(storage, name) {
      this.#storage = storage;
      this.name = name;
      Object.freeze(this);
    }
    static storageOf(key) {
      if (typeof key === 'string') return apply(toWellFormed, key, []);
      if (typeof key === 'object' && key !== null && #storage in key) return key.#storage;
      throw new TypeError('a key of state is a string, or what createStateKey gives');
    }
  }
  kit.storageOf = StateKey.storageOf;

  // Remembers that `error` came out of `next`, so that it passes on as it is.
  kit.came = (error, invocation) => (innermost.set(error, invocation), error);
  kit.cameFrom = (error) => (typeof error === 'object' && error !== null ? innermost.get(error) : undefined);
  kit.raised = (error) => tripwires.get(error);
  kit.isTripwire = (error) => typeof error === 'object' && error !== null && tripwires.has(error);
  kit.Tripwire = Tripwire;
  kit.LLMError = LLMError;

  // What the module `sidehook` exports to `module`.
  kit.api = (module) => ({
    tripwire(reason, info) {
      throw new Tripwire(reason, info);
    },
    isTripwire: kit.isTripwire,
    createStateKey(name) {
      if (typeof name !== 'string' || name === '') throw new TypeError('a state key has a name');
      return new StateKey(`${module}#${name}`, name);
    },
    LLMError,
  });
});
