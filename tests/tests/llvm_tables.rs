//! The tables that are derived from LLVM's own descriptions, made from the installed LLVM 22 and compared with what is
//! committed. `UPDATE_TABLES=1 cargo test -p wavelens-tests --test llvm_tables` writes them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Map, Value};

const INCLUDE: &str = "/usr/lib/llvm-22/include";
const NOTE: &str =
    "Derived from LLVM 22 (Apache-2.0 WITH LLVM-exception) by tests/tests/llvm_tables.rs; do not edit.";

#[test]
fn intrinsics_are_those_of_llvm_22() {
    let Some(records) = records("llvm/IR/Intrinsics.td") else { return };
    let mut signatures = Interned::default();
    let mut properties = Interned::default();
    let mut names = BTreeMap::new();
    for (name, record) in intrinsics(&records) {
        let info = &records[text(&record["TypeInfo"], "def")];
        let codes = array(info, "TypeSig").iter().filter_map(Value::as_u64).collect();
        let signature = signatures.id(Codes { codes, at: 0 }.signature());
        let property = properties.id(properties_of(&records, record));
        names.insert(name, (signature, property));
    }
    let since = intrinsics_since(names.keys().cloned().collect());
    let mut list = format!(
        "# {NOTE}\n# Name, index of the signature, index of the properties, first version if it is newer than LLVM 15; sorted \
         by name.\n"
    );
    for (name, (signature, property)) in &names {
        let since = since.get(name).map_or_else(String::new, |version| format!(" {version}"));
        writeln!(list, "{name} {signature} {property}{since}").unwrap();
    }
    fresh("intrinsics.txt", &list);
    let arrays = format!(
        "//! Signatures and properties of the intrinsics in `intrinsics.txt`, which names them by index.\n//!\n//! {NOTE}\n\n{}\n{}",
        signatures.array("SIGNATURES"),
        properties.array("PROPERTIES")
    );
    fresh("intrinsic_data.rs", &arrays);
}

/// Names, without overload suffix, with their records.
fn intrinsics(records: &Map<String, Value>) -> impl Iterator<Item = (String, &Value)> {
    instances(records, "Intrinsic").into_iter().map(|def| {
        let record = &records[&def];
        let name = match text(record, "LLVMName") {
            "" => format!("llvm.{}", def.trim_start_matches("int_").replace('_', ".")),
            given => given.to_owned(),
        };
        (name, record)
    })
}

/// The versions that intrinsics came with. `WAVELENS_LLVM_HISTORY` names a folder with the `include` folders of LLVM's older
/// versions, as `15/include` to `21/include`; without it, what is committed is taken over.
fn intrinsics_since(newest: BTreeSet<String>) -> BTreeMap<String, u8> {
    let Some(history) = std::env::var_os("WAVELENS_LLVM_HISTORY").map(PathBuf::from) else {
        let committed = std::fs::read_to_string(table("intrinsics.txt")).unwrap_or_default();
        let line = |line: &str| {
            let mut words = line.split(' ');
            Some((words.next()?.to_owned(), words.nth(2)?.parse().ok()?))
        };
        return committed.lines().filter(|l| l.starts_with("llvm.")).filter_map(line).collect();
    };
    let mut since = BTreeMap::new();
    let mut newer = newest.clone();
    for version in (15..22).rev() {
        let include = history.join(format!("{version}/include"));
        let records = records_in(&include, "llvm/IR/Intrinsics.td").expect("the version's Intrinsics.td");
        let names: BTreeSet<String> = intrinsics(&records).map(|(name, _)| name).collect();
        for name in newer.difference(&names) {
            // What was a name of its own may be a name with a suffix now.
            let suffixed = format!("{name}.");
            let older = names.range(suffixed.clone()..).next().filter(|n| n.starts_with(&suffixed));
            if older.is_none_or(|older| newest.contains(older)) {
                since.insert(name.clone(), version + 1);
            }
        }
        newer = newer.intersection(&names).cloned().collect();
    }
    since
}

#[test]
fn attributes_are_those_of_llvm_22() {
    let Some(records) = records("llvm/IR/Attributes.td") else { return };
    let mut rows = BTreeMap::new();
    for (class, kind) in [
        ("EnumAttr", "Enum"),
        ("IntAttr", "Int"),
        ("TypeAttr", "Type"),
        ("ConstantRangeAttr", "Range"),
        ("ConstantRangeListAttr", "RangeList"),
    ] {
        for def in instances(&records, class) {
            let record = &records[&def];
            let on = |wanted| array(record, "Properties").iter().any(|p| text(p, "def") == wanted);
            rows.insert(
                text(record, "AttrString").to_owned(),
                format!(
                    "kind: Kind::{kind}, function: {}, parameter: {}, result: {}",
                    on("FnAttr"),
                    on("ParamAttr"),
                    on("RetAttr")
                ),
            );
        }
    }
    let mut out = format!(
        "//! The attributes of LLVM IR that have a name of their own, sorted by name.\n//!\n//! {NOTE}\n\n\
         use super::attributes::{{Attribute, Kind}};\n\n#[rustfmt::skip]\npub(super) static ATTRIBUTES: &[Attribute] = &[\n"
    );
    for (name, row) in rows {
        writeln!(out, "    Attribute {{ name: {name:?}, {row} }},").unwrap();
    }
    out.push_str("];\n");
    fresh("attribute_data.rs", &out);
}

