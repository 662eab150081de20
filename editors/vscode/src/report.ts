// A report about a file on which Wavelens and the reference tool disagree: what `wavelens report` writes, as a new document.

import { spawn } from "node:child_process";
import * as vscode from "vscode";
import { openSettings, showError } from "./notify";
import { findServer, languages } from "./session";
import type { Context } from "./webview";

export async function report(context: vscode.ExtensionContext, shared: Context): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (!document || !languages.includes(document.languageId) || !shared.mayCompile()) {
    return;
  }
  const { command, problem } = findServer(context);
  if (!command) {
    showError(problem ?? "Wavelens has no server.", openSettings("server.path"));
    return;
  }
  const words = ["report", "--quiet", "--dialect", document.languageId];
  const settings = vscode.workspace.getConfiguration("wavelens", document.uri);
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
  // The name is in the report: what is typed but not saved comes from standard input.
  const saved = document.uri.scheme === "file" && !document.isDirty;
  words.push(saved ? document.uri.fsPath : "-");
  const options = { location: vscode.ProgressLocation.Notification, title: "Comparing with the reference tool", cancellable: true };
  try {
    const content = await vscode.window.withProgress(options, (_, token) => run(command, words, saved ? "" : document.getText(), token));
    if (content !== undefined) {
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: "markdown", content }));
    }
  } catch (error) {
    showError(`Wavelens: no report: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Standard output of the program; nothing if it was cancelled. */
function run(command: string, words: string[], input: string, token: vscode.CancellationToken): Promise<string | undefined> {
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
        reject(new Error(streams.err.trim() || `exit status ${status}`));
      }
    });
    token.onCancellationRequested(() => child.kill());
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}
