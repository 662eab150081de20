// Names of the virtual documents with generated code.

import * as vscode from "vscode";

/** Scheme of the virtual documents. */
export const isaScheme = "wavelens-isa";

/** Scheme of the Machine IR after a pass. */
export const passScheme = "wavelens-pass";

/** The view of a source for a target: a tab's title is the end of the path, `saxpy.ll (gfx1100).s`. */
export function viewOf(source: vscode.Uri, target: string): vscode.Uri {
  const path = `${source.path} (${target.replace(/[/\\]/g, "-")}).s`;
  return vscode.Uri.from({ scheme: isaScheme, path, query: source.toString() });
}

export function sourceOf(view: vscode.Uri): vscode.Uri {
  return vscode.Uri.parse(view.query);
}

/** Whether it is the view of a source, for any target. */
export function isViewOf(view: vscode.Uri, source: vscode.Uri): boolean {
  return view.scheme === isaScheme && view.query === source.toString();
}
