// Generated ISA beside the source: a read-only document kept fresh by the server, with both cursors in step.

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

/** What `wavelens/isa` answers. Lines count from 0. */
interface Isa {
  text: string;
  /** Pairs of ISA line and source line. */
  map: [number, number][];
  /** Set instead of a text when nothing could be compiled. */
  problem?: string;
}

const scheme = "wavelens-isa";

export class IsaView implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly reports = new Map<string, Isa>();
  private readonly disposables: vscode.Disposable[];
  private readonly mark = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor("editor.wordHighlightBackground"),
    isWholeLine: true,
  });

  constructor(private readonly client: () => LanguageClient | undefined) {
    this.disposables = [
      this.changed,
      this.mark,
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      vscode.window.onDidChangeTextEditorSelection((event) => this.follow(event)),
    ];
  }

  dispose(): void {
    this.disposables.forEach((d) => d.dispose());
  }

  /** Opens the view beside a source document (the active one by default). */
  async open(source?: vscode.Uri): Promise<void> {
    source ??= vscode.window.activeTextEditor?.document.uri;
    if (!source || source.scheme === scheme) {
      return;
    }
    const report = await this.fetch(source);
    if (report?.problem && !report.text) {
      void vscode.window.showWarningMessage(`Wavelens: ${report.problem}`);
      return;
    }
    const document = await vscode.workspace.openTextDocument(viewOf(source));
    await vscode.languages.setTextDocumentLanguage(document, "amdgpu");
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: false });
  }

  /** A fresh report exists for this source. */
  refresh(source: vscode.Uri): void {
    if (this.reports.has(source.toString())) {
      this.reports.delete(source.toString());
      this.changed.fire(viewOf(source));
    }
  }

  async provideTextDocumentContent(view: vscode.Uri): Promise<string> {
    const source = sourceOf(view);
    const report = this.reports.get(source.toString()) ?? (await this.fetch(source));
    return report?.text || `; ${report?.problem ?? "no ISA yet"}\n`;
  }

  private async fetch(source: vscode.Uri): Promise<Isa | undefined> {
    const report = await this.client()?.sendRequest<Isa | null>("wavelens/isa", { textDocument: { uri: source.toString() } });
    if (report) {
      this.reports.set(source.toString(), report);
    }
    return report ?? undefined;
  }

  /** Marks and shows, in the other of the two editors, the lines that belong to the cursor's. */
  private follow({ textEditor, selections }: vscode.TextEditorSelectionChangeEvent): void {
    const inView = textEditor.document.uri.scheme === scheme;
    const source = inView ? sourceOf(textEditor.document.uri) : textEditor.document.uri;
    const map = this.reports.get(source.toString())?.map;
    const wanted = (inView ? source : viewOf(source)).toString();
    const other = vscode.window.visibleTextEditors.find((e) => e.document.uri.toString() === wanted);
    if (!map || !other) {
      return;
    }
    const [from, to] = inView ? [0, 1] : [1, 0];
    const line = selections[0].active.line;
    const lines = [...new Set(map.filter((pair) => pair[from] === line).map((pair) => pair[to]))];
    other.setDecorations(this.mark, lines.map((l) => new vscode.Range(l, 0, l, 0)));
    if (lines.length > 0) {
      const first = Math.min(...lines);
      other.revealRange(new vscode.Range(first, 0, first, 0), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
  }
}

function viewOf(source: vscode.Uri): vscode.Uri {
  return vscode.Uri.from({ scheme, path: `${source.path}.s`, query: source.toString() });
}

function sourceOf(view: vscode.Uri): vscode.Uri {
  return vscode.Uri.parse(view.query);
}
