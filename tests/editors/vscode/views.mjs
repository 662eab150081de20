// Tests of the views that show what compilers made of a file, in the page.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";

/** A chain of conditions without a loop, longer than what is drawn as a whole. */
function manyBlocks(count) {
  const blocks = Array.from({ length: count }, (_, n) =>
    `b${n}:\n  %c${n} = icmp eq i32 %n, ${n}\n  br i1 %c${n}, label %t${n}, label %b${n + 1}\nt${n}:\n  br label %b${n + 1}\n`);
  return `define void @many(i32 %n) {\nentry:\n  br label %b0\n${blocks.join("")}b${count}:\n  ret void\n}\n`;
}

/** `tools`: how `run.mjs` drives the page. Returns the rows of `../features.json` that were seen to work. */
export async function lookAtViews(page, tools) {
  const { address, folder, picture, runCommand, webview, compilers } = tools;
  // Files open on the left, whatever has the focus.
  const openFile = async (file, name) => {
    await page.keyboard.press("Control+1");
    await tools.openFile(file, name);
  };
  fs.copyFileSync(path.join(import.meta.dirname, "inputs/limited.ll"), path.join(folder, "limited.ll"));
  fs.copyFileSync(path.join(import.meta.dirname, "inputs/crash.ll"), path.join(folder, "crash.ll"));
  fs.writeFileSync(path.join(folder, "many.ll"), manyBlocks(1000));
  fs.writeFileSync(path.join(folder, "sums.bc"), "scale=2; 1/3\n");
  await page.goto(address);
  await page.waitForSelector(".explorer-folders-view .monaco-list-row", { timeout: 60000 });
  const go = async (place) => {
    await page.keyboard.press("Control+1");
    await tools.goTo(page, place);
  };
  const show = async (title, selector) => {
    await page.keyboard.press("Control+1");
    await runCommand(page, title);
    return webview(page, selector);
  };
  const all = { go, show, openFile };
  await largeGraph(page, { ...tools, ...all });
  await liveRegisters(page, { ...tools, ...all });
  await reduced(page, { ...tools, ...all });
  if (compilers) await updatedChecks(page, { ...tools, ...all });
  await openFile(page, "sums.bc");
  await page.locator(".view-line", { hasText: "scale=2" }).first().waitFor({ timeout: 60000 });
  if (!compilers) return ["live", "reduce"];
  await isaColumns(page, { ...tools, ...all });
  await remarksOf(page, { ...tools, ...all });
  await runCommand(page, "View: Close All Editors");
  await openFile(page, "limited.ll");
  await page.locator(".codelens-decoration", { hasText: "VGPR" }).first().waitFor({ timeout: 60000 });
  const nextPreset = () => runCommand(page, "Wavelens: Show More or Fewer Inlay Hints");
  await nextPreset();
  await twoHints(page);
  // Off, and as it was.
  await nextPreset();
  await nextPreset();

  const advice = await show("Wavelens: Advise on Occupancy", "#kernels tr.trade, #kernels tr.gain");
  assert((await advice.locator(".result").innerText()).startsWith("Limited by vector registers."));
  assert(await advice.locator("tr.none").first().isHidden());
  await advice.locator("#all").click();
  assert(await advice.locator("tr.none").first().isVisible());
  const command = await advice.locator("[data-command]").first().getAttribute("title");
  assert.match(command, /^wavelens isa .*--function limited .*limited\.ll$/);
  await picture("advice");
  // Until the source is another one than was compiled.
  await advice.locator("tr.trade, tr.gain").locator("[data-change]").first().click();
  await page.locator(".view-line", { hasText: /^define.*"amdgpu-waves-per-eu"="\d+"/ }).first().waitFor({ timeout: 60000 });
  await advice.locator("[data-change]:disabled").first().waitFor({ timeout: 60000 });
  await go("4:1");
  await page.keyboard.press("Control+KeyZ");
  await go("5:1");
  await page.keyboard.type(" ");
  await advice.locator("#note", { hasText: "edited since" }).waitFor({ timeout: 60000 });
  await page.keyboard.press("Control+KeyZ");

  const table = await show("Wavelens: Compare Targets", "td.best");
  await page.locator(".tab", { hasText: "Compare Targets: limited.ll" }).first().waitFor();
  await table.locator("tr.own", { hasText: "gfx1030" }).first().waitFor();
  await table.locator("#targets").fill("gfx900 gfx1030 gfx1031");
  await table.locator("#targets").press("Enter");
  // Two of them take the same.
  await table.locator("tr.own code", { hasText: "gfx1031" }).first().waitFor({ timeout: 60000 });
  assert.equal(await table.locator("tr.own").count(), 1);
  await table.locator("#targets").fill("");
  await table.locator("#targets").press("Enter");
  await table.locator("#levels").fill("0 3");
  await table.locator("#levels").press("Enter");
  await table.locator("td", { hasText: "-O0" }).first().waitFor({ timeout: 60000 });
  await table.locator("th[data-field=vgprs]").click();
  const figures = (await table.locator("tr td:nth-child(2)").allInnerTexts()).map(Number).filter((n) => !Number.isNaN(n));
  assert.deepEqual(figures, [...figures].sort((a, b) => a - b), "sorted by VGPRs");
  await picture("compare-levels");

  const passes = await show("Wavelens: Show What Each Pass Changed", "#list li");
  const cut = await passes.locator("#list .name").evaluateAll((names) => names.filter((n) => n.scrollWidth > n.clientWidth).map((n) => n.textContent));
  assert.deepEqual(cut, [], "names of passes that are cut");
  await passes.locator("#diff .value").first().waitFor();
  await passes.locator("#diff .word").first().waitFor();
  const width = () => passes.locator("#list").evaluate((list) => list.clientWidth);
  const before = await width();
  await passes.locator("#split").evaluate((bar) => {
    bar.setPointerCapture = () => undefined;
    bar.dispatchEvent(new PointerEvent("pointerdown", { pointerId: 1, clientX: 0 }));
    bar.dispatchEvent(new PointerEvent("pointermove", { pointerId: 1, clientX: 400 }));
    bar.dispatchEvent(new PointerEvent("pointerup", { pointerId: 1 }));
  });
  assert.notEqual(await width(), before, "the splitter moves");

  await go("16:4");
  await runCommand(page, "Wavelens: Follow This Value Through All Passes");
  await page.locator(".tab.active, .tab", { hasText: "limited.ll.history" }).first().waitFor({ timeout: 60000 });
  await page.locator(".view-line", { hasText: /^%m\sin\s`limited`/ }).first().waitFor({ timeout: 60000 });
  await picture("history");
  await scrolledTogether(page, { ...tools, ...all });
  return ["live", "reduce", "trace", "remarks", "advise"];
}

