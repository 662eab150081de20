// The WebAssembly module: texts in, texts out. It has no imports.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A panic of the module, which is of no use after it. */
export class Panic extends Error {}

/** One instance of the module. */
export class Instance {
  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.exports = new WebAssembly.Instance(module, {}).exports;
    this.#run(() => {
      // Static initializers, once.
      this.exports.__wasm_call_ctors?.();
      this.exports.wavelens_start();
    });
  }

  #run(work) {
    try {
      return work();
    } catch (error) {
      let message = String(error?.message ?? error);
      try {
        message = this.#read(this.exports.wavelens_panic()) || message;
      } catch {
        // The memory is used up: the first message is the best one.
      }
      throw new Panic(message, { cause: error });
    }
  }

  #read(address) {
    const memory = new Uint8Array(this.exports.memory.buffer);
    return decoder.decode(memory.subarray(address, memory.indexOf(0, address)));
  }

  #take(address) {
    const text = this.#read(address);
    this.exports.wavelens_free(address);
    return text;
  }

  #give(text) {
    const bytes = encoder.encode(text);
    const address = this.exports.wavelens_text(bytes.length);
    new Uint8Array(this.exports.memory.buffer).set(bytes, address);
    return address;
  }

  /** Calls a function with an object; the answer, or an `Error` with a sentence. */
  call(name, question) {
    return this.#run(() => {
      const [name_, question_] = [this.#give(name), this.#give(JSON.stringify(question))];
      const answer = JSON.parse(this.#take(this.exports.wavelens_call(name_, question_)));
      this.exports.wavelens_free(name_);
      this.exports.wavelens_free(question_);
      return answer;
    });
  }

  /** Gives the language server a message, as JSON. */
  receive(message) {
    this.#run(() => {
      const address = this.#give(message);
      this.exports.wavelens_receive(address);
      this.exports.wavelens_free(address);
    });
  }

  /** Lets the language server work; after how many milliseconds there is more to do, or -1. */
  turn(now) {
    return this.#run(() => this.exports.wavelens_turn(now));
  }

  /** The messages of the language server, as JSON. */
  messages() {
    return this.#run(() => {
      const all = [];
      for (let address; (address = this.exports.wavelens_message()); ) all.push(this.#take(address));
      return all;
    });
  }

  /** The version. */
  get version() {
    return this.#read(this.exports.wavelens_version());
  }

  /** Bytes of memory that it has. */
  get memory() {
    return this.exports.memory.buffer.byteLength;
  }
}

/** Memory (bytes) after whose use a call is the last one of an instance: WebAssembly gives none back. */
const MUCH = 512 << 20;

/** The functions of a compiled module. A panic ends one call; the next one has another instance. */
export function functions(module) {
  let instance;
  const call = (name, question) => {
    instance ??= new Instance(module);
    let answer;
    try {
      answer = instance.call(name, question);
    } catch (error) {
      instance = undefined;
      throw error;
    }
    if (instance.memory > MUCH) instance = undefined;
    if ("error" in answer) throw new Error(answer.error);
    return answer.value;
  };
  return {
    version: (instance = new Instance(module)).version,
    check: (text, options = {}) => call("check", { text, ...options }),
    format: (text, options = {}) => call("format", { text, ...options }).text,
    hover: (text, line, column, options = {}) => call("hover", { text, line, column, ...options }),
    encode: (text, options = {}) => call("encode", { text, ...options }),
    disassemble: (bytes, options = {}) => {
      let hex = "";
      for (const byte of bytes) hex += byte.toString(16).padStart(2, "0");
      return call("disassemble", { hex, ...options });
    },
    controlFlow: (text, options = {}) => call("controlFlow", { text, ...options }),
    explain: (code) => call("explain", { code }),
  };
}
