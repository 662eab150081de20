//! What is fuzzed: each target makes an input and tries it. A panic, an endless loop or too much memory is a failure.

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::runtime::Runtime;
use wavelens::lsp::Config;
use wavelens_amdgpu as amdgpu;
use wavelens_base::{Dialect, Options};
use wavelens_check::disassemble::{IdStyle, disassemble};
use wavelens_isa::{Target as Processor, decode, print};

use super::mutate::Seeds;
use super::{Input, differential, spirv_binary};
use crate::client::framed;
use crate::random::Random;
use crate::soak::Soak;

/// Where a difference between us and a reference tool is noted.
pub type Differences = Vec<String>;

pub struct Target {
    pub name: &'static str,
    /// The bytes to try.
    pub make: fn(&Seeds, &mut Random) -> Vec<u8>,
    pub run: fn(&[u8], &mut Differences),
}

pub static TARGETS: &[Target] = &[
    Target { name: "check", make: any, run: |data, _| input(data, Input::check) },
    Target {
        name: "check-llvm",
        make: |s, r| text(s, r, Dialect::Llvm),
        run: |data, _| input(data, Input::check),
    },
    Target {
        name: "check-mir",
        make: |s, r| text(s, r, Dialect::Mir),
        run: |data, _| input(data, Input::check),
    },
    Target {
        name: "check-spirv",
        make: |s, r| text(s, r, Dialect::Spirv),
        run: |data, _| input(data, Input::check),
    },
    Target {
        name: "check-amdgpu",
        make: |s, r| text(s, r, Dialect::Amdgpu),
        run: |data, _| input(data, Input::check),
    },
    Target { name: "answers", make: any, run: |data, _| input(data, Input::answers) },
    Target { name: "edits", make: any, run: |data, _| input(data, Input::edits) },
    Target { name: "spirv-binary", make: |s, r| s.binary(r), run: |data, _| spirv_binary(data) },
    Target { name: "code-object", make: object, run: |data, _| drop(disassemble(data, IdStyle::Friendly)) },
    Target { name: "encode", make: |s, r| text(s, r, Dialect::Amdgpu), run: |data, _| encode(data) },
    Target {
        name: "decode",
        make: |_, r| (0..64).map(|_| r.below(256) as u8).collect(),
        run: |data, _| decoded(data),
    },
    Target { name: "run-lines", make: test_lines, run: |data, _| super::run_lines(data) },
    Target { name: "project", make: configuration, run: |data, _| super::project(data) },
    Target { name: "markdown", make: ticks, run: |data, _| super::shown(data) },
    Target { name: "configuration", make: configuration, run: |data, _| configure(data) },
    Target { name: "framing", make: frames, run: |data, _| serve(data) },
    Target {
        name: "messages",
        make: |_, r| vec![r.below(256) as u8, r.below(256) as u8],
        run: |data, _| messages(data),
    },
    Target { name: "verdict", make: |s, r| text(s, r, Dialect::Llvm), run: differential::verdict },
    Target { name: "assembler", make: |s, r| text(s, r, Dialect::Amdgpu), run: differential::assembler },
];

fn bytes(dialect: Dialect, random: &mut Random, text: &str) -> Vec<u8> {
    let number = Dialect::ALL.iter().position(|own| *own == dialect).unwrap_or(0);
    let mut bytes = vec![number as u8, random.below(256) as u8];
    bytes.extend_from_slice(text.as_bytes());
    bytes
}

fn any(seeds: &Seeds, random: &mut Random) -> Vec<u8> {
    let (dialect, text) = seeds.text(random, None);
    bytes(dialect, random, &text)
}

fn text(seeds: &Seeds, random: &mut Random, dialect: Dialect) -> Vec<u8> {
    let (dialect, text) = seeds.text(random, Some(dialect));
    bytes(dialect, random, &text)
}

fn input(data: &[u8], try_it: fn(Input)) {
    if let Some(input) = Input::read(data) {
        try_it(input);
    }
}

