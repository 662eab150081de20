//! The schema of what commands print as JSON (`docs/json.schema.json`): made from real outputs, and compared with the committed one.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use expect_test::expect_file;
use serde_json::{Map, Value, json};
use wavelens_test_support::required;

/// Each kind of output with commands that print it: between them they have every field.
const OUTPUTS: &[(&str, &[&str])] = &[
    ("check", &["check examples-broken examples", "check --mcpu gfx900 examples/saxpy.s"]),
    ("statistics", &["check --statistics examples-broken"]),
    ("explain", &["explain"]),
    ("encode", &["encode examples/saxpy.s", "encode examples/saxpy.spvasm"]),
    ("target", &["target examples/saxpy.ll", "target examples/saxpy.s", "target examples/saxpy.spvasm"]),
    ("doctor", &["doctor"]),
    ("isa", &["isa examples/saxpy.ll", "isa examples/nbody.ll --opt 0", "isa examples/saxpy.mir"]),
    (
        "compare",
        &[
            "compare --targets gfx90a,gfx1100 --fail-above vgpr=1 examples/saxpy.ll",
            "compare --opt-levels 0,2 examples/nbody.ll",
        ],
    ),
    ("advise", &["advise examples/saxpy.ll", "advise --mcpu gfx900 examples/nbody.ll"]),
    ("passes", &["passes examples/saxpy.ll"]),
    ("trace", &["trace --line 7 examples/saxpy.ll", "trace --value i examples/saxpy.ll"]),
    ("remarks", &["remarks examples/saxpy.ll"]),
];

/// Fields that are there or not by what is installed.
const BY_MACHINE: &[(&str, &str)] = &[("doctor", "path"), ("doctor", "version")];

#[test]
fn the_schema_of_json_is_that_of_the_outputs() {
    if !required::program("llc-22") {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the server has a workspace");
    let mut kinds = Map::new();
    for (kind, commands) in OUTPUTS {
        let mut schema: Option<Value> = None;
        for command in *commands {
            let output = Command::new(env!("CARGO_BIN_EXE_wavelens"))
                .current_dir(root)
                .args(command.split(' '))
                .args(["--format", "json"])
                .output()
                .expect("the program starts");
            let text = String::from_utf8_lossy(&output.stdout);
            assert!(!text.is_empty(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
            for line in text.lines() {
                let value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{command}: {e}: {line}"));
                let of_line = schema_of(&value);
                schema = Some(schema.map_or(of_line.clone(), |known| both(known, of_line)));
            }
        }
        let mut schema = schema.expect("an output");
        BY_MACHINE
            .iter()
            .filter(|(of, _)| of == kind)
            .for_each(|(_, field)| make_optional(&mut schema, field));
        kinds.insert((*kind).to_owned(), schema);
    }
    let whole = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "JSON that the commands of wavelens print",
        "description": "`check`, `statistics`, `explain` and `encode` print one value a line, the others one value. Fields may be added.",
        "$defs": kinds,
    });
    let text = serde_json::to_string_pretty(&whole).expect("it is JSON") + "\n";
    expect_file![root.join("docs/json.schema.json")].assert_eq(&text);
}

fn schema_of(value: &Value) -> Value {
    match value {
        Value::Null => json!({"type": "null"}),
        Value::Bool(_) => json!({"type": "boolean"}),
        Value::Number(number) if number.is_f64() => json!({"type": "number"}),
        Value::Number(_) => json!({"type": "integer"}),
        Value::String(_) => json!({"type": "string"}),
        Value::Array(items) => match items.iter().map(schema_of).reduce(both) {
            Some(items) => json!({"type": "array", "items": items}),
            None => json!({"type": "array"}),
        },
        Value::Object(fields) => {
            let properties: BTreeMap<&String, Value> =
                fields.iter().map(|(k, v)| (k, schema_of(v))).collect();
            let required: Vec<&&String> = properties.keys().collect();
            json!({"type": "object", "required": required, "properties": properties})
        }
    }
}

/// What describes the values of both.
fn both(one: Value, two: Value) -> Value {
    match (one["type"].as_str(), two["type"].as_str()) {
        (Some("array"), Some("array")) => match (one.get("items"), two.get("items")) {
            (Some(a), Some(b)) => json!({"type": "array", "items": both(a.clone(), b.clone())}),
            (Some(_), None) => one,
            _ => two,
        },
        (Some("object"), Some("object")) => {
            let fields = |schema: &Value| schema["properties"].as_object().cloned().unwrap_or_default();
            let (mut properties, others) = (fields(&one), fields(&two));
            for (name, schema) in others {
                let merged = match properties.remove(&name) {
                    Some(known) => both(known, schema),
                    None => schema,
                };
                properties.insert(name, merged);
            }
            let required: Vec<&Value> = one["required"].as_array().into_iter().flatten().collect();
            let is_in_both = |name: &&&Value| two["required"].as_array().is_some_and(|r| r.contains(name));
            let required: Vec<&&Value> = required.iter().filter(is_in_both).collect();
            json!({"type": "object", "required": required, "properties": properties})
        }
        (Some("integer"), Some("number")) => two,
        (Some("number"), Some("integer")) => one,
        (a, b) if a == b => one,
        (a, b) => json!({"type": [a, b]}),
    }
}

fn make_optional(schema: &mut Value, field: &str) {
    if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
        required.retain(|name| name != field);
    }
    match schema {
        Value::Object(fields) => fields.values_mut().for_each(|inner| make_optional(inner, field)),
        Value::Array(items) => items.iter_mut().for_each(|inner| make_optional(inner, field)),
        _ => {}
    }
}
