// What passes report that they did, or could not do: a table to filter by kind, pass and text. A click goes to the line.

import * as vscode from "vscode";
import { type Context, reveal, SourceView } from "./webview";

type FromPage = { kind: "ready" } | { kind: "jump"; line: number } | { kind: "copy"; text: string };

export class RemarksView extends SourceView<FromPage> {
  constructor(context: Context) {
    super(context, "wavelens.remarks", "Optimization Remarks", { style, body, script }, 1000, "an LLVM IR or MIR");
  }

  protected heard(message: FromPage): void {
    if (message.kind === "copy") {
      void vscode.env.clipboard.writeText(message.text);
    } else if (message.kind === "jump" && this.source) {
      void reveal(this.source, new vscode.Position(message.line, 0));
    }
  }

  protected question(): { method: string; params: object } {
    return { method: "wavelens/remarks", params: {} };
  }

  protected answered(found: unknown): void {
    this.panel.post({ kind: "remarks", found });
  }

  protected failed(problem: string): void {
    this.answered({ remarks: [], commands: [], problem });
  }
}

const style = `
table { border-collapse: collapse; width: 100%; }
td { padding: 3px 8px; vertical-align: top; border-bottom: 1px solid var(--vscode-widget-border, var(--vscode-editorWidget-border, #8884)); }
#note { white-space: nowrap; }
td.place, td.kind, td.pass { white-space: nowrap; }
td.place { text-align: right; font-variant-numeric: tabular-nums; }
tr[data-line] { cursor: pointer; } tr[data-line]:hover, tr:focus { background: var(--vscode-list-hoverBackground); }
.missed, .failure { color: var(--vscode-charts-orange); } .passed { color: var(--vscode-charts-green); } .analysis { color: var(--vscode-descriptionForeground); }
.busy table { opacity: 0.5; }
`;

const body = `<div class="bar"><span class="group" id="kinds"><button data-kind="missed" aria-pressed="true">Missed</button><button data-kind="passed" aria-pressed="true">Passed</button><button data-kind="analysis" aria-pressed="false">Analysis</button></span>
<input id="text" placeholder="pass or words" aria-label="filter by pass or words"><span class="note" id="note"></span><button id="copy" title="Copy the commands that were run">Copy<span class="wide"> commands</span></button><button id="refresh" title="Run the passes again" aria-label="Refresh">↻</button></div>
<table><tbody id="rows"></tbody></table>`;

const script = `
let found = { remarks: [], commands: [] };
function list() {
  const kinds = [...document.querySelectorAll("#kinds button[aria-pressed=true]")].map((b) => b.dataset.kind);
  // What a pass could not do although the code asks for it goes with what it missed.
  const kindOf = (r) => (r.kind === "failure" ? "missed" : r.kind);
  const part = $("text").value.toLowerCase();
  const shown = found.remarks.filter((r) => kinds.includes(kindOf(r)) && [r.pass, r.message, r.function, r.name].some((t) => t.toLowerCase().includes(part)));
  $("note").textContent = shown.length + " of " + found.remarks.length;
  const row = (r) => '<tr tabindex="0"' + (r.line === undefined ? "" : ' data-line="' + r.line + '"') + '><td class="place">' + (r.line === undefined ? esc(r.function) : r.line + 1) +
    '</td><td class="kind ' + esc(r.kind) + '">' + esc(r.kind) + '</td><td class="pass" title="' + esc(r.name) + '"><code>' + esc(r.pass) + '</code> <span class="note">' + esc(r.tool) + "</span></td><td>" + esc(r.message) + "</td></tr>";
  const nothing = found.problem || (found.remarks.length ? "No remark passes the filters." : "The passes report nothing.");
  $("rows").innerHTML = shown.length ? shown.map(row).join("") : '<tr><td class="' + (found.problem ? "problem" : "note") + '">' + esc(nothing) + "</td></tr>";
}
const jump = (e) => { const row = e.target.closest("tr[data-line]"); if (row) vscode.postMessage({ kind: "jump", line: Number(row.dataset.line) }); };
$("rows").onclick = jump;
$("rows").onkeydown = (e) => { if (e.key === "Enter") jump(e); };
$("kinds").onclick = (e) => { const b = e.target.closest("button"); if (b) { b.setAttribute("aria-pressed", b.getAttribute("aria-pressed") !== "true"); list(); } };
$("text").oninput = list;
$("refresh").onclick = () => vscode.postMessage({ kind: "refresh" });
$("copy").onclick = () => vscode.postMessage({ kind: "copy", text: found.commands.join("\\n") });
addEventListener("message", ({ data }) => {
  document.body.classList.toggle("busy", data.kind === "busy");
  if (data.kind === "busy") { $("note").textContent = "running …"; return; }
  found = data.found;
  list();
});
`;
