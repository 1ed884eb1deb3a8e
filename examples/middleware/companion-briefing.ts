/**
 * Asks for a closing in pirate style.
 *
 * Document 004, "companionBriefing".
 */

globalThis.middleware.companionBriefing = async (context) => {
  return { parts: context.parts.map((part) => part.name === "closing" ? { ...part, text: part.text + "\n- Speak like a pirate." } : part) };
};
