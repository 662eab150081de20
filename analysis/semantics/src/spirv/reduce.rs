//! What a reduction takes out of SPIR-V so that the rest stays a module.

use rustc_hash::FxHashMap;
use wavelens_syntax::machine::Node;
use wavelens_syntax::spirv::{SpirvKind, parse};
use wavelens_syntax::{Dialect, TextRange};

use crate::TextEdit;
use crate::reduction_unit::{Stage, Unit};

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

    /// Whether it only says something about its operands.
    fn is_annotation(&self) -> bool {
        let opcode = self.opcode();
        ["OpName", "OpMemberName", "OpEntryPoint", "OpExecutionMode"].contains(&opcode)
            || opcode.contains("Decorate")
    }
}

pub(crate) fn units(text: &str, stage: Stage) -> Vec<Unit> {
    let instructions = instructions(text);
    match stage {
        Stage::Functions => functions(&instructions),
        Stage::Instructions => undefined(&instructions).chain(removed(&instructions)).collect(),
        Stage::Blocks => straight(&instructions).chain(joined(&instructions)).collect(),
        Stage::Operands => Vec::new(),
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

/// Each branch with a condition goes to one of its targets only, without the merge instruction before it.
fn straight<'i>(instructions: &'i [Instruction<'_>]) -> impl Iterator<Item = Unit> + 'i {
    instructions.iter().enumerate().flat_map(|(n, branch)| {
        let targets = match branch.opcode() {
            "OpBranchConditional" | "OpSwitch" => branch.words.get(2..).unwrap_or_default(),
            _ => &[],
        };
        let merge = n.checked_sub(1).and_then(|n| instructions.get(n));
        let merge = merge.filter(|i| matches!(i.opcode(), "OpSelectionMerge" | "OpLoopMerge"));
        targets.iter().filter(|word| word.starts_with('%')).map(move |target| {
            let removed = merge.map(|i| TextEdit::new(i.range, ""));
            removed.into_iter().chain([TextEdit::new(branch.range, format!("OpBranch {target}"))]).collect()
        })
    })
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
    instructions.iter().filter_map(|i| {
        let (id, ty) = (i.result()?, i.result_type()?);
        let (opcode, is_constant) = (i.opcode(), i.opcode().contains("Constant"));
        let is_value = !opcode.starts_with("OpType") && !is_constant && !KEPT.contains(&opcode);
        is_value.then(|| vec![TextEdit::new(i.range, format!("{id} = OpUndef {ty}"))])
    })
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
