// Uses the page as a person does, in Chromium: open, type, fix, format, share, picture, theme, phone width.
// usage: node test.mjs <folder of the page> <folder for pictures> [docs/pictures: takes those of README and the book anew]
import { chromium } from "playwright-core";
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";

const [page_, out, book] = process.argv.slice(2).map((p) => path.resolve(p));
fs.mkdirSync(out, { recursive: true });
const types = { html: "text/html", js: "text/javascript", css: "text/css", wasm: "application/wasm", txt: "text/plain" };
const requests = [];
const server = http.createServer((request, response) => {
  const asked = request.url === "/" ? "index.html" : request.url.slice(1).split("?")[0];
  // Next to a book the page is in a folder of its own.
  const name = asked.replace(/^playground\//, "");
  requests.push(name);
  const file = path.join(page_, name);
  if (!file.startsWith(page_) || !fs.existsSync(file)) return response.writeHead(404).end();
  response.writeHead(200, { "content-type": types[name.split(".").pop()] ?? "application/octet-stream" });
  response.end(fs.readFileSync(file));
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = `http://127.0.0.1:${server.address().port}/`;

const executablePath = spawnSync("sh", ["-c", "command -v chromium chromium-browser google-chrome"], { encoding: "utf8" }).stdout.split("\n")[0];
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: "light", permissions: ["clipboard-read", "clipboard-write"] });
const page = await context.newPage();
const problems = [];
page.on("pageerror", (error) => problems.push(error.stack));
page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
page.on("request", (request) => request.url().startsWith(address) || request.url().startsWith("data:") || problems.push(`request to ${request.url()}`));
page.setDefaultTimeout(30_000);

let number = 0;
const picture = (name) => page.screenshot({ path: path.join(out, `playground-${++number}-${name}.png`) });
const step = (name) => console.log(`playground: ${name}`);
const text = () => page.evaluate(() => document.querySelector(".cm-content").cmTile?.view?.state.doc.toString() ?? [...document.querySelectorAll(".cm-line")].map((l) => l.innerText.replace(/\n$/, "")).join("\n"));
const status = (wanted) => page.waitForFunction((w) => new RegExp(w).test(document.getElementById("status").textContent), wanted);
const focus = () => page.locator(".cm-content").focus();

step("open");
await page.goto(address);
await page.waitForFunction(() => document.body.dataset.first);
console.log(`first findings after ${await page.evaluate(() => document.body.dataset.first)} ms`);
await page.locator(".finding").first().waitFor();
await page.locator(".tok-keyword").first().waitFor();
await picture("open");

step("each example");
const examples = await page.locator("#example option").evaluateAll((all) => all.map((o) => o.value).filter(Boolean));
assert.ok(examples.length >= 9, String(examples));
for (const example of examples) {
  await page.locator("#example").selectOption(example);
  await page.waitForFunction(() => document.getElementById("status").textContent !== "Loading…");
  await page.locator("[class^=tok-]").first().waitFor();
  if (example.includes("mistakes")) await page.locator(".finding").first().waitFor();
}

step("type");
await page.locator("#dialect").selectOption("llvm");
await focus();
await page.keyboard.press("Control+a");
await page.keyboard.insertText("define i32 @f(i32 %a) {\nentry:\n    %sum = add i32 %a, 1\n  ret i32 %sun\n}\n");
await status("1 error");
await page.locator(".cm-lintRange-error").waitFor();
await picture("typed");

step("fix");
await page.locator("button.fix", { hasText: "sum" }).first().click();
await status("No findings");
assert.match(await text(), /ret i32 %sum/);

step("format");
await page.locator("#format").click();
await page.waitForFunction(() => /^ {2}%sum/m.test([...document.querySelectorAll(".cm-line")].map((l) => l.textContent).join("\n")));

step("fixes by keyboard");
await page.keyboard.press("Control+End");
await page.locator(".cm-line", { hasText: "ret i32" }).click();
await page.keyboard.press("End");
await page.keyboard.press("Backspace");
await page.keyboard.type("n");
await status("1 error");
await page.keyboard.press("Escape");
await page.keyboard.press("Control+.");
await page.locator(".actions button").first().waitFor();
await picture("fixes");
await page.keyboard.press("Enter");
await status("No findings");

step("hover");
await page.locator(".cm-line", { hasText: "add i32" }).locator("text=add").first().hover();
await page.locator(".cm-tooltip .hover").waitFor();
await picture("hover");
await page.mouse.move(5, 5);

step("completion");
await page.locator(".cm-line", { hasText: "%sum = add" }).click();
await page.keyboard.press("End");
await page.keyboard.press("Enter");
await page.keyboard.type("%more = xor i32 %");
await page.locator(".cm-tooltip-autocomplete li").first().waitFor();
await picture("completion");
await page.locator(".cm-tooltip-autocomplete li", { hasText: "%a" }).first().click();
await page.keyboard.type(", 1");
await status("(warning|note|No findings)");

step("page of a code");
await page.locator("#example").selectOption("saxpy.ll, with mistakes");
await page.locator(".finding .code").first().click();
await page.locator("#panel h2").waitFor();
await page.locator("#panel pre").first().waitFor();
await picture("rule");

step("control flow");
await page.locator("#example").selectOption("nbody.ll");
await page.locator("[data-tab=flow]").click();
await page.locator(".cm-line", { hasText: "define" }).first().click();
await page.locator("[data-tab=flow]").click();
await page.locator(".picture svg").waitFor();
await picture("flow");

step("outline");
await page.locator("[data-tab=outline]").click();
await page.locator(".outline button").first().waitFor();

step("encodings");
await page.locator("#example").selectOption("saxpy.s");
await page.locator("[data-tab=encodings]").click();
await page.locator("#panel tr[data-line]").first().waitFor();
await picture("encodings");
await page.locator("#panel tr[data-line]").nth(2).click();
await page.locator("#panel tr.current").waitFor();

step("target");
await page.locator("[data-tab=findings]").click();
await page.locator("#target").fill("gfx90a");
await page.locator("#target").press("Enter");
await page.locator(".finding").first().waitFor();
await picture("target");

step("share");
await page.locator("#share").click();
await page.waitForFunction(() => location.hash.startsWith("#t="));
const link = page.url();
const before = await text();
const other = await context.newPage();
await other.goto(link);
await other.waitForFunction(() => document.querySelectorAll(".cm-line").length > 3);
assert.equal(await other.locator("#target").inputValue(), "gfx90a");
assert.equal(await other.locator("#dialect").inputValue(), "amdgpu");
await other.close();
assert.ok(before.length > 0);
assert.ok(!requests.some((r) => r.includes("t=")), "the text is sent nowhere");

step("an example of the book");
// As mdBook writes a page: examples, the root of the book, and the script of the book.
const example = "define i32 @f(i32 %item) {\n  ret i32 %itme\n}\n";
const script = fs.readFileSync(path.join(import.meta.dirname, "../../../docs/playground.js"), "utf8");
const body = `<main><pre><code class="language-llvm">${example}</code></pre><pre><code class="language-text">error</code></pre></main>
<script>const path_to_root = "../";</script><script>${script}</script>`;
const code = await context.newPage();
await code.route("**/codes/undefined-value.html", (route) => route.fulfill({ contentType: "text/html", body }));
await code.goto(`${address}codes/undefined-value.html`);
await code.locator(".playground-link").click();
await code.locator(".finding", { hasText: "%itme" }).waitFor();
assert.equal(await code.locator("#dialect").inputValue(), "llvm");
await code.goBack();
// The page makes its links again.
await code.locator(".playground-link").first().waitFor();
assert.equal(await code.locator(".playground-link").count(), 1);
await code.close();

step("theme");
const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
assert.equal(await back(), "rgb(255, 255, 255)");
await page.locator("#theme").click();
assert.notEqual(await back(), "rgb(255, 255, 255)");
await page.locator("#example").selectOption("saxpy.spvasm, with mistakes");
await page.locator(".finding").first().waitFor();
await picture("dark");

step("phone");
await page.setViewportSize({ width: 390, height: 780 });
const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
assert.ok(overflow <= 0, `${overflow} px too wide`);
await picture("phone");

step("HTML in a text stays text");
await page.setViewportSize({ width: 1280, height: 800 });
await page.locator("#dialect").selectOption("llvm");
await focus();
await page.keyboard.press("Control+a");
await page.keyboard.insertText('define i32 @"<img src=x onerror=alert(1)>"() {\n  ret i32 %"<b>x</b>"\n}\n');
await status("^1 error$");
const named = page.locator(".cm-line", { hasText: "define" }).locator(".tok-function").first();
await named.waitFor();
await page.waitForTimeout(500);
await named.hover({ position: { x: 30, y: 6 } });
await page.waitForTimeout(100);
await named.hover({ position: { x: 40, y: 7 } });
await page.locator(".cm-tooltip .hover").waitFor();
await picture("names");
assert.equal(await page.locator(".hover img, .finding b").count(), 0);

for (const colorScheme of book ? ["light", "dark"] : []) {
  const shown = await (await browser.newContext({ viewport: { width: 1180, height: 470 }, colorScheme })).newPage();
  await shown.goto(address);
  await shown.locator(".fix").nth(1).waitFor();
  await shown.locator(".tok-keyword").first().waitFor();
  await shown.mouse.move(5, 5);
  await shown.screenshot({ path: path.join(book, `playground-${colorScheme}.png`) });
}

await browser.close();
server.close();
assert.deepEqual(problems, []);
console.log("playground: passed");
