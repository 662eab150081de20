// The entries in the language status: the server, and the generated ISA of the document that is looked at.

import * as vscode from "vscode";
import { type BaseLanguageClient as LanguageClient, State } from "vscode-languageclient";
import type { Reports } from "./reports";

export class Status implements vscode.Disposable {
  private readonly server: vscode.LanguageStatusItem;
  private readonly isa: vscode.LanguageStatusItem;
  private readonly disposables: vscode.Disposable[];

  constructor(
    languages: string[],
    private readonly reports: Reports,
  ) {
    this.server = vscode.languages.createLanguageStatusItem("wavelens", languages);
    this.server.name = "Wavelens";
    this.isa = vscode.languages.createLanguageStatusItem("wavelens.isa", ["llvm", "mir", "spirv"]);
    this.isa.name = "Wavelens ISA";
    this.isa.command = { command: "wavelens.showIsa", title: "Show" };
    this.disposables = [
      this.server,
      this.isa,
      reports.onDidChange(() => this.showIsa()),
      vscode.window.onDidChangeActiveTextEditor(() => this.showIsa()),
    ];
    this.showIsa();
  }

  dispose(): void {
    this.disposables.forEach((d) => void d.dispose());
  }

  noServer(problem: string): void {
    this.server.busy = false;
    this.server.severity = vscode.LanguageStatusSeverity.Error;
    this.server.text = "Wavelens: no server";
    this.server.detail = problem;
    this.server.command = { command: "wavelens.restart", title: "Try again" };
  }

  showServer(client: LanguageClient, state: State): void {
    const { server } = this;
    const version = client.initializeResult?.serverInfo?.version ?? "";
    server.busy = state === State.Starting;
    server.severity = state === State.Stopped ? vscode.LanguageStatusSeverity.Error : vscode.LanguageStatusSeverity.Information;
    server.detail = undefined;
    server.text = { [State.Starting]: "Wavelens is starting", [State.Running]: `Wavelens ${version}`, [State.Stopped]: "Wavelens stopped" }[
      state
    ];
    server.command =
      state === State.Stopped ? { command: "wavelens.restart", title: "Restart" } : { command: "wavelens.showLog", title: "Log" };
  }

  private showIsa(): void {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const report = uri && this.reports.get(uri);
    this.isa.severity = report?.problem ? vscode.LanguageStatusSeverity.Warning : vscode.LanguageStatusSeverity.Information;
    this.isa.text = report?.target ? `ISA: ${report.target}` : "ISA: not compiled";
    this.isa.detail = report?.problem ?? report?.command;
  }
}
