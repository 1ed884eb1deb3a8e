/**
 * Types of everything that a middleware script can use.
 *
 * Scripts run without a DOM and without Node.js: compile with `lib: ["ES2023"]` and `types: []`.
 */

// Made from the contract and server/src/middleware/script/types by
// `UPDATE=1 cargo test -p sidehook-server script::types`.

declare module 'sidehook' {
  export {}; // Only what says `export` is exported.

  // Middleware objects.

  /** Now or later. */
  export type Eventual<T> = T | Promise<T>;

  /** What every middleware object may say of itself. The configuration's own words count more. */
  export interface Registration {
    /**
     * Lower runs first and is outermost. 0 if left out; ties go by place in a list, and else by the
     * names of exports.
     */
    priority?: number;
    /** How long a hook may take, in milliseconds. 0 or less: as long as its caller waits. */
    timeoutMs?: number;
  }

  /**
   * Middleware around a run, its model calls and its tool calls, and at the hooks of a platform.
   *
   * Every hook is optional. An error that a hook throws is a fault of this middleware; `tripwire`
   * ends the run.
   *
   * ```ts
   * import type { RunMiddleware } from 'sidehook';
   *
   * export const noEmails: RunMiddleware = {
   *   name: 'no-emails',
   *   holdsStream: true,
   *   afterModel: ({ response }) => ({
   *     content: response.content.replace(/[\w.+-]+@[\w-]+\.[\w.]+/g, '[email removed]'),
   *   }),
   * };
   * ```
   */
  export interface RunMiddleware extends RunHooks, PlatformHooks, Registration {
    /** The name in reports and logs. */
    name: string;
    /** Holds streamed text until the turn is done and the hooks saw it. */
    holdsStream?: boolean;
    /** Whether it applies. A predicate that throws, rejects or takes too long counts as false. */
    enabled?: boolean | ((context: CallContext) => Eventual<boolean>);
  }

  /** Middleware around the requests, the logical calls and the events of an LLM client. */
  export interface VernLLMMiddleware extends CallHooks, Registration {
    /** The name in reports, logs and events. Its place in the list if left out. */
    name?: string;
    /**
     * Whether it applies: asked before `wrap` (`ctx.stage` is `'pre-dispatch'`), and before
     * `transform` on every attempt (`'attempt'`). A predicate that throws, rejects or takes too
     * long counts as false.
     */
    enabled?: boolean | ((ctx: MiddlewareContext) => Eventual<boolean>);
  }

  /** One object with hooks of every service. */
  export interface Middleware extends RunHooks, CallHooks, PlatformHooks, Registration {
    /** The name in reports, logs and events. */
    name?: string;
    /** Holds streamed text until the turn is done and the hooks saw it. */
    holdsStream?: boolean;
    /** Whether it applies. A predicate that throws, rejects or takes too long counts as false. */
    enabled?: boolean | ((context: RunContext | MiddlewareContext) => Eventual<boolean>);
  }

  // Hooks.

  /** The fifteen hooks around a run, its model calls and its tool calls. */
  export interface RunHooks {
    /**
     * Adds text to a run that starts. Fires once a run, new or resumed, before its first model
     * call. Opens the run; with `resumed` it reopens one that was paused, ended or evicted. Refused
     * with `UNAVAILABLE` (`DRAINING`) while the sidecar drains. Every link contributes, in order.
     *
     * @returns What to add to a run that starts.
     */
    startRun?(event: StartRunEvent, context: RunContext): Eventual<ContextAnswer | void>;
    /**
     * Checks the input of a new run, before it is saved or sent. Fires also for each message that
     * is queued into a live run. Every link contributes, in order.
     *
     * @returns What to add to a run's input.
     */
    beforeRun?(event: BeforeRunEvent, context: RunContext): Eventual<ContextAnswer | void>;
    /**
     * Changes the conversation before a model turn. The messages thread through the links, and the
     * run goes on with them in this turn and every later one.
     *
     * @returns What the conversation becomes.
     */
    beforeModel?(event: BeforeModelEvent, context: RunContext): Eventual<BeforeModelAnswer | void>;
    /**
     * Sees each answer of the model before the run uses it. The answer threads through the links in
     * reverse, the one nearest the model first.
     *
     * @returns What the answer becomes.
     */
    afterModel?(event: AfterModelEvent, context: RunContext): Eventual<AfterModelAnswer | void>;
    /**
     * Decides whether a tool call may run, and with which arguments. Fires right before the call
     * starts and before the permissions decide it, and again when a call that waited is resumed.
     * Every link is asked; the strictest decision wins (deny, defer, ask, allow), and the last new
     * arguments count.
     *
     * @returns What is decided about a tool call.
     */
    beforeToolCall?(
      event: BeforeToolCallEvent,
      context: RunContext,
    ): Eventual<ToolCallVerdict | void>;
    /**
     * Answers a call that asks for approval, as a person would. The first link that decides ends
     * the chain. No decision leaves it to the people who would be asked.
     *
     * @returns What is decided about an approval.
     */
    decideApproval?(
      event: DecideApprovalEvent,
      context: RunContext,
    ): Eventual<ToolApprovalDecision | void>;
    /**
     * Tells that every call of a step has its result. Fires before the next model call. Links speak
     * through effects: add context, or stop the run.
     */
    afterToolBatch?(event: AfterToolBatchEvent, context: RunContext): Eventual<void>;
    /**
     * Asks whether the agent should really stop with its final answer. Every link contributes.
     *
     * @returns Whether the run goes on.
     */
    beforeStop?(event: BeforeStopEvent, context: RunContext): Eventual<BeforeStopAnswer | void>;
    /**
     * Asks whether a compaction may run. One link that skips is enough.
     *
     * @returns Whether the compaction is skipped.
     */
    beforeCompaction?(
      event: BeforeCompactionEvent,
      context: RunContext,
    ): Eventual<BeforeCompactionAnswer | void>;
    /** Tells that a compaction ran. Nobody can change anything. */
    afterCompaction?(event: AfterCompactionEvent, context: RunContext): Eventual<void>;
    /**
     * Asks whether a handoff may move the run to another model. One link that blocks is enough; the
     * first reason counts.
     *
     * @returns Whether the run stays on its agent.
     */
    beforeModelSwitch?(
      event: BeforeModelSwitchEvent,
      context: RunContext,
    ): Eventual<BeforeModelSwitchAnswer | void>;
    /**
     * Tells that the run needs a person. Nobody can change anything; a link that fails is logged,
     * and the rest still runs.
     */
    onNotification?(event: OnNotificationEvent, context: RunContext): Eventual<void>;
    /**
     * Tells that a run ended. Ends the run here and frees its state. Nobody can change anything; a
     * link that fails is logged, and the rest still runs. A second call is harmless: no link runs.
     */
    afterRun?(event: AfterRunEvent, context: RunContext): Eventual<void>;
  }

