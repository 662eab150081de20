// The editor: what the language server answers, as extensions of CodeMirror.
import { acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, foldGutter, foldKeymap, foldService } from "@codemirror/language";
import { lintGutter, lintKeymap, nextDiagnostic, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, StateEffect, StateField, Transaction } from "@codemirror/state";
import {
  Decoration, drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, hoverTooltip, keymap, lineNumbers, showTooltip,
  WidgetType,
} from "@codemirror/view";
import { marked } from "marked";

/** Markdown of the server as HTML. It contains text of the document: HTML in it is shown, not interpreted. */
export function html(markdown) {
  const renderer = new marked.Renderer();
  const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  renderer.html = ({ text }) => escape(text);
  const safeLink = renderer.link;
  renderer.link = function (token) {
    return /^https?:/.test(token.href) ? safeLink.call(this, token) : escape(token.text);
  };
  renderer.image = ({ text }) => escape(text);
  return marked.parse(markdown, { renderer });
}

export function offsetOf(doc, { line, character }) {
  if (line >= doc.lines) return doc.length;
  const found = doc.line(line + 1);
  return Math.min(found.from + character, found.to);
}

export function positionOf(doc, offset) {
  const line = doc.lineAt(offset);
  return { line: line.number - 1, character: offset - line.from };
}

const setTokens = StateEffect.define();
const setHints = StateEffect.define();
const setMenu = StateEffect.define();

const decorations = (effect) =>
  StateField.define({
    create: () => Decoration.none,
    update(value, transaction) {
      value = value.map(transaction.changes);
      for (const e of transaction.effects) if (e.is(effect)) value = e.value;
      return value;
    },
    provide: (field) => EditorView.decorations.from(field),
  });

class Hint extends WidgetType {
  constructor(text) {
    super();
    this.text = text;
  }

  eq(other) {
    return other.text === this.text;
  }

  toDOM() {
    const dom = document.createElement("span");
    dom.className = "cm-inlay";
    dom.textContent = this.text;
    return dom;
  }
}

/** A list of actions at the cursor. */
const menu = StateField.define({
  create: () => null,
  update(value, transaction) {
    for (const e of transaction.effects) if (e.is(setMenu)) return e.value;
    return transaction.docChanged || transaction.selection ? null : value;
  },
  provide: (field) => showTooltip.from(field),
});

const kinds = [
  "", "text", "method", "function", "function", "property", "variable", "class", "interface", "namespace", "property", "property", "constant", "enum",
  "keyword", "text", "constant", "text", "text", "text", "enum", "constant", "class", "text", "keyword", "type",
];

const severities = ["error", "error", "warning", "info", "hint"];

