//! Descriptions of types for messages and hovers.

use wavelens_syntax::spirv::tables::{Kind, Op};

use super::code::{Id, Inst};
use super::ops;
use crate::context::RuleContext;

impl RuleContext<'_> {
    /// A type for messages.
    pub fn type_name(&self, ty: Id) -> String {
        describe(self, ty)
    }

    /// Two types that differ; with their ids where they read the same.
    pub fn type_names(&self, first: Id, second: Id) -> (String, String) {
        let (a, b) = (self.type_name(first), self.type_name(second));
        match a == b {
            true => (format!("{a} (`{}`)", self.name(first)), format!("{b} (`{}`)", self.name(second))),
            false => (a, b),
        }
    }
}

/// `Uniform`; `?` for an unknown storage class.
pub fn storage_class_name(class: u32) -> &'static str {
    Kind::StorageClass.valued(class).map_or("?", |e| e.name)
}

/// A type in the words of shading languages: `vec4`, `uint[4]`, `ptr Uniform View`.
pub fn describe(m: &RuleContext<'_>, ty: Id) -> String {
    describe_at(m, ty, false, &mut Vec::new(), &mut { PARTS })
}

/// Like [`describe`], with the members of structures: `struct View { mat4 m; }`.
pub fn expand(m: &RuleContext<'_>, ty: Id) -> String {
    describe_at(m, ty, true, &mut Vec::new(), &mut { PARTS })
}

/// Members of structures nested deeper are left out.
const EXPANDED: usize = 4;
/// Types with more parts in all are cut.
const PARTS: u32 = 400;
/// More members are not written out.
const MEMBERS: usize = 24;

/// `around`: the types that this one is a part of, from the outside.
fn describe_at(m: &RuleContext<'_>, ty: Id, members: bool, around: &mut Vec<Id>, parts: &mut u32) -> String {
    let depth = around.len();
    let Some(def) = m.def(ty) else {
        let name = m.name(ty);
        return if depth == 0 { format!("the undefined type `{name}`") } else { name };
    };
    if depth == 0 && !ops::generates_type(def.op()) {
        return format!("`{}`, which is not a type", m.name(ty));
    }
    let contains_itself =
        around.contains(&ty) || depth > 0 && def.op() == Op::TypePointer && def.word(3) == ty;
    if depth > 6 || *parts == 0 || contains_itself || !ops::generates_type(def.op()) {
        return m.name(ty);
    }
    *parts -= 1;
    around.push(ty);
    let mut inner = |id: Id| describe_at(m, id, members, around, parts);
    let text = match def.op() {
        Op::TypeVoid => "void".to_owned(),
        Op::TypeBool => "bool".to_owned(),
        Op::TypeInt | Op::TypeFloat => scalar(m, ty).map_or_else(|| m.name(ty), |(name, _)| name),
        Op::TypeVector => match scalar(m, def.word(2)) {
            Some((_, prefix)) => format!("{prefix}vec{}", def.word(3)),
            None => format!("vec{} of {}", def.word(3), inner(def.word(2))),
        },
        Op::TypeMatrix => {
            let (columns, rows) = (def.word(3), m.dimension(def.word(2)));
            let size = if columns == rows { columns.to_string() } else { format!("{columns}x{rows}") };
            match scalar(m, m.element(def.word(2))).filter(|_| m.is_vector(def.word(2))) {
                Some((_, prefix)) => format!("{prefix}mat{size}"),
                None => format!("mat{columns} of {}", inner(def.word(2))),
            }
        }
        Op::TypeArray => match m.uint(def.word(3)) {
            Some(n) => format!("{}[{n}]", inner(def.word(2))),
            None => format!("{}[{}]", inner(def.word(2)), m.name(def.word(3))),
        },
        Op::TypeRuntimeArray => format!("{}[]", inner(def.word(2))),
        Op::TypePointer => {
            let class = storage_class_name(def.word(2));
            format!("ptr {class} {}", inner(def.word(3)))
        }
        Op::TypeUntypedPointerKHR => {
            format!("untyped ptr {}", storage_class_name(def.word(2)))
        }
        Op::TypeStruct => {
            let name = debug_name(m, ty).unwrap_or_else(|| m.name(ty));
            let all = m.members(ty);
            let mut text = format!("struct {name}");
            if members && depth <= EXPANDED {
                text.push_str(" { ");
                for (index, member) in all.iter().enumerate().take(MEMBERS) {
                    let name = member_name(m, ty, index as u32).unwrap_or_else(|| format!("_{index}"));
                    text.push_str(&format!("{} {name}; ", inner(*member)));
                }
                text.push_str(if all.len() > MEMBERS { "... }" } else { "}" });
            }
            text
        }
        Op::TypeSampledImage => format!("sampled {}", inner(def.word(2))),
        Op::TypeImage => image(def, &inner(def.word(2))),
        Op::TypeSampler => "sampler".to_owned(),
        Op::TypeFunction => {
            let parameters: Vec<String> = (2..def.count()).map(|i| inner(def.operand(i))).collect();
            format!("{}({})", inner(def.operand(1)), parameters.join(", "))
        }
        op => format!("{} {}", op.name().trim_start_matches("OpType").to_lowercase(), m.name(ty)),
    };
    around.pop();
    text
}

