//! Completion in AMDGPU assembly.

use rustc_hash::FxHashSet;
use wavelens_isa::{NamedValue, RegisterSet, Slot, SourceModifiers, Takes, Target};
use wavelens_semantics::amdgpu::assembler::kernel_descriptor::directive_names;
use wavelens_semantics::amdgpu::assembler::metadata::values_of_key;
use wavelens_semantics::amdgpu::statement::statement_at;
use wavelens_semantics::dialect::Lowered;
use wavelens_semantics::{TextRange, TextSize};
use wavelens_syntax::amdgpu::AmdgpuKind::*;

use super::{Cx, common, directive_help, operand_help as help, queries::whole_file};
use crate::amdgpu::words::{Word, words};
use crate::answers::{Completion, CompletionKind};

/// Everything that is valid at the cursor; the driver keeps what fits the typed characters, and sorts.
pub fn complete(cx: &Cx<'_>, at: TextSize) -> Vec<Completion> {
    let before = cx.text.get(..usize::from(at)).unwrap_or("");
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$');
    let line_start = before.rfind('\n').map_or(0, |n| n + 1);
    let typed = register_start(before).unwrap_or(before.trim_end_matches(is_word).len());
    let after = cx.text.get(usize::from(at)..).unwrap_or("");
    let rest = after.find(|c| !is_word(c)).unwrap_or(after.len());
    let range = TextRange::new(TextSize::new(typed as u32), at + TextSize::new(rest as u32));
    let line = before.get(line_start..typed).unwrap_or("");
    let statement =
        line.rsplit_once(':').map_or(line, |(label, rest)| if is_one_word(label) { rest } else { line });
    let lexed = &cx.lowered.lexed;
    if lexed.kind(lexed.at_offset(at)) == COMMENT && line.contains([';', '#']) || line.contains("//") {
        return Vec::new();
    }
    let mut list = List { cx, range, at, items: Vec::new(), seen: FxHashSet::default() };
    let first = statement.split_whitespace().next().unwrap_or("");
    if in_metadata(before) {
        list.metadata(line);
    } else if line.ends_with('\\') {
        list.parameters(before);
    } else if statement.trim().is_empty() {
        list.statements();
    } else if first.starts_with('.') {
        list.directive(first);
    } else {
        list.operand(statement, at);
    }
    list.items
}

const METADATA_END: &str = ".end_amdgpu_metadata";

/// Whether a text may be a label.
fn is_one_word(text: &str) -> bool {
    !text.trim().contains(char::is_whitespace)
}

/// Where a register with brackets starts that the cursor is in: `v[2:`.
fn register_start(before: &str) -> Option<usize> {
    let inside = before.trim_end_matches(|c: char| c.is_ascii_digit() || c == ':');
    let file = inside.strip_suffix('[')?;
    let start = file.trim_end_matches(|c: char| c.is_ascii_alphabetic()).len();
    matches!(file.get(start..)?, "v" | "s" | "a" | "acc" | "ttmp").then_some(start)
}

fn in_metadata(before: &str) -> bool {
    let begin = before.rfind(".amdgpu_metadata\n");
    begin.is_some_and(|begin| {
        !before.get(..begin).is_some_and(|b| b.ends_with(".end"))
            && !before.get(begin..).is_some_and(|b| b.contains(".end_amdgpu_metadata"))
    })
}

/// Suggestions for one place.
struct List<'c, 'db> {
    cx: &'c Cx<'db>,
    /// What is replaced.
    range: TextRange,
    /// The cursor.
    at: TextSize,
    items: Vec<Completion>,
    seen: FxHashSet<String>,
}

impl List<'_, '_> {
    fn push(&mut self, item: Completion) {
        if self.seen.insert(item.label.clone()) {
            self.items.push(item);
        }
    }

    fn add(&mut self, kind: CompletionKind, label: &str, rank: u8) {
        self.push(Completion::new(kind, self.range, label).rank(rank));
    }

    fn documented(&mut self, kind: CompletionKind, label: &str, rank: u8, text: &str) {
        self.push(Completion::new(kind, self.range, label).rank(rank).documentation(text));
    }

    /// The target, or else one that has the most instructions around: files for several processors leave it to the command line.
    fn target(&self) -> Option<Target> {
        let known = self.cx.scope.settings.target.or_else(|| whole_file(self.cx)?.target);
        known.or_else(|| likely_target(self.cx.text.get(..usize::from(self.range.start()))?))
    }

