//! Types.

use std::iter::Peekable;

use wavelens_syntax::llvm::LlvmKind::{self, *};
use wavelens_syntax::machine::Element;

use super::{LlvmNode, LlvmToken, Lower, text};
use crate::lower::rules::INVALID_TYPE;
use crate::target_types;
use crate::types::{Type, TypeId};
use wavelens_base::TextRange;

/// A type that is one word; the error type for another word.
fn named_primitive(word: &str) -> TypeId {
    match word {
        "half" => TypeId::HALF,
        "bfloat" => TypeId::BFLOAT,
        "float" => TypeId::FLOAT,
        "double" => TypeId::DOUBLE,
        "x86_fp80" => TypeId::X86_FP80,
        "fp128" => TypeId::FP128,
        "ppc_fp128" => TypeId::PPC_FP128,
        "x86_amx" => TypeId::X86_AMX,
        "token" => TypeId::TOKEN,
        "label" => TypeId::LABEL,
        "metadata" => TypeId::METADATA,
        "void" => TypeId::VOID,
        _ => TypeId::ERROR,
    }
}

/// What is wrong with the parameters of a target's type; LLVM knows those of some.
fn target_mistake(name: &str, types: usize, numbers: usize) -> Option<&'static str> {
    match (name, types, numbers) {
        ("aarch64.svcount", 0, 0) | ("riscv.vector.tuple", 1, 1) | ("amdgcn.named.barrier", 0, 1) => None,
        ("aarch64.svcount", ..) => Some("`aarch64.svcount` takes no parameters"),
        ("riscv.vector.tuple", ..) => Some("`riscv.vector.tuple` takes a type and a number"),
        ("amdgcn.named.barrier", ..) => Some("`amdgcn.named.barrier` takes a number"),
        _ => None,
    }
}

/// A type that is not allowed somewhere, for a message.
pub(super) fn excluded(ty: TypeId) -> &'static str {
    match ty {
        TypeId::VOID => "type `void`",
        TypeId::LABEL => "type `label`",
        TypeId::METADATA => "type `metadata`",
        TypeId::TOKEN => "type `token`",
        TypeId::X86_AMX => "type `x86_amx`",
        _ => "a function type",
    }
}

/// Widest integer type, in bits.
const MAX_INT_BITS: u32 = 1 << 23;

impl Lower {
    /// A type that may not be void.
    pub(super) fn ty(&mut self, node: LlvmNode<'_>) -> TypeId {
        let ty = self.any_type(node);
        if ty == TypeId::VOID {
            self.report(&INVALID_TYPE, node.range(), "`void` is allowed only as the result of a function");
            return TypeId::ERROR;
        }
        ty
    }

    /// The type that a function returns.
    pub(super) fn result_type(&mut self, node: LlvmNode<'_>) -> TypeId {
        let ty = self.any_type(node);
        if self.is_valid_result(ty) {
            return ty;
        }
        self.report(&INVALID_TYPE, node.range(), format!("a function must not return {}", excluded(ty)));
        TypeId::ERROR
    }

    /// Any type, `void` included.
    pub(super) fn any_type(&mut self, node: LlvmNode<'_>) -> TypeId {
        let Some(first) = node.first_token() else { return TypeId::ERROR };
        let simple = match first.kind() {
            INT_TYPE => self.int_type(first.text(), first.range()),
            PTR_KW => TypeId::PTR,
            VOID_KW => TypeId::VOID,
            LABEL_KW => TypeId::LABEL,
            METADATA_KW => TypeId::METADATA,
            FLOAT_TYPE_KW => named_primitive(first.text()),
            LOCAL | LOCAL_ID => self.named_type(first),
            _ => return self.composite(node),
        };
        if node.range().end() == first.range().end() { simple } else { self.composite(node) }
    }

    fn named_type(&mut self, token: LlvmToken<'_>) -> TypeId {
        let symbol = self.symbol(token);
        let before = self.tables.types.len();
        let ty = self.tables.types.intern(Type::Named(symbol));
        if self.tables.types.len() > before {
            self.ranges.cold.named_types.push((symbol, token.range()));
        }
        ty
    }

