// What document 004 calls `host`: `host.log` works; the rest needs a runtime
// that serves it, and says so.
(function (native, kit) {
  'use strict';
  const missing = (name) => {
    throw new Error(`${name} is not there: no runtime is attached that serves it`);
  };
  const absent = (name) =>
    new Proxy(function () {}, {
      get: (_, key) => (typeof key === 'symbol' || key === 'then' ? undefined : absent(`${name}.${key}`)),
      apply: () => missing(name),
      set: () => missing(name),
    });
  const log = (level, ...parts) => {
    const known = ['trace', 'debug', 'info', 'warn', 'error'];
    console[known.includes(level) ? level : 'info'](...parts);
  };
  const host = { log };
  for (const name of ['agents', 'session', 'workspace', 'ssh', 'decide', 'llm', 'fetch']) {
    Object.defineProperty(host, name, { value: absent(`host.${name}`), enumerable: true });
  }
  const put = (name, value) =>
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  put('host', Object.freeze(host));
  put('fetch', async () => missing('fetch'));
  put('middleware', {});
});
