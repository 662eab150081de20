//! Completion of values and labels: those of the type that the position wants, which are defined on each path to it.

use wavelens_base::TextSize;
use wavelens_llvm::attribute::AttrKind;
use wavelens_llvm::body::{Body, InstId, LocalKind, Opcode};
use wavelens_llvm::context::RuleContext;
use wavelens_llvm::operand::LocalId;
use wavelens_llvm::scope::{GlobalInfo, GlobalKind};
use wavelens_llvm::types::TypeId;
use wavelens_syntax::llvm::LlvmKind::{self, *};

use super::{Place, types};
use crate::answers::{Completion, CompletionKind};
use crate::llvm::Cx;
use crate::llvm::place::{body_at, function_cx};

/// Does a type end with this token?
pub(super) fn ends_type(kind: LlvmKind) -> bool {
    matches!(kind, INT_TYPE | FLOAT_TYPE_KW | PTR_KW | R_BRACKET | GREATER | R_BRACE | METADATA_KW | VOID_KW)
}

/// Where a type that starts at a token ends: the token after it.
fn type_end(place: &Place<'_>, start: usize) -> Option<usize> {
    let kind = |at: usize| place.before.get(at).map(|(kind, _)| *kind);
    let close = |at: usize| {
        let mut depth = 0;
        (at..place.before.len()).find(|at| {
            match kind(*at) {
                Some(L_PAREN | L_BRACKET | L_BRACE | LESS) => depth += 1,
                Some(R_PAREN | R_BRACKET | R_BRACE | GREATER) => depth -= 1,
                _ => {}
            }
            depth == 0
        })
    };
    let end = match kind(start)? {
        PTR_KW if kind(start + 1) == Some(ADDRSPACE_KW) => Some(close(start + 2)? + 1),
        INT_TYPE | FLOAT_TYPE_KW | PTR_KW | METADATA_KW | LOCAL | LOCAL_ID => Some(start + 1),
        LESS | L_BRACKET | L_BRACE => Some(close(start)? + 1),
        _ => None,
    }?;
    // A pointer with the type that it points to.
    Some((end..).find(|at| kind(*at) != Some(STAR)).unwrap_or(end))
}

/// Whether a value comes now: the type before it is whole, and what follows the type are attributes.
pub(super) fn after_type(place: &Place<'_>) -> bool {
    if ends_type(place.last()) {
        return true;
    }
    let Some(end) = own_type(place).and_then(|start| type_end(place, start)) else { return false };
    let rest = place.before.get(end..).unwrap_or_default();
    let mut depth = 0;
    rest.iter().all(|(kind, text)| {
        match kind {
            L_PAREN => depth += 1,
            R_PAREN => depth -= 1,
            _ => {}
        }
        let is_inside = depth > 0 || *kind == R_PAREN || *kind == NUMBER;
        is_inside || AttrKind::from_word(text).is_some()
    })
}

/// Where the type of the operand at the cursor starts. Attributes may follow the type of an argument.
fn own_type(place: &Place<'_>) -> Option<usize> {
    let before = &place.before;
    let mut depth = 0;
    let mut from = before.iter().rposition(|(kind, _)| {
        match kind {
            R_PAREN | R_BRACKET | R_BRACE | GREATER => depth += 1,
            L_PAREN | L_BRACKET | L_BRACE | LESS => depth -= 1,
            _ => {}
        }
        depth < 0 || depth == 0 && *kind == COMMA
    });
    from = from.max(Some(place.opcode_at()));
    (from? + 1..before.len()).find(|at| type_end(place, *at).is_some())
}

/// Whether the operands after the first have its type, which is written once.
fn shares_type(place: &Place<'_>) -> bool {
    let opcode = place.opcode().and_then(Opcode::from_word);
    opcode.is_some_and(|o| o.is_binary() || matches!(o, Opcode::ICmp | Opcode::FCmp | Opcode::Phi))
}

