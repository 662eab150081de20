// The server: where it is, how it is started, and which settings it gets.

import * as fs from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";
import {
  DidChangeConfigurationNotification,
  type DynamicFeature,
  ExecuteCommandRequest,
  LanguageClient,
  type LanguageClientOptions,
  type Middleware,
  type StaticFeature,
} from "vscode-languageclient/node";
import { binaryScheme } from "./binaryView";
import { isaScheme, passScheme } from "./isaUri";

export const languages = ["llvm", "mir", "spirv", "amdgpu"];
const schemes = ["file", "untitled", "vscode-vfs", binaryScheme, isaScheme, passScheme];

/** The extension has commands of the server's names, which show more: the server's are not registered. */
class Client extends LanguageClient {
  override registerFeature(feature: StaticFeature | DynamicFeature<unknown>): void {
    if (!("registrationType" in feature && feature.registrationType.method === ExecuteCommandRequest.method)) {
      super.registerFeature(feature);
    }
  }
}

export function newClient(command: string, log: vscode.OutputChannel, middleware: Middleware): LanguageClient {
  const current = () => client;
  const options: LanguageClientOptions = {
    documentSelector: languages.flatMap((language) => schemes.map((scheme) => ({ language, scheme }))),
    outputChannel: log,
    initializationOptions: settings,
    synchronize: { configurationSection: "wavelens" },
    // The log has the details, and a message of ours says what to do.
    initializationFailedHandler: () => false,
    middleware: {
      ...middleware,
      workspace: {
        configuration: (params) => params.items.map(() => settings() as object),
        didChangeConfiguration: () => configure(current()),
      },
      // Compilers wrote it: the user cannot fix it there.
      handleDiagnostics: (uri, diagnostics, next) => next(uri, uri.scheme === isaScheme || uri.scheme === passScheme ? [] : diagnostics),
    },
  };
  const client: LanguageClient = new Client("wavelens", "Wavelens", { command, args: ["lsp"] }, options);
  client.registerFeature({
    fillClientCapabilities: (capabilities) => {
      // VS Code itself marks settings that the extension does not declare.
      const own = { isaChanged: true, checksSettings: true };
      capabilities.experimental = { ...(capabilities.experimental as object | undefined), wavelens: own };
    },
    initialize: () => undefined,
    getState: () => ({ kind: "static" }),
    clear: () => undefined,
  });
  return client;
}

/** Tells the server about settings, or trust, that changed. */
export function configure(client: LanguageClient): Promise<void> {
  return client.sendNotification(DidChangeConfigurationNotification.type, { settings: { wavelens: settings() } });
}

/** The user's settings; in a workspace that is not trusted nothing is compiled. */
function settings(): unknown {
  const all = JSON.parse(JSON.stringify(vscode.workspace.getConfiguration("wavelens"))) as { isa?: object; lit?: object };
  if (!vscode.workspace.isTrusted) {
    all.isa = { ...all.isa, background: false, passes: "" };
    all.lit = { ...all.lit, enabled: false };
  }
  return all;
}

/** The program set by the user, else the one in the package, else the one on PATH; or what is wrong with the setting. */
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
  return command ? { command } : { problem: "Wavelens has no server for this platform in its package, and none is on PATH." };
}
