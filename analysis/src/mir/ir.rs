//! The names that machine functions use of the embedded IR module: functions, their values and blocks, globals, metadata.
//!
//! Read line by line from the text, as LLVM prints it: only names and a few words are wanted here, and they must be known also
//! where the IR around them has errors.

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

/// What a `%` name of an IR function is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Local {
    Value,
    Alloca,
    Block,
}

/// A function of the IR module.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct IrFunction {
    pub is_definition: bool,
    /// Names without `%`; unnamed values as `%3`, unnamed blocks as their number.
    pub locals: FxHashMap<SmolStr, Local>,
    /// `amdgpu_kernel` and the like.
    pub convention: SmolStr,
    /// `"target-cpu"` written at the function.
    pub cpu: Option<SmolStr>,
    /// Numbers of attribute groups.
    pub groups: Vec<u32>,
    pub has_subprogram: bool,
    /// Blocks whose address a `blockaddress` takes are not known per function; whether any does.
    pub has_address_taken: bool,
}

/// What kind of metadata node a number names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Metadata {
    Location,
    Variable,
    Expression,
    Scope,
    Other,
}

/// Names of one chunk of the module.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct IrNames {
    pub functions: Vec<(SmolStr, IrFunction)>,
    pub globals: FxHashSet<SmolStr>,
    pub metadata: FxHashMap<u32, Metadata>,
    /// `"target-cpu"` of attribute groups.
    pub group_cpus: FxHashMap<u32, SmolStr>,
    pub triple: Option<SmolStr>,
    pub data_layout: Option<SmolStr>,
    /// Unnamed globals and functions, in order, count.
    pub unnamed_globals: u32,
    pub takes_block_addresses: bool,
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'$')
}

/// The name at the start of a text, quoted or plain, and the rest.
fn name(text: &str) -> (String, &str) {
    if let Some(rest) = text.strip_prefix('"') {
        let end = rest.find('"').unwrap_or(rest.len());
        let quoted = rest.get(..end).unwrap_or("");
        return (super::lower::bare(&format!("\"{quoted}\""), ""), rest.get(end + 1..).unwrap_or(""));
    }
    let end = text.bytes().position(|b| !is_name(b)).unwrap_or(text.len());
    (text.get(..end).unwrap_or("").to_owned(), text.get(end..).unwrap_or(""))
}

/// The value behind `key` and an equals sign, quoted.
fn quoted_after<'t>(line: &'t str, key: &str) -> Option<&'t str> {
    let rest = line.split_once(key)?.1.trim_start().strip_prefix('=')?.trim_start().strip_prefix('"')?;
    rest.split('"').next()
}

/// A value's key: its name, or `%3`.
fn local_key(name: &str) -> SmolStr {
    if name.bytes().all(|b| b.is_ascii_digit()) { format!("%{name}").into() } else { name.into() }
}

/// Reads the names of a chunk.
pub fn names(text: &str) -> IrNames {
    let mut names = IrNames::default();
    let mut open: Option<(SmolStr, IrFunction, bool)> = None;
    for raw in text.lines() {
        let line = raw.trim();
        if line.is_empty() || line.starts_with(';') {
            continue;
        }
        names.takes_block_addresses |= line.contains("blockaddress(");
        if let Some((_, function, entry_seen)) = &mut open {
            if line == "}" {
                names.functions.extend(open.take().map(|(n, f, _)| (n, f)));
                continue;
            }
            body_line(line, function, entry_seen);
            continue;
        }
        top_level(line, &mut names, &mut open);
    }
    names.functions.extend(open.take().map(|(n, f, _)| (n, f)));
    names
}

