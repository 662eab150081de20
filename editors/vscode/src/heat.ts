// Where registers are: source lines coloured by how many vector registers are live in the code they compiled to.

import * as vscode from "vscode";
import type { Reports } from "./reports";

/** Shares of the most that is live in the file, from which a line is warm. */
const levels = [
  { from: 0.95, colour: "charts.red" },
  { from: 0.75, colour: "charts.orange" },
];
/** Fewer registers are no news, unless they limit the waves. */
const few = 48;

export class Heat implements vscode.Disposable {
  private readonly marks = levels.map(({ colour }) =>
    vscode.window.createTextEditorDecorationType({
      isWholeLine: true,
      borderStyle: "solid",
      borderWidth: "0 0 0 2px",
      borderColor: new vscode.ThemeColor(colour),
      overviewRulerColor: new vscode.ThemeColor(colour),
      overviewRulerLane: vscode.OverviewRulerLane.Left,
    }),
  );
  private readonly disposables: vscode.Disposable[];

  constructor(private readonly reports: Reports) {
    const all = () => vscode.window.visibleTextEditors.forEach((editor) => this.paint(editor));
    this.disposables = [
      ...this.marks,
      reports.onDidChange((source) =>
        vscode.window.visibleTextEditors.filter((e) => e.document.uri.toString() === source.toString()).forEach((e) => this.paint(e)),
      ),
      vscode.window.onDidChangeVisibleTextEditors(all),
      vscode.workspace.onDidChangeConfiguration((change) => change.affectsConfiguration("wavelens.isa.heat") && all()),
    ];
  }

  dispose(): void {
    this.disposables.forEach((d) => void d.dispose());
  }

  private paint(editor: vscode.TextEditor): void {
    const on = vscode.workspace.getConfiguration("wavelens").get<boolean>("isa.heat");
    const report = on ? this.reports.get(editor.document.uri) : undefined;
    // Code of an earlier state says nothing about this one.
    const sources = (report?.problem ? undefined : report?.sources) ?? [];
    const most = sources.reduce((a, s) => Math.max(a, s.live.vgprs), 0);
    const tight = most >= few || report?.kernels.some((k) => k.limit === "vgprs" || k.vgpr_spills > 0);
    const warm = tight ? sources : [];
    this.marks.forEach((mark, i) => {
      const below = i === 0 ? Infinity : levels[i - 1].from * most;
      const lines = warm.filter((s) => s.live.vgprs >= levels[i].from * most && s.live.vgprs < below);
      editor.setDecorations(
        mark,
        lines.map((s) => new vscode.Range(s.line, 0, s.line, 0)),
      );
    });
  }
}
