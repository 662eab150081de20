//! What a reduction takes out of SPIR-V so that the rest stays a module.

use rustc_hash::FxHashMap;
use wavelens_syntax::machine::Node;
use wavelens_syntax::spirv::{SpirvKind, parse};
use wavelens_syntax::{Dialect, TextRange};

use wavelens_base::TextEdit;
use wavelens_base::reduction_unit::{Stage, Unit};

/// An instruction: its words with their places.
struct Instruction<'t> {
    range: TextRange,
    words: Vec<&'t str>,
}

impl<'t> Instruction<'t> {
    fn opcode(&self) -> &'t str {
        self.words.iter().find(|w| w.starts_with("Op")).copied().unwrap_or("")
    }

    fn result(&self) -> Option<&'t str> {
        (self.words.get(1) == Some(&"=")).then(|| self.words.first().copied()).flatten()
    }

    /// The result type, of an instruction with a result.
    fn result_type(&self) -> Option<&'t str> {
        self.words.get(3).copied().filter(|w| w.starts_with('%'))
    }

    /// The same result, without a value.
    fn undefined(&self) -> Option<TextEdit> {
        let (id, ty) = (self.result()?, self.result_type()?);
        Some(TextEdit::new(self.range, format!("{id} = OpUndef {ty}")))
    }

    /// An `OpPhi` whose block is not reached from another one any more.
    fn without_predecessor(&self, label: &str) -> Option<TextEdit> {
        let at = self.words.iter().skip(4).position(|word| *word == label)? + 4;
        let words = self.words.iter().enumerate().filter(|(n, _)| *n != at && n + 1 != at);
        let left: Vec<&str> = words.map(|(_, word)| *word).collect();
        Some(TextEdit::new(self.range, left.join(" ")))
    }

    fn is_branch(&self) -> bool {
        matches!(self.opcode(), "OpBranch" | "OpBranchConditional" | "OpSwitch")
    }

    /// The labels after the condition of a branch.
    fn targets(&self) -> impl Iterator<Item = &'t str> + '_ {
        let conditional = matches!(self.opcode(), "OpBranchConditional" | "OpSwitch");
        let words = if conditional { self.words.get(2..) } else { None };
        words.unwrap_or_default().iter().copied().filter(|word| word.starts_with('%'))
    }

    /// Whether it only says something about its operands.
    fn is_annotation(&self) -> bool {
        let opcode = self.opcode();
        ["OpName", "OpMemberName", "OpEntryPoint", "OpExecutionMode"].contains(&opcode)
            || opcode.contains("Decorate")
    }
}

/// What a reduction tries to take out of a text.
pub fn units(text: &str, stage: Stage) -> Vec<Unit> {
    let instructions = instructions(text);
    match stage {
        Stage::Functions => functions(&instructions),
        Stage::Instructions => undefined(&instructions).chain(removed(&instructions)).collect(),
        Stage::Blocks => {
            let blocks = Blocks::new(&instructions);
            let changes = blocks.loops().chain(blocks.straight());
            changes.chain(joined(&instructions)).chain(blocks.undefined()).collect()
        }
        Stage::Values | Stage::Operands => Vec::new(),
    }
}

fn instructions(text: &str) -> Vec<Instruction<'_>> {
    let mut found = Vec::new();
    for span in wavelens_syntax::split(Dialect::Spirv, text).iter() {
        let chunk = text.get(std::ops::Range::<usize>::from(span.range)).unwrap_or("");
        let parsed = parse(chunk);
        let nodes = parsed.root(chunk).children();
        found.extend(nodes.map(|node: Node<'_, SpirvKind>| {
            let range = node.range() + span.range.start();
            let whole = text.get(std::ops::Range::<usize>::from(range)).unwrap_or("");
            Instruction { range, words: whole.split_whitespace().collect() }
        }));
    }
    found
}

