//! Records of LLVM's .td files, as `llvm-tblgen` prints them.

use std::path::Path;
use std::process::Command;

use serde_json::{Map, Value};

use crate::Outcome;
use crate::repository::output;

pub(crate) type Records = Map<String, Value>;

pub(crate) fn records(include: &Path, file: &str) -> Outcome<Records> {
    let path = include.join(file);
    let printed = output(Command::new("llvm-tblgen-22").args(["--dump-json", "-I"]).arg(include).arg(&path))?;
    match serde_json::from_slice(&printed) {
        Ok(Value::Object(records)) => Ok(records),
        Ok(_) => Err("llvm-tblgen-22 printed no object".to_owned()),
        Err(e) => Err(format!("llvm-tblgen-22 printed no JSON: {e}")),
    }
}

/// Names of the records of a class.
pub(crate) fn instances(records: &Records, class: &str) -> Vec<String> {
    array(&records["!instanceof"], class).iter().filter_map(|v| v.as_str().map(str::to_owned)).collect()
}

pub(crate) fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or("")
}

pub(crate) fn array<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}
