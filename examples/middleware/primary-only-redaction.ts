/**
 * Redacts what is sent, except to a fallback target.
 *
 * Document 001, "enabled".
 */

import type { VernLLMMiddleware } from 'sidehook';
import { redact } from './supplied/redact';

const primaryOnlyRedaction: VernLLMMiddleware = {
  name: 'primary-only-redaction',
  enabled: (ctx) => ctx.stage === 'pre-dispatch' || !ctx.isFallbackAttempt,
  transform: (request) => ({ messages: redact(request.messages) }),
};

export default primaryOnlyRedaction;
