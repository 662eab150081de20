// What the panels share: a page with a content security policy, and a panel that is made once and shown again.

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { isaScheme } from "./isaView";

/** A page for a panel. The script may use `vscode` (the panel's own API) and `esc` (text to HTML). */
export function page(style: string, body: string, script: string): string {
  const nonce = Array.from({ length: 24 }, () => Math.floor(Math.random() * 36).toString(36)).join("");
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-${nonce}';">
<style>
body { padding: 8px 12px; color: var(--vscode-foreground); font: var(--vscode-font-size) var(--vscode-font-family); }
.bar { position: sticky; top: 0; left: 0; z-index: 1; display: flex; gap: 8px; align-items: center; flex-wrap: wrap; padding: 6px 0; background: var(--vscode-editor-background); }
.bar .grow { flex: 1; }
button { padding: 3px 10px; color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground); border: 1px solid var(--vscode-button-border, transparent); border-radius: 2px; cursor: pointer; }
button:hover { background: var(--vscode-button-secondaryHoverBackground); }
button[aria-pressed=true] { color: var(--vscode-button-foreground); background: var(--vscode-button-background); }
input { padding: 3px 6px; color: var(--vscode-input-foreground); background: var(--vscode-input-background); border: 1px solid var(--vscode-input-border, transparent); }
:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: -1px; }
.note { color: var(--vscode-descriptionForeground); }
.problem { color: var(--vscode-errorForeground); }
code { font-family: var(--vscode-editor-font-family); }
${style}
</style>
</head>
<body>
${body}
<script nonce="${nonce}">
const vscode = acquireVsCodeApi();
const $ = (id) => document.getElementById(id);
const esc = (text) => String(text).replace(/[&<>"']/g, (c) => "&#" + c.charCodeAt(0) + ";");
${script}
vscode.postMessage({ kind: "ready" });
</script>
</body>
</html>`;
}

/** A panel of which there is at most one; messages wait until its page is loaded. */
export class Panel<FromPage extends { kind: string }> implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private ready = false;
  private waiting: unknown[] = [];

  constructor(
    private readonly type: string,
    private readonly title: string,
    private readonly html: () => string,
    private readonly onMessage: (message: FromPage) => void,
    private readonly onVisible: () => void = () => undefined,
  ) {}

  get visible(): boolean {
    return this.panel?.visible ?? false;
  }

  show(): void {
    if (this.panel) {
      this.panel.reveal(undefined, true);
      return;
    }
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const panel = vscode.window.createWebviewPanel(this.type, this.title, column, { enableScripts: true, retainContextWhenHidden: true });
    this.panel = panel;
    this.ready = false;
    this.waiting = [];
    panel.webview.onDidReceiveMessage((message: FromPage) => {
      if (message.kind === "ready") {
        this.ready = true;
        this.waiting.splice(0).forEach((m) => void panel.webview.postMessage(m));
      } else {
        this.onMessage(message);
      }
    });
    panel.onDidChangeViewState(() => panel.visible && this.onVisible());
    panel.onDidDispose(() => (this.panel = undefined));
    panel.webview.html = this.html();
  }

  post(message: unknown): void {
    if (this.ready) {
      void this.panel?.webview.postMessage(message);
    } else {
      this.waiting.push(message);
    }
  }

  dispose(): void {
    this.panel?.dispose();
  }
}

/** Calls a function once things have been quiet for a while. */
export function quietly(milliseconds: number, work: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, milliseconds);
  };
}

/** An editor of a document that the server knows; of generated code only where that is wanted. */
export function sourceEditor(generated = false): vscode.TextEditor | undefined {
  const known = (editor: vscode.TextEditor | undefined) =>
    editor && /^(llvm|mir|spirv|amdgpu)$/.test(editor.document.languageId) && (generated || editor.document.uri.scheme !== isaScheme);
  const active = vscode.window.activeTextEditor;
  return known(active) ? active : vscode.window.visibleTextEditors.find(known);
}

export async function reveal(uri: vscode.Uri, line: number): Promise<void> {
  const shown = vscode.window.visibleTextEditors.find((e) => e.document.uri.toString() === uri.toString());
  const at = new vscode.Range(line, 0, line, 0);
  const editor = await vscode.window.showTextDocument(uri, { viewColumn: shown?.viewColumn, selection: at });
  editor.revealRange(at, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

type Content = { style: string; body: string; script: string };

/** A panel about the source that was in front when it was opened; it asks anew, once typing rests, while it is in view. */
export abstract class SourceView<FromPage extends { kind: string }> implements vscode.Disposable {
  protected source: vscode.Uri | undefined;
  protected readonly panel: Panel<FromPage>;
  private asking: vscode.CancellationTokenSource | undefined;
  private readonly disposables: vscode.Disposable[];

  /** `rest`: milliseconds; `languages`: what to open first, for people. */
  constructor(
    protected readonly client: () => LanguageClient | undefined,
    type: string,
    title: string,
    content: Content,
    rest: number,
    private readonly languages: string,
  ) {
    this.panel = new Panel(type, title, () => page(content.style, content.body, content.script), (m) => this.heard(m));
    const soon = quietly(rest, () => void this.fill());
    this.disposables = [
      this.panel,
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (this.panel.visible && document.uri.toString() === this.source?.toString()) {
          soon();
        }
      }),
    ];
  }

  dispose(): void {
    this.asking?.cancel();
    this.disposables.forEach((d) => d.dispose());
  }

  async open(): Promise<void> {
    this.source = sourceEditor()?.document.uri;
    if (!this.source) {
      void vscode.window.showInformationMessage(`Wavelens: open ${this.languages} file first.`);
      return;
    }
    this.panel.show();
    await this.fill();
  }

  /** A token for a new question; the one before it is given up. */
  protected ask(): vscode.CancellationToken {
    this.asking?.cancel();
    this.asking = new vscode.CancellationTokenSource();
    return this.asking.token;
  }

  protected abstract heard(message: FromPage): void;
  protected abstract fill(): Promise<void>;
}
