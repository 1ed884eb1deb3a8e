// Finds the middleware of a module: the objects that it exports, alone or in
// lists, and what it puts on `globalThis.middleware`.
(function (native, kit) {
  'use strict';
  const { hooks } = kit;
  const { stringify } = JSON;
  const { isArray } = Array;
  const { keys: namesOf } = Object;
  const { isInteger } = Number;
  const keys = { __proto__: null, name: 'string', holdsStream: 'boolean', priority: 'number', timeoutMs: 'number' };
  const isObject = (value) => typeof value === 'object' && value !== null;
  kit.middleware = [];

  const describe = (found, place) => {
    const { target, exported } = found;
    const problems = [];
    for (const key in keys) {
      const type = keys[key];
      const value = target[key];
      if (value !== undefined && typeof value !== type) {
        problems.push(`${place}.${key} must be a ${type}, got ${value === null ? 'null' : typeof value}`);
      }
    }
    if (target.priority !== undefined && !isInteger(target.priority)) {
      problems.push(`${place}.priority must be a whole number`);
    }
    if (!['undefined', 'boolean', 'function'].includes(typeof target.enabled)) {
      problems.push(`${place}.enabled must be a boolean or a function, got ${typeof target.enabled}`);
    }
    const own = [];
    for (let i = 0; i < hooks.length; i++) {
      const hook = hooks[i];
      const value = target[hook];
      if (typeof value === 'function') own.push(hook);
      else if (value !== undefined) problems.push(`${place}.${hook} must be a function, got ${typeof value}`);
    }
    const others = namesOf(target).filter((key) => !(key in keys) && key !== 'enabled' && !hooks.includes(key));
    return {
      exported,
      name: typeof target.name === 'string' ? target.name : undefined,
      hooks: own,
      functions: others.filter((key) => typeof target[key] === 'function'),
      values: others.filter((key) => typeof target[key] !== 'function'),
      holdsStream: target.holdsStream === true,
      priority: typeof target.priority === 'number' ? target.priority : undefined,
      timeoutMs: typeof target.timeoutMs === 'number' ? target.timeoutMs : undefined,
      enabled: typeof target.enabled === 'function' ? 'asks' : target.enabled === false ? 'no' : 'yes',
      problems,
    };
  };

  // A description of everything that is middleware in `module`, as JSON.
  kit.discover = (module) => {
    const seen = new Set();
    const found = [];
    const look = (value, exported) => {
      if (!isObject(value) || seen.has(value)) return;
      seen.add(value);
      if (isArray(value)) return value.forEach((item, index) => look(item, `${exported}[${index}]`));
      if (hooks.some((hook) => hook in value)) found.push({ target: value, exported });
    };
    const names = namesOf(module);
    for (let i = 0; i < names.length; i++) look(module[names[i]], names[i]);
    if (isObject(globalThis.middleware)) look(globalThis.middleware, 'globalThis.middleware');
    kit.middleware = found.map(({ target }) => target);
    return stringify(found.map((it) => describe(it, it.exported)));
  };
});
