//! Entries of a ThinLTO summary: `^0 = module: (...)`.
//!
//! Every field is `name: value`. Their words are keywords only in these entries, so they are recognized by their text.

use super::{P, newer};
use crate::llvm::LlvmKind::*;
use crate::wording::one_of;

type Field = fn(&mut P<'_, '_>);

/// At `^0`.
pub(super) fn entry(p: &mut P<'_, '_>) {
    p.bump();
    p.expect(EQUAL, "`=` after the number");
    match p.text() {
        "gv" => global_value(p),
        "module" => module(p),
        "typeid" => type_id(p),
        "typeidCompatibleVTable" => compatible_vtable(p),
        "flags" | "blockcount" => {
            p.bump();
            p.expect(COLON, "`:`");
            number(p);
        }
        _ => p.expected("`gv`, `module`, `typeid`, `typeidCompatibleVTable`, `flags` or `blockcount`"),
    }
}

/// `word:`
fn name(p: &mut P<'_, '_>, word: &str) {
    if p.text() == word {
        p.bump();
        p.expect(COLON, "`:`");
    } else {
        p.expected(&format!("`{word}`"));
    }
}

fn comma(p: &mut P<'_, '_>) {
    p.expect(COMMA, "`,`");
}

fn open(p: &mut P<'_, '_>) {
    p.expect(L_PAREN, "`(`");
}

fn close(p: &mut P<'_, '_>) {
    p.expect(R_PAREN, "`)`");
}

/// `(a, b, ...)`: one or more.
fn list(p: &mut P<'_, '_>, item: Field) {
    open(p);
    item(p);
    while p.eat(COMMA) {
        item(p);
    }
    close(p);
}

/// `, name: value` as long as there are some, then `)`.
fn optional_fields(p: &mut P<'_, '_>, fields: &[(&str, Field)]) {
    while p.eat(COMMA) {
        field_of(p, fields);
    }
    close(p);
}

/// `(name: value, ...)`: one or more.
fn some_fields(p: &mut P<'_, '_>, fields: &[(&str, Field)]) {
    open(p);
    field_of(p, fields);
    optional_fields(p, fields);
}

fn field_of(p: &mut P<'_, '_>, fields: &[(&str, Field)]) {
    let text = p.text();
    match fields.iter().find(|(word, _)| *word == text) {
        Some((word, value)) => {
            newer::field(p);
            name(p, word);
            value(p);
        }
        None => p.expected(&one_of(fields.iter().map(|(word, _)| *word))),
    }
}

fn word(p: &mut P<'_, '_>, words: &[&str]) {
    if words.contains(&p.text()) {
        p.bump();
    } else {
        p.expected(&one_of(words));
    }
}

fn number(p: &mut P<'_, '_>) {
    if p.text().starts_with('-') {
        p.expected("a number without a sign");
    }
    p.expect(NUMBER, "a number");
}

fn number32(p: &mut P<'_, '_>) {
    if p.at(NUMBER) && !p.text().starts_with('-') && p.text().parse::<u32>().is_err() {
        p.error("the number must fit in 32 bits");
    }
    number(p);
}

fn signed(p: &mut P<'_, '_>) {
    p.expect(NUMBER, "a number");
}

fn string(p: &mut P<'_, '_>) {
    p.expect(STRING, "a string");
}

/// `^7`, maybe with a word before it on how it is used.
fn reference(p: &mut P<'_, '_>) {
    if matches!(p.text(), "readonly" | "writeonly") {
        p.bump();
    }
    p.expect(SUMMARY_ID, "the number of a global value's entry");
}

fn module(p: &mut P<'_, '_>) {
    name(p, "module");
    open(p);
    name(p, "path");
    string(p);
    comma(p);
    name(p, "hash");
    open(p);
    number32(p);
    for _ in 1..5 {
        comma(p);
        number32(p);
    }
    close(p);
    close(p);
}

fn global_value(p: &mut P<'_, '_>) {
    name(p, "gv");
    open(p);
    match p.text() {
        "name" => {
            name(p, "name");
            string(p);
        }
        "guid" => {
            name(p, "guid");
            number(p);
        }
        _ => p.expected("`name` or `guid`"),
    }
    if p.eat(COMMA) {
        name(p, "summaries");
        list(p, |p| field_of(p, &[("function", function), ("variable", variable), ("alias", alias)]));
    }
    close(p);
}

