/** A message of the language server protocol. */
export interface Message {
  jsonrpc: "2.0";
  id?: number | string;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code: number; message: string };
}

/** The language server in a worker; another one takes its place when it has panicked, or works too long on an old text. */
export class Server {
  constructor(options: {
    /** The worker starts while it is compiled. */
    module: WebAssembly.Module | Promise<WebAssembly.Module>;
    /** Makes a worker of `worker.js`. */
    start: () => Worker;
    receive: (message: Message) => void;
    restarted?: (reason: string) => void;
    /** Is told that there is no module. */
    failed?: (error: Error) => void;
  });
  send(message: Message): void;
  stop(): void;
}

/** A text after a change of the protocol. */
export function changed(text: string, change: { range?: object; text: string }): string;
