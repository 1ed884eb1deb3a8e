/**
 * Puts on the party hat, on Fridays.
 *
 * Document 004, "assistantMessageOutbound".
 */

globalThis.middleware.assistantMessageOutbound = async (context) => {
  return new Date().getDay() === 5 ? `[hold:party-hat] ${context.text}` : context.text;
};
