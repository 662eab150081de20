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
    assert(found.some((f) => f.code === "undefined-value" && document.getText(f.range) === "%itme"));
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

  it("takes a finding away when it is mended", async () => {
    const before = findings(document).length;
    const start = positionOf(document, "%itme");
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(start, start.translate(0, 5)), "%item");
    assert(await vscode.workspace.applyEdit(edit));
    await until(() => findings(document).length < before);
  });

  it("opens the generated ISA beside the source, or says what is missing", async () => {
    await open("saxpy.ll");
    await vscode.commands.executeCommand("wavelens.openIsa");
    const view = vscode.workspace.textDocuments.find((d) => d.uri.scheme === "wavelens-isa");
    if (view) {
      assert(view.getText().includes("s_endpgm"), view.getText());
      assert.equal(view.languageId, "amdgpu");
    }
  });

  for (const [name, language] of [["saxpy.mir", "mir"], ["saxpy.spvasm", "spirv"], ["saxpy.s", "amdgpu"]]) {
    it(`opens ${name} as ${language}`, async () => {
      assert.equal((await open(name)).languageId, language);
    });
  }
});