  /**
   * The seventeen hooks of an agent platform: prompts, messages, todos, timers, servers and
   * schedules.
   */
  export interface PlatformHooks {
    /**
     * Rewrites what the agent is told. Fires every turn, after the system prompt is composed. A
     * refusal is ignored, and reported as such.
     *
     * @returns What the prompt becomes.
     */
    systemPrompt?(context: SystemPromptContext): Eventual<string>;
    /**
     * Edits the instructions for speaking aloud. Fires once a turn, for an agent with a companion.
     * The same input must give the same output, since the prompt is cached. A refusal is ignored,
     * and reported as such.
     *
     * @returns What the briefing becomes. Blank names and texts are dropped, and descriptions are
     * cut at 80 characters.
     */
    companionBriefing?(context: CompanionBriefingContext): Eventual<CompanionBriefingAnswer>;
    /**
     * Edits a reply's animation plan. Fires once a plan, off the path to first sound. An edit with
     * any mistake is discarded whole. A refusal is ignored, and reported as such.
     *
     * @returns What the plan becomes.
     */
    companionPerformance?(
      context: CompanionPerformanceContext,
    ): Eventual<CompanionPerformanceGroup[]>;
    /**
     * Rewrites what the voice provider reads for one group of sentences. On the path to first
     * sound: a link has 1 second. A refusal is ignored, and reported as such.
     *
     * @returns What is spoken.
     */
    companionSpeech?(context: CompanionSpeechContext): Eventual<string>;
    /**
     * Rewrites a person's message, or drops it. Fires when it arrives, from the console or a
     * channel.
     *
     * `tools.cancel()`: the message is dropped.
     *
     * @returns What the message becomes.
     */
    userMessageInbound?(
      context: UserMessageInboundContext,
      tools: Tools,
    ): Eventual<string | Cancellation>;
    /**
     * Rewrites a message from one agent to another, or withholds it. Fires for every message that
     * one agent's conversation sends into another's.
     *
     * `tools.cancel()`: the message is not delivered.
     *
     * @returns What the message becomes.
     */
    interAgentMessage?(
      context: InterAgentMessageContext,
      tools: Tools,
    ): Eventual<string | Cancellation>;
    /**
     * Rewrites a reply, or stops it. The last look before it reaches a person.
     *
     * `tools.cancel()`: the reply is not sent.
     *
     * @returns What the reply becomes.
     */
    assistantMessageOutbound?(
      context: AssistantMessageOutboundContext,
      tools: Tools,
    ): Eventual<string | Cancellation>;
    /**
     * Rewrites, splits, filters or rejects the todos that an agent adds.
     *
     * `tools.cancel()`: the todos are not added.
     *
     * @returns What the todos become.
     */
    todoAdded?(context: TodoAddedContext, tools: Tools): Eventual<string[] | Cancellation>;
    /**
     * Rewrites or refuses a timer that an agent sets to wake itself.
     *
     * `tools.cancel()`: the timer is not scheduled.
     *
     * @returns What the timer becomes.
     */
    notifyScheduled?(
      context: NotifyScheduledContext,
      tools: Tools,
    ): Eventual<NotifyScheduledAnswer | Cancellation>;
    /**
     * Rewrites or drops the note of a timer that fires.
     *
     * `tools.cancel()`: the wake-up is dropped.
     *
     * @returns What the note becomes.
     */
    notifyDelivered?(
      context: NotifyDeliveredContext,
      tools: Tools,
    ): Eventual<string | Cancellation>;
    /**
     * Observes or refuses a connection to a server. Fires once per server and turn, before the
     * first command connects. It cannot be redirected.
     *
     * `tools.cancel()`: the agent's work on that server is refused.
     */
    sshConnectionOpening?(
      context: SshConnectionOpeningContext,
      tools: Tools,
    ): Eventual<void | Cancellation>;
    /**
     * Rewrites or refuses a remote command or file operation. Fires before each.
     *
     * `tools.cancel()`: the operation is refused.
     *
     * @returns What the operation becomes.
     */
    sshCommandSending?(
      context: SshCommandSendingContext,
      tools: Tools,
    ): Eventual<SshCommandSendingAnswer | Cancellation>;
    /**
     * Rewrites or withholds what the model sees of a remote operation. Fires after each; what ran
     * cannot be undone.
     *
     * `tools.cancel()`: the output is withheld from the model.
     *
     * @returns What the model sees.
     */
    sshCommandCompleted?(
      context: SshCommandCompletedContext,
      tools: Tools,
    ): Eventual<SshCommandCompletedAnswer | Cancellation>;
    /**
     * Tells that a chat is about to be cleared. The last chance to read it. May fire more than once
     * for one clear. A refusal is ignored, and reported as such.
     */
    sessionClearing?(context: SessionClearingContext): Eventual<void>;
    /**
     * Tells that a chat was cleared. May fire more than once for one clear. A refusal is ignored,
     * and reported as such.
     */
    sessionClearCompleted?(context: SessionClearCompletedContext): Eventual<void>;
    /**
     * Rewrites the prompt of a schedule or heartbeat, or cancels the run. Fires for a slot that is
     * about to run.
     *
     * `tools.cancel()`: the run is recorded as cancelled, and nothing runs.
     *
     * @returns What the prompt becomes.
     */
    cronJobFiring?(context: CronJobFiringContext, tools: Tools): Eventual<string | Cancellation>;
    /**
     * Tells that a scheduled run has closed. At most once: it can be lost. A refusal is ignored,
     * and reported as such.
     */
    cronJobCompleted?(context: CronJobCompletedContext): Eventual<void>;
  }

  export interface RunHooks {
    /**
     * Wraps one call to one model. Fires once for each model that a turn tries.
     *
     * Hand `next` the call or a changed copy of it, once or more, also at the same time, or answer
     * without it. `next` rejects with a `CallFailure` when the real call fails.
     */
    wrapModelCall?(
      call: ModelCall,
      next: (call: NextModelCall) => Promise<ChatResponse>,
      context: RunContext,
    ): Eventual<Partial<ChatResponse>>;
    /**
     * Wraps one tool call that passed approval.
     *
     * New arguments go to `next` in a copy of `call.toolCall`. They lose the approval: the
     * middleware inside sees `approved: false`. The tool, the call's id and name, and `approved`
     * cannot be changed.
     */
    wrapToolCall?(
      call: ToolInvocation,
      next: (call: NextToolInvocation) => Promise<ToolResult>,
      context: RunContext,
    ): Eventual<ToolResult>;
  }

  /** The three hooks of an LLM client. */
  export interface CallHooks {
    /**
     * Patches a request. Fires once an attempt, on the request as every earlier middleware patched
     * it. A tool name that is already there fails the call.
     *
     * @returns The patch; `{}` changes nothing.
     */
    transform?(
      request: Readonly<WireCallRequest>,
      ctx: AttemptContext,
    ): Eventual<WireCallRequestPatch>;
    /**
     * Wraps one logical call, with its retries and fallbacks. Without `next` it answers by itself.
     * An error after `next` resolved is logged, and the original result counts.
     */
    wrap?(
      request: Readonly<WireCallRequest>,
      next: (options?: { stream?: StreamReceiver<CallDelta> }) => Promise<CallResult>,
      ctx: PreDispatchContext,
    ): Eventual<CallResult>;
    /** Sees an event of the client. It cannot change anything. */
    onEvent?(event: CallEvent, ctx: MiddlewareContext): Eventual<void>;
  }

  /** Text for the model. */
  export interface ContextAnswer {
    /** Text, or several, each as a system message. */
    context?: string | string[];
  }

  /** What is decided about an approval. */
  export interface ToolApprovalDecision {
    /** Whether the call may run. */
    approved: boolean;
    /** Why. */
    reason?: string;
    /** With an approval, new arguments. */
    updatedArguments?: Record<string, unknown>;
  }

  export interface DecideApprovalEvent {
    /** What is asked for: the same call and reason, in one object. */
    request: { toolCall: ToolCall; reason: string };
  }

  /** A run that ended, by `status`. */
  export type AfterRunEvent = CompletedRun | PausedRun | FailedRun;

  /** A run that completed, or that a middleware stopped. */
  export interface CompletedRun extends RunEnd {
    status: 'completed';
    /** What it came to. */
    result: RunResult;
    error?: undefined;
  }

