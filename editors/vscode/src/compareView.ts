// One table for each kernel: what it needs on several processors, best and worst marked. Kept fresh while the source is edited.

import * as vscode from "vscode";
import { type Context, describe, SourceView } from "./webview";

type FromPage = { kind: "ready" } | { kind: "targets"; targets: string[]; levels: number[] };

export class CompareView extends SourceView<FromPage> {
  private targets: string[] = [];
  private levels: number[] = [];

  constructor(context: Context) {
    super(context, "wavelens.compare", "Compare Targets", { style, body, script }, 600, "an LLVM IR, MIR or SPIR-V");
  }

  protected heard(message: FromPage): void {
    if (message.kind === "targets") {
      this.targets = message.targets;
      this.levels = message.levels;
      void this.fill();
    }
  }

  protected question(): { method: string; params: object } {
    return { method: "wavelens/compare", params: { targets: this.targets, levels: this.levels } };
  }

  protected async answered(table: unknown, source: vscode.Uri): Promise<void> {
    const textDocument = { uri: source.toString() };
    const told = await this.context.client()?.sendRequest<{ processor?: string } | null>("wavelens/configuration", { textDocument });
    // A file may be for several processors.
    const own = told?.processor?.split(", ") ?? [];
    this.panel.post({ kind: "table", table, own, source: describe(source, table) });
  }

  protected failed(problem: string): void {
    this.panel.post({ kind: "problem", problem });
  }
}

const style = `
table { border-collapse: collapse; margin: 6px 0 18px; font-variant-numeric: tabular-nums; }
th, td { padding: 4px 8px; text-align: right; border-bottom: 1px solid var(--vscode-widget-border, var(--vscode-editorWidget-border, #8884)); }
th { color: var(--vscode-descriptionForeground); font-weight: normal; position: sticky; top: 0; background: var(--vscode-editor-background); z-index: 1; }
tr.own td:first-child code { border-left: 3px solid var(--vscode-charts-blue); }
th[data-field] { cursor: pointer; } th[aria-sort=ascending]::after { content: " ↑"; } th[aria-sort=descending]::after { content: " ↓"; }
td[style] { background-repeat: no-repeat; background-position: left 4px bottom 1px; background-image: linear-gradient(var(--vscode-charts-blue), var(--vscode-charts-blue)); }
th:first-child, td:first-child, td.why, th.why { text-align: left; }
td.why { min-width: 12em; }
td code { white-space: nowrap; }
td.best { color: var(--vscode-charts-green); font-weight: bold; } td.best::after { content: " ▲"; font-size: 70%; }
td.worst { color: var(--vscode-charts-red); } td.worst::after { content: " ▼"; font-size: 70%; }
td.even::after { content: " ▲"; font-size: 70%; visibility: hidden; }
.busy table { opacity: 0.5; }
.bar #levels { flex: 0 0 3.5em; min-width: 2.5em; }
`;

const body = `<div class="bar"><label for="targets">Targets</label> <input id="targets" placeholder="one of each generation" title="Processors, such as gfx90a, gfx1100"> <label for="levels">-O</label> <input id="levels" placeholder="2" title="Optimization levels, such as 0 2 3">
<span class="grow note" id="note"></span><button id="refresh" title="Compile again" aria-label="Refresh">↻</button></div><div id="tables"></div>`;