/// A scalar type's name, and the prefix of its vectors' names.
fn scalar(m: &RuleContext<'_>, ty: Id) -> Option<(String, String)> {
    let def = m.def(ty)?;
    let text = |name: &str, prefix: &str| (name.to_owned(), prefix.to_owned());
    Some(match (def.op(), def.word(2)) {
        (Op::TypeBool, _) => text("bool", "b"),
        (Op::TypeInt, 32) if def.word(3) == 0 => text("uint", "u"),
        (Op::TypeInt, 32) => text("int", "i"),
        (Op::TypeInt, n) if def.word(3) == 0 => (format!("uint{n}_t"), format!("u{n}")),
        (Op::TypeInt, n) => (format!("int{n}_t"), format!("i{n}")),
        (Op::TypeFloat, _) if m.is_bfloat16(ty) => text("bfloat16_t", "bf16"),
        (Op::TypeFloat, n) if m.is_fp8(ty) => (format!("fp{n}"), format!("fp{n}")),
        (Op::TypeFloat, 32) => text("float", ""),
        (Op::TypeFloat, 64) => text("double", "d"),
        (Op::TypeFloat, n) => (format!("float{n}_t"), format!("f{n}")),
        _ => return None,
    })
}

/// `image2DArray of float`, with its texels' format where there is one.
fn image(def: Inst<'_>, sampled: &str) -> String {
    let dim = Kind::Dim.valued(def.word(3)).map_or("?", |e| e.name);
    let kind = if def.word(7) == 2 { "storage image" } else { "image" };
    let multisampled = if def.word(6) == 1 { "MS" } else { "" };
    let arrayed = if def.word(5) == 1 { "Array" } else { "" };
    let depth = if def.word(4) == 1 { ", depth" } else { "" };
    let format = Kind::ImageFormat.valued(def.word(8)).filter(|e| e.value != 0);
    let format = format.map_or_else(String::new, |e| format!(", {}", e.name));
    format!("{kind}{dim}{multisampled}{arrayed} of {sampled}{depth}{format}")
}

/// The string that OpName gives an id.
pub fn debug_name(m: &RuleContext<'_>, id: Id) -> Option<String> {
    let inst = m.scope.code.inst(*m.scope.debug_names.get(&m.global(id))?)?;
    Some(inst.string(1).to_string()).filter(|s| !s.is_empty())
}

/// The string that OpMemberName gives a member of a structure.
pub fn member_name(m: &RuleContext<'_>, ty: Id, member: u32) -> Option<String> {
    let at = *m.scope.member_names.get(&(m.global(ty), member))?;
    Some(m.scope.code.inst(at)?.string(2).to_string()).filter(|s| !s.is_empty())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use wavelens_base::{Dialect, Options};
    use wavelens_check::check_text;

    #[test]
    fn an_image_of_pointers_to_itself() {
        let text = "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n%v = OpTypeVoid\n\
            %image = OpTypeImage %pointer 2D 0 0 0 0 Unknown\n%pointer = OpTypePointer Uniform %image\n\
            %t = OpTypeFunction %v %pointer\n%f = OpFunction %v None %t\n%p = OpFunctionParameter %pointer\n\
            %1 = OpLabel\n%2 = OpLoad %v %p\nOpReturn\nOpFunctionEnd\n";
        let found = check_text(Dialect::Spirv, text, &Options::default());
        let messages: Vec<String> = found.into_iter().map(|f| f.message).collect();
        expect!["use of `%pointer` before its definition, without an OpTypeForwardPointer for it"]
            .assert_eq(&messages.join("\n"));
    }
}
