// What of the generated assembly is shown: all of it, or without directives and comments.

import type { Isa, IsaLine } from "./reports";

export interface Filters {
  directives: boolean;
  comments: boolean;
}

/** The text that is shown, with everything that names its lines. Lines count from 0. */
export interface Shown {
  text: string;
  map: [number, number][];
  lines: Map<number, IsaLine>;
  /** Lines at which a kernel has most vector registers live. */
  peaks: Set<number>;
  /** Lines with the labels of kernels, which have no figures of their own. */
  labels: Set<number>;
}

const label = /^\.?[\w$"][^\s:]*:/;
const blockComment = /^\s*; %bb\.\d+:/;

/** The lines of the assembly that stay; the processor is what the server reads the text for. */
function keeps(line: string, inMetadata: boolean, { directives, comments }: Filters): boolean {
  const text = line.trimStart();
  if (directives && (inMetadata || (text.startsWith(".") && !label.test(text)))) {
    return text.startsWith(".amdgcn_target");
  }
  return !comments || blockComment.test(line) || (text !== "" && !text.startsWith(";"));
}

export function shape(report: Isa, filters: Filters): Shown {
  const kept: string[] = [];
  const numbers = new Map<number, number>();
  let inMetadata = false;
  report.text.split("\n").forEach((line, number) => {
    inMetadata ||= line.trimStart().startsWith(".amdgpu_metadata");
    if (keeps(line, inMetadata, filters)) {
      numbers.set(number, kept.length);
      const isCode = filters.comments && !blockComment.test(line) && !line.includes('"');
      kept.push(isCode ? line.replace(/\s*;.*$/, "") : line);
    }
    inMetadata &&= !line.trimStart().startsWith(".end_amdgpu_metadata");
  });
  const names = new Set(report.kernels.map((kernel) => kernel.name));
  const moved = (line: number | undefined) => (line === undefined ? undefined : numbers.get(line));
  return {
    text: kept.join("\n"),
    map: report.map.flatMap(([line, source]) => (numbers.has(line) ? [[numbers.get(line) ?? 0, source] as [number, number]] : [])),
    lines: new Map(report.lines.flatMap((line) => (numbers.has(line.line) ? [[numbers.get(line.line) ?? 0, line]] : []))),
    peaks: new Set(report.kernels.flatMap((kernel) => moved(kernel.peak?.line) ?? [])),
    labels: new Set(kept.flatMap((line, number) => (names.has(/^"?([^\s":]+)"?:/.exec(line)?.[1] ?? "") ? [number] : []))),
  };
}

/** What a kernel takes, as the lens of its source says it. */
export function resources(kernel: Isa["kernels"][number]): string {
  const agprs = kernel.agprs > 0 ? ` · AGPR ${kernel.agprs}` : "";
  const spills = kernel.vgpr_spills + kernel.sgpr_spills;
  const spilled = spills > 0 ? ` · spills ${spills}` : "";
  const waves = kernel.occupancy > 0 ? ` · occupancy ${kernel.occupancy} waves` : "";
  return `VGPR ${kernel.vgprs}${agprs} · SGPR ${kernel.sgprs} · LDS ${kernel.lds} B${spilled}${waves}`;
}

/** `gfx1100 · -O2 · LLVM 22.1.8`. */
export function heading({ target, command, compiler }: Isa): string {
  const level = /(?:^|\s)(-O[0-3])(?:\s|$)/.exec(command)?.[1];
  const driver = command.includes("RADV") ? "RADV" : command.replace(/(?:\/[^\s/]+)+\/([^\s/]+)/g, "$1").slice(0, 40);
  return [target, level, compiler ?? driver].filter(Boolean).join(" · ");
}
