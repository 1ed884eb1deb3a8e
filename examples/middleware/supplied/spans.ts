/** Spans around calls. Each start and end writes a line to the log. */

import type { CallMeta } from 'sidehook';

let started = 0;

/** Starts a span and gives its id. */
export function startSpan(requestId: string): string {
  started += 1;
  const id = `span-${started}`;
  console.info(`${id} started for ${requestId}`);
  return id;
}

/** Ends a span. A hit of a cache has no `meta`. */
export function endSpan(id: string | undefined, meta?: CallMeta): void {
  console.info(`${id} ended, answered by ${meta?.model ?? 'no model'}`);
}