  /** A run that waits for a person. */
  export interface PausedRun extends RunEnd {
    status: 'paused';
    /** What it came to so far. */
    result: RunResult;
    error?: undefined;
  }

  /** A run that failed, or was cancelled. */
  export interface FailedRun extends RunEnd {
    status: 'failed';
    result?: undefined;
    /** Why. */
    error: CallError;
  }

  const cancellation: unique symbol;

  /** A veto: what `tools.cancel` gives, to be returned. */
  export interface Cancellation {
    readonly [cancellation]: true;
  }

  /** What a platform hook that can be cancelled gets beside its context. */
  export interface Tools {
    /** Makes a veto; return it to stop the operation. A reason is cut at 500 characters. */
    cancel(reason?: string): Cancellation;
    /** What started the turn, set by the platform and never by the model. */
    readonly initiator: Initiator;
  }

  // Contexts.

  /** What every hook sees of the call that it is asked about. */
  export interface CallContext extends HookContext {
    /** What the run's middleware share, of every kind. */
    readonly state: RunState;
    /** What this middleware keeps for itself, until the run ends. */
    readonly own: Record<string, any>;
    /** Aborts when the caller stops waiting. */
    readonly signal: AbortSignal;
  }

  /** What the hooks around a run see of it. */
  export interface RunContext extends CallContext {
    readonly stage?: undefined;
    /** Adds a system message for the next model call, saved to the thread. */
    addContext(text: string): void;
    /** Ends the run before its next model call: it completes with `stopped`. */
    stop(reason: string): void;
    /** Writes an entry to the thread's log. Unset when there is no thread. */
    logEvent?(event: string, note?: unknown): void;
  }

  /** What the hooks of a platform see, beside the fields of the hook itself. */
  export interface PlatformContext
    extends Omit<CallContext, 'sessionId' | 'agentId' | 'channelId'> {
    /** The session that the hook fires for. */
    sessionId: string;
    /** The agent. */
    agentId: string;
    /** The channel, or null for the web console. */
    channelId: string | null;
  }

  /** What the hooks of an LLM client see: which of both says `stage`. */
  export type MiddlewareContext = PreDispatchContext | AttemptContext;

  /** What is known before a target is chosen. */
  export interface PreDispatchContext extends CallContext, PreDispatch {
    readonly stage: 'pre-dispatch';
    /** The logical call. */
    requestId: string;
    /** Where streamed text goes, when the caller streams. */
    readonly stream?: StreamSink<CallDelta>;
  }

  /** What is known of one attempt. */
  export interface AttemptContext extends CallContext, Attempt {
    readonly stage: 'attempt';
    /** The logical call. */
    requestId: string;
  }

  /** A typed key of `state`, from `createStateKey`. */
  export interface StateKey<T> {
    /** Its name, for people. */
    readonly name: string;
    /** Never there: only tells the type. */
    readonly valueType?: (value: T) => T;
  }

  /** The same, as another library calls it. */
  export type MiddlewareStateKey<T> = StateKey<T>;

  /** A map that the run's middleware share. A value is whatever JSON can hold. */
  export interface RunState {
    /** The value, or `undefined`. */
    get<T>(key: StateKey<T>): T | undefined;
    get(key: string): any;
    /** Sets a value. */
    set<T>(key: StateKey<T>, value: T): this;
    set(key: string, value: unknown): this;
    /** Whether there is a value. */
    has(key: string | StateKey<any>): boolean;
    /** Removes a value, and says whether there was one. */
    delete(key: string | StateKey<any>): boolean;
    /** Adds to a number, in one step even when hooks run side by side, and gives the sum. */
    add(key: string | StateKey<number>, amount: number): number;
    /** Sets a value if it is still the expected one, in one step, and says whether it did. */
    compareAndSet<T>(key: StateKey<T>, expected: T | undefined, next: T): boolean;
    compareAndSet(key: string, expected: unknown, next: unknown): boolean;
  }

  /** Makes a key. It is one with its module: only who imports the same key shares the value. */
  export function createStateKey<T>(name: string): StateKey<T>;

  // Streams and failures.

  /** Where streamed text goes. A string stands for `{ text }`. */
  export interface StreamSink<Delta> {
    write(delta: Partial<Delta> | string): Eventual<void>;
    /** Says that nothing follows. */
    end?(): Eventual<void>;
  }

  /** A sink of one's own, to hand to `next`. It gets every piece, and passes on what it likes. */
  export interface StreamReceiver<Delta> {
    write(delta: Delta): Eventual<void>;
    /** Told that nothing follows. */
    end?(): Eventual<void>;
  }

  export interface ModelCall {
    /** Where streamed text goes. Left out when the run does not stream. */
    stream?: StreamSink<ModelDelta>;
  }

  export interface ToolInvocation {
    /** Where streamed output goes. Left out when the run does not stream. */
    stream?: StreamSink<ToolDelta>;
  }

  /** A model call for `next`: the call, or a changed copy with a sink of one's own. */
  export interface NextModelCall extends Omit<ModelCall, 'stream'> {
    stream?: StreamReceiver<ModelDelta>;
  }

  /** A tool call for `next`: the call, or a changed copy with a sink of one's own. */
  export interface NextToolInvocation extends Omit<ToolInvocation, 'stream'> {
    stream?: StreamReceiver<ToolDelta>;
  }

  /** What `next` rejects with when the real call failed. Rethrown, it keeps its type. */
  export type CallFailure = Error & CallError;

  /** What `tripwire` throws, and `next` rejects with when a nested run tripped. */
  export interface Tripwire extends Error {
    readonly code: 'GUARDRAIL_TRIPPED';
    readonly details: {
      /** The middleware that tripped. */
      readonly middleware: string;
      /** Why. */
      readonly reason: string;
      /** What it adds. */
      readonly info?: unknown;
    };
  }

  /** Ends the run: it fails with `GUARDRAIL_TRIPPED`. `info` is whatever JSON can hold. */
  export function tripwire(reason: string, info?: unknown): never;

  /** Whether an error is a tripwire. */
  export function isTripwire(error: unknown): error is Tripwire;

  // Messages.

  /** A request to a model, as another library calls it. */
  export type WireCallRequest = ChatRequest;

  /**
   * One part of a message's content, by `type`. A part with another `type` is the provider's own
   * object, as it is: an `OtherPart`.
   */
  export type ContentPart = TextPart | MediaPart;

  /** Text, or what the model thought. */
  export interface TextPart {
    type: 'text' | 'reasoning';
    text: string;
    /** Everything else that the part carries. */
    extra?: Record<string, unknown>;
  }

  /** An image, a sound or a file, by address or by value. */
  export interface MediaPart {
    type: 'image' | 'audio' | 'file';
    /** Where it is: a URL, a `data:` URL, or a provider's file id. */
    url?: string;
    /** The content itself, in base64. */
    data?: string;
    /** Its media type, for example `image/png`. */
    mediaType?: string;
    /** The file's name. */
    name?: string;
    /** Everything else that the part carries. */
    extra?: Record<string, unknown>;
  }

  /** A part of another kind, as the provider's JSON. */
  export type OtherPart = { type?: string } & Record<string, unknown>;

  /** An event of an LLM client, by `kind`. */
  export type CallEvent = (
    | ({ kind: 'retry' } & RetryEvent)
    | ({ kind: 'rate_limited' } & RateLimitedEvent)
    | ({ kind: 'fallback' } & FallbackEvent)
    | ({ kind: 'circuit_state' } & CircuitStateEvent)
    | ({ kind: 'middleware' } & MiddlewareEvent)
  ) & {
    /** Everything else that the event carries. */
    details?: Record<string, unknown>;
  };

