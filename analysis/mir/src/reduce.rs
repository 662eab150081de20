//! What a reduction takes out of Machine IR so that the rest stays readable.

use rustc_hash::{FxHashMap, FxHashSet};
use wavelens_syntax::{TextRange, TextSize};

use wavelens_base::TextEdit;
use wavelens_base::reduction_unit::{Stage, Unit, removal};

/// Keys of a function go with what is below them, blocks join the one before, and instructions go: [`repaired`] keeps the rest valid.
pub fn units(text: &str, stage: Stage) -> Vec<Unit> {
    let lines = lines(text);
    match stage {
        Stage::Functions => keys(&lines),
        Stage::Blocks => joined(&lines),
        Stage::Instructions => lines.iter().filter_map(without_effect).collect(),
        Stage::Values | Stage::Operands => Vec::new(),
    }
}

/// A text from which lines were taken, where registers that lost their definition are undefined at the start of the function, and
/// definitions as `IMPLICIT_DEF` and declarations of registers that nothing uses are gone.
pub fn repaired(before: &str, text: &str) -> String {
    let classes = Classes::new(&lines(before));
    let mut repaired = String::new();
    for function in functions(&lines(text)) {
        let name = function.iter().find_map(Line::function).unwrap_or("");
        let mut uses: FxHashMap<&str, usize> = FxHashMap::default();
        let mut missing: Vec<&str> = Vec::new();
        for (register, access) in function.iter().flat_map(Line::accesses) {
            *uses.entry(register).or_default() += usize::from(access == Access::Reads);
            missing.extend((access == Access::Reads && !missing.contains(&register)).then_some(register));
        }
        let defined: FxHashSet<&str> = function
            .iter()
            .flat_map(Line::accesses)
            .filter_map(|(register, access)| (access == Access::Defines).then_some(register))
            .collect();
        missing.retain(|register| !defined.contains(register));
        let is_needed = |line: &&Line<'_>| match line.undefined() {
            Some(register) => uses.get(register).is_some_and(|uses| *uses > 0),
            None => line.declared().is_none_or(|register| uses.contains_key(register)),
        };
        let entry = function.iter().position(|line| line.label().is_some());
        let start = entry
            .map(|entry| entry + function.iter().skip(entry).take_while(|line| line.is_header()).count());
        for (at, line) in function.iter().enumerate() {
            if start == Some(at) {
                for register in &missing {
                    if let Some(class) = classes.0.get(&(name, *register)) {
                        repaired.push_str(&format!("    %{register}:{class} = IMPLICIT_DEF\n"));
                    }
                }
            }
            repaired.push_str(Some(line).filter(is_needed).map_or("", |line| line.text));
        }
    }
    repaired
}

/// How the classes or types of registers are written, by function and register.
struct Classes<'t>(FxHashMap<(&'t str, &'t str), &'t str>);

impl<'t> Classes<'t> {
    fn new(lines: &[Line<'t>]) -> Self {
        let mut classes = FxHashMap::default();
        let mut function = "";
        for line in lines {
            function = line.function().unwrap_or(function);
            for (at, register) in registers(line.text) {
                let after = line.text.get(at + 1 + register.len()..).unwrap_or("");
                // A part of the register: `%0.sub0:sgpr_64`.
                let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
                let class = after.trim_start_matches(is_part).strip_prefix(':').unwrap_or("");
                let word =
                    class.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(class.len());
                let rest = class.get(word..).unwrap_or("");
                let end = if rest.starts_with('(') { rest.find(')').map_or(0, |end| end + 1) } else { 0 };
                if let Some(class) = class.get(..word + end).filter(|_| word > 0) {
                    classes.entry((function, register)).or_insert(class);
                }
            }
        }
        Classes(classes)
    }
}

/// What a line does to a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    Reads,
    Defines,
    /// Names it without its value.
    Names,
}

/// A line with its break, and where it starts.
#[derive(Debug, Clone, Copy)]
struct Line<'t> {
    start: usize,
    text: &'t str,
    in_body: bool,
}

fn lines(text: &str) -> Vec<Line<'_>> {
    let (mut start, mut in_body) = (0, false);
    let line = |text| {
        in_body = match text {
            text if str::starts_with(text, "body:") => true,
            // The key of another field, or the end of the document.
            text => in_body && text.starts_with([' ', '\n', '\r', ';']),
        };
        let line = Line { start, text, in_body };
        start += text.len();
        line
    };
    text.split_inclusive('\n').map(line).collect()
}

impl<'t> Line<'t> {
    fn range(&self) -> TextRange {
        TextRange::at(size(self.start), TextSize::of(self.text))
    }

