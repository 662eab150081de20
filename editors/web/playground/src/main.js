// The page: what is open, what is shown next to it, and what is kept in its address.
import { Connection } from "./protocol.js";
import { Editor, html } from "./editor.js";
import { packed, unpacked } from "./share.js";

/* global EXAMPLES */
const element = (id) => document.getElementById(id);
const endings = { llvm: "ll", mir: "mir", spirv: "spvasm", amdgpu: "s" };
const languages = { ll: "llvm", mir: "mir", spvasm: "spirv", s: "amdgpu" };
const severities = ["error", "error", "warning", "info", "hint"];

function make(tag, properties = {}, ...children) {
  const dom = Object.assign(document.createElement(tag), properties);
  dom.append(...children);
  return dom;
}

/** A sentence in which names are between backticks. */
const sentence = (text) => text.split("`").map((part, index) => (index % 2 ? make("code", { textContent: part }) : part));

// Theme: the system's until the user chooses.
const themes = ["", "dark", "light"];
function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  element("theme").textContent = { "": "Theme: system", dark: "Theme: dark", light: "Theme: light" }[theme];
  try {
    localStorage.setItem("theme", theme);
  } catch {
    // A browser that keeps nothing.
  }
}
let theme = "";
try {
  theme = localStorage.getItem("theme") ?? "";
} catch {
  // As above.
}
setTheme(theme);
element("theme").onclick = () => setTheme((theme = themes[(themes.indexOf(theme) + 1) % themes.length]));

const say = (text) => (element("status").textContent = text);

