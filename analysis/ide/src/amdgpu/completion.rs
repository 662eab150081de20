//! Completion in AMDGPU assembly.

use rustc_hash::FxHashSet;
use wavelens_amdgpu::assembler::RELOCATIONS;
use wavelens_amdgpu::assembler::kernel_descriptor::{directive_exists, directive_names};
use wavelens_amdgpu::statement::statement_at;
use wavelens_base::{TextRange, TextSize};
use wavelens_isa::processor::ProcessorFacts;
use wavelens_isa::{NamedValue, Slot, SourceModifiers, Takes, Target};
use wavelens_syntax::amdgpu::AmdgpuKind::*;

use super::completion_order::{Blocks, WRONG, likely_mnemonics, mnemonics};
use super::completion_registers::Used;
use super::completion_symbols::{BEFORE_LABEL, Symbols};
use super::{Cx, common, directive_help, operand_help as help, queries::whole_file};
use crate::answers::{Completion, CompletionKind};
use wavelens_base::configuration::Os;

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
    let in_string = line.matches('"').count() % 2 == 1;
    if is_open(before, METADATA[0], METADATA[1]) {
        list.metadata(line);
    } else if in_string && !directive_help::TAKES_TARGET.contains(&first) {
        return Vec::new();
    } else if is_open(before, PAL_METADATA[0], PAL_METADATA[1]) {
        list.documented(CompletionKind::Keyword, PAL_METADATA[1], 10, "");
    } else if line.ends_with('\\') {
        list.parameters(before);
    } else if statement.trim().is_empty() {
        list.statements();
    } else if first.starts_with('.') {
        list.directive(first, statement);
    } else {
        list.operand(statement, at);
    }
    list.items
}

/// What may follow the numbers of `.loc`.
const LINE_OPTIONS: [&str; 6] =
    ["is_stmt", "prologue_end", "epilogue_begin", "basic_block", "isa", "discriminator"];

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

/// Whether a block of text that is not assembly is open: comments may name what opens and ends it.
fn is_open(before: &str, begin: &str, end: &str) -> bool {
    let mut lines = before.lines().rev().skip(usize::from(!before.ends_with('\n'))).map(str::trim);
    lines.find(|line| [begin, end].contains(line)) == Some(begin)
}

const METADATA: [&str; 2] = [".amdgpu_metadata", ".end_amdgpu_metadata"];
const PAL_METADATA: [&str; 2] = [".amdgpu_pal_metadata", ".end_amdgpu_pal_metadata"];

/// Suggestions for one place.
pub(super) struct List<'c, 'db> {
    pub(super) cx: &'c Cx<'db>,
    /// What is replaced.
    pub(super) range: TextRange,
    /// The cursor.
    pub(super) at: TextSize,
    pub(super) items: Vec<Completion>,
    seen: FxHashSet<String>,
}

