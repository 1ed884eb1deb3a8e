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

  //+ hooks

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

  //+ messages
}
