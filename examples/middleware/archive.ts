/**
 * Keeps what completed runs came to.
 *
 * Document 000, "afterRun".
 */

import type { RunMiddleware } from 'sidehook';
import { runs } from './supplied/runs';

const archive: RunMiddleware = {
  name: 'archive',
  async afterRun(event, context) {
    if (event.status !== 'completed') return;
    await runs.insert({
      threadId: context.threadId,
      model: event.model,
      output: event.result.output,
    });
  },
};

export default archive;
