import { chromium } from "playwright-core";
import fs from "node:fs"; import http from "node:http"; import path from "node:path";
const types = { html: "text/html", js: "text/javascript", css: "text/css", wasm: "application/wasm", txt: "text/plain" };
const serve = async (dir) => { const s = http.createServer((q, r) => { const n = q.url === "/" ? "index.html" : q.url.slice(1).split("?")[0]; const f = path.join(dir, n); if (!fs.existsSync(f)) return r.writeHead(404).end(); r.writeHead(200, { "content-type": types[n.split(".").pop()] ?? "application/octet-stream" }); fs.createReadStream(f).pipe(r); }); await new Promise((k) => s.listen(0, "127.0.0.1", k)); return `http://127.0.0.1:${s.address().port}/`; };
const pages = process.argv.slice(3); const addresses = await Promise.all(pages.map(serve));
const all = pages.map(() => []);
for (let i = 0; i < Number(process.argv[2]); i++) for (const [k, a] of addresses.entries()) {
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
  const page = await browser.newPage();
  await page.goto("about:blank");
  const t = performance.now();
  await page.goto(a, { waitUntil: "commit" });
  await page.waitForFunction(() => document.body?.dataset.first, undefined, { polling: 10 });
  all[k].push(Math.round(performance.now() - t));
  if (process.env.MARKS) console.log(JSON.stringify(await page.evaluate(() => performance.getEntriesByType("resource").map((e) => [e.name.split("/").pop(), Math.round(e.startTime), Math.round(e.responseEnd)]).concat(performance.getEntriesByType("mark").map((m) => [m.name, Math.round(m.startTime)])))));
  await browser.close();
}
for (const [k, p] of pages.entries()) console.log(p, all[k].sort((a, b) => a - b).join(" "));
process.exit(0);
