/**
 * Measures every model call.
 *
 * Document 000, "Run Middleware".
 */

import type { RunMiddleware } from '@cogitator-ai/core';
import { metrics } from './supplied/metrics';

const timing: RunMiddleware = {
  name: 'timing',
  async wrapModelCall(call, next) {
    const started = Date.now();
    const response = await next(call);
    metrics.record(call.model, Date.now() - started);
    return response;
  },
};

export default timing;
