/**
 * Asks the model to come to an end, on its fifth turn.
 *
 * Document 000, "beforeModel".
 */

import type { RunMiddleware } from 'sidehook';

const reminder: RunMiddleware = {
  name: 'reminder',
  beforeModel({ messages }, context) {
    if (context.iteration !== 5) return;
    return { messages: [...messages, { role: 'user', content: 'Wrap up soon.' }] };
  },
};

export default reminder;
