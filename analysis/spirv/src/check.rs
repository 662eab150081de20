//! Runs the rules: over the module, and over one chunk within it.

use std::cell::OnceCell;
use std::ops::{Deref, Range};
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use wavelens_syntax::spirv::tables::{ExtSet, Op};
use wavelens_syntax::wording;

use super::code::Id;
use super::context::{Definition, RuleContext};
use super::flat::NONE;
use super::lower;
use super::lower::Lowered;
use super::operands::{Operands, Sound};
use super::ops;
use super::rules::decorations::ModuleFinding;
use super::rules::{
    self, annotation, assembler, cfg, decorations, extensions, id, instruction, interfaces, layout,
    specification, types,
};
use super::scope::{OPERAND_ITEM, Scope, Summary};
use wavelens_base::{ChunkId, Diagnostic, Fault, Lack, Options, Part, Place, TextEdit, TextRange, TextSize};

/// Builds the module from its chunks, in order, with the findings about it as a whole.
pub fn scope(summaries: &[(ChunkId, Arc<Summary>)], options: &Options) -> Scope {
    let mut scope = super::scope::build(summaries, options);
    instruction::module_version(&mut scope);
    layout::module(&mut scope, summaries);
    rules::types::unique(&mut scope);
    scope.sound = Sound::of(&scope);
    scope.source_lines = rules::debug_source::source_lines(&scope);
    for finding in module(&scope) {
        report(&mut scope, finding);
    }
    let mut found = std::mem::take(&mut scope.diagnostics);
    // An operand is one of the function's first instruction.
    let inst = |item: u32| if item & OPERAND_ITEM == 0 { item } else { 0 };
    // The assembler knows one module only.
    found.retain(|d| {
        d.diagnostic.rule == &lower::rules::REDEFINED_ID || !scope.is_after(d.chunk, inst(d.item))
    });
    scope.diagnostics = if scope.has_open_string { Vec::new() } else { found };
    scope
}

fn report(scope: &mut Scope, finding: ModuleFinding) {
    let Some((chunk, inst)) = scope.origin.get(finding.inst as usize).copied() else { return };
    let first = scope.first_operands.get(finding.inst as usize).copied();
    let operand = finding.operand.zip(first).map(|(operand, first)| OPERAND_ITEM | (first + operand));
    scope.report_at(chunk, operand.unwrap_or(inst), finding.rule, finding.message);
    if let Some((other, message)) = finding.related
        && let Some(place) = scope.origin.get(other as usize).copied()
    {
        scope.relate(place, message);
    }
    if let Some((operand, is_certain)) = finding.lacks {
        scope.append(&operand, is_certain);
    }
}

/// A chunk with its ranges: lowered again if they were forgotten.
struct ChunkRanges<'a> {
    lowered: &'a Lowered,
    text: &'a str,
    relowered: OnceCell<Lowered>,
}

impl Deref for ChunkRanges<'_> {
    type Target = Lowered;

    fn deref(&self) -> &Lowered {
        match self.lowered.has_ranges() {
            true => self.lowered,
            false => self.relowered.get_or_init(|| lower::lower(self.text)),
        }
    }
}

/// Collects a chunk's findings.
struct Findings<'a> {
    lowered: &'a ChunkRanges<'a>,
    first: u32,
    found: Vec<Diagnostic>,
}

