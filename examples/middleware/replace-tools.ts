/**
 * Offers one tool instead of those that the request has.
 *
 * Document 001, "transform".
 */

import type { VernLLMMiddleware } from 'sidehook';
import { onlyThisOne } from './supplied/tools';

const replaceTools: VernLLMMiddleware = {
  name: 'replace-tools',
  transform: () => ({ tools: [onlyThisOne] }), // replaces the whole list
};

export default replaceTools;