    /// The number of the block that starts here.
    fn label(&self) -> Option<&str> {
        let label = self.text.trim_start().strip_prefix("bb.").filter(|_| self.in_body)?;
        label.split(|c: char| !c.is_ascii_digit()).next()
    }

    fn is_header(&self) -> bool {
        let text = self.text.trim_start();
        self.label().is_some() || text.starts_with("successors:") || text.starts_with("liveins:")
    }

    /// Whether the line names a block.
    fn names(&self, block: &str) -> bool {
        let after = |(at, name): (usize, &str)| self.text.get(at + name.len()..).unwrap_or("");
        let is_end = |after: &str| !after.starts_with(|c: char| c.is_ascii_digit());
        self.text.match_indices(&format!("%bb.{block}")).map(after).any(is_end)
    }

    fn returns(&self) -> bool {
        self.in_body && ["ENDPGM", "RET", "SETPC"].iter().any(|word| self.text.contains(word))
    }

    /// The name of the function whose document this is.
    fn function(&self) -> Option<&'t str> {
        self.text.strip_prefix("name:").map(str::trim)
    }

    /// The virtual registers of the line.
    fn accesses(&self) -> impl Iterator<Item = (&'t str, Access)> {
        let Line { text, in_body, .. } = *self;
        let results = text.find(" = ").unwrap_or(0);
        let is_read = in_body || text.contains("virtual-reg:");
        registers(text).filter(move |_| is_read).map(move |(at, register)| {
            let before = text.get(..at).unwrap_or("");
            let flags = before.rsplit([',', '(']).next().unwrap_or("");
            let has = |word: &str| flags.split_whitespace().any(|flag| flag == word);
            let access = match () {
                () if at < results || has("def") || has("implicit-def") => Access::Defines,
                () if has("undef") => Access::Names,
                () => Access::Reads,
            };
            (register, access)
        })
    }

    /// The virtual register that the line declares: `- { id: 0, class: vgpr_32 }`.
    fn declared(&self) -> Option<&'t str> {
        let (id, _) = self.text.trim().strip_prefix("- { id: ")?.split_once(", class: ")?;
        Some(id).filter(|_| !self.in_body)
    }

    /// The virtual register that the line leaves undefined.
    fn undefined(&self) -> Option<&'t str> {
        let (result, instruction) = self.text.trim().split_once(" = ").filter(|_| self.in_body)?;
        let is_alone = instruction == "IMPLICIT_DEF" && !result.contains([',', '.']);
        registers(result).next().map(|(_, register)| register).filter(|_| is_alone)
    }
}

/// The names of virtual registers in a line, and where their percent signs are.
fn registers(line: &str) -> impl Iterator<Item = (usize, &str)> {
    const OTHERS: [&str; 7] = ["bb", "stack", "fixed", "ir", "const", "subreg", "jump"];
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let names = line.match_indices('%').map(move |(at, _)| {
        let rest = line.get(at + 1..).unwrap_or("");
        (at, rest.split(|c: char| !is_name(c)).next().unwrap_or(""))
    });
    names.filter(|(_, name)| !name.is_empty() && !OTHERS.contains(name))
}

/// The lines of each document.
fn functions<'l, 't>(lines: &'l [Line<'t>]) -> impl Iterator<Item = &'l [Line<'t>]> {
    lines.split_inclusive(|line| line.text.starts_with("..."))
}