/// Each function with what is said about it.
fn functions(instructions: &[Instruction<'_>]) -> Vec<Unit> {
    let mut units = Vec::new();
    let mut open: Option<(usize, &Instruction<'_>)> = None;
    for (n, instruction) in instructions.iter().enumerate() {
        match instruction.opcode() {
            "OpFunction" => open = Some((n, instruction)),
            "OpFunctionEnd" => {
                if let Some((_, first)) = open.take() {
                    let range = first.range.cover(instruction.range);
                    let mut unit = vec![TextEdit::new(range, "")];
                    unit.extend(first.result().into_iter().flat_map(|id| annotations(instructions, id)));
                    units.push(unit);
                }
            }
            _ => {}
        }
    }
    units
}

/// Removal of what is said about an id.
fn annotations(instructions: &[Instruction<'_>], id: &str) -> Vec<TextEdit> {
    let about = instructions.iter().filter(|i| i.is_annotation() && i.words.contains(&id));
    about.map(|i| TextEdit::new(i.range, "")).collect()
}

/// The instructions, and where the labels are.
struct Blocks<'i, 't> {
    instructions: &'i [Instruction<'t>],
    labels: FxHashMap<&'t str, usize>,
}

impl<'i, 't> Blocks<'i, 't> {
    fn new(instructions: &'i [Instruction<'t>]) -> Self {
        let labels = instructions.iter().enumerate().filter(|(_, i)| i.opcode() == "OpLabel");
        let labels = labels.filter_map(|(at, label)| Some((label.result()?, at))).collect();
        Blocks { instructions, labels }
    }

    /// The label of the block that an instruction is in.
    fn label(&self, at: usize) -> Option<&'t str> {
        self.instructions.get(..at)?.iter().rfind(|i| i.opcode() == "OpLabel")?.result()
    }

    /// The `OpPhi` of a block.
    fn phis(&self, label: &str) -> impl Iterator<Item = &'i Instruction<'t>> {
        let after = self.labels.get(label).and_then(|at| self.instructions.get(at + 1..));
        after.unwrap_or_default().iter().take_while(|i| i.opcode() == "OpPhi")
    }

    /// Each branch with a condition goes to one of its targets only, without the merge instruction before it. The other targets have
    /// one predecessor less.
    fn straight(&self) -> impl Iterator<Item = Unit> {
        self.instructions.iter().enumerate().flat_map(move |(n, branch)| {
            let merge = n.checked_sub(1).and_then(|n| self.instructions.get(n));
            let merge = merge.filter(|i| matches!(i.opcode(), "OpSelectionMerge" | "OpLoopMerge"));
            branch.targets().map(move |target| {
                let mut unit = vec![TextEdit::new(branch.range, format!("OpBranch {target}"))];
                unit.extend(merge.map(|i| TextEdit::new(i.range, "")));
                let others = branch.targets().filter(|other| *other != target);
                let phis = others.flat_map(|other| self.phis(other));
                unit.extend(phis.filter_map(|phi| phi.without_predecessor(self.label(n)?)));
                unit
            })
        })
    }

    /// Each loop runs once: what branches back to its header leaves it.
    fn loops(&self) -> impl Iterator<Item = Unit> {
        let merges = self.instructions.iter().enumerate().filter(|(_, i)| i.opcode() == "OpLoopMerge");
        merges.flat_map(move |(n, merge)| {
            let entry = self.instructions.get(n + 1);
            // The header's own branch, where it has a condition.
            let mut ways: Vec<Option<TextEdit>> = entry.map_or_else(Vec::new, |entry| {
                let to = |target| Some(TextEdit::new(entry.range, format!("OpBranch {target}")));
                entry.targets().map(to).collect()
            });
            if ways.is_empty() {
                ways.push(None);
            }
            ways.into_iter().filter_map(move |way| {
                let (header, exit) = (self.label(n)?, *merge.words.get(1)?);
                let mut unit = vec![TextEdit::new(merge.range, "")];
                unit.extend(way);
                let later = self.instructions.iter().skip(n + 2);
                let later = later.take_while(|i| i.opcode() != "OpFunctionEnd");
                let back = later.filter(|i| i.is_branch() && i.words.contains(&header));
                unit.extend(back.map(|i| TextEdit::new(i.range, format!("OpBranch {exit}"))));
                let phis = [header, exit].into_iter().flat_map(|label| self.phis(label));
                unit.extend(phis.filter_map(Instruction::undefined));
                Some(unit)
            })
        })
    }

    /// The values that blocks get from their predecessors are undefined.
    fn undefined(&self) -> impl Iterator<Item = Unit> {
        let labels = self.instructions.iter().filter_map(Instruction::result);
        let units = labels.map(|label| self.phis(label).filter_map(Instruction::undefined).collect());
        units.filter(|unit: &Unit| !unit.is_empty())
    }
}

