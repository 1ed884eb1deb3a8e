// Globals.

/** Where a file puts its handlers: `globalThis.middleware.todoAdded = async (context, tools) => …`. */
declare var middleware: import('sidehook').PlatformHooks;

/** What the runtime serves. */
declare var host: import('sidehook').Host;

/** Fetches from an address that the configuration allows. */
declare function fetch(
  url: string | URL,
  options?: import('sidehook').FetchOptions,
): Promise<import('sidehook').FetchResponse>;

/** Writes to the log. */
interface Console {
  debug(...values: unknown[]): void;
  log(...values: unknown[]): void;
  info(...values: unknown[]): void;
  warn(...values: unknown[]): void;
  error(...values: unknown[]): void;
  /** As `debug`, with where it was called. */
  trace(...values: unknown[]): void;
  /** As `error`, if the condition does not hold. */
  assert(condition?: unknown, ...values: unknown[]): void;
  /** Writes how often it was called with this label. */
  count(label?: string): void;
}
declare var console: Console;

/** Calls back once, after a time in milliseconds. */
declare function setTimeout<A extends unknown[]>(
  callback: (...values: A) => void,
  delay?: number,
  ...values: A
): number;
/** Calls back again and again, each after a time in milliseconds. */
declare function setInterval<A extends unknown[]>(
  callback: (...values: A) => void,
  delay?: number,
  ...values: A
): number;
declare function clearTimeout(timer?: number): void;
declare function clearInterval(timer?: number): void;
/** Calls back before anything else goes on. */
declare function queueMicrotask(callback: () => void): void;

interface URL {
  href: string;
  protocol: string;
  username: string;
  password: string;
  host: string;
  hostname: string;
  port: string;
  pathname: string;
  search: string;
  hash: string;
  readonly origin: string;
  readonly searchParams: URLSearchParams;
  toString(): string;
  toJSON(): string;
}
declare var URL: {
  prototype: URL;
  new (url: string | URL, base?: string | URL): URL;
  canParse(url: string | URL, base?: string | URL): boolean;
  parse(url: string | URL, base?: string | URL): URL | null;
};

interface URLSearchParams {
  readonly size: number;
  append(name: string, value: string): void;
  delete(name: string, value?: string): void;
  get(name: string): string | null;
  getAll(name: string): string[];
  has(name: string, value?: string): boolean;
  set(name: string, value: string): void;
  sort(): void;
  forEach(each: (value: string, name: string, all: URLSearchParams) => void, self?: unknown): void;
  entries(): IterableIterator<[string, string]>;
  keys(): IterableIterator<string>;
  values(): IterableIterator<string>;
  [Symbol.iterator](): IterableIterator<[string, string]>;
  toString(): string;
}
declare var URLSearchParams: {
  prototype: URLSearchParams;
  new (
    from?: string | Record<string, string> | Iterable<readonly [string, string]> | URLSearchParams,
  ): URLSearchParams;
};

interface TextEncoder {
  readonly encoding: 'utf-8';
  encode(text?: string): Uint8Array;
  encodeInto(text: string, into: Uint8Array): { read: number; written: number };
}
declare var TextEncoder: { prototype: TextEncoder; new (): TextEncoder };

interface TextDecoder {
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  decode(bytes?: ArrayBuffer | ArrayBufferView, options?: { stream?: boolean }): string;
}
declare var TextDecoder: {
  prototype: TextDecoder;
  /** UTF-8 only. */
  new (label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean }): TextDecoder;
};

/** Decodes base64 into a string with one character a byte. */
declare function atob(base64: string): string;
/** Encodes a string with one character a byte as base64. */
declare function btoa(text: string): string;
/** Copies a value deeply. What cannot be copied is a `DataCloneError`. */
declare function structuredClone<T>(value: T): T;

/** Random numbers and digests. */
interface Crypto {
  randomUUID(): `${string}-${string}-${string}-${string}-${string}`;
  getRandomValues<T extends ArrayBufferView>(into: T): T;
  readonly subtle: {
    digest(
      algorithm: 'SHA-256' | 'SHA-384' | 'SHA-512',
      data: ArrayBuffer | ArrayBufferView,
    ): Promise<ArrayBuffer>;
  };
}
declare var crypto: Crypto;

declare var performance: {
  /** Milliseconds since the script was loaded. */
  now(): number;
};

/** Tells when the caller stops waiting. */
interface AbortSignal {
  readonly aborted: boolean;
  /** Why, once it is aborted. */
  readonly reason: any;
  /** Throws the reason, if it is aborted. */
  throwIfAborted(): void;
  onabort: ((event: { readonly type: 'abort' }) => void) | null;
  addEventListener(
    type: 'abort',
    listener: (event: { readonly type: 'abort' }) => void,
    options?: { once?: boolean },
  ): void;
  removeEventListener(
    type: 'abort',
    listener: (event: { readonly type: 'abort' }) => void,
  ): void;
}

/** An error with a standard name, such as `AbortError` or `DataCloneError`. */
interface DOMException extends Error {
  readonly code: number;
}
declare var DOMException: {
  prototype: DOMException;
  new (message?: string, name?: string): DOMException;
};
