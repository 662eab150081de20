// What the panels share: a page with a content security policy, and a panel that is made once and shown again.

import * as vscode from "vscode";
import { type BaseLanguageClient as LanguageClient, LSPErrorCodes, ResponseError } from "vscode-languageclient";
import { sentence } from "./notify";
import type { Placement } from "./placement";
import type { Sources } from "./sources";

/** What the views share. */
export interface Context {
  readonly client: () => LanguageClient | undefined;
  readonly sources: Sources;
  readonly placement: Placement;
  /** Starts the server if it does not run yet; false if it cannot run. */
  ready(): Promise<boolean>;
  /** False, with a message, where the workspace is not trusted. */
  mayCompile(): boolean;
}

/** A page for a panel. The script may use `vscode` (the panel's own API), `esc` (text to HTML) and `painted` (a line of IR to HTML). */
export function page(style: string, body: string, script: string): string {
  const nonce = Array.from({ length: 24 }, () => Math.floor(Math.random() * 36).toString(36)).join("");
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-${nonce}';">
<style>
body { padding: 8px 12px; color: var(--vscode-foreground); font: var(--vscode-font-size) var(--vscode-font-family); }
.bar { position: sticky; top: 0; left: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: 6px; align-items: center; padding: 6px 0; background: var(--vscode-editor-background); }
.bar .grow { flex: 1 1 auto; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.bar input { flex: 1 2 12em; min-width: 5em; }
.bar button { flex: none; white-space: nowrap; }
.bar .group { display: flex; flex: none; }
.bar .group button + button { border-left: none; }
@media (max-width: 520px) { .wide { display: none !important; } .bar input { min-width: 3em; } }
button { padding: 3px 8px; color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground); border: 1px solid var(--vscode-button-border, transparent); border-radius: 2px; cursor: pointer; }
button:hover { background: var(--vscode-button-secondaryHoverBackground); }
button[aria-pressed=true] { color: var(--vscode-button-foreground); background: var(--vscode-button-background); }
input { padding: 3px 6px; color: var(--vscode-input-foreground); background: var(--vscode-input-background); border: 1px solid var(--vscode-input-border, transparent); }
:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: -1px; }
.note { color: var(--vscode-descriptionForeground); }
.problem { color: var(--vscode-errorForeground); }
code { font-family: var(--vscode-editor-font-family); }
.word { color: var(--vscode-debugTokenExpression-name); } .number { color: var(--vscode-debugTokenExpression-number); } .string { color: var(--vscode-debugTokenExpression-string); }
.value { color: var(--vscode-symbolIcon-variableForeground); } .symbol { color: var(--vscode-symbolIcon-functionForeground); } .comment { color: var(--vscode-descriptionForeground); }
${style}
</style>
</head>
<body>
${body}
<script nonce="${nonce}">
const vscode = acquireVsCodeApi();
const $ = (id) => document.getElementById(id);
const esc = (text) => String(text).replace(/[&<>"']/g, (c) => "&#" + c.charCodeAt(0) + ";");
const tokens = /(;.*$)|("[^"]*")|([%$][-\\w.$]+)|(@[-\\w.$]+)|((?<![-\\w.$])-?\\d[\\w.]*)|((?<==\\s+|^[-+ ]?\\s+|:\\S+ = )[A-Za-z_]\\w*(?![\\w.]*:))/g;
const kinds = ["comment", "string", "value", "symbol", "number", "word"];
/** A line of IR or Machine IR as HTML, in the colours of the theme. */
const painted = (line) => {
  let out = "", end = 0;
  for (const match of line.matchAll(tokens)) {
    const kind = kinds[match.slice(1).findIndex((group) => group !== undefined)];
    out += esc(line.slice(end, match.index)) + '<span class="' + kind + '">' + esc(match[0]) + "</span>";
    end = match.index + match[0].length;
  }
  return out + esc(line.slice(end));
};
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
    private readonly context: Context,
    private readonly type: string,
    private readonly title: string,
    private readonly html: () => string,
    private readonly onMessage: (message: FromPage) => void,
    private readonly onVisible: () => void,
  ) {}

  get visible(): boolean {
    return this.panel?.visible ?? false;
  }

  async show(): Promise<void> {
    if (this.panel) {
      this.panel.reveal(undefined, true);
      return;
    }
    const { placement } = this.context;
    const viewColumn = await placement.place(this.type);
    // The cursor stays in the source.
    const showOptions = { viewColumn, preserveFocus: true };
    const panel = vscode.window.createWebviewPanel(this.type, this.title, showOptions, {
      enableScripts: true,
      retainContextWhenHidden: true,
    });
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
    panel.onDidChangeViewState(() => {
      if (panel.visible) {
        placement.remember(this.type, panel.viewColumn);
        this.onVisible();
      }
    });
    panel.onDidDispose(() => (this.panel = undefined));
    panel.webview.html = this.html();
    placement.remember(this.type, panel.viewColumn);
  }

  /** Whose file the panel shows, after its title. */
  set subject(file: string) {
    if (this.panel) {
      this.panel.title = `${this.title}: ${file}`;
    }
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

/** Puts the cursor to a place of a document, in the column where that is open. */
export async function reveal(uri: vscode.Uri, position: vscode.Position): Promise<void> {
  const isIt = (tab: vscode.Tab) => tab.input instanceof vscode.TabInputText && tab.input.uri.toString() === uri.toString();
  const groups = vscode.window.tabGroups.all;
  const group = groups.find((g) => g.activeTab && isIt(g.activeTab)) ?? groups.find((g) => g.tabs.some(isIt));
  const at = new vscode.Range(position, position);
  const editor = await vscode.window.showTextDocument(uri, { viewColumn: group?.viewColumn, selection: at });
  editor.revealRange(at, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

interface Content {
  style: string;
  body: string;
  script: string;
}

/** A panel about the source that was in front when it was opened; it asks again, once typing rests, while it is in view, and when it comes into view. */
export abstract class SourceView<FromPage extends { kind: string }> implements vscode.Disposable {
  protected source: vscode.Uri | undefined;
  protected readonly panel: Panel<FromPage>;
  private asking: vscode.CancellationTokenSource | undefined;
  private readonly soon: () => void;
  private readonly disposables: vscode.Disposable[];
  /** The source was edited while the panel was hidden. */
  private outdated = false;
  /** One question at a time, of all panels: the server gives up the one before about the same document. */
  private static turn: Promise<void> = Promise.resolve();

  /**
   * `rest`: milliseconds after an edit before it asks again; without, the user asks. `languages`: what to open first, for people.
   */
  constructor(
    protected readonly context: Context,
    type: string,
    title: string,
    content: Content,
    rest: number | undefined,
    private readonly languages: string,
  ) {
    const heard = (message: FromPage | { kind: "refresh" }) =>
      message.kind === "refresh" ? void this.fill() : this.heard(message as FromPage);
    const visible = () => {
      if (this.outdated) {
        this.outdated = false;
        void this.fill();
      }
    };
    this.panel = new Panel<FromPage>(context, type, title, () => page(content.style, content.body, content.script), heard, visible);
    this.soon = rest === undefined ? () => this.panel.post({ kind: "edited" }) : quietly(rest, () => void this.fill());
    this.disposables = [
      this.panel,
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && document.uri.toString() === this.source?.toString()) {
          this.soon();
        }
      }),
    ];
  }

  dispose(): void {
    this.asking?.cancel();
    this.disposables.forEach((d) => void d.dispose());
  }

  async open(): Promise<void> {
    this.source = this.context.sources.last()?.document.uri;
    if (!this.source) {
      void vscode.window.showInformationMessage(`Wavelens: open ${this.languages} file first.`);
      return;
    }
    if (!this.context.mayCompile() || !(await this.context.ready())) {
      return;
    }
    this.outdated = false;
    await this.panel.show();
    await this.fill();
  }

  /** Asks the server and shows the answer; a hidden panel does so when it is shown. */
  protected async fill(): Promise<void> {
    const source = this.source;
    this.outdated = !this.panel.visible;
    if (!source || this.outdated) {
      return;
    }
    this.asking?.cancel();
    this.asking = new vscode.CancellationTokenSource();
    const { token } = this.asking;
    this.panel.post({ kind: "busy" });
    SourceView.turn = SourceView.turn.then(async () => {
      try {
        const { method, params } = this.question();
        const textDocument = { uri: source.toString() };
        const answer = token.isCancellationRequested
          ? undefined
          : await this.context.client()?.sendRequest(method, { textDocument, ...params }, token);
        if (answer) {
          this.panel.subject = source.path.split("/").pop() ?? "";
          await this.answered(answer, source);
        }
      } catch (error) {
        if (token.isCancellationRequested) {
          return;
        }
        if (error instanceof ResponseError && givenUp.includes(error.code)) {
          // An edit in between.
          this.soon();
        } else {
          this.failed(sentence(error instanceof Error ? error.message : String(error)));
        }
      }
    });
    await SourceView.turn;
  }

  protected abstract heard(message: FromPage): void;
  protected abstract question(): { method: string; params: object };
  protected abstract answered(answer: unknown, source: vscode.Uri): void | Promise<void>;
  protected abstract failed(problem: string): void;
}

/** The file that a view is about, and what the server notes about the answer. */
export function describe(source: vscode.Uri, answer: unknown): string {
  const note = (answer as { note?: string }).note;
  return vscode.workspace.asRelativePath(source) + (note ? ` · ${note}` : "");
}

/** Codes of questions that the server gave up. */
const givenUp: number[] = [LSPErrorCodes.RequestCancelled, LSPErrorCodes.ServerCancelled, LSPErrorCodes.ContentModified];
