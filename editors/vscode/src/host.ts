// What the extension needs of Node: programs, and threads for the server in WebAssembly. `host.web.ts` has the same for browsers.

import { spawn } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { Worker } from "node:worker_threads";
import * as vscode from "vscode";
import { type BaseLanguageClient, type DynamicFeature, type LanguageClientOptions, type StaticFeature } from "vscode-languageclient";
import { ExecuteCommandRequest, LanguageClient } from "vscode-languageclient/node";
import { connect, readModule, type WebWorker } from "./module";

/** The extension has commands of the server's names, which show more: the server's are not registered. */
class Client extends LanguageClient {
  override registerFeature(feature: StaticFeature | DynamicFeature<unknown>): void {
    if (!("registrationType" in feature && feature.registrationType.method === ExecuteCommandRequest.method)) {
      super.registerFeature(feature);
    }
  }
}

export async function createClient(
  context: vscode.ExtensionContext,
  command: string | undefined,
  options: LanguageClientOptions,
  log: vscode.LogOutputChannel,
): Promise<BaseLanguageClient> {
  if (command) {
    return new Client("wavelens", "Wavelens", { command, args: ["lsp"] }, options);
  }
  const module = await readModule(context);
  const file = path.join(context.extensionPath, "dist", "worker.js");
  return new Client("wavelens", "Wavelens", () => Promise.resolve(connect(module, () => thread(file), log)), options);
}

/** A thread that is used as a worker of a browser. */
function thread(file: string): WebWorker {
  const code = `
    const { parentPort } = require("node:worker_threads");
    globalThis.postMessage = (data) => parentPort.postMessage(data);
    require(${JSON.stringify(file)});
    parentPort.on("message", (data) => globalThis.onmessage({ data }));`;
  const worker = new Worker(code, { eval: true });
  const own: WebWorker = {
    onmessage: null,
    onerror: null,
    postMessage: (data) => worker.postMessage(data),
    terminate: () => void worker.terminate(),
  };
  worker.on("message", (data: unknown) => own.onmessage?.({ data }));
  worker.on("error", (error) => own.onerror?.({ message: error.message }));
  return own;
}

/** The program set by the user, else the one in the package, else the one on PATH; or what is wrong with the setting. Without either there is the server in
 * WebAssembly. */
export function findServer(context: vscode.ExtensionContext): { command?: string; problem?: string } {
  const name = process.platform === "win32" ? "wavelens.exe" : "wavelens";
  const set = vscode.workspace.getConfiguration("wavelens").get<string>("server.path")?.trim();
  if (set) {
    return fs.existsSync(set) ? { command: set } : { problem: `The server set as wavelens.server.path was not found: ${set}` };
  }
  const onPath = (process.env.PATH ?? "").split(path.delimiter).map((folder) => path.join(folder, name));
  const home = process.env.HOME ?? process.env.USERPROFILE;
  const cargo = home ? [path.join(home, ".cargo", "bin", name)] : [];
  const command = [path.join(context.extensionPath, "server", name), ...onPath, ...cargo].find((file) => fs.existsSync(file));
  return { command };
}

/** Standard output of the program; nothing if it was cancelled. */
export function run(command: string, words: string[], input: string, token: vscode.CancellationToken): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, words);
    const streams = { out: "", err: "" };
    child.stdout.on("data", (data) => (streams.out += String(data)));
    child.stderr.on("data", (data) => (streams.err += String(data)));
    child.on("error", reject);
    child.on("close", (status) => {
      if (token.isCancellationRequested) {
        resolve(undefined);
      } else if (status === 0) {
        resolve(streams.out);
      } else {
        reject(new Error(streams.err.trim().replace(/^wavelens: /, "") || `exit status ${status}`));
      }
    });
    token.onCancellationRequested(() => child.kill());
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}