  /** Says who asks and on whose behalf. Every hook request carries one. */
  export interface HookContext {
    /**
     * The run that the hook belongs to, at most 256 bytes. The first hook with a new id opens the
     * run.
     */
    runId: string;
    /**
     * The logical model call, at most 256 bytes. Scopes call state: `wrap` and every `transform` of
     * one call send the same id.
     */
    requestId?: string;
    /**
     * Makes a unary hook call idempotent, at most 256 bytes: a repeat with the same run, hook and
     * id gets the stored answer, and no middleware runs twice.
     */
    hookCallId?: string;
    /** The thread that the run continues. */
    threadId?: string;
    /** The session that the hook fires for. */
    sessionId?: string;
    /** The agent whose turn it is, after a handoff the one that the run went on as. */
    agentId?: string;
    /** That agent's name. */
    agentName?: string;
    /** The user whom the run serves. */
    userId?: string;
    /** The kind of channel, for example `slack`. */
    channelType?: string;
    /** The channel. */
    channelId?: string;
    /** The topic within the channel. */
    topicId?: string;
    /** The conversation within the channel. */
    conversationId?: string;
    /** The model turn that the hook belongs to, from 1, or 0 before the first turn. */
    iteration: number;
    /** The run's tool dependencies. */
    deps?: unknown;
    /** The run whose tool call started this one, for a delegated run. */
    parentRunId?: string;
    /** The run's permission mode, when it has permissions set up. */
    permissionMode?: string;
    /** What started the turn, on the hooks of a turn. */
    initiator?: Initiator;
    /** How many times middleware has caused this event by sending another message, from 0. */
    hopCount: number;
    /** Names of middleware sets that the run attaches, from the configuration's `sets`. */
    middleware: string[];
    /** Whether the response reports what each link did. */
    explain: boolean;
  }

  /** Says what started a turn. Set by the platform and never by the model. */
  export interface Initiator {
    /** The kind of event that started the turn. */
    kind?: InitiatorKind;
    /** True only when every input came from a signed-in user or a verified contact. */
    isVerifiedPerson: boolean;
  }

  /** Asks the run to end before its next model call. */
  export interface Stop {
    /** Why; becomes the run's `stopped`. */
    reason: string;
    /** The middleware that asked. */
    middleware: string;
  }

  /** One message of a conversation. */
  export interface Message {
    /**
     * Who speaks: `system`, `developer`, `user`, `assistant`, `tool`, or another role that the
     * provider knows.
     */
    role: string;
    /** What is said: text, or a list of parts. `''` where the provider has no content. */
    content: string | ContentPart[];
    /** The tool calls that an assistant's message makes, in order. */
    toolCalls?: ToolCall[];
    /** The call that a tool's message answers. */
    toolCallId?: string;
    /** The speaker's name, or the tool's. */
    name?: string;
    /** Everything else that the provider's message carries. */
    extra?: Record<string, unknown>;
  }

  /** One call of a tool, as the model made it. */
  export interface ToolCall {
    /** The call's id, as the provider gave it. */
    id: string;
    /** The tool's name. */
    name: string;
    /** The arguments. A text of the model that is no JSON stays a string. */
    arguments: Record<string, unknown>;
    /** Everything else that the provider's call carries. */
    extra?: Record<string, unknown>;
  }

  /** A tool that the model may call. */
  export interface ToolDefinition {
    /** Its name. */
    name: string;
    /** What it does. */
    description: string;
    /** The JSON schema of its arguments. */
    parameters?: Record<string, unknown>;
    /** Everything else that the provider's definition carries. */
    extra?: Record<string, unknown>;
  }

  /** What came of a tool call. */
  export interface ToolResult {
    /** What the tool returned: text, or whatever JSON can hold. */
    result?: unknown;
    /** What the tool returned, where it is a list of parts. */
    content?: ContentPart[];
    /** Accepted and ignored: a result keeps the id of its call. */
    callId?: string;
    /** Accepted and ignored: a result keeps the name of its tool. */
    name?: string;
    /** Why the tool failed; unset when it did not. */
    error?: string;
    /** Everything else that the result carries. */
    extra?: Record<string, unknown>;
  }

  /** A request to a model, as its backend gets it. */
  export interface ChatRequest {
    /** The model's name, as the backend knows it. */
    model: string;
    /** The conversation, oldest first. */
    messages: Message[];
    /** The tools on offer. */
    tools: ToolDefinition[];
    /** The provider's tool choice. */
    toolChoice?: unknown;
    /** The sampling temperature. */
    temperature?: number;
    /** The share of probability to sample from. */
    topP?: number;
    /** The most tokens to generate. */
    maxTokens?: number;
    /** Texts that end the generation. */
    stop: string[];
    /** The shape of the answer that was asked for. */
    responseFormat?: unknown;
    /** Every other parameter of the provider. */
    extra?: Record<string, unknown>;
  }

  /** A model's answer. */
  export interface ChatResponse {
    /** The answer's id, as the provider gave it. */
    id: string;
    /** The model that answered, as `provider/model`. */
    model: string;
    /** What the model says, as text: of a list of parts, their text joined. */
    content: string;
    /** The list of parts, where the content is one. */
    parts?: ContentPart[];
    /** The tool calls that the answer makes, in order. */
    toolCalls: ToolCall[];
    /** Why the model stopped, in the provider's words. */
    finishReason: string;
    /** What the call used. */
    usage?: Usage;
    /** Everything else that the provider's answer carries. */
    extra?: Record<string, unknown>;
  }

  /** What a model call used. */
  export interface Usage {
    /** Tokens read. */
    inputTokenCount: number;
    /** Tokens written. */
    outputTokenCount: number;
    /** Tokens read from the provider's cache, part of those read. */
    cachedTokenCount: number;
    /** Everything else that the provider counts. */
    extra?: Record<string, unknown>;
  }

  /** Why a real call failed, as the runtime saw it. */
  export interface CallError {
    /**
     * The class, for example `rate_limited`, `timeout`, `unavailable`, `network`, `invalid_params`.
     */
    type: string;
    /** The cause within the class, for example `LLM_UNAVAILABLE`. */
    code: string;
    /** What happened, for a person. */
    message: string;
    /** Whether the same call may succeed later. */
    retryable: boolean;
    /** The HTTP status that the provider answered with, or 0. */
    httpStatus: number;
    /** How long the provider asks to wait before another try, from its `Retry-After`, or 0. */
    retryAfterSeconds: number;
  }

  /** A patch. The model and the response format cannot be patched. */
  export interface WireCallRequestPatch {
    /** Replaces all messages. Unset means unchanged. */
    messages?: Message[];
    /** Messages to append. */
    addMessages?: Message[];
    /** Replaces all tools. Unset means unchanged. */
    tools?: ToolDefinition[];
    /** Tools to append. Their names must be new. */
    addTools?: ToolDefinition[];
    /** Replaces the tool choice. */
    toolChoice?: unknown;
    /** Replaces the temperature. */
    temperature?: number;
    /** Replaces the share of probability. */
    topP?: number;
    /** Replaces the most tokens to generate. */
    maxTokens?: number;
    /** Replaces the texts that end the generation. */
    stop?: string[];
    /** Replaces the provider's other parameters. */
    extra?: Record<string, unknown>;
  }

  /** A piece of a call's streamed result. */
  export interface CallDelta {
    /** A piece of the result's text. */
    text: string;
    /** What the piece carries beside text. */
    extra?: unknown;
  }

