//! Completion of symbols, of lists of registers and of metadata in AMDGPU assembly.

use wavelens_amdgpu::assembler::{PREDEFINED, RELOCATIONS};
use wavelens_amdgpu::rules::directive::metadata::values_of_key;
use wavelens_base::TextRange;
use wavelens_check::dialect::Lowered;
use wavelens_isa::RegFile;

use super::completion::List;
use super::completion_order::{NEXT, statements_above};
use super::directive_help;
use crate::amdgpu::words::{Word, words};
use crate::answers::CompletionKind;

/// Directives that compilers write before the label of the symbol that they name.
pub(super) const BEFORE_LABEL: [&str; 9] =
    [".globl", ".global", ".protected", ".hidden", ".internal", ".weak", ".local", ".type", ".amdhsa_kernel"];
/// Chunks after the cursor's that are searched for a label.
const CHUNKS_BELOW: usize = 4;

/// What precedes the numbers of a register in brackets.
const REGISTER_FILES: [&str; 5] = ["v", "s", "a", "acc", "ttmp"];

/// The types of arguments in `.value_type`.
const VALUE_TYPES: &[&str] =
    &["struct", "i8", "u8", "i16", "u16", "f16", "i32", "u32", "f32", "i64", "u64", "f64"];

/// Which symbols an operand takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Symbols {
    All,
    /// Those whose address is known when the program is loaded.
    Labels,
    /// Those that have a number.
    Values,
}

const METADATA_END: &str = ".end_amdgpu_metadata";

impl List<'_, '_> {
    /// Keys of metadata, or the values of a key.
    pub(super) fn metadata(&mut self, line: &str) {
        // Several keys of a list in braces may be on a line.
        let entry = line.rsplit(['{', ',']).next().unwrap_or(line);
        let Some((key, _)) = entry.split_once(':') else {
            // An item of a list of plain values is not a key.
            let before = self.cx.text.get(..usize::from(self.range.start())).unwrap_or("");
            let above = before.rfind('\n').and_then(|end| before.get(..end)).unwrap_or("");
            let is_plain =
                |key: &str| matches!(key, "amdhsa.version" | "amdhsa.printf" | ".language_version");
            if line.trim_start().starts_with('-') && super::hover::list_key(above).is_some_and(is_plain) {
                return;
            }
            let end = directive_help::directive(METADATA_END).unwrap_or_default();
            // Keys are indented.
            let rank = if line.trim().is_empty() && !line.starts_with("  ") { 0 } else { 60 };
            self.documented(CompletionKind::Keyword, METADATA_END, rank, &end);
            self.add(CompletionKind::Keyword, "...", 45);
            let keys = directive_help::keys();
            return keys.for_each(|(key, text)| self.documented(CompletionKind::Attribute, key, 30, text));
        };
        let key = key.trim_matches([' ', '\t', '-']);
        let values = if key == ".value_type" { VALUE_TYPES } else { values_of_key(key) };
        // Arguments are in the order of the list.
        let last = self.last_value(key).and_then(|last| values.iter().position(|value| *value == last));
        let next = last.map_or(0, |last| last + 1);
        let is_hidden = |value: &str| value.starts_with("hidden_");
        let has_hidden = last.is_some_and(|last| is_hidden(values[last]));
        for (at, value) in values.iter().enumerate() {
            let rank = match at.checked_sub(next) {
                // The compiler's arguments have an order; those of the source do not.
                Some(0) => NEXT,
                _ if !is_hidden(value) && !has_hidden => 5,
                Some(after) => 30 + after.min(30) as u8,
                None => 62,
            };
            self.add(CompletionKind::Constant, value, rank);
        }
        match key {
            "amdhsa.target" => {
                self.target_ids(entry.split(':').nth(1).unwrap_or("").trim_start_matches([' ', '\'']))
            }
            ".name" | ".entry_point" => {
                self.symbols(40, Symbols::Labels);
                self.named(45);
            }
            // The descriptor of a kernel.
            ".symbol" => {
                self.symbols(40, Symbols::Labels);
                let labels: Vec<String> = self.items.iter().map(|item| item.label.clone()).collect();
                for label in labels.iter().filter(|label| !label.ends_with(".kd")) {
                    let name = self.last_value(".name").is_some_and(|name| name == label);
                    self.add(CompletionKind::Label, &format!("{label}.kd"), if name { 5 } else { 30 });
                }
                // The kernel may be in another file.
                if let Some(name) = self.last_value(".name").filter(|name| !name.is_empty()) {
                    let name = format!("{name}.kd");
                    self.add(CompletionKind::Label, &name, 5);
                }
            }
            _ => {}
        }
    }

    /// The value that a key of metadata has in the last line before the cursor that has the key.
    fn last_value(&self, key: &str) -> Option<&str> {
        let before = self.cx.text.get(..usize::from(self.range.start()))?;
        // The arguments of the next kernel begin again.
        let is_same = |line: &&str| !line.trim_start_matches(['-', ' ']).starts_with(".args:");
        let lines = before.lines().rev().skip(1).take(64).take_while(is_same);
        let mut entries = lines.flat_map(|line| line.split(['{', ',']));
        entries.find_map(|entry| {
            let (name, value) = entry.split_once(':')?;
            (name.trim_matches([' ', '\t', '-']) == key).then(|| value.trim_matches([' ', '}']))
        })
    }

