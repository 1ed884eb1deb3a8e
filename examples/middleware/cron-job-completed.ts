/**
 * Logs how a scheduled run closed.
 *
 * Document 004, "cronJobCompleted".
 */

import { MARKER } from './supplied/texts';

globalThis.middleware.cronJobCompleted = async (context) => {
  host.log(
    "info",
    `${MARKER} completed run ${context.cronJobRunId} of cronJob ${context.cronJobId}: ${context.status}`,
  );
};