  /** Says which attempt of a logical call is meant. */
  export interface Attempt {
    /** The provider that the attempt goes to. */
    requestedProvider: string;
    /** The model that it goes to. */
    requestedModel: string;
    /** Whether it goes to a fallback target. */
    isFallbackAttempt: boolean;
    /** The target's index, 0 for the primary one. */
    fallbackIndex: number;
    /** The attempt's number on this target, from 1. */
    attempt: number;
  }

  /** Says what is known before a target is chosen. */
  export interface PreDispatch {
    /** The primary provider. */
    primaryProvider: string;
    /** The primary model. */
    primaryModel: string;
  }

  /** What a logical call results in. */
  export interface CallResult {
    /** The value. */
    value: unknown;
    /** How it came about. Unset for a cache hit. */
    meta?: CallMeta;
  }

  /** Says how a result came about. */
  export interface CallMeta {
    /** The provider that answered. */
    provider: string;
    /** The model that answered. */
    model: string;
    /** The target's index, 0 for the primary one. */
    fallbackIndex: number;
    /** How many attempts it took. */
    attemptCount: number;
    /** Everything else. */
    extra?: Record<string, unknown>;
  }

  /** An attempt is repeated. */
  export interface RetryEvent {
    /** The number of the attempt that follows, from 2. */
    attempt: number;
    /** How long the client waits before it. */
    delaySeconds: number;
    /** Why the attempt before failed. */
    error?: CallError;
  }

  /** The provider asks to slow down. */
  export interface RateLimitedEvent {
    /** The provider. */
    provider: string;
    /** How long it asks to wait. */
    retryAfterSeconds: number;
  }

  /** The call moves to the next target. */
  export interface FallbackEvent {
    /** The provider that failed. */
    fromProvider: string;
    /** Its model. */
    fromModel: string;
    /** The provider that follows. */
    toProvider: string;
    /** Its model. */
    toModel: string;
    /** The index of the target that follows. */
    fallbackIndex: number;
    /** Why the target before failed. */
    error?: CallError;
  }

  /** A circuit breaker changes its state. */
  export interface CircuitStateEvent {
    /** The provider that it guards. */
    provider: string;
    /** The new state. */
    state?: CircuitState;
  }

  /** A middleware acted on a call. */
  export interface MiddlewareEvent {
    /** The logical call. */
    requestId: string;
    /** The middleware. */
    middleware: string;
    /** What it did. */
    hook: MiddlewareEventHook;
    /** For a transform, the fields that it patched, sorted; never empty. */
    patchedFields: string[];
  }

  /** Describes a composed system prompt. The session and the agent are the context's. */
  export interface SystemPromptContext extends PlatformContext {
    /** The kind of session in snake case, for example `direct` or `channel`. */
    sessionKind: string;
    /** The prompt. */
    systemPrompt: string;
  }

  /** Describes a briefing. */
  export interface CompanionBriefingContext extends PlatformContext {
    /** The companion. */
    companionId: string;
    /** The parts, in order. */
    parts: CompanionPart[];
    /** The moves, printed after the part named `moves`. */
    moves: CompanionMove[];
    /** Read-only. Null when no voice works. */
    voice: CompanionVoice | null;
    /** Read-only. Null when the look has no wardrobe. */
    wardrobe: CompanionWardrobe | null;
  }

  /**
   * Says what the briefing becomes. Blank names and texts are dropped, and descriptions are cut at
   * 80 characters.
   */
  export interface CompanionBriefingAnswer {
    /** The new parts. Unset means unchanged. */
    parts?: CompanionPart[];
    /** The new moves. Their `motionId` is kept from the original. Unset means unchanged. */
    moves?: CompanionMove[];
  }

  /** Describes a plan. */
  export interface CompanionPerformanceContext extends PlatformContext {
    /** The companion. */
    companionId: string;
    /** The reply. */
    messageId: string;
    /** The motions that the look has. Read-only. */
    motions: CompanionMotion[];
    /** The plan, a group for each group of sentences. */
    groups: CompanionPerformanceGroup[];
  }

  /** Describes a text to be spoken. */
  export interface CompanionSpeechContext extends PlatformContext {
    /** The companion. */
    companionId: string;
    /** The reply. */
    messageId: string;
    /** The group's index, from 0. */
    segmentIndex: number;
    /** What is shown. Read-only. */
    caption: string;
    /** What the voice provider will read. */
    text: string;
    /** The kind of voice provider. Read-only. */
    providerKindId: string;
    /** Its model. Read-only. */
    model: string;
  }

  /** Describes a message. The channel is the context's, null for the web console. */
  export interface UserMessageInboundContext extends PlatformContext {
    /** The message. */
    text: string;
    /** The attached files. Read-only. */
    mediaIds: string[];
    /** Who wrote it. Read-only. */
    sender: MessageSender;
  }

  /** Describes a message between agents. The context is the sender's. */
  export interface InterAgentMessageContext extends PlatformContext {
    /** The sender's session. */
    senderSessionId: string;
    /** The sender. */
    senderAgentId: string;
    /** The session that it goes to. */
    targetSessionId: string;
    /** Whether a subagent reports to the agent that spawned it. */
    isSubagentReport: boolean;
    /** The message. */
    text: string;
  }

  /** Describes a reply. The channel is the context's, null for the web console. */
  export interface AssistantMessageOutboundContext extends PlatformContext {
    /** The reply. */
    text: string;
  }

  /** Describes todos. */
  export interface TodoAddedContext extends PlatformContext {
    /** The todos. */
    texts: string[];
  }

  /** Describes a timer. */
  export interface NotifyScheduledContext extends PlatformContext {
    /** The note to itself. */
    message: string;
    /** When it fires, from now. */
    delaySeconds: number;
  }

  /** Says what the timer becomes. */
  export interface NotifyScheduledAnswer {
    /** The new note. Unset means unchanged. */
    message?: string;
    /** The new delay, at least 0. Unset means unchanged. */
    delaySeconds?: number;
  }

  /** Describes a timer that fires. */
  export interface NotifyDeliveredContext extends PlatformContext {
    /** The timer. */
    notifyId: string;
    /** The note. */
    message: string;
  }

  /** Describes a connection. */
  export interface SshConnectionOpeningContext extends PlatformContext {
    /** The server. */
    sshHostId: string;
    /** Its name. */
    hostDisplayName: string;
    /** Its host name. */
    hostname: string;
    /** Its port. Null for a tunnel. */
    port: number | null;
    /** How it is reached. */
    connectionType: SshConnectionType;
    /** The user. */
    username: string;
  }

  /** Describes an operation. */
  export interface SshCommandSendingContext extends PlatformContext {
    /** The server. */
    sshHostId: string;
    /** Its name. */
    hostDisplayName: string;
    /** The operation. */
    kind: SshOperationKind;
    /** The command. Set for the kind command. */
    command: string | null;
    /** The path. Set for every file operation. */
    path: string | null;
    /** The text that is written. Null otherwise, and for binary writes. */
    content: string | null;
    /** What the agent said the command is for. Read-only. */
    intent?: string;
    /**
     * Whether it runs in the background, so that its output skips `sshCommandCompleted`. Read-only.
     */
    isBackground: boolean;
  }

  /** Says what the operation becomes. */
  export interface SshCommandSendingAnswer {
    /** The new command. Unset means unchanged. */
    command?: string;
    /** The new path. Unset means unchanged. */
    path?: string;
    /** The new text. Unset means unchanged. */
    content?: string;
  }

  /** Describes an operation that ran. */
  export interface SshCommandCompletedContext extends PlatformContext {
    /** The server. */
    sshHostId: string;
    /** Its name. */
    hostDisplayName: string;
    /** The operation. */
    kind: SshOperationKind;
    /** The command. */
    command: string | null;
    /** The path. */
    path: string | null;
    /** The exit code. */
    exitCode: number;
    /** Standard output, a read file's text, or a directory's names. */
    output: string | null;
    /** Standard error of a command. */
    errorOutput: string | null;
    /** Whether the output is cut. */
    isTruncated: boolean;
    /** How long it took, in milliseconds. */
    durationMs: number;
  }

