import { functions } from "./module.js";

/** Loads the module from where this file is, or from another address. */
export async function load(address = new URL("./wavelens.wasm", import.meta.url)) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status} ${response.statusText}`);
  return functions(await WebAssembly.compile(await response.arrayBuffer()));
}