/// Each block joins the one before it that only branches there.
fn joined<'i>(instructions: &'i [Instruction<'_>]) -> impl Iterator<Item = Unit> + 'i {
    instructions.windows(2).filter_map(|pair| {
        let [branch, label] = pair else { return None };
        let id = label.result().filter(|_| label.opcode() == "OpLabel")?;
        if branch.opcode() != "OpBranch" || branch.words.get(1) != Some(&id) {
            return None;
        }
        let mut unit = vec![TextEdit::new(branch.range, ""), TextEdit::new(label.range, "")];
        unit.extend(annotations(instructions, id));
        Some(unit)
    })
}

/// Each instruction with a type becomes `OpUndef`.
fn undefined<'i>(instructions: &'i [Instruction<'_>]) -> impl Iterator<Item = Unit> + 'i {
    const KEPT: [&str; 5] = ["OpFunction", "OpFunctionParameter", "OpVariable", "OpUndef", "OpPhi"];
    let is_value = |opcode: &str| {
        !opcode.starts_with("OpType") && !opcode.contains("Constant") && !KEPT.contains(&opcode)
    };
    let values = instructions.iter().filter(move |i| is_value(i.opcode()));
    values.filter_map(|i| Some(vec![i.undefined()?]))
}

/// Each definition, from the last to the first, with what is said about it.
fn removed<'i>(instructions: &'i [Instruction<'_>]) -> impl Iterator<Item = Unit> + 'i {
    let mut about: FxHashMap<&str, Vec<TextRange>> = FxHashMap::default();
    for annotation in instructions.iter().filter(|i| i.is_annotation()) {
        for word in annotation.words.iter().filter(|w| w.starts_with('%')) {
            about.entry(word).or_default().push(annotation.range);
        }
    }
    instructions.iter().rev().filter_map(move |i| {
        let said = about.get(i.result()?).cloned().unwrap_or_default();
        let ranges = std::iter::once(i.range).chain(said);
        Some(ranges.map(|range| TextEdit::new(range, "")).collect())
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    const LOOP: &str = "%f = OpFunction %void None %fn\n%a = OpLabel\nOpBranch %h\n%h = OpLabel\n%i = OpPhi %int %0 %a %j %c\n\
        OpLoopMerge %e %c None\nOpBranchConditional %x %b %e\n%b = OpLabel\nOpBranch %c\n%c = OpLabel\n%j = OpIAdd %int %i %1\n\
        OpBranch %h\n%e = OpLabel\n%p = OpPhi %int %i %h\nOpReturn\nOpFunctionEnd\n";

    fn after(unit: Option<Unit>) -> String {
        let changed = TextEdit::apply_all(LOOP, &unit.unwrap_or_default()).unwrap_or_default();
        changed.lines().filter(|line| !line.is_empty()).flat_map(|line| [line, "\n"]).collect()
    }

    #[test]
    fn a_loop_runs_once() {
        let instructions = instructions(LOOP);
        expect![[r#"
            %f = OpFunction %void None %fn
            %a = OpLabel
            OpBranch %h
            %h = OpLabel
            %i = OpUndef %int
            OpBranch %b
            %b = OpLabel
            OpBranch %c
            %c = OpLabel
            %j = OpIAdd %int %i %1
            OpBranch %e
            %e = OpLabel
            %p = OpUndef %int
            OpReturn
            OpFunctionEnd
        "#]]
        .assert_eq(&after(Blocks::new(&instructions).loops().next()));
    }

    #[test]
    fn targets_lose_a_predecessor() {
        let instructions = instructions(LOOP);
        expect![[r#"
            %f = OpFunction %void None %fn
            %a = OpLabel
            OpBranch %h
            %h = OpLabel
            %i = OpPhi %int %0 %a %j %c
            OpBranch %b
            %b = OpLabel
            OpBranch %c
            %c = OpLabel
            %j = OpIAdd %int %i %1
            OpBranch %h
            %e = OpLabel
            %p = OpPhi %int
            OpReturn
            OpFunctionEnd
        "#]]
        .assert_eq(&after(Blocks::new(&instructions).straight().next()));
    }

    #[test]
    fn values_of_predecessors_are_undefined() {
        let instructions = instructions(LOOP);
        let blocks = Blocks::new(&instructions);
        assert_eq!(blocks.undefined().count(), 2);
        let first = after(blocks.undefined().next());
        assert!(first.contains("%i = OpUndef %int\n") && first.contains("%p = OpPhi"), "{first}");
    }
}
