//! Completion in Machine IR.

use wavelens_isa::mir::Class;
use wavelens_syntax::mir::MirKind;

use super::Cx;
use super::ide_support::{function, ir, is_written_class, tables, token_at};
use super::lower::keys::{FUNCTION, Key, Shape};
use crate::ide::{Completion, CompletionKind};
use crate::{TextRange, TextSize, llvm};

/// A key of the function's YAML, with the value that people mean where it says yes or no.
fn key(key: &Key, range: TextRange) -> Completion {
    let value = match key.shape {
        Shape::Bool | Shape::OptionalBool => " true",
        Shape::List(_) | Shape::Map(_) | Shape::Any => "",
        _ => " ",
    };
    Completion {
        insert: format!("{}:{value}", key.name),
        label: key.name.to_owned(),
        kind: CompletionKind::Keyword,
        detail: String::new(),
        documentation: String::new(),
        range,
        snippet: false,
        rank: 1,
    }
}

/// Everything that may stand at the cursor; the driver keeps what fits the typed characters, and sorts.
pub fn complete(cx: &Cx<'_>, at: TextSize) -> Vec<Completion> {
    if let Some(inner) = ir(cx) {
        return llvm::completion::complete(&inner, at);
    }
    let (Some(f), Some(tables)) = (function(cx), tables(cx)) else { return Vec::new() };
    let parse = wavelens_syntax::mir::parse(cx.text);
    let (kind, range) = token_at(parse.lexed(), at).unwrap_or((MirKind::NEWLINE, TextRange::empty(at)));
    let typed = cx.slice(TextRange::new(range.start(), at.max(range.start())));
    let item = |label: String, kind, detail: String, rank| Completion {
        insert: label.clone(),
        label,
        kind,
        detail,
        documentation: String::new(),
        range,
        snippet: false,
        rank,
    };
    let before = cx.text.get(..usize::from(range.start())).unwrap_or("");
    if kind == MirKind::PLAIN && before.ends_with('\n') {
        return FUNCTION.iter().map(|k| key(k, range)).collect();
    }
    if before.ends_with(':') && !before.ends_with("::") {
        let banks = tables.facts().banks.iter().map(|b| (b.name.clone(), b.size, 1));
        let classes = (0..tables.class_count() as u16).map(Class).map(|c| {
            let name = tables.class_name(c);
            let rank = if is_written_class(&name) { 1 } else { 9 };
            (name, tables.class_bits(c), rank)
        });
        let all = banks.chain(classes);
        return all
            .map(|(n, bits, rank)| item(n, CompletionKind::Type, format!("{bits} bits"), rank))
            .collect();
    }
    if before.ends_with('(') {
        return [
            "s1",
            "s8",
            "s16",
            "s32",
            "s64",
            "p0",
            "p1",
            "p3",
            "p4",
            "p5",
            "<2 x s16>",
            "<2 x s32>",
            "<4 x s32>",
        ]
        .iter()
        .map(|t| item((*t).to_owned(), CompletionKind::Type, String::new(), 1))
        .collect();
    }
    match kind {
        MirKind::PHYSREG => tables
            .registers_with_prefix(typed.strip_prefix('$').unwrap_or(""), 100)
            .into_iter()
            .map(|n| item(format!("${n}"), CompletionKind::Register, String::new(), 1))
            .collect(),
        MirKind::VREG | MirKind::NAMED_VREG | MirKind::BLOCK_NAME | MirKind::BAD
            if typed.starts_with('%') =>
        {
            let registers = (0..f.registers.len() as u32)
                .map(|i| item(f.register_text(i), CompletionKind::Local, String::new(), 1));
            let blocks = f.blocks.iter().map(|b| {
                item(format!("%bb.{}", b.number), CompletionKind::Label, f.names.get(b.name).to_owned(), 2)
            });
            let frame = f.frame.iter().map(|o| {
                let kind = if o.fixed { "%fixed-stack" } else { "%stack" };
                item(format!("{kind}.{}", o.id), CompletionKind::Variable, format!("{} bytes", o.size), 3)
            });
            let constants = f.constants.iter().map(|c| {
                item(format!("%const.{}", c.id), CompletionKind::Constant, c.value.text.to_string(), 3)
            });
            registers.chain(blocks).chain(frame).chain(constants).collect()
        }
        MirKind::IDENT => tables
            .opcodes_with_prefix(typed, 200)
            .into_iter()
            .map(|(_, n)| {
                let detail = super::hover::signature_text(cx, &n).map_or(String::new(), |s| s.0);
                item(n, CompletionKind::Opcode, detail, 1)
            })
            .collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::ide::tests::at_cursor;
    use crate::{Dialect, ide};

    /// The first suggestions at the cursor.
    fn complete(line: &str) -> String {
        let fixture = format!(
            "---\nname: f\nstack:\n  - {{ id: 0, size: 4 }}\nbody: |\n  bb.0.entry:\n    %0:_(s32) = G_IMPLICIT_DEF\n    {line}\n...\n"
        );
        suggestions(&fixture)
    }

    fn suggestions(fixture: &str) -> String {
        at_cursor(Dialect::Mir, fixture, |view, at| {
            let all = ide::complete(view, at).items.into_iter().take(5);
            all.map(|c| format!("{} {}\n", c.insert, c.detail)).collect()
        })
    }

    #[test]
    fn in_the_body() {
        expect![[r#"
            G_ADD dst:type0 = G_ADD src1:type0, src2:type0
            G_ADDRSPACE_CAST dst:type0 = G_ADDRSPACE_CAST src:type1
        "#]]
        .assert_eq(&complete("%1:_(s32) = G_ADD$0"));
        expect![[r#"
            %0 
            %1 
            %bb.0 entry
            %stack.0 4 bytes
        "#]]
        .assert_eq(&complete("%1:_(s32) = G_ADD %$0"));
        expect![[r#"
            sgpr 1024 bits
            sgpr_1024 1024 bits
            sgpr_128 128 bits
            sgpr_160 160 bits
            sgpr_192 192 bits
        "#]]
        .assert_eq(&complete("%1:sg$0"));
        expect![[r#"
            <2 x s16> 
            <2 x s32> 
            <4 x s32> 
        "#]]
        .assert_eq(&complete("%1:_(<$0"));
        expect![[r#"
            $vgpr0 
            $vgpr0_hi16 
            $vgpr0_lo16 
            $vgpr0_vgpr1 
            $vgpr0_vgpr1_vgpr2 
        "#]]
        .assert_eq(&complete("$sgpr0 = COPY $vg$0"));
    }

    #[test]
    fn keys() {
        expect![[r#"
            tracksDebugUserValues: true 
            tracksRegLiveness: true 
            entry_values: 
        "#]]
        .assert_eq(&suggestions("---\nname: f\ntra$0\nbody: |\n  bb.0:\n...\n"));
        expect![[r#"
            stack: 
            callSites: 
            calleeSavedRegisters: 
            callsEHReturn: true 
            callsUnwindInit: true 
        "#]]
        .assert_eq(&suggestions("---\nname: f\nst$0\n...\n"));
    }
}