impl Findings<'_> {
    fn inst_range(&self, at: u32) -> TextRange {
        let index = at.wrapping_sub(self.first) as usize;
        self.lowered.inst_ranges.get(index).copied().unwrap_or(TextRange::empty(TextSize::new(0)))
    }

    /// An operand's range; the instruction's range without that operand.
    fn range(&self, at: u32, operand: Option<usize>) -> TextRange {
        let index = at.wrapping_sub(self.first) as usize;
        let Some(operand) = operand else { return self.inst_range(at) };
        let flat = self.lowered.flat.insts.get(index);
        flat.filter(|i| operand < i.count as usize)
            .and_then(|i| self.lowered.operand_ranges.get(i.first as usize + operand))
            .copied()
            .unwrap_or_else(|| self.inst_range(at))
    }

    /// The instruction that defines an id.
    fn definition(&self, m: &RuleContext<'_>, id: Id) -> Option<Place> {
        match m.definition(id) {
            Definition::Here(at) => Some(Place::Here(self.inst_range(at))),
            Definition::Module(at) => m
                .scope
                .origin
                .get(at as usize)
                .map(|(chunk, item)| Place::Item { chunk: *chunk, item: *item }),
            Definition::Elsewhere | Definition::Missing => None,
        }
    }

    fn fault(&mut self, m: &RuleContext<'_>, at: u32, fault: Box<Fault>) {
        let operand = match fault.part {
            Part::Operand(operand) => Some(operand),
            _ => None,
        };
        let range = self.range(at, operand);
        let mut diagnostic = fault.diagnostic(|_| range);
        if diagnostic.rule == &id::UNDEFINED_ID
            && let Some((inst, operand)) = m.inst(at).zip(operand)
            && let Some(near) = id::suggestion(m, inst, operand)
        {
            let title = format!("Replace with `{near}`");
            // Numbers and types in names tell ids apart: another one is not certainly meant. A line that was not understood may define it.
            let is_certain = !m.scope.features.unread_line
                && id::is_same_but_for_a_slip(&near, &m.name(inst.operand(operand)));
            diagnostic = match is_certain {
                true => diagnostic.fix(title, range, near),
                false => diagnostic.guess(title, range, near),
            };
        }
        if let Some(inst) = m.inst(at).filter(|inst| inst.op() == Op::Extension)
            && let Some(meant) = extensions::misspelled(m.scope, &inst.string(0))
            && let Some(near) = extensions::name(meant)
        {
            let mut capabilities = m.insts().filter(|user| user.op() == Op::Capability && user.is_whole());
            if let Some(user) =
                capabilities.find(|user| extensions::is_needed(m.scope, meant, user.operand(0)))
            {
                let place = Place::Here(self.range(user.at, Some(0)));
                diagnostic = diagnostic.related(place, wording::SPIRV_REFERENCE);
            }
            let edit = TextEdit::new(range, format!("\"{near}\""));
            diagnostic = diagnostic.respell(format!("Replace with `{near}`"), edit, &inst.string(0), near);
        }
        // What is wrong with an operand is seen where it is defined.
        if diagnostic.related.is_empty()
            && let Some((inst, operand)) = m.inst(at).zip(operand)
            && inst.ids().any(|(index, ..)| index == operand)
            && let Some(place) = self.definition(m, inst.operand(operand))
        {
            diagnostic = diagnostic.related(place, "defined here");
        }
        self.found.push(diagnostic);
    }
}

/// The bound of ids, one more than the largest, is at most 0x3fffff (SPIR-V specification, section 2.17).
const MAX_ID: u32 = 0x3f_ffff;

