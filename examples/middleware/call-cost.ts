/**
 * Records how long a call took, and who answered it.
 *
 * Document 001, "wrap".
 */

import type { VernLLMMiddleware } from 'sidehook';
import { recordCost } from './supplied/costs';

const callCost: VernLLMMiddleware = {
  name: 'call-cost',
  wrap: async (request, next, ctx) => {
    const start = Date.now();
    const result = await next();
    recordCost(ctx.requestId, Date.now() - start, result.meta);
    return result;
  },
};

export default callCost;
