// What the compiler made of each document, as the server last said.

import * as vscode from "vscode";
import type { BaseLanguageClient as LanguageClient } from "vscode-languageclient";

interface Live {
  vgprs: number;
  agprs: number;
  sgprs: number;
}

/** An instruction of the assembly. Lines count from 0. */
export interface IsaLine {
  line: number;
  source?: number;
  encoding: string;
  live: Live;
  cost?: { latency: number };
}

/** What `wavelens/isa` answers. Lines count from 0. */
export interface Isa {
  text: string;
  /** Pairs of ISA line and source line. */
  map: [number, number][];
  lines: IsaLine[];
  /** What lines of the source compiled to. */
  sources: { line: number; instructions: number; bytes: number; live: Live }[];
  kernels: {
    name: string;
    vgprs: number;
    agprs: number;
    sgprs: number;
    lds: number;
    occupancy: number;
    vgpr_spills: number;
    sgpr_spills: number;
    limit?: string;
    peak?: { line: number; source?: number; live: Live };
  }[];
  target: string;
  command: string;
  /** `LLVM 22.1.8`, where it is known. */
  compiler?: string;
  /** Where the code comes from, if another program compiled the document before. */
  note?: string;
  /** Why there is no text, or only that of an earlier state. */
  problem?: string;
  /** The problem is a crash of the compiler. */
  crashed?: boolean;
  /** When the text was last that of the document. */
  fresh?: Date;
}

export class Reports implements vscode.Disposable {
  private readonly known = new Map<string, Isa>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  /** A document has a new report. */
  readonly onDidChange = this.changed.event;
  private readonly closing = vscode.workspace.onDidCloseTextDocument(({ uri }) => this.known.delete(uri.toString()));

  constructor(private readonly client: () => LanguageClient | undefined) {}

  dispose(): void {
    this.changed.dispose();
    this.closing.dispose();
  }

  get(source: vscode.Uri): Isa | undefined {
    return this.known.get(source.toString());
  }

  /** Asks the server, which compiles if it has to; of a large module what belongs to a function. */
  async fetch(source: vscode.Uri, name?: string): Promise<Isa | undefined> {
    const params = { textDocument: { uri: source.toString() }, function: name };
    const report = await this.client()?.sendRequest<Isa | null>("wavelens/isa", params);
    if (report) {
      report.fresh = report.problem ? this.get(source)?.fresh : new Date();
      this.known.set(source.toString(), report);
      this.changed.fire(source);
    }
    return report ?? undefined;
  }

  /** The server compiled a document again. */
  async refresh(source: vscode.Uri): Promise<void> {
    // Edited meanwhile: the server will say so again.
    await this.fetch(source).catch(() => undefined);
  }
}
