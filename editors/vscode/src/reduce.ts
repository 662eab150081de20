// The smallest text that still has a finding, or still crashes the compiler: what the server writes, next to the file, with a report.

import * as vscode from "vscode";
import { showError } from "./notify";
import { languages } from "./session";
import type { Context } from "./webview";

const crash = "crash";

/** What the server answers. */
interface Reduced {
  file: string;
  report: string;
  while: string;
  before: number;
  after: number;
  /** Nothing smaller was found, rather than the time ended. */
  complete: boolean;
}

/** What an action of the server names. */
export interface Condition {
  uri?: string;
  /** A code, or `crash`; the user chooses where it is missing. */
  while?: string;
}

export async function reduce(shared: Context, { uri, while: named }: Condition = {}): Promise<void> {
  const active = vscode.window.activeTextEditor?.document ?? shared.sources.last()?.document;
  const document = uri ? await vscode.workspace.openTextDocument(vscode.Uri.parse(uri)) : active;
  if (!document || !languages.includes(document.languageId)) {
    return;
  }
  const kept = named ?? (await choose(document));
  if (!kept || (kept === crash && !shared.mayCompile()) || !(await shared.ready())) {
    return;
  }
  try {
    const argument = { uri: document.uri.toString(), while: kept, shows: false };
    const params = { command: "wavelens.reduce", arguments: [argument] };
    // The server shows how far it is, with a button that cancels it.
    const found = await shared.client()?.sendRequest<Reduced>("workspace/executeCommand", params);
    if (found) {
      await show(found);
    }
  } catch (error) {
    if (!isCancelled(error)) {
      showError(`Wavelens: not reduced: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

/** Opens the reduced file next to the other, and the report behind it. */
async function show(found: Reduced): Promise<void> {
  const open = (file: string, viewColumn: vscode.ViewColumn) =>
    vscode.window.showTextDocument(vscode.Uri.file(file), { viewColumn, preview: false });
  const { viewColumn } = await open(found.report, vscode.ViewColumn.Beside);
  await open(found.file, viewColumn ?? vscode.ViewColumn.Active);
  const kept = found.while === crash ? "the compiler crash" : found.while;
  const ended = found.complete ? "" : " The time limit ended it.";
  const message = `Wavelens: reduced from ${found.before} to ${found.after} lines; it still has ${kept}.${ended}`;
  const [report, save] = ["Show Report", "Save As..."];
  const chosen = await vscode.window.showInformationMessage(message, report, save);
  if (chosen === report) {
    await vscode.commands.executeCommand("markdown.showPreview", vscode.Uri.file(found.report));
  } else if (chosen === save) {
    await vscode.window.showTextDocument(vscode.Uri.file(found.file));
    await vscode.commands.executeCommand("workbench.action.files.saveAs");
  }
}

const isCancelled = (error: unknown) => typeof error === "object" && error !== null && "code" in error && error.code === -32800;

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
  const compiler: Item = { label: "Compiler crash", description: "keep what crashes llc or the driver", code: crash };
  const all = document.languageId === "amdgpu" ? [...items.values()] : [...items.values(), compiler];
  if (all.length === 0) {
    void vscode.window.showInformationMessage("Wavelens: the file has no finding to reduce it to.");
    return undefined;
  }
  return (await vscode.window.showQuickPick(all, { title: "Reduce the File", placeHolder: "What the smaller file must keep" }))?.code;
}
