// What the extension uses of browsers; Node has it as well.

declare namespace WebAssembly {
  class Module {}
  function compile(bytes: Uint8Array): Promise<Module>;
}

declare class Worker {
  constructor(address: string);
  onmessage: unknown;
}
