// The universal extension where there is no program: in the web worker of VS Code, and in Node. Takes a picture of each.
// usage: node vscode.mjs <code-server entry.js> <vsix> <folder for pictures and logs>
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import net from "node:net";
import os from "node:os";
import path from "node:path";

const here = import.meta.dirname;
const { chromium } = createRequire(path.join(here, "../../editors/web/playground/package.json"))("playwright-core");
const [entry, vsix, out] = process.argv.slice(2).map((p) => path.resolve(p));

const free = () =>
  new Promise((resolve) => {
    const server = net.createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Installs the extension, opens an example with mistakes in the page, and looks at what it shows. */
async function look(kind, change) {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "wavelens-web-"));
  const data = path.join(home, "data");
  fs.mkdirSync(path.join(data, "User"), { recursive: true });
  const settings = {
    "security.workspace.trust.enabled": false, "workbench.startupEditor": "none", "telemetry.telemetryLevel": "off", "chat.disableAIFeatures": true,
    "chat.commandCenter.enabled": false, "extensions.autoCheckUpdates": false, "git.enabled": false, "editor.minimap.enabled": false,
    "extensions.webWorker": true, "workbench.colorTheme": "Default Dark Modern",
  };
  fs.writeFileSync(path.join(data, "User/settings.json"), JSON.stringify(settings));
  const folder = path.join(home, "folder");
  fs.cpSync(path.join(here, "../../examples-broken"), folder, { recursive: true });
  // No `wavelens` on PATH or in the home folder.
  const env = { ...process.env, HOME: home, PATH: "/usr/bin:/bin", XDG_CONFIG_HOME: home, XDG_DATA_HOME: home };
  const folders = ["--user-data-dir", data, "--extensions-dir", path.join(home, "extensions")];
  const installed = spawnSync(process.execPath, [entry, ...folders, "--install-extension", vsix], { env, encoding: "utf8" });
  assert.equal(installed.status, 0, installed.stdout + installed.stderr);
  const extensions = path.join(home, "extensions");
  const own = fs.readdirSync(extensions).find((name) => name.includes("wavelens"));
  const manifest = path.join(extensions, own, "package.json");
  fs.writeFileSync(manifest, JSON.stringify(change(JSON.parse(fs.readFileSync(manifest, "utf8")))));
  const port = await free();
  const flags = ["--auth", "none", "--bind-addr", `127.0.0.1:${port}`, "--disable-telemetry", "--disable-update-check", "--disable-workspace-trust"];
  const server = spawn(process.execPath, [entry, ...folders, ...flags], { env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const log = fs.createWriteStream(path.join(out, `code-server-${kind}.log`));
  server.stdout.pipe(log);
  server.stderr.pipe(log);
  let browser;
  let page;
  try {
    for (let tries = 0; !(await fetch(`http://127.0.0.1:${port}/healthz`).then((r) => r.ok, () => false)); tries++) {
      assert(tries < 300, "the VS Code server did not start");
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    browser = await chromium.launchPersistentContext(path.join(home, "chromium"), {
      executablePath: "/usr/bin/chromium", headless: true, viewport: { width: 1200, height: 800 },
      args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
    });
    page = browser.pages()[0] ?? (await browser.newPage());
    page.on("console", (message) => log.write(`page: ${message.text()}\n`));
    await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(folder)}`);
    await page.waitForSelector(".explorer-folders-view .monaco-list-row", { timeout: 60_000 });
    await page.locator(".explorer-folders-view .label-name", { hasText: /^saxpy\.ll$/ }).first().dblclick();
    await page.waitForSelector(".monaco-editor .squiggly-error", { timeout: 60_000 });
    const word = page.locator(".view-line span", { hasText: /^%base$/ }).first();
    await word.hover();
    await page.waitForTimeout(500);
    await word.hover({ position: { x: 12, y: 8 } });
    await page.locator(".monaco-hover:visible", { hasText: "i32" }).first().waitFor({ timeout: 30_000 });
    await page.screenshot({ path: path.join(out, `vscode-${kind}.png`) });
    // Each fix is an edit.
    await page.mouse.move(5, 5);
    const errors = await page.locator(".squiggly-error").count();
    await page.locator(".view-line", { hasText: "%itme" }).first().click({ position: { x: 200, y: 8 } });
    await page.keyboard.press("F8");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+.");
    await page.locator(".action-widget .monaco-list-row").first().waitFor({ timeout: 30_000 });
    await page.keyboard.press("Enter");
    await page.waitForFunction((n) => document.querySelectorAll(".squiggly-error").length !== n, errors, { timeout: 30_000 });
    console.log(`vscode, ${kind}: passed`);
  } catch (error) {
    await page?.screenshot({ path: path.join(out, `vscode-${kind}-failed.png`) }).catch(() => {});
    throw error;
  } finally {
    await browser?.close();
    try {
      process.kill(-server.pid, "SIGTERM");
    } catch {
      // It has ended.
    }
    fs.rmSync(home, { recursive: true, force: true });
  }
}

// With an entry for Node the server runs the extension there.
await look("web", ({ main, ...manifest }) => manifest);
await look("node", ({ browser, ...manifest }) => manifest);