/// Texts numbered in the order of their first use.
#[derive(Default)]
struct Interned {
    ids: BTreeMap<String, usize>,
}

impl Interned {
    fn id(&mut self, text: String) -> usize {
        let next = self.ids.len();
        *self.ids.entry(text).or_insert(next)
    }

    fn array(&self, name: &str) -> String {
        let mut rows: Vec<_> = self.ids.iter().map(|(text, id)| (id, text)).collect();
        rows.sort();
        let mut out = format!("#[rustfmt::skip]\npub(super) static {name}: &[&str] = &[\n");
        for (_, text) in rows {
            writeln!(out, "    {text:?},").unwrap();
        }
        out.push_str("];\n");
        out
    }
}

/// LLVM's encoding of an intrinsic's type: see `IIT_Info` in Intrinsics.td.
struct Codes {
    codes: Vec<u64>,
    at: usize,
}

impl Codes {
    fn next(&mut self) -> u64 {
        let code = self.codes.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        code
    }

    fn signature(mut self) -> String {
        let mut out = self.ty(false);
        out.push('(');
        let mut first = true;
        while self.at < self.codes.len() {
            if !std::mem::take(&mut first) {
                out.push(',');
            }
            out += &self.ty(false);
        }
        out.push(')');
        out
    }

    fn ty(&mut self, scalable: bool) -> String {
        let code = self.next();
        let vector = |this: &mut Self, n: u32| {
            let element = this.ty(false);
            format!("<{}{n} x {element}>", if scalable { "vscale x " } else { "" })
        };
        match code {
            0 => "void".into(),
            1 => "i1".into(),
            2 => "i8".into(),
            3 => "i16".into(),
            4 => "i32".into(),
            5 => "i64".into(),
            6 => "half".into(),
            7 => "float".into(),
            8 => "double".into(),
            9 => vector(self, 2),
            10 => vector(self, 4),
            11 => vector(self, 8),
            12 => vector(self, 16),
            13 => vector(self, 32),
            14 => "ptr".into(),
            15 => {
                let info = self.next();
                let kind = ["any", "int", "float*", "vec", "ptr*", "", "", ""][(info & 7) as usize];
                format!("{kind}@{}", info >> 3)
            }
            16 => vector(self, 64),
            17 => "<1 x i64>".into(),
            18 => "token".into(),
            19 => "metadata".into(),
            20 => "{}".into(),
            21 => {
                let fields = self.next() + 2;
                let fields: Vec<_> = (0..fields).map(|_| self.ty(false)).collect();
                format!("{{{}}}", fields.join(","))
            }
            22 => self.of("extend"),
            23 => self.of("truncate"),
            24 => format!("ptr({})", self.next()),
            25 => vector(self, 1),
            26 => "...".into(),
            27 => {
                let (of, n) = (self.next(), self.next());
                format!("part{n}@{of}")
            }
            28 => {
                let of = self.next() >> 3;
                format!("like@{of}({})", self.ty(false))
            }
            29 => {
                let (slot, of) = (self.next(), self.next());
                format!("pointers{slot}@{of}")
            }
            30 => "i128".into(),
            31 => vector(self, 512),
            32 => vector(self, 1024),
            33 => "fp128".into(),
            34 => self.of("element"),
            35 => self.ty(true),
            36 => self.of("split2"),
            37 => self.of("split4"),
            38 => self.of("bits"),
            39 => vector(self, 128),
            40 => "bfloat".into(),
            41 => vector(self, 256),
            42 => "x86_amx".into(),
            43 => "ppc_fp128".into(),
            44 => vector(self, 3),
            45 => "ptr(10)".into(),
            46 => "ptr(20)".into(),
            47 => "i2".into(),
            48 => "i4".into(),
            49 => "svcount".into(),
            50 => vector(self, 6),
            51 => vector(self, 10),
            52 => vector(self, 2048),
            53 => vector(self, 4096),
            other => panic!("LLVM has a new type code: {other}"),
        }
    }

    fn of(&mut self, word: &str) -> String {
        format!("{word}@{}", self.next() >> 3)
    }
}

