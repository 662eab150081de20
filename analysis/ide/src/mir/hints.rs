//! Inlay hints in Machine IR: types of generic registers at their uses, fields of waits, predecessors of blocks.

use wavelens_base::TextSize;
use wavelens_base::cfg::{Cfg, Dominators};
use wavelens_mir::model::{Function, RegisterName, Type};

use super::ide_support::{function, ir, successors};
use super::{Cx, waits};
use crate::answers::{Hint, HintKind};
use crate::loops::{BlockText, Loops};

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
    let mut hints: Vec<Hint> = virtuals()
        .filter(|(operand, register, _)| !operand.is_def() && register.ty.is_none())
        .filter_map(|(operand, _, v)| {
            let ty = types.get(v).copied().flatten()?;
            let label = format!("({ty})");
            Some(Hint::new(operand.range.end(), label, HintKind::Type).minor_if(true))
        })
        .collect();
    for inst in &f.instructions {
        if let Some(label) = waits::fields(cx, f, inst) {
            let hint = Hint::new(inst.range.end(), label, HintKind::Note);
            hints.push(hint.tooltip("The fields of the number"));
        }
    }
    blocks(cx, f, &mut hints);
    hints
}

/// Predecessors and loop depth at labels. Predecessors are left out where LLVM's own comment lists them.
fn blocks(cx: &Cx<'_>, f: &Function, hints: &mut Vec<Hint>) {
    let next = (0..f.blocks.len()).map(|block| successors(cx, f, block).into_iter().map(|to| to as u32));
    let cfg = Cfg::new(next);
    let loops = Loops::new(&cfg, &Dominators::new(&cfg));
    for (index, block) in f.blocks.iter().enumerate() {
        let rest = cx.text.get(usize::from(block.range.end())..).unwrap_or("");
        let is_listed = rest.lines().take(2).any(|line| line.contains("; predecessors: "));
        let names = || {
            let mut from = cfg.predecessors(index as u32).to_vec();
            from.dedup();
            let from = from.into_iter().filter_map(|block| f.blocks.get(block as usize));
            from.map(|block| format!("%bb.{}", block.number)).collect()
        };
        let predecessors = (!is_listed && index > 0).then(names);
        let line = rest.find('\n').unwrap_or(rest.len());
        let offset = block.range.end() + TextSize::of(rest.get(..line).unwrap_or("").trim_end());
        hints.extend(BlockText::new(predecessors, loops.text(index)).hints(offset));
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use wavelens_base::Dialect;

    use crate::features;
    use crate::features::tests::at_cursor;

    #[test]
    fn uses_show_the_type_of_their_definition() {
        let text = "---\nname: f\nbody: |\n  bb.0:\n    %0:_(<2 x s16>) = G_IMPLICIT_DEF\n    %1:_(<2 x s16>) = G_ADD %0, %0\n    %2:vgpr_32 = COPY %1\n...\n";
        let shown = at_cursor(Dialect::Mir, text, |view, _| {
            let mut shown = view.whole_text();
            let mut hints =
                features::hints(view, wavelens_base::TextRange::up_to(wavelens_base::TextSize::of(text)));
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
