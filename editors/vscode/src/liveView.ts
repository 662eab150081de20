// The live registers of the function at the cursor, one column each, next to its instructions. A click goes to the line.

import * as vscode from "vscode";
import { type Context, Panel, page, quietly, reveal } from "./webview";

/** What `wavelens/liveRegisters` answers. Instructions are named by their lines, and spans by numbers of instructions. */
interface LiveMap {
  function: string;
  lines: number[];
  registers: { name: string; spans: [number, number][] }[];
}

type FromPage = { kind: "ready" } | { kind: "jump"; line: number };

export class LiveView implements vscode.Disposable {
  private source: vscode.Uri | undefined;
  private readonly panel: Panel<FromPage>;
  private readonly soon = quietly(200, () => void this.draw());
  private readonly disposables: vscode.Disposable[];

  constructor(private readonly context: Context) {
    const html = () => page(style, body, script);
    this.panel = new Panel<FromPage>(
      context,
      "wavelens.live",
      "Live Registers",
      html,
      (message) => message.kind === "jump" && this.source && void reveal(this.source, new vscode.Position(message.line, 0)),
      () => void this.draw(),
    );
    const follow = () => this.panel.visible && this.soon();
    this.disposables = [
      this.panel,
      vscode.window.onDidChangeTextEditorSelection(follow),
      vscode.window.onDidChangeActiveTextEditor(follow),
      vscode.workspace.onDidChangeTextDocument(follow),
    ];
  }

  dispose(): void {
    this.disposables.forEach((d) => void d.dispose());
  }

  async open(): Promise<void> {
    const language = this.context.sources.last(true)?.document.languageId ?? "";
    if (!["mir", "amdgpu"].includes(language)) {
      void vscode.window.showInformationMessage("Wavelens: open a MIR or AMDGPU file, or the generated ISA, first.");
      return;
    }
    if (!(await this.context.ready())) {
      return;
    }
    await this.panel.show();
    await this.draw();
  }

  private async draw(): Promise<void> {
    const place = this.context.sources.last(true);
    const client = this.context.client();
    if (!place || !client || !["mir", "amdgpu"].includes(place.document.languageId)) {
      return;
    }
    const { document, position } = place;
    const params = { textDocument: { uri: document.uri.toString() }, position: client.code2ProtocolConverter.asPosition(position) };
    // An edit in between: the next one draws.
    const map = await client.sendRequest<LiveMap | null>("wavelens/liveRegisters", params).catch(() => undefined);
    if (map === undefined) {
      return;
    }
    this.source = document.uri;
    const texts = map?.lines.map((line) => (line < document.lineCount ? document.lineAt(line).text.trim() : "")) ?? [];
    this.panel.post({ kind: "map", map, texts, line: position.line });
  }
}

const style = `
body { height: 100vh; margin: 0; box-sizing: border-box; display: flex; flex-direction: column; }
.bar #name { flex: 0 1 13em; }
#scroll { flex: 1; overflow: auto; position: relative; }
canvas { position: sticky; top: 0; left: 0; display: block; }
`;

const body = `<div class="bar"><input id="name" placeholder="filter: v, s, vgpr" aria-label="filter registers by name"><span class="grow note" id="note"></span></div>
<div id="scroll" tabindex="0"><div id="space"><canvas id="map" role="img"></canvas></div></div>`;

