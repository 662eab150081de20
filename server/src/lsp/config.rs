//! Settings, from `initializationOptions` and from the client's configuration below `wavelens`.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;
use wavelens_analysis::Options;
use wavelens_analysis::codegen::Settings;

/// What the user can set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// Quiet time after an edit before its findings are computed; zero is at once.
    pub diagnostics_debounce: Duration,
    pub options: Options,
    pub llvm: LlvmTools,
    pub inlay_hints: bool,
    /// How machine code is generated.
    pub isa: Settings,
}

/// Where outside compilers are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LlvmTools {
    /// A folder with `llc`, or `llc` itself.
    pub path: Option<PathBuf>,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            diagnostics_debounce: Duration::from_millis(40),
            options: Options::default(),
            llvm: LlvmTools::default(),
            inlay_hints: true,
            isa: Settings::default(),
        }
    }
}

impl Config {
    /// Takes over the settings that `value` names; `null` and values of a wrong type change nothing.
    pub(super) fn merge(&mut self, value: &Value) {
        let value = value.get("wavelens").filter(|v| v.is_object()).unwrap_or(value);
        let get = |path: &str| {
            let nested = path.split('.').try_fold(value, |v, key| v.get(key));
            nested.or_else(|| value.get(path)).filter(|v| !v.is_null())
        };
        let text = |path: &str| get(path).and_then(Value::as_str).map(|s| s.trim().to_owned());
        if let Some(ms) = get("diagnosticsDebounceMs").and_then(Value::as_u64) {
            self.diagnostics_debounce = Duration::from_millis(ms.min(10_000));
        }
        if let Some(level) = get("isa.optLevel").and_then(Value::as_u64) {
            self.isa.opt_level = level.min(3) as u8;
        }
        if let Some(passes) = text("isa.passes") {
            self.isa.passes = passes;
        }
        if let Some(target) = text("target") {
            self.options.target = Some(target).filter(|t| !t.is_empty());
        }
        if let Some(env) = text("targetEnv") {
            self.options.target_env = Some(env).filter(|t| !t.is_empty());
        }
        if let Some(path) = text("llvm.path") {
            self.llvm.path = Some(PathBuf::from(path)).filter(|p| !p.as_os_str().is_empty());
        }
        if let Some(level) = get("llvm.version").and_then(Value::as_u64) {
            self.options.llvm_level = u8::try_from(level).ok().filter(|l| *l > 0);
        }
        if let Some(defines) = get("defines").and_then(Value::as_object) {
            let spelled = |v: &Value| v.as_str().map_or_else(|| v.to_string(), str::to_owned);
            self.options.defines = defines.iter().map(|(k, v)| (k.clone(), spelled(v))).collect();
        }
        if let Some(codes) = get("disabledRules").and_then(Value::as_array) {
            self.options.disabled = codes.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        }
        if let Some(on) = get("inlayHints").and_then(Value::as_bool) {
            self.inlay_hints = on;
        }
    }
}

#[cfg(test)]
mod tests {
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
        assert_eq!(config.options.target.as_deref(), Some("gfx1100"));
        assert_eq!(config.options.llvm_level, Some(18));
    }
}
