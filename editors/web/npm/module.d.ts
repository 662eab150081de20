import type { Wavelens } from "./index.js";

/** A panic of the module. */
export class Panic extends Error {}

/** One instance of the module, for who talks with the language server. */
export class Instance {
  constructor(module: WebAssembly.Module);
  call(name: string, question: object): { value: unknown } | { error: string };
  /** Gives the language server a message, as JSON. */
  receive(message: string): void;
  /** Lets the language server work; after how many milliseconds there is more to do, or -1. */
  turn(now: number): number;
  /** The messages of the language server, as JSON. */
  messages(): string[];
  readonly version: string;
  readonly memory: number;
}

export function functions(module: WebAssembly.Module): Wavelens;
