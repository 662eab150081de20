// Compares the SPIR-V modules of a pipeline. The findings stay in the list of problems, and are renewed when one of the modules is edited.

import * as vscode from "vscode";
import type { Diagnostic } from "vscode-languageclient";
import { showProblem } from "./notify";
import type { Context } from "./webview";

interface Answer {
  files: { uri: string; diagnostics: Diagnostic[] }[];
}

const pause = 500;

export class InterfaceCheck implements vscode.Disposable {
  private readonly findings = vscode.languages.createDiagnosticCollection("wavelens interface");
  private readonly edits = vscode.workspace.onDidChangeTextDocument(({ document }) => this.edited(document.uri));
  private modules: vscode.Uri[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly context: Context) {}

  dispose(): void {
    clearTimeout(this.timer);
    this.edits.dispose();
    this.findings.dispose();
  }

  /** Compares the active module with others, which the user chooses if there are none. */
  async run(others: vscode.Uri[]): Promise<void> {
    const active = vscode.window.activeTextEditor?.document;
    if (active?.languageId !== "spirv") {
      showProblem("Open a SPIR-V module first.");
      return;
    }
    // A menu passes the active file.
    const given = others.filter((uri) => uri instanceof vscode.Uri && uri.toString() !== active.uri.toString());
    const chosen = given.length ? given : await choose(active.uri);
    if (!chosen || !(await this.context.ready())) {
      return;
    }
    this.modules = [active.uri, ...chosen];
    const found = await this.compare();
    if (found === 0) {
      void vscode.window.showInformationMessage(`Wavelens: the interfaces of ${this.modules.length} modules match.`);
    } else if (found) {
      void vscode.commands.executeCommand("workbench.actions.view.problems");
    }
  }

  private edited(uri: vscode.Uri): void {
    if (this.modules.some((module) => module.toString() === uri.toString())) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void this.compare(true), pause);
    }
  }

  /** Returns the number of findings. */
  private async compare(quiet = false): Promise<number | undefined> {
    const client = this.context.client();
    const [first, ...others] = this.modules.map((uri) => uri.toString());
    if (!client || !first) {
      return undefined;
    }
    try {
      const params = { command: "wavelens.interface", arguments: [{ uri: first, others }] };
      const answer = await client.sendRequest<Answer>("workspace/executeCommand", params);
      this.findings.clear();
      let count = 0;
      for (const { uri, diagnostics } of answer.files) {
        count += diagnostics.length;
        this.findings.set(vscode.Uri.parse(uri), await client.protocol2CodeConverter.asDiagnostics(diagnostics));
      }
      return count;
    } catch (error) {
      this.findings.clear();
      if (!quiet) {
        showProblem(error instanceof Error ? error.message : String(error));
      }
      return undefined;
    }
  }
}

/** Modules of the workspace; those that are named like the active one come first. */
async function choose(active: vscode.Uri): Promise<vscode.Uri[] | undefined> {
  const found = await vscode.workspace.findFiles("**/*.{spvasm,spv}", undefined, 1000);
  const folder = (uri: vscode.Uri) => uri.path.slice(0, uri.path.lastIndexOf("/"));
  const stem = (uri: vscode.Uri) => uri.path.slice(uri.path.lastIndexOf("/") + 1).split(".")[0];
  const distance = (uri: vscode.Uri) => (folder(uri) === folder(active) ? 0 : 2) + (stem(uri) === stem(active) ? 0 : 1);
  const others = found.filter((uri) => uri.toString() !== active.toString());
  others.sort((a, b) => distance(a) - distance(b) || a.path.localeCompare(b.path));
  const items = others.map((uri) => ({ label: vscode.workspace.asRelativePath(uri), uri, picked: distance(uri) === 0 }));
  const picked = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    placeHolder: "The other stages of the pipeline",
  });
  return picked?.length ? picked.map(({ uri }) => uri) : undefined;
}