impl<'db> List<'_, 'db> {
    fn push(&mut self, item: Completion) {
        if self.seen.insert(item.label.clone()) {
            self.items.push(item);
        }
    }

    /// The text before what is typed.
    pub(super) fn before(&self) -> &'db str {
        self.cx.text.get(..usize::from(self.range.start())).unwrap_or("")
    }

    pub(super) fn add(&mut self, kind: CompletionKind, label: &str, rank: u8) {
        self.push(Completion::new(kind, self.range, label).rank(rank));
    }

    pub(super) fn documented(&mut self, kind: CompletionKind, label: &str, rank: u8, text: &str) {
        self.push(Completion::new(kind, self.range, label).rank(rank).documentation(text));
    }

    /// The target, or else one that has the most instructions around: files for several processors leave it to the command line.
    fn target(&self) -> Option<Target> {
        let known = self.cx.scope.settings.target.or_else(|| whole_file(self.cx)?.target);
        let configuration = self.cx.scope.settings.configuration.as_ref();
        // LLVM ignores a processor that it no longer knows; what the text is for has more instructions.
        let successor = configuration.and_then(|configuration| configuration.successor());
        // With other features than its own a processor is not checked for.
        let known = known.or_else(|| configuration?.target());
        successor.or(known).or_else(|| likely_target(self.cx.text.get(..usize::from(self.range.start()))?))
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

    /// The settings of a kernel that are not yet written before the cursor, in their usual order; `None` outside of a descriptor.
    fn kernel_settings(&self) -> Option<Vec<(u8, String)>> {
        let before = self.cx.text.get(..usize::from(self.range.start()))?;
        let begin = before.rfind(".amdhsa_kernel ")?;
        let written = before.get(begin..).filter(|text| !text.contains(".end_amdhsa_kernel"))?;
        let has = |name: &String| written.lines().any(|line| line.split_whitespace().next() == Some(name));
        let all: Vec<String> = directive_names().collect();
        let next = all.iter().rposition(has).map_or(0, |last| last + 1);
        let machine = self.target().map(ProcessorFacts::of);
        let exists = |name: &str| machine.as_ref().is_none_or(|machine| directive_exists(machine, name));
        let rank = |at: usize, name: &String| match at.checked_sub(next) {
            _ if has(name) || !exists(name) => WRONG,
            Some(after) => 5 + after.min(40) as u8,
            None => 6 + (next - at).min(40) as u8,
        };
        Some(all.iter().enumerate().map(|(at, name)| (rank(at, name), name.clone())).collect())
    }

    /// Mnemonics, directives and macros.
    fn statements(&mut self) {
        let os = self.cx.scope.settings.configuration.as_ref().map(|configuration| configuration.os());
        let lead = |name: &str| match os {
            Some(Os::Amdpal) if name.contains("_pal_metadata") => 10,
            _ => common::lead(name),
        };
        let frame = self.frame();
        let rank = |name: &str| 60 - lead(name) + frame.directive_delay();
        let names = directive_help::names().map(|name| (rank(name), name.to_owned()));
        let settings = self.kernel_settings();
        let settings = settings.unwrap_or_else(|| directive_names().map(|name| (WRONG, name)).collect());
        let blocks = Blocks::before(self.before());
        let names =
            names.map(|(rank, name)| (blocks.rank(&name).or(frame.rank(&name)).unwrap_or(rank), name));
        for (rank, name) in names.chain(settings) {
            let text = directive_help::directive(&name).unwrap_or_default();
            self.documented(CompletionKind::Keyword, &name, rank, &text);
        }
        let own = super::hover::macro_heads(self.cx.text).map(|(_, name)| name);
        let macros: Vec<&str> = self.cx.scope.macro_names().chain(own).collect();
        macros.into_iter().for_each(|m| self.add(CompletionKind::Function, m, 20));
        let Some(target) = self.target() else { return };
        let typed = self.cx.slice(TextRange::new(self.range.start(), self.at)).to_ascii_lowercase();
        let fits = |name: &str| typed.chars().all(|c| name.contains(c));
        let all = mnemonics(target);
        let text = self.cx.text;
        let likely = likely_mnemonics(&all, self.before(), text.get(usize::from(self.at)..).unwrap_or(""));
        for mnemonic in all.iter().filter(|mnemonic| fits(&mnemonic.name)) {
            let rank = match mnemonic.is_own {
                true => 50 - common::lead(&mnemonic.name) + 2 * u8::from(!mnemonic.suffix().is_empty()),
                false => 58,
            };
            let rank =
                likely.get(mnemonic.name.as_str()).map_or(rank, |likely| rank.min(*likely)) + frame.delay();
            let item = Completion::new(CompletionKind::Opcode, self.range, mnemonic.name.clone());
            self.push(item.rank(rank).documentation(mnemonic.text.clone()));
        }
    }

    /// After a directive: its values, or symbols.
    fn directive(&mut self, name: &str, line: &str) {
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
        if directive_help::TAKES_TARGET.contains(&name) && line.contains('"') {
            self.target_ids(line.rsplit('"').next().unwrap_or(""));
        }
        if name == ".cfi_sections" {
            [".debug_frame", ".eh_frame"].iter().for_each(|s| self.add(CompletionKind::Keyword, s, 10));
        }
        if name == ".reloc" && line.matches(',').count() == 1 {
            self.add_in_order(RELOCATIONS.iter().map(|name| (*name).to_owned()).collect(), 30, |_| {
                String::new()
            });
        }
        if name == ".loc" {
            LINE_OPTIONS.iter().for_each(|option| self.add(CompletionKind::Keyword, option, 10));
        }
        types.iter().for_each(|t| self.add(CompletionKind::Keyword, &format!("{at}{t}"), 10));
        if BEFORE_LABEL.contains(&name)
            && let Some(label) = self.next_label()
        {
            self.add(CompletionKind::Label, &label, 5);
        }
        if name == ".size"
            && let Some(symbol) = self.last_typed()
        {
            self.add(CompletionKind::Label, &symbol, 5);
        }
        self.next_symbols();
        self.symbols(40, Symbols::All);
        if !name.starts_with(".amdhsa_") || name == ".amdhsa_kernel" {
            self.named(55);
        }
    }

    /// What goes on with a target id: the systems, and then the processors.
    pub(super) fn target_ids(&mut self, typed: &str) {
        let names = Target::names().filter(|name| typed.contains("--") && name.starts_with("gfx"));
        names.for_each(|name| {
            self.add(CompletionKind::Constant, name, if name.contains("generic") { 20 } else { 10 });
        });
        let ids = [("amdgcn-amd-amdhsa--", 10), ("amdgcn-amd-amdpal--", 20), ("amdgcn-amd-mesa3d--", 20)];
        for (id, rank) in ids {
            if let Some(rest) = id.strip_prefix(typed).filter(|rest| !rest.is_empty()) {
                self.add(CompletionKind::Constant, rest, rank);
            }
        }
    }

    /// In an operand of an instruction.
    fn operand(&mut self, statement: &str, at: TextSize) {
        if in_brackets(statement) && !in_modifier(statement) {
            return if in_list(statement) {
                self.list_items(statement)
            } else {
                self.symbols(20, Symbols::Values)
            };
        }
        let Some(target) = self.target() else { return self.symbols(40, Symbols::All) };
        let own = statement.rsplit_once("::").map_or(statement, |(_, second)| second);
        if own.trim().is_empty() {
            let first = statement.split_whitespace().next().unwrap_or("");
            return self.second_of_two(target, first);
        }
        let mnemonic = own.split_whitespace().next().unwrap_or("").to_ascii_lowercase();
        let target = with_mnemonic(target, &mnemonic);
        if let Some((call, arguments)) = open_call(statement) {
            return self.arguments(target, call, arguments);
        }
        let bracket = statement.rfind(":[").filter(|_| in_modifier(statement));
        let colon = statement.strip_suffix(':').or_else(|| statement.get(..bracket?));
        if let Some(before) = colon {
            let name = before.rsplit(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next().unwrap_or("");
            return self.values(target, &mnemonic, name);
        }
        let cx = self.cx;
        let found = statement_at(cx.lowered, cx.scope, cx.id(), cx.text, at);
        let expected = found.map(|found| found.expected).filter(|expected| !expected.is_empty());
        let templates = || wavelens_isa::templates(target, &mnemonic).into_iter().map(|t| t.slots);
        let mut slots: Vec<Slot> = expected.unwrap_or_else(|| {
            let operand = own.matches(',').count();
            // The last operand can have several parts: `vmcnt(0), lgkmcnt(0)`.
            let slot = |slots: Vec<Slot>| {
                let last = slots.len().checked_sub(1)?;
                slots.into_iter().nth(operand.min(last))
            };
            templates().filter_map(slot).collect()
        });
        // The format may also be written after the next operand.
        let is_format = |slot: &Slot| matches!(slot.takes, Takes::Named { value: NamedValue::Format, .. });
        if slots.iter().any(is_format) && !own.contains("format:") {
            let after = |slots: Vec<Slot>| slots.into_iter().skip_while(|slot| !is_format(slot)).nth(1);
            slots.extend(templates().filter_map(after));
        }
        let used = self.used(own.trim_start());
        slots.iter().for_each(|slot| self.slot(target, &mnemonic, slot, &used));
        // After a word without a comma, what else the instruction takes follows.
        let is_export = |slots: Vec<Slot>| slots.iter().any(|slot| matches!(slot.takes, Takes::ExportTarget));
        // No comma precedes the first value of an export.
        let is_after_target = !own.contains(',') && templates().any(is_export);
        let has_operand = own.split_whitespace().count() > 1 && own.ends_with(' ') && !is_after_target;
        if has_operand && own.trim_end().ends_with(|c: char| c.is_ascii_alphanumeric() || c == ']') {
            let is_written = |word: &str| own.split([' ', ',', ':']).any(|written| written == word);
            let is_last = |slot: &Slot| match slot.takes {
                Takes::Named { name, .. } | Takes::Flag(name) => !is_written(name),
                Takes::CachePolicy => true,
                Takes::DppControl => !wavelens_isa::dpp_controls(target).into_iter().any(is_written),
                _ => false,
            };
            let last: Vec<Slot> = templates().flatten().filter(is_last).collect();
            last.iter().for_each(|slot| self.slot(target, &mnemonic, slot, &used));
        }
    }

    /// The second mnemonic of two that are issued together.
    fn second_of_two(&mut self, target: Target, first: &str) {
        for slot in wavelens_isa::templates(target, first).into_iter().flat_map(|t| t.slots) {
            let Takes::Word(name) = slot.takes else { continue };
            if name.starts_with("v_dual_") {
                let text = super::formula::describe(name).unwrap_or_default().markdown();
                let item = Completion::new(CompletionKind::Opcode, self.range, name);
                self.push(item.rank(50 - common::lead(name)).documentation(text));
            }
        }
    }

    fn slot(&mut self, target: Target, mnemonic: &str, slot: &Slot, used: &Used) {
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
            Takes::Source { registers, ty, literal } => {
                self.registers(target, *registers, used);
                wavelens_isa::inline_registers(target)
                    .for_each(|reg| self.add(CompletionKind::Register, &reg.name(), 67));
                self.symbols(50, if *literal { Symbols::All } else { Symbols::Values });
                if *literal {
                    self.named(66);
                }
                let floats = ["0.5", "1.0", "2.0", "4.0", "-0.5", "-1.0", "-2.0", "-4.0"];
                let is_float = ty.contains('f');
                floats.iter().filter(|_| is_float).for_each(|f| self.add(CompletionKind::Constant, f, 70));
            }
            Takes::Literal(_) => self.symbols(50, Symbols::All),
            Takes::Number { .. } => self.symbols(50, Symbols::Values),
            Takes::Label => {
                self.symbols(20, Symbols::Labels);
                self.named(50);
            }
            Takes::Named { name, value } => {
                let insert = match value {
                    NamedValue::Bits | NamedValue::Lanes { .. } | NamedValue::Format => {
                        format!("{name}:[$1]")
                    }
                    _ => format!("{name}:"),
                };
                self.modifier(name, &insert);
                if matches!(value, NamedValue::Format) && !target.facts().has_unified_formats {
                    ["dfmt", "nfmt"].iter().for_each(|part| self.modifier(part, &format!("{part}:")));
                }
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
                let text = |name: &str| help::export_target(name).unwrap_or_default();
                self.add_in_order(wavelens_isa::export_targets(target), 30, text);
            }
            Takes::Attribute => {
                let of = |n| ["x", "y", "z", "w"].map(|c| format!("attr{n}.{c}"));
                self.add_in_order((0..=32).flat_map(of).collect(), 30, |_| String::new());
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
        let text = |value: &str| help::value(value).unwrap_or_default();
        self.add_in_order(values.into_iter().filter(fits).collect(), 30, text);
        if mnemonic.starts_with("ds_swizzle") && name == "offset" {
            let item = Completion::new(CompletionKind::Function, self.range, "swizzle").rank(30);
            self.push(item.snippet("swizzle($1)"));
        }
        self.symbols(60, Symbols::Values);
    }

    /// An argument of `hwreg(...)` and such.
    fn arguments(&mut self, target: Target, call: &str, before: &str) {
        let position = before.matches(',').count();
        let first = before.split(',').next().unwrap_or("").trim();
        let words = wavelens_isa::arguments(target, call, position, first);
        let text = |word: &str| help::value(word).unwrap_or_default();
        self.add_in_order(words.into_iter().map(str::to_owned).collect(), 30, text);
        self.symbols(60, Symbols::Values);
    }
}

/// The target, or the closest one that has an instruction: its operands are known where the instruction is an error.
fn with_mnemonic(target: Target, mnemonic: &str) -> Target {
    let has = |target: Target| !wavelens_isa::templates(target, mnemonic).is_empty();
    if has(target) {
        return target;
    }
    let others = wavelens_isa::processors_with(mnemonic).into_iter().filter_map(Target::named);
    let others = others.into_iter().filter(|other| has(*other));
    others.min_by_key(|other| other.major().abs_diff(target.major())).unwrap_or(target)
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

/// Whether the cursor is in the brackets of a modifier: `format:[`.
fn in_modifier(statement: &str) -> bool {
    in_brackets(statement) && statement.rfind('[').is_some_and(|open| statement[..open].ends_with(':'))
}

/// Whether the bracket that is open begins a list, and not the numbers of a register.
fn in_list(statement: &str) -> bool {
    let before = statement.rfind('[').and_then(|open| statement.get(..open)).unwrap_or("");
    before.ends_with([' ', ',', '\t'])
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
