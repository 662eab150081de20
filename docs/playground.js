// A link after each example that opens it in the playground, where the site has one next to the book.
(async () => {
  const languages = { llvm: "llvm", mir: "mir", spirv: "spirv", asm: "amdgpu" };
  const languageOf = (code) => languages[/\blanguage-(\w+)/.exec(code.className)?.[1]];
  const examples = [...document.querySelectorAll("main pre > code")].filter(languageOf);
  if (!examples.length || location.protocol === "file:") return;
  // The root of the book, which mdBook gives each page.
  const folder = new URL(`${path_to_root}playground/`, location.href);
  const share = await import(new URL("share.js", folder)).catch(() => null);
  if (!share) return;
  for (const code of examples) {
    const link = document.createElement("a");
    link.className = "playground-link";
    link.textContent = "Open in the playground";
    const fragment = await share.packed({ text: code.textContent, language: languageOf(code) });
    link.href = new URL(`index.html#t=${fragment}`, folder);
    code.parentElement.after(link);
  }
})();
