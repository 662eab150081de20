/** What a text is checked for. All of it is optional: without, the text and the defaults decide. */
export interface Options {
  /** File name, whose ending tells the dialect: `a.ll`, `a.mir`, `a.spvasm`, `a.s`. */
  name?: string;
  dialect?: "llvm" | "mir" | "spirv" | "amdgpu";
  /** AMDGPU processor, such as `gfx1100`. */
  target?: string;
  /** SPIR-V environment, such as `vulkan1.2`. */
  targetEnv?: string;
  /** LLVM version whose rules apply, 15 to 24. */
  llvmLevel?: number;
  pedantic?: boolean;
  /** Codes that are not reported. */
  disabled?: string[];
}

/** A place in the text. Everything counts from 1. */
export interface Range {
  line: number;
  /** In bytes of UTF-8. */
  column: number;
  end_line: number;
  end_column: number;
}

/** The same, and columns as JavaScript counts: in units of UTF-16. */
export interface Utf16Range extends Range {
  utf16_column: number;
  utf16_end_column: number;
}

export interface Finding extends Utf16Range {
  severity: "error" | "warning" | "info" | "hint";
  /** The test expects it. */
  expected?: true;
  code: string;
  message: string;
  related: (Utf16Range & { file?: string; message: string })[];
  help?: string[];
  fixes?: Fix[];
}

export interface Fix {
  title: string;
  /** It can be applied without a look. */
  certain: boolean;
  edits: (Utf16Range & { text: string })[];
}

export interface Checked {
  file: string;
  dialect: string;
  diagnostics: Finding[];
}

export interface Encoded {
  /** `bytes` are hexadecimal, in memory order; line 0 is a header that no line of the text stands for. */
  lines: { line: number; offset: number; bytes: string; text: string }[];
  /** Something in the text has no encoding. */
  refused: boolean;
}

export interface Rule {
  code: string;
  dialect: string | null;
  severity: Finding["severity"];
  title: string;
  /** Markdown. */
  explain: string;
  example: string;
  fixed: string;
  source: string;
  /** Address of its page. */
  page: string;
}

/** All functions throw an `Error` with a sentence where there is no answer. */
export interface Wavelens {
  readonly version: string;
  /** The findings of a text, as `wavelens check --format json` prints them. */
  check(text: string, options?: Options): Checked;
  format(text: string, options?: Pick<Options, "name" | "dialect"> & { spirvLayout?: "aligned" | "nested" | "plain" }): string;
  /** What is known of a place; null where nothing is. Line and column count from 1, the column in bytes. */
  hover(text: string, line: number, column: number, options?: Options): ({ markdown: string } & Range) | null;
  /** The bytes of SPIR-V or AMDGPU assembly. */
  encode(text: string, options?: Options): Encoded;
  /** The text of a SPIR-V binary or an AMDGPU code object. */
  disassemble(bytes: Uint8Array, options?: { rawId?: boolean }): { text: string; dialect: string };
  /** A picture of the control flow of all functions, or of one. */
  controlFlow(text: string, options?: Options & { function?: string }): { functions: string[]; svg: string };
  /** The documentation of a code. */
  explain(code: string): Rule[];
}

/** Loads the module, from an address in browsers. */
export function load(address?: string | URL): Promise<Wavelens>;
