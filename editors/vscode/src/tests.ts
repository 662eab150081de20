// Tests with RUN lines in VS Code's own view of tests: folders, files and RUN lines, with results in the gutter and what FileCheck compared as a diff.

import * as vscode from "vscode";
import type { Context } from "./webview";

/** What the server says of a test that was run. */
interface Answer {
  verdict: "passed" | "failed" | "expectedlyFailed" | "unexpectedlyPassed" | "unsupported" | "notRun";
  message: string;
  lines: { line: number; passed: boolean; expected?: string; actual?: string }[];
  output: string;
}

const endings = "ll,llir,mir,spvasm,s,amdgcn";
/** Files that are looked for in a workspace. */
const many = 5000;
/** Bytes at the start of a file that hold its RUN lines. */
const head = 16 << 10;

export class Tests implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController("wavelens", "LLVM tests (RUN lines)");
  private readonly disposables: vscode.Disposable[];

  constructor(private readonly context: Context) {
    const { controller } = this;
    controller.resolveHandler = async (item) => {
      if (!item) {
        await this.discover();
      }
    };
    controller.refreshHandler = () => this.discover();
    controller.createRunProfile("Run", vscode.TestRunProfileKind.Run, (request, token) => this.run(request, token), true, undefined, true);
    this.disposables = [
      controller,
      vscode.workspace.onDidOpenTextDocument((document) => this.look(document.uri, document.getText())),
      vscode.workspace.onDidSaveTextDocument((document) => this.saved(document)),
      vscode.workspace.onDidDeleteFiles(({ files }) => files.forEach((file) => this.look(file, ""))),
    ];
    vscode.workspace.textDocuments.forEach((document) => this.look(document.uri, document.getText()));
  }

  dispose(): void {
    this.watched.forEach(({ token }) => void token.dispose());
    this.disposables.forEach((d) => void d.dispose());
  }

  /** Requests that run again when a file is saved. */
  private readonly watched = new Map<vscode.TestRunRequest, { token: vscode.Disposable }>();

  /** Finds the tests of the workspace. */
  private async discover(): Promise<void> {
    const files = await vscode.workspace.findFiles(`**/*.{${endings}}`, undefined, many);
    for (const file of files) {
      try {
        const bytes = await vscode.workspace.fs.readFile(file);
        this.look(file, Buffer.from(bytes.subarray(0, head)).toString("utf8"));
      } catch {
        // It is gone, or may not be read.
      }
    }
  }

  private saved(document: vscode.TextDocument): void {
    this.look(document.uri, document.getText());
    for (const request of this.watched.keys()) {
      const items = this.chosen(request).filter((item) => item.uri?.toString() === document.uri.toString());
      if (items.length > 0) {
        void this.runItems(request, items, new vscode.CancellationTokenSource().token);
      }
    }
  }

  /** Adds a file with its RUN lines to the tree, or removes one that has none. */
  private look(uri: vscode.Uri, text: string): void {
    if (uri.scheme !== "file" || !new RegExp(`\\.(?:${endings.replaceAll(",", "|")})$`).test(uri.path)) {
      return;
    }
    const runs = runLines(text);
    const id = uri.toString();
    if (runs.length === 0) {
      this.forget(uri);
      return;
    }
    const parent = this.folder(uri);
    const item = parent.get(id) ?? this.controller.createTestItem(id, uri.path.replace(/.*\//, ""), uri);
    item.range = new vscode.Range(runs[0].line, 0, runs[0].line, 0);
    item.children.replace(
      runs.map(({ line, text }, index) => {
        const run = this.controller.createTestItem(`${id}#${index + 1}`, `${index + 1}: ${text}`, uri);
        run.range = new vscode.Range(line, 0, line, 0);
        run.sortText = String(index).padStart(4, "0");
        return run;
      }),
    );
    parent.add(item);
  }

  /** The folder of a file in the tree. */
  private folder(uri: vscode.Uri): vscode.TestItemCollection {
    const relative = vscode.workspace.asRelativePath(uri);
    let items = this.controller.items;
    let path = "";
    for (const name of relative.split("/").slice(0, -1).filter(Boolean)) {
      path += `${name}/`;
      let item = items.get(path);
      if (!item) {
        item = this.controller.createTestItem(path, name);
        items.add(item);
      }
      items = item.children;
    }
    return items;
  }

  /** Removes a file from the tree, and folders that have no others. */
  private forget(uri: vscode.Uri): void {
    const remove = (items: vscode.TestItemCollection, names: string[], path: string): void => {
      const [name, ...rest] = names;
      if (rest.length === 0) {
        items.delete(uri.toString());
        return;
      }
      const folder = items.get(`${path}${name}/`);
      if (folder) {
        remove(folder.children, rest, folder.id);
        if (folder.children.size === 0) {
          items.delete(folder.id);
        }
      }
    };
    remove(this.controller.items, vscode.workspace.asRelativePath(uri).split("/").filter(Boolean), "");
  }

  private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    if (request.continuous) {
      this.watched.set(request, { token: token.onCancellationRequested(() => this.watched.delete(request)) });
      return;
    }
    await this.runItems(request, this.chosen(request), token);
  }

  /** The files and RUN lines that a request names, folders by their files. */
  private chosen(request: vscode.TestRunRequest): vscode.TestItem[] {
    const excluded = new Set((request.exclude ?? []).map((item) => item.id));
    const files = (item: vscode.TestItem): vscode.TestItem[] => {
      if (excluded.has(item.id)) {
        return [];
      }
      return item.uri ? [item] : all(item.children).flatMap(files);
    };
    return (request.include ?? all(this.controller.items)).flatMap(files);
  }

  private async runItems(request: vscode.TestRunRequest, items: vscode.TestItem[], token: vscode.CancellationToken): Promise<void> {
    const run = this.controller.createTestRun(request);
    try {
      if (!(await this.context.ready())) {
        return;
      }
      items.forEach((item) => run.enqueued(item));
      for (const item of items) {
        if (token.isCancellationRequested) {
          run.skipped(item);
        } else {
          await this.runItem(run, item, token);
        }
      }
    } finally {
      run.end();
    }
  }

  private async runItem(run: vscode.TestRun, item: vscode.TestItem, token: vscode.CancellationToken): Promise<void> {
    const { uri } = item;
    if (!uri) {
      return;
    }
    const line = item.id.includes("#") ? Number(item.id.replace(/.*#/, "")) : undefined;
    const lines = line ? [item] : all(item.children);
    [item, ...lines].forEach((i) => run.started(i));
    const began = Date.now();
    let answer: Answer | undefined;
    try {
      // The server runs documents that it knows.
      await vscode.workspace.openTextDocument(uri);
      const params = { command: "wavelens.lit.run", arguments: [{ uri: uri.toString(), line, quiet: true }] };
      answer = await this.context.client()?.sendRequest<Answer>("workspace/executeCommand", params, token);
    } catch (error) {
      run.errored(item, new vscode.TestMessage(error instanceof Error ? error.message : String(error)));
    }
    if (!answer) {
      return;
    }
    const time = Date.now() - began;
    run.appendOutput(answer.output.replace(/\r?\n/g, "\r\n"), undefined, item);
    const failure = (of: vscode.TestItem, result: Answer["lines"][number] | undefined) => {
      const message =
        result?.expected !== undefined
          ? vscode.TestMessage.diff(answer.message, result.expected, result.actual ?? "")
          : new vscode.TestMessage(answer.message);
      if (of.range) {
        message.location = new vscode.Location(uri, of.range);
      }
      return message;
    };
    for (const own of line ? [] : lines) {
      const result = answer.lines.find((l) => own.id.endsWith(`#${l.line}`));
      if (!result) {
        run.skipped(own);
      } else if (result.passed) {
        run.passed(own);
      } else {
        run.failed(own, failure(own, result));
      }
    }
    const bad = answer.lines.find((l) => !l.passed);
    switch (answer.verdict) {
      case "passed":
      case "expectedlyFailed":
        run.passed(item, time);
        break;
      case "unsupported":
        run.skipped(item);
        break;
      case "notRun":
        run.errored(item, new vscode.TestMessage(answer.message), time);
        break;
      case "failed":
      case "unexpectedlyPassed":
        run.failed(item, failure(item, bad), time);
    }
  }
}

function all(items: vscode.TestItemCollection): vscode.TestItem[] {
  return [...items].map(([, item]) => item);
}

/** The RUN lines of a text, those that go on in the next line as one. */
function runLines(text: string): { line: number; text: string }[] {
  const found: { line: number; text: string }[] = [];
  let open = false;
  text.split("\n").forEach((content, line) => {
    const command = /\bRUN:(.*)$/.exec(content)?.[1].trim();
    if (command === undefined) {
      return;
    }
    const words = command.replace(/\\$/, "").trim();
    const last = found.at(-1);
    if (open && last) {
      last.text += ` ${words}`;
    } else {
      found.push({ line, text: words });
    }
    open = command.endsWith("\\");
  });
  return found;
}
