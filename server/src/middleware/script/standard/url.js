// URL, on the native parser.
(function (captured, native) {
  'use strict';

  const {
    Map_set, String_slice, TypeError, call, captureStackTrace, defineProperty, platform, string,
    stringify, toStringTag, unit,
  } = captured;
  const { link, replace, usv } = unit('search_params');

  // Places in the list of components, as the native side orders it.
  const HREF = 0;
  const ORIGIN = 1;
  const PROTOCOL = 2;
  const USERNAME = 3;
  const PASSWORD = 4;
  const HOST = 5;
  const HOSTNAME = 6;
  const PORT = 7;
  const PATHNAME = 8;
  const SEARCH = 9;
  const HASH = 10;

  const SHOWN = 100;

  const parse = (input, base) =>
    native.parse(usv(input), base === undefined ? undefined : usv(base));

  const need = (given, method) => {
    if (given === 0) throw new TypeError(string(method, ' needs a URL, got no argument'));
  };

  // The error's stack begins where the script used `above`.
  const invalid = (input, above) => {
    const text = usv(input);
    const shown = text.length > SHOWN ? string(call(String_slice, text, 0, SHOWN), '...') : text;
    const error = new TypeError(string('Invalid URL: ', stringify(shown)));
    error.code = 'ERR_INVALID_URL';
    error.input = text;
    if (above !== undefined) captureStackTrace(error, above);
    return error;
  };

  class URL {
    #parts;
    #params = undefined;

    constructor(url, base = undefined) {
      need(arguments.length, 'URL');
      const input = usv(url);
      this.#parts = parse(input, base);
      if (this.#parts === undefined) throw invalid(input, URL);
    }

    static canParse(url, base = undefined) {
      need(arguments.length, 'URL.canParse');
      return parse(url, base) !== undefined;
    }

    static parse(url, base = undefined) {
      need(arguments.length, 'URL.parse');
      const parts = parse(url, base);
      return parts === undefined ? null : new URL(parts[HREF]);
    }

    // A value that does not fit changes nothing, as in browsers.
    #assign(name, value) {
      const parts = native.assign(this.#parts[HREF], name, value);
      if (parts !== undefined) this.#parts = parts;
    }

    #refresh() {
      if (this.#params !== undefined) replace(this.#params, this.#parts[SEARCH]);
    }

    get href() {
      return this.#parts[HREF];
    }

    set href(value) {
      this.#parts;
      const input = usv(value);
      const parts = parse(input);
      if (parts === undefined) throw invalid(input);
      this.#parts = parts;
      this.#refresh();
    }

    get origin() {
      return this.#parts[ORIGIN];
    }

    get protocol() {
      return this.#parts[PROTOCOL];
    }

    set protocol(value) {
      this.#assign('protocol', usv(value));
    }

    get username() {
      return this.#parts[USERNAME];
    }

    set username(value) {
      this.#assign('username', usv(value));
    }

    get password() {
      return this.#parts[PASSWORD];
    }

    set password(value) {
      this.#assign('password', usv(value));
    }

    get host() {
      return this.#parts[HOST];
    }

    set host(value) {
      this.#assign('host', usv(value));
    }

    get hostname() {
      return this.#parts[HOSTNAME];
    }

    set hostname(value) {
      this.#assign('hostname', usv(value));
    }

    get port() {
      return this.#parts[PORT];
    }

    set port(value) {
      this.#assign('port', usv(value));
    }

    get pathname() {
      return this.#parts[PATHNAME];
    }

    set pathname(value) {
      this.#assign('pathname', usv(value));
    }

    get search() {
      return this.#parts[SEARCH];
    }

    set search(value) {
      this.#assign('search', usv(value));
      this.#refresh();
    }

    get searchParams() {
      this.#params ??= link(this.#parts[SEARCH], (query) => this.#assign('search', query));
      return this.#params;
    }

    get hash() {
      return this.#parts[HASH];
    }

    set hash(value) {
      this.#assign('hash', usv(value));
    }

    toString() {
      return this.#parts[HREF];
    }

    toJSON() {
      return this.#parts[HREF];
    }
  }

  const { prototype } = URL;
  const { toString } = prototype;
  defineProperty(prototype, toStringTag, { __proto__: null, configurable: true, value: 'URL' });
  call(Map_set, platform, prototype, {
    kind: 'URL',
    show: (url) => ({ href: call(toString, url) }),
  });

  return { URL };
})
