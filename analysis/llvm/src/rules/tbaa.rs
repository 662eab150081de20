//! `!tbaa`: access tags and their type descriptors.
//!
//! Source: LLVM Language Reference, "'tbaa' Metadata".

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::body::Opcode;
use super::super::metadata_view::Md;
use super::super::scope::{NodeRef, Scope};
use crate::context::RuleContext;
use wavelens_base::{Lack, Rule, Severity, Verdict, fail};

wavelens_syntax::rules! {
    TBAA {
        code: "tbaa",
        severity: Severity::Error,
        title: "a `!tbaa` tag and its type descriptors are well formed",
        explain: "Alias analysis concludes from access tags that two accesses do not overlap. A tag is `!{base \
            type, access type, offset}`; the access type must be found in the base type at that offset.",
        example: r#"define i32 @f(ptr %p) {
  %x = load i32, ptr %p, !tbaa !0
  ret i32 %x
}
!0 = !{!1, !1, i64 4}
!1 = !{!"int", !2, i64 0}
!2 = !{!"root"}
"#,
        fixed: r#"define i32 @f(ptr %p) {
  %x = load i32, ptr %p, !tbaa !0
  ret i32 %x
}
!0 = !{!1, !1, i64 0}
!1 = !{!"int", !2, i64 0}
!2 = !{!"root"}
"#,
        source: "LLVM `TBAAVerifier::visitTBAAMetadata`: \"Offset not zero at the point of scalar access\"; LLVM \
            Language Reference, \"'tbaa' Metadata\"",
    }
}

pub(super) fn function(cx: &mut RuleContext<'_>) {
    let body = cx.body;
    let Some(kind) = body.tables.names.find("tbaa") else { return };
    let scope = cx.scope;
    let mut known: FxHashMap<(u32, u32), Verdict> = FxHashMap::default();
    let mut scalars = Scalars::default();
    for (id, inst) in cx.insts() {
        let attachments = body.attachments(inst);
        let Some(n) = attachments.iter().position(|a| a.kind == kind) else { continue };
        let Some(tag) = cx.node(attachments[n].value) else { continue };
        let allowed = matches!(
            inst.opcode,
            Opcode::Load | Opcode::Store | Opcode::Call | Opcode::VaArg | Opcode::AtomicRmw | Opcode::CmpXchg
        );
        let verdict = if allowed {
            known.entry(tag.key()).or_insert_with(|| scalars.check_tag(scope, tag)).clone()
        } else if tag.is_tuple() && !tag.is_empty() {
            fail(&TBAA, format!("`!tbaa` does not apply to `{}`", inst.opcode.word()))
        } else {
            fail(&TBAA, "a `!tbaa` tag must not be empty")
        };
        if let Err(fault) = verdict {
            let at = inst.attachments.start as usize + n;
            let range = body.ranges.cold.attachments.get(at).copied().unwrap_or_else(|| body.inst_range(id));
            // A tag is wrong once, however many accesses have it.
            let lack = Lack::InFile(format!("!tbaa {:?} {}", tag.key(), fault.message).into());
            cx.diagnostics.push(fault.diagnostic(|_| range).with_lack(lack));
        }
    }
}

/// Steps of a struct path that are followed. Tags can share a path, so that a longer one would be walked for each of them.
const MAX_PATH: usize = 200;

/// The same rule as a warning: LLVM reads what is not checked here.
static UNCHECKED: Rule = Rule { severity: Severity::Warning, ..TBAA };

/// What walking a tag found out.
enum Stop {
    Wrong(String),
    /// The path has more than [`MAX_PATH`] steps.
    Limit,
    /// Something is not known: be silent.
    Unknown,
}

impl Stop {
    fn wrong(self) -> Option<String> {
        match self {
            Stop::Wrong(why) => Some(why),
            Stop::Limit | Stop::Unknown => None,
        }
    }
}

impl From<&str> for Stop {
    fn from(text: &str) -> Stop {
        Stop::Wrong(text.into())
    }
}

/// What is not known is right.
pub(super) fn check_tag(scope: &Scope, tag: NodeRef<'_>) -> Verdict {
    Scalars::default().check_tag(scope, tag)
}

/// Bits of a type's offsets, if it has any; or what is wrong with the type, if it was not told before.
type OffsetWidth = Result<Option<u32>, Option<String>>;

/// Whether type descriptors are scalar types, and how wide their offsets are. Tags share descriptors: each is looked at once.
#[derive(Default)]
struct Scalars {
    known: FxHashMap<(u32, u32), bool>,
    widths: FxHashMap<((u32, u32), bool), OffsetWidth>,
}

