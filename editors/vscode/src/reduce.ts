// The smallest text that still has a finding, or still crashes the compiler: what `wavelens reduce` prints, as a new document.

import * as vscode from "vscode";
import { openSettings, showError } from "./notify";
import { inputOf, run, settingWords } from "./program";
import { findServer, languages } from "./session";
import type { Context } from "./webview";

/** `condition`: a code, or `crash`; the user chooses where it is missing. */
export async function reduce(context: vscode.ExtensionContext, shared: Context, condition?: string): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (!document || !languages.includes(document.languageId)) {
    return;
  }
  const { command, problem } = findServer(context);
  if (!command) {
    showError(problem ?? "Wavelens has no server.", openSettings("server.path"));
    return;
  }
  const kept = condition ?? (await choose(document));
  if (!kept || (kept === "crash" && !shared.mayCompile())) {
    return;
  }
  const { file, input } = inputOf(document);
  const words = ["reduce", "--quiet", "--while", kept, "--time-limit", "120", ...settingWords(document), file];
  const what = kept === "crash" ? "the compiler crash" : kept;
  const options = { location: vscode.ProgressLocation.Notification, title: `Reducing the file to ${what}`, cancellable: true };
  try {
    const content = await vscode.window.withProgress(options, (_, token) => run(command, words, input, token));
    if (content !== undefined) {
      const reduced = await vscode.workspace.openTextDocument({ language: document.languageId, content });
      await vscode.window.showTextDocument(reduced);
      const lines = `${document.lineCount} to ${reduced.lineCount}`;
      void vscode.window.showInformationMessage(`Wavelens: reduced from ${lines} lines; it still has ${what}.`);
    }
  } catch (error) {
    showError(`Wavelens: not reduced: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A finding of the document, those at the cursor first, or a crash of the compiler. */
async function choose(document: vscode.TextDocument): Promise<string | undefined> {
  const cursor = vscode.window.activeTextEditor?.selection.active;
  type Item = vscode.QuickPickItem & { code: string };
  const items = new Map<string, Item>();
  const found = vscode.languages.getDiagnostics(document.uri).filter((d) => d.source === "wavelens");
  const isHere = (d: vscode.Diagnostic) => cursor !== undefined && d.range.start.line <= cursor.line && cursor.line <= d.range.end.line;
  for (const diagnostic of [...found.filter(isHere), ...found]) {
    const { code } = diagnostic;
    const name = String(typeof code === "object" ? code.value : (code ?? ""));
    if (name && !items.has(name)) {
      items.set(name, {
        label: name,
        description: `line ${diagnostic.range.start.line + 1}: ${diagnostic.message.split("\n")[0]}`,
        code: name,
      });
    }
  }
  const crash: Item = { label: "Compiler crash", description: "keep what crashes llc or the driver", code: "crash" };
  const all = document.languageId === "amdgpu" ? [...items.values()] : [...items.values(), crash];
  if (all.length === 0) {
    void vscode.window.showInformationMessage("Wavelens: the file has no finding to reduce it to.");
    return undefined;
  }
  return (await vscode.window.showQuickPick(all, { title: "Reduce the File", placeHolder: "What the smaller file must keep" }))?.code;
}
