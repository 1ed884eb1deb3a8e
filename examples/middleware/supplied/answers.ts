/** Answers by the conversation that they answer. */

import type { ChatResponse } from 'sidehook';

export const answers = new Map<string, ChatResponse>();
