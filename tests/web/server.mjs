// Talks with the language server of the module as a client does, in one process: answers, findings after edits, a panic, the memory limit.
import assert from "node:assert/strict";
import fs from "node:fs";
import { Worker as NodeWorker } from "node:worker_threads";
import { changed, Server } from "../../editors/web/npm/client.js";

const npm = new URL("../../editors/web/npm/", import.meta.url);
const module = new WebAssembly.Module(fs.readFileSync(new URL("wavelens.wasm", npm)));

/** A worker of a browser, as far as the client uses one. */
class Worker {
  constructor() {
    const code = `
      const { parentPort } = require("node:worker_threads");
      globalThis.postMessage = (data) => parentPort.postMessage(data);
      parentPort.on("message", (data) => globalThis.onmessage ? globalThis.onmessage({ data }) : early.push(data));
      const early = [];
      import(${JSON.stringify(new URL("worker.js", npm).href)}).then(() => early.forEach((data) => globalThis.onmessage({ data })));`;
    this.worker = new NodeWorker(code, { eval: true });
    this.worker.on("message", (data) => this.onmessage({ data }));
    this.worker.on("error", (error) => this.onerror({ message: error.message }));
  }

  postMessage(data) {
    this.worker.postMessage(data);
  }

  terminate() {
    this.worker.terminate();
  }
}

const answers = new Map();
const published = [];
const restarts = [];
let wake = () => {};
const server = new Server({
  module,
  start: () => new Worker(),
  receive: (message) => {
    if (message.method === "textDocument/publishDiagnostics") published.push(message.params);
    else if (message.method) {
      if (message.id !== undefined) server.send({ jsonrpc: "2.0", id: message.id, result: null });
    } else answers.get(message.id)?.(message);
    wake();
  },
  restarted: (reason) => restarts.push(reason),
});
let next = 1;
const ask = (method, params) =>
  new Promise((resolve) => {
    answers.set(next, resolve);
    server.send({ jsonrpc: "2.0", id: next++, method, params });
  });
const say = (method, params) => server.send({ jsonrpc: "2.0", method, params });
async function findings(uri, version) {
  for (;;) {
    const found = published.find((p) => p.uri === uri && p.version === version);
    if (found) return found.diagnostics.map((d) => d.code).sort();
    await new Promise((resolve) => (wake = resolve));
  }
}
const uri = "memory:/a.ll";
const textDocument = { uri };
const open = (text, version = 1) =>
  say("textDocument/didOpen", { textDocument: { uri, languageId: "llvm", version, text } });

const { result } = await ask("initialize", {
  processId: null, rootUri: null, capabilities: { textDocument: { publishDiagnostics: {}, hover: {} } },
});
assert.equal(result.serverInfo.name, "wavelens");
say("initialized", {});
open("define i32 @f(i32 %a) {\n  ret i32 %b\n}\n");
assert.deepEqual(await findings(uri, 1), ["undefined-value"]);
const hover = await ask("textDocument/hover", { textDocument, position: { line: 0, character: 19 } });
assert.match(hover.result.contents.value, /%a/);

// An edit, and a request right after it.
const edit = (version, line, character, to, text) => {
  const range = { start: { line, character }, end: { line, character: to } };
  say("textDocument/didChange", { textDocument: { uri, version }, contentChanges: [{ range, text }] });
};
edit(2, 1, 11, 12, "a");
assert.deepEqual(await findings(uri, 2), []);
const formatted = await ask("textDocument/formatting", { textDocument, options: { tabSize: 2, insertSpaces: true } });
assert.deepEqual(formatted.result ?? [], []);
const completed = await ask("textDocument/completion", { textDocument, position: { line: 1, character: 11 } });
assert.ok((completed.result.items ?? completed.result).length > 0);
const flow = await ask("wavelens/controlFlow", { textDocument, position: { line: 1, character: 3 } });
assert.match(flow.result.svg, /^<svg/);

// What needs a compiler says so.
const isa = await ask("wavelens/isa", { textDocument });
assert.match(isa.result.problem, /needs a compiler, and a browser has none/);
assert.equal(restarts.length, 0, String(restarts));

// A burst of edits is checked once it is over.
for (let version = 3; version < 40; version++) edit(version, 1, 11, 12, version % 2 ? "b" : "a");
assert.deepEqual(await findings(uri, 39), ["undefined-value"]);

// Another worker takes the place of one that ends, and has the text as it is now.
published.length = 0;
server.worker.onmessage({ data: { panic: "a test" } });
assert.deepEqual(restarts, ["a test"]);
assert.deepEqual(await findings(uri, 39), ["undefined-value"]);
const again = await ask("textDocument/hover", { textDocument, position: { line: 0, character: 19 } });
assert.match(again.result.contents.value, /%a/);

// A large text.
const line = "define i32 @f%(i32 %a) {\n  %b = add i32 %a, 1\n  ret i32 %b\n}\n";
let large = "";
for (let n = 0; large.length < 1 << 20; n++) large += line.replace("%", n);
say("textDocument/didClose", { textDocument });
published.length = 0;
open(large, 50);
let began = performance.now();
await findings(uri, 50);
console.log(`1 MB: first findings after ${Math.round(performance.now() - began)} ms`);
let version = 50;
// A body is checked alone; a signature may matter to every function.
for (const [what, line, column] of [["in a body", 1, 11], ["of a signature", 0, 15]]) {
  const times = [];
  for (let n = 0; n < 40; n++) {
    version += 1;
    began = performance.now();
    edit(version, 4 * (n * 37) + line, column, column + 3, n % 2 ? "i64" : "i32");
    await findings(uri, version);
    times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  console.log(`1 MB: edit ${what} to findings, median ${Math.round(times[20])} ms, p95 ${Math.round(times[38])} ms`);
}
assert.equal(changed("a\nbc\n", { range: { start: { line: 1, character: 1 }, end: { line: 1, character: 9 } }, text: "x" }), "a\nbx\n");
assert.equal(restarts.length, 1, String(restarts));
server.stop();
console.log("server: passed");
process.exit(0);
