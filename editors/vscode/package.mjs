// Packages the extension. With a server in `server/` the package is for one platform, else for all of them (it then uses a server on PATH).
// usage: node package.mjs [--target <platform>] [--out <file>] [other options of vsce]
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const here = import.meta.dirname;
const root = path.join(here, "../..");
const given = process.argv.slice(2);
const names = ["wavelens", "wavelens.exe"].map((name) => path.join(here, "server", name));
const server = names.find((file) => fs.existsSync(file));

const options = ["package", "--no-dependencies", ...given];
if (!given.includes("--out")) {
  options.push("--out", "wavelens.vsix");
}
// A package for one platform does not need the server in WebAssembly.
const wasm = path.join(here, "dist/wavelens.wasm");
if (server) {
  fs.rmSync(wasm, { force: true });
  fs.chmodSync(server, 0o755);
  if (!given.includes("--target")) {
    options.push("--target", `${process.platform}-${process.arch === "arm" ? "armhf" : process.arch}`);
  }
} else {
  const web = fs.existsSync(wasm) ? ", and the one in WebAssembly in browsers and where there is none" : "";
  console.log(`server/ holds no server: the package is for all platforms and uses a server on PATH${web}`);
}

// Files that the package shares with the project.
const licences = ["LICENSE-MIT", "LICENSE-APACHE"].map((name) => fs.readFileSync(path.join(root, name), "utf8"));
fs.writeFileSync(path.join(here, "LICENSE"), `MIT or Apache-2.0, at your option.\n\n${licences.join(`\n${"-".repeat(78)}\n\n`)}`);
const examples = path.join(here, "examples");
fs.rmSync(examples, { recursive: true, force: true });
fs.mkdirSync(examples);
for (const name of ["nbody.ll", "saxpy.mir", "saxpy.spvasm", "saxpy.s"]) {
  fs.copyFileSync(path.join(root, "examples", name), path.join(examples, name));
}
fs.copyFileSync(path.join(root, "examples-broken/saxpy.ll"), path.join(examples, "broken.ll"));

const vsce = path.join(here, "node_modules/@vscode/vsce/vsce");
process.exit(spawnSync(process.execPath, [vsce, ...options], { cwd: here, stdio: "inherit" }).status ?? 1);
