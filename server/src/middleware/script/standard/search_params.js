// URLSearchParams, and how a URL stays in step with its own.
(function (captured, native) {
  'use strict';

  const {
    Array_sort, Map_set, String_charCodeAt, String_slice, String_toWellFormed, TypeError, call,
    defineProperty, getOwnPropertyDescriptor, iterator, ownKeys, platform, string, toStringTag,
  } = captured;

  const usv = (value) => call(String_toWellFormed, string(value));

  const need = (given, count, method) => {
    if (given < count) {
      throw new TypeError(
        string('URLSearchParams.', method, ' needs ', count, ' argument(s), got ', given),
      );
    }
  };

  const parse = (query) =>
    native.parse(call(String_charCodeAt, query, 0) === 0x3f ? call(String_slice, query, 1) : query);

  // Name, value, name, value, and so on, from what the constructor takes.
  const listFrom = (init) => {
    if (init === null || (typeof init !== 'object' && typeof init !== 'function')) {
      return parse(usv(init));
    }
    const list = [];
    const iterate = init[iterator];
    if (iterate === undefined || iterate === null) {
      const keys = ownKeys(init);
      for (let i = 0; i < keys.length; i += 1) {
        if (getOwnPropertyDescriptor(init, keys[i])?.enumerable) {
          list[list.length] = usv(keys[i]);
          list[list.length] = usv(init[keys[i]]);
        }
      }
      return list;
    }
    for (const pair of { [iterator]: () => call(iterate, init) }) {
      if (pair === null || (typeof pair !== 'object' && typeof pair !== 'function')) {
        throw new TypeError('URLSearchParams needs pairs of a name and a value');
      }
      let count = 0;
      for (const part of pair) {
        count += 1;
        if (count > 2) break;
        list[list.length] = usv(part);
      }
      if (count !== 2) {
        throw new TypeError('URLSearchParams needs pairs of a name and a value');
      }
    }
    return list;
  };

  let link;
  let replace;

  class URLSearchParams {
    #list;
    #changed = undefined;

    static {
      // The parameters of a URL: `changed` gets their text after each change.
      link = (query, changed) => {
        const params = new URLSearchParams(query);
        params.#changed = changed;
        return params;
      };
      // The URL's query was set.
      replace = (params, query) => {
        params.#list = parse(query);
      };
    }

    constructor(init = '') {
      this.#list = listFrom(init);
    }

    #update(list) {
      this.#list = list;
      this.#changed?.(native.serialize(list));
    }

    // The pairs that `keeps(name, value)` says yes to.
    #filtered(keeps) {
      const list = this.#list;
      const kept = [];
      for (let i = 0; i < list.length; i += 2) {
        if (keeps(list[i], list[i + 1])) {
          kept[kept.length] = list[i];
          kept[kept.length] = list[i + 1];
        }
      }
      return kept;
    }

    *#iterate(part) {
      for (let i = 0; i < this.#list.length; i += 2) {
        yield part(this.#list[i], this.#list[i + 1]);
      }
    }

    get size() {
      return this.#list.length / 2;
    }

    append(name, value) {
      const list = this.#list;
      need(arguments.length, 2, 'append');
      const pair = [usv(name), usv(value)];
      list[list.length] = pair[0];
      list[list.length] = pair[1];
      this.#update(list);
    }

    delete(name, value = undefined) {
      this.#list;
      need(arguments.length, 1, 'delete');
      const gone = usv(name);
      const only = value === undefined ? undefined : usv(value);
      this.#update(
        this.#filtered((key, text) => key !== gone || (only !== undefined && text !== only)),
      );
    }

    get(name) {
      const list = this.#list;
      need(arguments.length, 1, 'get');
      const wanted = usv(name);
      for (let i = 0; i < list.length; i += 2) {
        if (list[i] === wanted) return list[i + 1];
      }
      return null;
    }

    getAll(name) {
      const list = this.#list;
      need(arguments.length, 1, 'getAll');
      const wanted = usv(name);
      const values = [];
      for (let i = 0; i < list.length; i += 2) {
        if (list[i] === wanted) values[values.length] = list[i + 1];
      }
      return values;
    }

    has(name, value = undefined) {
      this.#list;
      need(arguments.length, 1, 'has');
      const wanted = usv(name);
      const only = value === undefined ? undefined : usv(value);
      const found = this.#filtered(
        (key, text) => key === wanted && (only === undefined || text === only),
      );
      return found.length > 0;
    }

    set(name, value) {
      this.#list;
      need(arguments.length, 2, 'set');
      const wanted = usv(name);
      const text = usv(value);
      let isFirst = true;
      const list = this.#filtered((key) => {
        if (key !== wanted) return true;
        const keeps = isFirst;
        isFirst = false;
        return keeps;
      });
      let i = 0;
      while (i < list.length && list[i] !== wanted) i += 2;
      list[i] = wanted;
      list[i + 1] = text;
      this.#update(list);
    }

    sort() {
      const list = this.#list;
      const pairs = [];
      for (let i = 0; i < list.length; i += 2) {
        pairs[pairs.length] = { name: list[i], value: list[i + 1] };
      }
      // By UTF-16 units, which is how JavaScript compares strings.
      call(Array_sort, pairs, (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
      const sorted = [];
      for (let i = 0; i < pairs.length; i += 1) {
        sorted[2 * i] = pairs[i].name;
        sorted[2 * i + 1] = pairs[i].value;
      }
      this.#update(sorted);
    }

    entries() {
      this.#list;
      return this.#iterate((name, value) => [name, value]);
    }

    keys() {
      this.#list;
      return this.#iterate((name) => name);
    }

    values() {
      this.#list;
      return this.#iterate((name, value) => value);
    }

    forEach(callback, receiver = undefined) {
      this.#list;
      if (typeof callback !== 'function') {
        throw new TypeError('URLSearchParams.forEach needs a function');
      }
      for (let i = 0; i < this.#list.length; i += 2) {
        call(callback, receiver, this.#list[i + 1], this.#list[i], this);
      }
    }

    toString() {
      return native.serialize(this.#list);
    }
  }

  const { prototype } = URLSearchParams;
  defineProperty(prototype, iterator, {
    __proto__: null, configurable: true, value: prototype.entries, writable: true,
  });
  defineProperty(prototype, toStringTag, {
    __proto__: null, configurable: true, value: 'URLSearchParams',
  });
  const { toString } = prototype;
  call(Map_set, platform, prototype, {
    kind: 'URLSearchParams',
    show: (params) => ({ query: call(toString, params) }),
  });

  return { URLSearchParams, link, replace, usv };
})
