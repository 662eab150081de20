// Starts the server and adds what only VS Code can show: status items, the ISA beside the source, and pictures and tables in panels.

import * as fs from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";
import { BinaryView, binaryScheme } from "./binaryView";
import { CfgView } from "./cfgView";
import { CompareView } from "./compareView";
import { Heat } from "./heat";
import { IsaView, isaScheme } from "./isaView";
import { PassesView } from "./passesView";
import { Reports } from "./reports";
import { Status } from "./status";

const languages = ["llvm", "mir", "spirv", "amdgpu"];
const schemes = ["file", "untitled", binaryScheme, isaScheme];

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel("Wavelens", { log: true });
  const reports = new Reports(() => client);
  const status = new Status(languages, reports);
  context.subscriptions.push(log, reports, status);

  const command = serverPath(context);
  if (!command) {
    status.noServer();
    void vscode.window.showErrorMessage(
      "Wavelens: this package holds no server for your platform. Build it with `cargo install --path server` and set `wavelens.server.path`.",
    );
    return;
  }

  const isa = new IsaView(reports);
  const cfg = new CfgView(() => client);
  const compare = new CompareView(() => client);
  const passes = new PassesView(() => client);
  const server: ServerOptions = { command, args: ["lsp"] };
  const options: LanguageClientOptions = {
    documentSelector: languages.flatMap((language) => schemes.map((scheme) => ({ language, scheme }))),
    outputChannel: log,
    initializationOptions: () => vscode.workspace.getConfiguration("wavelens"),
    synchronize: { configurationSection: "wavelens" },
    middleware: {
      // The server's own commands open files; here the views are better.
      executeCommand: (name, args, next) => {
        const uri: string | undefined = typeof args[0] === "string" ? args[0] : args[0]?.uri;
        switch (name) {
          case "wavelens.showIsa":
            return isa.open(uri ? vscode.Uri.parse(uri) : undefined, args[0]?.function);
          case "wavelens.cfg":
            return cfg.open();
          case "wavelens.compare":
            return compare.open();
          case "wavelens.passes":
            return passes.open();
          default:
            return next(name, args);
        }
      },
      // What a compiler wrote is not for the user to mend.
      handleDiagnostics: (uri, diagnostics, next) => next(uri, uri.scheme === isaScheme ? [] : diagnostics),
    },
  };
  const started = new LanguageClient("wavelens", "Wavelens", server, options);
  client = started;
  client.registerFeature({
    fillClientCapabilities: (capabilities) => {
      capabilities.experimental = { ...capabilities.experimental, wavelens: { isaChanged: true } };
    },
    initialize: () => undefined,
    getState: () => ({ kind: "static" }),
    clear: () => undefined,
  });
  client.onDidChangeState(({ newState }) => status.showServer(started, newState));
  client.onNotification("wavelens/isaChanged", ({ uri }: { uri: string }) => reports.refresh(vscode.Uri.parse(uri)));

  context.subscriptions.push(
    isa,
    cfg,
    compare,
    passes,
    new Heat(reports),
    new BinaryView(() => client),
    vscode.commands.registerCommand("wavelens.openIsa", () => isa.open()),
    vscode.commands.registerCommand("wavelens.compareTargets", () => compare.open()),
    vscode.commands.registerCommand("wavelens.showCfg", () => cfg.open()),
    vscode.commands.registerCommand("wavelens.showPasses", () => passes.open()),
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