/// The type that the value at the cursor should have, as written.
pub(super) fn expected_type(place: &Place<'_>) -> Option<String> {
    let before = &place.before;
    let first_after_opcode =
        || (place.opcode_at() + 1..before.len()).find(|at| type_end(place, *at).is_some());
    let start = match place.last() {
        COMMA | L_BRACKET if shares_type(place) => first_after_opcode(),
        COMMA | L_BRACKET | L_PAREN => None,
        _ => own_type(place),
    }?;
    let end = type_end(place, start)?;
    if end > start + 1 && before.get(end - 1).is_some_and(|(kind, _)| *kind == STAR) {
        return Some("ptr".to_owned());
    }
    let words: Vec<&str> = before.get(start..end)?.iter().map(|(_, text)| *text).collect();
    Some(words.join(" "))
}

fn in_phi_entry(place: &Place<'_>) -> bool {
    let open = place.before.iter().rposition(|(k, _)| *k == L_BRACKET);
    let since = open.and_then(|open| place.before.get(open..)).unwrap_or(&[]);
    place.opcode() == Some("phi")
        && since.iter().any(|(k, _)| *k == COMMA)
        && !since.iter().any(|(k, _)| *k == R_BRACKET)
}

/// The statement at the cursor, in its function.
struct Here<'c, 'db> {
    view: &'c RuleContext<'db>,
    /// The first instruction that is not before it.
    next: InstId,
    block: u32,
    is_phi: bool,
    /// The block that is written after a phi's value.
    from: Option<u32>,
}

impl<'c, 'db> Here<'c, 'db> {
    fn new(view: &'c RuleContext<'db>, place: &Place<'_>, after: &str) -> Here<'c, 'db> {
        let body = view.body;
        let start = place.start;
        let next = body.inst_ranges.partition_point(|range| range.start() < start) as u32;
        let starts = |block: u32| {
            let label = body.blocks.get(block as usize).and_then(|block| body.local(block.local));
            label.is_some_and(|label| label.range.start() <= start)
        };
        let last = (0..body.blocks.len() as u32).take_while(|block| *block == 0 || starts(*block)).last();
        let is_phi = place.opcode() == Some("phi");
        let label = after.trim_start().strip_prefix(',').and_then(|after| after.split([']', '\n']).next());
        let named = |block: &u32| {
            let block = body.blocks.get(*block as usize).and_then(|block| body.local(block.local));
            block.is_some_and(|block| {
                Some(block.name.display('%', &body.tables.names).as_str()) == label.map(str::trim)
            })
        };
        let from = (0..body.blocks.len() as u32).find(named).filter(|_| is_phi);
        Here { view, next: InstId(next), block: last.unwrap_or(0), is_phi, from }
    }

    /// Whether the statement may use the result of an instruction.
    fn allows(&self, definition: InstId) -> bool {
        if self.is_phi {
            if let Some(block) = self.from {
                return self.view.dominates(definition, block, None);
            }
            let mut from = self.view.cfg().predecessors(self.block).iter();
            return from.any(|block| self.view.dominates(definition, *block, None));
        }
        self.view.dominates(definition, self.block, Some(self.next))
    }

    /// The order of a label in the list; `None` where control cannot go to it, or for a phi not come from it.
    fn label_rank(&self, body: &Body, block: u32, label: &str, place: &Place<'_>) -> Option<u8> {
        if !self.is_phi {
            return (block != 0).then_some(10);
        }
        let is_written = place.before.iter().any(|(_, text)| *text == label);
        // The block may be new, with no branch to it yet.
        let all = self.view.cfg().predecessors(self.block);
        let is_one = all.contains(&block) || all.is_empty() && (block as usize) < body.blocks.len();
        is_one.then_some(if is_written { 40 } else { 10 })
    }
}

