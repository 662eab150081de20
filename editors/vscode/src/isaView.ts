// Generated ISA next to the source: a read-only document kept fresh by the server, with both cursors in step.

import * as vscode from "vscode";
import { isaScheme, sourceOf, viewOf } from "./isaUri";
import { showProblem } from "./notify";
import type { Reports } from "./reports";
import type { Context } from "./webview";

export class IsaView implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly disposables: vscode.Disposable[];
  private readonly mark = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor("editor.wordHighlightBackground"),
    isWholeLine: true,
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.wordHighlightForeground"),
    overviewRulerLane: vscode.OverviewRulerLane.Center,
  });

  constructor(
    private readonly reports: Reports,
    private readonly context: Context,
  ) {
    this.disposables = [
      this.changed,
      this.mark,
      vscode.workspace.registerTextDocumentContentProvider(isaScheme, this),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.follow(textEditor)),
      vscode.window.onDidChangeTextEditorViewColumn(({ textEditor, viewColumn }) => {
        if (textEditor.document.uri.scheme === isaScheme) {
          this.context.placement.remember("isa", viewColumn);
        }
      }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => document.uri.scheme === isaScheme && this.shown(document)),
      reports.onDidChange((source) => this.changed.fire(viewOf(source))),
    ];
  }

  dispose(): void {
    this.disposables.forEach((d) => void d.dispose());
  }

  /** Opens the view next to a source document (the last used by default), at a function. */
  async open(source?: vscode.Uri, name?: string): Promise<void> {
    const uri = source ?? this.context.sources.last()?.document.uri;
    if (!uri || uri.scheme === isaScheme) {
      void vscode.window.showInformationMessage("Wavelens: open an LLVM IR, MIR or SPIR-V file first.");
      return;
    }
    if (!this.context.mayCompile() || !(await this.context.ready())) {
      return;
    }
    const options = { location: vscode.ProgressLocation.Window, title: "Wavelens: compiling" };
    const report = await vscode.window.withProgress(options, () => this.reports.fetch(uri, name));
    if (!report?.text) {
      showProblem(report?.problem ?? "the server does not answer");
      return;
    }
    const document = await vscode.workspace.openTextDocument(viewOf(uri));
    await vscode.languages.setTextDocumentLanguage(document, "amdgpu");
    const shown = vscode.window.visibleTextEditors.find((e) => e.document === document)?.viewColumn;
    const viewColumn = shown ?? (await this.context.placement.place("isa"));
    const view = await vscode.window.showTextDocument(document, { viewColumn, preserveFocus: true, preview: false });
    this.context.placement.remember("isa", view.viewColumn);
    const editor = vscode.window.visibleTextEditors.find((e) => e.document.uri.toString() === uri.toString());
    if (name) {
      this.showLabel(document, name);
    } else if (editor) {
      this.follow(editor);
    }
  }

  private showLabel(view: vscode.TextDocument, name: string): void {
    const label = `${name.replace(/^[@%]/, "").replace(/^"|"$/g, "")}:`;
    const line = view
      .getText()
      .split("\n")
      .findIndex((text) => text.startsWith(label) || text.startsWith(`"${label.slice(0, -1)}":`));
    const editor = vscode.window.visibleTextEditors.find((e) => e.document === view);
    if (line >= 0) {
      editor?.revealRange(new vscode.Range(line, 0, line, 0), vscode.TextEditorRevealType.AtTop);
    }
  }

  async provideTextDocumentContent(view: vscode.Uri): Promise<string> {
    const source = sourceOf(view);
    const report = this.reports.get(source) ?? (await this.reports.fetch(source));
    return report?.text || `; ${report?.problem ?? "no ISA yet"}\n`;
  }

  /** The view has a new text: the lines that belong to the cursor's are others. */
  private shown(view: vscode.TextDocument): void {
    const editors = vscode.window.visibleTextEditors;
    const source = editors.find((e) => e.document.uri.toString() === sourceOf(view.uri).toString());
    if (source) {
      this.follow(source);
    }
  }

  /** Marks and shows, in the other of the two editors, the lines that belong to the cursor's. */
  private follow(editor: vscode.TextEditor): void {
    const inView = editor.document.uri.scheme === isaScheme;
    const source = inView ? sourceOf(editor.document.uri) : editor.document.uri;
    const map = this.reports.get(source)?.map;
    const wanted = (inView ? source : viewOf(source)).toString();
    const other = vscode.window.visibleTextEditors.find((e) => e.document.uri.toString() === wanted);
    if (!map || !other) {
      return;
    }
    const [from, to] = inView ? [0, 1] : [1, 0];
    const { start, end } = editor.selection;
    const chosen = map.filter((pair) => start.line <= pair[from] && pair[from] <= end.line);
    const lines = [...new Set(chosen.map((pair) => pair[to]))];
    other.setDecorations(
      this.mark,
      lines.map((l) => new vscode.Range(l, 0, l, 0)),
    );
    editor.setDecorations(this.mark, []);
    if (lines.length > 0) {
      const first = Math.min(...lines);
      other.revealRange(new vscode.Range(first, 0, first, 0), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
  }
}
