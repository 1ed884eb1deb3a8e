/**
 * Makes every answer terse.
 *
 * Document 004, "systemPrompt".
 */

import { GUIDANCE } from './supplied/texts';

globalThis.middleware.systemPrompt = async (context) => {
  return context.systemPrompt + GUIDANCE;
};