const script = `
const figures = [["VGPR", "vgprs"], ["AGPR", "agprs"], ["SGPR", "sgprs"], ["VGPR spills", "vgpr_spills"], ["SGPR spills", "sgpr_spills"],
  ["scratch (B)", "scratch"], ["LDS (B)", "lds"], ["code (B)", "code_size"], ["waves", "occupancy"]];
const words = (id) => $(id).value.split(/[\\s,]+/).filter(Boolean);
const ask = () => vscode.postMessage({ kind: "targets", targets: words("targets"), levels: words("levels").map(Number).filter((n) => n >= 0 && n <= 3) });
$("targets").onchange = $("levels").onchange = ask;
let last, own = [], order = { field: "", sign: 1 };
$("tables").onclick = (e) => {
  const head = e.target.closest("th[data-field]");
  if (!head || !last) return;
  const { field } = head.dataset;
  // A third click gives the order of the targets back.
  order = order.field !== field ? { field, sign: 1 } : order.sign > 0 ? { field, sign: -1 } : { field: "", sign: 1 };
  $("tables").innerHTML = show(last);
};
$("refresh").onclick = () => vscode.postMessage({ kind: "refresh" });
function cell(c, field, most) {
  const share = most > 0 ? Math.round((90 * c.resources[field]) / most) : 0;
  const bar = ' style="background-size: ' + share + '% 2px"';
  const mark = c.best.includes(field) ? "best" : c.worst.includes(field) ? "worst" : "even";
  return '<td class="' + mark + '"' + bar + (mark === "even" ? "" : ' title="' + mark + ' of this kernel"') + ">" + esc(c.resources[field]) + "</td>";
}
function show(table) {
  const problem = table.targets.find((t) => t.problem);
  if (!table.rows.length) return '<p class="problem">' + esc(problem ? problem.problem : "There is no kernel in this file.") + "</p>";
  // Columns of nothing but zeros say nothing.
  const used = figures.filter(([, f]) => table.rows.some((r) => r.cells.some((c) => c && c.resources[f] > 0)));
  return table.rows.map((row) => {
    const head = "<tr><th>target</th>" + used.map(([name, f]) => '<th data-field="' + f + '" title="Sort by this column"' + (order.field === f ? ' aria-sort="' + (order.sign > 0 ? "ascending" : "descending") + '"' : "") + ">" + name + "</th>").join("") + '<th class="why">limited by</th></tr>';
    const most = Object.fromEntries(used.map(([, f]) => [f, Math.max(...row.cells.map((c) => (c ? c.resources[f] : 0)))]));
    const figure = (i) => (row.cells[i] ? row.cells[i].resources[order.field] * order.sign : Infinity);
    const columns = table.targets.map((_, i) => i);
    if (order.field) columns.sort((a, b) => figure(a) - figure(b));
    const title = (t) => t.target + (t.opt === undefined || t.opt === null ? "" : " -O" + t.opt);
    // Targets with the same figures share a row.
    const same = (i) => { const c = row.cells[i]; return c ? JSON.stringify([used.map(([, f]) => c.resources[f]), c.resources.limit, c.resources.gain]) : "no " + i; };
    const first = {};
    for (const i of columns) (first[same(i)] ??= []).push(i);
    const rows = Object.values(first).map((all) => {
      const i = all[0], t = table.targets[i], c = row.cells[i], name = title(t);
      if (!c) return "<tr><td>" + esc(name) + '</td><td class="why note" colspan="' + (used.length + 1) + '">' + esc(t.problem || "not compiled") + "</td></tr>";
      const gain = c.resources.gain;
      const fewer = gain ? "; " + gain.fewer + " fewer give" + (gain.fewer === 1 ? "s " : " ") + (gain.more === 1 ? "one more wave" : gain.more + " more waves") : "";
      const why = (c.resources.limit || "") + fewer;
      const isOwn = all.some((n) => own.includes(table.targets[n].target));
      const names = all.map((n) => "<code>" + esc(title(table.targets[n])) + "</code>").join(" ");
      return "<tr" + (isOwn ? ' class="own"' : "") + ' title="' + esc((isOwn ? "What the file is for. " : "") + t.command) + '"><td>' + names + "</td>" + used.map(([, f]) => cell(c, f, most[f])).join("") + '<td class="why note">' + esc(why) + "</td></tr>";
    });
    return "<h3><code>" + esc(row.kernel) + "</code></h3><table>" + head + rows.join("") + "</table>";
  }).join("");
}
addEventListener("message", ({ data }) => {
  document.body.classList.toggle("busy", data.kind === "busy");
  if (data.kind === "busy") { $("note").textContent = "compiling …"; return; }
  $("note").textContent = data.source || "";
  last = data.table;
  own = data.own || [];
  $("tables").innerHTML = data.kind === "table" ? show(data.table) : '<p class="problem">' + esc(data.problem) + "</p>";
  if (data.table && !$("targets").value) $("targets").value = [...new Set(data.table.targets.map((t) => t.target))].join(", ");
});
`;
