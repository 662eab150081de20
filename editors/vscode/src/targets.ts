// The processor, or the SPIR-V environment, in the status bar, and the list to choose it from.

import * as vscode from "vscode";
import { type BaseLanguageClient as LanguageClient, State } from "vscode-languageclient";
import type { Reports } from "./reports";
import type { Sources } from "./sources";

/** What the server answers to `wavelens/configuration`. */
interface Told {
  /** The processor or the environment; empty if nothing names one. */
  label: string;
  /** What generated code is for, if the document is compiled. */
  processor?: string;
  /** What the processor belongs to: `RDNA 3`. */
  family?: string;
  origin?: string;
  configuration: { rows: { name: string; value: string; origin?: string }[]; run_lines?: [number, string][] };
}

/** What the user chose: for one file in place of what it says, or for files that say nothing. */
interface Choice {
  target?: string;
  targetEnv?: string;
  runLine?: number;
}

/** What can be chosen, by the answer to `initialize`. */
interface Targets {
  /** By architecture, newest first. */
  processors: [architecture: string, names: string[]][];
  /** Of SPIR-V. */
  environments: string[];
}

export class TargetItem implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("wavelens.target", vscode.StatusBarAlignment.Right, 100.5);
  private readonly disposables: vscode.Disposable[];
  /** Counts the questions: only the last answer is shown. */
  private asked = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    reports: Reports,
    private readonly sources: Sources,
    private readonly client: () => LanguageClient | undefined,
  ) {
    this.item.name = "Wavelens target";
    this.item.command = "wavelens.chooseTarget";
    const soon = () => this.showSoon();
    this.disposables = [
      this.item,
      vscode.commands.registerCommand("wavelens.chooseTarget", () => this.choose()),
      vscode.window.onDidChangeActiveTextEditor(() => void this.show()),
      vscode.workspace.onDidOpenTextDocument(soon),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document === vscode.window.activeTextEditor?.document) {
          soon();
        }
      }),
      vscode.workspace.onDidChangeConfiguration((change) => change.affectsConfiguration("wavelens") && soon()),
      reports.onDidChange(soon),
    ];
    void this.show();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.disposables.forEach((d) => void d.dispose());
  }

  /** After a pause in typing, or when the server has taken over what has changed. */
  showSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.show(), 500);
  }

  private async show(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    if (!document || !/^(?:llvm|mir|spirv|amdgpu)$/.test(document.languageId)) {
      this.item.hide();
      return;
    }
    const number = ++this.asked;
    const told = await this.ask("wavelens/configuration", document.uri);
    if (number !== this.asked) {
      return;
    }
    const { label = "", processor, family } = told ?? {};
    const name = processor ?? label;
    // SPIR-V is checked for an environment and compiled for a processor.
    const environment = document.languageId === "spirv" && processor ? label : undefined;
    this.item.text = `$(circuit-board) ${[environment, name || "No target", family].filter(Boolean).join(" · ")}`;
    const rows = told?.configuration.rows ?? [];
    const lines = rows.map((row) => `${row.name}: ${row.value}${row.origin ? ` (${row.origin})` : ""}`);
    const isNamed = !processor || rows.some((row) => row.value.startsWith(processor));
    const compiled = isNamed ? [] : [`generated code: ${processor} (default, because nothing names a processor)`];
    this.item.tooltip = [...lines, ...compiled, "Click to choose."].join("\n");
    this.item.show();
  }

  private targets(): Targets {
    const experimental = this.client()?.initializeResult?.capabilities.experimental as { targets?: Targets } | undefined;
    return experimental?.targets ?? { processors: [], environments: [] };
  }

  private async ask(method: string, uri: vscode.Uri, choice: Choice = {}): Promise<Told | undefined> {
    const client = this.client();
    if (client?.state !== State.Running) {
      return undefined;
    }
    try {
      const told = await client.sendRequest<Told | null>(method, { textDocument: { uri: uri.toString() }, ...choice });
      return told ?? undefined;
    } catch {
      // The document was closed or changed meanwhile.
      return undefined;
    }
  }

  /** Sets what the document is for, or what files use that name nothing themselves: in the workspace if there is one. */
  private async choose(): Promise<void> {
    const document = this.sources.last()?.document;
    const told = document && (await this.ask("wavelens/configuration", document.uri));
    type Item = vscode.QuickPickItem & { choice?: Choice };
    const heading = (label: string): Item => ({ label, kind: vscode.QuickPickItemKind.Separator });
    const item = (label: string, choice: Choice): Item => ({
      label,
      description: told?.label === label ? (told.origin ?? "used") : undefined,
      choice,
    });
    const runs = told?.configuration.run_lines ?? [];
    const lines = runs.map(([runLine, target]) => ({ ...item(`RUN line ${runLine}`, { runLine }), description: target }));
    const { processors: groups, environments } = this.targets();
    const processors = groups.flatMap(([name, all]) => [heading(name), ...all.map((target) => item(target, { target }))]);
    const envs = [heading("SPIR-V environment"), ...environments.map((targetEnv) => item(targetEnv, { targetEnv }))];
    const none: Item = { label: "What the file says", description: "no choice, no processor from the settings", choice: {} };
    const spirv = document?.languageId === "spirv";
    const items = [
      none,
      ...(lines.length ? [heading("RUN lines"), ...lines] : []),
      ...(spirv ? [...envs, ...processors] : [...processors, ...envs]),
    ];
    const options = { title: "Target", placeHolder: "Processor or SPIR-V environment", matchOnDescription: true };
    const picked = await vscode.window.showQuickPick(items, options);
    if (!picked?.choice) {
      return;
    }
    const where = picked.choice.runLine ? "file" : await chooseScope(document);
    if (where === "file" && document) {
      await this.ask("wavelens/setConfiguration", document.uri, picked.choice);
    } else if (where) {
      if (document && picked === none) {
        await this.ask("wavelens/setConfiguration", document.uri);
      }
      await setDefault(picked.choice);
    }
    await this.show();
  }
}

/** Whether a choice is for the document or for all files that say nothing. */
async function chooseScope(document: vscode.TextDocument | undefined): Promise<"file" | "default" | undefined> {
  if (!document) {
    return "default";
  }
  const name = document.uri.path.split("/").pop() ?? "";
  const items: (vscode.QuickPickItem & { where: "file" | "default" })[] = [
    { label: `For ${name}`, description: "in place of what the file says, until it is closed", where: "file" },
    { label: "For files that do not name one", description: "in the settings", where: "default" },
  ];
  return (await vscode.window.showQuickPick(items, { title: "Target" }))?.where;
}

async function setDefault(choice: Choice): Promise<void> {
  const settings = vscode.workspace.getConfiguration("wavelens");
  const where = vscode.workspace.workspaceFolders ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  const isNone = !choice.target && !choice.targetEnv;
  for (const setting of ["target", "targetEnv"] as const) {
    if (isNone || choice[setting]) {
      await settings.update(setting, choice[setting], where);
    }
  }
}
