// Tests a packaged extension in a real VS Code server.
// usage: node run.mjs <code-server entry.js> <vsix> <folder for screenshots and logs>
import { chromium } from "playwright-core";
import { spawn, spawnSync } from "node:child_process";
import assert from "node:assert/strict";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { format } from "node:util";
import { lookAtViews } from "./views.mjs";

const languages = { "nbody.ll": "llvm", "saxpy.mir": "mir", "saxpy.spvasm": "spirv", "saxpy.s": "amdgpu" };
const [entry, vsix, out] = process.argv.slice(2).map((p) => path.resolve(p));
const here = import.meta.dirname;
/** `light` or `dark`: only pictures are taken, in that theme. */
const theme = process.env.WAVELENS_PICTURES;
/** The tests in another theme, for pictures to be looked at: `light`, `contrast`, `light-contrast`. */
const themes = { light: "Default Light Modern", dark: "Default Dark Modern", contrast: "Default High Contrast", "light-contrast": "Default High Contrast Light" };
const shownTheme = themes[theme ?? process.env.WAVELENS_VSCODE_THEME ?? "dark"];
/** Parts to run, for who works on one of them: `page`, `views`, `colours`, `missing`, `suite`; `first` only measures. */
const parts = process.env.WAVELENS_VSCODE_PARTS?.split(",");
const wanted = (part) => !parts || parts.includes(part);
/** Runs a part and says how long it took. */
async function timed(part, run) {
  const begin = Date.now();
  const result = await run();
  console.log(`${part}: ${((Date.now() - begin) / 1000).toFixed(0)} s`);
  return result;
}
/** Only the animation of README is made. */
const animated = Boolean(process.env.WAVELENS_ANIMATION);
fs.mkdirSync(out, { recursive: true });
const home = fs.mkdtempSync(path.join(os.tmpdir(), "wavelens-vscode-"));
/** A folder of its own for each page: VS Code brings unsaved edits back into the folder they were made in. */
function workspace(name) {
  const folder = path.join(home, name);
  fs.cpSync(path.join(here, "../../../examples"), folder, { recursive: true });
  fs.cpSync(path.join(here, "../../../examples-broken"), path.join(folder, "broken"), { recursive: true });
  fs.cpSync(path.join(here, "../assembly"), path.join(folder, "assembly"), { recursive: true });
  const encode = ["encode", "-o", path.join(folder, "saxpy.spv"), path.join(folder, "saxpy.spvasm")];
  assert.equal(spawnSync(path.join(here, "../../../editors/vscode/server/wavelens"), encode).status, 0);
  return folder;
}
fs.mkdirSync(path.join(home, "data/User"), { recursive: true });
const userSettings = {
    "security.workspace.trust.enabled": false,
    "workbench.startupEditor": "none",
    "telemetry.telemetryLevel": "off",
    "extensions.autoCheckUpdates": false,
    "git.enabled": false,
    "chat.disableAIFeatures": true,
    "chat.commandCenter.enabled": false,
    "files.autoSave": "off",
    "workbench.colorTheme": shownTheme,
    "editor.minimap.enabled": false,
    ...((theme || animated) && { "editor.fontSize": 12 }),
    "editor.stickyScroll.enabled": false,
    "workbench.tips.enabled": false,
    "wavelens.target": "gfx1030",
};
/** Writes the user's settings; the editor takes them over at once. */
const configure = (more) =>
  fs.writeFileSync(path.join(home, "data/User/settings.json"), JSON.stringify({ ...userSettings, ...more }));
configure({});
/** Writes the settings of the machine that the server runs on: paths set among the user's settings do not apply in a remote window. */
function configureMachine(settings) {
  fs.mkdirSync(path.join(home, "data/Machine"), { recursive: true });
  fs.writeFileSync(path.join(home, "data/Machine/settings.json"), JSON.stringify(settings));
}
// Without the smoke-test driver newer versions ignore the test arguments of the page's address.
const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, VSCODE_OPTIONS: "enable-smoke-test-driver" };
const folders = ["--user-data-dir", path.join(home, "data"), "--extensions-dir", path.join(home, "extensions")];
const installed = spawnSync(process.execPath, [entry, ...folders, "--install-extension", vsix], { env, encoding: "utf8" });
assert.equal(installed.status, 0, installed.stdout + installed.stderr);