/** The part around the cursor is drawn of a graph that is too large; a search draws another part. */
async function largeGraph(page, { openFile, webview, picture, go, show }) {
  await openFile(page, "many.ll");
  await go("1000:3");
  const graph = await show("Wavelens: Show Control-Flow Graph", "svg.flow .block");
  await graph.locator("svg", { hasText: "2002 blocks, the 60 nearest to %" }).waitFor({ timeout: 60000 });
  assert.equal(await graph.locator(".block .name", { hasText: "%t900 " }).count(), 0);
  await graph.locator("#block").fill("t900");
  await graph.locator("#block").press("Enter");
  await graph.locator(".block.current .name", { hasText: "%t900 " }).waitFor({ timeout: 60000 });
  await picture("large-graph");
  await graph.locator("#block").fill("nowhere");
  await graph.locator("#block").press("Enter");
  await graph.locator("#block.missing").waitFor();
  // SPIR-V says what is a merge block.
  await openFile(page, "saxpy.spvasm");
  await go("60:1");
  const structured = await webview(page, "#structured:not([hidden])");
  await structured.locator("path.merge").first().waitFor({ state: "attached" });
}

async function liveRegisters(page, { openFile, picture, go, show }) {
  await openFile(page, "saxpy.s");
  await go("20:3");
  const map = await show("Wavelens: Show Live Registers", "#map[data-registers~=v3]");
  const registers = () => map.locator("#map").getAttribute("data-registers");
  assert((await registers()).includes("s13"));
  await map.locator("#name").fill("v");
  assert.equal(await registers(), "v0 v1 v2 v3");
  await map.locator("#note", { hasText: "saxpy: 4 registers, at most 4 live" }).waitFor();
  await picture("live-registers");
  await map.locator("#scroll").click({ position: { x: 40, y: 60 } });
  await page.locator(".statusbar-item", { hasText: /Ln (9|1\d),/ }).waitFor();
  // Machine IR has virtual registers.
  await map.locator("#name").fill("");
  await openFile(page, "saxpy.mir");
  await go("200:3");
  await map.locator("#map[data-registers*='%18:']").waitFor({ state: "attached", timeout: 60000 });
}

