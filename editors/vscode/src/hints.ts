// Inlay hints: how many, and where not.

import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient";

const presets = ["off", "calm", "all"] as const;
const meanings = { off: "no inlay hints", calm: "few inlay hints", all: "all inlay hints that are switched on" };

/** No hints where a document is shown only in diff editors: they move the text of one side. */
export function withoutDiffs(middleware: Middleware): Middleware {
  return {
    ...middleware,
    provideInlayHints: (document, range, token, next) =>
      isOnlyInDiff(document.uri) ? [] : (middleware.provideInlayHints?.(document, range, token, next) ?? next(document, range, token)),
  };
}

function isOnlyInDiff(uri: vscode.Uri): boolean {
  const shown = vscode.window.tabGroups.all.flatMap((group) => group.activeTab?.input ?? []);
  const is = (other: vscode.Uri) => other.toString() === uri.toString();
  const inDiff = shown.some((input) => input instanceof vscode.TabInputTextDiff && (is(input.original) || is(input.modified)));
  return inDiff && !shown.some((input) => input instanceof vscode.TabInputText && is(input.uri));
}

/** Goes on to the next preset. */
export async function toggleHints(): Promise<void> {
  const settings = vscode.workspace.getConfiguration("wavelens.inlayHints");
  const now = settings.get<(typeof presets)[number]>("preset") ?? "calm";
  const next = presets[(presets.indexOf(now) + 1) % presets.length];
  await settings.update("preset", next, vscode.ConfigurationTarget.Global);
  vscode.window.setStatusBarMessage(`Wavelens: ${meanings[next]}`, 4000);
}