const port = await new Promise((resolve) => {
  const server = net.createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});
const flags = ["--auth", "none", "--bind-addr", `127.0.0.1:${port}`, "--disable-telemetry", "--disable-update-check", "--disable-workspace-trust"];
const server = spawn(process.execPath, [entry, ...folders, ...flags], { env, stdio: ["ignore", "pipe", "pipe"], detached: true });
const log = fs.createWriteStream(path.join(out, "code-server.log"));
server.stdout.pipe(log);
server.stderr.pipe(log);

/** Whether there is an `llc` for what needs one. */
const compilers = spawnSync("sh", ["-c", "command -v llc-22 llc-21 llc-20 llc-19 llc"], { encoding: "utf8" }).stdout !== "";
const required = !["", "0"].includes(process.env.WAVELENS_REQUIRE_TOOLS ?? "");
assert(compilers || !required, "llc is not installed, and WAVELENS_REQUIRE_TOOLS is set");
if (!compilers) console.log("skipped: llc is not installed; the views of generated code are not tested");

const browserFlags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
/** Features that the test of the views has seen. */
let seenInViews = parts && !parts.includes("views") ? ["trace", "reduce"] : [];
let browser;
let status = 1;
let page;
try {
  for (let tries = 0; ; tries++) {
    const up = await fetch(`http://127.0.0.1:${port}/healthz`).then((r) => r.ok, () => false);
    if (up) break;
    assert(tries < 300, "the VS Code server did not start");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  browser = await chromium.launchPersistentContext(path.join(home, "chromium"), {
    executablePath: "/usr/bin/chromium", headless: true, viewport: animated ? { width: 1200, height: 560 } : theme ? { width: 1280, height: 880 } : { width: 1500, height: 1000 }, args: browserFlags,
  });
  page = browser.pages()[0] ?? (await browser.newPage());
  if (animated) await animate(page);
  else if (wanted("page")) await timed("page", () => lookAtThePage(page));
  if (!theme && !animated) {
    if (wanted("views")) {
      const folder = workspace("views");
      const address = `http://127.0.0.1:${port}/?folder=${encodeURIComponent(folder)}`;
      const picture = (name) => page.screenshot({ path: path.join(out, `${name}.png`) });
      const tools = { address, folder, picture, openFile, runCommand, goTo, webview, compilers, configure };
      seenInViews = await timed("views", () => lookAtViews(page, tools));
    }
    if (parts?.includes("first")) await measureFirstIsa(page);
    if (wanted("colours")) await timed("colours", () => coloursAgree(page));
    if (wanted("missing")) await timed("missing", () => missingServer(page));
    if (wanted("suite")) {
      page = await browser.newPage();
      await timed("suite", () => suite(page));
    }
  }
  status = 0;
} catch (error) {
  console.error(error);
  await page?.screenshot({ path: path.join(out, "failed.png") }).catch(() => {});
} finally {
  await browser?.close();
  try { process.kill(-server.pid, "SIGTERM"); } catch {}
  fs.rmSync(home, { recursive: true, force: true });
  console.log(status === 0 ? "vscode: passed" : "vscode: FAILED");
  process.exit(status);
}

/** Prints how long the first generated ISA of each language takes, in a window that was opened for it. */
async function measureFirstIsa(page) {
  for (const file of ["nbody.ll", "saxpy.mir", "saxpy.spvasm", "saxpy.s"]) {
    await page.goto("about:blank");
    await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(workspace(`first-${file}`))}`);
    await page.waitForSelector(".explorer-folders-view .monaco-list-row", { timeout: 60000 });
    await page.waitForTimeout(3000);
    const begin = Date.now();
    const times = [];
    const reached = (what) => times.push(`${what} ${((Date.now() - begin) / 1000).toFixed(2)} s`);
    await openFile(page, file);
    reached("file");
    await page.locator(".statusbar-item", { hasText: "gfx" }).first().waitFor({ timeout: 60000 });
    reached("server");
    await page.locator(".codelens-decoration", { hasText: "VGPR" }).first().waitFor({ timeout: 60000 }).catch(() => undefined);
    reached("figures");
    // Assembly is its own ISA.
    if (file !== "saxpy.s") {
      await runCommand(page, "Wavelens: Show Generated ISA");
      await page.locator(".editor-group-container").last().locator(".view-line", { hasText: "s_endpgm" }).or(
        page.locator(".tab", { hasText: `${file}.s` })).first().waitFor({ timeout: 60000 });
      reached("ISA");
    }
    console.log(`${file}: ${times.join(", ")}`);
  }
}

/** Runs the mocha suite inside the extension host. */
async function suite(page) {
  const done = new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error("the suite timed out")), 180000).unref();
    void page.exposeFunction("codeAutomationExit", resolve);
  });
  const seen = new Set(["dominators", ...seenInViews]);
  await page.exposeFunction("codeAutomationLog", (_type, args) => {
    const line = format(...args);
    const feature = line.match(/^FEATURE (\S+)/);
    if (feature) seen.add(feature[1]);
    else console.log(line);
  });
  const remote = (folder) => `vscode-remote://127.0.0.1:${port}${path.join(here, folder)}`;
  const payload = [["extensionDevelopmentPath", remote("harness")], ["extensionTestsPath", remote("suite")], ["skipWelcome", "true"]];
  await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(workspace("suite"))}&payload=${encodeURIComponent(JSON.stringify(payload))}`);
  assert.equal(await done, 0, "the suite failed");
  // The book lists what was seen to work; some views were looked at in the page.
  const { features } = JSON.parse(fs.readFileSync(path.join(here, "../features.json"), "utf8"));
  const compiled = ["isa", "sides", "compare", "passes", "trace", "remarks", "advise", "target", "lenses", "hints", "dominators"];
  const missing = features.filter(({ id, keys }) => keys[0] !== "" && !seen.has(id) && (compilers || !compiled.includes(id)));
  assert.deepEqual(missing.map(({ id }) => id), [], "features of the book that no test saw");
}

/**
 * Opens a list by its keys, types `text` and clicks the row. What does not show the row is asked again: a list of files that was
 * made before the file was there stays without it, and a busy page loses keys.
 */
async function pick(page, keys, text, row) {
  for (let tries = 0; ; tries++) {
    await page.keyboard.press(keys);
    try {
      await page.locator(".quick-input-widget input").first().fill(text, { timeout: 10000 });
      await page.locator(".quick-input-list .monaco-list-row").filter(row).first().click({ timeout: 10000 });
      return;
    } catch (error) {
      if (tries === 5) throw error;
      await page.keyboard.press("Escape");
    }
  }
}

/** Opens a file by its name in the explorer's folder. */
async function openFile(page, name) {
  const label = page.locator(".label-name", { hasText: new RegExp(`^${path.basename(name).replaceAll(".", "\\.")}$`) });
  await pick(page, "Control+KeyP", name, { has: label });
  await page.locator(".tab.active", { hasText: path.basename(name) }).first().waitFor({ timeout: 60000 });
}

async function runCommand(page, title) {
  await pick(page, "F1", `>${title}`, { hasText: title });
}

/** `place`: line and column, such as `5:1`. */
async function goTo(page, place) {
  await pick(page, "Control+KeyG", `:${place}`, { hasText: new RegExp(`line ${place.split(":")[0]}\\b`) });
  await page.locator(".quick-input-widget input").first().waitFor({ state: "hidden", timeout: 60000 });
}

/** The document inside a webview. */
async function webview(page, selector) {
  for (let tries = 0; tries < 300; tries++) {
    for (const frame of page.frames()) {
      if (await frame.locator(selector).count().catch(() => 0)) return frame;
    }
    await page.waitForTimeout(100);
  }
  assert.fail(`no panel with ${selector}`);
}

/** Makes a mistake at the end of the cursor's line next to its ISA, looks at the message about it, and takes it back. */
async function mistake(page, picture) {
  await page.keyboard.press("End");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("w");
  const squiggle = page.locator(".squiggly-error").first();
  await squiggle.waitFor({ timeout: 60000 });
  await page.keyboard.press("Escape");
  await page.keyboard.press("Home");
  await page.waitForTimeout(1200);
  await page.locator(".view-line span", { hasText: /^%inversw$/ }).first().hover();
  await page.locator(".monaco-hover:visible", { hasText: "use of undefined value" }).first().waitFor({ timeout: 60000 });
  await page.waitForTimeout(800);
  await picture("mistake");
  // The view of the ISA says so on the first line in sight, at its tab, and in the status bar; hints and lenses are marked.
  const banner = () => page.evaluate(() => [...document.querySelectorAll(".view-lines span")]
    .map((e) => getComputedStyle(e, "::before").content).find((text) => text.includes("Not up to date")));
  for (let tries = 0; !(await banner()); tries++) {
    assert(tries < 600, "no banner over the stale ISA");
    await page.waitForTimeout(100);
  }
  await page.locator(".statusbar-item", { hasText: "ISA not up to date" }).waitFor();
  await page.locator(".codelens-decoration", { hasText: "not up to date" }).first().waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+KeyZ");
  await page.keyboard.press("Control+KeyZ");
  await squiggle.waitFor({ state: "detached", timeout: 60000 });
}

/** Types a change next to the generated ISA, and makes `typing.gif` of what the page looks like meanwhile. */
async function animate(page) {
  const frames = path.join(out, "frames");
  fs.rmSync(frames, { recursive: true, force: true });
  fs.mkdirSync(frames);
  let count = 0;
  const frame = async (times = 1) => {
    for (let i = 0; i < times; i++) {
      await page.screenshot({ path: path.join(frames, `${String(count++).padStart(3, "0")}.png`) });
    }
  };
  await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(workspace("animation"))}`);
  await page.waitForSelector(".explorer-folders-view .monaco-list-row", { timeout: 60000 });
  await page.keyboard.press("Control+KeyB");
  await openFile(page, "nbody.ll");
  await page.locator(".codelens-decoration", { hasText: "VGPR" }).first().waitFor({ timeout: 60000 });
  await runCommand(page, "Wavelens: Show Generated ISA");
  const view = page.locator(".editor-group-container").last();
  await view.locator(".view-line", { hasText: "v_" }).first().waitFor({ timeout: 60000 });
  await page.keyboard.press("Control+1");
  await goTo(page, "44:11");
  await page.keyboard.press("Control+Shift+ArrowRight");
  await page.mouse.move(5, 5);
  await page.waitForTimeout(2000);
  const instructions = async () => (await view.locator(".view-lines").innerText()).replace(/\s+/g, " ");
  const before = await instructions();
  await frame(6);
  for (const letter of "fdiv") {
    await page.keyboard.type(letter);
    await page.waitForTimeout(150);
    await page.keyboard.press("Escape");
    await frame(3);
  }
  for (let tries = 0; (await instructions()) === before; tries++) {
    assert(tries < 600, "the ISA did not follow");
    await page.waitForTimeout(100);
    await frame();
  }
  await page.waitForTimeout(500);
  await frame(16);
  const colours = "split[a][b];[a]palettegen=max_colors=64:stats_mode=diff[p];[b][p]paletteuse=dither=none";
  const film = ["-y", "-loglevel", "error", "-framerate", "6", "-i", path.join(frames, "%03d.png"), "-vf", colours, path.join(out, "typing.gif")];
  const made = spawnSync("ffmpeg", film, { encoding: "utf8" });
  assert.equal(made.status, 0, made.stderr);
}

