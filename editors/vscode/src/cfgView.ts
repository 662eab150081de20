// The control-flow graph, or the dominator tree, of the function nearest to the cursor. Follows the cursor and edits; a click jumps.

import * as vscode from "vscode";
import { type Context, Panel, page, quietly, reveal } from "./webview";

/** What `wavelens/controlFlow` answers. */
interface Flow {
  function: string;
  nodes: { name: string; range: { start: { line: number }; end: { line: number } }; instructions: number }[];
  /** Of the whole function; a large one is drawn in part. */
  blocks: number;
  svg?: string;
  problem?: string;
  /** The block that was searched for. */
  found?: { start: { line: number } };
}

type FromPage =
  | { kind: "ready" }
  | { kind: "jump"; line: number }
  | { kind: "dominators"; on: boolean }
  | { kind: "save" }
  | { kind: "search"; name: string };

export class CfgView implements vscode.Disposable {
  private dominators = false;
  private source: vscode.Uri | undefined;
  private flow: Flow | undefined;
  private readonly disposables: vscode.Disposable[];
  private readonly panel: Panel<FromPage>;
  private readonly soon = quietly(150, () => void this.draw());

  constructor(private readonly context: Context) {
    const html = () => page(style, body, script);
    this.panel = new Panel<FromPage>(
      context,
      "wavelens.cfg",
      "Control Flow",
      html,
      (m) => this.heard(m),
      () => void this.draw(),
    );
    this.disposables = [
      this.panel,
      vscode.window.onDidChangeTextEditorSelection(() => this.panel.visible && this.soon()),
      vscode.window.onDidChangeActiveTextEditor(() => this.panel.visible && this.soon()),
      vscode.workspace.onDidChangeTextDocument(() => this.panel.visible && this.soon()),
    ];
  }

  dispose(): void {
    this.disposables.forEach((d) => void d.dispose());
  }

  /** Opens the panel for the function at the cursor, or at a place of a document. */
  async open(at?: { uri?: string; position?: { line: number; character: number } }): Promise<void> {
    if (at?.uri && at.position) {
      await reveal(vscode.Uri.parse(at.uri), new vscode.Position(at.position.line, at.position.character));
    }
    this.flow = undefined;
    if (!this.context.sources.last(true)) {
      void vscode.window.showInformationMessage("Wavelens: open an LLVM IR, MIR, SPIR-V or AMDGPU file first.");
      return;
    }
    if (!(await this.context.ready())) {
      return;
    }
    const flow = await this.ask();
    if (!flow) {
      void vscode.window.showInformationMessage("Wavelens: the file has no function with a body.");
      return;
    }
    await this.panel.show();
    this.send(flow);
  }

  private async ask(block?: string): Promise<Flow | undefined> {
    // Of the document last used, also while the panel covers its editor.
    const place = this.context.sources.last(true);
    const client = this.context.client();
    if (!place || !client) {
      return undefined;
    }
    this.source = place.document.uri;
    const flow = await client.sendRequest<Flow | null>("wavelens/controlFlow", {
      textDocument: { uri: this.source.toString() },
      position: client.code2ProtocolConverter.asPosition(place.position),
      dominators: this.dominators,
      block,
    });
    return flow ?? undefined;
  }

  private async draw(): Promise<void> {
    // An edit in between: the next one draws.
    const flow = await this.ask().catch(() => undefined);
    if (flow) {
      this.send(flow);
    }
  }

  private send(flow: Flow): void {
    const same = flow.svg === this.flow?.svg && flow.problem === this.flow?.problem;
    this.flow = flow;
    const line = this.context.sources.last(true)?.position.line ?? -1;
    const current = flow.nodes.findIndex((n) => n.range.start.line <= line && line <= n.range.end.line);
    const { svg, problem } = flow;
    const part = flow.blocks > flow.nodes.length;
    this.panel.post({ kind: "flow", ...(same ? {} : { svg, problem }), name: flow.function, current, part, dominators: this.dominators });
  }

  private heard(message: FromPage): void {
    if (message.kind === "jump" && this.source) {
      void reveal(this.source, new vscode.Position(message.line, 0));
    } else if (message.kind === "dominators") {
      this.dominators = message.on;
      void this.draw();
    } else if (message.kind === "save") {
      void this.save();
    } else if (message.kind === "search") {
      void this.search(message.name);
    }
  }

  /** Goes to a block that the picture of a large function does not have. */
  private async search(name: string): Promise<void> {
    const flow = await this.ask(name).catch(() => undefined);
    if (flow?.found && this.source) {
      await reveal(this.source, new vscode.Position(flow.found.start.line, 0));
      this.send(flow);
    } else {
      this.panel.post({ kind: "missing", name });
    }
  }

  private async save(): Promise<void> {
    const name = `${this.flow?.function.replace(/[^\w.-]/g, "") || "cfg"}.svg`;
    const folder = this.source ? vscode.Uri.joinPath(this.source, "..") : undefined;
    const file = await vscode.window.showSaveDialog({ defaultUri: folder && vscode.Uri.joinPath(folder, name), filters: { SVG: ["svg"] } });
    if (file && this.flow?.svg) {
      await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(this.flow.svg));
    }
  }
}

