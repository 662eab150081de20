// A report about a file on which Wavelens and the reference tool disagree: what `wavelens report` writes, as a new document.

import * as vscode from "vscode";
import { findServer, run } from "./host";
import { openSettings, showError } from "./notify";
import { inputOf, settingWords } from "./program";
import { languages } from "./session";
import type { Context } from "./webview";

export async function report(context: vscode.ExtensionContext, shared: Context): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (!document || !languages.includes(document.languageId) || !shared.mayCompile()) {
    return;
  }
  const { command, problem } = findServer(context);
  if (!command) {
    showError(
      problem ?? "A report needs the program `wavelens`, which is not in this package and not on PATH.",
      openSettings("server.path"),
    );
    return;
  }
  const { file, input } = inputOf(document);
  const words = ["report", "--quiet", ...settingWords(document), file];
  const options = { location: vscode.ProgressLocation.Notification, title: "Comparing with the reference tool", cancellable: true };
  try {
    const content = await vscode.window.withProgress(options, (_, token) => run(command, words, input, token));
    if (content !== undefined) {
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: "markdown", content }));
    }
  } catch (error) {
    showError(`Wavelens: no report: ${error instanceof Error ? error.message : String(error)}`);
  }
}
