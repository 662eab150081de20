// The server in WebAssembly, in a worker.

import * as vscode from "vscode";
import {
  AbstractMessageReader,
  AbstractMessageWriter,
  type DataCallback,
  type Disposable,
  type Message,
  type MessageTransports,
} from "vscode-languageclient";
import { Server } from "../../web/npm/client.js";

/** A worker, as far as it is used. */
export interface WebWorker {
  onmessage: ((event: { data: unknown }) => void) | null;
  onerror: ((event: { message: string }) => void) | null;
  postMessage(data: unknown): void;
  terminate(): void;
}

/** Compiles the module in the package. */
export async function readModule(context: vscode.ExtensionContext): Promise<WebAssembly.Module> {
  const file = vscode.Uri.joinPath(context.extensionUri, "dist", "wavelens.wasm");
  let bytes: Uint8Array;
  try {
    bytes = await vscode.workspace.fs.readFile(file);
  } catch {
    throw new Error("this package has no server, and none is on PATH");
  }
  const compiler = (globalThis as unknown as { WebAssembly: { compile(bytes: Uint8Array): Promise<WebAssembly.Module> } }).WebAssembly;
  return compiler.compile(bytes);
}

class Reader extends AbstractMessageReader {
  private callback: DataCallback | undefined;
  private early: Message[] = [];

  listen(callback: DataCallback): Disposable {
    this.callback = callback;
    this.early.splice(0).forEach((message) => callback(message));
    return { dispose: () => (this.callback = undefined) };
  }

  take(message: Message): void {
    if (this.callback) {
      this.callback(message);
    } else {
      this.early.push(message);
    }
  }
}

class Writer extends AbstractMessageWriter {
  constructor(private readonly server: Server) {
    super();
  }

  write(message: Message): Promise<void> {
    this.server.send(message as Parameters<Server["send"]>[0]);
    return Promise.resolve();
  }

  end(): void {
    this.server.stop();
  }
}

/** Starts the server; messages to and from it. */
export function connect(module: WebAssembly.Module, start: () => WebWorker, log: vscode.LogOutputChannel): MessageTransports {
  const reader = new Reader();
  const server = new Server({
    module,
    start: start,
    receive: (message) => reader.take(message),
    restarted: (reason) => log.warn(`The server was started again: ${reason}`),
  });
  return { reader, writer: new Writer(server) };
}