// Nothing waits for the module: the text is there, and what is asked about it is answered once the module is compiled.
async function compiled() {
  const response = await fetch(new URL("./wavelens.wasm", import.meta.url));
  if (response.headers.get("content-type") === "application/wasm") return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

const connection = new Connection(compiled(), {
  notified: (method, params) => {
    if (method === "textDocument/publishDiagnostics") editor.published(params);
    if (method === "window/logMessage" && params.type <= 2) console.warn(params.message);
  },
  restarted: (reason) => say(`The checker was started again: ${reason}`),
  failed: (error) => say(`The checker could not be loaded: ${error.message}`),
});

const initialized = connection.request("initialize", {
  processId: null,
  rootUri: null,
  clientInfo: { name: "wavelens-playground" },
  initializationOptions: { diagnostics: "push" },
  capabilities: {
    general: { positionEncodings: ["utf-16"] },
    textDocument: {
      publishDiagnostics: { relatedInformation: true, codeDescriptionSupport: true, versionSupport: true },
      hover: { contentFormat: ["markdown"] },
      completion: { completionItem: { documentationFormat: ["markdown"] } },
      codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix", "refactor.rewrite", "refactor.extract"] } } },
      rename: { prepareSupport: true },
      inlayHint: {},
    },
    workspace: { workspaceEdit: { documentChanges: true }, inlayHint: { refreshSupport: true } },
  },
});
connection.notify("initialized", {});

let opened = { name: "", language: "llvm" };
let tab = "findings";
let isFirst = true;
let line = 1;

const editor = new Editor(connection, {
  parent: element("editor"),
  changed: () => {
    if (location.hash) history.replaceState(null, "", location.pathname + location.search);
    element("example").value = "";
    clearTimeout(refreshing);
    refreshing = setTimeout(show, 200);
  },
  found: (findings) => {
    const count = (severity) => findings.filter((f) => severities[f.severity] === severity).length;
    const counts = [["error", count("error")], ["warning", count("warning")], ["note", count("info") + count("hint")]];
    const text = counts.filter(([, n]) => n).map(([name, n]) => `${n} ${name}${n > 1 ? "s" : ""}`).join(", ");
    say(text || "No findings");
    if (isFirst) {
      isFirst = false;
      // From the start of the navigation.
      document.body.dataset.first = String(Math.round(performance.now()));
    }
    if (tab === "findings") show();
  },
  moved: (to) => {
    line = to;
    for (const row of element("panel").querySelectorAll("tr[data-line]")) row.classList.toggle("current", row.dataset.line === String(line));
  },
});
/** What can be chosen, by the answer to `initialize`: processors by architecture, and environments of SPIR-V. */
let targets = { processors: [], environments: [] };
initialized.then(({ capabilities }) => {
  editor.legend = capabilities.semanticTokensProvider.legend.tokenTypes;
  targets = capabilities.experimental.targets;
});
let refreshing;

async function open({ name, language, text, target = "" }) {
  opened = { name, language };
  element("dialect").value = language;
  element("target").value = target;
  element("target-label").firstElementChild.textContent = language === "spirv" ? "Environment" : "Target";
  document.querySelector("[data-tab=encodings]").hidden = !["spirv", "amdgpu"].includes(language);
  if (tab === "rule" || document.querySelector(`[data-tab=${tab}]`).hidden) tab = "findings";
  editor.open({ name, language, text });
  if (target) await choose(target);
  show();
  const configuration = await connection.ask("wavelens/configuration", { textDocument: editor.document });
  const processors = targets.processors.flatMap(([label, names]) => names.map((value) => make("option", { value, label })));
  const environments = targets.environments.map((value) => make("option", { value }));
  element("targets").replaceChildren(...(language === "spirv" ? environments : processors));
  if (configuration?.label) element("target").placeholder = configuration.label;
  else element("target").placeholder = "from the text";
}

function choose(target) {
  const choice = target ? { [opened.language === "spirv" ? "targetEnv" : "target"]: target } : {};
  return connection.ask("wavelens/setConfiguration", { textDocument: editor.document, ...choice });
}

const question = () => ({
  text: editor.text,
  dialect: opened.language,
  ...(element("target").value && { [opened.language === "spirv" ? "targetEnv" : "target"]: element("target").value }),
});

// Panels.
const panels = {
  async findings() {
    if (!editor.findings.length) return [make("p", { className: "dim", textContent: "No findings." })];
    return editor.findings.slice(0, 500).map((finding) => {
      const severity = severities[finding.severity] ?? "error";
      const { start } = finding.range;
      const place = make("button", { className: "place", onclick: () => editor.goTo(start) },
        make("span", { className: severity, textContent: `${severity} ` }),
        ...sentence(finding.message),
        make("span", { className: "dim mono", textContent: `  ${start.line + 1}:${start.character + 1}` }));
      const box = make("div", { className: "finding" }, place);
      for (const { location, message } of finding.relatedInformation ?? []) {
        box.append(make("div", { className: "related" }, `${location.range.start.line + 1}: `, ...sentence(message)));
      }
      const row = make("div", {}, make("button", { className: "code mono", textContent: finding.code, onclick: () => explain(finding.code) }));
      box.append(row);
      if (finding.severity <= 2) {
        editor.actionsAt(finding.range, [finding]).then((actions) => {
          for (const action of actions.filter((a) => a.kind === "quickfix").slice(0, 4)) {
            row.append(" ", make("button", { className: "fix", onclick: () => editor.perform(action) }, ...sentence(action.title)));
          }
        });
      }
      return box;
    });
  },
  async encodings() {
    const { lines, refused } = await connection.call("encode", question());
    const rows = lines.slice(0, 20000).map(({ line: number, offset, bytes, text }) => {
      const row = make("tr", { onclick: () => number && editor.goTo({ line: number - 1, character: 0 }) },
        make("td", { className: "dim", textContent: number || "" }), make("td", { className: "dim", textContent: offset.toString(16).padStart(4, "0") }),
        make("td", { textContent: bytes.replace(/(.{8})(?=.)/g, "$1 ") }), make("td", { textContent: text }));
      if (number) row.dataset.line = number;
      if (number === line) row.classList.add("current");
      return row;
    });
    const note = refused ? [make("p", { className: "warning", textContent: "Lines with mistakes have no encoding." })] : [];
    return [...note, make("table", { className: "mono" }, make("tbody", {}, ...rows))];
  },
  async flow() {
    const answer = await connection.ask("wavelens/controlFlow", editor.cursor);
    if (!answer) return [make("p", { className: "dim", textContent: "No function here has a body." })];
    if (!answer.svg) return [make("p", { className: "dim", textContent: answer.problem })];
    const box = make("div", { className: "picture" });
    // An image runs no scripts, whatever is in the text.
    const isDark = getComputedStyle(document.documentElement).colorScheme === "dark" || (!theme && matchMedia("(prefers-color-scheme: dark)").matches);
    const svg = new DOMParser().parseFromString(answer.svg, "image/svg+xml").documentElement;
    svg.querySelectorAll("script, foreignObject").forEach((node) => node.remove());
    svg.style.colorScheme = isDark ? "dark" : "light";
    box.append(document.importNode(svg, true));
    return [make("p", { className: "mono", textContent: answer.function }), box];
  },
  async outline() {
    const symbols = await connection.ask("textDocument/documentSymbol", { textDocument: editor.document });
    const list = (all) =>
      make("ul", { className: "outline" },
        ...all.slice(0, 2000).map((symbol) => {
          const { start } = symbol.selectionRange ?? symbol.location.range;
          return make("li", {},
            make("button", { className: "mono", textContent: symbol.name, onclick: () => editor.goTo(start) }),
            make("span", { className: "dim", textContent: symbol.detail ? ` ${symbol.detail}` : "" }),
            ...(symbol.children?.length ? [list(symbol.children)] : []));
        }));
    return [list(symbols ?? [])];
  },
  async rule() {
    const rules = await connection.call("explain", { code: ruleCode });
    return rules.flatMap((rule) => {
      const open_ = (text) => open({ name: `example.${endings[rule.dialect ?? opened.language]}`, language: rule.dialect ?? opened.language, text });
      const text = make("div");
      text.innerHTML = html(rule.explain);
      return [
        make("h2", { className: "mono", textContent: rule.code }), make("p", {}, make("b", { textContent: rule.title })), text,
        make("h3", { textContent: "Example" }), make("pre", { textContent: rule.example }), make("button", { textContent: "Open", onclick: () => open_(rule.example) }),
        make("h3", { textContent: "Corrected" }), make("pre", { textContent: rule.fixed }), make("button", { textContent: "Open", onclick: () => open_(rule.fixed) }),
        make("p", { className: "dim" }, ...sentence(rule.source ? `Source: ${rule.source}` : "")),
      ];
    });
  },
};

let ruleCode;
function explain(code) {
  ruleCode = code;
  const button = document.querySelector("[data-tab=rule]");
  button.hidden = false;
  button.textContent = code;
  tab = "rule";
  show();
}

let shown = 0;
async function show() {
  const number = ++shown;
  for (const button of document.querySelectorAll("[role=tab]")) {
    const isChosen = button.dataset.tab === tab;
    button.setAttribute("aria-selected", isChosen);
    button.tabIndex = isChosen ? 0 : -1;
  }
  let content;
  try {
    content = await panels[tab]();
  } catch (error) {
    content = [make("p", { className: "error", textContent: error.message })];
  }
  if (number === shown) element("panel").replaceChildren(...content);
}

const tabs = document.querySelector("[role=tablist]");
tabs.onclick = ({ target }) => target.dataset.tab && ((tab = target.dataset.tab), show());
tabs.onkeydown = (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const all = [...tabs.children].filter((b) => !b.hidden);
  const next = all[(all.findIndex((b) => b.dataset.tab === tab) + step + all.length) % all.length];
  tab = next.dataset.tab;
  show();
  next.focus();
};

// What is above the text.
element("example").append(make("option", { value: "", textContent: "Own text" }), ...Object.keys(EXAMPLES).map((title) => make("option", { value: title, textContent: title })));
function openExample(title) {
  const { name, text } = EXAMPLES[title];
  open({ name, language: languages[name.split(".").pop()], text });
  element("example").value = title;
}
element("example").onchange = ({ target }) => target.value && openExample(target.value);
element("dialect").onchange = ({ target }) => open({ name: `text.${endings[target.value]}`, language: target.value, text: editor.text });
element("target").onchange = async ({ target }) => {
  await choose(target.value.trim());
  show();
};
element("format").onclick = () => editor.format();
async function share() {
  const target = element("target").value;
  const state = { text: editor.text, language: opened.language, name: opened.name, ...(target && { target }) };
  history.replaceState(null, "", `#t=${await packed(state)}`);
  try {
    await navigator.clipboard.writeText(location.href);
    say("The link is copied; it holds the text");
  } catch {
    say("The address of this page now holds the text");
  }
}
element("share").onclick = share;
addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "s") {
    event.preventDefault();
    share();
  }
});

async function openAddress() {
  const state = await unpacked(location.hash);
  if (state && state.language in endings) await open({ name: `text.${endings[state.language]}`, ...state });
  return Boolean(state);
}
addEventListener("hashchange", openAddress);
if (!(await openAddress())) openExample("saxpy.ll, with mistakes" in EXAMPLES ? "saxpy.ll, with mistakes" : Object.keys(EXAMPLES)[0]);
