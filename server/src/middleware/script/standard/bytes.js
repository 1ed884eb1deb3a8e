// Reads the bytes of a buffer or a view, for the objects that take either.
(function (captured) {
  'use strict';

  const {
    ArrayBuffer_byteLength, DataView_buffer, DataView_byteLength, DataView_byteOffset,
    SharedArrayBuffer_byteLength, TypeError, TypedArray_buffer, TypedArray_byteLength,
    TypedArray_byteOffset, TypedArray_name, Uint8Array, Uint8Array_toHex, call, isView,
  } = captured;

  const holds = (byteLength, value) => {
    try {
      call(byteLength, value);
      return true;
    } catch {
      return false;
    }
  };

  // The bytes that a view shows, shared with it.
  const ofView = (view) =>
    call(TypedArray_name, view) === undefined
      ? new Uint8Array(
          call(DataView_buffer, view),
          call(DataView_byteOffset, view),
          call(DataView_byteLength, view),
        )
      : new Uint8Array(
          call(TypedArray_buffer, view),
          call(TypedArray_byteOffset, view),
          call(TypedArray_byteLength, view),
        );

  const isBuffer = (value) => holds(ArrayBuffer_byteLength, value);
  const isShared = (value) => holds(SharedArrayBuffer_byteLength, value);

  const hexOf = (source) => {
    if (isView(source)) return call(Uint8Array_toHex, ofView(source));
    if (isBuffer(source) || isShared(source)) {
      return call(Uint8Array_toHex, new Uint8Array(source));
    }
    throw new TypeError('the bytes must be an ArrayBuffer, a typed array or a DataView');
  };

  return { hexOf, isBuffer, isShared, ofView };
})
