// Assembly files belong to many assemblers: one for AMD GPUs is recognised by its content. docs/editors.md lists the patterns; Neovim and Emacs have the same.
// New files, and those with an ending for any text, are recognised by how the languages begin.

import * as vscode from "vscode";

/** Bytes of a file that are looked at. */
const head = 64 << 10;

/** What no other assembler's files contain. */
const marks = [
  // Directives of the target and of code objects.
  /\.(?:amdgcn_target|amdhsa_|amd_kernel_code_t|amd_amdgpu_|amdgpu_|hsa_code_object_)/,
  // Options in RUN lines and comments.
  /(?:triple|arch|target)[= ](?:amdgcn|amdgpu[0-9])|mcpu[= ]gfx/,
  // Instructions with a type, such as `v_add_f32`.
  /\b[sv]_[a-z0-9_]+_[bfiu](?:16|32|64)\b/,
  // Scalar instructions without one, and memory instructions.
  /\bs_(?:endpgm|waitcnt|barrier|branch|cbranch_|load_|buffer_|setpc|nop)/,
  /\b(?:global|flat|scratch|buffer|tbuffer|ds)_(?:load|store|atomic|read|write)_/,
];

/** What a text without a file type of its own begins with, by language. */
const beginnings: [language: string, mark: RegExp][] = [
  ["mir", /^--- \||^body: +\|\s*$/m],
  ["spirv", /^\s*(?:; SPIR-V\b|OpCapability\s+\w+)/m],
  [
    "llvm",
    /^(?:; ModuleID = |source_filename = "|target (?:triple|datalayout) = "|define .*@.*\{|declare .*@.*\(|@[-\w$.]+ = .*\b(?:global|constant)\b)/m,
  ],
];

/** The language of a text that may be any. */
function languageOf(text: string): string | undefined {
  return beginnings.find(([, mark]) => mark.test(text))?.[0] ?? (isAmdgpuAssembly(text) ? "amdgpu" : undefined);
}

/** Whether an assembly text is for AMD GPUs. */
export function isAmdgpuAssembly(text: string): boolean {
  return marks.some((mark) => mark.test(text));
}

/** Gives documents with AMDGPU assembly their language, once each: whoever then chooses another one keeps it. */
export class Recognizer implements vscode.Disposable {
  private readonly done = new Set<string>();
  private readonly disposables = [
    vscode.workspace.onDidOpenTextDocument((document) => this.look(document)),
    // A new file has its text only then.
    vscode.workspace.onDidSaveTextDocument((document) => this.look(document)),
    // What is pasted into a new file.
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (document.isUntitled && contentChanges.some((change) => change.text.includes("\n"))) {
        this.look(document);
      }
    }),
    vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
      for (const { input } of closed) {
        if (input instanceof vscode.TabInputText) {
          this.done.delete(input.uri.toString());
        }
      }
    }),
  ];

  constructor() {
    vscode.workspace.textDocuments.forEach((document) => this.look(document));
  }

  dispose(): void {
    this.disposables.forEach((d) => void d.dispose());
  }

  private look(document: vscode.TextDocument): void {
    const uri = document.uri.toString();
    if (this.done.has(uri)) {
      return;
    }
    const isAssembly = /\.(?:s|asm|isa)$/i.test(document.uri.path) && document.languageId !== "amdgpu";
    const isPlain = document.languageId === "plaintext" && (document.isUntitled || /\.(?:txt|log)$/i.test(document.uri.path));
    if (!isAssembly && !isPlain) {
      return;
    }
    const end = document.positionAt(head);
    const text = document.getText(new vscode.Range(0, 0, end.line, end.character));
    const language = isPlain ? languageOf(text) : isAmdgpuAssembly(text) ? "amdgpu" : undefined;
    if (language) {
      this.done.add(uri);
      void vscode.languages.setTextDocumentLanguage(document, language);
    }
  }
}
