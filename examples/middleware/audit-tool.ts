/**
 * Offers a tool more and lowers the temperature, except on a retry.
 *
 * Document 001, "transform".
 */

import type { VernLLMMiddleware } from 'sidehook';
import { auditTool } from './supplied/tools';

const audit: VernLLMMiddleware = {
  name: 'audit-tool',
  transform: (request, ctx) => {
    if (ctx.attempt > 1) return {}; // nothing to add on a retry
    return { addTools: [auditTool], temperature: 0.2 };
  },
};

export default audit;
