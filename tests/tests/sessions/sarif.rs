//! SARIF and annotations for files with odd names: valid by the official schema, and with places that lead back to the files.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

/// The crate that carries the schema, as `tests/grammar` names it.
const CRATE: &str = "serde-sarif-0.8.0";

fn schema() -> Option<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")))?;
    let sources = fs::read_dir(home.join("registry/src")).ok()?;
    let mut files = sources.filter_map(|entry| Some(entry.ok()?.path().join(CRATE).join("src/schema.json")));
    files.find(|file| file.is_file())
}

/// A hundred names with blanks, line ends, percent signs, reserved and other characters.
fn names() -> Vec<String> {
    let odd = [
        " ", "%", "%20", "#", "?", "é", "日本", "𝄞", "[x]", "{y}", "a:b", "a,b", "'q'", "\"q\"", "&", "a\nb",
        "a\tb", ";", "^|`", "~!@$()",
    ];
    let forms = ["{}.ll", "x{}y.ll", "{} {}.ll", "dir {}/a.ll", "deep/{}/{}.ll"];
    forms.iter().flat_map(|form| odd.iter().map(|odd| form.replace("{}", odd))).collect()
}

/// The bytes that a percent-encoded reference stands for.
fn decoded(uri: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = uri;
    while let Some(at) = rest.find('%') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        bytes.push(u8::from_str_radix(&rest[at + 1..at + 3], 16).expect("two digits after a percent sign"));
        rest = &rest[at + 3..];
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8(bytes).expect("names are UTF-8")
}

/// Only what RFC 3986 allows in a path.
fn is_path(uri: &str) -> bool {
    uri.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/%".contains(&b))
}

#[cfg(unix)]
#[test]
fn a_hundred_odd_names() {
    let folder = std::env::temp_dir().join(format!("wavelens-sarif-{}", std::process::id()));
    let names = names();
    assert_eq!(names.len(), 100);
    // The mistake has a letter of two UTF-16 units before it, a related place and a fix.
    let text = "@\"𝄞\" = global i32 0\ndefine i32 @f(i64 %x) {\n  %y = add i32 0, %x\n  ret i32 %z\n}\n@\"𝄞\" = global ptr @nowhere\n";
    for name in &names {
        let file = folder.join(name);
        fs::create_dir_all(file.parent().expect("a parent")).expect("a folder");
        fs::write(file, text).expect("a file");
    }
    let run = |format: &str, path: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_wavelens"))
            .args(["check", "--format", format, path, "missing.ll"])
            .current_dir(&folder)
            .output()
            .expect("the program starts");
        assert_eq!(output.status.code(), Some(2), "one file is missing");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let absolute = folder.to_str().expect("UTF-8");
    for (path, prefix) in [(".", String::new()), (absolute, format!("file://{absolute}/"))] {
        let log = run("sarif", path);
        let parsed: Value = serde_json::from_str(&log).expect("JSON");
        let run = &parsed["runs"][0];
        let results = run["results"].as_array().expect("results");
        let mut uris: Vec<&str> = results
            .iter()
            .filter_map(|r| r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str())
            .collect();
        uris.dedup();
        assert!(uris.iter().all(|uri| is_path(uri)), "{uris:#?}");
        let mut back: Vec<String> = uris
            .iter()
            .map(|uri| decoded(uri.strip_prefix(&prefix).unwrap_or("not below the folder")))
            .collect();
        let mut expected = names.clone();
        back.sort();
        expected.sort();
        assert_eq!(back, expected);
        let missing = &run["invocations"][0];
        assert_eq!(missing["executionSuccessful"], false);
        for result in results {
            let rule =
                &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().expect("an index") as usize];
            assert_eq!(rule["id"], result["ruleId"]);
            for field in ["shortDescription", "fullDescription", "help"] {
                assert!(rule[field]["text"].as_str().is_some_and(|t| !t.is_empty()), "{field}: {rule}");
            }
            assert!(rule["helpUri"].as_str().is_some_and(|u| u.starts_with("https://")), "{rule}");
        }
        let nowhere =
            results.iter().find(|r| r["message"]["text"].as_str().is_some_and(|m| m.contains("nowhere")));
        let region = &nowhere.expect("a finding")["locations"][0]["physicalLocation"]["region"];
        assert_eq!(region["startColumn"], 20, "columns count UTF-16 units: {region}");
        validate(&log);
    }
    annotations(&run("github", "."), &names);
    fs::remove_dir_all(folder).expect("the folder goes");
}

/// Asks Python's `jsonschema`.
fn validate(log: &str) {
    let Some(schema) = schema() else {
        eprintln!(
            "skipped: {CRATE} is not in cargo's registry (cargo fetch --manifest-path tests/grammar/Cargo.toml)"
        );
        return;
    };
    let file = std::env::temp_dir().join(format!("wavelens-sarif-{}.sarif", std::process::id()));
    fs::write(&file, log).expect("a file");
    let script = "import json, sys\ntry: import jsonschema\nexcept ImportError: sys.exit(77)\n\
                  schema, log = (json.load(open(p, encoding='utf-8')) for p in sys.argv[1:])\n\
                  errors = list(jsonschema.Draft7Validator(schema, format_checker=jsonschema.FormatChecker()).iter_errors(log))\n\
                  sys.exit('\\n'.join(f'{list(e.path)}: {e.message[:200]}' for e in errors[:9]) or 0)";
    let output = Command::new("python3").args(["-c", script]).arg(schema).arg(&file).output();
    let _ = fs::remove_file(&file);
    match output {
        Ok(output) if output.status.code() != Some(77) => {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        _ => eprintln!("skipped: Python's jsonschema is not installed"),
    }
}

/// Reads the commands as the runner does: properties between the first blank and `::`, unescaped.
fn annotations(output: &str, names: &[String]) {
    let unescaped = |text: &str| {
        let text = text.replace("%2C", ",").replace("%3A", ":");
        text.replace("%0A", "\n").replace("%0D", "\r").replace("%25", "%")
    };
    let mut files = Vec::new();
    for line in output.lines() {
        let (command, rest) = line.strip_prefix("::").and_then(|l| l.split_once(' ')).expect("a command");
        assert!(["error", "warning", "notice"].contains(&command), "{line}");
        let (properties, message) = rest.split_once("::").expect("a message");
        assert!(!message.is_empty(), "{line}");
        for property in properties.split(',') {
            let (key, value) = property.split_once('=').expect("key and value");
            match key {
                "file" => files.push(unescaped(value)),
                "line" | "endLine" | "col" | "endColumn" => assert!(value.parse::<u32>().is_ok(), "{line}"),
                _ => assert_eq!(key, "title", "{line}"),
            }
        }
    }
    files.dedup();
    files.sort();
    let mut expected = names.to_vec();
    expected.sort();
    assert_eq!(files, expected);
}
