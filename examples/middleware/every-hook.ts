/**
 * Speaks at each of the 35 hooks, so that one sees that it was asked and what it was told.
 *
 * A start for middleware of your own: keep the hooks that you need.
 */

import type { Middleware } from 'sidehook';

const everyHook = {
  name: 'every-hook',
  priority: 0,
  timeoutMs: 2_000,
  holdsStream: false,
  enabled: (context) => context.stage !== 'attempt' || context.attempt <= 3,

  // Around a run.

  startRun({ source, resumed }, context) {
    context.state.set('every-hook.started', true);
    return { context: `startRun: ${source ?? 'unknown'}${resumed ? ', resumed' : ''}` };
  },
  beforeRun: ({ input, messages }) => ({
    context: [`beforeRun: ${input}`, `beforeRun: ${messages.length} messages`],
  }),
  beforeModel: ({ messages, model }) => ({
    messages: [...messages, { role: 'user', content: `beforeModel: ${model}` }],
  }),
  async wrapModelCall(call, next, context) {
    context.logEvent?.('wrapModelCall', { model: call.model });
    const { stream } = call;
    if (!stream) return next(call);
    return next({
      ...call,
      stream: { write: (delta) => stream.write({ ...delta, text: delta.text.toUpperCase() }) },
    });
  },
  afterModel: ({ response }) => ({ content: `afterModel: ${response.content}` }),
  beforeToolCall: ({ toolCall, tool }) => ({
    decision: tool ? 'ask' : 'deny',
    reason: `beforeToolCall: ${toolCall.name}`,
    updatedArguments: { ...toolCall.arguments, seen: true },
  }),
  decideApproval: ({ request }) => ({
    approved: false,
    reason: `decideApproval: ${request.toolCall.name}`,
  }),
  async wrapToolCall(call, next) {
    const { result, error } = await next(call);
    return { result: { wrapToolCall: call.toolCall.name, approved: call.approved, result }, error };
  },
  afterToolBatch({ calls }, context) {
    context.addContext(`afterToolBatch: ${calls.map((call) => call.toolCall.name).join(', ')}`);
  },
  beforeStop: ({ output, continuations }) =>
    continuations === 0 ? { continueWith: `beforeStop: ${output}` } : undefined,
  beforeCompaction: ({ scope }) => ({ skip: scope === 'thread' }),
  afterCompaction({ messageCountBefore, messageCountAfter }, context) {
    context.logEvent?.('afterCompaction', { gone: messageCountBefore - messageCountAfter });
  },
  beforeModelSwitch: ({ toModel }) => ({ block: `beforeModelSwitch: ${toModel}` }),
  onNotification({ kind, message }, context) {
    context.logEvent?.('onNotification', { kind, message });
  },
  afterRun(event, context) {
    const came = event.status === 'failed' ? event.error.message : event.result.output;
    context.logEvent?.('afterRun', { status: event.status, came });
  },

  // Of an LLM client.

  transform: (request, ctx) => ({
    addMessages: [{ role: 'system', content: `transform: attempt ${ctx.attempt}` }],
    stop: [...request.stop, 'transform'],
  }),
  async wrap(_request, next, ctx) {
    const { value, meta } = await next();
    return { value: { wrap: ctx.primaryModel, value }, meta };
  },
  onEvent(event) {
    console.info(`onEvent: ${event.kind}`);
  },

  // Of a platform.

  systemPrompt: (context) => `${context.systemPrompt}\nsystemPrompt: ${context.sessionKind}`,
  companionBriefing: (context) => ({
    parts: [...context.parts, { name: 'every-hook', text: 'companionBriefing' }],
  }),
  companionPerformance: (context) =>
    context.groups.map((group) => ({ ...group, mood: { emotion: 'joy', intensity: 1 }, cues: [] })),
  companionSpeech: (context) => `companionSpeech: ${context.text}`,
  userMessageInbound: (context, tools) =>
    context.sender.isVerified || tools.initiator.isVerifiedPerson
      ? `userMessageInbound: ${context.text}`
      : tools.cancel('userMessageInbound: not verified'),
  interAgentMessage: (context) => `interAgentMessage: ${context.text}`,
  assistantMessageOutbound: (context) => `assistantMessageOutbound: ${context.text}`,
  todoAdded: (context) => [...context.texts, 'todoAdded'],
  notifyScheduled: (context) => ({
    message: `notifyScheduled: ${context.message}`,
    delaySeconds: Math.max(context.delaySeconds, 60),
  }),
  notifyDelivered: (context) => `notifyDelivered: ${context.message}`,
  sshConnectionOpening: (context, tools) =>
    context.username === 'root' ? tools.cancel('sshConnectionOpening: root') : undefined,
  sshCommandSending: (context) =>
    context.command === null ? {} : { command: `${context.command} # sshCommandSending` },
  sshCommandCompleted: (context) => ({ output: `sshCommandCompleted: ${context.exitCode}` }),
  sessionClearing(context) {
    host.log('info', `sessionClearing: ${context.messageCount} messages`);
  },
  sessionClearCompleted(context) {
    host.log('info', `sessionClearCompleted: ${context.deletedMessageCount} messages`);
  },
  cronJobFiring: (context, tools) =>
    tools.initiator.kind === 'agent'
      ? tools.cancel('cronJobFiring: set off by an agent')
      : `cronJobFiring: ${context.prompt}`,
  cronJobCompleted(context) {
    host.log('info', `cronJobCompleted: ${context.status}`);
  },
} satisfies Middleware;

export default everyHook;