    /// The parameters of the macro that the cursor is in.
    fn parameters(&mut self, before: &str) {
        let Some(start) = before.rfind(".macro").filter(|at| !before[*at..].contains(".endm")) else {
            return;
        };
        let line = before[start..].lines().next().unwrap_or("");
        let is_word = |c: char| c.is_ascii_alphanumeric() || "_$.".contains(c);
        // After the directive and the macro's name; a default or `req` follows its parameter.
        let parts = line.split([',', ' ', '\t']).filter(|part| !part.is_empty()).skip(2);
        let names = parts.map(|part| part.split(|c| !is_word(c)).next().unwrap_or(""));
        names.filter(|name| !name.is_empty()).for_each(|name| self.add(CompletionKind::Variable, name, 10));
    }

    /// Keys of metadata, or the values of a key.
    fn metadata(&mut self, line: &str) {
        // Several keys of a list in braces may be on a line.
        let entry = line.rsplit(['{', ',']).next().unwrap_or(line);
        let Some((key, _)) = entry.split_once(':') else {
            let end = directive_help::directive(METADATA_END).unwrap_or_default();
            // Keys are indented.
            let rank = if line.trim().is_empty() && !line.starts_with("  ") { 0 } else { 60 };
            self.documented(CompletionKind::Keyword, METADATA_END, rank, &end);
            let keys = directive_help::keys();
            return keys.for_each(|(key, text)| self.documented(CompletionKind::Attribute, key, 30, text));
        };
        let key = key.trim_matches([' ', '\t', '-']);
        let values = values_of_key(key);
        // Arguments are in the order of the list.
        let last = self.last_value(key).and_then(|last| values.iter().position(|value| *value == last));
        let next = last.map_or(0, |last| last + 1);
        for (at, value) in values.iter().enumerate() {
            let rank = at.checked_sub(next).map_or(60, |after| 10 + after.min(40) as u8);
            self.add(CompletionKind::Constant, value, rank);
        }
        if matches!(key, ".name" | ".symbol") {
            self.symbols(40, true);
        }
    }

    /// The value that a key of metadata has in the last line before the cursor that has the key.
    fn last_value(&self, key: &str) -> Option<&str> {
        let before = self.cx.text.get(..usize::from(self.range.start()))?;
        let lines = before.lines().rev().skip(1).take(64);
        let mut entries = lines.flat_map(|line| line.split(['{', ',']));
        entries.find_map(|entry| {
            let (name, value) = entry.split_once(':')?;
            (name.trim_matches([' ', '\t', '-']) == key).then(|| value.trim_matches([' ', '}']))
        })
    }

    /// The settings of a kernel that are not yet written before the cursor, in their usual order; `None` outside of a descriptor.
    fn kernel_settings(&self) -> Option<Vec<(u8, String)>> {
        let before = self.cx.text.get(..usize::from(self.range.start()))?;
        let begin = before.rfind(".amdhsa_kernel ")?;
        let written = before.get(begin..).filter(|text| !text.contains(".end_amdhsa_kernel"))?;
        let has = |name: &String| written.lines().any(|line| line.split_whitespace().next() == Some(name));
        let all: Vec<String> = directive_names().collect();
        let next = all.iter().rposition(has).map_or(0, |last| last + 1);
        let rank = |at: usize, name: &String| match at.checked_sub(next) {
            _ if has(name) => 75,
            Some(after) => 5 + after.min(40) as u8,
            None => 50,
        };
        Some(all.iter().enumerate().map(|(at, name)| (rank(at, name), name.clone())).collect())
    }

    /// Mnemonics, directives and macros.
    fn statements(&mut self) {
        let names = directive_help::names().map(|name| (60 - common::lead(name), name.to_owned()));
        let settings = self.kernel_settings();
        let settings = settings.unwrap_or_else(|| directive_names().map(|name| (70, name)).collect());
        for (rank, name) in names.chain(settings) {
            let text = directive_help::directive(&name).unwrap_or_default();
            self.documented(CompletionKind::Keyword, &name, rank, &text);
        }
        let macros: Vec<&str> = self.cx.scope.macro_names().collect();
        macros.into_iter().for_each(|m| self.add(CompletionKind::Function, m, 20));
        let Some(target) = self.target() else { return };
        let typed = self.cx.slice(TextRange::new(self.range.start(), self.at)).to_ascii_lowercase();
        let fits = |name: &str| typed.chars().all(|c| name.contains(c));
        for mnemonic in mnemonics(target).iter().filter(|mnemonic| fits(&mnemonic.name)) {
            let name = mnemonic.name.clone();
            let (_, suffix) = wavelens_isa::split_mnemonic(&name);
            let rank = match mnemonic.is_own {
                true => 50 - common::lead(&name) + 2 * u8::from(!suffix.is_empty()),
                false => 58,
            };
            let item = Completion::new(CompletionKind::Opcode, self.range, name);
            self.push(item.rank(rank).documentation(mnemonic.text.clone()));
        }
    }