/// Each key of a function but its name and body, with the lines below it.
fn keys(lines: &[Line<'_>]) -> Vec<Unit> {
    let mut units = Vec::new();
    for document in functions(lines).filter(|lines| lines.iter().any(|line| line.function().is_some())) {
        let is_key =
            |line: &Line<'_>| !line.in_body && line.text.starts_with(|c: char| c.is_ascii_alphabetic());
        for (at, line) in document.iter().enumerate().filter(|(_, line)| is_key(line)) {
            let below = document
                .iter()
                .skip(at + 1)
                .take_while(|line| line.text.starts_with([' ', '-']) && !line.text.starts_with("---"));
            if line.function().is_none() {
                units.push(
                    std::iter::once(line).chain(below).map(|line| TextEdit::new(line.range(), "")).collect(),
                );
            }
        }
    }
    units
}

/// Each instruction: gone, or without a value for physical registers, unless it has no effect already.
fn without_effect(line: &Line<'_>) -> Option<Unit> {
    let trimmed = line.text.trim();
    if !line.in_body
        || line.is_header()
        || trimmed.is_empty()
        || trimmed.starts_with("body:")
        || line.undefined().is_some()
    {
        return None;
    }
    let Some((results, instruction)) = line.text.split_once(" = ").filter(|_| trimmed.starts_with('$'))
    else {
        return Some(removal(line.range()));
    };
    let start = size(line.start + results.len() + " = ".len());
    let range = TextRange::at(start, TextSize::of(instruction.trim_end()));
    (!instruction.starts_with("IMPLICIT_DEF")).then(|| vec![TextEdit::new(range, "IMPLICIT_DEF")])
}

/// Each block goes on where the one before ends: without its header, the branches to it, and what follows from them.
fn joined(lines: &[Line<'_>]) -> Vec<Unit> {
    let mut units = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(block) = line.label() else { continue };
        let before = lines.get(..at).unwrap_or(&[]);
        let function = before.iter().rposition(|line| !line.in_body).map_or(0, |end| end + 1);
        // The entry stays.
        if !before.get(function..).is_some_and(|before| before.iter().any(|line| line.label().is_some())) {
            continue;
        }
        let header = lines.get(at..).unwrap_or(&[]).iter().take_while(|line| line.is_header());
        let returns = before.iter().rev().take_while(|line| line.label().is_none() && !line.is_header());
        let returns = returns.filter(|line| line.returns());
        let own = lines.get(function..).unwrap_or(&[]).iter().take_while(|line| line.in_body);
        let named = own.filter(|line| line.names(block));
        let gone = header.chain(returns).chain(named);
        units.push(gone.map(|line| TextEdit::new(line.range(), "")).collect());
    }
    units
}

fn size(bytes: usize) -> TextSize {
    TextSize::new(u32::try_from(bytes).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    const TEXT: &str = "---\nname: f\nbody: |\n  bb.0:\n    successors: %bb.1, %bb.2\n    %0:sreg_32 = IMPLICIT_DEF\n\
        \x20   S_CBRANCH_SCC0 %bb.2, implicit undef $scc\n    S_BRANCH %bb.1\n  bb.1:\n    S_ENDPGM 0\n\
        \x20 bb.2:\n    %1:sreg_32 = PHI %0, %bb.0\n    S_NOP 0, implicit %1\n    S_ENDPGM 0\n...\n";

    #[test]
    fn a_block_joins_the_one_before_with_what_names_it() {
        let units = units(TEXT, Stage::Blocks);
        let apply = |unit: &Unit| TextEdit::apply_all(TEXT, unit).unwrap_or_default();
        expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:sreg_32 = IMPLICIT_DEF
                S_CBRANCH_SCC0 %bb.2, implicit undef $scc
                S_ENDPGM 0
              bb.2:
                %1:sreg_32 = PHI %0, %bb.0
                S_NOP 0, implicit %1
                S_ENDPGM 0
            ...
        "#]]
        .assert_eq(&apply(&units[0]));
        expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:sreg_32 = IMPLICIT_DEF
                S_BRANCH %bb.1
              bb.1:
                %1:sreg_32 = PHI %0, %bb.0
                S_NOP 0, implicit %1
                S_ENDPGM 0
            ...
        "#]]
        .assert_eq(&apply(&units[1]));
    }

    #[test]
    fn registers_without_a_definition_are_undefined() {
        let body = "  bb.0:\n    %0:sreg_32 = IMPLICIT_DEF\n    %10:_(<2 x s32>), %2:sreg_32 = G_X undef %3:sreg_32\n\
            \x20   $sgpr0 = IMPLICIT_DEF\n    S_NOP 0, implicit %10.sub0\n";
        let before = format!("---\nname: f\nbody: |\n{body}...\n");
        let text = before.replace("    %10:_(<2 x s32>), %2:sreg_32 = G_X undef %3:sreg_32\n", "");
        let declared = "registers:\n  - { id: 10, class: _ }\n";
        let text = text.replace("body:", &format!("{declared}  - {{ id: 2, class: sreg_32 }}\nbody:"));
        expect![[r#"
            ---
            name: f
            registers:
              - { id: 10, class: _ }
            body: |
              bb.0:
                %10:_(<2 x s32>) = IMPLICIT_DEF
                $sgpr0 = IMPLICIT_DEF
                S_NOP 0, implicit %10.sub0
            ...
        "#]]
        .assert_eq(&repaired(&before, &text));
    }

    #[test]
    fn keys_go_with_what_is_below_them() {
        let text = "---\nname: f\nliveins:\n  - { reg: '$sgpr0' }\nalignment: 4\nbody: |\n  bb.0:\n    S_NOP 0\n...\n";
        let units = units(text, Stage::Functions);
        let all: Vec<TextEdit> = units.into_iter().flatten().collect();
        let left = TextEdit::apply_all(text, &all).unwrap_or_default();
        assert_eq!(left, "---\nname: f\nbody: |\n  bb.0:\n    S_NOP 0\n...\n");
    }
}