/// All findings about one chunk.
pub fn check(lowered: &Lowered, scope: &Scope, chunk: ChunkId, text: &str) -> Vec<Diagnostic> {
    let placed = ChunkRanges { lowered, text, relowered: OnceCell::new() };
    let m = RuleContext::new(&lowered.flat, scope, chunk);
    let mut findings = Findings { lowered: &placed, first: m.first, found: Vec::new() };
    findings.found.extend(lowered.diagnostics.iter().map(|(_, diagnostic)| diagnostic.clone()));
    // Of number types the assembler says it.
    let is_reported = |at: u32| {
        let inst = lowered.flat.insts.get(at as usize);
        inst.is_some_and(|inst| matches!(inst.op, Op::TypeInt | Op::TypeFloat))
    };
    let malformed_injected = lowered.malformed_injected.iter().filter(|(at, _)| !is_reported(*at));
    findings.found.extend(malformed_injected.map(|(_, malformed)| malformed.clone()));
    // It holds what defines and declares the rest.
    if scope.has_open_string {
        return findings.found;
    }
    let is_after = |at: u32| scope.next_module.is_some() && scope.is_after(chunk, at - m.first);
    for (index, error) in &m.operand_errors {
        let at = m.first + index;
        let import = m.inst(at).filter(|inst| inst.is_ext_inst()).map(|inst| inst.operand(2));
        let set = import.filter(|_| error.operand == 2);
        if set.is_some_and(|set| is_wrong_import(&m, set)) {
            continue;
        }
        let of_set = |inst| id::missing(&m, inst, 2, set?, m.definition(set?)).err();
        if let Some(fault) =
            m.inst(at).and_then(|inst| id::undefined_type(&m, inst).err().or_else(|| of_set(inst)))
        {
            findings.fault(&m, at, fault);
            continue;
        }
        // The type's declaration has an error, which explains this one.
        let is_literal = error.rule == &lower::rules::INVALID_LITERAL;
        let is_wrong = |ty: Id| m.is_broken(ty) || m.def(ty).is_some_and(|def| types::is_wrong(&m, def));
        if is_literal && m.inst(at).is_some_and(|inst| is_wrong(inst.ty())) {
            continue;
        }
        let count = lowered.flat.insts.get(*index as usize).map_or(0, |i| i.count);
        // What is missing was expected after the last operand.
        let operand = error.operand.min(count.saturating_sub(1));
        let range = findings.range(at, Some(operand as usize));
        let mut diagnostic = Diagnostic::new(error.rule, range, error.message.clone());
        if error.rule == &lower::rules::MISSING_OPERAND {
            let next = Place::Here(placed.start(index + 1));
            diagnostic = diagnostic.related(next, wording::SPIRV_REFERENCE);
        }
        // Each use of what is not a set, or of one that is not known, is wrong.
        let is_unknown = |id: &Id| set.is_some() || m.scope.import(*id) == Some(ExtSet::NonSemanticUnknown);
        diagnostic.lack = import.filter(is_unknown).map(|id| Lack::InFile(m.name(id).into()));
        findings.found.push(diagnostic);
    }
    let duplicates = duplicates(&m);
    // The rules look at the first definition of an id; what follows a second one may mean that.
    let again: FxHashMap<Id, u32> =
        duplicates.iter().rev().filter_map(|(at, _)| Some((m.inst(*at)?.id(), *at))).collect();
    let is_again = |at: u32, id: Id| {
        m.scope.redefined.contains(&m.global(id)) || again.get(&id).is_some_and(|second| *second < at)
    };
    let is_ambiguous = |at: u32, fault: &Fault| match fault.part {
        Part::Operand(n) => {
            m.inst(at).is_some_and(|inst| inst.ids().any(|(i, _, id)| i == n && is_again(at, id)))
        }
        _ => false,
    };
    for (at, message) in duplicates {
        let first =
            m.flat.insts.get((at - m.first) as usize).and_then(|i| m.flat.names.get(i.result as usize));
        let result = |at: u32| super::item_range(&placed, at - m.first);
        let mut diagnostic = Diagnostic::new(&lower::rules::REDEFINED_ID, result(at), message);
        if let Some(first) = first {
            let place = Place::Here(result(m.first + first.def));
            diagnostic = diagnostic.related(place, wording::PREVIOUS);
        }
        findings.found.push(diagnostic);
    }
    for (inst, (chunk, item)) in scope.redefined_in_bodies.get(&chunk).into_iter().flatten().copied() {
        let result = m.flat.insts.get(inst as usize).map_or(NONE, |i| i.result);
        if m.flat.names.get(result as usize).is_none() {
            continue;
        }
        let message = wording::redefinition(format_args!("%{}", m.flat.name(result)));
        let diagnostic =
            Diagnostic::new(&lower::rules::REDEFINED_ID, super::item_range(&placed, inst), message);
        findings.found.push(diagnostic.related(Place::Item { chunk, item }, wording::PREVIOUS));
    }
    for local in 0..m.flat.names.len() as u32 {
        let is_number = m.flat.names.starts_with_digit(local);
        let number = is_number.then(|| super::literal::parse_u32(m.flat.name(local))).flatten();
        let (rule, message) = match number {
            Some(0) => {
                (&lower::rules::INVALID_ID, "id 0 is not valid: ids must be greater than 0".to_owned())
            }
            Some(MAX_ID..) => (&lower::rules::LIMIT, format!("ids must be less than the limit of {MAX_ID}")),
            _ => continue,
        };
        let user = m.flat.operands.iter().position(|o| o.form == super::flat::Form::Id && o.value == local);
        let range = user.and_then(|i| placed.operand_ranges.get(i)).copied().unwrap_or_default();
        findings.found.push(Diagnostic::new(rule, range, message));
    }
    let mut misplaced = Vec::new();
    let has_known_blocks = has_known_blocks(&m);
    if m.is_function() && has_known_blocks {
        layout::function(&m, |inst, message| misplaced.push((inst.at, message)));
    }
    // What is in the wrong place is reported for that alone, and an operand once.
    let own: FxHashSet<u32> = misplaced.iter().map(|(at, _)| *at).collect();
    let is_misplaced = |at: u32| own.contains(&at) || scope.misplaced.contains(&(chunk, at - m.first));
    let operand_of = |at: u32, fault: &Fault| match fault.part {
        Part::Operand(n) => m.inst(at)?.ids().find(|(i, ..)| *i == n).map(|(.., id)| id),
        _ => None,
    };
    let mut reported: FxHashSet<(u32, Part)> = FxHashSet::default();
    let faults = instruction_faults(&m).into_iter().filter(|(at, fault)| !is_ambiguous(*at, fault));
    let mut all: Vec<(u32, Box<Fault>)> = faults.collect();
    if has_known_blocks {
        cfg::check_functions(&m, &mut |at, fault| all.push((at, fault)));
    }
    specification::check(&m, &mut |at, fault| all.push((at, fault)));
    // Results whose type is reported where they are defined.
    let has_wrong_type = |(at, fault): &(u32, Box<Fault>)| {
        let inst = m.inst(*at).filter(|inst| inst.ty() != NONE && fault.part == Part::Operand(0))?;
        Some((inst.id(), *at))
    };
    // Only earlier ones explain a finding: of ids that are each other's type the first is reported.
    let wrong_results: FxHashMap<Id, u32> = all.iter().filter_map(has_wrong_type).collect();
    for (at, fault) in all {
        let is_own = |id: Id| m.inst(at).is_some_and(|inst| inst.id() == id);
        let is_explained = |id: Id| {
            wrong_results.get(&id).is_some_and(|definition| *definition < at)
                || m.def(id).is_some_and(|def| def.is_broken() || !is_own(id) && id::has_later_type(&m, def))
        };
        let is_independent = [&id::UNDEFINED_ID, &instruction::WRONG_VERSION].contains(&fault.rule);
        let is_consequence = !is_independent
            && (is_misplaced(at)
                || operand_of(at, &fault).is_some_and(is_explained)
                || fault.lack.is_none() && is_about_unknown(&m, at, operand_of(at, &fault)));
        // A line that was not understood holds what declares it.
        let is_declared = ![&id::UNDEFINED_ID, &annotation::DECORATION_TARGET].contains(&fault.rule);
        let is_lost = m.scope.features.unread_declaration && fault.lack.is_some() && is_declared;
        let is_again = fault.part != Part::Whole && !reported.insert((at, fault.part));
        if !is_after(at) && !is_consequence && !is_lost && !is_again {
            findings.fault(&m, at, fault);
        }
    }
    for (at, message) in misplaced.into_iter().filter(|(at, _)| !is_after(*at)) {
        findings.fault(&m, at, Fault::new(&layout::LAYOUT, message));
    }
    findings.found
}

