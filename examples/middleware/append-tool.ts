/**
 * Offers a tool beside those that the request has.
 *
 * Document 001, "transform".
 */

import type { VernLLMMiddleware } from 'sidehook';
import { myTool } from './supplied/tools';

const appendTool: VernLLMMiddleware = {
  name: 'append-tool',
  transform: () => ({ addTools: [myTool] }), // appended
};

export default appendTool;
