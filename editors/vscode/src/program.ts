// What commands of the server's program are given.

import * as vscode from "vscode";

/** Options that give a command the settings of the editor. */
export function settingWords(document: vscode.TextDocument): string[] {
  const settings = vscode.workspace.getConfiguration("wavelens", document.uri);
  const words = ["--dialect", document.languageId];
  for (const [option, setting] of [
    ["--mcpu", "target"],
    ["--target-env", "targetEnv"],
    ["--llvm-path", "llvm.path"],
  ]) {
    const value = settings.get<string>(setting)?.trim();
    if (value) {
      words.push(option, value);
    }
  }
  return words;
}

/** The file, and what goes to standard input: what is typed but not saved comes from there. */
export function inputOf(document: vscode.TextDocument): { file: string; input: string } {
  const saved = document.uri.scheme === "file" && !document.isDirty;
  return saved ? { file: document.uri.fsPath, input: "" } : { file: "-", input: document.getText() };
}
