/**
 * Counts retries.
 *
 * Document 001, "onEvent and the 'middleware' event".
 */

import type { VernLLMMiddleware } from 'sidehook';
import { metrics } from './supplied/metrics';

const perMiddlewareMetrics: VernLLMMiddleware = {
  name: 'per-middleware-metrics',
  onEvent: (event, ctx) => {
    if (event.kind === 'retry') metrics.increment('llm.retry.seen_by_mw');
  },
};

export default perMiddlewareMetrics;
