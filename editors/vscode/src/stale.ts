// Generated code that is not that of the source any more: the view is dimmed under a banner that stays in sight, hints and lenses are marked, and
// one click leads to the error.

import * as vscode from "vscode";
import type { BaseLanguageClient as LanguageClient, Middleware } from "vscode-languageclient";
import { CodeLensRequest, InlayHintRequest } from "vscode-languageclient";
import { heading, resources } from "./isaText";
import { isaScheme, sourceOf } from "./isaUri";
import type { Isa, Reports } from "./reports";
import { reveal } from "./webview";

/** Titles of lenses and labels of hints that come from generated code. */
const generated = /^\u2002?(?:\(?→|▲|gfx\d)/;

export class Stale implements vscode.FileDecorationProvider, vscode.CodeLensProvider, vscode.Disposable {
  private readonly dim = vscode.window.createTextEditorDecorationType({ opacity: "0.45", isWholeLine: true });
  private readonly banner = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("inputValidation.warningBackground"),
    before: { margin: "0 2em 0 0", color: new vscode.ThemeColor("editorWarning.foreground"), fontWeight: "bold" },
  });
  private readonly badges = new vscode.EventEmitter<vscode.Uri | undefined>();
  readonly onDidChangeFileDecorations = this.badges.event;
  private readonly lenses = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.lenses.event;
  private readonly item = vscode.window.createStatusBarItem("wavelens.stale", vscode.StatusBarAlignment.Left, 1);
  private readonly known = new Map<string, string | undefined>();
  private client: () => LanguageClient | undefined = () => undefined;
  private readonly disposables: vscode.Disposable[];

  constructor(private readonly reports: Reports) {
    this.item.name = "Wavelens: generated ISA";
    this.item.command = "wavelens.goToIsaError";
    this.item.backgroundColor = new vscode.ThemeColor("statusBarItem.warningBackground");
    this.disposables = [
      this.dim,
      this.banner,
      this.badges,
      this.lenses,
      this.item,
      vscode.window.registerFileDecorationProvider(this),
      vscode.languages.registerCodeLensProvider({ scheme: isaScheme }, this),
      vscode.commands.registerCommand("wavelens.copyIsaCommand", (command: string) => vscode.env.clipboard.writeText(command)),
      vscode.commands.registerCommand("wavelens.goToIsaError", (source?: vscode.Uri | string) => this.goToError(source)),
      vscode.window.onDidChangeVisibleTextEditors(() => this.show()),
      vscode.window.onDidChangeActiveTextEditor(() => this.show()),
      vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => this.paint(textEditor)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => document.uri.scheme === isaScheme && this.show()),
      reports.onDidChange((source) => this.changed(source)),
    ];
  }

  dispose(): void {
    this.disposables.forEach((d) => void d.dispose());
  }

  /** Marks hints and lenses of documents whose generated code is not up to date. */
  middleware(client: () => LanguageClient | undefined): Middleware {
    this.client = client;
    const isStale = (document: vscode.TextDocument) => this.problem(document.uri) !== undefined;
    return {
      provideInlayHints: async (document, range, token, next) => {
        const hints = await next(document, range, token);
        if (isStale(document)) {
          for (const hint of hints ?? []) {
            if (typeof hint.label === "string" && generated.test(hint.label)) {
              // The space between two hints stays before the bracket.
              hint.label = `${hint.label.replace(/^\u2002?/, "$&(")})`;
              hint.tooltip = `Not up to date: ${this.problem(document.uri)}`;
            }
          }
        }
        return hints;
      },
      provideCodeLenses: async (document, token, next) => {
        const lenses = await next(document, token);
        if (isStale(document)) {
          for (const { command } of lenses ?? []) {
            if (command && generated.test(command.title)) {
              command.title = `$(warning)\u00a0not up to date: ${command.title}`;
            }
          }
        }
        return lenses;
      },
    };
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    const problem = uri.scheme === isaScheme ? this.problem(sourceOf(uri)) : undefined;
    return problem === undefined
      ? undefined
      : new vscode.FileDecoration("!", `Not up to date: ${problem}`, new vscode.ThemeColor("list.warningForeground"));
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const source = sourceOf(document.uri);
    const report = this.reports.get(source);
    const top = new vscode.Range(0, 0, 0, 0);
    const lens = (title: string, command = "", args: unknown[] = [], tooltip?: string) =>
      new vscode.CodeLens(top, { title, command, arguments: args, tooltip });
    if (report?.problem) {
      return [
        lens(`$(warning) ${this.words(report)}`, "wavelens.goToIsaError", [source]),
        lens("Go to the error", "wavelens.goToIsaError", [source]),
      ];
    }
    if (!report?.target) {
      return [];
    }
    // Without its directives the server does not see what a kernel declares.
    const hidden = vscode.workspace.getConfiguration("wavelens").get<boolean>("isa.hideDirectives") ?? true;
    const text = document.getText();
    const kernels = (hidden ? report.kernels : []).flatMap((kernel) => {
      const offset = text.startsWith(`${kernel.name}:`) ? 0 : text.indexOf(`\n${kernel.name}:`) + 1;
      if (offset === 0 && !text.startsWith(`${kernel.name}:`)) {
        return [];
      }
      const at = document.positionAt(offset);
      const command = { title: resources(kernel), command: "wavelens.cfg", arguments: [{ uri: document.uri.toString(), position: at }] };
      return [new vscode.CodeLens(new vscode.Range(at, at), command)];
    });
    return [
      ...kernels,
      lens(heading(report), "wavelens.chooseTarget", [], "Choose another target"),
      lens("Copy command", "wavelens.copyIsaCommand", [report.command], report.command),
      lens("Columns", "wavelens.isaColumns", [], "Choose columns, and whether directives and comments are shown"),
      // The longest, so that a narrow view cuts off nothing else.
      ...(report.note ? [lens(report.note)] : []),
    ];
  }

  private problem(source: vscode.Uri): string | undefined {
    const report = this.reports.get(source);
    return report?.text ? report.problem : undefined;
  }

  private words(report: Isa): string {
    const since = report.fresh?.toLocaleTimeString(undefined, { hour12: false });
    const reason = (report.problem ?? "").replace(/^the compiler refused (?=line)/, "").split("\n")[0];
    return `Not up to date${since ? ` since ${since}` : ""} · ${reason}`;
  }

  private changed(source: vscode.Uri): void {
    const key = source.toString();
    const problem = this.problem(source);
    if (this.known.get(key) !== problem) {
      this.known.set(key, problem);
      this.badges.fire(undefined);
      const client = this.client();
      const document = vscode.workspace.textDocuments.find((d) => d.uri.toString() === key);
      if (client && document) {
        client.getFeature(InlayHintRequest.method).getProvider(document)?.onDidChangeInlayHints.fire();
        client.getFeature(CodeLensRequest.method).getProvider(document)?.onDidChangeCodeLensEmitter.fire();
      }
    }
    this.lenses.fire();
    this.show();
  }

  private show(): void {
    vscode.window.visibleTextEditors.forEach((editor) => this.paint(editor));
    // As long as the view is in sight, or its source is being edited.
    const stale = vscode.window.visibleTextEditors
      .filter((e) => e.document.uri.scheme === isaScheme)
      .map((e) => sourceOf(e.document.uri))
      .find((source) => this.problem(source) !== undefined);
    const report = stale && this.reports.get(stale);
    if (report) {
      this.item.text = "$(warning) ISA not up to date";
      this.item.tooltip = `${this.words(report)}. Click to go to the error.`;
      this.item.command = { command: "wavelens.goToIsaError", title: "Go to the error", arguments: [stale] };
      this.item.show();
    } else {
      this.item.hide();
    }
    void vscode.commands.executeCommand("setContext", "wavelens.isaStale", report !== undefined);
  }

  private paint(editor: vscode.TextEditor): void {
    if (editor.document.uri.scheme !== isaScheme) {
      return;
    }
    const report = this.reports.get(sourceOf(editor.document.uri));
    if (!report?.problem || !report.text) {
      editor.setDecorations(this.dim, []);
      editor.setDecorations(this.banner, []);
      return;
    }
    const { document } = editor;
    const line = document.lineAt(bannerLine(editor)).range;
    const condition = [{ uri: sourceOf(document.uri).toString(), while: "crash" }];
    const reduce = ` · [Reduce the file](command:wavelens.reduce?${encodeURIComponent(JSON.stringify(condition))})`;
    const links = `[Go to the error](command:wavelens.goToIsaError)${report.crashed ? reduce : ""}`;
    const message = new vscode.MarkdownString(`${this.words(report)}\n\n${links}`);
    message.isTrusted = { enabledCommands: ["wavelens.goToIsaError", "wavelens.reduce"] };
    const before = { contentText: `⚠ ${this.words(report)}` };
    const number = line.start.line;
    const rest = [new vscode.Range(number + 1, 0, document.lineCount, 0)];
    editor.setDecorations(this.dim, number > 0 ? [new vscode.Range(0, 0, number - 1, 0), ...rest] : rest);
    editor.setDecorations(this.banner, [{ range: line, hoverMessage: message, renderOptions: { before } }]);
  }

  /** The first error of the source, else the line that the compiler named. */
  private async goToError(given?: vscode.Uri | string): Promise<void> {
    const editor = vscode.window.visibleTextEditors.find((e) => e.document.uri.scheme === isaScheme);
    const uri = typeof given === "string" ? vscode.Uri.parse(given) : given;
    const named = uri?.scheme === isaScheme ? sourceOf(uri) : uri;
    const source = named ?? (editor && sourceOf(editor.document.uri));
    if (!source) {
      return;
    }
    const rank = (d: vscode.Diagnostic) => [d.severity, d.range.start.line, d.range.start.character];
    const found = vscode.languages.getDiagnostics(source).filter((d) => d.severity <= vscode.DiagnosticSeverity.Warning);
    const [first] = found.sort(
      (a, b) =>
        rank(a)
          .map((n, i) => n - rank(b)[i])
          .find((n) => n !== 0) ?? 0,
    );
    const line = /\bline (\d+)/.exec(this.reports.get(source)?.problem ?? "")?.[1];
    await reveal(source, first?.range.start ?? new vscode.Position(line ? Number(line) - 1 : 0, 0));
  }
}

/** The banner goes with the first line in view, wherever the user scrolls; names of functions may cover two lines. */
export function bannerLine(editor: vscode.TextEditor): number {
  const top = editor.visibleRanges[0]?.start.line ?? 0;
  return Math.min(top === 0 ? 0 : top + 2, editor.document.lineCount - 1);
}
