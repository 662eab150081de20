// The processor, or the SPIR-V environment, in the status bar, and the list to choose it from.

import * as vscode from "vscode";
import type { Reports } from "./reports";
import type { Sources } from "./sources";

/** Processors by generation; a test compares them with those that the server knows. */
const generations: [name: string, processors: string][] = [
  ["RDNA 4", "gfx1200 gfx1201 gfx12-generic gfx1250 gfx1251"],
  ["RDNA 3 and 3.5", "gfx1100 gfx1101 gfx1102 gfx1103 gfx1150 gfx1151 gfx1152 gfx1153 gfx11-generic"],
  ["RDNA 2", "gfx1030 gfx1031 gfx1032 gfx1033 gfx1034 gfx1035 gfx1036 gfx10-3-generic"],
  ["RDNA 1", "gfx1010 gfx1011 gfx1012 gfx1013 gfx10-1-generic"],
  ["CDNA 3 and 4", "gfx942 gfx950 gfx9-4-generic"],
  ["CDNA 1 and 2", "gfx908 gfx90a"],
  ["GCN 5 (Vega)", "gfx900 gfx902 gfx904 gfx906 gfx909 gfx90c gfx9-generic"],
  ["GCN 3 and 4", "gfx801 gfx802 gfx803 gfx805 gfx810"],
  ["GCN 1 and 2", "gfx600 gfx601 gfx602 gfx700 gfx701 gfx702 gfx703 gfx704 gfx705"],
];
const environments = ["vulkan1.0", "vulkan1.1", "vulkan1.2", "vulkan1.3", "vulkan1.4", "opencl2.2", "spv1.6", "spv1.5", "spv1.4", "spv1.3"];

/** gfx1250 is not a consumer part: its generation has a name of its own. */
const exceptions: Record<string, string> = { gfx1250: "GFX12.5", gfx1251: "GFX12.5" };

function generation(processor: string): string | undefined {
  const [name] = processor.split(":");
  return exceptions[name] ?? generations.find(([, all]) => all.split(" ").includes(name))?.[0];
}

export class TargetItem implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("wavelens.target", vscode.StatusBarAlignment.Right, 100.5);
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly reports: Reports,
    private readonly sources: Sources,
  ) {
    this.item.name = "Wavelens target";
    this.item.command = "wavelens.chooseTarget";
    this.disposables = [
      this.item,
      vscode.commands.registerCommand("wavelens.chooseTarget", () => this.choose()),
      vscode.window.onDidChangeActiveTextEditor(() => this.show()),
      vscode.workspace.onDidOpenTextDocument(() => this.show()),
      vscode.workspace.onDidChangeConfiguration((change) => change.affectsConfiguration("wavelens") && this.show()),
      reports.onDidChange(() => this.show()),
    ];
    this.show();
  }

  dispose(): void {
    this.disposables.forEach((d) => void d.dispose());
  }

  private show(): void {
    const document = vscode.window.activeTextEditor?.document;
    if (!document || !/^(?:llvm|mir|spirv|amdgpu)$/.test(document.languageId)) {
      this.item.hide();
      return;
    }
    const settings = vscode.workspace.getConfiguration("wavelens", document.uri);
    const used = this.reports.get(document.uri)?.target;
    const target = settings.get<string>("target");
    const environment = document.languageId === "spirv" ? settings.get<string>("targetEnv") : "";
    const name = used || target;
    const family = name ? generation(name) : undefined;
    this.item.text = `$(circuit-board) ${[name || (environment ? "" : "Target: from the file"), environment].filter(Boolean).join(" · ")}`;
    const lines = [
      used ? `Compiled for ${used}${family ? ` (${family})` : ""}.` : "",
      target ? `Processor for files that do not name one: ${target}.` : "Files that do not name a processor: gfx1100 for generated ISA.",
      environment ? `SPIR-V environment: ${environment}.` : "",
      "Click to choose.",
    ];
    this.item.tooltip = lines.filter(Boolean).join("\n");
    this.item.show();
  }

  /** Sets what files use that name nothing themselves: in the workspace if there is one. */
  private async choose(): Promise<void> {
    const spirv = this.sources.last()?.document.languageId === "spirv";
    type Item = vscode.QuickPickItem & { setting?: string; value?: string };
    const heading = (label: string): Item => ({ label, kind: vscode.QuickPickItemKind.Separator });
    const settings = vscode.workspace.getConfiguration("wavelens");
    const item = (setting: string, value: string): Item => ({
      label: value,
      description: settings.get(setting) === value ? "chosen" : exceptions[value],
      setting,
      value,
    });
    const processors = generations.flatMap(([name, all]) => [heading(name), ...all.split(" ").map((p) => item("target", p))]);
    const envs = [heading("SPIR-V environment"), ...environments.map((e) => item("targetEnv", e))];
    const none: Item = {
      label: "What the file says",
      description: "no processor and no environment from the settings",
      setting: "",
      value: "",
    };
    const items = [none, ...(spirv ? [...envs, ...processors] : [...processors, ...envs])];
    const options = {
      title: "Target of files that do not name one",
      placeHolder: "Processor or SPIR-V environment",
      matchOnDescription: true,
    };
    const picked = await vscode.window.showQuickPick(items, options);
    if (picked?.setting === undefined) {
      return;
    }
    const where = vscode.workspace.workspaceFolders ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
    for (const setting of picked.setting ? [picked.setting] : ["target", "targetEnv"]) {
      await settings.update(setting, picked.value || undefined, where);
    }
  }
}