/** The lens "Update checks" says what is missing, then shows what LLVM's script changes, and makes the change. */
async function updatedChecks(page, { folder, openFile, runCommand, picture }) {
  const utils = path.join(folder, "source-tree/llvm/utils");
  fs.mkdirSync(utils, { recursive: true });
  fs.writeFileSync(path.join(utils, "update_llc_test_checks.py"), `import sys
path = sys.argv[-1]
lines = open(path).read().splitlines(True)
open(path, "w").write("".join("; CHECK: new\\n" if "CHECK: old" in line else line for line in lines))
`);
  const test = "; RUN: llc -mtriple=amdgcn < %s | FileCheck %s\n; CHECK: old\ndefine void @f() {\n  ret void\n}\n";
  fs.writeFileSync(path.join(folder, "update.ll"), test);
  await openFile(page, "update.ll");
  const lens = page.locator(".codelens-decoration a", { hasText: "Update checks" }).first();
  await lens.click({ timeout: 60000 });
  const refusal = page.locator(".notification-toast", { hasText: "is part of LLVM's source tree" }).first();
  await refusal.locator(".monaco-button", { hasText: "Open Settings" }).waitFor({ timeout: 60000 });
  await runCommand(page, "Notifications: Clear All Notifications");
  // A path of the machine is not among the user's settings.
  const settings = path.join(folder, ".vscode/settings.json");
  fs.mkdirSync(path.dirname(settings), { recursive: true });
  fs.writeFileSync(settings, JSON.stringify({ "wavelens.llvm.source": path.join(folder, "source-tree") }));
  const proposal = page.locator(".bulk-edit-panel");
  for (let tries = 0; !(await proposal.isVisible()); tries++) {
    assert(tries < 10, "no change is shown");
    await lens.click();
    await proposal.waitFor({ timeout: 5000 }).catch(() => undefined);
  }
  await picture("update-checks");
  assert.equal(await page.locator(".tab.dirty", { hasText: "update.ll" }).count(), 0, "nothing changes before it is confirmed");
  await proposal.locator("input[type=checkbox]").first().check();
  await proposal.locator(".monaco-button", { hasText: "Apply" }).first().click();
  await page.locator(".view-line", { hasText: /^;\sCHECK:\snew$/ }).first().waitFor({ timeout: 60000 });
  await runCommand(page, "Notifications: Clear All Notifications");
  await runCommand(page, "View: Revert and Close Editor");
  fs.rmSync(settings);
}

