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
