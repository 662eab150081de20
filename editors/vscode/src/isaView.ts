// Generated ISA beside the source: a read-only document kept fresh by the server, with both cursors in step.

import * as vscode from "vscode";
import type { Reports } from "./reports";

/** Scheme of the virtual documents. */
export const isaScheme = "wavelens-isa";

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
  private readonly stale = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    after: { color: new vscode.ThemeColor("editorWarning.foreground"), margin: "0 0 0 2em" },
  });

  constructor(private readonly reports: Reports) {
    this.disposables = [
      this.changed,
      this.mark,
      this.stale,
      vscode.workspace.registerTextDocumentContentProvider(isaScheme, this),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.follow(textEditor)),
      vscode.window.onDidChangeVisibleTextEditors((editors) => editors.forEach((e) => this.warn(e))),
      vscode.workspace.onDidChangeTextDocument(({ document }) => document.uri.scheme === isaScheme && this.shown(document)),
      reports.onDidChange((source) => this.changed.fire(viewOf(source))),
    ];
  }

  dispose(): void {
    this.disposables.forEach((d) => d.dispose());
  }

  /** Opens the view beside a source document (the active one by default), at a function. */
  async open(source?: vscode.Uri, name?: string): Promise<void> {
    source ??= vscode.window.activeTextEditor?.document.uri;
    if (!source || source.scheme === isaScheme) {
      return;
    }
    const uri = source;
    const options = { location: vscode.ProgressLocation.Window, title: "Wavelens: compiling" };
    const report = await vscode.window.withProgress(options, () => this.reports.fetch(uri, name));
    if (!report?.text) {
      void vscode.window.showWarningMessage(`Wavelens: ${report?.problem ?? "the server does not answer"}`);
      return;
    }
    const document = await vscode.workspace.openTextDocument(viewOf(uri));
    await vscode.languages.setTextDocumentLanguage(document, "amdgpu");
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: false });
    const editor = vscode.window.visibleTextEditors.find((e) => e.document.uri.toString() === uri.toString());
    if (name) {
      this.showLabel(document, name);
    } else if (editor) {
      this.follow(editor);
    }
  }

  private showLabel(view: vscode.TextDocument, name: string): void {
    const label = `${name.replace(/^[@%]/, "").replace(/^"|"$/g, "")}:`;
    const line = view.getText().split("\n").findIndex((text) => text.startsWith(label) || text.startsWith(`"${label.slice(0, -1)}":`));
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
    editors.filter((e) => e.document === view).forEach((e) => this.warn(e));
  }

  /** Says in the view that its text is of an earlier state, and why. */
  private warn(editor: vscode.TextEditor): void {
    if (editor.document.uri.scheme === isaScheme) {
      const problem = this.reports.get(sourceOf(editor.document.uri))?.problem;
      const after = { contentText: `not up to date: ${problem}` };
      editor.setDecorations(this.stale, problem ? [{ range: new vscode.Range(0, 0, 0, 0), renderOptions: { after } }] : []);
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
    other.setDecorations(this.mark, lines.map((l) => new vscode.Range(l, 0, l, 0)));
    editor.setDecorations(this.mark, []);
    if (lines.length > 0) {
      const first = Math.min(...lines);
      other.revealRange(new vscode.Range(first, 0, first, 0), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
  }
}

function viewOf(source: vscode.Uri): vscode.Uri {
  return vscode.Uri.from({ scheme: isaScheme, path: `${source.path}.s`, query: source.toString() });
}

function sourceOf(view: vscode.Uri): vscode.Uri {
  return vscode.Uri.parse(view.query);
}