/// `(module: ^0, flags: (...), `
fn head(p: &mut P<'_, '_>) {
    open(p);
    name(p, "module");
    p.expect(SUMMARY_ID, "the number of the module's entry");
    comma(p);
    name(p, "flags");
    some_fields(
        p,
        &[
            ("linkage", linkage),
            ("visibility", |p| word(p, &["default", "hidden", "protected"])),
            ("notEligibleToImport", number),
            ("live", number),
            ("dsoLocal", number),
            ("canAutoHide", number),
            ("importType", |p| word(p, &["definition", "declaration"])),
            ("noRenameOnPromotion", number),
        ],
    );
    comma(p);
}

fn linkage(p: &mut P<'_, '_>) {
    match p.current {
        LINKAGE_KW | WEAK_KW => p.bump(),
        _ => p.expected("a linkage"),
    }
}

fn function(p: &mut P<'_, '_>) {
    head(p);
    name(p, "insts");
    number32(p);
    optional_fields(
        p,
        &[
            ("funcFlags", function_flags),
            ("calls", |p| list(p, call)),
            ("typeIdInfo", type_id_info),
            ("refs", |p| list(p, reference)),
            ("params", |p| list(p, parameter)),
            ("allocs", |p| list(p, alloc)),
            ("callsites", |p| list(p, callsite)),
        ],
    );
}

fn variable(p: &mut P<'_, '_>) {
    head(p);
    name(p, "varFlags");
    some_fields(
        p,
        &[("readonly", number), ("writeonly", number), ("constant", number), ("vcall_visibility", number)],
    );
    optional_fields(p, &[("vTableFuncs", |p| list(p, virtual_function)), ("refs", |p| list(p, reference))]);
}

fn alias(p: &mut P<'_, '_>) {
    head(p);
    name(p, "aliasee");
    match p.at(NULL_KW) {
        true => p.bump(),
        false => reference(p),
    }
    close(p);
}

fn function_flags(p: &mut P<'_, '_>) {
    some_fields(
        p,
        &[
            ("readNone", number),
            ("readOnly", number),
            ("noRecurse", number),
            ("returnDoesNotAlias", number),
            ("noInline", number),
            ("alwaysInline", number),
            ("noUnwind", number),
            ("mayThrow", number),
            ("hasUnknownCall", number),
            ("mustBeUnreachable", number),
        ],
    );
}

fn call(p: &mut P<'_, '_>) {
    open(p);
    name(p, "callee");
    reference(p);
    let (mut hotness, mut frequency) = (false, false);
    while p.eat(COMMA) {
        match p.text() {
            "hotness" => {
                name(p, "hotness");
                hotness = p.text() != "unknown";
                word(p, &["unknown", "cold", "none", "hot", "critical"]);
            }
            "relbf" => {
                name(p, "relbf");
                frequency = p.text() != "0";
                number32(p);
            }
            _ => field_of(p, &[("hotness", number), ("relbf", number), ("tail", number)]),
        }
    }
    if hotness && frequency {
        p.error("`hotness` and `relbf` are mutually exclusive");
    }
    close(p);
}

fn virtual_function(p: &mut P<'_, '_>) {
    open(p);
    name(p, "virtFunc");
    reference(p);
    comma(p);
    name(p, "offset");
    number(p);
    close(p);
}

fn type_id_info(p: &mut P<'_, '_>) {
    some_fields(
        p,
        &[
            ("typeTests", |p| list(p, type_test)),
            ("typeTestAssumeVCalls", |p| list(p, virtual_call)),
            ("typeCheckedLoadVCalls", |p| list(p, virtual_call)),
            ("typeTestAssumeConstVCalls", |p| list(p, constant_call)),
            ("typeCheckedLoadConstVCalls", |p| list(p, constant_call)),
        ],
    );
}

fn type_test(p: &mut P<'_, '_>) {
    if !p.eat(SUMMARY_ID) {
        number(p);
    }
}

