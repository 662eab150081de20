// Makes the page: `node build.mjs [folder]`. It needs `../npm/wavelens.wasm`, which `cargo xtask web` makes.
import { build } from "esbuild";
import fs from "node:fs";
import path from "node:path";

const here = import.meta.dirname;
const root = path.join(here, "../../..");
const out = path.resolve(process.argv[2] ?? path.join(here, "dist"));
const wasm = path.join(here, "../npm/wavelens.wasm");
if (!fs.existsSync(wasm)) {
  console.error("editors/web/npm/wavelens.wasm is missing: cargo xtask web makes it");
  process.exit(1);
}

const examples = {};
for (const folder of ["examples", "examples-broken"]) {
  for (const name of fs.readdirSync(path.join(root, folder)).sort()) {
    const title = folder === "examples" ? name : `${name}, with mistakes`;
    examples[title] = { name, text: fs.readFileSync(path.join(root, folder, name), "utf8") };
  }
}

fs.rmSync(out, { recursive: true, force: true });
fs.mkdirSync(out, { recursive: true });
await build({
  entryPoints: {
    main: path.join(here, "src/main.js"),
    worker: path.join(here, "../npm/worker.js"),
    // For pages of the book, whose examples open here.
    share: path.join(here, "src/share.js"),
  },
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  outdir: out,
  define: { EXAMPLES: JSON.stringify(examples) },
  legalComments: "linked",
});
for (const name of ["index.html", "style.css"]) fs.copyFileSync(path.join(here, "src", name), path.join(out, name));
fs.copyFileSync(wasm, path.join(out, "wavelens.wasm"));
console.log(`${path.relative(process.cwd(), out)}: ${fs.readdirSync(out).join(" ")}`);
