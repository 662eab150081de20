// Messages with what can be done about them.

import * as vscode from "vscode";

interface Button {
  title: string;
  run: () => unknown;
}

export const openSettings = (name: string): Button => ({
  title: "Open Settings",
  run: () => {
    // Paths belong to the machine that the server runs on: with a remote one they are not among the user's settings.
    const command = vscode.env.remoteName ? "workbench.action.openRemoteSettings" : "workbench.action.openSettings2";
    return vscode.commands.executeCommand(command, { query: `@id:wavelens.${name}` });
  },
});

export const copyCommand = (command: string): Button => ({
  title: "Copy Command",
  run: () => vscode.env.clipboard.writeText(command),
});

export const showLog: Button = { title: "Show Log", run: () => vscode.commands.executeCommand("wavelens.showLog") };

export const reduceToCrash = (source: vscode.Uri): Button => ({
  title: "Reduce the File",
  run: () => vscode.commands.executeCommand("wavelens.reduce", { uri: source.toString(), while: "crash" }),
});

export const manageTrust: Button = {
  title: "Manage Workspace Trust",
  run: () => vscode.commands.executeCommand("workbench.trust.manage"),
};

const showPasses: Button = {
  title: "Show What Each Pass Changed",
  run: () => vscode.commands.executeCommand("wavelens.passes"),
};

async function choose(shown: Thenable<Button | undefined>): Promise<void> {
  await (await shown)?.run();
}

export function showError(message: string, ...buttons: Button[]): void {
  void choose(vscode.window.showErrorMessage(message, ...buttons));
}

export function showWarning(message: string, ...buttons: Button[]): void {
  void choose(vscode.window.showWarningMessage(message, ...buttons));
}

/** What the server says about a missing tool or a refused input, short, with buttons. */
export function showProblem(problem: string, ...more: Button[]): void {
  // The server's sentence is for the command line too: a command in backticks, and how to name the folder.
  const install = /`((?:sudo )?(?:apt(?:-get)? install|brew install|winget install|cargo install) [^`]*)`/.exec(problem)?.[1];
  const missing = /\bfound\b|\bllvm\.path\b/.test(problem);
  const setting = /\bllvm\.source\b/.test(problem) ? "llvm.source" : missing ? "llvm.path" : undefined;
  const passes = problem.includes("`wavelens passes` shows") ? [showPasses] : [];
  const buttons = [...more, ...passes, ...(install ? [copyCommand(install)] : []), ...(setting ? [openSettings(setting)] : []), showLog];
  showWarning(sentence(problem), ...buttons);
}

/** Without what a button does, as one sentence. */
export function sentence(problem: string): string {
  const [first] = problem.split("\n");
  const short = first
    .replace(/:? (?:install|set|or say|name) .*$/s, "")
    .replace(/; `wavelens passes` shows .*$/s, "")
    .replace(/\s*\([^)]*--[^)]*\)/g, "");
  return `${short[0].toUpperCase()}${short.slice(1)}.`;
}