impl Scalars {
    fn check_tag(&mut self, scope: &Scope, tag: NodeRef<'_>) -> Verdict {
        match walk(scope, tag, self) {
            Err(Stop::Wrong(why)) => fail(&TBAA, why),
            Err(Stop::Limit) => {
                let message =
                    format!("the struct path of the tag has more than {MAX_PATH} steps and is not checked");
                fail(&UNCHECKED, message)
            }
            Ok(()) | Err(Stop::Unknown) => Ok(()),
        }
    }

    /// As [`base_width`].
    fn width(&mut self, scope: &Scope, base: NodeRef<'_>, new: bool) -> Result<Option<u32>, Stop> {
        let key = (base.key(), new);
        let known = self.widths.get(&key).cloned();
        let width = known.unwrap_or_else(|| {
            let width = base_width(scope, base, new, self).map_err(Stop::wrong);
            self.widths.insert(key, width.clone());
            width
        });
        width.map_err(|why| why.map_or(Stop::Unknown, Stop::Wrong))
    }

    fn is_scalar(&mut self, scope: &Scope, ty: NodeRef<'_>) -> bool {
        let mut at = ty;
        let mut path: FxHashSet<(u32, u32)> = FxHashSet::default();
        let is_scalar = loop {
            // A longer chain counts as a scalar: the path of the tag reports it.
            if path.len() > MAX_PATH {
                break true;
            }
            if let Some(known) = self.known.get(&at.key()) {
                break *known;
            }
            if !path.insert(at.key()) {
                break false;
            }
            if !at.is_tuple()
                || !matches!(at.len(), 2 | 3)
                || !matches!(at.operand(scope, 0), Md::String(_) | Md::Unknown)
            {
                break false;
            }
            if at.len() == 3 && !matches!(at.operand(scope, 2), Md::Int { value: Some(0), .. } | Md::Unknown)
            {
                break false;
            }
            match at.operand(scope, 1) {
                Md::Node(parent) if parent.len() >= 2 => at = parent,
                Md::Node(_) | Md::Unknown => break true,
                _ => break false,
            }
        };
        self.known.extend(path.into_iter().map(|key| (key, is_scalar)));
        is_scalar
    }
}

fn walk(scope: &Scope, tag: NodeRef<'_>, scalars: &mut Scalars) -> Result<(), Stop> {
    if !tag.is_tuple() {
        return Err(Stop::Unknown);
    }
    if tag.is_empty() {
        return Err("a `!tbaa` tag must not be empty".into());
    }
    let base = match tag.operand(scope, 0) {
        Md::Unknown => return Err(Stop::Unknown),
        Md::Node(base) if tag.len() >= 3 => base,
        _ => return scalar_tag(scope, tag, scalars),
    };
    let access = match tag.operand(scope, 1) {
        Md::Unknown => return Err(Stop::Unknown),
        access => access.node(),
    };
    let new = access.is_some_and(|a| is_new(scope, a));
    if new && !matches!(tag.len(), 4 | 5) {
        return Err("a tag with sizes must have 4 or 5 operands".into());
    }
    if !new && tag.len() >= 5 {
        return Err("a tag must have 3 or 4 operands".into());
    }
    if new && !is_int(tag.operand(scope, 3)) {
        return Err("the size of the access must be an integer".into());
    }
    let flag = if new { 4 } else { 3 };
    if tag.len() == flag + 1 {
        match tag.operand(scope, flag) {
            Md::Unknown => return Err(Stop::Unknown),
            Md::Int { value: Some(0 | 1) | None, .. } => {}
            Md::Int { .. } => return Err("the flag for constant memory must be 0 or 1".into()),
            _ => return Err("the flag for constant memory must be an integer".into()),
        }
    }
    let Some(access) = access else {
        return Err("the base and access type of a tag must be nodes".into());
    };
    if !new && !scalars.is_scalar(scope, access) {
        return Err("the access type must be a scalar type, `!{!\"name\", parent, i64 0}`".into());
    }
    let (bits, mut offset) = match tag.operand(scope, 2) {
        Md::Int { bits, value: Some(value) } => (bits, value),
        Md::Unknown | Md::Int { .. } => return Err(Stop::Unknown),
        _ => return Err("the offset of a tag must be an integer".into()),
    };
    let mut base = Some(base);
    let mut seen_access = false;
    let mut path: FxHashSet<(u32, u32)> = FxHashSet::default();
    while let Some(at) = base.filter(|b| b.len() >= 2) {
        if !path.insert(at.key()) {
            return Err("the struct path of the tag is cyclic".into());
        }
        if path.len() > MAX_PATH {
            return Err(Stop::Limit);
        }
        let width = scalars.width(scope, at, new)?;
        seen_access |= at.key() == access.key();
        if (scalars.is_scalar(scope, at) || at.key() == access.key()) && offset != 0 {
            return Err(Stop::Wrong(format!("the offset in a scalar type must be 0, is {offset}")));
        }
        let fits = match width {
            Some(0) => offset == 0,
            Some(width) => width == bits,
            None => new,
        };
        if !fits {
            let width = width.unwrap_or(0);
            return Err(Stop::Wrong(format!(
                "the offset of the tag is `i{bits}`, but those of the type are `i{width}`"
            )));
        }
        if new && seen_access {
            break;
        }
        base = Some(field_at(scope, at, &mut offset, new)?);
    }
    if seen_access {
        Ok(())
    } else {
        Err("the base type does not have a field of the access type at this offset".into())
    }
}

