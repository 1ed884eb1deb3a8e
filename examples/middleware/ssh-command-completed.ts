/**
 * Redacts AWS keys in what a command prints.
 *
 * Document 004, "sshCommandCompleted".
 */

globalThis.middleware.sshCommandCompleted = async (context) => {
  const redact = (s: string | null) => s?.replace(/AKIA[0-9A-Z]{16}/g, "[redacted AWS key]");
  return { output: redact(context.output), errorOutput: redact(context.errorOutput) };
};
