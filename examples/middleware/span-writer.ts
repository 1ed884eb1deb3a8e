/**
 * Leaves the id of its span to whoever imports the same key, such as `span-reader.ts`.
 *
 * Document 001, "ctx.state and ctx.own".
 */

import type { VernLLMMiddleware } from 'sidehook';
import { spanIdKey } from './supplied/keys';
import { startSpan } from './supplied/spans';

const spanWriter: VernLLMMiddleware = {
  name: 'span-writer',
  wrap: async (request, next, ctx) => {
    ctx.state.set(spanIdKey, startSpan(ctx.requestId));
    return next();
  },
};

export default spanWriter;