/// `vFuncId: (^7, offset: 8)`
fn virtual_call(p: &mut P<'_, '_>) {
    name(p, "vFuncId");
    open(p);
    if !p.eat(SUMMARY_ID) {
        name(p, "guid");
        number(p);
    }
    comma(p);
    name(p, "offset");
    number(p);
    close(p);
}

fn constant_call(p: &mut P<'_, '_>) {
    open(p);
    virtual_call(p);
    if p.eat(COMMA) {
        arguments(p);
    }
    close(p);
}

fn arguments(p: &mut P<'_, '_>) {
    name(p, "args");
    list(p, number);
}

/// `offset: [0, 7]`
fn offsets(p: &mut P<'_, '_>) {
    name(p, "offset");
    p.expect(L_BRACKET, "`[`");
    signed(p);
    comma(p);
    signed(p);
    p.expect(R_BRACKET, "`]`");
}

fn parameter(p: &mut P<'_, '_>) {
    open(p);
    name(p, "param");
    number(p);
    comma(p);
    offsets(p);
    if p.eat(COMMA) {
        name(p, "calls");
        list(p, |p| {
            open(p);
            name(p, "callee");
            reference(p);
            comma(p);
            name(p, "param");
            number(p);
            comma(p);
            offsets(p);
            close(p);
        });
    }
    close(p);
}

fn allocation_type(p: &mut P<'_, '_>) {
    word(p, &["none", "notcold", "cold", "hot"]);
}

fn alloc(p: &mut P<'_, '_>) {
    open(p);
    name(p, "versions");
    list(p, allocation_type);
    comma(p);
    name(p, "memProf");
    list(p, |p| {
        open(p);
        name(p, "type");
        allocation_type(p);
        comma(p);
        stack(p);
        close(p);
    });
    close(p);
}

fn stack(p: &mut P<'_, '_>) {
    name(p, "stackIds");
    if p.at(L_PAREN) && p.nth(1) == R_PAREN {
        open(p);
        close(p);
    } else {
        list(p, number);
    }
}

fn callsite(p: &mut P<'_, '_>) {
    open(p);
    name(p, "callee");
    if !p.eat(NULL_KW) {
        reference(p);
    }
    comma(p);
    name(p, "clones");
    list(p, number32);
    comma(p);
    stack(p);
    close(p);
}

fn type_id(p: &mut P<'_, '_>) {
    name(p, "typeid");
    open(p);
    name(p, "name");
    string(p);
    comma(p);
    name(p, "summary");
    open(p);
    name(p, "typeTestRes");
    open(p);
    name(p, "kind");
    word(p, &["unknown", "unsat", "byteArray", "inline", "single", "allOnes"]);
    comma(p);
    name(p, "sizeM1BitWidth");
    number32(p);
    optional_fields(
        p,
        &[("alignLog2", number), ("sizeM1", number), ("bitMask", number32), ("inlineBits", number)],
    );
    if p.eat(COMMA) {
        name(p, "wpdResolutions");
        list(p, |p| {
            open(p);
            name(p, "offset");
            number(p);
            comma(p);
            devirtualization(p);
            close(p);
        });
    }
    close(p);
    close(p);
}

fn devirtualization(p: &mut P<'_, '_>) {
    name(p, "wpdRes");
    open(p);
    name(p, "kind");
    word(p, &["indir", "singleImpl", "branchFunnel"]);
    optional_fields(p, &[("singleImplName", string), ("resByArg", |p| list(p, by_argument))]);
}

fn by_argument(p: &mut P<'_, '_>) {
    arguments(p);
    comma(p);
    name(p, "byArg");
    open(p);
    name(p, "kind");
    word(p, &["indir", "uniformRetVal", "uniqueRetVal", "virtualConstProp"]);
    optional_fields(p, &[("info", number), ("byte", number32), ("bit", number32)]);
}

fn compatible_vtable(p: &mut P<'_, '_>) {
    name(p, "typeidCompatibleVTable");
    open(p);
    name(p, "name");
    string(p);
    comma(p);
    name(p, "summary");
    list(p, |p| {
        open(p);
        name(p, "offset");
        number(p);
        comma(p);
        reference(p);
        close(p);
    });
    close(p);
}
