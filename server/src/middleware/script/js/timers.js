// `setTimeout` and what belongs to it. A timer belongs to the hook call that
// sets it, and goes away with it.
(function (native, kit) {
  'use strict';
  const { apply } = Reflect;
  const timers = kit.kept(new Map(), 'get', 'set', 'delete');
  const start = (repeats) => (callback, delay, ...rest) => {
    if (typeof callback !== 'function') throw new TypeError('a timer takes a function');
    const id = native.startTimer(+delay || 0, repeats);
    timers.set(id, { callback, rest, repeats });
    return id;
  };
  const clear = (id) => {
    if (timers.delete(id)) native.clearTimer(id);
  };
  const put = (name, value) =>
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  put('setTimeout', start(false));
  put('setInterval', start(true));
  put('clearTimeout', clear);
  put('clearInterval', clear);

  kit.fire = (id) => {
    const timer = timers.get(id);
    if (!timer) return;
    if (!timer.repeats) timers.delete(id);
    try {
      apply(timer.callback, undefined, timer.rest);
    } catch (error) {
      console.error('a timer threw', error);
    }
  };
  kit.forget = (id) => timers.delete(id);
});
