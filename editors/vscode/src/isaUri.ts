// Names of the virtual documents with generated code.

import * as vscode from "vscode";

/** Scheme of the virtual documents. */
export const isaScheme = "wavelens-isa";

/** Scheme of the Machine IR after a pass. */
export const passScheme = "wavelens-pass";

export function viewOf(source: vscode.Uri): vscode.Uri {
  return vscode.Uri.from({ scheme: isaScheme, path: `${source.path}.s`, query: source.toString() });
}

export function sourceOf(view: vscode.Uri): vscode.Uri {
  return vscode.Uri.parse(view.query);
}