  /** Says what the model sees. */
  export interface SshCommandCompletedAnswer {
    /** The new output. Unset means unchanged. */
    output?: string;
    /** The new error output. Unset means unchanged. */
    errorOutput?: string;
  }

  /** Describes a clear. */
  export interface SessionClearingContext extends PlatformContext {
    /** What the user typed after the command. */
    trailingText: string | null;
    /** How many messages go. */
    messageCount: number;
    /** How many direct subagents go. */
    subagentCount: number;
    /** How many peer threads go. */
    peerThreadCount: number;
  }

  /** Describes a clear that is done. */
  export interface SessionClearCompletedContext extends PlatformContext {
    /** How many messages went. */
    deletedMessageCount: number;
    /** How many direct subagents went. */
    deletedSubagentCount: number;
    /** How many peer threads went. */
    deletedPeerThreadCount: number;
  }

  /** Describes a schedule that fires. */
  export interface CronJobFiringContext extends PlatformContext {
    /** The schedule. */
    cronJobId: string;
    /** `cron_job` or `heartbeat`. */
    kind: string;
    /** Its name. */
    name: string;
    /** The prompt. */
    prompt: string;
  }

  /** Describes a scheduled run that has closed. */
  export interface CronJobCompletedContext extends PlatformContext {
    /** The schedule. */
    cronJobId: string;
    /** The run in the schedule's history. */
    cronJobRunId: string;
    /** How it closed, as the history shows it. */
    status: string;
  }

  /** Who wrote a message. */
  export interface MessageSender {
    /** The name to show. */
    displayName: string;
    /** The handle on the channel. */
    handle: string | null;
    /** Whether it is a signed-in user, or somebody on the channel's people list. */
    isVerified: boolean;
    /** Whether it is a group chat. */
    isSharedConversation: boolean;
  }

  /** A part of a briefing. */
  export interface CompanionPart {
    /** Its name: `speaking`, `cues`, `moves`, `wardrobe`, `stage`, `closing`, or another. */
    name: string;
    /** Its text. */
    text: string;
  }

  /** A move that the agent may ask for. */
  export interface CompanionMove {
    /** Its name. */
    name: string;
    /** What it is, at most 80 characters; a longer one is cut. */
    description: string;
    /** The motion that it plays. Read-only. */
    motionId: string | null;
  }

  /** The voice of a companion. */
  export interface CompanionVoice {
    /** The kind of voice provider. */
    providerKindId: string;
    /** Its model. */
    model: string;
  }

  /** What a companion can wear. */
  export interface CompanionWardrobe {
    /** The outfits. */
    outfits: CompanionOutfit[];
    /** The installed items. */
    items: CompanionWardrobeItem[];
    /** The outfit that is worn. */
    outfitKey: string | null;
    /** The items that are worn. */
    wornItemIds: string[];
  }

  /** An outfit. */
  export interface CompanionOutfit {
    /** Its key. */
    key: string;
    /** Its name. */
    name: string;
  }

  /** An item to wear or hold. */
  export interface CompanionWardrobeItem {
    /** The item. */
    itemId: string;
    /** Its name in tags. */
    tagName: string;
    /** Its name. */
    name: string;
    /** The bone that it hangs on. */
    bone: string;
  }

  /** A motion that a look has. */
  export interface CompanionMotion {
    /** The motion. */
    id: string;
    /** Its name. */
    name: string;
    /** Its name in tags. */
    tagName: string | null;
    /** What it is. */
    description: string;
    /** What it is used for. */
    roles: string[];
    /** Whether it may be a gesture. */
    canPlayWhileSpeaking: boolean;
  }

  /** The plan for one group of sentences. */
  export interface CompanionPerformanceGroup {
    /** The group's index, from 0. Read-only. */
    index: number;
    /** What is shown. Read-only. */
    caption: string;
    /** The caption's words. Read-only. */
    words: string[];
    /** The mood. */
    mood: CompanionMood | null;
    /** The cues. */
    cues: CompanionCue[];
    /** The body's gesture. */
    gesture: CompanionGesture | null;
    /** The gesture of the extra parts. */
    partsGestureMotionId: string | null;
  }

  /** A mood. */
  export interface CompanionMood {
    /** The emotion. */
    emotion: string;
    /** How strong, 0 to 1. */
    intensity: number;
  }

  /** Something that happens at a word. */
  export interface CompanionCue {
    /** The word, from 0. */
    wordIndex: number;
    /** What happens. */
    kind: CompanionCueKind;
    /**
     * Which one. For pace `left`, `right` or `home`; for camera whole degrees from -75 to 75,
     * `front` or `reset`.
     */
    name: string;
    /** How strong, 0 to 1. */
    intensity: number;
    /** The motion that plays. */
    motionId: string | null;
    /**
     * For a tone, the word that it stops before, up to the count of words. Null means until another
     * tone or the reply's end.
     */
    endWordIndex: number | null;
  }

  /** A gesture. */
  export interface CompanionGesture {
    /** The motion. */
    motionId: string;
    /** The word that it goes with. */
    anchorWordIndex: number | null;
  }

  /** Describes a run that starts. */
  export interface StartRunEvent {
    /** Whether the thread has history. */
    source?: RunSource;
    /** Whether a paused run is resumed. */
    resumed: boolean;
  }

  /** Describes a new run's input. */
  export interface BeforeRunEvent {
    /** The input. Audio is already transcribed. */
    input: string;
    /**
     * What the first turn starts from: the system prompt, the history and the input, with what
     * memory recalled.
     */
    messages: Message[];
    /** Whether the input was queued into a live run. */
    queued: boolean;
  }

  /** Describes a model turn that is about to start. */
  export interface BeforeModelEvent {
    /** The conversation. */
    messages: Message[];
    /** The model, as the agent names it, before any fallback. */
    model: string;
  }

  /** Says what the conversation becomes. */
  export interface BeforeModelAnswer {
    /** The new conversation. Unset means unchanged. */
    messages?: Message[];
  }

  /** A piece of a model's streamed answer. */
  export interface ModelDelta {
    /** A piece of the answer's text. */
    text: string;
    /** A piece of what the model thinks. */
    reasoning: string;
    /** What the piece carries beside text, as the provider's JSON. Relayed in order. */
    extra?: unknown;
  }

  /** Describes a model's answer. */
  export interface AfterModelEvent {
    /** The answer. */
    response: ChatResponse;
    /** The conversation that it answers. */
    messages: Message[];
    /** The model, as the agent names it. */
    model: string;
  }

  /** Says what the answer becomes. */
  export interface AfterModelAnswer {
    /** The new text. Unset means unchanged. */
    content?: string;
    /**
     * The new tool calls. An empty list turns the answer into the final one; unset means unchanged.
     */
    toolCalls?: ToolCall[];
  }

  /** Describes a tool call that is about to start. */
  export interface BeforeToolCallEvent {
    /** The call as the model made it. */
    toolCall: ToolCall;
    /** The tool. New arguments are checked against its schema. */
    tool?: ToolDefinition;
    /** Whether the call waited in a paused run and is now resumed. */
    resumed: boolean;
  }