    /// After a directive: its values, or symbols.
    fn directive(&mut self, name: &str) {
        if name.starts_with(".amdhsa_") && name != ".amdhsa_kernel" {
            let text = directive_help::directive(name).unwrap_or_default();
            let values = if text.contains("0 or 1") {
                2
            } else if text.contains("0 to 3") {
                4
            } else {
                0
            };
            (0..values).for_each(|v| self.documented(CompletionKind::Constant, &v.to_string(), 10, &text));
        }
        if matches!(name, ".section" | ".pushsection") {
            common::SECTIONS.iter().for_each(|s| self.add(CompletionKind::Keyword, s, 20));
        }
        // `@` may be written already.
        let types: &[&str] = match name {
            ".type" => &["function", "object"],
            ".section" | ".pushsection" => common::SECTION_TYPES,
            _ => &[],
        };
        let before = self.cx.text.get(..usize::from(self.range.start())).unwrap_or("");
        let at = if before.ends_with(['@', '%']) { "" } else { "@" };
        types.iter().for_each(|t| self.add(CompletionKind::Keyword, &format!("{at}{t}"), 10));
        self.symbols(40, false);
    }

    /// Labels, and with `values` symbols that have a value.
    fn symbols(&mut self, rank: u8, only_labels: bool) {
        let mut own = Vec::new();
        let mut note = |_, word: &str, kind| match kind {
            Word::Label => own.push((CompletionKind::Label, word.to_owned())),
            Word::Assigned if !only_labels => own.push((CompletionKind::Constant, word.to_owned())),
            _ => {}
        };
        words(self.cx.text, &self.cx.lowered.lexed, &mut note);
        let (view, scope) = (self.cx.view, self.cx.scope);
        // Without a processor nothing is assembled, and the scope does not have the symbols of other chunks.
        let others = view.chunks().iter().filter(|_| scope.settings.target.is_none());
        for chunk in others {
            if let Lowered::Amdgpu(lowered) = view.lowered(*chunk) {
                words(view.text(*chunk), &lowered.lexed, &mut note);
            }
        }
        own.into_iter().for_each(|(kind, name)| self.add(kind, &name, rank));
        for (name, is_label) in scope.symbols_with_kind().filter(|(_, is_label)| *is_label || !only_labels) {
            let kind = if is_label { CompletionKind::Label } else { CompletionKind::Variable };
            self.add(kind, name, rank + 5);
        }
    }

