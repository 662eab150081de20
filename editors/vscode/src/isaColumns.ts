// Columns in front of the generated assembly: source line, live registers, cycles, encoding.

import * as vscode from "vscode";
import type { Shown } from "./isaText";
import type { IsaLine } from "./reports";

export const columnNames = ["line", "vgprs", "sgprs", "cycles", "encoding"] as const;
export type Column = (typeof columnNames)[number];

const columns: Record<Column, { heading: string; width: number; text: (line: IsaLine) => string }> = {
  line: { heading: "line", width: 5, text: ({ source }) => (source === undefined ? "-" : String(source + 1)) },
  vgprs: { heading: "VGPR", width: 7, text: ({ live }) => String(live.vgprs + live.agprs) },
  sgprs: { heading: "SGPR", width: 5, text: ({ live }) => String(live.sgprs) },
  cycles: { heading: "cycles", width: 7, text: ({ cost }) => (cost ? String(cost.latency) : "") },
  encoding: { heading: "encoding", width: 25, text: ({ encoding }) => encoding },
};

/** Lines around those in view that get their columns too. */
const margin = 60;

export class Columns implements vscode.Disposable {
  private readonly cells = vscode.window.createTextEditorDecorationType({
    before: { color: new vscode.ThemeColor("editorLineNumber.foreground"), margin: "0 1.2em 0 0" },
  });

  dispose(): void {
    this.cells.dispose();
  }

  /** Writes the columns that say something of the lines in view, but for one that has something else to say. */
  paint(editor: vscode.TextEditor, shown: Shown | undefined, chosen: readonly Column[], but?: number): void {
    // Code that was written next to its module may have no lines of it.
    const hasSources = [...(shown?.lines.values() ?? [])].some((line) => line.source !== undefined);
    const wanted = chosen.filter((column) => column !== "line" || hasSources);
    if (!shown || wanted.length === 0) {
      editor.setDecorations(this.cells, []);
      return;
    }
    const marks: vscode.DecorationOptions[] = [];
    const add = (number: number) => {
      const line = shown.lines.get(number);
      // The label of a kernel has no figures of its own.
      const isHeading = number === 0 || shown.labels.has(number);
      const texts = wanted.map((column) => this.cell(column, line, isHeading, shown.peaks.has(number)));
      const range = new vscode.Range(number, 0, number, 0);
      const hoverMessage = line && describe(line, shown.peaks.has(number));
      marks.push({ range, hoverMessage, renderOptions: { before: { contentText: texts.join("") } } });
    };
    const last = editor.document.lineCount - 1;
    const numbers = new Set([0, ...shown.labels]);
    for (const { start, end } of editor.visibleRanges) {
      for (let line = Math.max(0, start.line - margin); line <= Math.min(last, end.line + margin); line++) {
        numbers.add(line);
      }
    }
    numbers.delete(but ?? -1);
    numbers.forEach(add);
    editor.setDecorations(this.cells, marks);
  }

  /** Right-aligned in no-break spaces, which the editor keeps. */
  private cell(column: Column, line: IsaLine | undefined, isHeading: boolean, isPeak: boolean): string {
    const { heading, width, text } = columns[column];
    const content = line ? text(line) : isHeading ? heading : "";
    const marked = column === "vgprs" ? `${content}${isPeak && line ? "*" : "\u00a0"}` : content;
    return column === "encoding" ? `\u00a0\u00a0${content}`.padEnd(width, "\u00a0") : marked.padStart(width, "\u00a0");
  }
}

function describe({ source, live, cost, encoding }: IsaLine, isPeak: boolean): vscode.MarkdownString {
  const place = source === undefined ? "No source line: prologue, scheduling or spills" : `Source line ${source + 1}`;
  const agprs = live.agprs > 0 ? `, ${live.agprs} AGPRs` : "";
  const most = isPeak ? " (most of the kernel)" : "";
  const lines = [place, `Live before: ${live.vgprs} VGPRs${agprs}, ${live.sgprs} SGPRs${most}`];
  if (cost) {
    lines.push(`Latency: ${cost.latency} cycles`);
  }
  if (encoding) {
    lines.push(`Encoding: \`${encoding}\``);
  }
  return new vscode.MarkdownString(lines.join("  \n"));
}
