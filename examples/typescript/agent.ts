/**
 * A small agent that asks Sidehook at every hook.
 * `hooks.ts` calls the hooks, and `scripted.ts` stands in for a model and a tool.
 *
 *     cd examples/typescript && npm ci
 *     npm start -- [127.0.0.1:50051 | unix:///run/sidehook/sidehook.sock]
 */

import { randomUUID } from "node:crypto";
import { credentials } from "@grpc/grpc-js";
import type { Message, ToolCall, ToolResult } from "./generated/sidehook/v1/chat.js";
import { RunHooksClient, RunHooksService as on, RunStatus } from "./generated/sidehook/v1/run_hooks.js";
import { ToolDecision, type ToolOutcome } from "./generated/sidehook/v1/run_hooks.js";
import { Hooks } from "./hooks.js";
import { model, shell, shellTool } from "./scripted.js";

/** Runs the agent on an input, and returns its final answer. */
async function run(hooks: Hooks, input: string): Promise<string> {
  let messages = [say("system", "You keep a disk tidy.")];
  const add = (role: string, texts: string[] = []) => messages.push(...texts.map((text) => say(role, text)));
  add("system", (await hooks.ask(on.startRun, {})).addedContext);
  add("user", [input]);
  add("system", (await hooks.ask(on.beforeRun, { input, messages })).addedContext);
  let output = "";
  for (let turn = 1; !hooks.stopped; turn++) {
    hooks.context.iteration = turn;
    add("system", hooks.addedContext.splice(0));
    messages = (await hooks.ask(on.beforeModel, { messages })).messages?.messages ?? messages;
    const call = { model: "scripted", request: { messages, tools: [shellTool] } };
    const { response } = await hooks.wrap(hooks.client.wrapModelCall(), call, model);
    const edit = await hooks.ask(on.afterModel, { response, messages });
    output = edit.content ?? textOf(response?.content);
    const toolCalls = edit.toolCalls?.toolCalls ?? response?.toolCalls ?? [];
    messages.push({ ...say("assistant", output), toolCalls });
    if (toolCalls.length > 0) {
      const calls: ToolOutcome[] = [];
      for (const toolCall of toolCalls) calls.push(await useTool(hooks, toolCall));
      for (const { toolCall, result } of calls)
        messages.push({ ...say("tool", result?.error ?? textOf(result?.output)), toolCallId: toolCall?.id });
      await hooks.ask(on.afterToolBatch, { calls });
    } else {
      const { continueWith } = await hooks.ask(on.beforeStop, { output });
      if (continueWith === undefined) break;
      add("user", [continueWith]);
    }
  }
  return output;
}

/** Runs a tool call if it may run. Nobody is here who could be asked. */
async function useTool(hooks: Hooks, toolCall: ToolCall): Promise<ToolOutcome> {
  const verdict = await hooks.ask(on.beforeToolCall, { toolCall, tool: shellTool });
  const argsJson = verdict.updatedArgumentsJson ?? toolCall.argumentsJson;
  const allowed = [ToolDecision.UNSPECIFIED, ToolDecision.ALLOW].includes(verdict.decision ?? 0);
  const call = { toolCall, argsJson, tool: shellTool };
  const { result } = allowed
    ? await hooks.wrap(hooks.client.wrapToolCall(), call, shell)
    : { result: { error: `refused: ${verdict.reason}` } };
  console.log("tool:", argsJson, "->", result?.error ?? textOf(result?.output));
  return { toolCall, result };
}

const say = (role: string, value: string): Message => ({ role, content: { $case: "text", value } });

type Content = Message["content"] | ToolResult["output"];
const textOf = (content: Content) => (content?.$case === "text" ? content.value : "");

const client = new RunHooksClient(process.argv[2] ?? "127.0.0.1:50051", credentials.createInsecure());
const hooks = new Hooks(client, { runId: randomUUID(), agentName: "janitor" });
let status = RunStatus.FAILED;
try {
  console.log("answer:", await run(hooks, "Tidy up my disk. I am ada@example.com, and my card is 4111 1111 1111 1111."));
  status = RunStatus.COMPLETED;
} finally {
  await hooks.ask(on.afterRun, { status });
  client.close();
}
