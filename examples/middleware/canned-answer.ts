/**
 * Answers some requests by itself.
 *
 * Document 001, "wrap".
 */

import type { VernLLMMiddleware } from 'sidehook';
import { isKnownCannedInput } from './supplied/canned';

const cannedAnswer: VernLLMMiddleware = {
  name: 'canned-answer',
  wrap: async (request, next, ctx) => {
    if (isKnownCannedInput(request)) return { value: 'canned answer' };
    return next();
  },
};

export default cannedAnswer;
