// From a line of a source file to its code: in open assembly and code objects, and in other files with debug information.

import * as vscode from "vscode";
import type { Location } from "vscode-languageclient";
import type { Context } from "./webview";

export async function showCodeOfLine(context: Context): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor || !(await context.ready())) {
    return;
  }
  const client = context.client();
  const { uri } = editor.document;
  const position = editor.selection.active;
  const params = { textDocument: { uri: uri.toString() }, line: position.line };
  const found = (await client?.sendRequest<Location[]>("wavelens/codeOfLine", params)) ?? [];
  if (!client || found.length === 0) {
    void vscode.window.showInformationMessage("Wavelens: no open file has code of this line. Open the code object or the assembly first.");
    return;
  }
  const places = found.map((location) => client.protocol2CodeConverter.asLocation(location));
  await vscode.commands.executeCommand("editor.action.goToLocations", uri, position, places, "gotoAndPeek", "");
}