/// An ELF header, and any bytes.
fn object(_: &Seeds, random: &mut Random) -> Vec<u8> {
    let mut bytes = b"\x7fELF\x02\x01\x01\x40\x03\0\0\0\0\0\0\0\x03\0\xe0\0\x01\0\0\0".to_vec();
    bytes.resize(24 + random.below(2000), 0);
    for _ in 0..random.below(200) {
        let at = 16 + random.below(bytes.len() - 16);
        bytes[at] = [0, 1, 2, 0x40, 0xff, random.below(256) as u8][random.below(6)];
    }
    bytes
}

/// What is encoded decodes to an instruction of the same size.
fn encode(data: &[u8]) {
    let Some(input) = Input::read(data) else { return };
    let options = Options { target: Some("gfx1100".to_owned()), ..Options::default() };
    let Some(target) = Processor::named("gfx1100") else { return };
    let states_target = input.text.contains("amdgcn_target") || input.text.contains("mcpu");
    for line in amdgpu::encode(&input.text, &options).0.iter().filter(|line| !line.bytes.is_empty()) {
        let decoded = decode(target, &line.bytes);
        let size = decoded.map(|decoded| decoded.len);
        assert!(states_target || size == Some(line.bytes.len()), "{}: {:x?} {size:?}", line.text, line.bytes);
    }
}

/// The text of what can be decoded has an end.
fn decoded(data: &[u8]) {
    for target in ["gfx700", "gfx900", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1200", "gfx1250"] {
        let Some(target) = Processor::named(target) else { continue };
        for at in 0..data.len() {
            if let Some(decoded) = decode(target, &data[at..]) {
                print(target, &decoded.inst);
            }
        }
    }
}

const PROJECT: &str = "target = \"gfx1100\"\nfeatures = [\"+wavefrontsize64\"]\ninclude-paths = [\"include\"]\n\
                       [[files]]\npattern = \"*.ll\"\ntarget = \"gfx900\"\n[severity]\nunused-metadata = \"warning\"\n";

/// A project file, RUN lines, and settings.
fn configuration(seeds: &Seeds, random: &mut Random) -> Vec<u8> {
    let base = [
        PROJECT,
        "; RUN: llc -mtriple=amdgcn -mcpu=gfx900 < %s | FileCheck %s\n",
        "{\"isa\": {\"optLevel\": 3}}",
    ];
    let mut text = base[random.below(base.len())].to_owned();
    for _ in 0..1 + random.below(4) {
        let edit = crate::random::edit(random, &text);
        text.replace_range(edit.range, &edit.text);
    }
    if random.below(8) == 0 {
        text = seeds.text(random, None).1;
    }
    text.into_bytes()
}

/// Lines that lit reads, changed.
fn test_lines(_: &Seeds, random: &mut Random) -> Vec<u8> {
    const LINES: [&str; 9] = [
        "; DEFINE: %{llc} = llc -mtriple=%{triple} \\\n; DEFINE:   -mcpu=gfx900\n",
        "; DEFINE: %{triple} = amdgcn\n; REDEFINE: %{triple} =\n",
        "; RUN: %{llc} < %s 2>&1 | FileCheck -check-prefixes=A,B %s\n",
        "; RUN: not --crash llc -o - %s && opt -passes='function(sroa<modify-cfg>)' %t || true\n",
        "; RUN: sed -e s/GFX/900/g -e 's,a,b,' %s > %t; cat %t | count 3\n",
        "; RUN: %if system-linux %{ llc %s %} %else %{ llc \\\n; RUN: -mcpu=gfx%(line-1) %s %}\n",
        "; REQUIRES: amdgpu-registered-target && !(asserts || {{.*}})\n; UNSUPPORTED: x, y\n",
        "# XFAIL: *\n; ALLOW_RETRIES: 3\n",
        "//--- a.ll\n; A-NEXT: {{^}}x[[R:%[0-9]+]] [[#%.8X,N:+1]]\n; END.\n",
    ];
    let mut text: String = (0..1 + random.below(6)).map(|_| LINES[random.below(LINES.len())]).collect();
    for _ in 0..random.below(6) {
        let edit = crate::random::edit(random, &text);
        text.replace_range(edit.range, &edit.text);
    }
    text.into_bytes()
}

