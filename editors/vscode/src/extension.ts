// Starts the server and adds what only VS Code can show: a status item and the side-by-side ISA view.

import * as fs from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions, State } from "vscode-languageclient/node";
import { BinaryView, binaryScheme } from "./binaryView";
import { IsaView } from "./isaView";
import { openDocument } from "./documents";

const languages = ["llvm", "mir", "spirv", "amdgpu"];
const schemes = ["file", "untitled", binaryScheme];

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel("Wavelens", { log: true });
  const status = vscode.languages.createLanguageStatusItem("wavelens", languages);
  status.name = "Wavelens";
  context.subscriptions.push(log, status);

  const command = serverPath(context);
  if (!command) {
    status.severity = vscode.LanguageStatusSeverity.Error;
    status.text = "Wavelens: no server";
    void vscode.window.showErrorMessage(
      "Wavelens: this package holds no server for your platform. Build it with `cargo install --path server` and set `wavelens.server.path`.",
    );
    return;
  }

  const isa = new IsaView(() => client);
  const server: ServerOptions = { command, args: ["lsp"] };
  const options: LanguageClientOptions = {
    documentSelector: languages.flatMap((language) => schemes.map((scheme) => ({ language, scheme }))),
    outputChannel: log,
    initializationOptions: () => vscode.workspace.getConfiguration("wavelens"),
    synchronize: { configurationSection: "wavelens" },
    middleware: {
      // The server's own command opens a file; here the view beside the source is better.
      executeCommand: (name, args, next) => {
        if (name === "wavelens.showIsa") {
          const uri: string | undefined = typeof args[0] === "string" ? args[0] : args[0]?.uri;
          return isa.open(uri ? vscode.Uri.parse(uri) : undefined);
        }
        return next(name, args);
      },
    },
  };
  client = new LanguageClient("wavelens", "Wavelens", server, options);
  client.onDidChangeState(({ newState }) => showState(status, newState));
  client.onNotification("wavelens/isaChanged", ({ uri }: { uri: string }) => isa.refresh(vscode.Uri.parse(uri)));

  context.subscriptions.push(
    isa,
    new BinaryView(() => client),
    vscode.commands.registerCommand("wavelens.openIsa", () => isa.open()),
    vscode.commands.registerCommand("wavelens.compareTargets", () => run("wavelens.compare")),
    vscode.commands.registerCommand("wavelens.showCfg", () => run("wavelens.cfg")),
    vscode.commands.registerCommand("wavelens.restart", () => client?.restart()),
    vscode.commands.registerCommand("wavelens.showLog", () => log.show()),
    { dispose: () => void client?.stop() },
  );
  await client.start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

/** The program set by the user, else the one in the package. */
function serverPath(context: vscode.ExtensionContext): string | undefined {
  const set = vscode.workspace.getConfiguration("wavelens").get<string>("server.path");
  if (set) {
    return set;
  }
  const bundled = path.join(context.extensionPath, "server", process.platform === "win32" ? "wavelens.exe" : "wavelens");
  return fs.existsSync(bundled) ? bundled : undefined;
}

function showState(status: vscode.LanguageStatusItem, state: State): void {
  status.busy = state === State.Starting;
  status.severity = state === State.Stopped ? vscode.LanguageStatusSeverity.Error : vscode.LanguageStatusSeverity.Information;
  const version = client?.initializeResult?.serverInfo?.version ?? "";
  status.text = { [State.Starting]: "starting", [State.Running]: `Wavelens ${version}`, [State.Stopped]: "Wavelens stopped" }[state];
  status.command =
    state === State.Stopped
      ? { command: "wavelens.restart", title: "Restart" }
      : { command: "wavelens.showLog", title: "Log" };
}

/** Runs a command of the server on the active document and shows the text it answers with. */
async function run(command: string): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor || !client) {
    return;
  }
  const { document, selection } = editor;
  const position = client.code2ProtocolConverter.asPosition(selection.active);
  const answer = await client.sendRequest<{ text: string; language?: string } | null>("workspace/executeCommand", {
    command,
    arguments: [document.uri.toString(), position],
  });
  if (answer?.text) {
    await openDocument(answer.text, answer.language);
  }
}
