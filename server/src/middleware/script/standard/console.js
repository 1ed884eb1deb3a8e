// console: formats its values, and gives each line to the host.
(function (captured, native) {
  'use strict';

  const {
    Map_delete, Map_get, Map_set, Number_toFixed, String_includes, String_repeat, String_slice,
    String_toWellFormed, String_trimEnd, call, captureStackTrace, defineProperty, is, now, string,
    toStringTag, unit,
  } = captured;

  const DEEPEST_GROUP = 20;
  // Units of UTF-16; the host cuts by bytes, which are never fewer.
  const LONGEST = 8192;
  const MOST_LABELS = 1000;

  const counts = new captured.Map();
  const timers = new captured.Map();
  let depth = 0;

  const margin = () => call(String_repeat, '  ', depth);

  const isPlain = (value) =>
    typeof value === 'string' || typeof value === 'boolean' ||
    (typeof value === 'number' && !is(value, -0));

  // The line of texts and numbers, for which the inspector need not be compiled; else nothing.
  const plain = (values) => {
    const isFormat =
      values.length > 1 && typeof values[0] === 'string' && call(String_includes, values[0], '%');
    if (isFormat) return undefined;
    let text = '';
    for (let i = 0; i < values.length && text.length <= LONGEST; i += 1) {
      if (!isPlain(values[i])) return undefined;
      text = i === 0 ? string(values[i]) : string(text, ' ', values[i]);
    }
    return { isPart: text.length > LONGEST, text: call(String_slice, text, 0, LONGEST) };
  };

  const write = (level, values, end = '') => {
    let text;
    let isPart = false;
    try {
      const line = plain(values) ?? unit('inspect').format(values);
      text = line.text + end;
      isPart = line.isPart;
      if (depth > 0) text = margin() + unit('text').indented(text, depth);
      text = call(String_toWellFormed, text);
    } catch {
      // A script must not fail for what it logs.
      text = '[the values cannot be shown]';
    }
    native.write(level, text, isPart);
  };

  // A label is whatever the script gives; a script that makes up ever new ones is not followed.
  const keep = (map, label, value) => {
    if (call(captured.Map_has, map, label) || call(captured.Map_size, map) < MOST_LABELS) {
      call(Map_set, map, label, value);
    }
  };

  const named = (label) => {
    try {
      return string(label);
    } catch {
      return 'default';
    }
  };

  const elapsed = (label) => {
    const start = call(Map_get, timers, label);
    return start === undefined
      ? undefined
      : string(label, ': ', call(Number_toFixed, now() - start, 3), 'ms');
  };

  // The title before the values, which keep their format.
  const titled = (title, values) => {
    if (values.length === 0) return [title];
    if (typeof values[0] === 'string') {
      values[0] = string(title, ': ', values[0]);
      return values;
    }
    const all = [string(title, ':')];
    for (let i = 0; i < values.length; i += 1) all[i + 1] = values[i];
    return all;
  };

  const console = {
    log(...values) {
      write('info', values);
    },

    info(...values) {
      write('info', values);
    },

    warn(...values) {
      write('warn', values);
    },

    error(...values) {
      write('error', values);
    },

    debug(...values) {
      write('debug', values);
    },

    trace(...values) {
      const place = { __proto__: null };
      captureStackTrace(place, trace);
      const stack = typeof place.stack === 'string' ? call(String_trimEnd, place.stack) : '';
      write('trace', titled('Trace', values), string('\n', stack));
    },

    assert(condition = false, ...values) {
      if (!condition) write('error', titled('Assertion failed', values));
    },

    dir(value) {
      write('info', ['%O', value]);
    },

    table(...values) {
      write('info', values);
    },

    count(label = 'default') {
      const name = named(label);
      const count = (call(Map_get, counts, name) ?? 0) + 1;
      keep(counts, name, count);
      write('info', ['%s', string(name, ': ', count)]);
    },

    countReset(label = 'default') {
      call(Map_delete, counts, named(label));
    },

    time(label = 'default') {
      keep(timers, named(label), now());
    },

    timeLog(label = 'default', ...values) {
      const text = elapsed(named(label));
      if (text !== undefined) write('info', titled(text, values));
    },

    timeEnd(label = 'default') {
      const name = named(label);
      const text = elapsed(name);
      call(Map_delete, timers, name);
      if (text !== undefined) write('info', ['%s', text]);
    },

    group(...values) {
      if (values.length > 0) write('info', values);
      if (depth < DEEPEST_GROUP) depth += 1;
    },

    groupEnd() {
      if (depth > 0) depth -= 1;
    },
  };
  const { trace } = console;
  console.groupCollapsed = console.group;
  defineProperty(console, toStringTag, { __proto__: null, configurable: true, value: 'console' });

  return { console };
})