    /// The label that follows the cursor, here or in the next chunks.
    pub(super) fn next_label(&self) -> Option<String> {
        let rest = self.cx.text.get(usize::from(self.range.end())..)?;
        let view = self.cx.view;
        let later =
            view.chunks().iter().skip(self.cx.index + 1).take(CHUNKS_BELOW).map(|chunk| view.text(*chunk));
        let mut lines = std::iter::once(rest).chain(later).flat_map(str::lines);
        lines.find_map(|line| {
            let (name, _) = line.split_once(':')?;
            let is_name = |c: char| c.is_ascii_alphanumeric() || "_.$".contains(c);
            (!name.is_empty() && name.chars().all(is_name)).then(|| name.to_owned())
        })
    }

    /// The symbol of the last `.type` above, whose size may come next.
    pub(super) fn last_typed(&self) -> Option<String> {
        let view = self.cx.view;
        let earlier = view.chunks().iter().take(self.cx.index).rev().map(|chunk| view.text(*chunk));
        let mut lines = std::iter::once(self.before()).chain(earlier).flat_map(|text| text.lines().rev());
        let typed = lines.find_map(|line| line.trim().strip_prefix(".type"))?;
        typed.split(',').next().map(|name| name.trim().to_owned()).filter(|name| !name.is_empty())
    }

    /// Symbols whose number is one more than that of one in the statement above, if that has the same directive.
    pub(super) fn next_symbols(&mut self) {
        let line = self.before().rsplit('\n').next().unwrap_or("");
        let directive = line.split_whitespace().next();
        let Some(above) = statements_above(self.before()).next() else { return };
        if above.split_whitespace().next() != directive {
            return;
        }
        let is_word = |c: char| c.is_ascii_alphanumeric() || "_.$".contains(c);
        let next = above.split(|c| !is_word(c)).filter_map(|word| {
            let stem = word.trim_end_matches(|c: char| c.is_ascii_digit());
            let number: u32 = word.get(stem.len()..)?.parse().ok()?;
            (!stem.is_empty()).then(|| format!("{stem}{}", number + 1))
        });
        let next: Vec<String> =
            next.filter(|name| self.cx.scope.symbols_with_kind().any(|(known, _)| known == name)).collect();
        next.iter().for_each(|name| self.add(CompletionKind::Label, name, NEXT));
    }

    /// Labels and symbols that have a value.
    pub(super) fn symbols(&mut self, rank: u8, symbols: Symbols) {
        let (labels, values) = (symbols != Symbols::Values, symbols != Symbols::Labels);
        let mut own = Vec::new();
        let mut note = |_, word: &str, kind| match kind {
            Word::Label if labels => own.push((CompletionKind::Label, word.to_owned())),
            Word::Assigned if values => own.push((CompletionKind::Constant, word.to_owned())),
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
        let is_dotted = self.cx.slice(TextRange::new(self.range.start(), self.at)).starts_with('.');
        let predefined = PREDEFINED.iter().filter(|_| is_dotted && values);
        self.add_in_order(predefined.map(|name| (*name).to_owned()).collect(), rank + 10, |_| String::new());
        let is_wanted = |is_label: bool| if is_label { labels } else { values };
        for (name, is_label) in scope.symbols_with_kind().filter(|(_, is_label)| is_wanted(*is_label)) {
            let kind = if is_label { CompletionKind::Label } else { CompletionKind::Variable };
            self.add(kind, name, rank + 5);
        }
    }

    /// Symbols that are named in the chunk and may be defined in another file.
    pub(super) fn named(&mut self, rank: u8) {
        let mut named = Vec::new();
        words(self.cx.text, &self.cx.lowered.lexed, |range, word, kind| {
            let is_symbol = matches!(kind, Word::Symbol | Word::Reference);
            if is_symbol && !range.contains_inclusive(self.at) && !REGISTER_FILES.contains(&word) {
                named.push(word.to_owned());
            }
        });
        let is_other =
            |name: &str| wavelens_isa::named_register(name).is_some() || RELOCATIONS.contains(&name);
        named.retain(|name| !is_other(name));
        named.iter().for_each(|name| self.add(CompletionKind::Variable, name, rank));
    }

    /// Registers of a tuple or an address that is written as a list: of the file of the first one, or what addresses take.
    pub(super) fn list_items(&mut self, statement: &str) {
        let used = self.registers_in_use();
        let first = statement.rsplit('[').next().and_then(|list| list.split(',').next()).unwrap_or("");
        let is_scalar = statement.trim_start().starts_with("s_");
        let vectors = if first.trim().starts_with('a') { 'a' } else { 'v' };
        let names: Vec<String> = match wavelens_isa::named_register(first.trim()).map(|reg| reg.file) {
            Some(RegFile::Ttmp) => (0..16).map(|number| format!("ttmp{number}")).collect(),
            Some(RegFile::Special) => {
                first.trim().strip_suffix("_lo").map(|stem| format!("{stem}_hi")).into_iter().collect()
            }
            Some(RegFile::Sgpr) => (0..106).map(|number| format!("s{number}")).collect(),
            None if is_scalar => (0..106).map(|number| format!("s{number}")).collect(),
            _ => (0..256).map(|number| format!("{vectors}{number}")).collect(),
        };
        for name in names {
            let is_used = wavelens_isa::named_register(&name).is_some_and(|reg| used.contains(&reg));
            self.add(CompletionKind::Register, &name, if is_used { 20 } else { 60 });
        }
    }
}
