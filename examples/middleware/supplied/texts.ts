/** What agents are told, and how scheduled runs are marked. */

export const GUIDANCE = '\n\nAnswer in as few words as you can.';

export const ORCHESTRATION_DOCTRINE = '\n\nHand work to the crew, and check what comes back.';

export const MARKER = '[cron-sentinel]';

export const CANCEL_TOKEN = '[[cancel]]';
