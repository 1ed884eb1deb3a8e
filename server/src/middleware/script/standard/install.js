// Captures what the standard objects need of the engine, and defines each on the global object.
//
// It runs before any script, so what it captures is what the engine had: `captured.Map_get` is
// the engine's even after a script replaced `Map.prototype.get`. Call it as
// `call(Map_get, map, key)`. The objects themselves are compiled when a script first reads them.
(function (load) {
  'use strict';

  const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Object;
  const { prototype: functionPrototype } = Function;
  const TypedArray = getPrototypeOf(Uint8Array);

  const captured = {
    __proto__: null,
    // `call(f, receiver, ...values)`, which does not look at the properties of `f`.
    call: functionPrototype.call.bind(functionPrototype.call),
    // The texts of the values, joined: a template looks up `concat`, which a script may replace.
    string: functionPrototype.call.bind(String.prototype.concat, ''),
    defineProperty: Reflect.defineProperty,
    ownKeys: Reflect.ownKeys,
    getOwnPropertyDescriptor,
    getPrototypeOf,
    keys: Object.keys,
    hasOwn: Object.hasOwn,
    is: Object.is,
    isArray: Array.isArray,
    isError: Error.isError,
    isView: ArrayBuffer.isView,
    captureStackTrace: Error.captureStackTrace,
    stringify: JSON.stringify,
    now: performance.now.bind(performance),
    iterator: Symbol.iterator,
    toStringTag: Symbol.toStringTag,
    parseFloat,
    parseInt,
    Array, ArrayBuffer, BigInt, Boolean, DOMException, DataView, Date, Error,
    EvalError, FinalizationRegistry, Function, Map, Number, Object, Promise, RangeError,
    ReferenceError, RegExp, Set, SharedArrayBuffer, String, Symbol, SyntaxError, TypeError,
    TypedArray, URIError, Uint8Array, WeakMap, WeakRef, WeakSet,
    BigInt64Array, BigUint64Array, Float16Array, Float32Array, Float64Array, Int16Array,
    Int32Array, Int8Array, Uint16Array, Uint32Array, Uint8ClampedArray,
    // The classes of these objects by prototype, for `kinds.js`: `{ kind, show(value) }`.
    platform: new Map(),
  };

  const methods = (name, prototype, keys) => {
    for (let i = 0; i < keys.length; i += 1) captured[`${name}_${keys[i]}`] = prototype[keys[i]];
  };
  const getters = (name, prototype, keys) => {
    for (let i = 0; i < keys.length; i += 1) {
      captured[`${name}_${keys[i]}`] = getOwnPropertyDescriptor(prototype, keys[i]).get;
    }
  };
  const printers = [Array, Date, DOMException, Error, Function, Object, RegExp];
  captured.toStrings = { __proto__: null };
  for (let i = 0; i < printers.length; i += 1) {
    captured.toStrings[printers[i].name] = printers[i].prototype.toString;
  }
  methods('Array', Array.prototype, ['join', 'pop', 'sort']);
  methods('ArrayBuffer', ArrayBuffer.prototype, ['transfer']);
  getters('ArrayBuffer', ArrayBuffer.prototype, ['byteLength', 'maxByteLength', 'resizable']);
  methods('BigInt', BigInt.prototype, ['valueOf']);
  methods('Boolean', Boolean.prototype, ['valueOf']);
  getters('DOMException', DOMException.prototype, ['message', 'name']);
  getters('DataView', DataView.prototype, ['buffer', 'byteLength', 'byteOffset']);
  methods('Date', Date.prototype, ['getTime', 'toISOString']);
  methods('Function', functionPrototype, ['toString']);
  methods('Map', Map.prototype, ['delete', 'entries', 'forEach', 'get', 'has', 'set']);
  getters('Map', Map.prototype, ['size']);
  methods('Number', Number.prototype, ['toFixed', 'toString', 'valueOf']);
  getters('RegExp', RegExp.prototype, ['flags', 'source']);
  methods('Set', Set.prototype, ['add', 'entries', 'forEach', 'has']);
  getters('Set', Set.prototype, ['size']);
  getters('SharedArrayBuffer', SharedArrayBuffer.prototype, ['byteLength']);
  methods('String', String.prototype, [
    'charCodeAt', 'includes', 'padStart', 'repeat', 'slice', 'startsWith',
    'toLowerCase', 'toUpperCase', 'toWellFormed', 'trimEnd', 'valueOf',
  ]);
  methods('Symbol', Symbol.prototype, ['toString', 'valueOf']);
  methods('TypedArray', TypedArray.prototype, ['set']);
  getters('TypedArray', TypedArray.prototype, ['buffer', 'byteLength', 'byteOffset', 'length']);
  captured.TypedArray_name = getOwnPropertyDescriptor(TypedArray.prototype, Symbol.toStringTag).get;
  methods('Uint8Array', Uint8Array.prototype, ['toHex']);
  methods('MapIterator', getPrototypeOf(new Map().entries()), ['next']);
  methods('SetIterator', getPrototypeOf(new Set().entries()), ['next']);
  methods('WeakMap', WeakMap.prototype, ['has']);
  methods('WeakSet', WeakSet.prototype, ['has']);

  // A unit that fails, for want of memory or time, is compiled anew when it is asked for again.
  const units = { __proto__: null };
  captured.unit = (name) => (units[name] ??= load(name, captured));

  const define = (name, unit) => {
    let isOurs = true;
    const put = (value) => {
      isOurs = false;
      captured.defineProperty(globalThis, name, {
        __proto__: null, configurable: true, enumerable: false, value, writable: true,
      });
    };
    defineProperty(globalThis, name, {
      __proto__: null,
      configurable: true,
      enumerable: false,
      get: () => {
        const value = captured.unit(unit)[name];
        if (isOurs) put(value);
        return value;
      },
      set: put,
    });
  };
  define('URL', 'url');
  define('URLSearchParams', 'search_params');
  define('TextEncoder', 'encoding');
  define('TextDecoder', 'encoding');
  define('structuredClone', 'clone');
  define('crypto', 'crypto');
  define('console', 'console');
})
