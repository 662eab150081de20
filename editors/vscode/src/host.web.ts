// What the extension needs of a browser, in place of `host.ts`. There are no programs.

import * as vscode from "vscode";
import { type BaseLanguageClient, type DynamicFeature, type LanguageClientOptions, type StaticFeature } from "vscode-languageclient";
import { ExecuteCommandRequest, LanguageClient, type MessageTransports } from "vscode-languageclient/browser";
import { connect, readModule, type WebWorker } from "./module";

const problem = "This needs the program `wavelens`, which a browser cannot start.";

/** As in `host.ts`, over the transports that it is given. */
class Client extends LanguageClient {
  constructor(
    private readonly transports: () => MessageTransports,
    options: LanguageClientOptions,
  ) {
    // It is used by what `createMessageTransports` replaces.
    super("wavelens", "Wavelens", options, undefined as unknown as Worker);
  }

  protected override createMessageTransports(): Promise<MessageTransports> {
    return Promise.resolve(this.transports());
  }

  override registerFeature(feature: StaticFeature | DynamicFeature<unknown>): void {
    if (!("registrationType" in feature && feature.registrationType.method === ExecuteCommandRequest.method)) {
      super.registerFeature(feature);
    }
  }
}

export async function createClient(
  context: vscode.ExtensionContext,
  _: string | undefined,
  options: LanguageClientOptions,
  log: vscode.LogOutputChannel,
): Promise<BaseLanguageClient> {
  const module = await readModule(context);
  // Not from the address of the file: VS Code starts no workers from extensions that a server has.
  const script = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(context.extensionUri, "dist", "worker.js"));
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const start = () => new Worker(address) as unknown as WebWorker;
  return new Client(() => connect(module, start, log), options);
}

/** There is the server in WebAssembly. */
export function findServer(): { command?: string; problem?: string } {
  return {};
}

export function run(): Promise<string | undefined> {
  return Promise.reject(new Error(problem));
}
