//! Completion of words: instructions, types, flags, attributes, top-level keywords and constants.

use wavelens_base::TextSize;
use wavelens_llvm::attribute::AttrKind;
use wavelens_llvm::body::{Opcode, OrderingWord, Predicate, RmwOp};
use wavelens_llvm::tables::Attribute;
use wavelens_syntax::llvm::LlvmKind::*;

use super::values::{after_type, ends_type, expected_type, percent};
use super::{Place, globals, metadata, types};
use crate::answers::{Completion, CompletionKind};
use crate::llvm::{Cx, help};

const TYPES: [&str; 13] =
    ["i1", "i8", "i16", "i32", "i64", "i128", "half", "bfloat", "float", "double", "fp128", "ptr", "void"];
/// The more frequent ones, outside of functions.
const TOP_LEVEL_TYPES: [&str; 10] =
    ["i1", "i8", "i16", "i32", "i64", "half", "float", "double", "ptr", "void"];
const FAST_MATH: [&str; 8] = ["fast", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc"];
const INTEGER_PREDICATES: [&str; 11] =
    ["eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle", "samesign"];
/// Words and their snippets.
const TOP_LEVEL_SNIPPETS: [(&str, &str); 7] = [
    ("define", "define ${1:void} @${2:name}(${3}) {\n  $0\n  ret void\n}"),
    ("declare", "declare ${1:void} @${2:name}($0)"),
    ("attributes", "attributes #${1:0} = { $0 }"),
    ("target triple", "target triple = \"$0\""),
    ("target datalayout", "target datalayout = \"$0\""),
    ("source_filename", "source_filename = \"$0\""),
    ("module asm", "module asm \"$0\""),
];
/// What can follow the parameters of a function.
const FUNCTION_FIELDS: [&str; 10] = [
    "section",
    "align",
    "comdat",
    "personality",
    "gc",
    "prefix",
    "prologue",
    "unnamed_addr",
    "local_unnamed_addr",
    "addrspace",
];
/// What clang and LLVM's tests write most; the other attributes come after.
const FREQUENT_ATTRIBUTES: [&str; 22] = [
    "alwaysinline",
    "captures",
    "convergent",
    "dereferenceable",
    "inreg",
    "memory",
    "mustprogress",
    "noalias",
    "nocallback",
    "nofree",
    "noinline",
    "nonnull",
    "norecurse",
    "nosync",
    "noundef",
    "nounwind",
    "optnone",
    "range",
    "readnone",
    "readonly",
    "willreturn",
    "writeonly",
];
/// The instructions of which most functions consist, the most frequent ones first.
const FREQUENT_OPCODES: [&str; 20] = [
    "load",
    "call",
    "store",
    "getelementptr",
    "ret",
    "br",
    "add",
    "icmp",
    "alloca",
    "phi",
    "mul",
    "select",
    "and",
    "zext",
    "fadd",
    "fmul",
    "sub",
    "insertelement",
    "extractelement",
    "bitcast",
];
/// What can precede the result of a function.
const FUNCTION_SPECIFIERS: [&str; 19] = [
    "private",
    "internal",
    "available_externally",
    "linkonce",
    "linkonce_odr",
    "weak",
    "weak_odr",
    "extern_weak",
    "external",
    "dso_local",
    "hidden",
    "protected",
    "dllimport",
    "dllexport",
    "fastcc",
    "coldcc",
    "tailcc",
    "spir_kernel",
    "ptx_kernel",
];
const GLOBAL_WORDS: [&str; 22] = [
    "global",
    "constant",
    "private",
    "internal",
    "linkonce_odr",
    "weak",
    "common",
    "appending",
    "external",
    "extern_weak",
    "dso_local",
    "hidden",
    "unnamed_addr",
    "local_unnamed_addr",
    "thread_local",
    "addrspace",
    "alias",
    "ifunc",
    "zeroinitializer",
    "section",
    "align",
    "comdat",
];

struct Words<'a, 'c> {
    cx: &'a Cx<'c>,
    place: &'a Place<'a>,
    items: &'a mut Vec<Completion>,
}

pub(super) fn words(cx: &Cx<'_>, at: TextSize, place: &Place<'_>, items: &mut Vec<Completion>) {
    let mut words = Words { cx, place, items };
    if !place.in_body {
        return words.top_level();
    }
    let has_result = place.before.get(1).is_some_and(|(k, _)| *k == EQUAL);
    if place.before.is_empty() || has_result && place.before.len() == 2 {
        return words.opcodes(has_result);
    }
    if matches!(place.before.last(), Some((_, "tail" | "musttail" | "notail"))) {
        return words.keywords(&["call"], 10);
    }
    if place.last() == EQUAL {
        return;
    }
    if place.last() == LABEL_KW {
        return percent(cx, at, place, words.items);
    }
    // The node of what is attached.
    if place.last() == METADATA_NAME && place.has(COMMA) {
        return metadata::nodes(cx, place, words.items);
    }
    if is_vector_count(place) {
        return words.keywords(&["x"], 10);
    }
    if matches!(place.last(), ASM_KW) {
        words.keywords(&["sideeffect"], 8);
        return words.keywords(&["alignstack", "inteldialect", "unwind"], 10);
    }
    if after_type(place) {
        return words.values(at);
    }
    let opcode = place.opcode().and_then(Opcode::from_word);
    let shares_type = opcode.is_some_and(|o| o.is_binary() || matches!(o, Opcode::ICmp | Opcode::FCmp));
    let shares_type = shares_type || opcode == Some(Opcode::Phi);
    if matches!(place.last(), COMMA | L_BRACKET) && shares_type {
        percent(cx, at, place, words.items);
        return words.constants();
    }
    words.after_opcode();
    let is_cast = opcode.is_some_and(|o| o.is_cast());
    let has_type = place.before.iter().any(|(kind, _)| ends_type(*kind));
    if is_cast && has_type && !place.has(TO_KW) {
        words.keywords(&["to"], 10);
    }
    if place.last() == COMMA {
        words.constants();
        // Another operand is more likely than what is attached.
        metadata::attachments(cx, place, words.items, 28);
    }
}

/// Whether the brackets of a function's parameters are closed.
fn parameters_end(place: &Place<'_>) -> bool {
    let name = place.before.iter().position(|(kind, _)| *kind == GLOBAL || *kind == GLOBAL_ID).unwrap_or(0);
    let list = place.before.get(name..).unwrap_or_default();
    let count = |wanted| list.iter().filter(|(kind, _)| *kind == wanted).count();
    count(L_PAREN) > 0 && count(L_PAREN) == count(R_PAREN)
}

/// Whether a number of elements precedes, after which comes `x`.
fn is_vector_count(place: &Place<'_>) -> bool {
    matches!(
        place.before.as_slice(),
        [.., (LESS | L_BRACKET, _), (NUMBER, _)]
            | [.., (VSCALE_KW, _)]
            | [.., (VSCALE_KW, _), (X_KW, _), (NUMBER, _)]
    )
}

impl Words<'_, '_> {
    fn add(&mut self, kind: CompletionKind, word: &str, rank: u8) {
        let help = match kind {
            CompletionKind::Opcode => help::opcode(word),
            CompletionKind::Attribute => help::attribute(word),
            _ => help::word(word),
        };
        let text = help.map_or(String::new(), help::Help::markdown);
        self.items.push(Completion::new(kind, self.place.range, word).documentation(text).rank(rank));
    }

    fn keywords(&mut self, words: &[&str], rank: u8) {
        words.iter().for_each(|w| self.add(CompletionKind::Keyword, w, rank));
    }

    fn attributes(&mut self, fits: impl Fn(&Attribute) -> bool, rank: u8) {
        for kind in AttrKind::WORDS {
            if kind.info().is_some_and(&fits) {
                let is_frequent = FREQUENT_ATTRIBUTES.contains(&kind.word());
                self.add(CompletionKind::Attribute, kind.word(), rank - 2 * u8::from(is_frequent));
            }
        }
    }

    fn types(&mut self, rank: u8) {
        for word in TYPES {
            self.add(CompletionKind::Type, word, rank);
        }
        types(self.cx, self.place, self.items, rank + 5);
    }

    fn constants(&mut self) {
        let ty = expected_type(self.place).unwrap_or_default();
        for word in ["true", "false", "null", "undef", "poison", "zeroinitializer", "none"] {
            let fits = match word {
                _ if ty.is_empty() || ty.starts_with('%') => true,
                "true" | "false" => ty == "i1",
                "null" => ty.starts_with("ptr") || ty.ends_with(')'),
                "none" => ty == "token",
                "zeroinitializer" => ty.starts_with(['<', '[', '{']),
                _ => true,
            };
            if fits {
                self.add(CompletionKind::Constant, word, 30);
            }
        }
    }

    /// The instructions; after `%name =` only those with a result.
    fn opcodes(&mut self, has_result: bool) {
        for help in help::opcodes() {
            if has_result && !help.syntax.contains("<result>") && help.word != "call" {
                continue;
            }
            let place = FREQUENT_OPCODES.iter().position(|word| *word == help.word);
            self.add(CompletionKind::Opcode, help.word, 10 + place.unwrap_or(20) as u8);
        }
        self.keywords(&["tail", "musttail", "notail"], 30);
    }

    /// What can follow a type.
    fn values(&mut self, at: TextSize) {
        percent(self.cx, at, self.place, self.items);
        if self.place.is_callee() || expected_type(self.place).is_some_and(|ty| ty.starts_with("ptr")) {
            globals(self.cx, self.place, self.items);
        }
        self.constants();
        if self.place.last() == PTR_KW {
            self.keywords(&["addrspace"], 35);
        }
        if self.place.has(CALL_KW) || self.place.has(INVOKE_KW) {
            self.attributes(|a| a.parameter, 30);
            if !self.place.has(L_PAREN) {
                self.keywords(&["asm"], 30);
            }
        }
    }

    fn orderings(&mut self) {
        let words: Vec<&str> = (0..=5u8).filter_map(OrderingWord::from_raw).map(OrderingWord::word).collect();
        self.keywords(&words, 10);
        self.keywords(&["syncscope"], 20);
    }

    /// Flags, predicates and types, before the first operand of an instruction.
    fn after_opcode(&mut self) {
        let place = self.place;
        match place.opcode() {
            Some("icmp") if !place.has(PREDICATE_KW) => self.keywords(&INTEGER_PREDICATES, 10),
            Some("fcmp") if !place.has(PREDICATE_KW) => {
                let all = (0..=21u8).filter_map(Predicate::from_raw).map(Predicate::word);
                let signed = ["eq", "ne", "sgt", "sge", "slt", "sle"];
                let words: Vec<&str> = all.filter(|w| !signed.contains(w)).collect();
                self.keywords(&words, 10);
                self.keywords(&FAST_MATH, 20);
            }
            Some("atomicrmw") if place.before.len() <= 4 && !place.has(RMW_KW) => {
                let words: Vec<&str> = (0..=20u8).filter_map(RmwOp::from_raw).map(RmwOp::word).collect();
                self.keywords(&words, 10);
            }
            Some("fence") => self.orderings(),
            Some("cmpxchg" | "atomicrmw") => {
                self.orderings();
                self.types(30);
            }
            Some("add" | "sub" | "mul" | "shl" | "trunc") if place.before.len() <= 5 => {
                self.keywords(&["nuw", "nsw"], 15);
                self.types(20);
            }
            Some("udiv" | "sdiv" | "lshr" | "ashr") if place.before.len() <= 4 => {
                self.keywords(&["exact"], 15);
                self.types(20);
            }
            Some("fadd" | "fsub" | "fmul" | "fdiv" | "frem" | "fneg") if !place.has(COMMA) => {
                self.keywords(&FAST_MATH, 15);
                self.types(20);
            }
            Some("getelementptr") if !place.has(COMMA) => {
                self.keywords(&["inbounds", "nusw", "nuw"], 15);
                self.types(20);
            }
            Some("br" | "switch") => {
                self.keywords(&["label"], 10);
                self.types(20);
            }
            Some("load" | "store") => {
                self.keywords(&["align", "volatile", "atomic"], 25);
                self.types(20);
            }
            Some("alloca") => {
                self.keywords(&["align", "addrspace"], 25);
                self.types(20);
            }
            _ => {
                self.types(20);
                if matches!(place.opcode(), Some("select" | "phi" | "fptrunc" | "fpext" | "call"))
                    && !place.has(COMMA)
                {
                    self.keywords(&FAST_MATH, 30);
                }
                if place.has(CALL_KW) && !place.before.iter().any(|(kind, _)| ends_type(*kind)) {
                    self.attributes(|a| a.result, 25);
                }
                if place.last() == VOID_KW && place.has(CALL_KW) {
                    self.keywords(&["asm"], 25);
                }
                if place.last() == R_PAREN {
                    metadata::hashes(self.cx, place, self.items);
                    self.attributes(|a| a.function, 30);
                    self.keywords(&["to", "unwind"], 25);
                }
                if place.has(L_PAREN) {
                    self.keywords(&["metadata"], 25);
                    self.attributes(|a| a.parameter, 40);
                }
            }
        }
    }

    fn top_level(&mut self) {
        let place = self.place;
        match place.before.first().map(|(k, _)| *k) {
            None => {
                for (word, snippet) in TOP_LEVEL_SNIPPETS {
                    let text = help::word(word).map_or(String::new(), help::Help::markdown);
                    let item = Completion::new(CompletionKind::Keyword, place.range, word);
                    self.items.push(item.documentation(text).rank(10).snippet(snippet));
                }
            }
            Some(DEFINE_KW | DECLARE_KW) if place.has(GLOBAL) && parameters_end(place) => {
                metadata::hashes(self.cx, place, self.items);
                self.attributes(|a| a.function, 20);
                self.keywords(&FUNCTION_FIELDS, 20);
                metadata::attachments(self.cx, place, self.items, 25);
            }
            Some(DEFINE_KW | DECLARE_KW) if place.has(L_PAREN) => {
                if place.last() == PTR_KW {
                    self.keywords(&["addrspace"], 10);
                } else {
                    self.top_level_types();
                }
                self.attributes(|a| a.parameter, 30);
            }
            Some(DEFINE_KW | DECLARE_KW) => {
                self.top_level_types();
                self.keywords(&FUNCTION_SPECIFIERS, 30);
                self.keywords(&["amdgpu_kernel"], 18);
                self.attributes(|a| a.result, 40);
            }
            Some(ATTRIBUTES_KW) => self.attributes(|a| a.function, 10),
            Some(GLOBAL | GLOBAL_ID) => {
                self.keywords(&GLOBAL_WORDS, 20);
                self.top_level_types();
            }
            Some(LOCAL | LOCAL_ID) => {
                self.keywords(&["type", "opaque"], 10);
                self.top_level_types();
            }
            Some(COMDAT) => {
                let words = ["comdat", "any", "exactmatch", "largest", "nodeduplicate", "samesize"];
                self.keywords(&words, 10);
            }
            Some(EXCLAIM | METADATA_NAME) if place.has(L_PAREN) => {
                metadata::fields(self.cx, place, self.items)
            }
            Some(EXCLAIM | METADATA_NAME) => {
                self.types(45);
                self.keywords(&["distinct", "null"], 20);
                metadata::metadata(self.cx, place, self.items);
            }
            Some(TARGET_KW) => self.keywords(&["triple", "datalayout"], 10),
            _ => {}
        }
    }

    fn top_level_types(&mut self) {
        let item = |word| Completion::new(CompletionKind::Type, self.place.range, word).rank(20);
        self.items.extend(TOP_LEVEL_TYPES.map(item));
        types(self.cx, self.place, self.items, 30);
    }
}