/// Words of `tables/intrinsics.rs`: `nomem`, `imm2` (argument 2 is immediate), `range2:0:16` (argument 2 lies in `[0, 16)`).
fn properties_of(records: &Map<String, Value>, record: &Value) -> String {
    let mut words = Vec::new();
    for property in array(record, "IntrProperties") {
        let def = text(property, "def");
        let property = &records[def];
        let class = array(property, "!superclasses").last().and_then(Value::as_str).unwrap_or("");
        let argument = property.get("ArgNo").and_then(Value::as_i64);
        // Number 0 is the result.
        let place =
            argument.map(|n| if n == 0 { "ret".to_owned() } else { (n - 1).to_string() }).unwrap_or_default();
        match (class, def) {
            ("ImmArg", _) => words.push(format!("imm{place}")),
            ("Range", _) => words.push(format!("range{place}:{}:{}", property["Lower"], property["Upper"])),
            ("Returned", _) => words.push(format!("returned{place}")),
            (_, "IntrNoMem") => words.push("nomem".into()),
            (_, "IntrReadMem") => words.push("read".into()),
            (_, "IntrWriteMem") => words.push("write".into()),
            (_, "IntrConvergent") => words.push("convergent".into()),
            (_, "IntrNoReturn") => words.push("noreturn".into()),
            (_, "IntrHasSideEffects") => words.push("effects".into()),
            (_, "Throws") => words.push("throws".into()),
            _ => {}
        }
    }
    words.sort();
    words.join(" ")
}

/// The words of `llvm/BinaryFormat/Dwarf.def` and `llvm/IR/DebugInfoFlags.def` that metadata may name.
#[test]
fn debug_words_are_those_of_llvm_22() {
    let mut words = BTreeSet::new();
    for (file, prefixes) in [
        (
            "llvm/BinaryFormat/Dwarf.def",
            &[
                ("HANDLE_DW_TAG(", "DW_TAG_"),
                ("HANDLE_DW_OP(", "DW_OP_"),
                ("HANDLE_DW_ATE(", "DW_ATE_"),
                ("HANDLE_DW_LANG(", "DW_LANG_"),
                ("HANDLE_DW_LNAME(", "DW_LNAME_"),
                ("HANDLE_DW_CC(", "DW_CC_"),
                ("HANDLE_DW_VIRTUALITY(", "DW_VIRTUALITY_"),
                ("HANDLE_DW_APPLE_ENUM_KIND(", "DW_APPLE_ENUM_KIND_"),
            ][..],
        ),
        (
            "llvm/IR/DebugInfoFlags.def",
            &[("HANDLE_DI_FLAG(", "DIFlag"), ("HANDLE_DISP_FLAG(", "DISPFlag")][..],
        ),
    ] {
        let path = Path::new(INCLUDE).join(file);
        let Ok(text) = std::fs::read_to_string(&path) else {
            println!("skipped: {} not installed (Debian: llvm-22-dev)", path.display());
            return;
        };
        for line in text.lines() {
            for (macro_name, prefix) in prefixes {
                let Some(arguments) = line.strip_prefix(macro_name) else { continue };
                let name = arguments.split(',').nth(1).unwrap_or("").trim_matches([' ', ')']);
                let name = name.split(')').next().unwrap_or("");
                // No flag is a number of its own, and the largest is only a limit.
                if !(prefix.ends_with("Flag") && matches!(name, "Zero" | "Largest")) {
                    words.insert(format!("{prefix}{name}"));
                }
            }
        }
    }
    // Those that LLVM defines beside its lists.
    for word in [
        "convert",
        "fragment",
        "tag_offset",
        "entry_value",
        "implicit_pointer",
        "arg",
        "extract_bits_sext",
        "extract_bits_zext",
    ] {
        words.insert(format!("DW_OP_LLVM_{word}"));
    }
    for word in ["define", "undef", "start_file", "end_file", "vendor_ext"] {
        words.insert(format!("DW_MACINFO_{word}"));
    }
    let list: Vec<_> = words.iter().map(|w| format!("    \"{w}\",\n")).collect();
    let made = format!(
        "//! Words that debug-info metadata may name, sorted.\n//!\n//! {NOTE}\n\n#[rustfmt::skip]\npub(super) static WORDS: &[&str] = &[\n{}];\n",
        list.concat()
    );
    fresh("debug_word_data.rs", &made);
}

fn records(file: &str) -> Option<Map<String, Value>> {
    records_in(Path::new(INCLUDE), file)
}

fn records_in(include: &Path, file: &str) -> Option<Map<String, Value>> {
    let path = include.join(file);
    let run = Command::new("llvm-tblgen-22").args(["--dump-json", "-I"]).arg(include).arg(&path).output();
    match run {
        Ok(output) if output.status.success() => match serde_json::from_slice(&output.stdout) {
            Ok(Value::Object(map)) => Some(map),
            other => panic!("llvm-tblgen-22 printed no object: {:?}", other.err()),
        },
        _ => {
            println!("skipped: llvm-tblgen-22 with {} not installed (Debian: llvm-22-dev)", path.display());
            None
        }
    }
}

fn instances(records: &Map<String, Value>, class: &str) -> Vec<String> {
    array(&records["!instanceof"], class).iter().filter_map(|v| v.as_str().map(str::to_owned)).collect()
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or("")
}

fn array<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn table(file: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../analysis/semantics/src/llvm/tables").join(file)
}

fn fresh(file: &str, made: &str) {
    let path = table(file);
    if std::env::var_os("UPDATE_TABLES").is_some() {
        std::fs::write(&path, made).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == made, "{} is stale: run with UPDATE_TABLES=1", path.display());
}
