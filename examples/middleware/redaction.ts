/**
 * Redacts what is sent, and traces the call.
 *
 * Document 001, "Middleware".
 */

import { createStateKey, type VernLLMMiddleware } from 'vern-llm';
import { redact } from './supplied/redact';
import { endSpan, startSpan } from './supplied/spans';

const spanIdKey = createStateKey<string>('tracing.spanId');

const middleware: VernLLMMiddleware[] = [
  {
    name: 'redaction',
    transform: (request) => ({ messages: redact(request.messages) }),
  },
  {
    name: 'tracing',
    wrap: async (request, next, ctx) => {
      ctx.state.set(spanIdKey, startSpan(ctx.requestId));
      const result = await next();
      endSpan(ctx.state.get(spanIdKey), result.meta);
      return result;
    },
  },
];

export default middleware;
