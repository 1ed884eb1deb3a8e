/**
 * Answers a model call from memory when the conversation is the same.
 *
 * Document 000, "wrapModelCall".
 */

import type { RunMiddleware } from 'sidehook';
import { answers } from './supplied/answers';

const cache: RunMiddleware = {
  name: 'cache',
  async wrapModelCall(call, next) {
    const key = JSON.stringify(call.request.messages);
    const hit = answers.get(key);
    if (hit) return hit;
    const response = await next(call);
    answers.set(key, response);
    return response;
  },
};

export default cache;