    /// In an operand of an instruction.
    fn operand(&mut self, statement: &str, at: TextSize) {
        if in_brackets(statement) {
            return self.symbols(20, false);
        }
        let Some(target) = self.target() else { return self.symbols(40, false) };
        let mnemonic = statement.split_whitespace().next().unwrap_or("").to_ascii_lowercase();
        if let Some((call, arguments)) = open_call(statement) {
            return self.arguments(target, call, arguments);
        }
        let colon = statement.strip_suffix(':').or_else(|| statement.trim_end().strip_suffix(":["));
        if let Some(before) = colon {
            let name = before.rsplit(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next().unwrap_or("");
            return self.values(target, &mnemonic, name);
        }
        let cx = self.cx;
        let found = statement_at(cx.lowered, cx.scope, cx.id(), cx.text, at);
        let expected = found.map(|found| found.expected).filter(|expected| !expected.is_empty());
        let slots = expected.unwrap_or_else(|| {
            let operand = statement.matches(',').count();
            // The last operand can have several parts: `vmcnt(0), lgkmcnt(0)`.
            let slot = |slots: Vec<Slot>| {
                let last = slots.len().checked_sub(1)?;
                slots.into_iter().nth(operand.min(last))
            };
            wavelens_isa::templates(target, &mnemonic).into_iter().filter_map(|t| slot(t.slots)).collect()
        });
        let used = self.registers_in_use();
        slots.iter().for_each(|slot| self.slot(target, &mnemonic, slot, &used));
    }

    /// The registers that the chunk names, as they are written.
    fn registers_in_use(&self) -> FxHashSet<wavelens_isa::Reg> {
        let lexed = &self.cx.lowered.lexed;
        let tokens = (0..lexed.len()).filter(|t| lexed.kind(*t) == IDENT);
        tokens.filter_map(|t| super::hover::register_around(self.cx, t)).map(|(_, reg)| reg).collect()
    }

    fn registers(&mut self, target: Target, set: RegisterSet, used: &FxHashSet<wavelens_isa::Reg>) {
        for reg in set.all(target) {
            let rank = match reg.file {
                _ if used.contains(&reg) => 20,
                wavelens_isa::RegFile::Special => 40,
                wavelens_isa::RegFile::Agpr => 62,
                wavelens_isa::RegFile::Ttmp => 65,
                _ => 60,
            };
            self.add(CompletionKind::Register, &reg.name(), rank);
        }
    }

    fn slot(&mut self, target: Target, mnemonic: &str, slot: &Slot, used: &FxHashSet<wavelens_isa::Reg>) {
        let doc = |word: &str| help::word(word).unwrap_or_default();
        match &slot.takes {
            Takes::Word(word) | Takes::Flag(word) if !matches!(*word, "[" | "]" | "::") => {
                self.documented(CompletionKind::Keyword, word, 30, doc(word));
            }
            Takes::Register(set) => self.registers(target, *set, used),
            Takes::RegisterOrOff(set) => {
                self.documented(CompletionKind::Keyword, "off", 30, doc("off"));
                self.registers(target, *set, used);
            }
            Takes::Source { registers, ty, .. } => {
                self.registers(target, *registers, used);
                self.symbols(50, false);
                let floats = ["0.5", "1.0", "2.0", "4.0", "-0.5", "-1.0", "-2.0", "-4.0"];
                let is_float = ty.contains('f');
                floats.iter().filter(|_| is_float).for_each(|f| self.add(CompletionKind::Constant, f, 70));
            }
            Takes::Literal(_) | Takes::Number { .. } => self.symbols(50, false),
            Takes::Label => self.symbols(20, true),
            Takes::Named { name, value } => {
                let insert = match value {
                    NamedValue::Bits | NamedValue::Lanes { .. } | NamedValue::Format => {
                        format!("{name}:[$1]")
                    }
                    _ => format!("{name}:"),
                };
                self.modifier(name, &insert);
                if *name == "mul" {
                    self.modifier("div", "div:");
                }
            }
            Takes::CachePolicy => {
                for word in wavelens_isa::cache_policies(target, mnemonic) {
                    self.modifier(word.trim_end_matches(':'), word);
                }
            }
            Takes::DppControl => {
                for word in wavelens_isa::dpp_controls(target) {
                    match word {
                        "row_mirror" | "row_half_mirror" => self.modifier(word, word),
                        "quad_perm" => self.modifier(word, "quad_perm:[$1]"),
                        _ => self.modifier(word, &format!("{word}:")),
                    }
                }
            }
            Takes::ExportTarget => {
                for name in wavelens_isa::export_targets(target) {
                    let text = help::export_target(&name).unwrap_or_default();
                    self.documented(CompletionKind::Constant, &name, 30, &text);
                }
            }
            Takes::InterpolationSlot => {
                ["p10", "p20", "p0"]
                    .iter()
                    .for_each(|p| self.documented(CompletionKind::Keyword, p, 30, doc(p)));
            }
            takes => {
                for call in wavelens_isa::calls(target, takes) {
                    let text = help::counter(call).unwrap_or_default();
                    let item = Completion::new(CompletionKind::Function, self.range, call);
                    self.push(item.rank(30).documentation(text).snippet(format!("{call}($1)")));
                }
            }
        }
        if slot.modifiers == SourceModifiers::Integer {
            self.documented(CompletionKind::Keyword, "sext", 68, doc("sext"));
        }
        if slot.modifiers == SourceModifiers::Float {
            ["neg", "abs"].iter().for_each(|m| self.documented(CompletionKind::Keyword, m, 68, doc(m)));
        }
    }

    fn modifier(&mut self, name: &str, insert: &str) {
        let item = Completion::new(CompletionKind::Keyword, self.range, name).rank(30);
        let item = item.documentation(help::word(name).unwrap_or_default());
        self.push(if insert.contains('$') { item.snippet(insert) } else { item.insert(insert) });
    }

    /// The value of `name:`.
    fn values(&mut self, target: Target, mnemonic: &str, name: &str) {
        let kind = match () {
            () if mnemonic.contains("atomic") => "TH_ATOMIC_",
            () if mnemonic.contains("store") => "TH_STORE_",
            () => "TH_LOAD_",
        };
        let fits = |v: &String| !v.starts_with("TH_") || v == "TH_DEFAULT" || v.starts_with(kind);
        let values = wavelens_isa::values(target, name);
        for value in values.into_iter().filter(fits) {
            let text = help::value(&value).unwrap_or_default();
            self.documented(CompletionKind::Constant, &value, 30, &text);
        }
        if mnemonic.starts_with("ds_swizzle") && name == "offset" {
            let item = Completion::new(CompletionKind::Function, self.range, "swizzle").rank(30);
            self.push(item.snippet("swizzle($1)"));
        }
        self.symbols(60, false);
    }

    /// An argument of `hwreg(...)` and such.
    fn arguments(&mut self, target: Target, call: &str, before: &str) {
        let position = before.matches(',').count();
        let first = before.split(',').next().unwrap_or("").trim();
        for word in wavelens_isa::arguments(target, call, position, first) {
            let text = help::value(word).unwrap_or_default();
            self.documented(CompletionKind::Constant, word, 30, &text);
        }
        self.symbols(60, false);
    }
}

/// The call that the cursor is in, and what is written of its arguments.
fn open_call(statement: &str) -> Option<(&str, &str)> {
    let open = statement.rfind('(')?;
    let arguments = statement.get(open + 1..)?;
    if arguments.contains(')') {
        return None;
    }
    let name = statement.get(..open)?;
    let start = name.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').len();
    Some((name.get(start..)?, arguments)).filter(|(name, _)| !matches!(*name, "neg" | "abs" | "sext" | "lit"))
}

/// Whether the cursor is between the brackets of registers or of a list.
fn in_brackets(statement: &str) -> bool {
    statement.rfind('[').is_some_and(|open| !statement[open..].contains(']'))
}

/// One processor of each generation, the most common first.
const LIKELY: [&str; 7] = ["gfx90a", "gfx942", "gfx1100", "gfx1030", "gfx1201", "gfx803", "gfx700"];
/// Lines that tell the processor of a text.
const LINES: usize = 200;

/// A processor that has the most instructions of a text's last lines.
fn likely_target(text: &str) -> Option<Target> {
    let first = |line: &str| line.split_whitespace().next().map(str::to_owned);
    let words: FxHashSet<String> = text.lines().rev().take(LINES).filter_map(first).collect();
    let count = |target: &Target| {
        words.iter().filter(|word| !wavelens_isa::templates(*target, word).is_empty()).count()
    };
    // The first of those that have as many.
    LIKELY.iter().rev().filter_map(|name| Target::named(name)).max_by_key(count)
}

/// What a mnemonic can end with to choose an encoding.
const ENCODINGS: [&str; 5] = ["_e32", "_e64", "_dpp", "_sdwa", "_e64_dpp"];

/// A mnemonic that an assembler takes.
struct Mnemonic {
    name: String,
    /// What it does.
    text: String,
    /// It is the target's own name, and not one of another generation.
    is_own: bool,
}

/// Every mnemonic of a target with the suffixes that it takes, made once.
fn mnemonics(target: Target) -> std::sync::Arc<Vec<Mnemonic>> {
    use std::sync::{Arc, LazyLock, Mutex};
    type Cache = Mutex<rustc_hash::FxHashMap<Target, Arc<Vec<Mnemonic>>>>;
    static CACHE: LazyLock<Cache> = LazyLock::new(Cache::default);
    let own: FxHashSet<&str> = target.mnemonics().collect();
    let with_suffixes = |base: &&'static str| {
        let longer = ENCODINGS.map(|suffix| format!("{base}{suffix}")).into_iter();
        let is_vector = base.starts_with("v_");
        let longer = longer.filter(|name| is_vector && !wavelens_isa::templates(target, name).is_empty());
        let text = super::formula::describe(base).unwrap_or_default().markdown();
        let is_own = own.contains(base);
        let all = longer.chain([(*base).to_owned()]);
        all.map(|name| Mnemonic { name, text: text.clone(), is_own }).collect::<Vec<_>>()
    };
    let mut cache = CACHE.lock().unwrap_or_else(|e| e.into_inner());
    cache
        .entry(target)
        .or_insert_with(|| Arc::new(target.spellings().iter().flat_map(with_suffixes).collect()))
        .clone()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use wavelens_semantics::Dialect;

