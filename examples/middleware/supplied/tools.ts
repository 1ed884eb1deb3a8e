/** Tools to offer to a model. */

import type { ToolDefinition } from 'sidehook';

export const auditTool: ToolDefinition = {
  name: 'audit',
  description: 'Writes an entry to the audit log.',
  parameters: { type: 'object', properties: { entry: { type: 'string' } }, required: ['entry'] },
};

export const myTool: ToolDefinition = {
  name: 'now',
  description: 'Tells the time.',
  parameters: { type: 'object' },
};

export const onlyThisOne: ToolDefinition = {
  name: 'ask_a_person',
  description: 'Hands the conversation to a person.',
  parameters: { type: 'object' },
};