/** A document in an editor, as the server knows it. */
export class Editor {
  /**
   * @param connection the language server
   * @param options `parent`, an element; `changed`, called after each edit; `found`, called with findings; `moved`, called with the cursor
   */
  constructor(connection, { parent, changed, found, moved }) {
    Object.assign(this, { connection, changed, found, moved, version: 0, findings: [] });
    this.view = new EditorView({ parent, state: this.#state("") });
  }

  #state(text) {
    return EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(), highlightActiveLineGutter(), history(), drawSelection(), highlightActiveLine(), bracketMatching(), closeBrackets(),
        highlightSelectionMatches(), foldGutter(), lintGutter(),
        decorations(setTokens), decorations(setHints), menu,
        foldService.of((state, start) => this.#fold(state, start)),
        hoverTooltip((view, at) => this.#hover(at), { hoverTime: 250 }),
        autocompletion({ override: [(context) => this.#complete(context)], activateOnTypingDelay: 60 }),
        keymap.of([
          { key: "Mod-.", run: () => this.#actions(), preventDefault: true },
          { key: "Shift-Alt-f", run: () => (this.format(), true), preventDefault: true },
          { key: "F2", run: () => (this.#rename(), true), preventDefault: true },
          { key: "F12", run: () => (this.#definition(), true), preventDefault: true },
          { key: "F8", run: nextDiagnostic },
          { key: "Tab", run: acceptCompletion },
          ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...completionKeymap, ...lintKeymap,
          indentWithTab,
        ]),
        EditorView.updateListener.of((update) => this.#updated(update)),
        EditorView.contentAttributes.of({ "aria-label": "Text to check", spellcheck: "false" }),
      ],
    });
  }

  get text() {
    return this.view.state.doc.toString();
  }

  get document() {
    return { uri: this.uri };
  }

  /** Closes the document and opens another. */
  open({ name, language, text }) {
    if (this.uri) this.connection.notify("textDocument/didClose", { textDocument: this.document });
    this.uri = `memory:/${this.version + 1}/${name}`;
    this.language = language;
    this.findings = [];
    this.folds = [];
    this.version += 1;
    // Line ends are one character here.
    const own = text.replaceAll("\r\n", "\n").replaceAll("\r", "\n");
    this.view.setState(this.#state(own));
    this.connection.notify("textDocument/didOpen", {
      textDocument: { uri: this.uri, languageId: language, version: this.version, text: own },
    });
    this.#look();
  }

  #updated(update) {
    if (update.docChanged) {
      this.version += 1;
      const contentChanges = [];
      // Ranges are in the text before all changes: the last one comes first.
      update.changes.iterChanges((from, to, _from, _to, inserted) => {
        const range = { start: positionOf(update.startState.doc, from), end: positionOf(update.startState.doc, to) };
        contentChanges.unshift({ range, text: inserted.toString() });
      });
      this.connection.notify("textDocument/didChange", {
        textDocument: { ...this.document, version: this.version },
        contentChanges,
      });
      this.changed();
      clearTimeout(this.looking);
      this.looking = setTimeout(() => this.#look(), 120);
    }
    if (update.selectionSet || update.docChanged) this.moved(update.state.doc.lineAt(update.state.selection.main.head).number);
  }

  /** Takes over findings of the server. */
  published({ uri, version, diagnostics }) {
    if (uri !== this.uri || (version ?? this.version) !== this.version) return;
    this.findings = diagnostics;
    const { doc } = this.view.state;
    const shown = diagnostics.map((finding) => {
      const from = offsetOf(doc, finding.range.start);
      return {
        from,
        to: Math.max(from, offsetOf(doc, finding.range.end)),
        severity: severities[finding.severity] ?? "error",
        message: finding.message,
        source: finding.code,
      };
    });
    this.view.dispatch(setDiagnostics(this.view.state, shown));
    this.found(diagnostics);
  }

  /** What is shown of the whole text: colours, hints, folding. */
  async #look() {
    const { version, uri } = this;
    const textDocument = this.document;
    const { doc } = this.view.state;
    const range = { start: { line: 0, character: 0 }, end: positionOf(doc, doc.length) };
    const [tokens, hints, folds] = await Promise.all([
      this.connection.ask("textDocument/semanticTokens/full", { textDocument }),
      this.connection.ask("textDocument/inlayHint", { textDocument, range }),
      this.connection.ask("textDocument/foldingRange", { textDocument }),
    ]);
    if (version !== this.version || uri !== this.uri) return;
    this.folds = folds ?? [];
    const effects = [setTokens.of(this.#tokens(doc, tokens?.data ?? []))];
    const widgets = (hints ?? []).map(({ position, label }) => {
      const text = typeof label === "string" ? label : label.map((part) => part.value).join("");
      return Decoration.widget({ widget: new Hint(text), side: 1 }).range(offsetOf(doc, position));
    });
    effects.push(setHints.of(Decoration.set(widgets, true)));
    this.view.dispatch({ effects });
  }

  #tokens(doc, data) {
    const marks = [];
    let [line, character] = [0, 0];
    for (let i = 0; i + 4 < data.length; i += 5) {
      if (data[i] > 0) character = 0;
      line += data[i];
      character += data[i + 1];
      if (line >= doc.lines) break;
      const from = offsetOf(doc, { line, character });
      const to = Math.min(from + data[i + 2], doc.length);
      if (to > from) marks.push(Decoration.mark({ class: `tok-${this.legend[data[i + 3]]}` }).range(from, to));
    }
    return Decoration.set(marks, true);
  }

  #fold(state, start) {
    const line = state.doc.lineAt(start).number - 1;
    const fold = this.folds?.find((f) => f.startLine === line && f.endLine > line && f.endLine < state.doc.lines);
    return fold ? { from: state.doc.line(fold.startLine + 1).to, to: state.doc.line(fold.endLine + 1).to } : null;
  }

  async #hover(at) {
    const { doc } = this.view.state;
    const answer = await this.connection.ask("textDocument/hover", { textDocument: this.document, position: positionOf(doc, at) });
    const value = answer?.contents?.value;
    if (!value) return null;
    const create = () => {
      const dom = document.createElement("div");
      dom.className = "hover";
      dom.innerHTML = html(value);
      return { dom };
    };
    const { range } = answer;
    return { pos: range ? offsetOf(doc, range.start) : at, end: range ? offsetOf(doc, range.end) : at, create, above: true };
  }

  async #complete(context) {
    const word = context.matchBefore(/[\w.$%@!#^"-]*/);
    if (!context.explicit && !/[\w.$%@!#^"]$/.test(context.state.sliceDoc(Math.max(0, context.pos - 1), context.pos))) return null;
    const answer = await this.connection.ask("textDocument/completion", {
      textDocument: this.document,
      position: positionOf(context.state.doc, context.pos),
    });
    const items = Array.isArray(answer) ? answer : (answer?.items ?? []);
    if (!items.length || context.aborted) return null;
    const { doc } = context.state;
    let from = word?.from ?? context.pos;
    const options = items.slice(0, 1000).map((item, index) => {
      const edit = item.textEdit;
      const start = edit ? offsetOf(doc, (edit.range ?? edit.replace).start) : from;
      if (index === 0) from = start;
      const documentation = item.documentation?.value ?? item.documentation;
      return {
        label: item.label,
        detail: item.detail ?? item.labelDetails?.description,
        type: kinds[item.kind] || "text",
        apply: edit?.newText ?? item.insertText ?? item.label,
        boost: -Math.min(99, index),
        info: documentation
          ? () => {
              const dom = document.createElement("div");
              dom.innerHTML = html(documentation);
              return dom;
            }
          : undefined,
      };
    });
    return { from, options, validFor: answer.isIncomplete ? undefined : /^[\w.$%@!#^"-]*$/ };
  }

  /** Makes edits of the server. */
  apply(edits, event = "input") {
    const { doc } = this.view.state;
    const changes = edits.map(({ range, newText }) => ({ from: offsetOf(doc, range.start), to: offsetOf(doc, range.end), insert: newText }));
    if (changes.length) this.view.dispatch({ changes, annotations: Transaction.userEvent.of(event) });
  }

  #applyWorkspace(edit) {
    const all = (edit?.documentChanges ?? []).flatMap((change) => (change.textDocument?.uri === this.uri ? change.edits : []));
    this.apply([...all, ...(edit?.changes?.[this.uri] ?? [])]);
  }

  async format() {
    const { version } = this;
    const options = { tabSize: 2, insertSpaces: true };
    const edits = await this.connection.ask("textDocument/formatting", { textDocument: this.document, options });
    if (edits && version === this.version) this.apply(edits, "input.format");
  }

  /** The actions for a range: fixes first. */
  async actionsAt(range, diagnostics) {
    const context = { diagnostics };
    const all = await this.connection.ask("textDocument/codeAction", { textDocument: this.document, range, context });
    return (all ?? []).filter((action) => action.edit && !action.disabled);
  }

  /** Makes the edits of an action. */
  perform(action) {
    this.#applyWorkspace(action.edit);
    this.view.focus();
  }

  #actions() {
    const { state } = this.view;
    const { from, to } = state.selection.main;
    const range = { start: positionOf(state.doc, from), end: positionOf(state.doc, to) };
    const near = this.findings.filter((f) => f.range.start.line <= range.end.line && f.range.end.line >= range.start.line);
    const first = near[0]?.range ?? range;
    this.actionsAt(near.length ? first : range, near).then((actions) => {
      if (!actions.length) return;
      const create = () => {
        const dom = document.createElement("div");
        dom.className = "actions";
        dom.setAttribute("role", "menu");
        for (const action of actions) {
          const button = document.createElement("button");
          button.setAttribute("role", "menuitem");
          button.textContent = action.title;
          button.onclick = () => {
            this.view.dispatch({ effects: setMenu.of(null) });
            this.perform(action);
          };
          dom.append(button);
        }
        dom.onkeydown = (event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          const all = [...dom.children];
          if (step) all[(all.indexOf(document.activeElement) + step + all.length) % all.length].focus();
          else if (event.key === "Escape") {
            this.view.dispatch({ effects: setMenu.of(null) });
            this.view.focus();
          } else return;
          event.preventDefault();
        };
        return { dom, mount: () => dom.firstChild.focus() };
      };
      this.view.dispatch({ effects: setMenu.of({ pos: from, create, above: false }) });
    });
    return true;
  }

  #here() {
    const { state } = this.view;
    return { textDocument: this.document, position: positionOf(state.doc, state.selection.main.head) };
  }

  async #rename() {
    const here = this.#here();
    const prepared = await this.connection.ask("textDocument/prepareRename", here);
    const old = prepared?.placeholder;
    const newName = prepared && prompt("New name", old ?? "");
    if (newName && newName !== old) this.#applyWorkspace(await this.connection.ask("textDocument/rename", { ...here, newName }));
  }

  async #definition() {
    const found = await this.connection.ask("textDocument/definition", this.#here());
    const place = Array.isArray(found) ? found[0] : found;
    if (place && (place.uri ?? place.targetUri) === this.uri) this.goTo((place.range ?? place.targetSelectionRange).start);
  }

  /** Moves the cursor to a position. */
  goTo(position) {
    const anchor = offsetOf(this.view.state.doc, position);
    this.view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    this.view.focus();
  }

  get cursor() {
    return this.#here();
  }
}
