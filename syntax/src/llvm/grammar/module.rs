//! Top-level entities.

use super::attributes::{alignment, function_attributes, linkage, opt_comdat, thread_local, unnamed_addr};
use super::metadata::{attachment, metadata, specialized, tuple};
use super::types::{opt_address_space, ty};
use super::values::{typed, value};
use super::{P, function, opcodes, summary};
use crate::Diagnostic;
use crate::llvm::LlvmKind::*;
use crate::llvm::SYNTAX_ERROR;

/// May a top-level entity start at this token? Asked at the start of a line only.
pub(super) fn is_entity_start(p: &mut P<'_, '_>) -> bool {
    match p.current {
        MODULE_KW => p.nth(1) == ASM_KW,
        DEFINE_KW | DECLARE_KW | SOURCE_FILENAME_KW | ATTRIBUTES_KW | SUMMARY_ID | USELISTORDER_KW
        | USELISTORDER_BB_KW => true,
        TARGET_KW => matches!(p.nth(1), TRIPLE_KW | DATALAYOUT_KW),
        GLOBAL | GLOBAL_ID | COMDAT | METADATA_NAME => p.nth(1) == EQUAL,
        LOCAL | LOCAL_ID => p.nth(1) == EQUAL && p.nth(2) == TYPE_KW,
        EXCLAIM => p.nth(1) == NUMBER && p.nth(2) == EQUAL,
        _ => false,
    }
}

pub(super) fn entity(p: &mut P<'_, '_>) {
    let m = p.start();
    let kind = match p.current {
        DEFINE_KW | DECLARE_KW => {
            function::function(p);
            FUNCTION
        }
        EXCLAIM => {
            metadata_def(p);
            METADATA_DEF
        }
        METADATA_NAME => {
            named_metadata(p);
            NAMED_METADATA_DEF
        }
        GLOBAL | GLOBAL_ID => {
            p.bump();
            p.expect(EQUAL, "`=` after the name");
            global(p)
        }
        LOCAL | LOCAL_ID => {
            type_def(p);
            TYPE_DEF
        }
        ATTRIBUTES_KW => {
            p.bump();
            p.expect(ATTR_GROUP_ID, "the number of the attribute group");
            p.expect(EQUAL, "`=` after the number");
            p.expect(L_BRACE, "`{` and attributes");
            function_attributes(p, true);
            p.expect(R_BRACE, "an attribute or `}`");
            ATTR_GROUP_DEF
        }
        COMDAT => {
            p.bump();
            p.expect(EQUAL, "`=` after the name");
            p.expect(COMDAT_KW, "`comdat`");
            match p.text() {
                "any" | "exactmatch" | "largest" | "nodeduplicate" | "samesize" => p.bump(),
                _ => p.expected("`any`, `exactmatch`, `largest`, `nodeduplicate` or `samesize`"),
            }
            COMDAT_DEF
        }
        SOURCE_FILENAME_KW => {
            p.bump();
            p.expect(EQUAL, "`=` after `source_filename`");
            p.expect(STRING, "the file's name as a string");
            SOURCE_FILENAME
        }
        TARGET_KW => {
            p.bump();
            if !p.eat(TRIPLE_KW) {
                p.expect(DATALAYOUT_KW, "`triple` or `datalayout`");
            }
            p.expect(EQUAL, "`=`");
            p.expect(STRING, "a string");
            TARGET_DEF
        }
        MODULE_KW => {
            p.bump();
            p.expect(ASM_KW, "`asm` after `module`");
            p.expect(STRING, "the assembly text");
            super::newer::assembly_lines(p);
            MODULE_ASM
        }
        SUMMARY_ID => {
            summary::entry(p);
            SUMMARY_ENTRY
        }
        USELISTORDER_KW => {
            use_list_order(p);
            USE_LIST_ORDER
        }
        USELISTORDER_BB_KW => {
            p.bump();
            value(p);
            p.expect(COMMA, "`,` after the function");
            value(p);
            p.expect(COMMA, "`,` after the block");
            indexes(p);
            USE_LIST_ORDER
        }
        LABEL if p.text().starts_with("bb.") => {
            machine_ir(p);
            ERROR
        }
        _ => {
            p.expected("a top-level entity");
            ERROR
        }
    };
    p.complete(m, kind);
}

/// At a line of Machine IR, as in a module whose end is missing.
fn machine_ir(p: &mut P<'_, '_>) {
    let message =
        "expected LLVM IR, found Machine IR; it must be in a document of its own, between `---` and `...`";
    p.report(Diagnostic::new(&SYNTAX_ERROR, p.inner.range(), message));
    p.fail();
}

fn type_def(p: &mut P<'_, '_>) {
    p.bump();
    if p.at(COLON) {
        return machine_ir(p);
    }
    p.expect(EQUAL, "`=` after the name");
    if opcodes::is_opcode(p.current) {
        let message = format!("`{}` is outside a function", p.text());
        p.report(Diagnostic::new(&SYNTAX_ERROR, p.inner.range(), message));
        p.fail();
    }
    p.expect(TYPE_KW, "`type`");
    if !p.eat(OPAQUE_KW) {
        ty(p);
    }
}

