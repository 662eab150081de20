//! Names, signatures and properties of intrinsics.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde_json::Value;

use super::NOTE;
use super::records::{Records, array, instances, records, text};
use super::signature::Codes;
use crate::Outcome;
use crate::repository::{read_text, root};
use crate::tables::{Made, Sources, places};

const FILE: &str = "llvm/IR/Intrinsics.td";

pub(crate) fn make(sources: &Sources) -> Outcome<Vec<Made>> {
    let records = records(&sources.llvm_include, FILE)?;
    let mut signatures = Interned::default();
    let mut properties = Interned::default();
    let mut names = BTreeMap::new();
    for (name, record) in intrinsics(&records) {
        let info = &records[text(&record["TypeInfo"], "def")];
        let codes = array(info, "TypeSig").iter().filter_map(Value::as_u64).collect();
        let signature = signatures.id(Codes::new(codes).signature()?);
        let property = properties.id(properties_of(&records, record));
        names.insert(name, (signature, property));
    }
    let mut since = intrinsics_since(names.keys().cloned().collect(), sources)?;
    for line in read_text(&root().join(places::LLVM).join("newer_intrinsics.txt"))?.lines() {
        let (declaration, property) = line.split_once('|').unwrap_or((line, ""));
        let mut words = declaration.trim().splitn(3, ' ');
        let (Some(name), Some(version), Some(signature)) = (words.next(), words.next(), words.next()) else {
            continue;
        };
        let Ok(version) = version.parse() else { continue };
        let row = (signatures.id(signature.to_owned()), properties.id(property.trim().to_owned()));
        // A release that has it describes it better.
        if !names.contains_key(name) {
            names.insert(name.to_owned(), row);
            since.insert(name.to_owned(), version);
        }
    }
    let mut list = format!(
        "# {NOTE}\n# Name, index of the signature, index of the properties, first version if it is newer than LLVM 15; sorted \
         by name.\n"
    );
    for (name, (signature, property)) in &names {
        let since = since.get(name).map_or_else(String::new, |version| format!(" {version}"));
        let _ = writeln!(list, "{name} {signature} {property}{since}");
    }
    let arrays = format!(
        "//! Signatures and properties of the intrinsics in `intrinsics.txt`, which names them by index.\n//!\n//! {NOTE}\n\n{}\n{}",
        signatures.array("SIGNATURES"),
        properties.array("PROPERTIES")
    );
    Ok(vec![
        Made::new(places::LLVM, "intrinsics.txt", list),
        Made::new(places::LLVM, "intrinsic_data.rs", arrays),
    ])
}

/// Names, without overload suffix, with their records.
fn intrinsics(records: &Records) -> impl Iterator<Item = (String, &Value)> {
    instances(records, "Intrinsic").into_iter().map(|def| {
        let record = &records[&def];
        let name = match text(record, "LLVMName") {
            "" => format!("llvm.{}", def.trim_start_matches("int_").replace('_', ".")),
            given => given.to_owned(),
        };
        (name, record)
    })
}

/// The first versions of intrinsics; without the headers of older versions, those that are committed.
fn intrinsics_since(newest: BTreeSet<String>, sources: &Sources) -> Outcome<BTreeMap<String, u8>> {
    let Some(history) = &sources.llvm_history else {
        let committed = read_text(&root().join(places::LLVM).join("intrinsics.txt"))?;
        let line = |line: &str| {
            let mut words = line.split(' ');
            Some((words.next()?.to_owned(), words.nth(2)?.parse().ok()?))
        };
        return Ok(committed.lines().filter(|l| l.starts_with("llvm.")).filter_map(line).collect());
    };
    let mut since = BTreeMap::new();
    let mut newer = newest.clone();
    for version in (15..22).rev() {
        let include = history.join(format!("{version}/include"));
        let records = records(&include, FILE)?;
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
    Ok(since)
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
            let _ = writeln!(out, "    {text:?},");
        }
        out.push_str("];\n");
        out
    }
}

/// Words of `tables/intrinsics.rs`: `nomem`, `imm2` (argument 2 is immediate), `range2:0:16` (argument 2 is in `[0, 16)`).
fn properties_of(records: &Records, record: &Value) -> String {
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
