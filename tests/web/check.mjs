// Prints what the module finds in the files of a folder, as `wavelens check --format json` does.
// usage: node check.mjs <folder> [options of `check`, as JSON]
import fs from "node:fs";
import path from "node:path";
import { load } from "../../editors/web/npm/node.js";

const [folder, options = "{}"] = process.argv.slice(2);
const wavelens = await load();
const lines = [];
for (const name of fs.readdirSync(folder).sort()) {
  const text = fs.readFileSync(path.join(folder, name), "utf8");
  lines.push(JSON.stringify(wavelens.check(text, { ...JSON.parse(options), name })));
}
process.stdout.write(`${lines.join("\n")}\n`);
