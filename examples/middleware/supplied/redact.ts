/** Takes e-mail addresses out of messages. */

import type { ContentPart, Message } from 'sidehook';

const EMAIL = /[\w.+-]+@[\w-]+\.[\w.]*\w/g;

export function redact(messages: Message[]): Message[] {
  return messages.map((message) => ({ ...message, content: redactContent(message.content) }));
}

/** The same as a service would do it, some time later. */
export const redactionService = {
  async redact(messages: Message[]): Promise<Message[]> {
    await Promise.resolve();
    return redact(messages);
  },
};

function redactContent(content: string | ContentPart[]): string | ContentPart[] {
  if (typeof content === 'string') return redactText(content);
  return content.map((part) =>
    part.type === 'text' || part.type === 'reasoning'
      ? { ...part, text: redactText(part.text) }
      : part,
  );
}

function redactText(text: string): string {
  return text.replace(EMAIL, '[redacted]');
}
