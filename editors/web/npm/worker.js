// The language server in a worker. One message is `{ module }`, a compiled WebAssembly module; all others are messages of the
// protocol, as JSON, which wait for the module. It answers with messages of the protocol, as JSON, and with `{ panic }` when it has ended.
import { Instance } from "./module.js";

let instance;
let early = [];
let timer;
// Timers of a browser wait for 4 ms at least; messages do not.
const again = new MessageChannel();
again.port1.onmessage = turn;

function schedule(pause) {
  clearTimeout(timer);
  if (pause === 0) again.port2.postMessage(0);
  else if (pause > 0) timer = setTimeout(turn, pause);
}

function guarded(work) {
  if (!instance) return;
  try {
    work();
  } catch (error) {
    instance = undefined;
    globalThis.postMessage({ panic: error.message });
  }
}

function turn() {
  guarded(() => {
    const pause = instance.turn(performance.now());
    for (const message of instance.messages()) globalThis.postMessage(message);
    schedule(pause);
  });
}

/** A message of the client: for the server, or `wavelens/library`, which calls a function of the library. */
function received(data) {
  if (!data.includes('"wavelens/library"')) return instance.receive(data);
  const { id, method, params } = JSON.parse(data);
  if (method !== "wavelens/library") return instance.receive(data);
  const { value, error } = instance.call(params.name, params.question);
  const answer = error === undefined ? { result: value } : { error: { code: -32803, message: error } };
  globalThis.postMessage(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
}

globalThis.onmessage = ({ data }) => {
  if (typeof data !== "string") {
    instance = new Instance(data.module);
    const waiting = early;
    early = undefined;
    for (const message of waiting) guarded(() => received(message));
  } else if (early) {
    early.push(data);
    return;
  } else {
    guarded(() => received(data));
  }
  // After the messages that have arrived already: a burst of edits is checked once.
  schedule(0);
};
