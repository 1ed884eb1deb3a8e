// TextEncoder and TextDecoder, for UTF-8.
(function (captured, native) {
  'use strict';

  const {
    Map_set, RangeError, String_charCodeAt, String_slice, String_toLowerCase, String_toWellFormed,
    TypeError, TypedArray_length, TypedArray_name, TypedArray_set, call, defineProperty, platform,
    string, toStringTag, unit,
  } = captured;
  const { hexOf } = unit('bytes');

  const BYTE_ORDER_MARK = 0xfeff;
  const LABELS = {
    __proto__: null,
    'unicode-1-1-utf-8': true,
    unicode11utf8: true,
    unicode20utf8: true,
    'utf-8': true,
    utf8: true,
    'x-unicode20utf8': true,
  };

  const isSpace = (unit) => unit === 0x20 || (unit >= 0x09 && unit <= 0x0d && unit !== 0x0b);

  const trimmed = (label) => {
    let start = 0;
    let end = label.length;
    while (start < end && isSpace(call(String_charCodeAt, label, start))) start += 1;
    while (start < end && isSpace(call(String_charCodeAt, label, end - 1))) end -= 1;
    return call(String_slice, label, start, end);
  };

  class TextEncoder {
    #encoding = 'utf-8';

    get encoding() {
      return this.#encoding;
    }

    encode(input = '') {
      this.#encoding;
      return native.encode(call(String_toWellFormed, string(input)));
    }

    encodeInto(source, destination) {
      this.#encoding;
      if (call(TypedArray_name, destination) !== 'Uint8Array') {
        throw new TypeError('encodeInto needs a Uint8Array to write to');
      }
      const text = string(source);
      const capacity = call(TypedArray_length, destination);
      // A unit takes a byte at least, so what lies behind does not fit.
      const start = call(String_toWellFormed, call(String_slice, text, 0, capacity));
      const { 0: bytes, 1: read } = native.encodePrefix(start, capacity);
      call(TypedArray_set, destination, bytes);
      return { read, written: call(TypedArray_length, bytes) };
    }
  }

  class TextDecoder {
    #fatal;
    #ignoreBOM;
    // The bytes of a character whose rest comes with the next call, in hexadecimal.
    #waiting = '';
    #hasText = false;

    constructor(label = 'utf-8', options = undefined) {
      const name = string(label);
      if (!LABELS[call(String_toLowerCase, trimmed(name))]) {
        throw new RangeError(
          string(
            'the encoding ', call(String_slice, name, 0, 40), ' is not supported: only utf-8 is',
          ),
        );
      }
      this.#fatal = !!(options?.fatal);
      this.#ignoreBOM = !!(options?.ignoreBOM);
    }

    get encoding() {
      this.#fatal;
      return 'utf-8';
    }

    get fatal() {
      return this.#fatal;
    }

    get ignoreBOM() {
      return this.#ignoreBOM;
    }

    decode(input = undefined, options = undefined) {
      const goesOn = !!(options?.stream);
      const hex = this.#waiting + (input === undefined ? '' : hexOf(input));
      let { 0: text, 1: waiting } = native.decode(hex, this.#fatal, !goesOn);
      if (text === undefined) {
        this.#waiting = '';
        this.#hasText = false;
        throw new TypeError('the bytes are not valid UTF-8');
      }
      this.#waiting = call(String_slice, hex, hex.length - 2 * waiting);
      const isStart = !this.#hasText && text !== '';
      this.#hasText = goesOn && (this.#hasText || isStart);
      if (isStart && !this.#ignoreBOM && call(String_charCodeAt, text, 0) === BYTE_ORDER_MARK) {
        text = call(String_slice, text, 1);
      }
      return text;
    }
  }

  const named = (type, kind) => {
    const { prototype } = type;
    defineProperty(prototype, toStringTag, { __proto__: null, configurable: true, value: kind });
    call(Map_set, platform, prototype, { kind, show: ({ encoding }) => ({ encoding }) });
  };
  named(TextEncoder, 'TextEncoder');
  named(TextDecoder, 'TextDecoder');

  return { TextDecoder, TextEncoder };
})
