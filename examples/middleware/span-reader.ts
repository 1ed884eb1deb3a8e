/**
 * Reads the id of the span that `span-writer.ts` started.
 *
 * Document 001, "ctx.state and ctx.own".
 */

import type { VernLLMMiddleware } from 'sidehook';
import { recordCost } from './supplied/costs';
import { spanIdKey } from './supplied/keys';

const spanReader: VernLLMMiddleware = {
  name: 'span-reader',
  wrap: async (request, next, ctx) => {
    const result = await next();
    recordCost(ctx.state.get(spanIdKey), result.meta);
    return result;
  },
};

export default spanReader;
