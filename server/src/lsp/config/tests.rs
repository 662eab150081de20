use expect_test::expect;
use serde_json::json;

use super::*;

#[test]
fn both_spellings_are_understood_and_null_changes_nothing() {
    let mut config = Config::default();
    config.merge(&json!({ "diagnosticsDebounceMs": 0, "llvm.path": "/opt/llvm", "target": "gfx1100" }));
    config.merge(&json!({ "wavelens": { "llvm": { "version": 18 }, "target": null } }));
    config.merge(&Value::Null);
    assert_eq!(config.diagnostics_debounce, Duration::ZERO);
    assert_eq!(config.llvm.path, Some(PathBuf::from("/opt/llvm")));
    let target = config.options.fallback.target.map(|known| (known.value, known.origin));
    assert_eq!(target, Some(("gfx1100".to_owned(), Origin::Setting)));
    assert_eq!(config.options.llvm_level, Some(18));
}

#[test]
fn pipelines_are_filtered_like_those_of_files() {
    let mut config = Config::default();
    let mut passes = |passes: &str| {
        config.merge(&json!({ "isa.passes": passes }));
        (config.isa.passes.clone(), config.refused_passes.clone())
    };
    assert_eq!(passes(" default<O2>, function(sroa) "), ("default<O2>,function(sroa)".to_owned(), None));
    for refused in ["print-dot-cfg", "sroa,dot-cfg", "sroa|llc", "sroa'"] {
        assert_eq!(passes(refused), (String::new(), Some(refused.to_owned())));
    }
    assert_eq!(passes(""), (String::new(), None));
}

#[test]
fn hints_are_switched_together_and_one_by_one() {
    let mut config = Config::default();
    config.merge(&json!({ "inlayHints": false }));
    assert_eq!(config.hints, Hints::NONE);
    config.merge(&json!({ "wavelens": { "inlayHints": { "isa": true } } }));
    assert_eq!(config.hints, Hints { isa: true, ..Hints::NONE });
}

#[test]
fn what_is_not_a_setting_is_reported() {
    let complaints = |value: Value| complaints(&value);
    expect![[r#"
            [
                "setting `isa.optLevel`: expected a number from 0 to 3, found `\"fast\"`",
                "setting `hover.tables`: expected `\"auto\"`, `\"markdown\"` or `\"text\"`, found `\"html\"`",
                "setting `inlayHints.types`: expected `true` or `false`, found `\"off\"`",
                "unknown setting `inlayHints.typs`; did you mean `inlayHints.types`?",
                "unknown setting `isa.optlevel`; did you mean `isa.optLevel`?",
                "unknown setting `nonsense`",
            ]
        "#]]
    .assert_debug_eq(&complaints(json!({ "wavelens": {
        "isa": { "optLevel": "fast", "optlevel": 3, "columns": ["line"] },
        "hover.tables": "html",
        "inlayHints": { "types": "off", "typs": true },
        "nonsense": { "a": 1 },
    } })));
    let old =
        json!({ "disabledRules": ["a"], "llvm": { "version": 19 }, "severity": { "b": "off", "c": "info" } });
    assert_eq!(complaints(old.clone()), [] as [String; 0]);
    let mut config = Config::default();
    config.merge(&old);
    assert_eq!((config.options.llvm_level, config.options.severities.len()), (Some(19), 1));
    let good = json!({ "isa.optLevel": 3, "defines": { "WAVE": 32 }, "target": null, "inlayHints": false, "diagnostics": "pull" });
    assert_eq!(complaints(good), [] as [String; 0]);
    assert_eq!(complaints(Value::Null), [] as [String; 0]);
}

/// The settings that VS Code shows are those that are read here, with the same defaults.
#[test]
fn the_settings_of_vs_code_are_these() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../editors/vscode/package.json");
    let text =
        std::fs::read_to_string(path).expect("the folder of the extension is next to that of the server");
    let package: Value = serde_json::from_str(&text).expect("it is JSON");
    let groups = package["contributes"]["configuration"].as_array().expect("groups of settings");
    let shown: serde_json::Map<String, Value> = groups
        .iter()
        .filter_map(|group| group["properties"].as_object())
        .flat_map(|settings| settings.clone())
        .collect();
    let mut names: Vec<&str> = shown.keys().filter_map(|k| k.strip_prefix("wavelens.")).collect();
    names.retain(|n| !OF_EDITORS.contains(n));
    names.sort_unstable();
    // One switch for all hints is the editor's.
    let mut read: Vec<&str> =
        SETTINGS.iter().map(|(name, ..)| *name).filter(|n| *n != "inlayHints").collect();
    read.sort_unstable();
    assert_eq!(names, read);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/editors.md");
    let page = std::fs::read_to_string(path).expect("the page about editors is there");
    for name in &names {
        assert!(page.contains(&format!("| `{name}` |")), "docs/editors.md does not describe {name}");
    }
    let mut config = Config::default();
    for name in names {
        config.merge(&json!({ name: shown[&format!("wavelens.{name}")]["default"] }));
        assert_eq!(config, Config::default(), "the default of {name} differs");
    }
}
