/**
 * What an outer middleware reads after `next`, an inner one wrote before it.
 *
 * Document 001, "Composition order".
 */

import { createStateKey, type VernLLMMiddleware } from 'vern-llm';
import { recordCost } from './supplied/costs';
import { startSpan } from './supplied/spans';

const spanIdKey = createStateKey<string>('tracing.spanId');

const middleware: VernLLMMiddleware[] = [
  {
    name: 'cost-tracking',
    priority: 0, // outermost
    wrap: async (request, next, ctx) => {
      const start = Date.now(); // pre-next: runs first
      const result = await next();
      recordCost(ctx.state.get(spanIdKey), Date.now() - start); // post-next: runs last
      return result;
    },
  },
  {
    name: 'tracing',
    priority: 1,
    wrap: async (request, next, ctx) => {
      ctx.state.set(spanIdKey, startSpan(ctx.requestId)); // pre-next: runs second
      return next(); // post-next: resolves first
    },
  },
];

export default middleware;