const style = `
body { height: 100vh; margin: 0; box-sizing: border-box; display: flex; flex-direction: column; }
#picture { flex: 1; overflow: auto; }
.legend i { display: inline-block; width: 14px; height: 0; margin: 0 4px 3px 8px; border-top: 2px solid; }
.legend .merge { border-top-style: dashed; } .legend .continue { border-top-style: dotted; }
.bar #block { flex: 0 1 9em; min-width: 4em; } #block.missing { border-color: var(--vscode-inputValidation-errorBorder, red); }
svg.flow .block.hit rect { stroke: var(--vscode-charts-yellow); stroke-width: 2.5; }
.legend .yes { border-color: var(--vscode-charts-green); } .legend .no { border-color: var(--vscode-charts-red); } .legend .back { border-color: var(--vscode-charts-purple); }
body svg.flow {
  --ink: var(--vscode-editor-foreground); --faint: var(--vscode-descriptionForeground); --paper: transparent;
  --block: var(--vscode-editorWidget-background); --rim: var(--vscode-editorWidget-border, var(--vscode-contrastBorder, #8886));
  --edge: var(--vscode-descriptionForeground); --yes: var(--vscode-charts-green); --no: var(--vscode-charts-red); --back: var(--vscode-charts-purple);
}
svg.flow .block { cursor: pointer; }
svg.flow .block:hover rect { stroke: var(--vscode-focusBorder); }
svg.flow .block.current rect { stroke: var(--vscode-focusBorder); stroke-width: 2.5; }
`;

const body = `<div class="bar">
<span class="group"><button id="graph" aria-pressed="true" title="Control-flow graph">Graph</button><button id="tree" aria-pressed="false" title="Dominator tree">Dominators</button></span>
<span class="grow"></span>
<input id="block" placeholder="block" title="Search a block by its name; Enter goes to the next one" aria-label="search block">
<span class="group"><button id="out" title="Smaller">−</button><button id="fit" title="Fit into the panel">Fit</button><button id="in" title="Larger">+</button></span><button id="save" title="Save as SVG">Save</button>
</div><div class="legend note" title="Edges: green if the condition is true, red if it is false, purple back to a loop's header; dashed to a merge block, dotted to a continue target"><i class="yes"></i>true <i class="no"></i>false <i class="back"></i>back<span id="structured" hidden> <i class="merge"></i>merge <i class="continue"></i>continue</span></div><div id="picture"></div>`;

const script = `
let scale = 1, chosen = false;
const svg = () => document.querySelector("svg.flow");
function zoom(to) {
  const s = svg();
  if (!s) return;
  scale = Math.min(4, Math.max(0.1, to));
  s.setAttribute("width", s.viewBox.baseVal.width * scale);
  s.setAttribute("height", s.viewBox.baseVal.height * scale);
}
const fit = (least) => {
  const { width, height } = svg().viewBox.baseVal;
  zoom(Math.max(least, Math.min(1, ($("picture").clientWidth - 12) / width, least ? 1 : ($("picture").clientHeight - 12) / height)));
};
$("in").onclick = () => { chosen = true; zoom(scale * 1.25); };
$("out").onclick = () => { chosen = true; zoom(scale / 1.25); };
$("fit").onclick = () => { chosen = true; if (svg()) fit(0); };
$("save").onclick = () => vscode.postMessage({ kind: "save" });
$("graph").onclick = () => vscode.postMessage({ kind: "dominators", on: false });
$("tree").onclick = () => vscode.postMessage({ kind: "dominators", on: true });
addEventListener("wheel", (e) => { if (e.ctrlKey) { e.preventDefault(); chosen = true; zoom(scale * (e.deltaY < 0 ? 1.1 : 1 / 1.1)); } }, { passive: false });
$("picture").onclick = (e) => {
  const block = e.target.closest(".block");
  if (block) vscode.postMessage({ kind: "jump", line: Number(block.dataset.line) });
};
let part = false, hits = [], hit = -1;
const bare = (name) => name.replace(/^[%$]/, "").toLowerCase();
function search(goOn) {
  const name = bare($("block").value.trim()), blocks = [...document.querySelectorAll(".block")];
  const named = (b) => bare(b.querySelector(".name").firstChild.textContent.trim());
  blocks.forEach((b) => b.classList.remove("hit"));
  $("block").classList.remove("missing");
  if (!name) return;
  const exact = blocks.filter((b) => named(b) === name);
  hits = exact.length ? exact : part ? [] : blocks.filter((b) => named(b).includes(name));
  hit = goOn ? (hit + 1) % Math.max(1, hits.length) : 0;
  const found = hits[hit];
  if (found) { found.classList.add("hit"); found.scrollIntoView({ block: "center", inline: "center" }); }
  else if (part && goOn) vscode.postMessage({ kind: "search", name: $("block").value.trim() });
  else $("block").classList.toggle("missing", !part);
  if (found && goOn) vscode.postMessage({ kind: "jump", line: Number(found.dataset.line) });
}
$("block").oninput = () => { hit = -1; search(false); };
$("block").onkeydown = (e) => { if (e.key === "Enter") { e.preventDefault(); search(true); } };
addEventListener("message", ({ data }) => {
  if (data.kind === "missing") { $("block").classList.add("missing"); return; }
  part = data.part;
  if (data.svg || data.problem) {
    $("picture").innerHTML = data.svg || '<p class="problem">' + esc(data.problem) + "</p>";
    // The width of the panel, as long as the text can be read.
    if (svg() && !chosen) fit(0.6);
    else zoom(scale);
    $("structured").hidden = !document.querySelector("path.merge, path.continue");
  }
  $("graph").setAttribute("aria-pressed", !data.dominators);
  $("tree").setAttribute("aria-pressed", data.dominators);
  document.querySelector(".legend").hidden = data.dominators;
  document.querySelectorAll(".block").forEach((b, i) => b.classList.toggle("current", i === data.current));
  const current = document.querySelector(".block.current");
  if (current) current.scrollIntoView({ block: "nearest", inline: "nearest" });
});
`;