/** The colour of each character in view, by line. */
function colours(page) {
  return page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll(".editor-instance .view-line")].map((line) => {
        const cells = [];
        for (const span of line.querySelectorAll("span > span")) {
          const colour = getComputedStyle(span).color;
          cells.push(...[...span.textContent].map((c) => [c, colour]));
        }
        return [line.style.top, cells];
      }),
    ),
  );
}

/** Waits until the classes of the text in view, which decide its colours, have been the same for a second. */
async function settled(page) {
  const classes = () => page.evaluate(() =>
    [...document.querySelectorAll(".editor-instance .view-line span > span")].map((e) => e.className).join());
  let last = await classes();
  for (let same = 0, tries = 0; same < 4; tries++) {
    assert(tries < 240, "the colours do not come to rest");
    await page.waitForTimeout(250);
    const now = await classes();
    same = now === last ? same + 1 : 0;
    last = now;
  }
}

/** The colours of an example of each language, with or without those that the server sends. */
async function coloursOfExamples(page, semantic) {
  const quiet = { "editor.inlayHints.enabled": "off", "editor.codeLens": false, "editor.bracketPairColorization.enabled": false };
  const switches = Object.values(languages).map((l) => [`[${l}]`, { "editor.semanticHighlighting.enabled": semantic }]);
  configure({ ...quiet, "editor.guides.indentation": false, "editor.fontSize": 8, ...Object.fromEntries(switches) });
  await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(workspace(`colours-${semantic}`))}`);
  await page.waitForSelector(".explorer-folders-view .monaco-list-row", { timeout: 60000 });
  await page.keyboard.press("Control+KeyB");
  const found = {};
  for (const file of Object.keys(languages)) {
    await openFile(page, file);
    // Once the server runs its colours follow within the time that is waited for them.
    if (Object.keys(found).length === 0) await page.locator(".statusbar-item", { hasText: "gfx" }).first().waitFor({ timeout: 60000 });
    await settled(page);
    found[file] = await colours(page);
  }
  configure({});
  return found;
}

/** Colours do not change when those of the server arrive: what the grammar cannot know may differ, but is little. */
async function coloursAgree(page) {
  const [server, grammar] = [await coloursOfExamples(page, true), await coloursOfExamples(page, false)];
  for (const file of Object.keys(languages)) {
    let [all, other] = [0, 0];
    const words = new Map();
    for (const [line, cells] of Object.entries(server[file])) {
      let word = "";
      for (const [i, [c, colour]] of [...cells, [" "]].entries()) {
        const differs = c.trim() !== "" && grammar[file][line]?.[i]?.[1] !== colour;
        all += c.trim() === "" ? 0 : 1;
        other += differs ? 1 : 0;
        if (differs) word += c;
        else if (word) words.set(word, (words.get(word) ?? 0) + 1), (word = "");
      }
    }
    const most = [...words].sort((a, b) => b[1] - a[1]).slice(0, 20).map(([word, n]) => `${word} ${n}`).join(", ");
    assert(all > 500, `${file}: only ${all} characters in view`);
    assert(other * 20 < all, `${file}: ${other} of ${all} characters change their colour: ${most}`);
  }
}

/** A server that is not there is named, with buttons that lead on. */
async function missingServer(page) {
  configureMachine({ "wavelens.server.path": "/nowhere/wavelens" });
  await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(workspace("missing"))}`);
  await page.waitForSelector(".explorer-folders-view .monaco-list-row", { timeout: 60000 });
  await openFile(page, "nbody.ll");
  const toast = page.locator(".notification-toast", { hasText: "/nowhere/wavelens" }).first();
  await toast.waitFor({ timeout: 60000 });
  await toast.locator(".monaco-button", { hasText: "Copy Command" }).waitFor();
  await page.screenshot({ path: path.join(out, "missing-server.png") });
  await toast.locator(".monaco-button", { hasText: "Open Settings" }).click();
  await page.locator(".settings-editor .setting-item", { hasText: "Server: Path" }).first().waitFor({ timeout: 60000 });
  await page.screenshot({ path: path.join(out, "settings.png") });
  configureMachine({});
}