/// A tag of old, `!{!"int", parent}` or with a flag for constant memory: LLVM turns it into a path of one step.
fn scalar_tag(scope: &Scope, tag: NodeRef<'_>, scalars: &mut Scalars) -> Result<(), Stop> {
    let flagged = tag.len() == 3;
    if flagged {
        match tag.operand(scope, 2) {
            Md::Unknown | Md::Int { value: Some(0 | 1) | None, .. } => {}
            _ => return Err("the flag for constant memory must be 0 or 1".into()),
        }
    }
    let right = if flagged {
        let parent = tag.operand(scope, 1);
        matches!(tag.operand(scope, 0), Md::String(_) | Md::Unknown)
            && (parent.is_unknown()
                || parent.node().is_some_and(|p| p.len() < 2 || scalars.is_scalar(scope, p)))
    } else {
        scalars.is_scalar(scope, tag)
    };
    if right { Ok(()) } else { Err("a tag must have the form `!{base type, access type, offset}`".into()) }
}

fn is_int(md: Md<'_>) -> bool {
    matches!(md, Md::Int { .. } | Md::Unknown)
}

/// Whether a type descriptor has the form with sizes: its parent comes first.
fn is_new(scope: &Scope, ty: NodeRef<'_>) -> bool {
    ty.len() >= 3 && matches!(ty.operand(scope, 0), Md::Node(_))
}

/// The width of a base type's offsets: 0 for a scalar, `None` if it has no fields.
fn base_width(
    scope: &Scope,
    base: NodeRef<'_>,
    new: bool,
    scalars: &mut Scalars,
) -> Result<Option<u32>, Stop> {
    if base.len() == 2 {
        return if scalars.is_scalar(scope, base) { Ok(Some(0)) } else { Err(Stop::Unknown) };
    }
    if new && !base.len().is_multiple_of(3) {
        return Err("a type descriptor with sizes must have 3 operands and 3 more per field".into());
    }
    if !new && base.len() % 2 != 1 {
        return Err("a struct type must have a name and then a type and an offset per field".into());
    }
    if new && !is_int(base.operand(scope, 1)) {
        return Err("the size of a type must be an integer".into());
    }
    if !new && !matches!(base.operand(scope, 0), Md::String(_) | Md::Unknown) {
        return Err("the first operand of a struct type, its name, must be a string".into());
    }
    let (first, step) = if new { (3, 3) } else { (1, 2) };
    let (mut width, mut last) = (None, None);
    for n in (first..base.len()).step_by(step) {
        match base.operand(scope, n) {
            Md::Node(_) => {}
            Md::Unknown => return Err(Stop::Unknown),
            _ => return Err("the type of a field must be a node".into()),
        }
        let (bits, offset) = match base.operand(scope, n + 1) {
            Md::Int { bits, value: Some(value) } => (bits, value),
            Md::Unknown | Md::Int { .. } => return Err(Stop::Unknown),
            _ => return Err("the offset of a field must be an integer".into()),
        };
        if *width.get_or_insert(bits) != bits {
            return Err("the offsets of a type must have the same width".into());
        }
        if last.is_some_and(|last| last > offset) {
            return Err("the offsets of a type must not decrease".into());
        }
        last = Some(offset);
        if new && !is_int(base.operand(scope, n + 2)) {
            return Err("the size of a field must be an integer".into());
        }
    }
    Ok(width)
}