fn top_level(line: &str, names: &mut IrNames, open: &mut Option<(SmolStr, IrFunction, bool)>) {
    if let Some(rest) = line.strip_prefix('@') {
        let (global, _) = name(rest);
        if global.bytes().all(|b| b.is_ascii_digit()) {
            names.globals.insert(format!("@{global}").into());
        } else {
            names.globals.insert(global.into());
        }
        return;
    }
    if line.starts_with('!') {
        let number = line.get(1..).and_then(|l| l.split_once(" = "));
        if let Some((number, value)) = number.and_then(|(n, v)| Some((n.trim().parse::<u32>().ok()?, v))) {
            let value = value.trim_start().trim_start_matches("distinct ");
            let kind = match value.split('(').next().unwrap_or("") {
                "!DILocation" => Metadata::Location,
                "!DILocalVariable" => Metadata::Variable,
                "!DIExpression" => Metadata::Expression,
                "!DISubprogram"
                | "!DILexicalBlock"
                | "!DILexicalBlockFile"
                | "!DIFile"
                | "!DICompileUnit"
                | "!DINamespace"
                | "!DIModule"
                | "!DICompositeType"
                | "!DICommonBlock"
                | "!DIBasicType"
                | "!DIDerivedType"
                | "!DISubroutineType" => Metadata::Scope,
                _ => Metadata::Other,
            };
            names.metadata.insert(number, kind);
        }
        return;
    }
    if line.starts_with("target triple") {
        names.triple = quoted_after(line, "triple").map(SmolStr::from);
    } else if line.starts_with("target datalayout") {
        names.data_layout = quoted_after(line, "datalayout").map(SmolStr::from);
    } else if let Some(rest) = line.strip_prefix("attributes #") {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if let (Ok(number), Some(cpu)) =
            (rest.get(..digits).unwrap_or("").parse(), quoted_after(line, "\"target-cpu\""))
        {
            names.group_cpus.insert(number, cpu.into());
        }
    } else if line.starts_with("define") || line.starts_with("declare") {
        let Some(at) = line.find('@') else { return };
        let (function, rest) = name(line.get(at + 1..).unwrap_or(""));
        let key: SmolStr = if function.bytes().all(|b| b.is_ascii_digit()) && !function.is_empty() {
            format!("@{function}").into()
        } else {
            function.into()
        };
        names.globals.insert(key.clone());
        let mut info = IrFunction { is_definition: line.starts_with("define"), ..IrFunction::default() };
        let head = line.get(..at).unwrap_or("");
        info.convention = head.split_whitespace().find(|w| w.starts_with("amdgpu_")).unwrap_or("").into();
        info.cpu = quoted_after(rest, "\"target-cpu\"").map(SmolStr::from);
        info.has_subprogram = rest.contains("!dbg ");
        for piece in rest.split('#').skip(1) {
            let digits = piece.bytes().take_while(u8::is_ascii_digit).count();
            info.groups.extend(piece.get(..digits).and_then(|d| d.parse::<u32>().ok()));
        }
        if !info.is_definition {
            names.functions.push((key, info));
            return;
        }
        for argument in rest.split('%').skip(1) {
            let (argument, _) = name(argument);
            info.locals.insert(local_key(&argument), Local::Value);
        }
        if line.ends_with('}') {
            names.functions.push((key, info));
        } else {
            *open = Some((key, info, false));
        }
    }
}

/// Whether a line ends a block. `invoke` and `switch` end it on their last lines.
fn ends_block(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or("");
    match word {
        "br" | "ret" | "unreachable" | "resume" | "indirectbr" | "cleanupret" | "catchret" | "]" => true,
        "switch" => line.contains(']'),
        "to" => line.contains(" unwind label "),
        _ => line.contains(" = catchswitch "),
    }
}

fn body_line(line: &str, function: &mut IrFunction, entry_seen: &mut bool) {
    let was_open = *entry_seen;
    block_line(line, function, entry_seen);
    if was_open || *entry_seen {
        *entry_seen = !ends_block(line);
    }
}

fn block_line(line: &str, function: &mut IrFunction, entry_seen: &mut bool) {
    if let Some(rest) = line.strip_prefix('%') {
        entry(function, entry_seen);
        let (value, rest) = name(rest);
        let is_alloca =
            rest.trim_start().strip_prefix('=').is_some_and(|r| r.trim_start().starts_with("alloca"));
        function.locals.insert(local_key(&value), if is_alloca { Local::Alloca } else { Local::Value });
        return;
    }
    let (label, rest) = name(line);
    if rest.starts_with(':') && !label.is_empty() {
        *entry_seen = true;
        function.locals.insert(label.into(), Local::Block);
        return;
    }
    entry(function, entry_seen);
}

/// A block without a label takes the next number of the unnamed values.
fn entry(function: &mut IrFunction, entry_seen: &mut bool) {
    if !*entry_seen {
        *entry_seen = true;
        let unnamed = |k: &SmolStr| {
            k.starts_with('%')
                || (k.starts_with(|c: char| c.is_ascii_digit())
                    && function.locals.get(k) == Some(&Local::Block))
        };
        let number = function.locals.keys().filter(|k| unnamed(k)).count();
        function.locals.insert(number.to_string().into(), Local::Block);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_module() {
        let n = names(
            "  target triple = \"amdgcn\"\n  @g = global i32 0\n  define amdgpu_kernel void @k(ptr %p, i32 %0) #1 !dbg !3 {\n    %1 = alloca i32\n  b:\n    %x = add i32 %0, 1\n  }\n  attributes #1 = { \"target-cpu\"=\"gfx900\" }\n  !3 = distinct !DISubprogram(name: \"k\")\n",
        );
        assert_eq!(n.triple.as_deref(), Some("amdgcn"));
        assert!(n.globals.contains("g") && n.globals.contains("k"));
        let (name, f) = &n.functions[0];
        assert_eq!(
            (name.as_str(), f.convention.as_str(), f.groups.as_slice()),
            ("k", "amdgpu_kernel", &[1][..])
        );
        assert_eq!(f.locals.get("%1"), Some(&Local::Alloca));
        assert_eq!(f.locals.get("1"), Some(&Local::Block));
        assert_eq!(f.locals.get("b"), Some(&Local::Block));
        assert_eq!(n.group_cpus.get(&1).map(|s| s.as_str()), Some("gfx900"));
        assert_eq!(n.metadata.get(&3), Some(&Metadata::Scope));
    }
}
