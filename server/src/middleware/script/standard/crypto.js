// crypto: random values and digests.
(function (captured, native) {
  'use strict';

  const {
    DOMException, String_slice, String_toUpperCase, TypedArray_byteLength, TypedArray_name,
    TypedArray_set, call, defineProperty, isView, string, toStringTag, unit,
  } = captured;
  const { hexOf, ofView } = unit('bytes');

  const MOST_RANDOM_BYTES = 65536;
  const DIGESTS = { __proto__: null, 'SHA-256': true, 'SHA-384': true, 'SHA-512': true };
  const WHOLE_NUMBERS = {
    __proto__: null,
    Int8Array: true,
    Uint8Array: true,
    Uint8ClampedArray: true,
    Int16Array: true,
    Uint16Array: true,
    Int32Array: true,
    Uint32Array: true,
    BigInt64Array: true,
    BigUint64Array: true,
  };

  const subtle = {
    async digest(algorithm, data) {
      const isObject = typeof algorithm === 'object' && algorithm !== null;
      const given = string(isObject ? algorithm.name : algorithm);
      const name = call(String_toUpperCase, given);
      if (!DIGESTS[name]) {
        throw new DOMException(
          string(
            'the digest ', call(String_slice, given, 0, 40),
            ' is not supported: only SHA-256, SHA-384 and SHA-512 are',
          ),
          'NotSupportedError',
        );
      }
      return native.digest(name, hexOf(data));
    },
  };

  const crypto = {
    subtle,

    randomUUID() {
      return native.uuid();
    },

    getRandomValues(array) {
      if (!isView(array) || !WHOLE_NUMBERS[call(TypedArray_name, array)]) {
        throw new DOMException(
          'getRandomValues needs a typed array of whole numbers',
          'TypeMismatchError',
        );
      }
      const length = call(TypedArray_byteLength, array);
      if (length > MOST_RANDOM_BYTES) {
        throw new DOMException(
          string('getRandomValues fills ', MOST_RANDOM_BYTES, ' bytes at most, got ', length),
          'QuotaExceededError',
        );
      }
      call(TypedArray_set, ofView(array), native.random(length));
      return array;
    },
  };

  const tag = (object, value) =>
    defineProperty(object, toStringTag, { __proto__: null, configurable: true, value });
  tag(subtle, 'SubtleCrypto');
  tag(crypto, 'Crypto');

  return { crypto };
})
