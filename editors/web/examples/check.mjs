// Checks a text in Node: npm install wavelens
import { load } from "wavelens";

const wavelens = await load();
const { diagnostics } = wavelens.check("define i32 @f() {\n  ret i32 %x\n}\n", { name: "a.ll" });
for (const { line, column, severity, code, message } of diagnostics) {
  console.log(`${line}:${column}: ${severity}[${code}]: ${message}`);
}
process.exitCode = diagnostics.length === 1 && diagnostics[0].code === "undefined-value" ? 0 : 1;
