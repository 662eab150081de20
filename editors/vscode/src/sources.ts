// Which document the views are about: the editor last used, also while a panel covers it or has the focus.

import * as vscode from "vscode";
import { isaScheme } from "./isaUri";

const isKnown = (document: vscode.TextDocument) => /^(?:llvm|mir|spirv|amdgpu)$/.test(document.languageId);

export interface Place {
  document: vscode.TextDocument;
  position: vscode.Position;
}

export class Sources implements vscode.Disposable {
  /** In source or generated code. */
  private anywhere: Place | undefined;
  private inSource: Place | undefined;
  private readonly disposables = [
    vscode.window.onDidChangeActiveTextEditor((editor) => this.seen(editor)),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.seen(textEditor)),
  ];

  constructor() {
    this.seen(vscode.window.activeTextEditor);
  }

  dispose(): void {
    this.disposables.forEach((d) => void d.dispose());
  }

  /** The document last used and the cursor in it; generated code too where that is wanted. */
  last(generated = false): Place | undefined {
    const place = generated ? this.anywhere : this.inSource;
    if (place && !place.document.isClosed && isKnown(place.document)) {
      return place;
    }
    const wanted = (e: vscode.TextEditor) => isKnown(e.document) && (generated || e.document.uri.scheme !== isaScheme);
    const editor = vscode.window.visibleTextEditors.find(wanted);
    return editor && { document: editor.document, position: editor.selection.active };
  }

  private seen(editor: vscode.TextEditor | undefined): void {
    if (!editor || editor !== vscode.window.activeTextEditor || !isKnown(editor.document)) {
      return;
    }
    const place = { document: editor.document, position: editor.selection.active };
    this.anywhere = place;
    if (editor.document.uri.scheme !== isaScheme) {
      this.inSource = place;
    }
  }
}