/// Whether a finding about an operand, or else about a whole instruction, depends on a definition that is missing or could not be read.
fn is_about_unknown(m: &RuleContext<'_>, at: u32, operand: Option<Id>) -> bool {
    let is_unknown = |id: Id| m.is_incomplete(id, at);
    match (operand, m.inst(at)) {
        (Some(id), _) => is_unknown(id),
        // It lists variables that have nothing to do with each other.
        (None, Some(inst)) if inst.op() == Op::EntryPoint => false,
        (None, Some(inst)) => is_unknown(inst.ty()) || inst.ids().any(|(.., id)| is_unknown(id)),
        (None, None) => false,
    }
}

/// Whether all instructions that begin or end the blocks of a function were understood.
fn has_known_blocks(m: &RuleContext<'_>) -> bool {
    let is_of_structure = |op: Op| {
        matches!(op, Op::Nop | Op::Label | Op::SelectionMerge | Op::LoopMerge) || ops::is_terminator(op)
    };
    m.insts().all(|inst| !inst.is_broken() || !is_of_structure(inst.op()))
}

/// The fewest instructions that are worth another thread.
const SHARE: usize = 1024;

/// What the rules about single instructions find, in order. Those of a large function are looked at on all cores.
fn instruction_faults(m: &RuleContext<'_>) -> Vec<(u32, Box<Fault>)> {
    let find = |m: &RuleContext<'_>, range: Range<u32>| -> Vec<(u32, Box<Fault>)> {
        range.filter_map(|at| Some((at, instruction_fault(m, at)?))).collect()
    };
    let all = m.first..m.first + m.count;
    // Below a number of names similar ones are looked for, a limited number in all: in order.
    if m.flat.names.len() <= id::COMPARED {
        return find(m, all);
    }
    let share = |at: u32| (m.fork(), at..(at + SHARE as u32).min(all.end));
    let shares: Vec<_> = all.clone().step_by(SHARE).map(share).collect();
    shares.into_par_iter().flat_map_iter(|(m, range)| find(&m, range)).collect()
}

