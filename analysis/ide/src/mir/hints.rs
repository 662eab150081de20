//! Inlay hints in Machine IR: types of generic registers at their uses.

use wavelens_semantics::mir::model::{RegisterName, Type};

use super::Cx;
use super::ide_support::{function, ir};
use crate::answers::{Hint, HintKind};

/// The hints in the chunk.
pub fn hints(cx: &Cx<'_>) -> Vec<Hint> {
    if let Some(inner) = ir(cx) {
        return crate::llvm::hints::hints(&inner);
    }
    let Some(f) = function(cx) else { return Vec::new() };
    let mut types: Vec<Option<Type>> = vec![None; f.registers.len()];
    let virtuals = || {
        f.operands.iter().filter_map(|o| match o.register() {
            Some(r) => match r.name {
                RegisterName::Virtual(v) => Some((o, r, v as usize)),
                _ => None,
            },
            None => None,
        })
    };
    for (_, register, v) in virtuals() {
        if let (Some(ty), Some(slot)) = (register.ty, types.get_mut(v)) {
            *slot = Some(ty);
        }
    }
    virtuals()
        .filter(|(operand, register, _)| !operand.is_def() && register.ty.is_none())
        .filter_map(|(operand, _, v)| {
            let ty = types.get(v).copied().flatten()?;
            let label = format!("({ty})");
            Some(Hint { offset: operand.range.end(), label, tooltip: String::new(), kind: HintKind::Type })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use wavelens_semantics::Dialect;

    use crate::features;
    use crate::features::tests::at_cursor;

    #[test]
    fn uses_show_the_type_of_their_definition() {
        let text = "---\nname: f\nbody: |\n  bb.0:\n    %0:_(<2 x s16>) = G_IMPLICIT_DEF\n    %1:_(<2 x s16>) = G_ADD %0, %0\n    %2:vgpr_32 = COPY %1\n...\n";
        let shown = at_cursor(Dialect::Mir, text, |view, _| {
            let mut shown = view.whole_text();
            let mut hints = features::hints(
                view,
                wavelens_semantics::TextRange::up_to(wavelens_semantics::TextSize::of(text)),
            );
            hints.sort_by_key(|h| std::cmp::Reverse(h.offset));
            hints.iter().for_each(|h| shown.insert_str(h.offset.into(), &h.label));
            shown.lines().skip(4).take(3).map(|l| format!("{}\n", l.trim())).collect::<String>()
        });
        expect![[r#"
            %0:_(<2 x s16>) = G_IMPLICIT_DEF
            %1:_(<2 x s16>) = G_ADD %0(<2 x s16>), %0(<2 x s16>)
            %2:vgpr_32 = COPY %1(<2 x s16>)
        "#]]
        .assert_eq(&shown);
    }
}
