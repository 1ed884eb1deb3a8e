// Says what there is to show of an object: its title, its items and the keys of its properties.
(function (captured, native) {
  'use strict';

  const {
    ArrayBuffer_byteLength, Date_getTime, Date_toISOString, Function_toString, MapIterator_next,
    Map_entries, Map_get, Map_size, RegExp_flags, RegExp_source, SetIterator_next, Set_entries,
    Set_size, String_slice, String_startsWith, String_trimEnd, TypedArray_length, TypedArray_name,
    Uint8Array, Uint8Array_toHex, call, getOwnPropertyDescriptor, getPrototypeOf, hasOwn, ownKeys,
    platform, string, toStringTag, unit,
  } = captured;
  const { kindOf } = unit('kinds');
  const { indented, quoted } = unit('text');

  const MOST_ITEMS = 100;
  // Holes count as well, and a longer list's other properties are not looked for.
  const MOST_PLACES = 1000;
  const MOST_BYTES = 50;
  // Longer texts are cut anyway.
  const LONGEST = 8193;

  const safely = (read) => {
    try {
      return read();
    } catch {
      return undefined;
    }
  };

  // The value of a property that is no getter, through the prototypes.
  const dataOf = (object, key) => {
    let owner = native.unproxy(object);
    while (owner !== null) {
      const property = getOwnPropertyDescriptor(owner, key);
      if (property !== undefined) return property.value;
      const prototype = getPrototypeOf(owner);
      owner = prototype === null ? null : native.unproxy(prototype);
    }
    return undefined;
  };

  const textOf = (object, key) => {
    const text = dataOf(object, key);
    return typeof text === 'string' ? text : '';
  };

  // The name of the class, or null for an object without prototypes.
  const classOf = (object) => {
    const constructor = dataOf(object, 'constructor');
    return typeof constructor === 'function' ? textOf(constructor, 'name') || 'Object' : null;
  };

  const isIndex = (key) => typeof key === 'string' && string(key >>> 0) === key;

  const propertiesOf = (value, isHidden) => {
    const all = ownKeys(value);
    const shown = [];
    for (let i = 0; i < all.length && shown.length < MOST_PLACES; i += 1) {
      const isShown = getOwnPropertyDescriptor(value, all[i])?.enumerable && !isHidden(all[i]);
      if (isShown) shown[shown.length] = all[i];
    }
    return shown;
  };

  const itemsOf = (count) => (count === 1 ? ' item' : ' items');

  const moreOf = (count) => string('... ', count, ' more', itemsOf(count));

  const holes = (count) => ({ text: string('<', count, ' empty', itemsOf(count), '>') });

  const arrayItems = (value, length) => {
    const items = [];
    let i = 0;
    let empty = 0;
    for (; i < length && i < MOST_PLACES && items.length < MOST_ITEMS; i += 1) {
      const property = getOwnPropertyDescriptor(value, i);
      if (property === undefined) {
        empty += 1;
        continue;
      }
      if (empty > 0) items[items.length] = holes(empty);
      empty = 0;
      items[items.length] =
        property.get || property.set ? { text: '[Getter]' } : { value: property.value };
    }
    if (empty > 0) items[items.length] = holes(empty);
    return { items, more: i < length ? moreOf(length - i) : undefined };
  };

  // The first of the entries, which are pairs of a key and a value.
  const collected = (entries, next, value, size, itemOf) => {
    const items = [];
    const iterator = call(entries, value);
    let step = call(next, iterator);
    while (!step.done && items.length < MOST_ITEMS) {
      items[items.length] = itemOf(step.value[0], step.value[1]);
      step = call(next, iterator);
    }
    return { items, more: size > items.length ? moreOf(size - items.length) : undefined };
  };

  const stringAt = (value, key) => {
    const text = safely(() => value[key]);
    return typeof text === 'string' ? call(String_slice, text, 0, LONGEST) : '';
  };

  // The engine's stack lacks the line with the error's name and message.
  const errorText = (value, level) => {
    const type = classOf(value);
    let name = stringAt(value, 'name') || 'Error';
    if (name === 'Error' && type !== null && type !== 'Object') name = type;
    const message = stringAt(value, 'message');
    const title = message === '' ? name : string(name, ': ', message);
    const stack = call(String_trimEnd, stringAt(value, 'stack'));
    if (stack === '') return string('[', title, ']');
    const isTitled = call(String_startsWith, stack, title);
    return indented(isTitled ? stack : string(title, '\n', stack), level);
  };

  const errorKeys = (value) => {
    const shown = propertiesOf(
      value,
      (key) => key === 'cause' || key === 'message' || key === 'name' || key === 'stack',
    );
    if (hasOwn(value, 'cause')) shown[shown.length] = 'cause';
    if (hasOwn(value, 'errors') && !getOwnPropertyDescriptor(value, 'errors').enumerable) {
      shown[shown.length] = 'errors';
    }
    return shown;
  };

  const functionText = (value) => {
    const name = textOf(value, 'name');
    if (call(String_startsWith, call(Function_toString, value), 'class')) {
      const parent = getPrototypeOf(value);
      const above = typeof parent === 'function' ? textOf(parent, 'name') : '';
      const extending = above === '' ? '' : string(' extends ', above);
      return string('[class ', name || '(anonymous)', extending, ']');
    }
    const type = classOf(value) ?? 'Function';
    return name === '' ? string('[', type, ' (anonymous)]') : string('[', type, ': ', name, ']');
  };

  const bytesText = (value) => {
    const length = call(ArrayBuffer_byteLength, value);
    const shown = length < MOST_BYTES ? length : MOST_BYTES;
    const hex = call(Uint8Array_toHex, new Uint8Array(value, 0, shown));
    let text = '';
    for (let i = 0; i < hex.length; i += 2) {
      text += string(i === 0 ? '' : ' ', hex[i], hex[i + 1]);
    }
    const rest = length > shown ? string(' ... ', length - shown, ' more bytes') : '';
    return [
      { text: string('[Uint8Contents]: <', text, rest, '>') },
      { text: string('byteLength: ', length) },
    ];
  };

  const boxes = {
    __proto__: null,
    BigInt: (value) => string(call(captured.BigInt_valueOf, value), 'n'),
    Boolean: (value) => string(call(captured.Boolean_valueOf, value)),
    Number: (value) => string(call(captured.Number_valueOf, value)),
    String: (value) => quoted(call(captured.String_valueOf, value)),
    Symbol: (value) => call(captured.Symbol_toString, call(captured.Symbol_valueOf, value)),
  };

  const platformFields = (value) => {
    let prototype = getPrototypeOf(value);
    let known;
    while (prototype !== null && known === undefined) {
      known = call(Map_get, platform, prototype);
      prototype = getPrototypeOf(prototype);
    }
    return known === undefined ? undefined : safely(() => known.show(value));
  };

  const titles = {
    __proto__: null,

    Array: (value) => {
      const type = classOf(value) ?? '[Array: null prototype]';
      const { length } = value;
      return {
        ...arrayItems(value, length),
        close: ']',
        isHidden: isIndex,
        keys: length > MOST_PLACES ? [] : undefined,
        open: '[',
        prefix: type === 'Array' ? '' : string(type, '(', length, ') '),
      };
    },

    ArrayBuffer: (value) => ({ items: bytesText(value), prefix: string(classOf(value), ' ') }),

    DOMException: (value, level) => ({ base: errorText(value, level), keys: errorKeys(value) }),

    Date: (value) => ({
      base: call(Date_getTime, value) >= -Infinity ? call(Date_toISOString, value) : 'Invalid Date',
    }),

    Error: (value, level) => ({ base: errorText(value, level), keys: errorKeys(value) }),

    Function: (value) => ({ base: functionText(value) }),

    Map: (value) => {
      const size = call(Map_size, value);
      return {
        ...collected(Map_entries, MapIterator_next, value, size, (key, part) => ({
          key,
          value: part,
        })),
        prefix: string(classOf(value) ?? 'Map', '(', size, ') '),
      };
    },

    Promise: (value) => ({
      items: [{ text: string('<', native.promiseState(value) ?? 'unknown', '>') }],
      prefix: string(classOf(value) ?? 'Promise', ' '),
    }),

    RegExp: (value) => {
      const flags = safely(() => call(RegExp_flags, value)) ?? '';
      return { base: string('/', call(RegExp_source, value), '/', flags) };
    },

    Set: (value) => {
      const size = call(Set_size, value);
      return {
        ...collected(Set_entries, SetIterator_next, value, size, (part) => ({ value: part })),
        prefix: string(classOf(value) ?? 'Set', '(', size, ') '),
      };
    },

    TypedArray: (value) => {
      const length = call(TypedArray_length, value);
      return {
        ...arrayItems(value, length),
        close: ']',
        keys: [],
        open: '[',
        prefix: string(classOf(value) ?? call(TypedArray_name, value), '(', length, ') '),
      };
    },

    WeakMap: () => ({ items: [{ text: '<items unknown>' }], prefix: 'WeakMap ' }),
    WeakSet: () => ({ items: [{ text: '<items unknown>' }], prefix: 'WeakSet ' }),
  };

  const plainTitle = (value) => {
    const type = classOf(value);
    const tag = hasOwn(value, toStringTag) ? '' : textOf(value, toStringTag);
    let prefix = type === 'Object' ? '' : string(type ?? '[Object: null prototype]', ' ');
    if (tag !== '' && tag !== type) prefix = string(prefix || 'Object ', '[', tag, '] ');
    const fields = platformFields(value);
    if (fields === undefined) return { prefix };
    const items = [];
    const names = captured.keys(fields);
    for (let i = 0; i < names.length; i += 1) {
      items[i] = { text: string(names[i], ': ', quoted(fields[names[i]])) };
    }
    return { items, prefix };
  };

  const describe = (value, level) => {
    const kind = kindOf(value);
    const box = boxes[kind];
    const title =
      box === undefined
        ? (titles[kind] ?? plainTitle)(value, level)
        : {
            base: string('[', kind, ': ', box(value), ']'),
            // Those of a string are its characters.
            keys: kind === 'String' ? [] : undefined,
          };
    const { base = '', close = '}', isHidden = () => false, items = [], more } = title;
    const { keys = propertiesOf(value, isHidden), open = '{', prefix = '' } = title;
    const name = kind === 'Array' ? 'Array' : (classOf(value) ?? 'Object: null prototype');
    return { base, close, items, keys, more, name, open, prefix };
  };

  return { dataOf, describe, safely };
})
