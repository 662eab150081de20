//! The functions of the libraries for other languages: a JSON object in, a JSON value out.
//!
//! | function | object | value |
//! |---|---|---|
//! | `check` | `text`, `name`, `dialect`, `target`, `targetEnv`, `llvmLevel`, `pedantic`, `disabled` | as a line of `wavelens check --format json` |
//! | `format` | `text`, `name`, `dialect`, `spirvLayout` | `text` |
//! | `hover` | as `check`, `line`, `column` | `markdown` and a range, or null |
//! | `encode` | as `check` | `lines` as `wavelens encode --format json` prints them, `refused` |
//! | `disassemble` | `hex` or the bytes of a text in `text`, `rawId` | `text`, `dialect` |
//! | `controlFlow` | as `check`, `function` | `functions`, `svg` |
//! | `explain` | `code` | the rules with this code |
//!
//! Lines and columns count from 1, columns in bytes; `utf16_column` counts as JavaScript does.

use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, json};
use wavelens_base::{Dialect, Options, Severity, TextEdit, TextSize};
use wavelens_check::disassemble::{IdStyle, binary_dialect, disassemble};
use wavelens_check::{check_text, dialect, encode};
use wavelens_ide::db::{Database, View};
use wavelens_ide::features::{self, Flow, format_text};
use wavelens_ide::formatting::{SpirvLayout, Style};
use wavelens_ide::{Document, markdown};

use crate::LineIndex;
use crate::checked::{Checked, object};
use crate::picture::{self, Block};
use crate::rule_page::url;
use crate::source::Source;

/// What a function is asked. Unknown fields are mistakes.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
struct Question {
    text: String,
    /// File name: its ending tells the dialect.
    name: String,
    dialect: Option<String>,
    target: Option<String>,
    target_env: Option<String>,
    llvm_level: Option<u8>,
    pedantic: bool,
    /// Codes that are not reported.
    disabled: Vec<String>,
    line: u32,
    column: u32,
    spirv_layout: Option<String>,
    hex: Option<String>,
    raw_id: bool,
    function: Option<String>,
    code: String,
}

/// Calls a function.
///
/// # Errors
/// A sentence for the user: what is wrong with the question, or why it has no answer.
pub fn call(function: &str, question: &str) -> Result<Value, String> {
    let question: Question = serde_json::from_str(question).map_err(|error| error.to_string())?;
    match function {
        "check" => question.check(),
        "format" => question.format(),
        "hover" => question.hover(),
        "encode" => question.encode(),
        "disassemble" => question.disassemble(),
        "controlFlow" => question.control_flow(),
        "explain" => question.explain(),
        _ => Err(format!("unknown function `{function}`")),
    }
}

impl Question {
    fn dialect(&self) -> Result<Dialect, String> {
        if let Some(name) = &self.dialect {
            return name.parse().map_err(|_| {
                format!("unknown dialect `{name}`; expected `llvm`, `mir`, `spirv` or `amdgpu`")
            });
        }
        let found = Dialect::from_file_name(&self.name).or_else(|| Dialect::from_content(&self.text));
        found.ok_or_else(|| {
            "cannot tell the dialect from name or content; use `dialect` (llvm, mir, spirv or amdgpu)"
                .to_owned()
        })
    }

    fn options(&self) -> Result<Options, String> {
        let options = Options {
            target: self.target.clone(),
            target_env: self.target_env.clone(),
            llvm_level: self.llvm_level,
            pedantic: self.pedantic,
            follow_on: true,
            disabled: self.disabled.clone(),
            ..Options::default()
        };
        match options.complaints().into_iter().next() {
            Some(complaint) => Err(complaint),
            None => Ok(options),
        }
    }

    fn check(self) -> Result<Value, String> {
        let (dialect, options) = (self.dialect()?, self.options()?);
        let findings = check_text(dialect, &self.text, &options);
        let source = Source { dialect, text: self.text, is_exact: true };
        let checked = Checked::new(Path::new(&self.name), source, findings, &options);
        serde_json::to_value(object(&checked, None)).map_err(|error| error.to_string())
    }

