// One table for each kernel: what it needs on several processors, best and worst marked. Kept fresh while the source is edited.

import * as vscode from "vscode";
import { type Context, SourceView } from "./webview";

type FromPage = { kind: "ready" } | { kind: "targets"; targets: string[] };

export class CompareView extends SourceView<FromPage> {
  private targets: string[] = [];

  constructor(context: Context) {
    super(context, "wavelens.compare", "Compare Targets", { style, body, script }, 600, "an LLVM IR, MIR or SPIR-V");
  }

  protected heard(message: FromPage): void {
    if (message.kind === "targets") {
      this.targets = message.targets;
      void this.fill();
    }
  }

  protected question(): { method: string; params: object } {
    return { method: "wavelens/compare", params: { targets: this.targets } };
  }

  protected answered(table: unknown, source: vscode.Uri): void {
    this.panel.post({ kind: "table", table, source: vscode.workspace.asRelativePath(source) });
  }

  protected failed(problem: string): void {
    this.panel.post({ kind: "problem", problem });
  }
}

const style = `
table { border-collapse: collapse; margin: 6px 0 18px; font-variant-numeric: tabular-nums; }
th, td { padding: 4px 12px; text-align: right; border-bottom: 1px solid var(--vscode-widget-border, var(--vscode-editorWidget-border, #8884)); }
th { color: var(--vscode-descriptionForeground); font-weight: normal; }
th:first-child, td:first-child, td.why, th.why { text-align: left; }
td.best { color: var(--vscode-charts-green); font-weight: bold; } td.best::after { content: " ▲"; font-size: 70%; }
td.worst { color: var(--vscode-charts-red); } td.worst::after { content: " ▼"; font-size: 70%; }
td.even::after { content: " ▲"; font-size: 70%; visibility: hidden; }
.busy table { opacity: 0.5; }
`;

const body = `<div class="bar"><label for="targets">Targets</label> <input id="targets" placeholder="one of each generation" title="Processors, such as gfx90a, gfx1100">
<span class="grow note" id="note"></span><button id="refresh" title="Compile again" aria-label="Refresh">↻</button></div><div id="tables"></div>`;

const script = `
const figures = [["VGPR", "vgprs"], ["AGPR", "agprs"], ["SGPR", "sgprs"], ["VGPR spills", "vgpr_spills"], ["SGPR spills", "sgpr_spills"],
  ["scratch (B)", "scratch"], ["LDS (B)", "lds"], ["code (B)", "code_size"], ["waves", "occupancy"]];
$("targets").onchange = () => vscode.postMessage({ kind: "targets", targets: $("targets").value.split(/[\\s,]+/).filter(Boolean) });
$("refresh").onclick = () => vscode.postMessage({ kind: "refresh" });
function cell(c, field) {
  const mark = c.best.includes(field) ? "best" : c.worst.includes(field) ? "worst" : "even";
  return '<td class="' + mark + '"' + (mark === "even" ? "" : ' title="' + mark + ' of this kernel"') + ">" + esc(c.resources[field]) + "</td>";
}
function show(table) {
  const problem = table.targets.find((t) => t.problem);
  if (!table.rows.length) return '<p class="problem">' + esc(problem ? problem.problem : "There is no kernel in this file.") + "</p>";
  // Columns of nothing but zeros say nothing.
  const used = figures.filter(([, f]) => table.rows.some((r) => r.cells.some((c) => c && c.resources[f] > 0)));
  return table.rows.map((row) => {
    const head = "<tr><th>target</th>" + used.map(([name]) => "<th>" + name + "</th>").join("") + '<th class="why">limited by</th></tr>';
    const rows = table.targets.map((t, i) => {
      const c = row.cells[i];
      if (!c) return "<tr><td>" + esc(t.target) + '</td><td class="why note" colspan="' + (used.length + 1) + '">' + esc(t.problem || "not compiled") + "</td></tr>";
      const fewer = c.resources.fewer_vgprs ? "; " + c.resources.fewer_vgprs + " VGPRs fewer give one more wave" : "";
      const why = (c.resources.limit || "") + fewer;
      return '<tr title="' + esc(t.command) + '"><td><code>' + esc(t.target) + "</code></td>" + used.map(([, f]) => cell(c, f)).join("") + '<td class="why note">' + esc(why) + "</td></tr>";
    });
    return "<h3><code>" + esc(row.kernel) + "</code></h3><table>" + head + rows.join("") + "</table>";
  }).join("");
}
addEventListener("message", ({ data }) => {
  document.body.classList.toggle("busy", data.kind === "busy");
  if (data.kind === "busy") { $("note").textContent = "compiling …"; return; }
  $("note").textContent = data.source || "";
  $("tables").innerHTML = data.kind === "table" ? show(data.table) : '<p class="problem">' + esc(data.problem) + "</p>";
  if (data.table && !$("targets").value) $("targets").value = data.table.targets.map((t) => t.target).join(", ");
});
`;
