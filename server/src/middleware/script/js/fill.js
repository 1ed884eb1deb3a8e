// Fills what the documents promise to be there, where the runtime left it out.
(function (native, kit) {
  'use strict';
  const nobody = () => ({ displayName: '', handle: null, isVerified: false, isSharedConversation: false });
  const filling = {
    // Document 000 hands over the request for an approval as one object.
    decideApproval: ({ event }) => {
      event.request = { toolCall: event.toolCall, reason: event.reason };
    },
    afterRun: ({ event }) => {
      if (event.status === 'failed') event.error ??= { type: '', code: '', message: '', retryable: false };
      else event.result ??= { output: '' };
    },
    afterToolBatch: ({ event }) => {
      for (const call of event.calls) {
        call.toolCall ??= { id: '', name: '', arguments: {} };
        call.result ??= { result: '' };
      }
    },
    // A sender that is not told is not verified.
    userMessageInbound: ({ context }) => {
      context.sender ??= nobody();
    },
  };

  kit.fill = (hook, shape, input) => {
    const { context } = input;
    if (shape === 'platform') {
      context.sessionId ??= '';
      context.agentId ??= '';
      context.channelId ??= null;
    } else if (context.stage !== undefined) {
      context.requestId ??= '';
    }
    filling[hook]?.(input);
  };
});
