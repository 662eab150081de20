// The server: its notifications and its settings.

import * as vscode from "vscode";
import {
  type BaseLanguageClient,
  DidChangeConfigurationNotification,
  type LanguageClientOptions,
  type Middleware,
} from "vscode-languageclient";
import { binaryScheme } from "./binaryView";
import { createClient } from "./host";
import { isaScheme, passScheme } from "./isaUri";

export const languages = ["llvm", "mir", "spirv", "amdgpu"];
const schemes = ["file", "untitled", "vscode-vfs", "vscode-remote", "vscode-test-web", binaryScheme, isaScheme, passScheme];

/** A client for a program, or for the server in the package where there is none. */
export async function newClient(
  context: vscode.ExtensionContext,
  command: string | undefined,
  log: vscode.LogOutputChannel,
  middleware: Middleware,
): Promise<BaseLanguageClient> {
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
      provideCompletionItem: async (document, position, context, token, next) => {
        const found = await next(document, position, context, token);
        const items = Array.isArray(found) ? found : (found?.items ?? []);
        items.filter(writesArguments).forEach((item) => (item.command = showParameters));
        return found;
      },
      workspace: {
        configuration: (params) => params.items.map(() => settings() as object),
        didChangeConfiguration: () => configure(current()),
      },
      // Compilers wrote it: the user cannot fix it there.
      handleDiagnostics: (uri, diagnostics, next) => next(uri, uri.scheme === isaScheme || uri.scheme === passScheme ? [] : diagnostics),
    },
  };
  const client: BaseLanguageClient = await createClient(context, command, options, log);
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

/** What shows the parameters of a call whose parentheses a proposal wrote. */
const showParameters: vscode.Command = { command: "editor.action.triggerParameterHints", title: "Show parameters" };

function writesArguments(item: vscode.CompletionItem): boolean {
  return (
    item.kind === vscode.CompletionItemKind.Function &&
    item.insertText instanceof vscode.SnippetString &&
    item.insertText.value.includes("(")
  );
}

/** Tells the server about settings, or trust, that changed. */
export function configure(client: BaseLanguageClient): Promise<void> {
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