/// What the rules about one instruction find.
fn instruction_fault(m: &RuleContext<'_>, at: u32) -> Option<Box<Fault>> {
    let inst = m.inst(at)?;
    if inst.is_broken() {
        return None;
    }
    let outcome = assembler::check(m, inst).and_then(|()| {
        // The rules do not read injected words.
        if !inst.is_whole() {
            return Ok(());
        }
        let is_plain = m.has_plain_operands(inst);
        if !is_plain {
            id::check(m, inst)?;
        }
        instruction::check(m, inst)?;
        let operands = if is_plain { Operands::Plain } else { m.operands(inst) };
        if operands != Operands::Unsound {
            for pass in rules::passes(m, inst.op(), operands == Operands::Restricted) {
                pass(m, inst)?;
            }
        }
        Ok(())
    });
    outcome.err()
}

/// Whether an import is itself reported, as one of a set that does not exist.
fn is_wrong_import(m: &RuleContext<'_>, id: Id) -> bool {
    m.is_broken(id) || m.op(id) == Op::ExtInstImport && m.scope.import(id).is_none()
}

/// Findings about the module as a whole: instructions of the scope's code.
fn module(scope: &Scope) -> Vec<ModuleFinding> {
    let flat = super::flat::Flat::default();
    let m = RuleContext::of_scope(&flat, scope);
    let mut found = decorations::Found::default();
    decorations::check(&m, &mut found);
    interfaces::check(&m, &mut found);
    specification::module(&m, &mut found);
    found.0.retain(|finding| {
        let operand = finding.operand.and_then(|index| Some(m.inst(finding.inst)?.operand(index as usize)));
        !is_about_unknown(&m, finding.inst, operand)
    });
    found.0
}

/// Ids that a chunk of its own defines twice. The scope finds those of the preamble.
fn duplicates(m: &RuleContext<'_>) -> Vec<(u32, String)> {
    if !m.is_function() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (index, inst) in m.flat.insts.iter().enumerate() {
        if let Some(name) = m.flat.names.get(inst.result as usize)
            && name.def != index as u32
        {
            found.push((m.first + index as u32, format!("redefinition of `%{}`", m.flat.name(inst.result))));
        }
    }
    found
}

#[cfg(test)]
mod tests;
