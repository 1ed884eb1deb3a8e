/** Costs of calls. Each writes a line to the log. */

import type { CallMeta } from 'sidehook';

type Fact = number | CallMeta | undefined;

/** Records what is known of the cost of a request or span: milliseconds, and who answered. */
export function recordCost(of: string | undefined, ...facts: Fact[]): void {
  console.info(`cost of ${of}: ${facts.map(worded).join(', ')}`);
}

function worded(fact: Fact): string {
  if (typeof fact === 'number') return `${fact} ms`;
  return fact ? `${fact.attemptCount} attempts of ${fact.model}` : 'no model';
}
