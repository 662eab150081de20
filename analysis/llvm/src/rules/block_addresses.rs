//! Addresses of blocks that something outside of their function takes, and of entry blocks.
//!
//! Source: LLVM Language Reference, "Addresses of Basic Blocks".

use rustc_hash::FxHashMap;

use crate::body::{Body, LocalKind};
use crate::context::ModuleContext;
use crate::names::{Names, Symbol};
use wavelens_base::{Diagnostic, Severity};

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
        let global = scope.global_index(function.head.name, &summary.tables.names);
        // Of a function that is defined again, the definition that the name means.
        let is_meant = scope
            .global(function.head.name, &summary.tables.names)
            .is_some_and(|g| (g.summary, g.head.item) == (cx.summary_index, function.head.item));
        let outside = global.filter(|_| is_meant).map_or(&[][..], |global| scope.block_addresses(global));
        let inside = &body.cold.block_address_uses;
        if inside.is_empty() && outside.is_empty() {
            continue;
        }
        let blocks = Blocks::new(body);
        for (symbol, range) in inside {
            if blocks.find(*symbol, &body.tables.names) == Some(Some(0)) {
                cx.report(&BLOCK_ADDRESS, *range, "the address of the entry block must not be taken");
            }
        }
        for (at, address) in outside {
            let Some(names) = scope.summary(*at).map(|s| &s.tables.names) else { continue };
            let name = address.block.display('%', names);
            let message = match blocks.find(address.block, names) {
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

/// What the names of a body mean.
struct Blocks<'b> {
    body: &'b Body,
    locals: FxHashMap<Symbol, LocalKind>,
}

impl Blocks<'_> {
    fn new(body: &Body) -> Blocks<'_> {
        let mut locals = FxHashMap::default();
        for local in body.locals.iter().filter(|local| local.kind != LocalKind::Undefined) {
            locals.entry(local.name).or_insert(local.kind);
        }
        Blocks { body, locals }
    }

    /// The number of the block that a name means; inner `None`: it is something else.
    fn find(&self, symbol: Symbol, names: &Names) -> Option<Option<u32>> {
        let own = match symbol.as_name() {
            Some(name) => Symbol::name(self.body.tables.names.find(names.get(name))?),
            None => symbol,
        };
        match self.locals.get(&own)? {
            LocalKind::Block(number) => Some(Some(*number)),
            _ => Some(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn addresses_in_a_function_that_is_defined_again_are_those_of_the_first() {
        marks(expect![[r#"
            @a = global ptr blockaddress(@f, %gone)
            define void @f() {
            ;           ^^ error[block-address]: the address of the undefined block `%gone` is taken
            ;            = line 1:1: address taken here
              ret void
            }
            define void @f() {
            ;           ^^ error[duplicate-name]: redefinition of `@f`
            ;            = line 2:13: previous definition is here
              ret void
            }
        "#]]);
    }

    #[test]
    fn addresses_from_outside() {
        marks(expect![[r#"
            @a = global [3 x ptr] [ptr blockaddress(@f, %in), ptr blockaddress(@f, %out), ptr blockaddress(@f, %gone)]
            @b = global ptr blockaddress(@f, %x)
            define void @f(ptr %x) {
            ;           ^^ error[block-address]: the address of the entry block `%in` is taken
            ;            = line 1:1: address taken here
            ;           ^^ error[block-address]: the address of the undefined block `%gone` is taken
            ;            = line 1:1: address taken here
            ;           ^^ error[block-address]: the address of `%x` is taken, which is not a block
            ;            = line 2:1: address taken here
            in:
              indirectbr ptr blockaddress(@f, %in), [label %out]
            ;                                 ^^^ error[block-address]: the address of the entry block must not be taken
            out:
              ret void
            }
        "#]]);
    }
}
