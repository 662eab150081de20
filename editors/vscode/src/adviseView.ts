// Changes that give a kernel more waves or fewer spills. Each was compiled; the table shows its figures and the command that repeats it.

import * as vscode from "vscode";
import { type Context, describe, reveal, SourceView } from "./webview";

type FromPage = { kind: "ready" } | { kind: "copy"; text: string } | { kind: "apply"; edits: Edit[] };

/** Of the protocol. */
interface Edit {
  range: { start: vscode.Position; end: vscode.Position };
  newText: string;
}

export class AdviseView extends SourceView<FromPage> {
  constructor(context: Context) {
    // Some twenty compilations: only when the user asks.
    super(context, "wavelens.advise", "Occupancy Advice", { style, body, script }, undefined, "an LLVM IR or MIR");
  }

  protected heard(message: FromPage): void {
    if (message.kind === "copy") {
      void vscode.env.clipboard.writeText(message.text);
    } else if (message.kind === "apply") {
      void this.apply(message.edits);
    }
  }

  /** Writes an attribute into the source. The page offers it only as long as the source is as it was compiled. */
  private async apply(edits: Edit[]): Promise<void> {
    const source = this.source;
    if (!source) {
      return;
    }
    const range = ({ start, end }: Edit["range"]) => new vscode.Range(start.line, start.character, end.line, end.character);
    const edit = new vscode.WorkspaceEdit();
    edit.set(
      source,
      edits.map((e) => vscode.TextEdit.replace(range(e.range), e.newText)),
    );
    await vscode.workspace.applyEdit(edit);
    const first = edits[0]?.range.start;
    if (first) {
      await reveal(source, new vscode.Position(first.line, first.character));
    }
  }

  protected question(): { method: string; params: object } {
    return { method: "wavelens/advise", params: {} };
  }

  protected answered(advice: unknown, source: vscode.Uri): void {
    this.panel.post({ kind: "advice", advice, source: describe(source, advice) });
  }

  protected failed(problem: string): void {
    this.panel.post({ kind: "advice", advice: { kernels: [], problem }, source: "" });
  }
}

const style = `
table { border-collapse: collapse; margin: 6px 0 18px; font-variant-numeric: tabular-nums; }
th, td { padding: 4px 10px; text-align: right; border-bottom: 1px solid var(--vscode-widget-border, var(--vscode-editorWidget-border, #8884)); }
th { color: var(--vscode-descriptionForeground); font-weight: normal; }
th:first-child, td:first-child { text-align: left; }
td.better { color: var(--vscode-charts-green); font-weight: bold; } td.worse { color: var(--vscode-charts-red); }
tr.none { color: var(--vscode-descriptionForeground); }
.hide .none { display: none; }
.busy #kernels { opacity: 0.5; }
td:last-child { white-space: nowrap; } td button + button { margin-left: 4px; }
`;

const body = `<div class="bar"><span class="grow note" id="note"></span><button id="all" aria-pressed="false" title="Show changes without an effect too">All trials</button><button id="refresh" title="Try the changes again" aria-label="Refresh">↻</button></div><div id="kernels" class="hide"></div>`;

const script = `
const figures = [["waves", "occupancy", 1], ["VGPR", "vgprs", -1], ["AGPR", "agprs", -1], ["SGPR", "sgprs", -1], ["VGPR spills", "vgpr_spills", -1], ["SGPR spills", "sgpr_spills", -1], ["scratch (B)", "scratch", -1]];
const limits = { vgprs: "vector registers", sgprs: "scalar registers", lds: "LDS", workgroup: "the size of the workgroup", hardware: "the hardware" };
let commands = [], changes = [];
function show(advice) {
  commands = [];
  changes = [];
  if (advice.problem) return '<p class="problem">' + esc(advice.problem) + "</p>";
  if (!advice.kernels.length) return '<p class="note">This file has no kernels.</p>';
  return advice.kernels.map((k) => {
    const used = figures.filter(([, f]) => k.base[f] > 0 || k.trials.some((t) => t.resources && t.resources[f] > 0));
    const head = "<tr><th>change</th>" + used.map(([name]) => "<th>" + name + "</th>").join("") + "<th></th></tr>";
    const base = "<tr><td>as it is</td>" + used.map(([, f]) => "<td>" + k.base[f] + "</td>").join("") + "<td></td></tr>";
    const rows = k.trials.map((t) => {
      const cell = ([, f, sign]) => {
        const gain = (t.resources[f] - k.base[f]) * sign;
        return '<td class="' + (gain > 0 ? "better" : gain < 0 ? "worse" : "") + '">' + t.resources[f] + "</td>";
      };
      const button = t.command ? '<button data-command="' + (commands.push(t.command) - 1) + '" title="' + esc(t.command) + '">Copy command</button>' : "";
      const apply = t.edits && t.edits.length ? '<button data-change="' + (changes.push(t.edits) - 1) + '" title="Write the attribute into the file">Apply</button>' : "";
      const condition = t.condition ? '<br><span class="note">' + esc(t.condition) + "</span>" : "";
      return '<tr class="' + esc(t.effect) + '"><td>' + esc(t.change) + condition + "</td>" + used.map(cell).join("") + "<td>" + apply + button + "</td></tr>";
    }).join("");
    const helpful = k.trials.filter((t) => t.effect === "gain" || t.effect === "trade").length;
    const limit = k.base.limit ? "Limited by " + (limits[k.base.limit] || k.base.limit) + ". " : "";
    const result = !k.limited ? "Nothing to gain: no spills, and as many waves as the hardware takes."
      : limit + (helpful ? "" : "None of " + k.trials.length + " changes gives more waves or fewer spills.");
    return "<h3><code>" + esc(k.kernel) + '</code></h3><p class="note result">' + esc(result) + "</p>" + (k.limited ? "<table>" + head + base + rows + "</table>" : "");
  }).join("");
}
$("all").onclick = () => { const hidden = $("kernels").classList.toggle("hide"); $("all").setAttribute("aria-pressed", !hidden); };
$("refresh").onclick = () => vscode.postMessage({ kind: "refresh" });
$("kernels").onclick = (e) => { const b = e.target.closest("[data-command]"); if (b) vscode.postMessage({ kind: "copy", text: commands[Number(b.dataset.command)] });
  const change = e.target.closest("[data-change]"); if (change) vscode.postMessage({ kind: "apply", edits: changes[Number(change.dataset.change)] }); };
addEventListener("message", ({ data }) => {
  if (data.kind === "edited") {
    $("note").textContent = "edited since; refresh to try again";
    for (const change of document.querySelectorAll("[data-change]")) change.disabled = true;
    return;
  }
  document.body.classList.toggle("busy", data.kind === "busy");
  if (data.kind === "busy") { $("note").textContent = "compiling with each change …"; return; }
  $("note").textContent = data.source;
  $("kernels").innerHTML = show(data.advice);
});
`;
