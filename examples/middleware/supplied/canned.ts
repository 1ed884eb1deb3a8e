/** Requests that need no model. */

import type { WireCallRequest } from 'sidehook';

export function isKnownCannedInput(request: Readonly<WireCallRequest>): boolean {
  return request.messages.at(-1)?.content === 'ping';
}