/// What means something in Markdown, in any order.
fn ticks(_: &Seeds, random: &mut Random) -> Vec<u8> {
    const PARTS: [&str; 34] = [
        "`",
        "``",
        "```",
        "~~~",
        "\n",
        "\r",
        "\t",
        "    ",
        "![",
        "[",
        "]",
        "](",
        "](http://x)",
        "[a]: ",
        "://",
        "http",
        "www.",
        "<",
        "<img src=x>",
        "<!--",
        "</",
        ">",
        "\\",
        "*",
        "_",
        "#",
        "- ",
        "1. ",
        "|",
        "@",
        "&lt;",
        "\u{202e}",
        "\u{1b}[2J",
        "name",
    ];
    (0..1 + random.below(24)).flat_map(|_| PARTS[random.below(PARTS.len())].bytes()).collect()
}

fn configure(data: &[u8]) {
    super::project(data);
    super::run_lines(data);
    let text = String::from_utf8_lossy(data);
    for name in [
        "target",
        "isa.optLevel",
        "isa.passes",
        "includePaths",
        "memory.softLimitMiB",
        "diagnosticsDebounceMs",
    ] {
        let value = serde_json::from_str(&text).unwrap_or_else(|_| Value::String(text.to_string()));
        Config::default().merge(&json!({ name: value }));
    }
}

/// The bytes of a session, damaged.
fn frames(seeds: &Seeds, random: &mut Random) -> Vec<u8> {
    let (dialect, text) = seeds.text(random, None);
    let uri = "file:///fuzz/a";
    let document = json!({ "uri": uri, "languageId": dialect.name(), "version": 1, "text": text });
    let change = json!({ "range": { "start": { "line": 1, "character": 0 }, "end": { "line": 1, "character": 2 } }, "text": "x" });
    let place = json!({ "textDocument": { "uri": uri }, "position": { "line": 1, "character": 1 } });
    let messages = [
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "capabilities": {} } }),
        json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }),
        json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": document } }),
        json!({ "jsonrpc": "2.0", "method": "textDocument/didChange",
                "params": { "textDocument": { "uri": uri, "version": 2 }, "contentChanges": [change] } }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "textDocument/hover", "params": place }),
    ];
    let mut bytes: Vec<u8> = messages.iter().flat_map(|m| framed(&m.to_string()).into_bytes()).collect();
    for _ in 0..random.below(6) {
        // Cut off after one byte, which then was removed.
        if bytes.is_empty() {
            break;
        }
        let at = random.below(bytes.len());
        match random.below(4) {
            0 => drop(bytes.remove(at)),
            1 => bytes.insert(at, random.below(256) as u8),
            2 => bytes[at] = random.below(256) as u8,
            _ => bytes.truncate(at + 1),
        }
    }
    bytes
}

fn runtime() -> Runtime {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(2).enable_all().build().expect("a runtime")
}

/// The session ends after its input.
fn serve(data: &[u8]) {
    let runtime = runtime();
    runtime.block_on(async {
        let (mut to, input) = tokio::io::duplex(1 << 20);
        let server = tokio::spawn(wavelens::lsp::serve(input, tokio::io::sink()));
        // The server may end before it has read all.
        let _ = to.write_all(data).await;
        drop(to);
        server.await.expect("no panic");
    });
    runtime.shutdown_background();
}

/// A session of random messages, compared with a fresh one at its end.
fn messages(data: &[u8]) {
    let seed = data.iter().fold(1, |seed, byte| seed * 256 + u64::from(*byte));
    let runtime = runtime();
    runtime.block_on(async {
        let mut soak = Soak::start(4, seed, json!({ "target": "gfx1030" })).await;
        for _ in 0..60 {
            soak.step().await;
        }
        soak.compare().await;
        assert!(soak.client.stop().await);
    });
    runtime.shutdown_background();
}
