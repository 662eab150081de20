//! The attributes that have a name of their own.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::NOTE;
use super::records::{array, instances, records, text};
use crate::Outcome;
use crate::tables::{Made, Sources, places};

pub(crate) fn make(sources: &Sources) -> Outcome<Made> {
    let records = records(&sources.llvm_include, "llvm/IR/Attributes.td")?;
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
        let _ = writeln!(out, "    Attribute {{ name: {name:?}, {row} }},");
    }
    out.push_str("];\n");
    Ok(Made::new(places::LLVM, "attribute_data.rs", out))
}
