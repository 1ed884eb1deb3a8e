/**
 * Removes card numbers before the model sees them.
 *
 * Document 004, "userMessageInbound".
 */

globalThis.middleware.userMessageInbound = async (context) => {
  return context.text.replace(/\b(?:\d[ -]?){13,19}\b/g, "[card number removed]");
};
