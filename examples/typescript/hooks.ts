/** Calls the hooks of one run: `ask` for a hook that decides, `wrap` for a hook around a call. */

import type { MethodDefinition } from "@grpc/grpc-js";
import type { HookContext } from "./generated/sidehook/v1/context.js";
import type { Effects } from "./generated/sidehook/v1/outcome.js";
import type { RunHooksClient } from "./generated/sidehook/v1/run_hooks.js";
import { type AnsweredBy, Relay } from "./generated/sidehook/v1/wrap.js";

type Case<Name, Value> = { $case: Name; value: Value };
type Reply<A> = { outcome?: Case<"answer", A> | Case<"tripwire" | "failure", object>; effects?: Effects };
type Hook<Q, A> = Pick<MethodDefinition<Q, Reply<A>>, "path" | "requestSerialize" | "responseDeserialize">;

// What the wrapped calls have in common. `End` holds what a real call came to.
type Sent<Call, End> =
  | Case<"open", { context: HookContext; call: Call; streaming: boolean }>
  | Case<"delta", { invocation: number; sequence: number; text: string }>
  | Case<"end", End & { invocation: number }>;
type Received<Call, End> =
  | Case<"next", { invocation: number; relay: Relay; call?: Call }>
  | Case<"emit", { delta: { text: string } }>
  | Case<"keepAlive", object>
  | Case<"finished", Reply<End> & { answeredBy?: AnsweredBy }>;
interface Stream<Call, End> extends AsyncIterable<{ frame: Received<Call, End> }> {
  write(request: { frame: Sent<Call, End> }): unknown;
  end(): unknown;
}

export class Hooks {
  readonly addedContext: string[] = [];
  stopped = false;

  constructor(readonly client: RunHooksClient, readonly context: HookContext) {}

  async ask<Q, A>({ path, requestSerialize, responseDeserialize }: Hook<Q, A>, fields: Q): Promise<A> {
    const request = { ...fields, context: this.context };
    return this.settle(await new Promise<Reply<A>>((resolve, reject) =>
      this.client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request,
        { deadline: Date.now() + 5_000 }, (error, reply) => (reply ? resolve(reply) : reject(error)))));
  }

  /** Makes a real call whenever the middleware asks for one. Returns what came of it all. */
  async wrap<Call, End extends object>(
    stream: Stream<Call, End>, call: Call, real: (call: Call) => AsyncIterable<string | End>,
  ): Promise<End> {
    const ends = new Map<number | undefined, End>();
    let final = {} as End;
    const send = (frame: Sent<Call, End>) => stream.write({ frame });
    send({ $case: "open", value: { context: this.context, call, streaming: true } });
    for await (const { frame: { $case, value } } of stream) {
      if ($case === "next") {
        const { invocation, relay } = value;
        let sequence = 0;
        for await (const piece of real(value.call ?? call)) {
          if (typeof piece !== "string") {
            ends.set(invocation, piece);
            send({ $case: "end", value: { ...piece, invocation } });
          } else if (relay === Relay.RELAYED) {
            send({ $case: "delta", value: { invocation, sequence: sequence++, text: piece } });
          } else if (relay === Relay.DIRECT) console.log("shown:", piece);
        }
      } else if ($case === "emit") {
        console.log("shown:", value.delta.text);
      } else if ($case === "finished") {
        stream.end(); // Half-closes. Then Sidehook ends the stream, with OK.
        const answer = this.settle(value);
        const changed = Object.values(answer).some((field) => field !== undefined);
        final = changed ? answer : ends.get(value.answeredBy?.invocation) ?? final;
      }
    }
    return final;
  }

  /** Keeps the effects and returns the answer. Any other outcome ends the run. */
  private settle<A>({ outcome, effects }: Reply<A>): A {
    this.addedContext.push(...(effects?.addedContext ?? []).map(({ text }) => text ?? ""));
    this.stopped ||= effects?.stop !== undefined;
    if (outcome?.$case === "answer") return outcome.value;
    throw new Error(`the run ends: ${JSON.stringify(outcome)}`);
  }
}
