//! Outline of Machine IR: a function with its blocks.

use wavelens_base::TextRange;
use wavelens_base::TextSize;

use super::Cx;
use super::ide_support::{block_range, function, ir};
use crate::answers::{Symbol, SymbolKind};

/// The chunk's outline entries, in order.
pub fn outline(cx: &Cx<'_>) -> Vec<Symbol> {
    if let Some(inner) = ir(cx) {
        return crate::llvm::outline::outline(&inner);
    }
    let Some(f) = function(cx) else { return Vec::new() };
    let range = TextRange::up_to(TextSize::of(cx.text.trim_end()));
    let children = f.blocks.iter().enumerate().map(|(index, block)| {
        let name = f.names.get(block.name);
        Symbol {
            name: format!("bb.{}", block.number),
            detail: name.to_owned(),
            kind: SymbolKind::Label,
            range: block_range(f, index),
            selection: block.range,
            children: Vec::new(),
        }
    });
    let name = &f.properties.name;
    vec![Symbol {
        name: name.text.to_string(),
        detail: format!("{} blocks, {} instructions", f.blocks.len(), f.instructions.len()),
        kind: SymbolKind::Function,
        range: range.cover(name.range),
        selection: name.range,
        children: children.collect(),
    }]
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use wavelens_base::Dialect;

    use crate::features;
    use crate::features::tests::at_cursor;

    #[test]
    fn functions_and_blocks() {
        let text = "--- |\n  define void @f() { ret void }\n...\n---\nname: f\nbody: |\n  bb.0 (%ir-block.0):\n    S_NOP 0\n  bb.1.exit:\n    S_ENDPGM 0\n...\n";
        let shown = at_cursor(Dialect::Mir, text, |view, _| {
            let mut shown = String::new();
            for symbol in features::outline(view) {
                shown += &format!("{:?} {}: {}\n", symbol.kind, symbol.name, symbol.detail);
                for child in symbol.children {
                    shown += &format!("  {:?} {} {}\n", child.kind, child.name, child.detail);
                }
            }
            shown
        });
        expect![[r#"
            Function @f: void ()
            Function f: 2 blocks, 2 instructions
              Label bb.0 
              Label bb.1 exit
        "#]]
        .assert_eq(&shown);
    }
}
