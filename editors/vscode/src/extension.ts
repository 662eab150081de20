// Starts the server for the first document that needs it, and adds what only VS Code can show: status items, the ISA next to the source, panels.

import * as vscode from "vscode";
import { type BaseLanguageClient as LanguageClient, State } from "vscode-languageclient";
import { AdviseView } from "./adviseView";
import { BinaryView } from "./binaryView";
import { CfgView } from "./cfgView";
import { showCodeOfLine } from "./codeOfLine";
import { CompareView } from "./compareView";
import { openExample } from "./examples";
import { foldChecks } from "./foldChecks";
import { Heat } from "./heat";
import { toggleHints, withoutDiffs } from "./hints";
import { findServer } from "./host";
import { InterfaceCheck } from "./interfaceCheck";
import { IsaView } from "./isaView";
import { LiveView } from "./liveView";
import { copyCommand, manageTrust, openSettings, showError, showLog, showProblem, showWarning } from "./notify";
import { PassesView } from "./passesView";
import { Placement } from "./placement";
import { Recognizer } from "./recognize";
import { type Condition, reduce } from "./reduce";
import { RemarksView } from "./remarksView";
import { report } from "./report";
import { Reports } from "./reports";
import { configure, languages, newClient } from "./session";
import { Sources } from "./sources";
import { Stale } from "./stale";
import { Status } from "./status";
import { TargetItem } from "./targets";
import { Tests } from "./tests";
import { TraceView } from "./traceView";
import type { Context } from "./webview";

