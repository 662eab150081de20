// What each pass of opt and llc changed: a list to filter by pass and function, and the diff of the one that is chosen.

import * as vscode from "vscode";
import { passScheme } from "./isaUri";
import { showProblem } from "./notify";
import { type Context, SourceView } from "./webview";

type FromPage = { kind: "ready" } | { kind: "copy"; text: string } | { kind: "open"; pass: string };

export class PassesView extends SourceView<FromPage> implements vscode.TextDocumentContentProvider {
  private readonly provider = vscode.workspace.registerTextDocumentContentProvider(passScheme, this);

  constructor(context: Context) {
    super(context, "wavelens.passes", "Pass Pipeline", { style, body, script }, 800, "an LLVM IR or MIR");
  }

  override dispose(): void {
    this.provider.dispose();
    super.dispose();
  }

  protected heard(message: FromPage): void {
    if (message.kind === "copy") {
      void vscode.env.clipboard.writeText(message.text);
    } else if (message.kind === "open") {
      void this.openMir(message.pass);
    }
  }

  /** The Machine IR after a pass: the source and the pass are in the address. */
  async provideTextDocumentContent(view: vscode.Uri): Promise<string> {
    const textDocument = { uri: view.query };
    const params = { textDocument, pass: view.fragment };
    const answer = await this.context.client()?.sendRequest<{ text: string; problem?: string }>("wavelens/runTo", params);
    if (!answer?.text) {
      showProblem(answer?.problem ?? "the server does not answer");
    }
    return answer?.text ?? "";
  }

  /** Opens the Machine IR after a pass, read-only, next to the other sources. */
  private async openMir(pass: string): Promise<void> {
    if (!this.source) {
      return;
    }
    const path = `${this.source.path}.${pass.replace(/[^\w.-]/g, "_")}.mir`;
    const view = vscode.Uri.from({ scheme: passScheme, path, query: this.source.toString(), fragment: pass });
    const document = await vscode.workspace.openTextDocument(view);
    if (document.getText()) {
      const viewColumn = vscode.window.visibleTextEditors.find((e) => e.document.uri.toString() === this.source?.toString())?.viewColumn;
      await vscode.window.showTextDocument(document, { viewColumn, preview: true });
    }
  }

  protected question(): { method: string; params: object } {
    return { method: "wavelens/passes", params: {} };
  }

  protected answered(passes: unknown): void {
    this.panel.post({ kind: "passes", passes });
  }

  protected failed(problem: string): void {
    this.answered({ changes: [], commands: [], problem });
  }
}

const style = `
body { height: 100vh; margin: 0; box-sizing: border-box; display: flex; flex-direction: column; }
main { flex: 1; display: flex; min-height: 0; }
#split { flex: none; width: 5px; margin: 0 3px; cursor: col-resize; border-left: 1px solid var(--vscode-panel-border, var(--vscode-editorWidget-border, #8884)); }
#split:hover { border-color: var(--vscode-focusBorder); }
#list { flex: none; width: 40%; overflow: auto; margin: 0; padding: 0; list-style: none; }
#list li { padding: 3px 6px; cursor: pointer; }
#list .figures { display: flex; gap: 8px; } #list .where { flex: 1; overflow-wrap: anywhere; }
#note { flex: 1 0 auto; }
#list li:hover { background: var(--vscode-list-hoverBackground); }
#list li { outline-offset: -1px; }
#list li:hover { outline: 1px dashed var(--vscode-contrastActiveBorder, transparent); }
#list li[aria-selected=true] { outline: 1px solid var(--vscode-contrastActiveBorder, transparent); }
#list li[aria-selected=true] { background: var(--vscode-list-activeSelectionBackground); color: var(--vscode-list-activeSelectionForeground); }
#list .name { overflow-wrap: anywhere; }
#list li[aria-selected=true] .note { color: inherit; }
.add { color: var(--vscode-charts-green); } .del { color: var(--vscode-charts-red); }
@media (max-width: 480px) {
  main { flex-direction: column; } #list { width: auto !important; height: 40%; } #diff { border-top: 1px solid var(--vscode-panel-border, #8884); } #split { display: none; }
}
#diff { flex: 1; margin: 0; overflow: auto; font: var(--vscode-editor-font-size) var(--vscode-editor-font-family); }
#diff div { padding: 0 6px; min-height: 1.2em; white-space: pre; width: max-content; min-width: 100%; box-sizing: border-box; }
#diff .plus { background: var(--vscode-diffEditor-insertedLineBackground, #2ea04326); } #diff .minus { background: var(--vscode-diffEditor-removedLineBackground, #f8514926); }
#diff .at { color: var(--vscode-descriptionForeground); }
`;

