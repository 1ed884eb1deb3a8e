// Tells what kind of built-in object a value is, whatever the script has made of its properties.
(function (captured) {
  'use strict';

  const {
    BigInt_valueOf, Boolean_valueOf, DOMException_name, Date_getTime, Map_get, Map_set, Map_size,
    Number_valueOf, RegExp_source, Set_size, String_valueOf, Symbol_valueOf, TypedArray_name,
    WeakMap_has, WeakSet_has, call, getPrototypeOf, isArray, isError, isView, platform, unit,
  } = captured;
  const { isBuffer, isShared } = unit('bytes');

  const kinds = new captured.Map();
  // `check` throws, or says no, if an object only has the prototype.
  const add = (kind, check = () => true) =>
    call(Map_set, kinds, captured[kind].prototype, { check, kind });
  const takes = (method) => (value) => {
    call(method, value);
    return true;
  };
  add('ArrayBuffer', isBuffer);
  add('BigInt', takes(BigInt_valueOf));
  add('Boolean', takes(Boolean_valueOf));
  add('DOMException', takes(DOMException_name));
  add('DataView', isView);
  add('Date', takes(Date_getTime));
  add('Error', isError);
  add('FinalizationRegistry');
  add('Map', takes(Map_size));
  add('Number', takes(Number_valueOf));
  add('Object');
  add('Promise');
  // Its own source getter also answers for the prototype, which is no expression.
  add('RegExp', (value) => value !== captured.RegExp.prototype && takes(RegExp_source)(value));
  add('Set', takes(Set_size));
  add('SharedArrayBuffer', isShared);
  add('String', takes(String_valueOf));
  add('Symbol', takes(Symbol_valueOf));
  add('TypedArray', (value) => call(TypedArray_name, value) !== undefined);
  add('WeakMap', (value) => takes(WeakMap_has)(value));
  add('WeakRef');
  add('WeakSet', (value) => takes(WeakSet_has)(value));

  const passes = (check, value) => {
    try {
      return check(value);
    } catch {
      return false;
    }
  };

  // The kind by the chain of prototypes: `Object` if there is no other.
  const kindOf = (value) => {
    if (typeof value === 'function') return 'Function';
    if (isArray(value)) return 'Array';
    let prototype = getPrototypeOf(value);
    while (prototype !== null) {
      const known = call(Map_get, kinds, prototype);
      if (known !== undefined) return passes(known.check, value) ? known.kind : 'Object';
      if (call(Map_get, platform, prototype) !== undefined) return 'platform';
      prototype = getPrototypeOf(prototype);
    }
    return 'Object';
  };

  return { kindOf };
})
