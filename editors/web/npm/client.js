// The page's side of the language server: it starts the worker, and another one when that has panicked or works too long on a text
// that has changed since. The new one gets what the client has said so far: `initialize`, settings, and the open documents.

/** Milliseconds that work may go on after an edit. A new worker reads everything again: less would not pay. */
const PATIENCE = 3000;

/** Panics after which texts are left alone. */
const MANY = 3;

const CONTENT_MODIFIED = -32801;
const INTERNAL_ERROR = -32603;

export class Server {
  /**
   * @param {object} options
   * @param {WebAssembly.Module | Promise<WebAssembly.Module>} options.module the worker starts while it is compiled
   * @param {() => Worker} options.start makes a worker of `worker.js`
   * @param {(message: object) => void} options.receive takes messages of the server
   * @param {(reason: string) => void} [options.restarted] is told of each new worker
   * @param {(error: Error) => void} [options.failed] is told that there is no module
   */
  constructor({ module, start, receive, restarted = () => {}, failed = console.error }) {
    Object.assign(this, { module, startWorker: start, receive, restarted, failed });
    this.waiting = new Map();
    this.documents = new Map();
    this.said = [];
    this.panics = 0;
    this.#start();
  }

  #start() {
    this.worker = this.startWorker();
    this.worker.onmessage = ({ data }) => this.#answer(data);
    this.worker.onerror = (event) => this.#restart(event.message ?? "the worker could not be started", INTERNAL_ERROR);
    const worker = this.worker;
    Promise.resolve(this.module).then(
      (module) => worker.postMessage({ module }),
      (error) => worker === this.worker && this.failed(error),
    );
  }

  /** Sends a message of the protocol. */
  send(message) {
    this.#remember(message);
    if (message.method === "textDocument/didChange" && this.panics > MANY) {
      // The text is another one: it is tried again.
      this.panics = 0;
      this.#restart("the text was changed", CONTENT_MODIFIED);
      return;
    }
    if (message.method && message.id !== undefined) this.waiting.set(message.id, message.method);
    this.worker.postMessage(JSON.stringify(message));
    if (message.method === "textDocument/didChange") this.#watch();
  }

  #watch() {
    this.probe ??= 0;
    clearTimeout(this.timer);
    // The server answers what it does not know at once, unless it works on something else.
    const id = `wavelens/alive/${++this.probe}`;
    this.alive = id;
    this.worker.postMessage(JSON.stringify({ jsonrpc: "2.0", id, method: "wavelens/alive" }));
    this.timer = setTimeout(() => this.alive === id && this.#restart("the text was changed", CONTENT_MODIFIED), PATIENCE);
  }

  #remember({ method, params }) {
    const uri = params?.textDocument?.uri;
    if (["initialize", "initialized", "workspace/didChangeConfiguration", "wavelens/setConfiguration"].includes(method)) {
      this.said.push({ method, params });
    } else if (method === "textDocument/didOpen") {
      this.documents.set(uri, { ...params.textDocument });
    } else if (method === "textDocument/didClose") {
      this.documents.delete(uri);
    } else if (method === "textDocument/didChange") {
      const document = this.documents.get(uri);
      if (!document) return;
      document.version = params.textDocument.version;
      for (const change of params.contentChanges) document.text = changed(document.text, change);
    }
  }

  #answer(data) {
    if (typeof data !== "string") {
      this.panics += 1;
      this.#restart(data.panic, INTERNAL_ERROR);
      return;
    }
    const message = JSON.parse(data);
    if (typeof message.id === "string" && message.id.startsWith("wavelens/")) {
      if (message.id === this.alive) this.alive = undefined;
      if (message.id.startsWith("wavelens/alive/") || message.id.startsWith("wavelens/again/")) return;
    }
    if (!message.method) this.waiting.delete(message.id);
    this.receive(message);
  }

  #restart(reason, code) {
    this.worker.terminate();
    clearTimeout(this.timer);
    this.alive = undefined;
    for (const id of this.waiting.keys()) {
      this.receive({ jsonrpc: "2.0", id, error: { code, message: reason } });
    }
    this.waiting.clear();
    this.restarted(reason);
    this.#start();
    let count = 0;
    const say = (method, params, isRequest) => {
      const id = isRequest ? { id: `wavelens/again/${++count}` } : {};
      this.worker.postMessage(JSON.stringify({ jsonrpc: "2.0", ...id, method, params }));
    };
    for (const { method, params } of this.said) {
      say(method, params, method === "initialize" || method === "wavelens/setConfiguration");
    }
    // Texts that end the server each time are left alone until an edit.
    if (this.panics > MANY) return;
    for (const textDocument of this.documents.values()) say("textDocument/didOpen", { textDocument });
  }

  /** Ends it. */
  stop() {
    clearTimeout(this.timer);
    this.worker.terminate();
  }
}

/** A text after a change of the protocol. */
export function changed(text, { range, text: inserted }) {
  if (!range) return inserted;
  const offset = ({ line, character }) => {
    let start = 0;
    for (; line > 0; line--) {
      const end = text.indexOf("\n", start);
      if (end < 0) return text.length;
      start = end + 1;
    }
    const end = text.indexOf("\n", start);
    return Math.min(start + character, end < 0 ? text.length : end);
  };
  return text.slice(0, offset(range.start)) + inserted + text.slice(offset(range.end));
}
