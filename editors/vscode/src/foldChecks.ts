// Folds the CHECK lines of a test, or unfolds them where all are folded.

import * as vscode from "vscode";
import { FoldingRangeRequest } from "vscode-languageclient";
import type { Context } from "./webview";

/** How the server marks the ranges. */
const mark = "CHECK lines";

export async function foldChecks(context: Context): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor || !(await context.ready())) {
    return;
  }
  const textDocument = { uri: editor.document.uri.toString() };
  const ranges = (await context.client()?.sendRequest(FoldingRangeRequest.type, { textDocument })) ?? [];
  const checks = ranges.filter((range) => range.collapsedText === mark);
  if (checks.length === 0) {
    vscode.window.setStatusBarMessage("Wavelens: no CHECK lines of a RUN line in this file", 4000);
    return;
  }
  // Of what is visible the second line of a folded range is missing.
  const isVisible = (line: number) => editor.visibleRanges.some((r) => r.start.line <= line && line <= r.end.line);
  const inView = checks.filter((range) => isVisible(range.startLine));
  const areFolded = inView.length > 0 && inView.every((range) => !isVisible(range.startLine + 1));
  await vscode.commands.executeCommand(areFolded ? "editor.unfold" : "editor.fold", {
    selectionLines: checks.map((range) => range.startLine),
    levels: 1,
    direction: "down",
  });
}