const script = `
const row = 17, column = 9, textWidth = 300;
let map = null, texts = [], current = -1, shown = [], top0 = 70;
/** The class of a virtual register is in the tooltip. */
const heading = (r) => r.name.split(":")[0];
const files = { v: "--vscode-charts-blue", a: "--vscode-charts-purple", s: "--vscode-charts-green" };
/** Vector, accumulation and scalar registers, by their name or class. */
const file = (r) => files[(r.name.split(":")[1] || r.name).replace(/^[%$]/, "")[0]] || "--vscode-charts-yellow";
const colour = (name) => getComputedStyle(document.body).getPropertyValue(name).trim() || getComputedStyle(document.body).color;
function choose() {
  const part = $("name").value.toLowerCase();
  shown = map ? map.registers.filter((r) => r.name.toLowerCase().replace(/^[%$]/, "").startsWith(part) || r.name.toLowerCase().includes(part) && part.length > 1) : [];
  const counts = new Uint32Array(map ? map.lines.length : 0);
  shown.forEach((r) => r.spans.forEach(([a, b]) => { for (let i = a; i <= b; i++) counts[i]++; }));
  let most = -1;
  counts.forEach((n, i) => { if (most < 0 || n > counts[most]) most = i; });
  choose.counts = counts; choose.most = most;
  top0 = Math.min(150, 12 + Math.max(30, ...shown.map((r) => heading(r).length * 6.5)));
  $("note").textContent = !map ? "No function with registers here." : map.function + ": " + shown.length + " registers" + (most >= 0 && shown.length ? ", at most " + counts[most] + " live, at line " + (map.lines[most] + 1) : "");
  $("space").style.height = top0 + (map ? map.lines.length : 0) * row + "px";
  $("space").style.width = textWidth + 50 + shown.length * column + "px";
  $("map").setAttribute("aria-label", $("note").textContent);
  $("map").dataset.registers = shown.map((r) => r.name).join(" ");
  draw();
}
function draw() {
  const box = $("scroll"), canvas = $("map"), scale = devicePixelRatio || 1;
  const width = box.clientWidth, height = box.clientHeight;
  canvas.width = width * scale; canvas.height = height * scale;
  canvas.style.width = width + "px"; canvas.style.height = height + "px";
  const g = canvas.getContext("2d");
  g.scale(scale, scale);
  g.clearRect(0, 0, width, height);
  if (!map) return;
  const ink = colour("--vscode-editor-foreground"), faint = colour("--vscode-descriptionForeground"), peak = colour("--vscode-charts-red");
  const first = Math.floor(box.scrollTop / row), last = Math.min(map.lines.length - 1, first + Math.ceil((height - top0) / row));
  const left = textWidth + 40 - box.scrollLeft, y = (i) => top0 + i * row - box.scrollTop;
  g.save(); g.beginPath(); g.rect(0, top0, width, height - top0); g.clip();
  for (let i = first; i <= last; i++) {
    if (map.lines[i] === current) { g.fillStyle = colour("--vscode-list-hoverBackground"); g.fillRect(0, y(i), width, row); }
  }
  shown.forEach((r, c) => {
    const x = left + c * column;
    if (x < textWidth || x > width) return;
    g.fillStyle = colour(file(r));
    r.spans.forEach(([a, b]) => { if (b >= first && a <= last) { const from = Math.max(a, first), to = Math.min(b, last); g.fillRect(x, y(from) + (from === a ? 2 : 0), column - 2, (to - from + 1) * row - (from === a ? 2 : 0) - (to === b ? 2 : 0)); } });
  });
  g.font = "12px " + (colour("--vscode-editor-font-family") || "monospace"); g.textBaseline = "middle";
  for (let i = first; i <= last; i++) {
    g.fillStyle = ink; g.fillText(fitted(g, texts[i] || "", textWidth - 8), 4, y(i) + row / 2);
    g.fillStyle = i === choose.most ? peak : faint; g.textAlign = "right"; g.fillText(choose.counts[i], textWidth + 30, y(i) + row / 2); g.textAlign = "left";
  }
  g.restore();
  g.save(); g.beginPath(); g.rect(textWidth, 0, width - textWidth, top0); g.clip();
  g.fillStyle = faint; g.font = "10px " + (colour("--vscode-editor-font-family") || "monospace");
  shown.forEach((r, c) => { const x = left + c * column + column / 2; if (x > textWidth && x < width) { g.save(); g.translate(x, top0 - 4); g.rotate(-Math.PI / 2); g.fillText(heading(r), 0, 0); g.restore(); } });
  g.restore();
}
function fitted(g, text, most) {
  if (g.measureText(text).width <= most) return text;
  let end = text.length;
  while (end > 0 && g.measureText(text.slice(0, end) + "…").width > most) end--;
  return text.slice(0, end) + "…";
}
const at = (e) => { const box = $("scroll").getBoundingClientRect(); return [Math.floor((e.clientY - box.top - top0 + $("scroll").scrollTop) / row), Math.floor((e.clientX - box.left - textWidth - 40 + $("scroll").scrollLeft) / column)]; };
$("scroll").onscroll = draw;
addEventListener("resize", draw);
$("name").oninput = choose;
$("scroll").onclick = (e) => { const [i] = at(e); if (map && map.lines[i] !== undefined) vscode.postMessage({ kind: "jump", line: map.lines[i] }); };
$("scroll").onmousemove = (e) => {
  const [i, c] = at(e), r = shown[c], span = r && r.spans.find(([a, b]) => a <= i && i <= b);
  $("map").title = span ? r.name + ": live from line " + (map.lines[span[0]] + 1) + " to " + (map.lines[span[1]] + 1) : "";
};
addEventListener("message", ({ data }) => {
  const isOther = !map || !data.map || map.function !== data.map.function;
  map = data.map; texts = data.texts; current = data.line;
  choose();
  const index = map ? map.lines.indexOf(current) : -1, box = $("scroll");
  if (isOther) box.scrollTop = 0;
  if (index >= 0 && (index * row < box.scrollTop || (index + 2) * row + top0 > box.scrollTop + box.clientHeight)) box.scrollTop = Math.max(0, index * row - box.clientHeight / 2);
  draw();
});
`;