    fn int_type(&mut self, word: &str, range: TextRange) -> TypeId {
        match word {
            "i1" => TypeId::I1,
            "i8" => TypeId::I8,
            "i16" => TypeId::I16,
            "i32" => TypeId::I32,
            "i64" => TypeId::I64,
            _ => self.width(word, range).map_or(TypeId::ERROR, |bits| self.tables.types.int(bits)),
        }
    }

    /// `b8`, or a type of an older LLVM or of another language, which is not understood.
    fn byte_type(&mut self, word: &str, range: TextRange) -> TypeId {
        let is_byte = word.strip_prefix('b').is_some_and(|digits| digits.bytes().all(|c| c.is_ascii_digit()));
        match is_byte.then(|| self.width(word, range)).flatten() {
            Some(bits) => self.tables.types.intern(Type::Byte(bits)),
            None => TypeId::ERROR,
        }
    }

    /// The width that follows the letter of a type.
    fn width(&mut self, word: &str, range: TextRange) -> Option<u32> {
        let width = word.get(1..).and_then(|digits| digits.parse().ok());
        let width = width.filter(|bits| (1..=MAX_INT_BITS).contains(bits));
        if width.is_none() {
            let message = format!("the width of `{word}` must be between 1 and {MAX_INT_BITS}");
            self.report(&INVALID_TYPE, range, message);
        }
        width
    }

    fn composite(&mut self, node: LlvmNode<'_>) -> TypeId {
        let mut elements = node.elements().peekable();
        let Some(Element::Token(first)) = elements.next() else { return TypeId::ERROR };
        let mut ty = match first.kind() {
            INT_TYPE => self.int_type(first.text(), first.range()),
            PTR_KW => self.pointer_type(&mut elements),
            L_BRACE | L_BRACKET | LESS | TARGET_KW => self.bracketed_type(node, first.kind(), &mut elements),
            LOCAL | LOCAL_ID => self.named_type(first),
            WORD => self.byte_type(first.text(), first.range()),
            _ => named_primitive(first.text()),
        };
        // Suffixes: `*`, `addrspace(1)*`, `(i32, ...)`.
        let mut space = 0;
        while let Some(element) = elements.next() {
            let Element::Token(token) = element else { continue };
            match token.kind() {
                STAR => {
                    ty = self.tables.types.ptr(std::mem::take(&mut space));
                }
                NUMBER => space = self.address_space_number(token).unwrap_or(0),
                L_PAREN if matches!(elements.peek(), Some(Element::Token(t)) if t.kind() == NUMBER || t.kind() == STRING) =>
                    {}
                L_PAREN => {
                    let mut params = Vec::new();
                    let mut vararg = false;
                    for element in elements.by_ref() {
                        match element {
                            Element::Node(n) if n.kind() == TYPE => {
                                let param = self.any_type(n);
                                params.push(self.parameter_type(param, n.range()));
                            }
                            Element::Token(t) if t.kind() == ELLIPSIS => vararg = true,
                            Element::Token(t) if t.kind() == R_PAREN => break,
                            _ => {}
                        }
                    }
                    if !self.is_valid_result(ty) {
                        let message = format!("a function must not return {}", excluded(ty));
                        self.report(&INVALID_TYPE, node.range(), message);
                        ty = TypeId::ERROR;
                    }
                    ty = self.tables.types.function(ty, &params, vararg);
                }
                _ => {}
            }
        }
        ty
    }

