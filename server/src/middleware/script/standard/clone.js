// structuredClone, as the HTML standard has it for what one runtime can hold.
(function (captured, native) {
  'use strict';

  const {
    ArrayBuffer, ArrayBuffer_byteLength, ArrayBuffer_maxByteLength, ArrayBuffer_resizable,
    ArrayBuffer_transfer, Array_join, Array_pop, BigInt_valueOf, Boolean_valueOf, DOMException,
    DOMException_message, DOMException_name, DataView, DataView_buffer, DataView_byteLength,
    DataView_byteOffset, Date_getTime, Map, Map_forEach, Map_get, Map_set, Number_valueOf, Object,
    RegExp, RegExp_flags, RegExp_source, Set_add, Set_forEach, String_slice, String_valueOf,
    TypeError, TypedArray_buffer, TypedArray_byteOffset, TypedArray_length, TypedArray_name,
    TypedArray_set, Uint8Array, call, defineProperty, getOwnPropertyDescriptor, hasOwn, iterator,
    keys, string, unit,
  } = captured;
  const { isBuffer } = unit('bytes');
  const { kindOf } = unit('kinds');

  const SHOWN_PATH = 100;
  const ERRORS = {
    __proto__: null,
    Error: captured.Error,
    EvalError: captured.EvalError,
    RangeError: captured.RangeError,
    ReferenceError: captured.ReferenceError,
    SyntaxError: captured.SyntaxError,
    TypeError,
    URIError: captured.URIError,
  };
  const VIEWS = { __proto__: null };
  const names = [
    'Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array',
    'Uint32Array', 'BigInt64Array', 'BigUint64Array', 'Float16Array', 'Float32Array',
    'Float64Array',
  ];
  for (let i = 0; i < names.length; i += 1) VIEWS[names[i]] = captured[names[i]];

  const refusal = (what, path) => {
    let place = '';
    if (path.length > 0) {
      const whole = call(Array_join, path, '.');
      const shown = call(String_slice, whole, 0, SHOWN_PATH);
      place = string(', at ', shown, shown.length < whole.length ? '...' : '');
    }
    return new DOMException(string(what, ' cannot be cloned', place), 'DataCloneError');
  };

  // One call's clone: `memory` maps what was met to its clone, `path` says where it is.
  class Cloner {
    memory = new Map();
    path = [];

    value(value) {
      switch (typeof value) {
        case 'function':
        case 'symbol':
          throw refusal(string('a ', typeof value), this.path);
        case 'object':
          return value === null ? null : this.object(value);
        default:
          return value;
      }
    }

    object(value) {
      const known = call(Map_get, this.memory, value);
      if (known !== undefined) return known;
      if (native.isProxy(value)) throw refusal('a Proxy', this.path);
      const kind = kindOf(value);
      const make = makers[kind];
      if (make === undefined) {
        const what = kind === 'platform' ? 'an object of the platform' : string('a ', kind);
        throw refusal(what, this.path);
      }
      return make(this, value);
    }

    remember(value, clone) {
      call(Map_set, this.memory, value, clone);
      return clone;
    }

    // A value at a place of another.
    at(key, value) {
      this.path[this.path.length] = key;
      const clone = this.value(value);
      call(Array_pop, this.path);
      return clone;
    }

    // The own enumerable properties whose keys are strings.
    properties(value, clone) {
      const own = keys(value);
      for (let i = 0; i < own.length; i += 1) {
        const key = own[i];
        // A getter that ran before may have removed it.
        if (!hasOwn(value, key)) continue;
        const part = this.at(key, value[key]);
        if (key === '__proto__') {
          defineProperty(clone, key, {
            __proto__: null, configurable: true, enumerable: true, value: part, writable: true,
          });
        } else {
          clone[key] = part;
        }
      }
      return clone;
    }

    // A property of an error, if it is a plain one.
    own(value, key) {
      const property = getOwnPropertyDescriptor(value, key);
      return property !== undefined && hasOwn(property, 'value') ? property : undefined;
    }
  }

  const hide = (object, key, value) =>
    defineProperty(object, key, {
      __proto__: null, configurable: true, enumerable: false, value, writable: true,
    });

  const boxed = (valueOf) => (cloner, value) =>
    cloner.remember(value, Object(call(valueOf, value)));

  const makers = {
    __proto__: null,

    Object: (cloner, value) => cloner.properties(value, cloner.remember(value, {})),

    Array: (cloner, value) => {
      const clone = cloner.remember(value, []);
      clone.length = value.length;
      return cloner.properties(value, clone);
    },

    BigInt: boxed(BigInt_valueOf),
    Boolean: boxed(Boolean_valueOf),
    Number: boxed(Number_valueOf),
    String: boxed(String_valueOf),

    Date: (cloner, value) =>
      cloner.remember(value, new captured.Date(call(Date_getTime, value))),

    RegExp: (cloner, value) =>
      cloner.remember(value, new RegExp(call(RegExp_source, value), call(RegExp_flags, value))),

    Map: (cloner, value) => {
      const clone = cloner.remember(value, new Map());
      const list = [];
      call(Map_forEach, value, (part, key) => {
        list[list.length] = { key, part };
      });
      for (let i = 0; i < list.length; i += 1) {
        const key = cloner.at('(key)', list[i].key);
        call(Map_set, clone, key, cloner.at('(value)', list[i].part));
      }
      return clone;
    },

    Set: (cloner, value) => {
      const clone = cloner.remember(value, new captured.Set());
      const list = [];
      call(Set_forEach, value, (part) => {
        list[list.length] = part;
      });
      for (let i = 0; i < list.length; i += 1) {
        call(Set_add, clone, cloner.at('(value)', list[i]));
      }
      return clone;
    },

    Error: (cloner, value) => {
      const name = value.name;
      const type = ERRORS[name === undefined ? 'Error' : string(name)] ?? captured.Error;
      const clone = cloner.remember(value, new type());
      const message = cloner.own(value, 'message');
      if (message !== undefined) hide(clone, 'message', string(message.value));
      const stack = value.stack;
      if (typeof stack === 'string') hide(clone, 'stack', stack);
      const cause = cloner.own(value, 'cause');
      if (cause !== undefined) hide(clone, 'cause', cloner.at('cause', cause.value));
      return clone;
    },

    DOMException: (cloner, value) =>
      cloner.remember(
        value,
        new DOMException(call(DOMException_message, value), call(DOMException_name, value)),
      ),

    ArrayBuffer: (cloner, value) => {
      const length = call(ArrayBuffer_byteLength, value);
      const clone = call(ArrayBuffer_resizable, value)
        ? new ArrayBuffer(length, { maxByteLength: call(ArrayBuffer_maxByteLength, value) })
        : new ArrayBuffer(length);
      call(TypedArray_set, new Uint8Array(clone), new Uint8Array(value));
      return cloner.remember(value, clone);
    },

    DataView: (cloner, value) => {
      const buffer = cloner.value(call(DataView_buffer, value));
      const clone = new DataView(
        buffer,
        call(DataView_byteOffset, value),
        call(DataView_byteLength, value),
      );
      return cloner.remember(value, clone);
    },

    TypedArray: (cloner, value) => {
      const buffer = cloner.value(call(TypedArray_buffer, value));
      const View = VIEWS[call(TypedArray_name, value)];
      const clone = new View(
        buffer,
        call(TypedArray_byteOffset, value),
        call(TypedArray_length, value),
      );
      return cloner.remember(value, clone);
    },
  };

  // The buffers that the caller gives away, each once.
  const givenAway = (options) => {
    const transfer = options?.transfer;
    const buffers = new captured.Set();
    if (transfer === undefined) return buffers;
    for (const buffer of { [iterator]: () => transfer[iterator]() }) {
      if (buffer === null || (typeof buffer !== 'object' && typeof buffer !== 'function')) {
        throw new TypeError('transfer must list objects');
      }
      if (!isBuffer(buffer) || call(captured.Set_has, buffers, buffer)) {
        throw new DOMException('only ArrayBuffers can be transferred, each once', 'DataCloneError');
      }
      call(Set_add, buffers, buffer);
    }
    return buffers;
  };

  const { structuredClone } = {
    structuredClone(value, options = undefined) {
      if (arguments.length === 0) {
        throw new TypeError('structuredClone needs a value, got no argument');
      }
      const buffers = givenAway(options);
      const cloner = new Cloner();
      const clone = cloner.value(value);
      call(Set_forEach, buffers, (buffer) => call(ArrayBuffer_transfer, buffer));
      return clone;
    },
  };

  return { structuredClone };
})