/** A file with a mistake becomes the few lines that still have it: from the command, and with one click at the mistake. */
async function reduced(page, { openFile, runCommand, go, picture, compilers }) {
  const finished = async (result, kept) => {
    await page.locator(".notification-toast", { hasText: new RegExp(`reduced from \\d+ to \\d+ lines; it still has ${kept}`) }).first().waitFor({ timeout: 60000 });
    await page.locator(".tab.active", { hasText: `${result}.reduced.ll` }).first().waitFor();
    await page.locator(".tab", { hasText: `${result}.report.md` }).first().waitFor();
    assert.equal(await page.locator(".tab.dirty").count(), 0, "nothing to save");
  };
  const tidy = async () => {
    await runCommand(page, "Notifications: Clear All Notifications");
    await runCommand(page, "View: Close All Editors");
  };
  await openFile(page, "broken/saxpy.ll");
  await page.waitForSelector(".monaco-editor .squiggly-error", { timeout: 60000 });
  await go("1:1");
  await runCommand(page, "Wavelens: Reduce File to a Finding or Crash...");
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "undefined-value" }).first().click({ timeout: 60000 });
  await finished("saxpy.ll", "undefined-value");
  await tidy();

  await openFile(page, "broken/saxpy.ll");
  await page.waitForSelector(".monaco-editor .squiggly-error", { timeout: 60000 });
  await go("11:29");
  await page.keyboard.press("Control+Period");
  const wantedRow = page.locator(".action-widget .action", { hasText: "Reduce the file while `type-mismatch` remains" }).first();
  await wantedRow.waitFor({ timeout: 60000 });
  for (let tries = 0; !(await wantedRow.getAttribute("class")).includes("focused"); tries++) {
    assert(tries < 20, "the action is not reached");
    await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("Enter");
  await finished("saxpy.ll", "type-mismatch");
  await picture("reduced");
  await tidy();
  if (!compilers) return;

  await openFile(page, "crash.ll");
  await runCommand(page, "Wavelens: Show Generated ISA");
  const toast = page.locator(".notification-toast", { hasText: /The compiler (crashed|fails)/ }).first();
  await toast.locator(".monaco-button", { hasText: "Reduce the File" }).click({ timeout: 60000 });
  await finished("crash.ll", "the compiler crash");
  await page.locator(".tab", { hasText: "crash.ll.report.md" }).first().click();
  await page.locator(".view-line", { hasText: /failing\sp[a]ss/ }).first().waitFor({ timeout: 60000 });
  await picture("crash-report");
  await tidy();
}

/** The generated ISA names its target, level and compiler, has columns, and is without directives until they are wanted. */
async function isaColumns(page, { openFile, runCommand, picture, go }) {
  await openFile(page, "nbody.ll");
  await page.locator(".codelens-decoration", { hasText: "VGPR" }).first().waitFor({ timeout: 60000 });
  await page.locator(".statusbar-item", { hasText: "gfx1030" }).waitFor();
  await go("1:1");
  await runCommand(page, "Wavelens: Show Generated ISA");
  const view = page.locator(".editor-group-container").last();
  await view.locator(".view-line", { hasText: "s_load" }).first().waitFor({ timeout: 60000 });
  await view.locator(".codelens-decoration", { hasText: /gfx1030 · -O2 · LLVM \d+/ }).first().waitFor({ timeout: 60000 });
  await view.locator(".codelens-decoration", { hasText: /^VGPR \d+ · SGPR \d+/ }).first().waitFor({ timeout: 60000 });
  const columns = () => page.evaluate(() => [...document.querySelectorAll(".view-line span")]
    .map((e) => getComputedStyle(e, "::before").content).filter((text) => /\d/.test(text)));
  for (let tries = 0; !(await columns()).some((text) => /\d+\W+\d+\W+\d+/.test(text)); tries++) {
    assert(tries < 600, "no columns in front of the ISA");
    await page.waitForTimeout(100);
  }
  await picture("isa-columns");
  // The headings stand at the label of the kernel too.
  const headings = () => page.evaluate(() => [...document.querySelectorAll(".view-line span")]
    .map((e) => getComputedStyle(e, "::before").content).filter((text) => /line\W+VGPR/.test(text)).length);
  assert.equal(await headings(), 2);
  // The line of a type has no instructions: the nearest one is shown.
  await go("1:1");
  await go("17:1");
  await view.locator(".view-overlays [class*=ced-]").first().waitFor({ state: "attached" });
  assert.equal(await view.locator(".view-line", { hasText: ".globl" }).count(), 0, "directives are hidden");
  // The lens opens the list of what is shown.
  await view.locator(".codelens-decoration a", { hasText: "Columns" }).first().click();
  for (const row of ["Directives", "Source line", "Live VGPRs", "Live SGPRs", "Cycles of latency"]) {
    await page.locator(".quick-input-list .monaco-list-row", { hasText: row }).first().click({ timeout: 60000 });
  }
  await page.locator(".quick-input-widget .monaco-button", { hasText: "OK" }).click();
  await view.locator(".view-line", { hasText: ".globl" }).first().waitFor({ timeout: 60000 });
  for (let tries = 0; (await columns()).length > 0; tries++) {
    assert(tries < 600, "columns that are switched off");
    await page.waitForTimeout(100);
  }
}

