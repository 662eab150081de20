const assert = require("assert");
const vscode = require("vscode");

async function until(condition, milliseconds = 15000) {
  const start = Date.now();
  for (;;) {
    const result = await condition();
    if (result) {
      return result;
    }
    assert(Date.now() - start < milliseconds, "timed out");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A row of features.json that works in a language. */
const works = (feature, language = "llvm") => console.log(`FEATURE ${feature} ${language}`);

/** A test without its tools is skipped, or fails where they are required. */
function skip(why) {
  assert(["", "0"].includes(process.env.WAVELENS_REQUIRE_TOOLS ?? ""), `${why}, and WAVELENS_REQUIRE_TOOLS is set`);
  console.log(`skipped: ${why}`);
}

const open = async (name) => {
  const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, name);
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document);
  return document;
};
const findings = (document) => vscode.languages.getDiagnostics(document.uri);
const positionOf = (document, text, offset = 0) => document.positionAt(document.getText().indexOf(text) + offset);

describe("wavelens", () => {
  let document;

  before(async () => {
    document = await open("broken/saxpy.ll");
    await vscode.extensions.getExtension("wavelens.wavelens").activate();
  });

  it("knows the language and finds errors at their places", async () => {
    assert.equal(document.languageId, "llvm");
    const found = await until(() => findings(document).length > 0 && findings(document));
    assert(found.some((f) => f.code?.value === "undefined-value" && f.code.target.path.endsWith("undefined-value.md") && document.getText(f.range) === "%itme"));
  });

  it("shows a hover with the value's type", async () => {
    const hovers = await vscode.commands.executeCommand(
      "vscode.executeHoverProvider", document.uri, positionOf(document, "%base = shl", 2));
    assert(hovers.length > 0 && hovers[0].contents[0].value.includes("i32"), JSON.stringify(hovers));
  });

  it("jumps to a definition", async () => {
    const places = await vscode.commands.executeCommand(
      "vscode.executeDefinitionProvider", document.uri, positionOf(document, "%i, %n", 1));
    assert.equal(places[0].range.start.line, positionOf(document, "%i = add").line);
  });

  it("offers an outline", async () => {
    const symbols = await vscode.commands.executeCommand("vscode.executeDocumentSymbolProvider", document.uri);
    assert(symbols.some((s) => s.name.includes("saxpy")));
  });

  it("takes a finding away when it is fixed", async () => {
    const before = findings(document).length;
    const start = positionOf(document, "%itme");
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(start, start.translate(0, 5)), "%item");
    assert(await vscode.workspace.applyEdit(edit));
    await until(() => findings(document).length < before);
  });

  it("has a command for everything it contributes", async () => {
    const { packageJSON } = vscode.extensions.getExtension("wavelens.wavelens");
    const all = await vscode.commands.getCommands(true);
    for (const { command } of packageJSON.contributes.commands) {
      assert(all.includes(command), command);
    }
  });

  it("opens the generated ISA beside the source and keeps it fresh, or says what is missing", async () => {
    const source = await open("saxpy.ll");
    await vscode.commands.executeCommand("wavelens.showIsa");
    const view = vscode.workspace.textDocuments.find((d) => d.uri.scheme === "wavelens-isa");
    if (!view) {
      skip("llc is not installed");
      return;
    }
    assert(view.getText().includes("s_endpgm"), view.getText());
    assert.equal(view.languageId, "amdgpu");
    assert.equal(vscode.languages.getDiagnostics(view.uri).length, 0);
    const lenses = await until(async () => {
      const found = await vscode.commands.executeCommand("vscode.executeCodeLensProvider", source.uri, 10);
      return found.some((l) => l.command?.title.includes("VGPR")) && found;
    });
    assert(lenses.length === 1, JSON.stringify(lenses));
    works("isa"), works("lenses"), works("target");
    const whole = new vscode.Range(0, 0, source.lineCount, 0);
    const hints = await vscode.commands.executeCommand("vscode.executeInlayHintProvider", source.uri, whole);
    assert(hints.some((h) => String(h.label).startsWith("▲ ")), JSON.stringify(hints));
    works("hints");
    const before = view.getText();
    const start = positionOf(source, "%group, 8", 8);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(source.uri, new vscode.Range(start, start.translate(0, 1)), "4");
    assert(await vscode.workspace.applyEdit(edit));
    await until(() => view.getText() !== before);
    await vscode.commands.executeCommand("undo");
    await until(() => view.getText() === before);
  });

  it("shows in either of source and ISA the lines that belong to the cursor's in the other", async () => {
    // Longer than a window between its instructions, so that showing one means scrolling.
    const folder = vscode.workspace.workspaceFolders[0].uri;
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, "saxpy.ll")));
    const spread = text.replace(/^  .*$/gm, (line) => line + "\n".repeat(80));
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, "spread.ll"), new TextEncoder().encode(spread));
    const source = await open("spread.ll");
    const settings = vscode.workspace.getConfiguration("wavelens");
    await settings.update("isa.hideDirectives", false, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand("wavelens.showIsa");
    const view = vscode.workspace.textDocuments.find((d) => d.uri.scheme === "wavelens-isa" && /spread\.ll \(gfx\w+\)\.s$/.test(d.uri.path));
    if (!view) {
      skip("llc is not installed");
      return;
    }
    const editor = (document) => vscode.window.visibleTextEditors.find((e) => e.document === document);
    const put = (document, line) => (editor(document).selection = new vscode.Selection(line, 0, line, 0));
    const shows = (document, line) => editor(document).visibleRanges.some((r) => r.start.line <= line && line <= r.end.line);
    const lineOf = (document, text) => positionOf(document, text).line;
    const [store, stored] = [lineOf(source, "store float"), lineOf(view, "global_store_dword")];
    for (const [from, line, to, wanted] of [[view, stored, source, store], [source, store, view, stored]]) {
      const last = new vscode.Range(to.lineCount - 1, 0, to.lineCount - 1, 0);
      editor(to).revealRange(last);
      await until(() => !shows(to, wanted));
      put(from, line);
      await until(() => shows(to, wanted));
      // The cursor stays where it was put.
      assert.equal(editor(from).selection.active.line, line);
      put(from, 0);
    }
    works("sides");
    await settings.update("isa.hideDirectives", undefined, vscode.ConfigurationTarget.Global);
  });

  it("names the target in the title of the ISA, also after another one is chosen", async () => {
    const source = await open("saxpy.ll");
    await vscode.commands.executeCommand("wavelens.showIsa");
    const titles = () => {
      const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
      return tabs.filter((tab) => tab.input?.uri?.scheme === "wavelens-isa" && tab.label.startsWith("saxpy")).map((tab) => tab.label);
    };
    if (titles().length === 0) {
      skip("llc is not installed");
      return;
    }
    assert.deepEqual(titles(), ["saxpy.ll (gfx1030).s"]);
    const settings = vscode.workspace.getConfiguration("wavelens");
    await settings.update("target", "gfx1100", vscode.ConfigurationTarget.Global);
    await until(() => titles().join() === "saxpy.ll (gfx1100).s");
    const view = vscode.workspace.textDocuments.find((d) => d.uri.path.endsWith("saxpy.ll (gfx1100).s"));
    await until(() => view.getText().includes("global_load_b32"));
    assert.equal(view.languageId, "amdgpu");
    await settings.update("target", "gfx1030", vscode.ConfigurationTarget.Global);
    await until(() => titles().join() === "saxpy.ll (gfx1030).s");
    assert(vscode.window.visibleTextEditors.some((e) => e.document === source));
  });

  it("turns hints off when the settings say so", async () => {
    const source = await open("saxpy.ll");
    const whole = new vscode.Range(0, 0, source.lineCount, 0);
    const hints = () => vscode.commands.executeCommand("vscode.executeInlayHintProvider", source.uri, whole);
    const settings = vscode.workspace.getConfiguration("wavelens");
    const kinds = Object.keys(settings.get("inlayHints")).filter((kind) => kind !== "preset");
    const set = async (value) => {
      for (const kind of kinds) {
        await settings.update(`inlayHints.${kind}`, value, vscode.ConfigurationTarget.Global);
      }
    };
    await set(false);
    await until(async () => (await hints()).length === 0);
    await set(undefined);
  });

  for (const command of ["cfg", "compare", "passes", "remarks", "advise"]) {
    it(`opens a panel for ${command}`, async () => {
      const source = await open("saxpy.ll");
      vscode.window.activeTextEditor.selection = new vscode.Selection(positionOf(source, "%base = "), positionOf(source, "%base = "));
      await vscode.commands.executeCommand(`wavelens.${command}`);
      await until(() =>
        vscode.window.tabGroups.all.flatMap((g) => g.tabs).some((t) => t.input?.viewType?.endsWith(`wavelens.${command}`)));
      works(command);
    });
  }

  it("opens a panel for live registers", async () => {
    await open("saxpy.s");
    await vscode.commands.executeCommand("wavelens.live");
    await until(() => vscode.window.tabGroups.all.flatMap((g) => g.tabs).some((t) => t.input?.viewType?.endsWith("wavelens.live")));
    works("live", "amdgpu");
  });

  it("recognises AMDGPU assembly by its content, and no other", async () => {
    const folder = vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, "assembly");
    let files = 0;
    for (const kind of ["amdgpu", "other"]) {
      for (const [name] of await vscode.workspace.fs.readDirectory(vscode.Uri.joinPath(folder, kind))) {
        const uri = vscode.Uri.joinPath(folder, kind, name);
        const language = () => vscode.workspace.textDocuments.find((d) => d.uri.toString() === uri.toString())?.languageId;
        await vscode.workspace.openTextDocument(uri);
        if (kind === "amdgpu") {
          await until(() => language() === "amdgpu");
        } else {
          await new Promise((resolve) => setTimeout(resolve, 200));
          assert.notEqual(language(), "amdgpu", name);
        }
        files++;
      }
    }
    assert(files > 10);
  });

  it("runs the RUN lines of a test from their lenses", async () => {
    const text = "; RUN: cat %s\ndefine void @f() {\n  ret void\n}\n";
    const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, "run.ll");
    await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
    const source = await open("run.ll");
    const wanted = ["wavelens.lit.run", "wavelens.lit.output"];
    const lenses = await until(async () => {
      const all = await vscode.commands.executeCommand("vscode.executeCodeLensProvider", source.uri, 10);
      const found = all.filter((l) => wanted.includes(l.command?.command));
      return found.length === 2 && found;
    });
    for (const { command } of lenses) {
      await vscode.commands.executeCommand(command.command, ...command.arguments);
    }
    await until(() => vscode.workspace.textDocuments.some((d) => d.fileName.endsWith("output.txt") && d.getText().includes("ret void")));
    works("lit");
  });

  it("runs tests from the view of tests", async () => {
    const folder = vscode.workspace.workspaceFolders[0].uri;
    const uri = vscode.Uri.joinPath(folder, "fails.ll");
    await vscode.workspace.fs.writeFile(uri, Buffer.from("; RUN: cat %s | count 2\n; RUN: cat %s | count 3\n"));
    await open("fails.ll");
    // The view learns of the file after a moment.
    await until(async () => {
      await vscode.commands.executeCommand("testing.runCurrentFile");
      await new Promise((resolve) => setTimeout(resolve, 1000));
      return vscode.languages.getDiagnostics(uri).some((d) => d.message.includes("RUN line 2"));
    });
  });

  it("folds CHECK lines", async () => {
    const checks = Array.from({ length: 12 }, (_, n) => `; CHECK: a${n}`).join("\n");
    const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, "folds.ll");
    const text = `; RUN: llc < %s | FileCheck %s\ndefine void @f() {\n${checks}\n  ret void\n}\n`;
    await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
    await open("folds.ll");
    const lines = () => vscode.window.activeTextEditor.visibleRanges.length;
    await until(async () => {
      await vscode.commands.executeCommand("wavelens.foldChecks");
      await new Promise((resolve) => setTimeout(resolve, 300));
      return lines() > 1;
    });
    await vscode.commands.executeCommand("wavelens.foldChecks");
    await until(() => lines() === 1);
  });

  it("shows few hints, all or none", async () => {
    const text = `define void @f(ptr %p, i32 %i) {
  %a = getelementptr [4 x i32], ptr %p, i32 %i, i32 2
  %b = load i32, ptr %a
  br label %next
next:
  br label %next
}
`;
    const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, "hints.ll");
    await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
    await open("hints.ll");
    const count = async () => {
      const range = new vscode.Range(0, 0, 8, 0);
      return (await vscode.commands.executeCommand("vscode.executeInlayHintProvider", uri, range)).length;
    };
    const settings = () => vscode.workspace.getConfiguration("wavelens.inlayHints");
    const found = {};
    for (const preset of ["all", "off", "calm"]) {
      await vscode.commands.executeCommand("wavelens.toggleInlayHints");
      await until(() => settings().get("preset") === preset);
      await new Promise((resolve) => setTimeout(resolve, 300));
      found[preset] = await count();
    }
    assert.equal(found.off, 0);
    assert(found.calm < found.all, JSON.stringify(found));
    await settings().update("preset", undefined, vscode.ConfigurationTarget.Global);
  });

  it("recognises a new file by its content", async () => {
    const texts = {
      llvm: "define void @f() {\n  ret void\n}\n",
      spirv: "OpCapability Shader\nOpMemoryModel Logical GLSL450\n",
      mir: "--- |\n  define void @f() { ret void }\n...\n",
      amdgpu: "f:\n  s_endpgm\n",
    };
    for (const [language, text] of Object.entries(texts)) {
      const document = await vscode.workspace.openTextDocument({ content: text });
      await until(() => vscode.workspace.textDocuments.some((d) => d.uri.toString() === document.uri.toString() && d.languageId === language));
    }
  });

  it("leads from a line of the source to its instructions, and back", async () => {
    const folder = vscode.workspace.workspaceFolders[0].uri;
    const write = (name, text) => vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, name), Buffer.from(text));
    await write("lines.c", "int a;\nint b;\nint c;\n");
    await write("lines.s", `.amdgcn_target "amdgcn-amd-amdhsa--gfx900"\n.file 1 "${folder.path}" "lines.c"\nf:\n.loc 1 2 1\ns_nop 1\n.loc 1 3 5\ns_endpgm\n`);
    const assembly = await open("lines.s");
    await until(() => assembly.languageId === "amdgpu");
    await open("lines.c");
    vscode.window.activeTextEditor.selection = new vscode.Selection(2, 0, 2, 0);
    await until(async () => {
      await vscode.commands.executeCommand("wavelens.showCodeOfLine");
      const { document, selection } = vscode.window.activeTextEditor;
      return document.fileName.endsWith("lines.s") && document.lineAt(selection.active).text === "s_endpgm";
    });
    const [back] = await vscode.commands.executeCommand("vscode.executeDefinitionProvider", assembly.uri, new vscode.Position(6, 2));
    assert(back.uri.path.endsWith("lines.c"));
    assert.deepEqual([back.range.start.line, back.range.start.character], [2, 4]);
    works("code-of-line");
  });

  it("leaves a file the language that the user chooses", async () => {
    const document = await open("assembly/amdgpu/vector.s");
    await until(() => vscode.window.activeTextEditor.document.languageId === "amdgpu");
    await vscode.languages.setTextDocumentLanguage(vscode.window.activeTextEditor.document, "plaintext");
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal(vscode.workspace.textDocuments.find((d) => d.uri.toString() === document.uri.toString()).languageId, "plaintext");
  });

  it("opens examples", async () => {
    for (const [name, language] of [["broken", "llvm"], ["amdgpu", "amdgpu"]]) {
      await vscode.commands.executeCommand("wavelens.openExample", name);
      assert.equal(vscode.window.activeTextEditor.document.languageId, language);
      assert(vscode.window.activeTextEditor.document.isUntitled);
    }
  });

  it("restarts the server and answers again", async () => {
    const source = await open("broken/saxpy.ll");
    await vscode.commands.executeCommand("wavelens.restart");
    await until(() => findings(source).length > 0);
    await vscode.commands.executeCommand("wavelens.showLog");
    works("restart");
  });

  for (const [name, language] of [["saxpy.mir", "mir"], ["saxpy.spvasm", "spirv"], ["saxpy.s", "amdgpu"]]) {
    it(`opens ${name} as ${language}`, async () => {
      assert.equal((await open(name)).languageId, language);
    });
  }

  // Each feature of the language server in each language: where to ask, and a name that is renamed.
  const places = {
    "saxpy.ll": { language: "llvm", at: "%base", call: "(float %a, float", misspelt: ["%group, 8", "%grup, 8"] },
    "saxpy.mir": { language: "mir", at: "%18", renamed: "1000", call: "G_ADD", misspelt: ["G_ADD", "G_ADDD"] },
    "saxpy.spvasm": { language: "spirv", at: "%main", call: "OpAccessChain", misspelt: ["OpAccessChain", "OpAccesChain"] },
    "saxpy.s": { language: "amdgpu", at: "saxpy", call: "v_add", misspelt: ["s_endpgm", "s_endpgn"] },
  };
  const run = (command, ...rest) => vscode.commands.executeCommand(command, ...rest);
  for (const [file, { language, at, renamed = "renamed", call, misspelt }] of Object.entries(places)) {
    it(`answers everything about ${file}`, async () => {
      const source = await open(file);
      const whole = new vscode.Range(0, 0, source.lineCount, 0);
      const inside = positionOf(source, at, 1);
      const check = async (feature, ask) => {
        const answer = await until(async () => {
          const found = await ask();
          return found && (found.length ?? found.data?.length ?? 1) > 0 && found;
        }).catch(() => assert.fail(`${feature}: no answer in ${file}`));
        works(feature, language);
        return answer;
      };
      await check("hover", () => run("vscode.executeHoverProvider", source.uri, positionOf(source, call, 1)));
      await check("definition", () => run("vscode.executeDefinitionProvider", source.uri, inside));
      await check("declaration", () => run("vscode.executeDeclarationProvider", source.uri, inside));
      await check("references", () => run("vscode.executeReferenceProvider", source.uri, inside));
      await check("occurrences", () => run("vscode.executeDocumentHighlights", source.uri, inside));
      await check("rename", async () => (await run("vscode.executeDocumentRenameProvider", source.uri, inside, renamed)).entries());
      await check("completion", async () => (await run("vscode.executeCompletionItemProvider", source.uri, positionOf(source, call, 2))).items);
      await check("outline", () => run("vscode.executeDocumentSymbolProvider", source.uri));
      await check("symbols", () => run("vscode.executeWorkspaceSymbolProvider", "saxpy"));
      await check("folding", () => run("vscode.executeFoldingRangeProvider", source.uri));
      await check("selection", () => run("vscode.executeSelectionRangeProvider", source.uri, [inside]));
      await check("colours", () => run("vscode.provideDocumentSemanticTokens", source.uri));
      const signature = source.lineAt(positionOf(source, call).line).range.end;
      await check("signature", async () => (await run("vscode.executeSignatureHelpProvider", source.uri, signature))?.signatures
        ?? (await run("vscode.executeSignatureHelpProvider", source.uri, positionOf(source, call, call.length)))?.signatures);
      // A misspelt word: an error, and an action that corrects it; then lines that format.
      const start = positionOf(source, misspelt[0]);
      const damage = new vscode.WorkspaceEdit();
      damage.replace(source.uri, new vscode.Range(start, start.translate(0, misspelt[0].length)), misspelt[1]);
      assert(await vscode.workspace.applyEdit(damage));
      await check("diagnostics", () => findings(source).filter((f) => f.severity === vscode.DiagnosticSeverity.Error));
      await check("actions", () => run("vscode.executeCodeActionProvider", source.uri, source.lineAt(start.line).range));
      await run("undo");
      await until(() => findings(source).every((f) => f.severity !== vscode.DiagnosticSeverity.Error));
      const indent = new vscode.WorkspaceEdit();
      indent.insert(source.uri, source.lineAt(start.line).range.start, "        ");
      assert(await vscode.workspace.applyEdit(indent));
      const options = { tabSize: 2, insertSpaces: true };
      await check("format", () => run("vscode.executeFormatDocumentProvider", source.uri, options));
      await check("range", () => run("vscode.executeFormatRangeProvider", source.uri, source.lineAt(start.line).range, options));
      const next = new vscode.Position(start.line + 1, 0);
      await check("typing", () => run("vscode.executeFormatOnTypeProvider", source.uri, next, "\n", options));
      await run("undo");
    });
  }

  it("links debug information to the source", async () => {
    const folder = vscode.workspace.workspaceFolders[0].uri;
    const write = (name, text) => vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, name), Buffer.from(text));
    await write("linked.c", "void f(void) {}\n");
    const file = `!0 = !DIFile(filename: "linked.c", directory: "${folder.path}")`;
    await write("linked.ll", `!llvm.named = !{!0}\n${file}\n`);
    const source = await open("linked.ll");
    const links = await until(async () => {
      const found = await run("vscode.executeLinkProvider", source.uri);
      return found.length > 0 && found;
    });
    assert(links[0].target.path.endsWith("linked.c"), JSON.stringify(links));
    works("links");
  });

  it("shows who calls a function, and a binary as text", async () => {
    const source = await open("saxpy.ll");
    const items = await run("vscode.prepareCallHierarchy", source.uri, positionOf(source, "@saxpy", 2));
    const calls = await run("vscode.provideOutgoingCalls", items[0]);
    assert(calls.length > 0, JSON.stringify(calls));
    works("calls");
    await run("vscode.open", vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, "saxpy.spv"));
    const text = () => vscode.window.visibleTextEditors.find((e) => e.document.languageId === "spirv" && e.document.getText().includes("OpCapability"));
    await until(text);
    const { document } = text();
    const binary = vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, "saxpy.spv");
    const size = async () => (await vscode.workspace.fs.stat(binary)).size;
    const before = await size();
    const edit = new vscode.WorkspaceEdit();
    const line = document.positionAt(document.getText().indexOf("OpName")).line;
    edit.insert(document.uri, new vscode.Position(line, 0), '%note = OpString "written back"\n');
    assert(await vscode.workspace.applyEdit(edit));
    assert(await document.save(), "the binary is not written");
    assert((await size()) > before, "the binary did not change");
    works("binaries");
  });
});
