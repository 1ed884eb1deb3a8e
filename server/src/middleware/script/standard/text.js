// Writes strings and keys as they stand in source text.
(function (captured) {
  'use strict';

  const {
    Number_toString, String_charCodeAt, String_includes, String_padStart, String_repeat,
    String_slice, String_toUpperCase, Symbol_toString, call, string,
  } = captured;

  // Longer texts do not fit a line of the console.
  const LONGEST = 8193;
  const ESCAPES = {
    __proto__: null, '\b': '\\b', '\t': '\\t', '\n': '\\n', '\f': '\\f', '\r': '\\r', '\\': '\\\\',
  };

  // The first of the three quotes that the text has no need to escape.
  const quoteFor = (text) => {
    if (!call(String_includes, text, "'")) return "'";
    if (!call(String_includes, text, '"')) return '"';
    return call(String_includes, text, '`') || call(String_includes, text, '${') ? "'" : '`';
  };

  const hexadecimal = (unit) =>
    call(String_padStart, call(String_toUpperCase, call(Number_toString, unit, 16)), 2, '0');

  const isControl = (unit) => unit < 0x20 || (unit >= 0x7f && unit < 0xa0);

  const quoted = (value) => {
    const text = call(String_slice, value, 0, LONGEST);
    const quote = quoteFor(text);
    let whole = quote;
    for (let i = 0; i < text.length; i += 1) {
      const unit = call(String_charCodeAt, text, i);
      if (text[i] === quote) whole += string('\\', quote);
      else if (ESCAPES[text[i]] !== undefined) whole += ESCAPES[text[i]];
      else if (isControl(unit)) whole += string('\\x', hexadecimal(unit));
      else whole += text[i];
    }
    return whole + quote;
  };

  const isWord = (key) => {
    for (let i = 0; i < key.length && i < LONGEST; i += 1) {
      const unit = call(String_charCodeAt, key, i);
      const isDigit = unit >= 0x30 && unit <= 0x39;
      const isLetter = (unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a;
      if (!isLetter && unit !== 0x5f && unit !== 0x24 && (i === 0 || !isDigit)) return false;
    }
    return key !== '';
  };

  const keyText = (key) => {
    if (typeof key === 'symbol') return string('[', call(Symbol_toString, key), ']');
    return isWord(key) ? key : quoted(key);
  };

  // Every line but the first, further in.
  const indented = (text, level) => {
    if (level === 0 || !call(String_includes, text, '\n')) return text;
    const margin = call(String_repeat, '  ', level);
    let whole = '';
    for (let i = 0; i < text.length; i += 1) {
      whole += text[i];
      if (text[i] === '\n') whole += margin;
    }
    return whole;
  };

  return { indented, keyText, quoted };
})
