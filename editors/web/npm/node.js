// In Node the module is a file next to this one.
import { readFileSync } from "node:fs";

import { functions } from "./module.js";

const file = readFileSync(new URL("./wavelens.wasm", import.meta.url));

/** Reads the module. It is compiled once in a process. */
export async function load() {
  return (loaded ??= functions(new WebAssembly.Module(file)));
}

let loaded;
