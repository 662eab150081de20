// SPIR-V binaries, AMDGPU code objects and LLVM bitcode as text: files of a scheme of their own that the server disassembles, checked and answered
// for like any other. The text of SPIR-V is written back as a binary.

import * as vscode from "vscode";
import { run } from "./host";
import type { Context } from "./webview";

/** Scheme of the virtual documents. */
export const binaryScheme = "wavelens-spirv";

/** A text that was written, and the time of the binary that it became: it stays as it is, with its comments, until the binary changes. */
interface Written {
  readonly time: number;
  readonly text: Uint8Array;
}

export class BinaryView
  implements vscode.FileSystemProvider, vscode.CustomReadonlyEditorProvider<vscode.CustomDocument>, vscode.Disposable
{
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;
  private readonly disposables: vscode.Disposable[];
  private readonly written = new Map<string, Written>();

  constructor(
    private readonly context: Context,
    /** The server's program. */
    private readonly server: () => { command?: string; problem?: string },
  ) {
    const files = vscode.workspace.createFileSystemWatcher("**/*.{spv,hsaco,co,bc}", true, false, true);
    this.disposables = [
      this.changed,
      files,
      files.onDidChange((file) => this.changed.fire([{ type: vscode.FileChangeType.Changed, uri: viewOf(file) }])),
      vscode.workspace.registerFileSystemProvider(binaryScheme, this, { isCaseSensitive: true }),
      vscode.window.registerCustomEditorProvider("wavelens.spirvBinary", this),
      vscode.window.registerCustomEditorProvider("wavelens.codeObject", this),
      vscode.window.registerCustomEditorProvider("wavelens.bitcode", this),
    ];
  }

  dispose(): void {
    this.disposables.forEach((d) => void d.dispose());
  }

  watch(): vscode.Disposable {
    return { dispose: () => undefined };
  }

  async stat(view: vscode.Uri): Promise<vscode.FileStat> {
    const file = fileOf(view);
    const found = await vscode.workspace.fs.stat(file);
    const permissions = isSpirv(file) ? undefined : vscode.FilePermission.Readonly;
    return { type: vscode.FileType.File, ctime: found.ctime, mtime: found.mtime, size: found.size, permissions };
  }

  async readFile(view: vscode.Uri): Promise<Uint8Array> {
    const written = this.written.get(view.toString());
    if (written?.time === (await vscode.workspace.fs.stat(fileOf(view))).mtime) {
      return written.text;
    }
    return new TextEncoder().encode(await this.disassembled(fileOf(view)));
  }

  async writeFile(view: vscode.Uri, text: Uint8Array): Promise<void> {
    const file = fileOf(view);
    const { command, problem } = this.server();
    if (!isSpirv(file) || file.scheme !== "file" || !command) {
      throw vscode.FileSystemError.NoPermissions(problem ?? "only SPIR-V files are written");
    }
    const never = new vscode.CancellationTokenSource();
    try {
      const words = ["encode", "--dialect", "spirv", "-o", file.fsPath, "-"];
      await run(command, words, new TextDecoder().decode(text), never.token);
    } catch (error) {
      throw vscode.FileSystemError.Unavailable(error instanceof Error ? error.message : String(error));
    } finally {
      never.dispose();
    }
    const { mtime } = await vscode.workspace.fs.stat(file);
    this.written.set(view.toString(), { time: mtime, text });
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(): void {
    throw vscode.FileSystemError.NoPermissions();
  }

  delete(): void {
    throw vscode.FileSystemError.NoPermissions();
  }

  rename(): void {
    throw vscode.FileSystemError.NoPermissions();
  }

  private async disassembled(file: vscode.Uri): Promise<string> {
    // llvm-dis reads bitcode, the server all others.
    if (file.path.endsWith(".bc") && !this.context.mayCompile()) {
      return "; bitcode is not read in Restricted Mode\n";
    }
    await this.context.ready();
    const answer = await this.context.client()?.sendRequest<{ text: string; problem?: string }>("wavelens/disassemble", {
      textDocument: { uri: file.toString() },
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

function fileOf(view: vscode.Uri): vscode.Uri {
  return vscode.Uri.parse(view.query);
}

function isSpirv(file: vscode.Uri): boolean {
  return file.path.endsWith(".spv");
}

/** What the text of a binary is. */
function formOf(file: vscode.Uri): { language: string; extension: string } {
  if (isSpirv(file)) {
    return { language: "spirv", extension: "spvasm" };
  }
  return file.path.endsWith(".bc") ? { language: "llvm", extension: "ll" } : { language: "amdgpu", extension: "s" };
}

/** Whether a file begins as bitcode does, plain or wrapped. */
async function isBitcode(file: vscode.Uri): Promise<boolean> {
  const bytes = await vscode.workspace.fs.readFile(file);
  const magic = [...bytes.subarray(0, 4)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return magic === "4243c0de" || magic === "dec0170b";
}
