/**
 * Sets a server up before the first command. Needs a runtime that serves `host.ssh`.
 *
 * Document 004, "host.ssh.command".
 */

globalThis.middleware.sshConnectionOpening = async () => {
  await host.ssh!.command("command -v rg || sudo apt-get install -y ripgrep", { timeoutSeconds: 90 });
};
