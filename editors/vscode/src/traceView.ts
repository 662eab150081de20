// The history of the value or line at the cursor: a read-only text next to the source, which each request renews.

import * as vscode from "vscode";
import { showProblem } from "./notify";
import type { Context } from "./webview";

export const traceScheme = "wavelens-trace";

export class TraceView implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly provider = vscode.workspace.registerTextDocumentContentProvider(traceScheme, this);
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly texts = new Map<string, string>();
  readonly onDidChange = this.changed.event;

  constructor(private readonly context: Context) {}

  dispose(): void {
    this.provider.dispose();
    this.changed.dispose();
  }

  provideTextDocumentContent(view: vscode.Uri): string {
    return this.texts.get(view.toString()) ?? "";
  }

  /** Asks about the cursor of the active editor. */
  async open(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor || !["llvm", "mir"].includes(editor.document.languageId)) {
      showProblem("Put the cursor on a value of an LLVM IR or MIR file.");
      return;
    }
    if (!this.context.mayCompile() || !(await this.context.ready())) {
      return;
    }
    const { document, selection } = editor;
    const { line, character } = selection.active;
    const params = { textDocument: { uri: document.uri.toString() }, position: { line, character } };
    const answer = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title: "Following the value through all passes" },
      () => this.context.client()?.sendRequest<{ text?: string; problem?: string }>("wavelens/trace", params) ?? Promise.resolve(undefined),
    );
    if (!answer?.text) {
      showProblem(answer?.problem ?? "the server does not answer");
      return;
    }
    const view = vscode.Uri.from({ scheme: traceScheme, path: `${document.uri.path}.history`, query: document.uri.toString() });
    this.texts.set(view.toString(), answer.text);
    this.changed.fire(view);
    const shown = await vscode.workspace.openTextDocument(view);
    await vscode.languages.setTextDocumentLanguage(shown, "diff");
    await vscode.window.showTextDocument(shown, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true });
  }
}
