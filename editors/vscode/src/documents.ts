// Texts that the server made, shown beside the source.

import * as vscode from "vscode";

export async function openDocument(content: string, language = "plaintext"): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ content, language });
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true });
}
