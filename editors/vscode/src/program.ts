// The server's program, run once on a document as a command.

import { spawn } from "node:child_process";
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

/** Standard output of the program; nothing if it was cancelled. */
export function run(command: string, words: string[], input: string, token: vscode.CancellationToken): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, words);
    const streams = { out: "", err: "" };
    child.stdout.on("data", (data) => (streams.out += String(data)));
    child.stderr.on("data", (data) => (streams.err += String(data)));
    child.on("error", reject);
    child.on("close", (status) => {
      if (token.isCancellationRequested) {
        resolve(undefined);
      } else if (status === 0) {
        resolve(streams.out);
      } else {
        reject(new Error(streams.err.trim().replace(/^wavelens: /, "") || `exit status ${status}`));
      }
    });
    token.onCancellationRequested(() => child.kill());
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}
