/**
 * Ends a run whose input asks for a refund.
 *
 * Document 000, "Run Middleware".
 */

import { tripwire, type RunMiddleware } from '@cogitator-ai/core';

const refundGuard: RunMiddleware = {
  name: 'refund-guard',
  beforeRun({ input }) {
    if (/refund/i.test(input)) tripwire('Refunds go to a person', { queue: 'billing' });
  },
};

export default refundGuard;