const body = `<div class="bar"><input id="pass" placeholder="pass" aria-label="filter by pass"><input id="function" placeholder="function" aria-label="filter by function">
<span class="grow note wide" id="note"></span><button id="open" disabled title="Open the Machine IR after the chosen pass">Open MIR</button><button id="copy" title="Copy the commands that were run">Copy<span class="wide"> commands</span></button><button id="refresh" title="Run the passes again" aria-label="Refresh">↻</button></div>
<main><ul id="list" tabindex="0" role="listbox"></ul><div id="split" role="separator" title="Drag to resize"></div><pre id="diff"></pre></main>`;

const script = `
let passes = { changes: [], commands: [] }, shown = [], chosen;
const key = (c) => c && [c.tool, c.pass, c.argument, c.function].join(" ");
function list() {
  const has = (text, part) => text.toLowerCase().includes(part.toLowerCase());
  const pass = $("pass").value, fn = $("function").value;
  shown = passes.changes.filter((c) => (has(c.pass, pass) || has(c.argument || "", pass)) && has(c.function, fn));
  const several = new Set(passes.changes.map((c) => c.function)).size > 1;
  $("note").textContent = shown.length + " of " + passes.changes.length + " changes";
  $("list").innerHTML = shown.map((c, i) => '<li role="option" data-i="' + i + '" title="' + esc(c.pass + (c.argument ? " (" + c.argument + ")" : "")) + '"><div class="name">' + esc(c.pass) +
    '</div><div class="figures"><span class="note where">' + esc([c.tool, several ? c.function : "", c.argument].filter(Boolean).join(" · ")) + '</span><span class="add">+' + c.added + '</span><span class="del">−' + c.removed + "</span></div></li>").join("");
  choose(Math.max(0, shown.findIndex((c) => key(c) === key(chosen))));
}
function choose(i) {
  const c = shown[i];
  document.querySelectorAll("#list li").forEach((li) => li.setAttribute("aria-selected", Number(li.dataset.i) === i));
  const li = document.querySelector('#list li[data-i="' + i + '"]');
  if (li) li.scrollIntoView({ block: "nearest" });
  if (c) chosen = c;
  $("open").disabled = !c || c.tool !== "llc" || !c.argument;
  const kind = { "+": "plus", "-": "minus", "@": "at" };
  const lines = c ? c.diff.split("\\n") : [];
  $("diff").innerHTML = lines.length ? lines.map((l) => '<div class="' + (kind[l[0]] || "") + '">' + (kind[l[0]] === "at" ? esc(l) : painted(l)) + "</div>").join("")
    : '<div class="' + (passes.problem ? "problem" : "note") + '">' + esc(passes.problem || (passes.changes.length ? "No pass of that name changed something." : "")) + "</div>";
}
$("pass").oninput = $("function").oninput = list;
$("list").onclick = (e) => { const li = e.target.closest("li"); if (li) choose(Number(li.dataset.i)); };
$("list").onkeydown = (e) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
  if (step) { e.preventDefault(); choose(Math.min(shown.length - 1, Math.max(0, shown.indexOf(chosen) + step))); }
};
$("open").onclick = () => vscode.postMessage({ kind: "open", pass: chosen.argument });
$("refresh").onclick = () => vscode.postMessage({ kind: "refresh" });
$("split").onpointerdown = (e) => {
  $("split").setPointerCapture(e.pointerId);
  $("split").onpointermove = (m) => { $("list").style.width = Math.max(80, m.clientX - $("list").getBoundingClientRect().left) + "px"; };
  $("split").onpointerup = () => { $("split").onpointermove = null; };
};
$("copy").onclick = () => vscode.postMessage({ kind: "copy", text: passes.commands.join("\\n") });
addEventListener("message", ({ data }) => {
  if (data.kind === "busy") { $("note").textContent = "running …"; return; }
  passes = data.passes;
  list();
});
`;
