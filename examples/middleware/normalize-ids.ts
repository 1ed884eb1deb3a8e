/**
 * Writes the id in the arguments of every tool call in one way.
 *
 * Document 000, "wrapToolCall".
 */

import type { RunMiddleware } from 'sidehook';

const normalizeIds: RunMiddleware = {
  name: 'normalize-ids',
  wrapToolCall(call, next) {
    const id = String((call.args as { id: string }).id)
      .trim()
      .toUpperCase();
    return next({ ...call, toolCall: { ...call.toolCall, arguments: { id } } });
  },
};

export default normalizeIds;