  /** Says what is decided about a tool call. */
  export interface ToolCallVerdict {
    /** The decision. `undefined` means no opinion. */
    decision?: ToolDecision;
    /** Why. The model reads it when the call is denied. */
    reason?: string;
    /**
     * New arguments. The permissions decide them, not the ones that the model sent. Unset means
     * unchanged.
     */
    updatedArguments?: Record<string, unknown>;
  }

  /** Describes an approval that is asked for. */
  export interface DecideApprovalEvent {
    /** The call that asks. */
    toolCall: ToolCall;
    /** The tool. New arguments are checked against its schema. */
    tool?: ToolDefinition;
    /** Why it asks. */
    reason: string;
  }

  /** A piece of a tool's streamed output. */
  export interface ToolDelta {
    /** A piece of the tool's output. */
    text: string;
    /** What the piece carries beside text. */
    extra?: unknown;
  }

  /** Describes a step's tool calls. */
  export interface AfterToolBatchEvent {
    /** The calls and their results, in order. */
    calls: ToolOutcome[];
  }

  /** Describes an agent that would stop. */
  export interface BeforeStopEvent {
    /** The final answer. */
    output: string;
    /** How often in a row a link kept the run going since the agent's last tool call. */
    continuations: number;
    /** Whether a link kept it going since the last user message. */
    continued: boolean;
  }

  /** Says whether the run goes on. */
  export interface BeforeStopAnswer {
    /**
     * A message to go on with, saved as a user message. Several are joined by a blank line. Unset
     * lets the agent stop.
     */
    continueWith?: string;
  }

  /** Describes a compaction that is about to run. */
  export interface BeforeCompactionEvent {
    /** What is compacted. */
    scope?: CompactionScope;
    /** How many messages there are. */
    messageCount: number;
    /** How many tokens they have. */
    tokenCount: number;
  }

  /** Says whether the compaction is skipped. */
  export interface BeforeCompactionAnswer {
    /** Whether to keep the conversation as it is. False means no opinion. */
    skip?: boolean;
  }

  /** Describes a compaction that ran. */
  export interface AfterCompactionEvent {
    /** What was compacted. */
    scope?: CompactionScope;
    /** How many messages there were. */
    messageCountBefore: number;
    /** How many there are. */
    messageCountAfter: number;
    /** How many tokens there were. */
    tokenCountBefore: number;
    /** How many there are. */
    tokenCountAfter: number;
    /** The summary that took their place. */
    summary: string;
  }

  /** Describes a handoff. */
  export interface BeforeModelSwitchEvent {
    /** The model that the run is on. */
    fromModel: string;
    /** The model that it would move to. */
    toModel: string;
    /** The agent that the run is on. */
    fromAgent: string;
    /** The agent that it would move to. */
    toAgent: string;
  }

  /** Says whether the run stays on its agent. */
  export interface BeforeModelSwitchAnswer {
    /** Why the run stays. Unset means no opinion. */
    block?: string;
  }

  /** Describes what the run needs a person for. */
  export interface OnNotificationEvent {
    /** What is needed. */
    kind?: NotificationKind;
    /** The question, or what is to be approved. */
    message: string;
    /** The call that waits for approval. */
    toolCall?: ToolCall;
  }

  /** Describes a run that ended. */
  export interface RunEnd {
    /** The model that the run ended on, as `provider/model`. */
    model: string;
    /** The id that the agent's long-term memory is kept under. */
    memoryAgentId: string;
  }

  /** One call to one model. */
  export interface ModelCall {
    /** The model that it goes to, as `provider/model`. */
    model: string;
    /** The request as the backend gets it. */
    request: ChatRequest;
  }

  /** One tool call that passed approval. */
  export interface ToolInvocation {
    /** The call as the model made it. */
    toolCall: ToolCall;
    /** The arguments as the tool's schema parsed them. */
    args: unknown;
    /** Whether a person approved it. */
    approved: boolean;
    /** The tool. New arguments are checked against its schema. */
    tool?: ToolDefinition;
  }

  /** A tool call and what came of it. */
  export interface ToolOutcome {
    /** The call. */
    toolCall: ToolCall;
    /** The result. */
    result: ToolResult;
  }

  /** What a run came to. */
  export interface RunResult {
    /** The final answer. */
    output: string;
    /** Why the run was stopped, and which middleware asked for it, if one did. */
    stopped?: Stop;
    /** What the run used. */
    usage?: Usage;
    /** Everything else. */
    extra?: Record<string, unknown>;
  }

  /** The kinds of events that start a turn. */
  export type InitiatorKind =
    /** A signed-in user. */
    | 'user'
    /** Somebody who writes on a channel. */
    | 'channelSender'
    /** A schedule or heartbeat. */
    | 'schedule'
    /** A lifecycle event. */
    | 'event'
    /** Another agent. */
    | 'agent'
    /** The platform itself. */
    | 'platform';

  /** States of a circuit breaker. */
  export type CircuitState =
    /** Calls go through. */
    | 'closed'
    /** Calls are refused. */
    | 'open'
    /** One call tries. */
    | 'half_open';

  /** What a middleware did to a call. */
  export type MiddlewareEventHook =
    /** It patched the request. */
    | 'transform'
    /** It answered without a real call. */
    | 'wrap_short_circuit'
    /** It was skipped, for it does not apply. */
    | 'enabled_skip';

  /**
   * The kinds of cues that a plan may hold. Frozen: others, such as a wardrobe's, discard the edit.
   */
  export type CompanionCueKind =
    /** An emotion. */
    | 'emotion'
    /** A tone of voice. */
    | 'tone'
    /** An effect. */
    | 'effect'
    /** A pause. */
    | 'pause'
    /** A body move. */
    | 'motion'
    /** A walk across the floor. */
    | 'pace'
    /** A camera's move. */
    | 'camera';

  /** How a server is reached. */
  export type SshConnectionType =
    /** Directly. */
    | 'direct'
    /** Through a tunnel. */
    | 'tunnel';

  /** Remote operations. */
  export type SshOperationKind =
    /** Runs a command. */
    | 'command'
    /** Lists a directory. */
    | 'list_files'
    /** Reads a file. */
    | 'read_file'
    /** Writes a file. */
    | 'write_file'
    /** Edits a file. */
    | 'edit_file'
    /** Deletes a file. */
    | 'delete_file';

  /** Where a run comes from. */
  export type RunSource =
    /** A run on a thread without history. */
    | 'startup'
    /** A run on a thread with history, or one that is resumed. */
    | 'resume';

  /** Decisions about a tool call, from most to least permissive. */
  export type ToolDecision =
    /**
     * Runs without asking when only the mode or the tool's own setting would ask. Never overrides
     * an ask or deny rule of the runtime.
     */
    | 'allow'
    /** Asks a person even when the rules allow it. */
    | 'ask'
    /** Pauses the run with the call waiting for approval. */
    | 'defer'
    /** Refuses the call. The model reads the reason, and the run goes on. */
    | 'deny';

  /** What a compaction compacts. */
  export type CompactionScope =
    /** The conversation of the turn. */
    | 'turn'
    /** The saved thread. */
    | 'thread';

  /** What a run needs a person for. */
  export type NotificationKind =
    /** An approval. */
    | 'approval'
    /** An answer to a question. */
    | 'question';

  /** How a run ended. */
  export type RunStatus =
    /** It completed, or a middleware stopped it. */
    | 'completed'
    /** It waits for a person. Its state is freed all the same. */
    | 'paused'
    /** It failed, or was cancelled. */
    | 'failed';
}

