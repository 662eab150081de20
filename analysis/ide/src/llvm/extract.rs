//! Selected instructions of one block as a function or a block of their own.

use wavelens_base::{TextEdit, TextRange, TextSize};
use wavelens_llvm::body::{Body, Inst, LocalKind, Opcode};
use wavelens_llvm::context::RuleContext;
use wavelens_llvm::operand::{LocalId, Value};

use super::Cx;
use super::place::{body_at, function_cx, function_span, spell};
use crate::answers::{Action, ActionKind};

/// Instructions of one block, with whole lines.
struct Selection<'a, 'db> {
    cx: &'a Cx<'db>,
    body: &'db Body,
    view: RuleContext<'db>,
    block: u32,
    /// Into [`Body::insts`].
    first: usize,
    last: usize,
    lines: TextRange,
}

/// What can be made of the instructions that a range of the chunk touches.
pub(super) fn extract(cx: &Cx<'_>, range: TextRange) -> Vec<Action> {
    let Some(selection) = Selection::of(cx, range) else { return Vec::new() };
    let actions = [selection.as_function(), selection.as_block()].into_iter().flatten();
    actions.map(|action| Action { kind: ActionKind::Extract, ..action }).collect()
}

impl<'a, 'db> Selection<'a, 'db> {
    /// `None` if nothing is selected, if the selection spans blocks, or if one of its lines has something else.
    fn of(cx: &'a Cx<'db>, range: TextRange) -> Option<Self> {
        let body = body_at(cx, range.start()).filter(|_| !range.is_empty())?;
        let touched = |r: &TextRange| r.start() < range.end() && range.start() < r.end();
        let first = body.inst_ranges.iter().position(touched)?;
        let last = body.inst_ranges.iter().rposition(touched)?;
        let index = |inst: usize| {
            let is_in = |b: &wavelens_llvm::body::Block| {
                (b.insts.start..b.insts.start + b.insts.len).contains(&(inst as u32))
            };
            body.blocks.iter().position(is_in)
        };
        let block = index(first).filter(|block| index(last) == Some(*block))? as u32;
        let start = body.inst_ranges.get(first)?.start();
        let end = body.inst_ranges.get(last)?.end();
        let before = cx.text.get(..usize::from(start))?;
        let line = before.rfind('\n')? + 1;
        let rest = cx.text.get(usize::from(end)..)?;
        let rest = rest.find('\n').map_or(rest, |end| &rest[..=end]);
        let is_whole =
            before[line..].trim().is_empty() && matches!(rest.trim().bytes().next(), None | Some(b';'));
        let lines = TextRange::new(TextSize::new(line as u32), end + TextSize::of(rest));
        let selected = cx.slice(lines);
        // Their scope is the function that they are in.
        let has_records = ["#dbg_", "@llvm.dbg."].iter().any(|record| selected.contains(record));
        let view = function_cx(cx, body)?;
        (is_whole && !has_records && !cx.slice(function_span(cx, body)).contains("uselistorder"))
            .then_some(Selection { cx, body, view, block, first, last, lines })
    }

