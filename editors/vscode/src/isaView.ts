// Generated ISA next to the source: a read-only document kept fresh by the server, with both cursors in step.

import * as vscode from "vscode";
import { type Column, Columns, columnNames } from "./isaColumns";
import { type Filters, type Shown, shape } from "./isaText";
import { isViewOf, isaScheme, sourceOf, viewOf } from "./isaUri";
import { reduceToCrash, showProblem } from "./notify";
import type { Isa, Reports } from "./reports";
import { bannerLine } from "./stale";
import type { Context } from "./webview";

export class IsaView implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly disposables: vscode.Disposable[];
  private readonly columns = new Columns();
  /** What is shown of each report. */
  private readonly shapes = new WeakMap<Isa, { filters: string; shown: Shown }>();
  private readonly mark = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor("wavelens.sourceLineBackground"),
    isWholeLine: true,
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.wordHighlightForeground"),
    overviewRulerLane: vscode.OverviewRulerLane.Center,
  });

  /** The nearest line, where the cursor's has no counterpart. */
  private readonly near = vscode.window.createTextEditorDecorationType({
    borderColor: new vscode.ThemeColor("editorOverviewRuler.wordHighlightForeground"),
    borderStyle: "dotted",
    borderWidth: "0 0 1px 0",
    isWholeLine: true,
  });

  /** Views that are being replaced by one with another title. */
  private readonly retitled = new Set<string>();

  /** The editor that was scrolled along, and when. */
  private scrolled: { editor: vscode.TextEditor; at: number } | undefined;

  constructor(
    private readonly reports: Reports,
    private readonly context: Context,
  ) {
    this.disposables = [
      this.changed,
      this.columns,
      this.mark,
      this.near,
      vscode.commands.registerCommand("wavelens.isaColumns", () => this.chooseColumns()),
      vscode.window.onDidChangeVisibleTextEditors((editors) => {
        editors.filter((e) => e.document.uri.scheme === isaScheme).forEach((e) => void this.retitle(e.document.uri));
        this.paint();
      }),
      vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => {
        this.paint();
        this.scroll(textEditor);
      }),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration("wavelens.isa")) {
          const views = vscode.workspace.textDocuments.filter((d) => d.uri.scheme === isaScheme);
          views.forEach((view) => this.changed.fire(view.uri));
          this.paint();
        }
      }),
      vscode.workspace.registerTextDocumentContentProvider(isaScheme, this),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.follow(textEditor)),
      vscode.window.onDidChangeTextEditorViewColumn(({ textEditor, viewColumn }) => {
        if (textEditor.document.uri.scheme === isaScheme) {
          this.context.placement.remember("isa", viewColumn);
        }
      }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => document.uri.scheme === isaScheme && this.renewed(document)),
      reports.onDidChange((source) => {
        for (const { uri } of vscode.workspace.textDocuments.filter((d) => isViewOf(d.uri, source))) {
          this.changed.fire(uri);
          void this.retitle(uri);
        }
      }),
    ];
  }

  dispose(): void {
    this.disposables.forEach((d) => void d.dispose());
  }

  /** Opens the view next to a source document (the last used by default), at a function. */
  async open(source?: vscode.Uri, name?: string): Promise<void> {
    const uri = source ?? this.context.sources.last()?.document.uri;
    if (!uri || uri.scheme === isaScheme) {
      void vscode.window.showInformationMessage("Wavelens: open an LLVM IR, MIR or SPIR-V file first.");
      return;
    }
    if (!this.context.mayCompile() || !(await this.context.ready())) {
      return;
    }
    const options = { location: vscode.ProgressLocation.Window, title: "Wavelens: compiling" };
    const report = await vscode.window.withProgress(options, () => this.reports.fetch(uri, name));
    if (!report?.text) {
      const problem = report?.problem ?? "the server does not answer";
      showProblem(problem, ...(report?.crashed ? [reduceToCrash(uri)] : []));
      return;
    }
    const document = await vscode.workspace.openTextDocument(viewOf(uri, report.target));
    await vscode.languages.setTextDocumentLanguage(document, "amdgpu");
    const shown = vscode.window.visibleTextEditors.find((e) => e.document === document)?.viewColumn;
    const viewColumn = shown ?? (await this.context.placement.place("isa"));
    const view = await vscode.window.showTextDocument(document, { viewColumn, preserveFocus: true, preview: false });
    this.context.placement.remember("isa", view.viewColumn);
    this.paint();
    const editor = vscode.window.visibleTextEditors.find((e) => e.document.uri.toString() === uri.toString());
    if (name) {
      this.showLabel(document, name);
    } else if (editor) {
      this.follow(editor);
    }
  }

  /** Shows a visible view under the title of the target that its source is now compiled for. */
  private async retitle(view: vscode.Uri): Promise<void> {
    const source = sourceOf(view);
    const report = this.reports.get(source);
    const wanted = report?.text ? viewOf(source, report.target) : view;
    const isOld = (tab: vscode.Tab) => tab.input instanceof vscode.TabInputText && tab.input.uri.toString() === view.toString();
    const oldTabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter(isOld);
    const tabs = oldTabs();
    if (wanted.toString() === view.toString() || !tabs.some((tab) => tab.isActive) || this.retitled.has(view.toString())) {
      return;
    }
    this.retitled.add(view.toString());
    try {
      const document = await vscode.workspace.openTextDocument(wanted);
      await vscode.languages.setTextDocumentLanguage(document, "amdgpu");
      for (const { group } of tabs.filter((tab) => tab.isActive)) {
        const editor = vscode.window.visibleTextEditors.find((e) => e.document.uri.toString() === view.toString());
        const options = { viewColumn: group.viewColumn, preserveFocus: !group.isActive, preview: false, selection: editor?.selection };
        await vscode.window.showTextDocument(document, options);
      }
      // Tabs are other objects once an editor has opened.
      await vscode.window.tabGroups.close(oldTabs(), true);
    } finally {
      this.retitled.delete(view.toString());
    }
  }

  private showLabel(view: vscode.TextDocument, name: string): void {
    const label = `${name.replace(/^[@%]/, "").replace(/^"|"$/g, "")}:`;
    const line = view
      .getText()
      .split("\n")
      .findIndex((text) => text.startsWith(label) || text.startsWith(`"${label.slice(0, -1)}":`));
    const editor = vscode.window.visibleTextEditors.find((e) => e.document === view);
    if (line >= 0) {
      editor?.revealRange(new vscode.Range(line, 0, line, 0), vscode.TextEditorRevealType.AtTop);
    }
  }

  async provideTextDocumentContent(view: vscode.Uri): Promise<string> {
    const source = sourceOf(view);
    const report = this.reports.get(source) ?? (await this.restore(source));
    return (report?.text && this.shape(report).text) || `; ${report?.problem ?? "no ISA yet"}\n`;
  }

  /** The report for a view that VS Code opens itself, as after a reload: the server has to be there, and to know the document. */
  private async restore(source: vscode.Uri): Promise<Isa | undefined> {
    await vscode.workspace.openTextDocument(source);
    return (await this.context.ready()) ? this.reports.fetch(source) : undefined;
  }

  /** What is shown of a report with the filters of the settings. */
  private shape(report: Isa): Shown {
    const settings = vscode.workspace.getConfiguration("wavelens.isa");
    const filters: Filters = {
      directives: settings.get<boolean>("hideDirectives") ?? true,
      comments: settings.get<boolean>("hideComments") ?? false,
    };
    const name = JSON.stringify(filters);
    const known = this.shapes.get(report);
    if (known?.filters === name) {
      return known.shown;
    }
    const shown = shape(report, filters);
    this.shapes.set(report, { filters: name, shown });
    return shown;
  }

  private shown(source: vscode.Uri): Shown | undefined {
    const report = this.reports.get(source);
    return report?.text ? this.shape(report) : undefined;
  }

  private paint(): void {
    const chosen = vscode.workspace.getConfiguration("wavelens").get<Column[]>("isa.columns") ?? [];
    for (const editor of vscode.window.visibleTextEditors.filter((e) => e.document.uri.scheme === isaScheme)) {
      const shown = this.shown(sourceOf(editor.document.uri));
      // The document takes over a new text a moment later.
      const fits = shown?.text === editor.document.getText().replace(/\r\n/g, "\n");
      this.columns.paint(
        editor,
        fits ? shown : undefined,
        columnNames.filter((name) => chosen.includes(name)),
        this.reports.get(sourceOf(editor.document.uri))?.problem === undefined ? undefined : bannerLine(editor),
      );
    }
  }

  /** Asks which columns and which lines are shown, and writes the answer to the settings. */
  private async chooseColumns(): Promise<void> {
    const settings = vscode.workspace.getConfiguration("wavelens.isa");
    const columns = settings.get<Column[]>("columns") ?? [];
    const titles: Record<Column, string> = {
      line: "Source line",
      vgprs: "Live VGPRs",
      sgprs: "Live SGPRs",
      cycles: "Cycles of latency",
      encoding: "Encoding",
    };
    type Item = vscode.QuickPickItem & { column?: Column; filter?: string };
    const items: Item[] = [
      { label: "Columns", kind: vscode.QuickPickItemKind.Separator },
      ...columnNames.map((column) => ({ label: titles[column], column, picked: columns.includes(column) })),
      { label: "Lines", kind: vscode.QuickPickItemKind.Separator },
      { label: "Directives", filter: "hideDirectives", picked: !settings.get<boolean>("hideDirectives") },
      { label: "Comments", filter: "hideComments", picked: !settings.get<boolean>("hideComments") },
    ];
    const chosen = await vscode.window.showQuickPick(items, { canPickMany: true, title: "Generated ISA: what to show" });
    if (!chosen) {
      return;
    }
    const target = vscode.ConfigurationTarget.Global;
    await settings.update(
      "columns",
      chosen.flatMap((item) => item.column ?? []),
      target,
    );
    for (const { filter } of items.filter((item) => item.filter)) {
      await settings.update(filter ?? "", !chosen.some((item) => item.filter === filter), target);
    }
  }

  /** The view has a new text: the lines that belong to the cursor's are others. */
  private renewed(view: vscode.TextDocument): void {
    this.paint();
    const editors = vscode.window.visibleTextEditors;
    const source = editors.find((e) => e.document.uri.toString() === sourceOf(view.uri).toString());
    if (source) {
      this.follow(source);
    }
  }

  /** The other of the two editors, with the pairs of lines of both: the editor's own line has index `from`. */
  private counterpart(editor: vscode.TextEditor) {
    const inView = editor.document.uri.scheme === isaScheme;
    const source = inView ? sourceOf(editor.document.uri) : editor.document.uri;
    const map = this.shown(source)?.map;
    const isOther = (uri: vscode.Uri) => (inView ? uri.toString() === source.toString() : isViewOf(uri, source));
    const other = vscode.window.visibleTextEditors.find((e) => isOther(e.document.uri));
    const [from, to] = inView ? ([0, 1] as const) : ([1, 0] as const);
    return map && other ? { map, other, from, to } : undefined;
  }

  /** Scrolls the other of the two editors along: its line that belongs to the first visible one goes to the top. */
  private scroll(editor: vscode.TextEditor): void {
    const isOwn = this.scrolled?.editor === editor && Date.now() - this.scrolled.at < settled;
    if (isOwn || !vscode.workspace.getConfiguration("wavelens.isa").get<boolean>("scroll")) {
      return;
    }
    const pair = this.counterpart(editor);
    const first = editor.visibleRanges[0]?.start.line;
    if (!pair || first === undefined) {
      return;
    }
    const line = nearestTo(pair.map, first, pair.from, Infinity)?.[pair.to];
    if (line !== undefined) {
      this.scrolled = { editor: pair.other, at: Date.now() };
      pair.other.revealRange(new vscode.Range(line, 0, line, 0), vscode.TextEditorRevealType.AtTop);
    }
  }

  /** Marks and shows, in the other of the two editors, the lines that belong to the cursor's. */
  private follow(editor: vscode.TextEditor): void {
    const pair = this.counterpart(editor);
    if (!pair) {
      return;
    }
    const { map, other, from, to } = pair;
    const { start, end } = editor.selection;
    const chosen = map.filter((pair) => start.line <= pair[from] && pair[from] <= end.line);
    const lines = [...new Set(chosen.map((pair) => pair[to]))];
    const nearest = lines.length > 0 ? undefined : nearestTo(map, start.line, from, farthest)?.[to];
    const whole = (all: number[]) => all.map((l) => new vscode.Range(l, 0, l, 0));
    other.setDecorations(this.mark, whole(lines));
    other.setDecorations(this.near, whole(nearest === undefined ? [] : [nearest]));
    editor.setDecorations(this.mark, []);
    editor.setDecorations(this.near, []);
    if (lines.length > 0 || nearest !== undefined) {
      const first = Math.min(...lines, nearest ?? Infinity);
      other.revealRange(new vscode.Range(first, 0, first, 0), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
  }
}

/** Lines that are farther away have nothing to do with each other. */
const farthest = 12;

/** Milliseconds in which the scrolling that this caused itself is reported. */
const settled = 300;

/** The pair of lines of which one side is nearest to a line; of two at the same distance, the one before it. */
function nearestTo(map: [number, number][], line: number, side: 0 | 1, farthest: number): [number, number] | undefined {
  let found: [number, number] | undefined;
  const distance = (pair: [number, number]) => (pair[side] <= line ? line - pair[side] : pair[side] - line + 0.5);
  for (const pair of map) {
    if (distance(pair) <= farthest && (found === undefined || distance(pair) < distance(found))) {
      found = pair;
    }
  }
  return found;
}
