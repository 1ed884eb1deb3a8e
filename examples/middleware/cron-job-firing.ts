/**
 * Cancels a scheduled run whose prompt says so, and marks the others.
 *
 * Document 004, "cronJobFiring".
 */

import { CANCEL_TOKEN, MARKER } from './supplied/texts';

globalThis.middleware.cronJobFiring = async (context, tools) => {
  host.log("info", `${MARKER} firing ${context.kind} "${context.name}" (cronJob ${context.cronJobId})`);

  if (context.prompt.indexOf(CANCEL_TOKEN) !== -1) {
    return tools.cancel(`${MARKER} refused: prompt carries ${CANCEL_TOKEN}`);
  }

  return `${context.prompt}\n\n${MARKER} fired ${context.kind} "${context.name}".`;
};