    /// `ptr`, after the word, with its address space.
    fn pointer_type<'t>(
        &mut self,
        elements: &mut Peekable<impl Iterator<Item = Element<'t, LlvmKind>>>,
    ) -> TypeId {
        let mut space = Some(0);
        if matches!(elements.peek(), Some(Element::Token(t)) if t.kind() == ADDRSPACE_KW) {
            space = None;
            for element in elements.by_ref() {
                if let Element::Token(token) = element {
                    match token.kind() {
                        NUMBER => space = self.address_space_number(token),
                        // A letter of the data layout, which is not known here.
                        R_PAREN => break,
                        _ => {}
                    }
                }
            }
        }
        space.map_or(TypeId::ERROR, |s| self.tables.types.ptr(s))
    }

    /// A structure, an array, a vector or a target type, after its first token.
    fn bracketed_type<'t>(
        &mut self,
        node: LlvmNode<'_>,
        open: LlvmKind,
        elements: &mut impl Iterator<Item = Element<'t, LlvmKind>>,
    ) -> TypeId {
        let mut close = Vec::with_capacity(2);
        close.push(match open {
            L_BRACE => R_BRACE,
            L_BRACKET => R_BRACKET,
            LESS => GREATER,
            _ => R_PAREN,
        });
        let mut inner = Vec::new();
        let mut numbers = Vec::new();
        let mut name = None;
        let (mut packed, mut scalable) = (false, false);
        for element in elements {
            match element {
                Element::Node(n) if n.kind() == TYPE => {
                    let is_target = open == TARGET_KW;
                    let ty = if is_target { self.any_type(n) } else { self.ty(n) };
                    inner.push((ty, n.range()));
                }
                Element::Token(t) => match t.kind() {
                    L_BRACE => packed = true,
                    VSCALE_KW => scalable = true,
                    NUMBER | HEX_NUMBER => numbers.push(t),
                    STRING => name = Some(t),
                    kind if close.last() == Some(&kind) => break,
                    _ => {}
                },
                Element::Node(_) => {}
            }
        }
        match open {
            L_BRACE => self.struct_type(&inner, false),
            LESS if packed => self.struct_type(&inner, true),
            TARGET_KW => {
                let types: Vec<_> = inner.iter().map(|(ty, _)| *ty).collect();
                let is_wrong = |n: &&LlvmToken<'_>| n.kind() == NUMBER && n.text().parse::<u32>().is_err();
                if let Some(wrong) = numbers.iter().find(is_wrong) {
                    let message = "the numbers in a target type must be integers between 0 and 2^32 - 1";
                    self.report(&INVALID_TYPE, wrong.range(), message);
                    return TypeId::ERROR;
                }
                let numbers: Vec<u32> = numbers.iter().map(|n| text::number(n.text())).collect();
                let name = name.map_or("".into(), |n| text::unquote(n.text()).into_owned());
                if let Some(message) = target_mistake(&name, types.len(), numbers.len()) {
                    self.report(&INVALID_TYPE, node.range(), message);
                    return TypeId::ERROR;
                }
                self.tables.types.target_type(&name, &types, numbers)
            }
            kind => match (inner.first(), numbers.first()) {
                (Some((element, range)), Some(count)) if kind == LESS => {
                    self.vector_type(*element, *range, *count, scalable)
                }
                (Some((element, range)), Some(count)) => self.array_type(*element, *range, *count),
                _ => TypeId::ERROR,
            },
        }
    }

    pub(super) fn address_space_number(&mut self, token: LlvmToken<'_>) -> Option<u32> {
        let number = token.text().parse::<u32>().ok().filter(|n| *n < 1 << 24);
        if number.is_none() {
            let message = format!("the address space must be between 0 and 2^24 - 1, is {}", token.text());
            self.report(&INVALID_TYPE, token.range(), message);
        }
        number
    }

    pub(super) fn is_valid_result(&self, ty: TypeId) -> bool {
        !matches!(ty, TypeId::LABEL | TypeId::METADATA) && !self.tables.types.is_function(ty)
    }

    /// The type if it may be a parameter's, or an error type after a report.
    pub(super) fn parameter_type(&mut self, ty: TypeId, range: TextRange) -> TypeId {
        if matches!(ty, TypeId::VOID | TypeId::LABEL) || self.tables.types.is_function(ty) {
            let message = format!("a parameter must not have {}", excluded(ty));
            self.report(&INVALID_TYPE, range, message);
            return TypeId::ERROR;
        }
        ty
    }

    fn struct_type(&mut self, fields: &[(TypeId, TextRange)], packed: bool) -> TypeId {
        let mut types = Vec::with_capacity(fields.len());
        for (ty, range) in fields {
            let bad = matches!(*ty, TypeId::VOID | TypeId::LABEL | TypeId::METADATA | TypeId::TOKEN)
                || self.tables.types.is_function(*ty);
            if bad {
                let message = format!("a struct field must not have {}", excluded(*ty));
                self.report(&INVALID_TYPE, *range, message);
            }
            types.push(if bad { TypeId::ERROR } else { *ty });
        }
        self.tables.types.literal_struct(&types, packed)
    }

    /// An array, after its parts were read.
    fn array_type(&mut self, element: TypeId, range: TextRange, count: LlvmToken<'_>) -> TypeId {
        let Some(count) = self.element_count(count) else { return TypeId::ERROR };
        let types = &self.tables.types;
        let bad = matches!(
            element,
            TypeId::VOID | TypeId::LABEL | TypeId::METADATA | TypeId::TOKEN | TypeId::X86_AMX
        ) || types.is_function(element);
        if bad {
            let message = format!("an array element must not have {}", excluded(element));
            self.report(&INVALID_TYPE, range, message);
            return TypeId::ERROR;
        }
        self.tables.types.array(count, element)
    }

    /// A vector, after its parts were read.
    fn vector_type(
        &mut self,
        element: TypeId,
        range: TextRange,
        count: LlvmToken<'_>,
        scalable: bool,
    ) -> TypeId {
        let count_range = count.range();
        let Some(count) = self.element_count(count) else { return TypeId::ERROR };
        let types = &self.tables.types;
        let is_element = element.is_error()
            || types.is_element(element)
            || match types.get(element) {
                Type::Named(_) => true,
                Type::Target(index) => {
                    types.target(index).is_none_or(|t| target_types::properties(&t.name).is_element)
                }
                _ => false,
            };
        if count == 0 || count > u64::from(u32::MAX) {
            let message = if count == 0 {
                "a vector must have at least one element"
            } else {
                "the number of elements of a vector must be less than 2^32"
            };
            self.report(&INVALID_TYPE, count_range, message);
            return TypeId::ERROR;
        }
        if !is_element {
            let message = "the elements of a vector must be integers, floating-point values or pointers";
            self.report(&INVALID_TYPE, range, message);
            return TypeId::ERROR;
        }
        self.tables.types.vector(count as u32, scalable, element)
    }

    fn element_count(&mut self, token: LlvmToken<'_>) -> Option<u64> {
        let count = text::unsigned(token.text());
        if count.is_none() {
            let message = match token.text().starts_with('-') {
                true => "the number of elements must not be negative",
                false => "the number of elements must be less than 2^64",
            };
            self.report(&INVALID_TYPE, token.range(), message);
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::findings;

    #[test]
    fn a_lost_name_makes_parameters_a_part_of_the_result() {
        expect![[r#"
            1: invalid-type: a function must not return a function type
            1: syntax-error: expected the function's name, found the end of the line
        "#]]
        .assert_eq(&findings("declare i32 ()\ndeclare void @g()\n"));
    }

    #[test]
    fn numbers_in_target_types_have_no_sign() {
        expect![[r#"
            2: invalid-type: the numbers in a target type must be integers between 0 and 2^32 - 1
            3: invalid-type: the numbers in a target type must be integers between 0 and 2^32 - 1
        "#]]
        .assert_eq(&findings(
            "declare void @f(target(\"spirv.Image\", i32, 4294967295))\n\
declare void @g(target(\"spirv.Image\", i32, -1))\ndeclare void @h(target(\"spirv.Image\", i32, 4294967296))\n",
        ));
    }

    #[test]
    fn void_stands_in_target_types_and_results_alone() {
        expect![[r#"
            2: invalid-type: `void` is allowed only as the result of a function
        "#]]
        .assert_eq(&findings(
            "declare void @f(target(\"spirv.Image\", void, 1, 0))\ndeclare void @g([2 x void])\n",
        ));
    }
}
