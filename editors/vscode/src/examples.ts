// Opens an example of the package as a new file, which can be edited and saved anywhere.

import * as vscode from "vscode";

const examples: Record<string, { file: string; language: string; what: string }> = {
  broken: { file: "broken.ll", language: "llvm", what: "LLVM IR with mistakes to look at and fix" },
  llvm: { file: "nbody.ll", language: "llvm", what: "LLVM IR of a GPU kernel" },
  mir: { file: "saxpy.mir", language: "mir", what: "Machine IR" },
  spirv: { file: "saxpy.spvasm", language: "spirv", what: "SPIR-V assembly" },
  amdgpu: { file: "saxpy.s", language: "amdgpu", what: "AMDGPU assembly" },
};

export async function openExample(context: vscode.ExtensionContext, name?: string): Promise<void> {
  const items = Object.entries(examples).map(([key, { file, what }]) => ({ label: file, description: what, key }));
  const key = name ?? (await vscode.window.showQuickPick(items, { title: "Open an example" }))?.key;
  const example = key ? examples[key] : undefined;
  if (!example) {
    return;
  }
  const file = vscode.Uri.joinPath(context.extensionUri, "examples", example.file);
  const content = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  const document = await vscode.workspace.openTextDocument({ content, language: example.language });
  await vscode.window.showTextDocument(document, { preview: false });
}
