// Bundles the extension: for Node and for browsers, and the server in WebAssembly where `cargo xtask web --module` has made it.
import { build } from "esbuild";
import fs from "node:fs";
import path from "node:path";

const here = import.meta.dirname;
const npm = path.join(here, "../web/npm");
const common = { bundle: true, minify: true, format: "cjs", outdir: path.join(here, "dist"), absWorkingDir: here };
/** In browsers `host.web.ts` takes the place of `host.ts`. */
const web = {
  name: "web",
  setup(context) {
    context.onResolve({ filter: /^\.\/host$/ }, () => ({ path: path.join(here, "src/host.web.ts") }));
  },
};
await build({ ...common, entryPoints: { extension: "src/extension.ts" }, external: ["vscode"], platform: "node", target: "node18" });
await build({
  ...common,
  entryPoints: { web: "src/extension.ts" },
  external: ["vscode"],
  platform: "browser",
  target: "es2022",
  plugins: [web],
});
// A worker of a browser is no module everywhere.
await build({ ...common, entryPoints: { worker: path.join(npm, "worker.js") }, format: "iife", target: "es2022" });
const wasm = path.join(npm, "wavelens.wasm");
if (fs.existsSync(wasm)) {
  fs.copyFileSync(wasm, path.join(here, "dist/wavelens.wasm"));
} else {
  fs.rmSync(path.join(here, "dist/wavelens.wasm"), { force: true });
  console.log("editors/web/npm/wavelens.wasm is missing (`cargo xtask web --module`): the package does not work in browsers");
}
