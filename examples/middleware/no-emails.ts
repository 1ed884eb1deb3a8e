/**
 * Removes e-mail addresses from what the model says.
 *
 * Document 000, "afterModel".
 */

import type { RunMiddleware } from 'sidehook';

const noEmails: RunMiddleware = {
  name: 'no-emails',
  holdsStream: true,
  afterModel: ({ response }) => ({
    content: response.content.replace(/[\w.+-]+@[\w-]+\.[\w.]+/g, '[email removed]'),
  }),
};

export default noEmails;