    use crate::features;
    use crate::features::tests::at_cursor;

    /// The first proposals at `$0`.
    fn check(text: &str, expected: Expect) {
        at_cursor(Dialect::Amdgpu, text, |view, at| {
            let found = features::complete(view, at);
            let labels: Vec<&str> = found.items.iter().take(4).map(|item| item.label.as_str()).collect();
            expected.assert_eq(&labels.join(" "));
        });
    }

    #[test]
    fn without_a_processor_the_text_tells_it() {
        check(
            "  v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v2, v3\n  s_load$0\n",
            expect!["s_load_b64 s_load_b128 s_load_b32 s_load_b256"],
        );
        check(
            "  ds_read_b32 v0, v1\n  s_or_b64 exec, e$0\n",
            expect!["exec src_private_base src_private_limit src_shared_base"],
        );
        check("  ds_read_b32 v0, v1\n  s_waitcnt lg$0\n", expect!["lgkmcnt"]);
        check("  ds_read_b32 v0, v1\n  s_waitcnt vmcnt(0), lg$0\n", expect!["lgkmcnt"]);
        let delay = "  s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | inst$0\n";
        check(
            &format!(".amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\n{delay}"),
            expect!["instskip instid0 instid1"],
        );
        check(
            ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n  v_mov_b$0\n",
            expect!["v_mov_b32_e32 v_mov_b32 v_mov_b32_dpp v_mov_b32_e64"],
        );
    }