/// After `@name =`.
fn global(p: &mut P<'_, '_>) -> crate::llvm::LlvmKind {
    let has_linkage = matches!(p.current, LINKAGE_KW | WEAK_KW);
    let declares = has_linkage && matches!(p.text(), "external" | "extern_weak");
    let first = p.text();
    linkage(p);
    if has_linkage && matches!(p.current, LINKAGE_KW | WEAK_KW) {
        p.error(format!("`{}` is a second linkage: the global is already `{first}`", p.text()));
    }
    thread_local(p);
    unnamed_addr(p);
    if matches!(p.current, ALIAS_KW | IFUNC_KW) {
        alias(p);
        return ALIAS_DEF;
    }
    opt_address_space(p);
    p.eat(EXTERNALLY_INITIALIZED_KW);
    if !p.eat(CONSTANT_KW) {
        p.expect(GLOBAL_KW, "`global` or `constant`");
    }
    if matches!(p.current, LINKAGE_KW | WEAK_KW) {
        p.error(format!("`{}` must be before `global` or `constant`: it is the linkage", p.text()));
    }
    ty(p);
    if !declares {
        value(p);
    }
    while p.eat(COMMA) {
        match p.current {
            SECTION_KW | PARTITION_KW | CODE_MODEL_KW => {
                p.bump();
                p.expect(STRING, "a string");
            }
            ALIGN_KW => alignment(p),
            METADATA_NAME => attachment(p),
            NO_SANITIZE_ADDRESS_KW
            | NO_SANITIZE_HWADDRESS_KW
            | SANITIZE_MEMTAG_KW
            | SANITIZE_ADDRESS_DYNINIT_KW => p.bump(),
            _ => {
                if !opt_comdat(p) {
                    p.expected("a property of the global (`section`, `align`, `comdat`, metadata, ...)");
                }
            }
        }
    }
    function_attributes(p, false);
    GLOBAL_DEF
}

fn alias(p: &mut P<'_, '_>) {
    let is_ifunc = p.at(IFUNC_KW);
    p.bump();
    ty(p);
    p.expect(COMMA, "`,` after the type");
    let expression = match p.current {
        GETELEMENTPTR_KW => true,
        CAST_KW => matches!(p.text(), "bitcast" | "addrspacecast" | "inttoptr"),
        _ => false,
    };
    if expression {
        value(p)
    } else {
        typed(p)
    }
    while p.eat(COMMA) {
        if is_ifunc && p.at(METADATA_NAME) {
            attachment(p);
        } else {
            p.expect(PARTITION_KW, "`partition`");
            p.expect(STRING, "a string");
        }
    }
}

fn metadata_def(p: &mut P<'_, '_>) {
    p.bump();
    p.expect(NUMBER, "the number of the metadata node");
    p.expect(EQUAL, "`=` after the number");
    let distinct = p.eat(DISTINCT_KW);
    if p.at(METADATA_NAME) {
        specialized(p, distinct);
    } else {
        let m = p.start();
        p.expect(EXCLAIM, "`!` and a metadata node");
        tuple(p, "a tuple `{...}` or the name of a node such as `DIFile` after `!`");
        p.complete(m, METADATA_NODE);
    }
}

fn named_metadata(p: &mut P<'_, '_>) {
    p.bump();
    p.expect(EQUAL, "`=` after the name");
    p.expect(EXCLAIM, "`!{` and the nodes of this named metadata");
    p.expect(L_BRACE, "`{` and the nodes of this named metadata");
    if !p.at(R_BRACE) {
        loop {
            let current = p.current;
            match current {
                METADATA_NAME if p.text() == "!DIExpression" => specialized(p, false),
                METADATA_NAME if p.text() == "!DIArgList" => {
                    p.error("`!DIArgList` is allowed only in functions")
                }
                EXCLAIM if p.nth(1) == NUMBER => metadata(p),
                EXCLAIM => {
                    p.bump();
                    p.expected("the number of a metadata node");
                }
                _ => p.expected("`!` and the number of a metadata node"),
            }
            if !p.eat(COMMA) {
                break;
            }
        }
    }
    p.expect(R_BRACE, "`}` at the end of the named metadata");
}

/// At `uselistorder`.
pub(super) fn use_list_order(p: &mut P<'_, '_>) {
    p.bump();
    typed(p);
    p.expect(COMMA, "`,` after the value");
    indexes(p);
}

fn indexes(p: &mut P<'_, '_>) {
    p.expect(L_BRACE, "`{` and indexes");
    p.expect(NUMBER, "an index");
    while p.eat(COMMA) {
        p.expect(NUMBER, "an index");
    }
    p.expect(R_BRACE, "`}` after the indexes");
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    #[test]
    fn what_is_meant() {
        let text = "%x = atomicrmw add ptr %p, i32 1 seq_cst\ndefine flaot @f() {\n  ret comment\n}\n";
        let found = crate::llvm::parse(text).errors.into_iter().map(|d| format!("{}\n", d.message));
        expect![[r#"
            `atomicrmw` is outside a function
            unknown type `flaot`; did you mean `float`?
            expected a type, found `comment`
        "#]]
        .assert_eq(&found.collect::<String>());
    }
}