let client: LanguageClient | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel("Wavelens", { log: true });
  const reports = new Reports(() => client);
  const status = new Status(languages, reports);
  const stale = new Stale(reports);
  let starting: Promise<void> | undefined;

  /** Starts the server if it does not run; says what is missing at most once for each attempt. */
  const start = (): Promise<void> => {
    starting ??= run().catch((error: unknown) => {
      status.noServer("The server did not start");
      showError(
        `Wavelens: the server did not start: ${error instanceof Error ? error.message : String(error)}`,
        showLog,
        openSettings("server.path"),
      );
    });
    return starting;
  };

  const run = async (): Promise<void> => {
    const { command, problem } = findServer(context);
    if (problem) {
      status.noServer(problem);
      const install = "cargo install --git https://github.com/wavelens/wavelens wavelens";
      showError(problem, copyCommand(install), openSettings("server.path"));
      return;
    }
    const created = await newClient(context, command, log, withoutDiffs(stale.middleware(() => client)));
    client = created;
    created.onDidChangeState(({ newState }) => status.showServer(created, newState));
    created.onNotification("wavelens/isaChanged", ({ uri }: { uri: string }) => void reports.refresh(vscode.Uri.parse(uri)));
    await created.start();
    target.showSoon();
  };

  const restart = async (): Promise<void> => {
    const old = client;
    client = undefined;
    starting = undefined;
    if (old?.state === State.Running) {
      // A server that does not stop in time must not keep the next one from starting.
      await old.stop().catch((error: unknown) => log.warn(String(error)));
    }
    await start();
  };

  const shared: Context = {
    client: () => client,
    sources: new Sources(),
    placement: new Placement(context.workspaceState),
    async ready() {
      await start();
      return client?.state === State.Running;
    },
    mayCompile() {
      if (!vscode.workspace.isTrusted) {
        showWarning("Wavelens does not run compilers in Restricted Mode.", manageTrust);
      }
      return vscode.workspace.isTrusted;
    },
  };
  const target = new TargetItem(reports, shared.sources, () => client);
  const isa = new IsaView(reports, shared);
  const cfg = new CfgView(shared);
  const compare = new CompareView(shared);
  const passes = new PassesView(shared);
  const trace = new TraceView(shared);
  const remarks = new RemarksView(shared);
  const advise = new AdviseView(shared);
  const live = new LiveView(shared);
  const stages = new InterfaceCheck(shared);

  type Argument = string | { uri?: string; function?: string } | undefined;
  const showIsa = (argument?: Argument | vscode.Uri) => {
    if (argument instanceof vscode.Uri || argument === undefined) {
      return isa.open(argument);
    }
    const { uri, function: name } = typeof argument === "string" ? { uri: argument, function: undefined } : argument;
    return isa.open(uri ? vscode.Uri.parse(uri) : undefined, name);
  };

  context.subscriptions.push(
    log,
    reports,
    status,
    stale,
    shared.sources,
    isa,
    cfg,
    compare,
    passes,
    trace,
    remarks,
    advise,
    live,
    stages,
    new Recognizer(),
    new Tests(shared),
    target,
    new Heat(reports),
    new BinaryView(shared, () => findServer(context)),
    vscode.commands.registerCommand("wavelens.showIsa", showIsa),
    vscode.commands.registerCommand("wavelens.compare", () => compare.open()),
    vscode.commands.registerCommand("wavelens.cfg", (at?: Parameters<CfgView["open"]>[0]) => cfg.open(at)),
    vscode.commands.registerCommand("wavelens.passes", () => passes.open()),
    vscode.commands.registerCommand("wavelens.trace", () => trace.open()),
    vscode.commands.registerCommand("wavelens.remarks", () => remarks.open()),
    vscode.commands.registerCommand("wavelens.advise", () => advise.open()),
    vscode.commands.registerCommand("wavelens.live", () => live.open()),
    vscode.commands.registerCommand("wavelens.showCodeOfLine", () => showCodeOfLine(shared)),
    vscode.commands.registerCommand("wavelens.reduce", (condition?: Condition | vscode.Uri) =>
      reduce(shared, condition instanceof vscode.Uri ? undefined : condition),
    ),
    // Lenses over RUN lines: the server shows what comes of it.
    ...["wavelens.lit.run", "wavelens.lit.output", "wavelens.lit.update"].map((command) =>
      vscode.commands.registerCommand(command, (argument: unknown) => execute(shared, command, argument)),
    ),
    vscode.commands.registerCommand("wavelens.lit.use", async (argument: { uri: string }) => {
      await execute(shared, "wavelens.lit.use", argument);
      target.showSoon();
      await isa.open(vscode.Uri.parse(argument.uri));
    }),
    vscode.commands.registerCommand("wavelens.foldChecks", () => foldChecks(shared)),
    vscode.commands.registerCommand("wavelens.toggleInlayHints", toggleHints),
    vscode.commands.registerCommand("wavelens.interface", (...others: vscode.Uri[]) => stages.run(others)),
    vscode.commands.registerCommand("wavelens.report", () => report(context, shared)),
    vscode.commands.registerCommand("wavelens.restart", restart),
    vscode.commands.registerCommand("wavelens.showLog", () => log.show()),
    vscode.commands.registerCommand("wavelens.openExample", (name?: string) => openExample(context, name)),
    vscode.workspace.onDidGrantWorkspaceTrust(() => client && configure(client)),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("wavelens.server.path")) {
        void restart();
      }
    }),
    { dispose: () => void client?.stop() },
  );

  // Activated also by other files, to recognise assembly: the server waits for one of its own.
  const isOurs = (document: vscode.TextDocument) => languages.includes(document.languageId);
  if (vscode.workspace.textDocuments.some(isOurs)) {
    void start();
  }
  context.subscriptions.push(vscode.workspace.onDidOpenTextDocument((document) => isOurs(document) && void start()));
}

/** Runs a command of the server. */
async function execute(shared: Context, command: string, argument: unknown): Promise<void> {
  if (!(await shared.ready())) {
    return;
  }
  try {
    await shared.client()?.sendRequest("workspace/executeCommand", { command, arguments: [argument] });
  } catch (error) {
    showProblem(error instanceof Error ? error.message : String(error));
  }
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