    #[test]
    fn symbols_of_other_chunks_without_a_processor() {
        let lines = "  s_nop 0\n".repeat(4000);
        check(&format!(".set v_tmp, 4\n{lines}  v_mov_b32 v[v$0\n"), expect!["v_tmp"]);
    }

    #[test]
    fn metadata_in_braces() {
        let text = ".amdgpu_metadata\namdhsa.kernels:\n  - .name: k\n    .args:\n    - { .name: p, .size: 8, .value_kind: global_buffer, .address_space: global }\n    - { .name: q, .size: 8, .value_kind: ";
        check(
            &format!("{text}g$0 }}\n.end_amdgpu_metadata\n"),
            expect!["global_buffer image hidden_group_size_x hidden_group_size_y"],
        );
        check(
            &format!("{text}global_buffer, .$0 }}\n.end_amdgpu_metadata\n"),
            expect![".address_space .value_kind .size .name"],
        );
    }

    #[test]
    fn symbols_between_brackets_and_parameters_of_macros() {
        let symbols = ".set v_tmp, 4\n.set v_out, 8\n.set s_out, 2\n";
        check(
            &format!("{symbols}  v_mov_b32 v[v_out], v[v_tmp]\n  v_mov_b32 v[v$0\n"),
            expect!["v_out v_tmp"],
        );
        check(&format!("{symbols}  ds_read_b64 v[v_tmp:v$0\n"), expect!["v_tmp v_out"]);
        check(".macro m a, bc:req, bd=1\n  v_mov_b32 v[\\b$0\n.endm\n", expect!["bd bc"]);
    }

    #[test]
    fn settings_of_a_kernel_are_proposed_in_their_order() {
        check(
            ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\n.amdhsa_kernel k\n  .amdhsa_next_free_vgpr 3\n  .$0\n.end_amdhsa_kernel\n",
            expect![
                ".amdhsa_next_free_sgpr .amdhsa_accum_offset .amdhsa_reserve_vcc .amdhsa_reserve_flat_scratch"
            ],
        );
    }

    #[test]
    fn kinds_of_arguments_are_proposed_in_their_order() {
        check(
            ".amdgpu_metadata\n---\namdhsa.kernels:\n  - .args:\n      - .size: 2\n        .value_kind:     hidden_remainder_y\n      - .size: 2\n        .value_kind:     h$0\n",
            expect![
                "hidden_remainder_z hidden_global_offset_x hidden_global_offset_y hidden_global_offset_z"
            ],
        );
    }

    #[test]
    fn common_instructions_come_first() {
        check(
            ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\nf:\n  s_$0\n",
            expect!["s_add_u32 s_addc_u32 s_endpgm s_load_dwordx2"],
        );
    }

    #[test]
    fn types_of_symbols_and_sections_do_not_repeat_the_sign() {
        check(
            ".section .note.x,\"\",@p$0\n",
            expect!["progbits .AMDGPU.config .AMDGPU.csdata .AMDGPU.gpr_maximums"],
        );
        check(".type f,$0\n", expect!["@function @object"]);
    }
}
