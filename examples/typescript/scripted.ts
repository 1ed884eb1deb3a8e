/** Stands in for a model and a tool: both do what is written here. */

import type { ToolDefinition } from "./generated/sidehook/v1/chat.js";
import type { ModelCall, ModelEnd, ToolEnd, ToolInvocation } from "./generated/sidehook/v1/run_hooks.js";

export const shellTool: ToolDefinition = {
  name: "shell",
  description: "Runs a command.",
  parametersJson: '{"type": "object", "properties": {"command": {"type": "string"}}}',
};

/** Asks for two commands, then sums up. Yields pieces of text, and last the whole response. */
export async function* model({ request }: ModelCall): AsyncGenerator<string | ModelEnd> {
  const messages = request?.messages ?? [];
  const input = messages.find((message) => message.role === "user")?.content;
  console.log("model saw:", input?.value);
  const done = messages.some((message) => message.role === "tool");
  const pieces = done ? ["I did ", "what I may."] : ["I clean up, ", "then I look."];
  const commands = done ? [] : ["rm -rf /", "ls /tmp"];
  yield* pieces;
  const toolCalls = commands.map((command) => {
    return { id: command, name: "shell", argumentsJson: JSON.stringify({ command }) };
  });
  yield { response: { content: { $case: "text", value: pieces.join("") }, toolCalls } };
}

/** Pretends to run a command. Yields like the model. */
export async function* shell({ argsJson }: ToolInvocation): AsyncGenerator<string | ToolEnd> {
  const text = `ran ${JSON.parse(argsJson ?? "{}").command}`;
  yield { result: { output: { $case: "text", value: text } } };
}
