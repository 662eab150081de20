// SPIR-V binaries, AMDGPU code objects and LLVM bitcode as read-only text: a virtual document that the server disassembles, checked and answered for like any other.

import * as vscode from "vscode";
import type { Context } from "./webview";

/** Scheme of the virtual documents. */
export const binaryScheme = "wavelens-spirv";

export class BinaryView
  implements vscode.TextDocumentContentProvider, vscode.CustomReadonlyEditorProvider<vscode.CustomDocument>, vscode.Disposable
{
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly disposables: vscode.Disposable[];

  constructor(private readonly context: Context) {
    const files = vscode.workspace.createFileSystemWatcher("**/*.{spv,hsaco,co,bc}", true, false, true);
    this.disposables = [
      this.changed,
      files,
      files.onDidChange((file) => this.changed.fire(viewOf(file))),
      vscode.workspace.registerTextDocumentContentProvider(binaryScheme, this),
      vscode.window.registerCustomEditorProvider("wavelens.spirvBinary", this),
      vscode.window.registerCustomEditorProvider("wavelens.codeObject", this),
      vscode.window.registerCustomEditorProvider("wavelens.bitcode", this),
    ];
  }

  dispose(): void {
    this.disposables.forEach((d) => void d.dispose());
  }

  async provideTextDocumentContent(view: vscode.Uri): Promise<string> {
    const uri = vscode.Uri.parse(view.query).toString();
    // llvm-dis reads bitcode, the server all others.
    if (uri.endsWith(".bc") && !this.context.mayCompile()) {
      return "; bitcode is not read in Restricted Mode\n";
    }
    await this.context.ready();
    const answer = await this.context.client()?.sendRequest<{ text: string; problem?: string }>("wavelens/disassemble", {
      textDocument: { uri },
    });
    return answer?.text || `; ${answer?.problem ?? "the server is not running"}\n`;
  }

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose: () => undefined };
  }

  /** Shows the text in the place of the bytes. */
  async resolveCustomEditor(binary: vscode.CustomDocument, panel: vscode.WebviewPanel): Promise<void> {
    if (binary.uri.path.endsWith(".bc") && !(await isBitcode(binary.uri))) {
      // Programs of the calculator bc have the same extension.
      const { viewColumn } = panel;
      panel.dispose();
      await vscode.commands.executeCommand("vscode.openWith", binary.uri, "default", viewColumn);
      return;
    }
    const document = await vscode.workspace.openTextDocument(viewOf(binary.uri));
    await vscode.languages.setTextDocumentLanguage(document, formOf(binary.uri).language);
    const { viewColumn } = panel;
    panel.dispose();
    await vscode.window.showTextDocument(document, { viewColumn, preview: false });
  }
}

function viewOf(file: vscode.Uri): vscode.Uri {
  return vscode.Uri.from({ scheme: binaryScheme, path: `${file.path}.${formOf(file).extension}`, query: file.toString() });
}

/** What the text of a binary is. */
function formOf(file: vscode.Uri): { language: string; extension: string } {
  if (file.path.endsWith(".spv")) {
    return { language: "spirv", extension: "spvasm" };
  }
  return file.path.endsWith(".bc") ? { language: "llvm", extension: "ll" } : { language: "amdgpu", extension: "s" };
}

/** Whether a file begins as bitcode does, plain or wrapped. */
async function isBitcode(file: vscode.Uri): Promise<boolean> {
  const bytes = await vscode.workspace.fs.readFile(file);
  const magic = Buffer.from(bytes.subarray(0, 4)).toString("hex");
  return magic === "4243c0de" || magic === "dec0170b";
}
