/**
 * Says "sequel" for "SQL".
 *
 * Document 004, "companionSpeech".
 */

globalThis.middleware.companionSpeech = async (context) => context.text.replace(/\bSQL\b/g, "sequel");
