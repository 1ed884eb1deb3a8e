/**
 * Redacts what is sent through a service, which may take 2 seconds.
 *
 * Document 001, "Timeouts".
 */

import type { VernLLMMiddleware } from 'sidehook';
import { redactionService } from './supplied/redact';

const throughService: VernLLMMiddleware = {
  name: 'redaction-service',
  timeoutMs: 2000, // overrides the instance default for this middleware only
  transform: async (request) => ({ messages: await redactionService.redact(request.messages) }),
};

export default throughService;