/** Uses the extension as somebody would, and takes pictures. */
async function lookAtThePage(page) {
  const picture = (name) => page.screenshot({ path: path.join(out, `${name}.png`) });
  await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(workspace("page"))}`);
  await page.waitForSelector(".explorer-folders-view .monaco-list-row", { timeout: 60000 });
  await openFile(page, "broken/saxpy.ll");
  await page.waitForSelector(".monaco-editor .squiggly-error", { timeout: 60000 });
  const colours = await page.evaluate(() => new Set([...document.querySelectorAll(".view-line span span")].map((e) => e.className)).size);
  assert(colours > 2, "no token colours");
  const word = page.locator(".view-line span", { hasText: /^%base$/ }).first();
  await word.hover();
  await page.waitForTimeout(500);
  await word.hover({ position: { x: 12, y: 8 } });
  await page.locator(".monaco-hover:visible", { hasText: "i32" }).first().waitFor({ timeout: 60000 });
  await picture("hover");
  await page.mouse.move(5, 5);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+Shift+KeyM");
  await page.locator(".markers-panel .monaco-list-row", { hasText: "%exit" }).first().waitFor({ timeout: 60000 });
  await picture("problems");
  await page.keyboard.press("Control+KeyJ");
  await page.keyboard.press("Control+KeyB");

  await openFile(page, "nbody.ll");
  if (compilers) {
    await page.locator(".codelens-decoration", { hasText: "VGPR" }).first().waitFor({ timeout: 60000 });
    await runCommand(page, "Wavelens: Show Generated ISA");
    await page.locator(".view-line", { hasText: "s_endpgm" }).or(page.locator(".tab", { hasText: /nbody\.ll \(\w+\)\.s/ })).first().waitFor({ timeout: 60000 });
    await page.locator(".view-line", { hasText: "fmul" }).first().click({ position: { x: 60, y: 8 } });
    await page.waitForTimeout(1500);
    await picture("isa");
    await mistake(page, picture);
    await runCommand(page, "Wavelens: Compare Targets");
    const table = await webview(page, "td.best");
    assert((await table.locator("tr").count()) > 5);
    await page.waitForTimeout(500);
    await picture("compare");
    await runCommand(page, "Wavelens: Show What Each Pass Changed");
    const list = await webview(page, "#list li");
    await list.locator("#pass").fill("alloc");
    await list.locator("#diff .plus").first().waitFor();
    await page.waitForTimeout(500);
    await picture("passes");
    await list.locator("#open:enabled").click();
    await page.locator(".tab.active", { hasText: ".mir" }).first().waitFor({ timeout: 60000 });
    await page.locator(".view-line", { hasText: "body:" }).or(page.locator(".view-line", { hasText: "define" })).first().waitFor({ timeout: 60000 });
    assert.equal(await page.locator(".tab.active.dirty", { hasText: ".mir" }).count(), 0, "the Machine IR after a pass is not a file to save");
    await page.keyboard.press("Control+KeyW");
    await openFile(page, "nbody.ll");
    // An edit while a panel is hidden is in the panel when it is shown again.
    await goTo(page, "7:33");
    await page.keyboard.type("2");
    await page.locator(".tab", { hasText: "Compare Targets" }).first().click();
    await table.locator("h3", { hasText: "nbody2" }).waitFor({ timeout: 60000 });
    await openFile(page, "nbody.ll");
    await page.keyboard.press("Control+KeyZ");
  }
  if (theme) {
    await runCommand(page, "View: Close All Editors");
    await openFile(page, "nbody.ll");
  }
  // The server names the processors, by architecture.
  await runCommand(page, "Wavelens: Choose Target");
  await page.locator(".quick-input-widget input").first().fill("gfx1310");
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "gfx1310" }).filter({ hasText: "GFX13" }).first().waitFor({ timeout: 60000 });
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+1");
  await runCommand(page, "Wavelens: Show Control-Flow Graph");
  const graph = await webview(page, "svg.flow .block");
  await page.waitForTimeout(500);
  await picture("cfg");
  await graph.locator("#tree").click();
  await graph.locator('#tree[aria-pressed="true"]').waitFor();
  await graph.locator("svg.flow .block").last().click();
  await page.waitForTimeout(800);
  await picture("dominators");
}