/** A wheel over the source scrolls its ISA along, where that is wanted; the kernel's label stays in sight. */
async function scrolledTogether(page, { address, openFile, runCommand, configure, go, picture }) {
  await runCommand(page, "View: Close All Editors");
  configure({ "wavelens.isa.scroll": true, "editor.stickyScroll.enabled": true });
  await page.goto("about:blank");
  await page.goto(address);
  await page.waitForSelector(".explorer-folders-view .monaco-list-row", { timeout: 60000 });
  await openFile(page, "nbody.ll");
  await go("1:1");
  await runCommand(page, "Wavelens: Show Generated ISA");
  const view = page.locator(".editor-group-container").last();
  await view.locator(".view-line", { hasText: "s_load" }).first().waitFor({ timeout: 60000 });
  const first = () => view.locator(".margin .line-numbers").evaluateAll((all) => Math.min(...all.filter((e) => e.checkVisibility()).map((e) => Number(e.textContent))));
  // Not `hover`, which would bring the middle of all lines into sight: the source would be at its end before the wheel turns.
  const source = await page.locator(".editor-group-container").first().locator(".editor-instance").boundingBox();
  await page.mouse.move(source.x + source.width / 2, source.y + source.height / 2);
  for (let tries = 0; (await first()) < 20; tries++) {
    assert(tries < 60, "the ISA does not scroll along");
    await page.mouse.wheel(0, 200);
    await page.waitForTimeout(500);
  }
  await view.locator(".sticky-widget .sticky-line-content", { hasText: "nbody:" }).first().waitFor({ timeout: 60000 });
  await picture("scrolled-together");
  configure({});
}

/** The remarks of a file, filtered, with the way to their lines. */
async function remarksOf(page, { openFile, picture, show }) {
  await openFile(page, "nbody.ll");
  const remarks = await show("Wavelens: Show Optimization Remarks", "#rows tr[data-line]");
  assert.equal(await remarks.locator("td.analysis").count(), 0, "analysis is filtered out at first");
  await remarks.locator("#kinds button", { hasText: "Analysis" }).click();
  await remarks.locator("td.analysis").first().waitFor();
  await remarks.locator("#text").fill("regalloc");
  assert.equal(await remarks.locator("#rows tr", { hasNotText: "regalloc" }).count(), 0);
  const line = Number(await remarks.locator("tr[data-line]").first().getAttribute("data-line")) + 1;
  await picture("remarks");
  await remarks.locator("tr[data-line]").first().click();
  await page.locator(".statusbar-item", { hasText: `Ln ${line},` }).waitFor();
}

/** Two hints at the end of a line do not touch. */
async function twoHints(page) {
  const line = page.locator(".view-line", { hasText: "+128*%id" }).first();
  await line.waitFor({ timeout: 60000 });
  for (let tries = 0; !(await line.innerText()).includes("→"); tries++) {
    assert(tries < 600, "no hint about the instructions of the line");
    await page.waitForTimeout(100);
  }
  assert.match(await line.innerText(), /%id\sB\s*\u2002→/);
}
