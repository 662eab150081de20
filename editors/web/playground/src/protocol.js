// Requests of the language server protocol as promises.
import { Server } from "../../npm/client.js";

export class Connection {
  constructor(module, { notified, restarted, failed }) {
    this.next = 1;
    this.answers = new Map();
    this.server = new Server({
      module,
      start: () => new Worker(new URL("./worker.js", import.meta.url), { type: "module" }),
      receive: (message) => this.#receive(message, notified),
      restarted,
      failed,
    });
  }

  #receive(message, notified) {
    if (message.method && message.id !== undefined) {
      // The server registers for nothing that this client does not do anyway.
      this.server.send({ jsonrpc: "2.0", id: message.id, result: message.method === "workspace/configuration" ? [null] : null });
    } else if (message.method) {
      notified(message.method, message.params);
    } else {
      const answer = this.answers.get(message.id);
      this.answers.delete(message.id);
      if (message.error) answer?.reject(new Error(message.error.message));
      else answer?.resolve(message.result);
    }
  }

  notify(method, params) {
    this.server.send({ jsonrpc: "2.0", method, params });
  }

  request(method, params) {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.answers.set(id, { resolve, reject });
      this.server.send({ jsonrpc: "2.0", id, method, params });
    });
  }

  /** The same, and null where there is no answer: for what is asked again anyway. */
  async ask(method, params) {
    return this.request(method, params).catch(() => null);
  }

  /** Calls a function of the library in the worker. */
  call(name, question) {
    return this.request("wavelens/library", { name, question });
  }
}