    fn format(self) -> Result<Value, String> {
        let layout = self.spirv_layout.as_deref().map(SpirvLayout::from_name);
        let style = match layout {
            None => Style::default(),
            Some(Some(spirv)) => Style { spirv },
            Some(None) => return Err("`spirvLayout` must be `aligned`, `nested` or `plain`".to_owned()),
        };
        let edits = format_text(self.dialect()?, &self.text, style);
        let text = TextEdit::apply_all(&self.text, &edits);
        text.map(|text| json!({ "text": text })).ok_or_else(|| "the edits overlap".to_owned())
    }

    fn hover(self) -> Result<Value, String> {
        let mut db = Database::default();
        let document = Document::new(&mut db, self.dialect()?, &self.text, self.options()?);
        let index = LineIndex::new(&self.text);
        let line = self.line.checked_sub(1).and_then(|line| index.line_start(line));
        let start = line.ok_or_else(|| format!("line {} does not exist", self.line))?;
        let offset = start + TextSize::new(self.column.saturating_sub(1));
        let view = View::new(&db, document.file());
        let Some(hover) = features::hover(view, offset).filter(|_| usize::from(offset) <= self.text.len())
        else {
            return Ok(Value::Null);
        };
        let place = |offset| {
            let (line, column) = index.position(offset);
            (line + 1, column + 1)
        };
        let ((line, column), (end_line, end_column)) = (place(hover.range.start()), place(hover.range.end()));
        Ok(json!({
            "markdown": hover.markdown,
            "line": line, "column": column, "end_line": end_line, "end_column": end_column,
        }))
    }

    fn encode(self) -> Result<Value, String> {
        let dialect = self.dialect()?;
        let encoding = encode::encode(dialect, &self.text, &self.options()?)
            .ok_or_else(|| format!("only spirv and amdgpu are encoded, not {dialect}"))?;
        let index = LineIndex::new(&self.text);
        let lines = encoding.lines.iter().map(|line| {
            json!({
                "line": line.range.map_or(0, |range| index.position(range.start()).0 + 1),
                "offset": line.offset,
                "bytes": encode::hexadecimal(&line.bytes),
                "text": line.text,
            })
        });
        Ok(json!({ "lines": lines.collect::<Vec<_>>(), "refused": encoding.is_refused }))
    }

    fn disassemble(self) -> Result<Value, String> {
        let hex = self.hex.ok_or("`hex` is missing: the bytes, two digits each")?;
        let digits: Vec<u8> = hex.bytes().filter(|b| !b.is_ascii_whitespace()).collect();
        let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        let bytes: Option<Vec<u8>> =
            digits.chunks(2).map(|pair| byte(pair).filter(|_| pair.len() == 2)).collect();
        let bytes = bytes.ok_or("`hex` must have two hexadecimal digits for each byte")?;
        let style = if self.raw_id { IdStyle::Raw } else { IdStyle::Friendly };
        let text = disassemble(&bytes, style)?;
        Ok(json!({ "text": text, "dialect": binary_dialect(&bytes).map(Dialect::name) }))
    }

    fn control_flow(self) -> Result<Value, String> {
        let mut db = Database::default();
        let document = Document::new(&mut db, self.dialect()?, &self.text, self.options()?);
        let mut flows = features::flows(View::new(&db, document.file()));
        let functions: Vec<String> = flows.iter().map(|flow| flow.function.clone()).collect();
        if let Some(name) = &self.function {
            flows.retain(|flow| flow.function == *name);
        }
        let index = LineIndex::new(&self.text);
        let block = |flow: &Flow, node: usize| {
            let range = flow.nodes.get(node).map(|n| n.range).unwrap_or_default();
            let text = self.text.get(std::ops::Range::<usize>::from(range)).unwrap_or_default().to_owned();
            Block { line: index.position(range.start()).0, text }
        };
        let graphs: Vec<_> = flows.iter().map(|flow| picture::drawable(flow, 0)).collect();
        Ok(json!({ "functions": functions, "svg": picture::svg(&graphs, block)? }))
    }