/// Names that start with a percent sign.
pub(super) fn percent(cx: &Cx<'_>, at: TextSize, place: &Place<'_>, items: &mut Vec<Completion>) {
    // What begins a statement is a new name.
    if place.before.is_empty() {
        return;
    }
    let labels = place.last() == LABEL_KW || in_phi_entry(place);
    let expected = expected_type(place);
    if !labels && expected.is_none() {
        types(cx, place, items, 30);
        if place.last() == COMMA || place.last() == L_PAREN {
            return;
        }
    }
    if place.in_body
        && let Some(body) = body_at(cx, at)
        && let Some(view) = function_cx(cx, body)
    {
        let here = Here::new(&view, place, cx.text.get(usize::from(at)..).unwrap_or(""));
        // A name of a type may be another type's.
        let is_named = expected.as_deref().is_some_and(|ty| ty.contains(['%', '(']));
        let found = items.len();
        for fits in [true, false] {
            if !fits && !(is_named && items.len() == found) {
                break;
            }
            for index in 0..body.locals.len() as u32 {
                let expected = expected.as_deref().filter(|_| fits);
                items.extend(local(&here, LocalId(index), place, labels, expected));
            }
        }
    }
}

/// A block, where labels are wanted, or else a value of the expected type.
fn local(
    here: &Here<'_, '_>,
    id: LocalId,
    place: &Place<'_>,
    labels: bool,
    expected: Option<&str>,
) -> Option<Completion> {
    let (view, body) = (here.view, here.view.body);
    let local = body.local(id)?;
    let label = local.name.display('%', &body.tables.names);
    let rank = match local.kind {
        LocalKind::Block(block) if labels => here.label_rank(body, block, &label, place)?,
        LocalKind::Argument(_) if !labels => 10,
        LocalKind::Inst(inst) if !labels && here.allows(InstId(inst)) => 10,
        _ => return None,
    };
    if labels {
        return Some(Completion::new(CompletionKind::Label, place.range, label).rank(rank));
    }
    let ty = view.display_ty(view.local_ty(id));
    let fits = expected.is_none_or(|expected| squeeze(expected) == squeeze(&ty));
    let item = Completion::new(CompletionKind::Local, place.range, label).detail(ty);
    match view.local_ty(id) {
        // What it is depends on something that is not understood.
        TypeId::ERROR => Some(item.rank(80)),
        _ => fits.then(|| item.rank(rank)),
    }
}

/// Which globals a position wants.
pub(super) enum GlobalFilter {
    Any,
    /// Functions that return a type, as written without blanks, and what may be a pointer to such.
    Returns(String),
    /// What is in an address space.
    In(u32),
    /// None: the type is not a pointer.
    Nothing,
}

impl GlobalFilter {
    pub(super) fn new(place: &Place<'_>, is_callee: bool) -> GlobalFilter {
        let Some(ty) = expected_type(place).map(|ty| squeeze(&ty)) else { return GlobalFilter::Any };
        if is_callee {
            // The type of a function is not followed by that of a result.
            let is_result = place.last() != R_PAREN && !ty.contains('%');
            return if is_result { GlobalFilter::Returns(ty) } else { GlobalFilter::Any };
        }
        match ty.strip_prefix("ptr") {
            Some("") => GlobalFilter::In(0),
            Some(space) => {
                let number = space.trim_start_matches("addrspace(").trim_end_matches(')').parse();
                number.map_or(GlobalFilter::Any, GlobalFilter::In)
            }
            // A vector of pointers has no name, and a named type may be anything.
            None if ty.starts_with('%') || ty == "metadata" => GlobalFilter::Any,
            None => GlobalFilter::Nothing,
        }
    }

    pub(super) fn allows(&self, cx: &Cx<'_>, global: &GlobalInfo) -> bool {
        match self {
            GlobalFilter::Any => true,
            GlobalFilter::Returns(ty) => match global.kind {
                GlobalKind::Function(_) => {
                    let own = squeeze(&cx.scope.display_type(&cx.scope.types, global.value_type));
                    own.strip_prefix(ty.as_str()).is_some_and(|rest| rest.starts_with('('))
                }
                _ => true,
            },
            GlobalFilter::In(space) => global.address_space == *space,
            GlobalFilter::Nothing => false,
        }
    }
}

fn squeeze(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}