    fn insts(&self) -> &'db [Inst] {
        self.body.insts.get(self.first..=self.last).unwrap_or(&[])
    }

    fn is_inside(&self, local: LocalId) -> bool {
        matches!(self.body.local(local).map(|l| l.kind), Some(LocalKind::Inst(i)) if (self.first..=self.last).contains(&(i as usize)))
    }

    /// The locals that the text names inside or outside of the selection, each once, in the order of their definitions.
    fn used(&self, inside: bool) -> Vec<LocalId> {
        let operands = self.body.tables.operands.iter().zip(&self.body.ranges.operands);
        let mut found: Vec<LocalId> = operands
            .filter(|(_, range)| self.lines.contains_range(**range) == inside)
            .filter_map(|(operand, _)| match operand.value {
                Value::Local(id) => Some(id),
                _ => None,
            })
            .collect();
        let place = |id: &LocalId| match self.body.local(*id) {
            Some(local) => match local.kind {
                LocalKind::Argument(n) => (0, n),
                _ => (1, u32::from(local.range.start())),
            },
            None => (2, 0),
        };
        found.sort_by_key(place);
        found.dedup();
        found
    }

    fn name(&self, local: LocalId) -> String {
        let name = self.body.local(local).map(|l| l.name);
        match name.map(|name| (name.as_number(), name.as_name())) {
            Some((Some(number), _)) => format!("%{number}"),
            Some((_, Some(name))) => spell("%", self.body.tables.names.get(name)),
            _ => String::new(),
        }
    }

    /// A name that the function does not use yet.
    fn fresh(&self, wanted: &str) -> String {
        let taken = |name: &str| {
            let is_it = |l: &wavelens_llvm::body::Local| {
                l.name.as_name().is_some_and(|n| self.body.tables.names.get(n) == name)
            };
            self.body.locals.iter().any(is_it)
        };
        unused(wanted, taken)
    }

    fn ty(&self, local: LocalId) -> String {
        self.view.display_ty(self.view.local_ty(local))
    }

    fn as_function(&self) -> Option<Action> {
        let moves = |inst: &Inst| {
            let opcode = inst.opcode;
            !opcode.is_terminator()
                && !opcode.is_eh_pad()
                && !matches!(opcode, Opcode::Phi | Opcode::Alloca | Opcode::VaArg)
        };
        if !self.insts().iter().all(moves) || self.cx.slice(self.lines).contains("musttail") {
            return None;
        }
        let inputs: Vec<LocalId> = self.used(true).into_iter().filter(|id| !self.is_inside(*id)).collect();
        let outputs: Vec<LocalId> = self.used(false).into_iter().filter(|id| self.is_inside(*id)).collect();
        let results = self.insts().iter().filter_map(|i| i.result);
        let moved: Vec<LocalId> = results.chain(inputs.iter().copied()).collect();
        // Before LLVM 20 numbers have no gaps.
        let keeps_numbers = self.cx.scope.llvm_level.is_none_or(|level| level >= 20);
        let is_numbered = |id: &LocalId| self.body.local(*id).is_some_and(|l| l.name.as_number().is_some());
        let passes = |id: &LocalId| {
            let kind = self.body.local(*id).map(|l| l.kind);
            matches!(kind, Some(LocalKind::Inst(_) | LocalKind::Argument(_)))
                && !matches!(&*self.ty(*id), "token" | "metadata" | "label" | "void" | "x86_amx")
        };
        if !inputs.iter().chain(&outputs).all(passes) || !keeps_numbers && moved.iter().any(is_numbered) {
            return None;
        }
        let summary = &self.cx.lowered.summary;
        let own = summary.functions.get(self.body.function as usize)?;
        let base = own.head.name.as_name().map_or("function", |name| summary.tables.names.get(name));
        let name = unused(&format!("{base}.extracted"), |name| self.cx.scope.global_named(name).is_some());
        let name = spell("@", &name);
        let typed = |id: &LocalId| format!("{} {}", self.ty(*id), self.name(*id));
        let list = inputs.iter().map(typed).collect::<Vec<_>>().join(", ");
        let types = outputs.iter().map(|id| self.ty(*id)).collect::<Vec<_>>();
        let result = match &*types {
            [] => "void".to_owned(),
            [one] => one.clone(),
            all => format!("{{ {} }}", all.join(", ")),
        };
        let indent = "  ";
        let attributes: String = self.view.target_attributes().iter().map(|a| format!(" {a}")).collect();
        // Without a name the first block would take the number of a value.
        let names: Vec<String> = moved.iter().map(|id| self.name(*id)).collect();
        let entry = unused("entry", |name| names.iter().any(|own| own.strip_prefix('%') == Some(name)));
        let mut made = format!(
            "define internal {result} {name}({list}){attributes} {{\n{entry}:\n{}",
            self.cx.slice(self.lines)
        );
        let mut call = format!("{indent}call {result} {name}({list})\n");
        match &*outputs {
            [] => made.push_str(&format!("{indent}ret void\n")),
            [one] => {
                made.push_str(&format!("{indent}ret {}\n", typed(one)));
                call = format!("{indent}{} = {}", self.name(*one), call.trim_start());
            }
            all => {
                let pair = self.fresh("extracted");
                call = format!("{indent}%{pair} = {}", call.trim_start());
                let mut whole = "poison".to_owned();
                for (n, id) in all.iter().enumerate() {
                    let next = self.fresh(&format!("result.{n}"));
                    made.push_str(&format!(
                        "{indent}%{next} = insertvalue {result} {whole}, {}, {n}\n",
                        typed(id)
                    ));
                    call.push_str(&format!(
                        "{indent}{} = extractvalue {result} %{pair}, {n}\n",
                        self.name(*id)
                    ));
                    whole = format!("%{next}");
                }
                made.push_str(&format!("{indent}ret {result} {whole}\n"));
            }
        }
        made.push_str("}\n\n");
        let before = TextRange::empty(function_span(self.cx, self.body).start());
        let edits = vec![TextEdit::new(before, made), TextEdit::new(self.lines, call)];
        Some(Action::rewrite(format!("Extract into a function `{name}`"), edits))
    }

    fn as_block(&self) -> Option<Action> {
        let block = self.body.blocks.get(self.block as usize)?;
        let insts = self.insts();
        if insts.iter().any(|i| i.opcode == Opcode::Phi || i.opcode.is_eh_pad()) {
            return None;
        }
        let begins = self.first == block.insts.start as usize;
        let ends = insts.last()?.opcode.is_terminator();
        if begins && ends {
            return None;
        }
        let (own, rest) = (self.fresh("extracted"), self.fresh("rest"));
        let start = TextRange::empty(self.lines.start());
        let end = TextRange::empty(self.lines.end());
        let mut edits = Vec::new();
        if !begins {
            edits.push(TextEdit::new(start, format!("  br label %{own}\n\n{own}:\n")));
        }
        if !ends {
            edits.push(TextEdit::new(end, format!("  br label %{rest}\n\n{rest}:\n")));
        }
        // Blocks that come after know the block by its end.
        let last = if ends { own } else { rest };
        for (index, inst) in self.body.insts.iter().enumerate().filter(|(_, i)| i.opcode == Opcode::Phi) {
            for (n, operand) in self.body.operands(inst.operands).iter().enumerate() {
                if operand.value == Value::Local(block.local) {
                    let range = self.body.operand_range(wavelens_llvm::body::InstId(index as u32), n as u32);
                    edits.push(TextEdit::new(range, format!("%{last}")));
                }
            }
        }
        edits.sort_by_key(|edit| edit.range.start());
        Some(Action::rewrite("Extract into a block", edits))
    }
}

/// The name, or the name with a number.
fn unused(wanted: &str, taken: impl Fn(&str) -> bool) -> String {
    if !taken(wanted) {
        return wanted.to_owned();
    }
    (1u32..).map(|n| format!("{wanted}.{n}")).find(|name| !taken(name)).unwrap_or_default()
}