/// The field that holds `offset`, which becomes relative to it.
fn field_at<'s>(
    scope: &'s Scope,
    base: NodeRef<'s>,
    offset: &mut u64,
    new: bool,
) -> Result<NodeRef<'s>, Stop> {
    if base.len() == 2 {
        return base.operand(scope, 1).node().ok_or(Stop::Unknown);
    }
    let (first, step) = if new { (3, 3) } else { (1, 2) };
    let start = |field: usize| match base.operand(scope, first + field * step + 1) {
        Md::Int { value: Some(start), .. } => Ok(start),
        _ => Err(Stop::Unknown),
    };
    // The fields up to `low` start at the offset or before it: `base_width` has found them in order.
    let (mut low, mut high) = (0, base.len().saturating_sub(first) / step);
    while low < high {
        let middle = low.midpoint(high);
        match start(middle)? <= *offset {
            true => low = middle + 1,
            false => high = middle,
        }
    }
    let Some(field) = low.checked_sub(1) else {
        return Err(Stop::Wrong(format!("the type does not have a field at offset {offset}")));
    };
    *offset -= start(field)?;
    base.operand(scope, first + field * step).node().ok_or(Stop::Unknown)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::{check, marks};

    #[test]
    fn faults() {
        marks(expect![[r#"
            !llvm.errno.tbaa = !{!0}
            !0 = !{!1, !2, i64 0}
            ;    ^^^^^^^^^^^^^^^^ error[tbaa]: the access type must be a scalar type, `!{!"name", parent, i64 0}`
            !1 = !{!"int", !2, i64 0}
            !2 = !{!"root"}
        "#]]);
        marks(expect![[r#"
            define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
              store i32 0, ptr %p, !tbaa !0
            ;                      ^^^^^^^^ error[tbaa]: a `!tbaa` tag must not be empty
              ret void
            }
            !0 = !{}
        "#]]);
        marks(expect![[r#"
            define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
              %a = add i32 %i, 1, !tbaa !0
            ;                     ^^^^^^^^ error[tbaa]: `!tbaa` does not apply to `add`
              ret void
            }
            !0 = !{!1, !1, i64 0}
            !1 = !{!"int", !2, i64 0}
            !2 = !{!"root"}
        "#]]);
        marks(expect![[r#"
            define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
              store i32 0, ptr %p, !tbaa !0
            ;                      ^^^^^^^^ error[tbaa]: the offset of a tag must be an integer
              ret void
            }
            !0 = !{!1, !1, !"0"}
            !1 = !{!"int", !2, i64 0}
            !2 = !{!"root"}
        "#]]);
    }

    #[test]
    fn a_scalar_type_is_a_tag_with_a_flag_for_constant_memory() {
        marks(expect![[r#"
            define void @f(ptr %p) {
              %a = load i32, ptr %p, !tbaa !0
              %b = load i32, ptr %p, !tbaa !2
            ;                        ^^^^^^^^ error[tbaa]: the flag for constant memory must be 0 or 1
              ret void
            }
            !0 = !{!"int", !1, i64 1}
            !1 = !{!"root"}
            !2 = !{!"int", !1, i64 2}
        "#]]);
    }

    #[test]
    fn a_wrong_tag_is_one_finding() {
        marks(expect![[r#"
            define void @f(ptr %p) {
              %a = load i32, ptr %p, !tbaa !0
            ;                        ^^^^^^^^ error[tbaa]: the offset of the tag is `i64`, but those of the type are `i63`
            ;                               = line 3:25: also here
            ;                               = line 7:24: also here
              store i32 %a, ptr %p, !tbaa !0
              ret void
            }
            define void @g(ptr %p) {
              store i32 0, ptr %p, !tbaa !0
              ret void
            }
            !0 = !{!1, !1, i64 0}
            !1 = !{!"int", !2, i63 0}
            !2 = !{!"root"}
        "#]]);
    }

    #[test]
    fn a_long_path_is_not_followed_and_reported() {
        let node = |n: u32| format!("!{n} = !{{!\"t{n}\", !{}, i64 0}}\n", n + 1);
        let path = |len: u32| {
            let nodes: String = (1..len).map(node).collect();
            let text = "define i32 @f(ptr %p) {\n  %x = load i32, ptr %p, !tbaa !0\n  ret i32 %x\n}\n";
            let last = len - 1;
            format!("{text}!0 = !{{!1, !{last}, i64 0}}\n{nodes}!{len} = !{{!\"root\"}}\n")
        };
        check(&path(150), expect![""]);
        check(
            &path(250),
            expect![[r#"
                warning[tbaa] 2:26 `!tbaa !0`: the struct path of the tag has more than 200 steps and is not checked
            "#]],
        );
    }
}
