// Where views open: where the user last put them, else beside the source, and below the ISA if that is there already.

import * as vscode from "vscode";
import { isaScheme } from "./isaUri";

const key = (view: string) => `column.${view}`;

export class Placement {
  constructor(private readonly memory: vscode.Memento) {}

  /** The column for a view; `below`: it is to be moved below the ISA that is shown there. */
  column(view: string): { column: vscode.ViewColumn; below: boolean } {
    const groups = vscode.window.tabGroups.all;
    const source = vscode.window.tabGroups.activeTabGroup.viewColumn;
    const chosen = this.memory.get<vscode.ViewColumn>(key(view));
    if (chosen && chosen !== source && groups.some((g) => g.viewColumn === chosen)) {
      return { column: chosen, below: false };
    }
    const isa = groups.find((g) => g.activeTab?.input instanceof vscode.TabInputText && g.activeTab.input.uri.scheme === isaScheme);
    if (view !== "isa" && isa && isa.viewColumn !== source) {
      const panels = groups.find(
        (g) => g.activeTab?.input instanceof vscode.TabInputWebview && g.activeTab.input.viewType.includes("wavelens."),
      );
      return panels ? { column: panels.viewColumn, below: false } : { column: isa.viewColumn, below: true };
    }
    return { column: vscode.ViewColumn.Beside, below: false };
  }

  remember(view: string, column: vscode.ViewColumn | undefined): void {
    if (column && this.memory.get<vscode.ViewColumn>(key(view)) !== column) {
      void this.memory.update(key(view), column);
    }
  }
}
