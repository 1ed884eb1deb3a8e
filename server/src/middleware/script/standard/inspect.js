// Formats values for the console, as Node.js does, without running the script's code where it can.
(function (captured, native) {
  'use strict';

  const {
    Number, String_includes, String_repeat, String_slice, Symbol_toString, call,
    getOwnPropertyDescriptor, is, parseFloat, parseInt, string, stringify, unit,
  } = captured;
  const { dataOf, describe, safely } = unit('describe');
  const { keyText, quoted } = unit('text');

  // Units of UTF-16; the host cuts by bytes, which are never fewer.
  const LONGEST = 8192;
  const DEPTH = 2;
  const LINE = 80;
  const SHORT = 16;
  const PACKED_LINE = 72;
  // Objects with more levels than this inside take several lines.
  const COMPACT = 3;

  // What is written counts against the line's length, so that work is bounded as well.
  const spend = (run, text) => {
    if (text.length > run.left) {
      run.isPart = true;
      text = call(String_slice, text, 0, run.left);
    }
    run.left -= text.length;
    return text;
  };

  const isSpent = (run) => {
    if (run.left <= 0) run.isPart = true;
    return run.left <= 0;
  };

  const inspect = (run, value, level) => {
    switch (typeof value) {
      case 'string':
        return spend(run, quoted(value));
      case 'number':
        return spend(run, is(value, -0) ? '-0' : string(value));
      case 'bigint':
        return spend(run, string(value, 'n'));
      case 'symbol':
        return spend(run, call(Symbol_toString, value));
      case 'function':
      case 'object': {
        if (value === null) return spend(run, 'null');
        const target = native.unproxy(value);
        return target === null ? spend(run, '<Revoked Proxy>') : inspectObject(run, target, level);
      }
      default:
        return spend(run, string(value));
    }
  };

  const inspectProperty = (run, object, key, level) => {
    const property = getOwnPropertyDescriptor(object, key);
    if (property === undefined) return undefined;
    const name = spend(run, property.enumerable ? keyText(key) : string('[', keyText(key), ']'));
    let text;
    if (property.get !== undefined) {
      text = spend(run, property.set === undefined ? '[Getter]' : '[Getter/Setter]');
    } else if (property.set !== undefined) {
      text = spend(run, '[Setter]');
    } else {
      text = inspect(run, property.value, level + 1);
    }
    return string(name, ': ', text);
  };

  const inspectObject = (run, value, level) => {
    for (let i = 0; i < run.seen.length; i += 1) {
      if (run.seen[i] === value) return spend(run, '[Circular]');
    }
    const { base, prefix, open, close, items, keys, name, more } = describe(value, level);
    const isEmpty = items.length === 0 && keys.length === 0 && more === undefined;
    if (isEmpty) return spend(run, base === '' ? string(prefix, open, close) : base);
    if (level > run.depth) return spend(run, base === '' ? string('[', name, ']') : base);

    const depth = run.seen.length;
    run.seen[depth] = value;
    run.deepest = level;
    const head = base === '' ? prefix + open : string(spend(run, base), ' ', open);
    const parts = [];
    for (let i = 0; i < items.length && !isSpent(run); i += 1) {
      const { key, text } = items[i];
      if (text !== undefined) {
        parts[parts.length] = spend(run, text);
      } else {
        const start = 'key' in items[i] ? string(inspect(run, key, level + 1), ' => ') : '';
        parts[parts.length] = start + inspect(run, items[i].value, level + 1);
      }
    }
    const packed = open === '[' ? parts.length : 0;
    if (more !== undefined) parts[parts.length] = spend(run, more);
    for (let i = 0; i < keys.length && !isSpent(run); i += 1) {
      const part = inspectProperty(run, value, keys[i], level);
      if (part !== undefined) parts[parts.length] = part;
    }
    run.seen.length = depth;
    return layOut(run, parts, head, close, level, packed);
  };

  const isPackable = (parts, count) => {
    for (let i = 0; i < count; i += 1) {
      if (parts[i].length > SHORT || call(String_includes, parts[i], '\n')) return false;
    }
    return count > 6;
  };

  // On one line if it is short and flat, else a part a line; the items of a list share lines.
  const layOut = (run, parts, head, close, level, items) => {
    const margin = string('\n', call(String_repeat, '  ', level));
    let length = 2 * parts.length + 2 * level + head.length + 10;
    let line = '';
    for (let i = 0; i < parts.length; i += 1) {
      length += parts[i].length;
      line += i === 0 ? parts[i] : string(', ', parts[i]);
    }
    const isFlat = run.deepest - level < COMPACT && !call(String_includes, head + line, '\n');
    const packs = isPackable(parts, items);
    if (isFlat && !packs && length <= LINE) return string(head, ' ', line, ' ', close);
    let whole = head;
    let width = LINE;
    for (let i = 0; i < parts.length; i += 1) {
      width += parts[i].length + 2;
      const breaks = !packs || i >= items || width > PACKED_LINE;
      if (breaks) width = parts[i].length + 2;
      const comma = i + 1 < parts.length ? ',' : '';
      whole += string(breaks ? string(margin, '  ') : ' ', parts[i], comma);
    }
    return string(whole, margin, close);
  };

  const inspectTo = (run, value, depth) => {
    const before = run.depth;
    run.depth = depth;
    const text = inspect(run, value, 0);
    run.depth = before;
    return text;
  };

  const asText = (run, value) => {
    if (typeof value === 'string') return spend(run, value);
    if (typeof value !== 'object' || value === null) return inspectTo(run, value, 0);
    const target = native.unproxy(value);
    if (target !== null) {
      const toString = dataOf(target, 'toString');
      if (typeof toString === 'function' && !call(captured.Set_has, builtInToStrings, toString)) {
        const text = safely(() => string(value));
        if (text !== undefined) return spend(run, text);
      }
    }
    return inspectTo(run, value, 0);
  };

  const builtInToStrings = new captured.Set();
  const types = ['Array', 'Date', 'DOMException', 'Error', 'Function', 'Object', 'RegExp'];
  for (let i = 0; i < types.length; i += 1) {
    call(captured.Set_add, builtInToStrings, captured.toStrings[types[i]]);
  }

  const asNumber = (value, convert) => {
    if (typeof value === 'bigint') return string(value, 'n');
    const number = typeof value === 'symbol' ? NaN : safely(() => convert(value));
    return is(number, -0) ? '-0' : string(number ?? NaN);
  };

  const asJson = (value) => {
    try {
      return string(stringify(value));
    } catch (error) {
      const message = captured.isError(error) ? dataOf(error, 'message') : undefined;
      return message === 'circular reference' ? '[Circular]' : '[not JSON]';
    }
  };

  // What a directive of the format makes of its value; nothing if it is no directive.
  const directive = (run, letter, value) => {
    switch (letter) {
      case 's':
        return asText(run, value);
      case 'd':
        return spend(run, asNumber(value, Number));
      case 'i':
        return spend(run, asNumber(value, (given) => parseInt(given)));
      case 'f':
        return spend(run, asNumber(value, parseFloat));
      case 'j':
        return spend(run, asJson(value));
      case 'o':
        return inspectTo(run, value, DEPTH + 2);
      case 'O':
        return inspectTo(run, value, DEPTH);
      case 'c':
        return '';
      default:
        return undefined;
    }
  };

  // The format with its directives filled in, and how many values that took.
  const filled = (run, values) => {
    const pattern = values[0];
    let text = '';
    let start = 0;
    let taken = 1;
    for (let i = 0; i + 1 < pattern.length && !isSpent(run); i += 1) {
      if (pattern[i] !== '%') continue;
      const letter = pattern[i + 1];
      if (letter === '%') {
        text += spend(run, call(String_slice, pattern, start, i + 1));
      } else {
        if (taken >= values.length) continue;
        const before = call(String_slice, pattern, start, i);
        const part = directive(run, letter, values[taken]);
        if (part === undefined) continue;
        text += spend(run, before) + part;
        taken += 1;
      }
      start = i + 2;
      i += 1;
    }
    return { taken, text: text + spend(run, call(String_slice, pattern, start)) };
  };

  const format = (values) => {
    const run = { deepest: 0, depth: DEPTH, isPart: false, left: LONGEST, seen: [] };
    let text = '';
    let taken = 0;
    if (values.length > 1 && typeof values[0] === 'string') ({ taken, text } = filled(run, values));
    for (let i = taken; i < values.length && !isSpent(run); i += 1) {
      if (i > 0) text += ' ';
      text += typeof values[i] === 'string' ? spend(run, values[i]) : inspect(run, values[i], 0);
    }
    return { isPart: run.isPart, text };
  };

  return { format };
})
