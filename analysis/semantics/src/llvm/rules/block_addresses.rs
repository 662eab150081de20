//! Addresses of blocks that something outside of their function takes, and of entry blocks.
//!
//! Source: LLVM Language Reference, "Addresses of Basic Blocks".

use crate::llvm::body::{Body, LocalKind};
use crate::llvm::context::ModuleContext;
use crate::llvm::names::{Names, Symbol};
use crate::{Diagnostic, Severity};

wavelens_syntax::rules! {
    BLOCK_ADDRESS {
        code: "block-address",
        severity: Severity::Error,
        title: "`blockaddress` names a block of a defined function, not its entry block",
        explain: "A block address is the target of an `indirectbr` or `callbr`. It must name an existing block of \
            the function, and not the entry block, which must not have predecessors.",
        example: r"@target = global ptr blockaddress(@f, %gone)
define void @f() {
  br label %next
next:
  ret void
}
",
        fixed: r"@target = global ptr blockaddress(@f, %next)
define void @f() {
  br label %next
next:
  ret void
}
",
        source: "LLVM `LLParser`: \"use of undefined value '%gone'\"; LLVM Language Reference, \"Addresses of \
            Basic Blocks\"",
    }
}

pub(super) fn module(cx: &mut ModuleContext<'_>) {
    let (scope, summary, lowered) = (cx.scope, cx.summary, cx.lowered);
    for body in &lowered.bodies {
        let Some(function) = summary.functions.get(body.function as usize) else { continue };
        for (symbol, range) in &body.rare.block_address_uses {
            if block(body, *symbol, &body.tables.names) == Some(Some(0)) {
                cx.report(&BLOCK_ADDRESS, *range, "the address of the entry block must not be taken");
            }
        }
        let Some(global) = scope.global_index(function.head.name, &summary.tables.names) else { continue };
        for (at, address) in scope.block_addresses(global) {
            let Some(names) = scope.summary(*at).map(|s| &s.tables.names) else { continue };
            let name = address.block.display('%', names);
            let message = match block(body, address.block, names) {
                Some(Some(0)) => format!("the address of the entry block `{name}` is taken"),
                Some(Some(_)) => continue,
                Some(None) => format!("the address of `{name}` is taken, which is not a block"),
                None => format!("the address of the undefined block `{name}` is taken"),
            };
            let range = cx.item_range(function.head.item);
            let place = scope.place(*at, address.item);
            cx.diagnostics
                .push(Diagnostic::new(&BLOCK_ADDRESS, range, message).related(place, "address taken here"));
        }
    }
}

/// The number of the block that a name means in a body; inner `None`: it is something else.
fn block(body: &Body, symbol: Symbol, names: &Names) -> Option<Option<u32>> {
    let own = match symbol.as_name() {
        Some(name) => Symbol::name(body.tables.names.find(names.get(name))?),
        None => symbol,
    };
    let local = body.locals.iter().find(|l| l.name == own && l.kind != LocalKind::Undefined)?;
    match local.kind {
        LocalKind::Block(number) => Some(Some(number)),
        _ => Some(None),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::llvm::rules::check;

    #[test]
    fn addresses_from_outside() {
        check(
            r#"@a = global [3 x ptr] [ptr blockaddress(@f, %in), ptr blockaddress(@f, %out), ptr blockaddress(@f, %gone)]
@b = global ptr blockaddress(@f, %x)
define void @f(ptr %x) {
in:
  indirectbr ptr blockaddress(@f, %in), [label %out]
out:
  ret void
}
"#,
            expect![[r#"
                error[block-address] 3:13 `@f`: the address of the entry block `%in` is taken
                  1:1 `@a`: address taken here
                error[block-address] 3:13 `@f`: the address of the undefined block `%gone` is taken
                  1:1 `@a`: address taken here
                error[block-address] 3:13 `@f`: the address of `%x` is taken, which is not a block
                  2:1 `@b`: address taken here
                error[block-address] 5:35 `%in`: the address of the entry block must not be taken
            "#]],
        );
    }
}
