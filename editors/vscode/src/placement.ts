// Where views open: where the user last put them, else next to the source, or below the ISA if it is open.

import * as vscode from "vscode";
import { isaScheme } from "./isaUri";

const key = (view: string) => `column.${view}`;

export class Placement {
  constructor(private readonly memory: vscode.Memento) {}

  /** The column for a view; a group below the ISA is made if that is in the way. */
  async place(view: string): Promise<vscode.ViewColumn> {
    const groups = vscode.window.tabGroups.all;
    const source = vscode.window.tabGroups.activeTabGroup;
    const chosen = this.memory.get<vscode.ViewColumn>(key(view));
    if (chosen && chosen !== source.viewColumn && groups.some((g) => g.viewColumn === chosen)) {
      return chosen;
    }
    const isa = groups.find((g) => g.activeTab?.input instanceof vscode.TabInputText && g.activeTab.input.uri.scheme === isaScheme);
    if (view === "isa" || !isa || isa === source) {
      return vscode.ViewColumn.Beside;
    }
    const isPanel = (tab: vscode.Tab | undefined) =>
      tab?.input instanceof vscode.TabInputWebview && tab.input.viewType.includes("wavelens.");
    return groups.find((g) => isPanel(g.activeTab))?.viewColumn ?? (await this.below(isa, source));
  }

  /** Makes a group below another; the focus goes back to where it was. */
  private async below(group: vscode.TabGroup, focused: vscode.TabGroup): Promise<vscode.ViewColumn> {
    const show = async ({ activeTab, viewColumn }: vscode.TabGroup) => {
      if (activeTab?.input instanceof vscode.TabInputText) {
        await vscode.window.showTextDocument(activeTab.input.uri, { viewColumn, preserveFocus: false });
      }
    };
    await show(group);
    await vscode.commands.executeCommand("workbench.action.newGroupBelow");
    const made = vscode.window.tabGroups.activeTabGroup.viewColumn;
    await show(focused);
    return made;
  }

  remember(view: string, column: vscode.ViewColumn | undefined): void {
    if (column && this.memory.get<vscode.ViewColumn>(key(view)) !== column) {
      void this.memory.update(key(view), column);
    }
  }
}