declare module 'sidehook' {
  /**
   * What the runtime serves to middleware. A member is there when the middleware may use it; a call
   * of one that is not there, or whose runtime has gone, rejects.
   */
  export interface Host {
    /** Writes a line to the log. */
    log(level: 'debug' | 'info' | 'warn' | 'error', text: string): void;
    /** The agents of the platform. */
    agents?: {
      list(): Promise<{ agents: HostAgent[] }>;
    };
    /** The session that the hook fires for. Withheld past 4 hops from the original event. */
    session?: {
      conversation: {
        /** Reads the transcript. */
        read(options?: Record<string, unknown>): Promise<any>;
      };
      peer: {
        /** Sends a message into another session. Fires `interAgentMessage`. */
        send(message: Record<string, unknown>): Promise<any>;
      };
    };
    /** The server that an SSH hook fired for. Only inside the three SSH hooks. */
    ssh?: {
      /**
       * Runs a command through the user's login shell. It fires no hook, keeps nothing between
       * calls, and takes 60 s, at most 90 s. At most 10 calls an invocation.
       */
      command(command: string, options?: { timeoutSeconds?: number }): Promise<SshCommandResult>;
    };
    /** The workspace of the hook's agent. What it can do is the runtime's. */
    workspace?: Record<string, (...options: any[]) => Promise<any>>;
    /** Asks a model. What it takes and gives is the runtime's. */
    llm?(request: Record<string, unknown>): Promise<any>;
    /** Asks for a decision. What it takes and gives is the runtime's. */
    decide?(request: Record<string, unknown>): Promise<any>;
    /** Fetches from an address that the configuration allows. */
    fetch?(url: string | URL, options?: FetchOptions): Promise<FetchResponse>;
  }

  /** An agent of the platform. */
  export interface HostAgent {
    id: string;
    name?: string;
    [key: string]: unknown;
  }

  /** What a command came to. A non-zero `exitCode` is a normal result. */
  export interface SshCommandResult {
    exitCode: number;
    output: string;
    errorOutput: string;
    isTruncated: boolean;
    durationMs: number;
  }

  /** How to fetch. */
  export interface FetchOptions {
    method?: string;
    headers?: Record<string, string>;
    body?: string | Uint8Array;
    signal?: AbortSignal;
  }

  /** What a server answered. */
  export interface FetchResponse {
    readonly ok: boolean;
    readonly status: number;
    readonly statusText: string;
    readonly url: string;
    readonly headers: {
      get(name: string): string | null;
      has(name: string): boolean;
      forEach(each: (value: string, name: string) => void): void;
    };
    text(): Promise<string>;
    json(): Promise<any>;
    arrayBuffer(): Promise<ArrayBuffer>;
  }
}

declare module '@cogitator-ai/core' {
  export * from 'sidehook';
}

declare module 'vern-llm' {
  export * from 'sidehook';
}

// Globals.

/** Where a file puts its handlers: `globalThis.middleware.todoAdded = async (context, tools) => …`. */
declare var middleware: import('sidehook').PlatformHooks;

/** What the runtime serves. */
declare var host: import('sidehook').Host;

/** Fetches from an address that the configuration allows. */
declare function fetch(
  url: string | URL,
  options?: import('sidehook').FetchOptions,
): Promise<import('sidehook').FetchResponse>;

/** Writes to the log. */
interface Console {
  debug(...values: unknown[]): void;
  log(...values: unknown[]): void;
  info(...values: unknown[]): void;
  warn(...values: unknown[]): void;
  error(...values: unknown[]): void;
  /** As `debug`, with where it was called. */
  trace(...values: unknown[]): void;
  /** As `error`, if the condition does not hold. */
  assert(condition?: unknown, ...values: unknown[]): void;
  /** Writes how often it was called with this label. */
  count(label?: string): void;
}
declare var console: Console;

/** Calls back once, after a time in milliseconds. */
declare function setTimeout<A extends unknown[]>(
  callback: (...values: A) => void,
  delay?: number,
  ...values: A
): number;
/** Calls back again and again, each after a time in milliseconds. */
declare function setInterval<A extends unknown[]>(
  callback: (...values: A) => void,
  delay?: number,
  ...values: A
): number;
declare function clearTimeout(timer?: number): void;
declare function clearInterval(timer?: number): void;
/** Calls back before anything else goes on. */
declare function queueMicrotask(callback: () => void): void;

interface URL {
  href: string;
  protocol: string;
  username: string;
  password: string;
  host: string;
  hostname: string;
  port: string;
  pathname: string;
  search: string;
  hash: string;
  readonly origin: string;
  readonly searchParams: URLSearchParams;
  toString(): string;
  toJSON(): string;
}
declare var URL: {
  prototype: URL;
  new (url: string | URL, base?: string | URL): URL;
  canParse(url: string | URL, base?: string | URL): boolean;
  parse(url: string | URL, base?: string | URL): URL | null;
};

interface URLSearchParams {
  readonly size: number;
  append(name: string, value: string): void;
  delete(name: string, value?: string): void;
  get(name: string): string | null;
  getAll(name: string): string[];
  has(name: string, value?: string): boolean;
  set(name: string, value: string): void;
  sort(): void;
  forEach(each: (value: string, name: string, all: URLSearchParams) => void, self?: unknown): void;
  entries(): IterableIterator<[string, string]>;
  keys(): IterableIterator<string>;
  values(): IterableIterator<string>;
  [Symbol.iterator](): IterableIterator<[string, string]>;
  toString(): string;
}
declare var URLSearchParams: {
  prototype: URLSearchParams;
  new (
    from?: string | Record<string, string> | Iterable<readonly [string, string]> | URLSearchParams,
  ): URLSearchParams;
};

interface TextEncoder {
  readonly encoding: 'utf-8';
  encode(text?: string): Uint8Array;
  encodeInto(text: string, into: Uint8Array): { read: number; written: number };
}
declare var TextEncoder: { prototype: TextEncoder; new (): TextEncoder };

interface TextDecoder {
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  decode(bytes?: ArrayBuffer | ArrayBufferView, options?: { stream?: boolean }): string;
}
declare var TextDecoder: {
  prototype: TextDecoder;
  /** UTF-8 only. */
  new (label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean }): TextDecoder;
};

/** Decodes base64 into a string with one character a byte. */
declare function atob(base64: string): string;
/** Encodes a string with one character a byte as base64. */
declare function btoa(text: string): string;
/** Copies a value deeply. What cannot be copied is a `DataCloneError`. */
declare function structuredClone<T>(value: T): T;

/** Random numbers and digests. */
interface Crypto {
  randomUUID(): `${string}-${string}-${string}-${string}-${string}`;
  getRandomValues<T extends ArrayBufferView>(into: T): T;
  readonly subtle: {
    digest(
      algorithm: 'SHA-256' | 'SHA-384' | 'SHA-512',
      data: ArrayBuffer | ArrayBufferView,
    ): Promise<ArrayBuffer>;
  };
}
declare var crypto: Crypto;

declare var performance: {
  /** Milliseconds since the script was loaded. */
  now(): number;
};

/** Tells when the caller stops waiting. */
interface AbortSignal {
  readonly aborted: boolean;
  /** Why, once it is aborted. */
  readonly reason: any;
  /** Throws the reason, if it is aborted. */
  throwIfAborted(): void;
  onabort: ((event: { readonly type: 'abort' }) => void) | null;
  addEventListener(
    type: 'abort',
    listener: (event: { readonly type: 'abort' }) => void,
    options?: { once?: boolean },
  ): void;
  removeEventListener(
    type: 'abort',
    listener: (event: { readonly type: 'abort' }) => void,
  ): void;
}

/** An error with a standard name, such as `AbortError` or `DataCloneError`. */
interface DOMException extends Error {
  readonly code: number;
}
declare var DOMException: {
  prototype: DOMException;
  new (message?: string, name?: string): DOMException;
};