    fn explain(self) -> Result<Value, String> {
        let own = Dialect::ALL.into_iter().flat_map(|d| dialect::rules(d).iter().map(move |r| (Some(d), *r)));
        let all = own.chain(dialect::test_rules().map(|rule| (None, rule)));
        let rules: Vec<Value> = all
            .filter(|(_, rule)| rule.code == self.code)
            .map(|(dialect, rule)| {
                json!({
                    "code": rule.code,
                    "dialect": dialect.map(Dialect::name),
                    "severity": severity(rule.severity),
                    "title": rule.title,
                    "explain": markdown::safe(rule.explain.trim()),
                    "example": rule.example,
                    "fixed": rule.fixed,
                    "source": rule.source,
                    "page": url(rule),
                })
            })
            .collect();
        if rules.is_empty() { Err(format!("unknown code `{}`", self.code)) } else { Ok(rules.into()) }
    }
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
        Severity::Hint => "hint",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(function: &str, question: Value) -> Value {
        call(function, &question.to_string()).expect("an answer")
    }

    const MODULE: &str = "define i32 @f(i32 %a) {\n  ret i32 %b\n}\n";

    #[test]
    fn a_text_is_checked_as_on_the_command_line() {
        let found = answer("check", json!({ "text": MODULE, "name": "a.ll" }));
        assert_eq!((&found["file"], &found["dialect"]), (&json!("a.ll"), &json!("llvm")));
        assert_eq!(found["diagnostics"][0]["code"], "undefined-value");
        assert_eq!(found["diagnostics"][0]["line"], 2);
        let off = json!({ "text": MODULE, "disabled": ["undefined-value"] });
        assert_eq!(answer("check", off)["diagnostics"], json!([]));
    }

    #[test]
    fn a_text_is_formatted() {
        let text = answer("format", json!({ "text": "define void @f() {\nret void\n}\n" }));
        assert_eq!(text, json!({ "text": "define void @f() {\n  ret void\n}\n" }));
    }

    #[test]
    fn a_value_has_a_hover_and_white_space_has_none() {
        let hover = |line, column| answer("hover", json!({ "text": MODULE, "line": line, "column": column }));
        assert!(hover(1, 20)["markdown"].as_str().is_some_and(|m| m.contains("%a")), "{}", hover(1, 20));
        assert_eq!(hover(2, 1), Value::Null);
        let missing = json!({ "text": MODULE, "line": 9, "column": 1 }).to_string();
        assert_eq!(call("hover", &missing), Err("line 9 does not exist".to_owned()));
    }

    #[test]
    fn assembly_is_encoded() {
        let encoded =
            answer("encode", json!({ "text": "s_endpgm\n", "dialect": "amdgpu", "target": "gfx1100" }));
        assert_eq!(encoded["lines"][0]["bytes"], "0000b0bf");
        assert_eq!(encoded["refused"], false);
    }

    #[test]
    fn a_binary_is_disassembled() {
        let encoded = answer(
            "encode",
            json!({ "text": "OpCapability Shader\nOpMemoryModel Logical GLSL450\n", "dialect": "spirv" }),
        );
        let lines = encoded["lines"].as_array().cloned().unwrap_or_default();
        let hex: String = lines.iter().filter_map(|line| line["bytes"].as_str()).collect();
        let text = answer("disassemble", json!({ "hex": hex }));
        assert!(text["text"].as_str().is_some_and(|t| t.contains("OpCapability Shader")), "{text}");
        let odd = json!({ "hex": "030" }).to_string();
        assert!(call("disassemble", &odd).is_err());
    }

    #[test]
    fn control_flow_is_drawn() {
        let drawn = answer("controlFlow", json!({ "text": MODULE.replace("%b", "%a") }));
        assert_eq!(drawn["functions"], json!(["@f"]));
        assert!(drawn["svg"].as_str().is_some_and(|svg| svg.contains("<svg")));
    }

    #[test]
    fn a_code_is_explained_and_mistakes_are_reported() {
        let rules = answer("explain", json!({ "code": "undefined-value" }));
        assert!(rules.as_array().is_some_and(|rules| !rules.is_empty()));
        assert_eq!(call("explain", r#"{"code":"x"}"#), Err("unknown code `x`".to_owned()));
        assert_eq!(call("x", "{}"), Err("unknown function `x`".to_owned()));
        assert!(call("check", r#"{"txt":""}"#).is_err());
        assert!(call("check", r#"{"text":"","dialect":"c"}"#).is_err());
    }
}
