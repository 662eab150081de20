//! Hover in SPIR-V assembly.

use std::fmt::Write;

use wavelens_base::{ChunkId, TextRange, TextSize, sizes};
use wavelens_check::dialect::Lowered;
use wavelens_spirv::code::{Id, Inst};
use wavelens_spirv::context::{Definition, RuleContext};
use wavelens_spirv::flat::Form;
use wavelens_spirv::scope::model_name;
use wavelens_spirv::type_names::{debug_name, expand, member_name, storage_class_name};
use wavelens_spirv::{encode_inst, ops};
use wavelens_syntax::spirv::tables::{Decoration, Kind, Op, Quantifier};

use super::labels::labels;
use super::paths::path_to;
use super::place::{decoration_text, definition_range, inst_at, module, operand_at, requirements, text_at};
use super::{Cx, help};
use crate::answers::Hover;
use crate::db::Chunk;
use crate::markdown::{block, code};
use crate::spirv::fold::constant_value;

/// What is shown about the word at an offset of the chunk.
pub fn hover(cx: &Cx<'_>, at: TextSize) -> Option<Hover> {
    let m = module(cx);
    let index = inst_at(cx, at)?;
    let raw = cx.lowered.flat.insts.get(index)?;
    let Some(operand) = operand_at(cx, index, at) else { return opcode(cx, &m, index, at) };
    let range = *cx.lowered.operand_ranges.get(raw.first as usize + operand)?;
    let flat = cx.lowered.flat.operands_of(raw).get(operand)?;
    let markdown = match flat.form {
        Form::Id => id(cx, &m, *m.ids.get(flat.value as usize)?),
        Form::Word if flat.kind == Kind::SpecConstantOp => operation(cx.slice(range))?,
        Form::Word => enumerants(flat.kind, flat.value).or_else(|| named_operand(raw.op, operand))?,
        Form::Text if flat.kind == Kind::LiteralString => match raw.op {
            Op::Extension => help::extension(cx.slice(range).trim_matches('"'))?,
            Op::ExtInstImport => help::set(cx.slice(range).trim_matches('"'))?,
            _ => named_operand(raw.op, operand)?,
        },
        Form::Text => {
            let Some(set) = m.inst(m.first + index as u32)?.raw.set else {
                return Some(Hover { range, markdown: named_operand(raw.op, operand)? });
            };
            let known = set.named(cx.slice(range))?;
            let operands: Vec<String> = known.operand_names().map(|o| format!("<{o}>")).collect();
            let usage = format!("{} {}", known.name, operands.join(" "));
            let text = help::extended(set, known).map_or(String::new(), |text| format!("{text}\n\n"));
            format!("```spirv\n{}\n```\n\n{text}Number {} of {set:?}\n", usage.trim_end(), known.number)
        }
    };
    Some(Hover { range, markdown })
}

/// The operation of an OpSpecConstantOp, whose name lacks `Op`.
fn operation(name: &str) -> Option<String> {
    let info = Op::from_name(name)?;
    let operands: String = info.operand_names().skip(2).map(|name| format!(" <{name}>")).collect();
    let text = help::instruction(info).map_or(String::new(), |text| format!("\n\n{text}"));
    Some(format!("```spirv\n{}{operands}\n```{text}", info.name))
}

/// What the grammar calls an operand, for numbers and strings that say nothing themselves.
fn named_operand(op: Op, operand: usize) -> Option<String> {
    let info = op.info()?;
    let last = info.operand_names().count().checked_sub(1)?;
    let name = info.operand_names().nth(operand.min(last))?;
    Some(format!("{name} of {}", info.name))
}

/// The instruction itself: what it wants, and its words.
fn opcode(cx: &Cx<'_>, m: &RuleContext<'_>, index: usize, at: TextSize) -> Option<Hover> {
    let range = *cx.lowered.inst_ranges.get(index)?;
    let raw = cx.lowered.flat.insts.get(index)?;
    let name = raw.op.name();
    let is_own =
        |word: &&str| word.strip_prefix("Op").and_then(Op::from_name).is_some_and(|i| i.op == raw.op);
    let word = cx.slice(range).split_whitespace().find(is_own)?;
    let start = range.start() + TextSize::new(cx.slice(range).find(word)? as u32);
    let written = TextRange::at(start, TextSize::of(word));
    if !written.contains_inclusive(at) {
        return None;
    }
    let info = raw.op.info()?;
    let mut text = format!("**{name}** (opcode {}, {})\n\n", raw.op.0, info.class);
    if word != name {
        let _ = writeln!(text, "{} is another name of it.\n", code(word));
    }
    let operands = info.operands.iter().zip(info.operand_names());
    let operands = operands.filter(|(o, _)| o.kind != Kind::ResultId).map(|(o, name)| {
        let mark = match o.quantifier {
            Quantifier::One => "",
            Quantifier::Optional => "?",
            Quantifier::Many => "*",
        };
        format!(" <{name}>{mark}")
    });
    let result = if info.has_result { "%result = " } else { "" };
    let _ = writeln!(text, "```spirv\n{result}{name}{}\n```\n", operands.collect::<String>());
    if let Some(words) = help::instruction(info) {
        let _ = writeln!(text, "{words}\n");
    }
    let needs = requirements(info.capabilities, info.extensions, info.first_version, info.last_version);
    if !needs.is_empty() {
        let _ = writeln!(text, "{needs}\n");
    }
    if let Some(inst) = m.inst(m.first + index as u32).filter(|i| i.is_whole()) {
        words(cx, m, inst, range + cx.start(), &mut text);
    }
    Some(Hover { range: written, markdown: text })
}

/// `range` is the instruction's in the file.
fn words(cx: &Cx<'_>, m: &RuleContext<'_>, inst: Inst<'_>, range: TextRange, text: &mut String) {
    let size =
        cx.view.chunks().last().map_or(0, |last| {
            usize::from(cx.view.start(cx.view.chunks().len() - 1)) + cx.view.text(*last).len()
        });
    let assembled = || {
        let (index, _, at) = cx.view.chunk_at(range.start())?;
        let chunks: Vec<_> =
            cx.view.chunks().iter().map(|chunk| chunk_of(cx, *chunk)).collect::<Option<_>>()?;
        let (_, lowered) = chunks.get(index)?;
        let inst = lowered.inst_ranges.binary_search_by_key(&at, |range| range.start()).ok()?;
        encode_inst(&chunks, cx.scope, index, inst)
    };
    let mut words: Vec<String> = Vec::with_capacity(inst.words().len());
    match (size <= sizes::WORDS).then(assembled).flatten() {
        Some(known) => words.extend(known.iter().map(|w| format!("{w:08x}"))),
        None => {
            let mut operands = inst.operands().iter().peekable();
            for (offset, word) in inst.words().iter().enumerate() {
                let operand = operands.next_if(|o| usize::from(o.offset) == offset);
                words.push(match operand.is_some_and(|o| o.kind.is_id()) {
                    true => m.name(*word),
                    false => format!("{word:08x}"),
                });
            }
        }
    }
    if words.len() > 32 {
        words.truncate(32);
        words.push("...".to_owned());
    }
    let _ = writeln!(text, "\nWords: {}", code(&words.join(" ")));
}

fn chunk_of<'db>(cx: &Cx<'db>, chunk: Chunk) -> Option<(ChunkId, &'db wavelens_spirv::Lowered)> {
    match cx.view.lowered(chunk) {
        Lowered::Spirv(lowered) => Some((chunk.id(cx.view.db), &**lowered)),
        _ => None,
    }
}

/// What is shown of an id where it is defined, for one in the body of another function.
fn elsewhere(cx: &Cx<'_>, m: &RuleContext<'_>, id: Id) -> Option<String> {
    let index = cx.view.index_of(m.scope.bodies.get(&id)?.chunk)?;
    let chunk = *cx.view.chunks().get(index).filter(|_| index != cx.index)?;
    let Lowered::Spirv(lowered) = cx.view.lowered(chunk) else { return None };
    let there = Cx { lowered, text: cx.view.text(chunk), index, chunk, ..*cx };
    let name = m.name(id);
    let flat = &lowered.flat;
    let own = (0..flat.names.len()).find(|index| Some(flat.name(*index as u32)) == name.strip_prefix('%'))?;
    let m = module(&there);
    Some(self::id(&there, &m, *m.ids.get(own)?))
}

fn id(cx: &Cx<'_>, m: &RuleContext<'_>, id: Id) -> String {
    if m.definition(id) == Definition::Elsewhere
        && let Some(text) = elsewhere(cx, m, id)
    {
        return text;
    }
    let mut text = String::new();
    let range = definition_range(cx, m, id);
    let definition = range.and_then(|range| text_at(cx, range)).map_or_else(|| m.name(id), str::to_owned);
    let _ = writeln!(text, "{}\n", block("spirv", &definition));
    if let Some(meaning) = meaning(m, id) {
        let _ = writeln!(text, "{}\n", code(&meaning));
    }
    if let Some(name) = debug_name(m, id).filter(|n| format!("%{n}") != m.name(id)) {
        let _ = writeln!(text, "Name: {}  ", code(&name));
    }
    if let Some(path) = path_to(m, id) {
        let _ = writeln!(text, "Selects: {}  ", code(&path));
    }
    if m.op(id) == Op::Label
        && let Definition::Here(at) = m.definition(id)
        && let Some((_, role)) = labels(m).into_iter().find(|(own, _)| *own == at + m.first)
        && let Some(role) = role.line()
    {
        let _ = writeln!(text, "{role}  ");
    }
    if let Some(value) = constant_value(m, id) {
        let note = if ops::is_spec_constant(m.op(id)) { ", by default" } else { "" };
        let _ = writeln!(text, "Value: {}{note}  ", code(&value));
    }
    let own: Vec<String> = m
        .decorations(id)
        .iter()
        .filter(|d| d.member.is_none())
        .map(|d| code(&decoration_text(m, d)))
        .collect();
    if !own.is_empty() {
        let _ = writeln!(text, "Decorations: {}  ", own.join(", "));
    }
    members(m, id, &mut text);
    match m.definition(id) {
        Definition::Here(_) | Definition::Module(_) => {
            if let Some((inst, range)) = m.def(id).zip(range) {
                words(cx, m, inst, range, &mut text);
            }
        }
        Definition::Elsewhere => text.push_str("Defined in another function.\n"),
        Definition::Missing => text.push_str("Not defined.\n"),
    }
    text
}

/// What an id stands for, on one line: an expanded type, what a variable holds and where it is bound, a function's type.
fn meaning(m: &RuleContext<'_>, id: Id) -> Option<String> {
    let def = m.def(id)?;
    if ops::generates_type(def.op()) {
        return Some(expand(m, id));
    }
    match def.op() {
        Op::Variable | Op::UntypedVariableKHR => {
            let held = match def.op() {
                Op::Variable => m.pointer(def.ty()).map(|(_, held)| held)?,
                _ => def.opt_operand(3).unwrap_or(def.ty()),
            };
            m.def(held)?;
            let class = storage_class_name(def.operand(2));
            let mut text = format!("{} in {class}", expand(m, held));
            for d in m.decorations(id).iter().filter(|d| d.member.is_none()) {
                let value = m.scope.params(d).first().copied().unwrap_or(0);
                let _ = match d.kind {
                    Decoration::DescriptorSet => write!(text, ", set {value}"),
                    Decoration::Binding => write!(text, ", binding {value}"),
                    Decoration::Location => write!(text, ", location {value}"),
                    Decoration::BuiltIn => {
                        write!(text, ", built-in {}", Kind::BuiltIn.valued(value).map_or("?", |e| e.name))
                    }
                    _ => Ok(()),
                };
            }
            Some(text)
        }
        Op::Function => {
            let mut text = expand(m, def.operand(3));
            for entry in m.scope.entry_points_of(m.global(id)) {
                let _ = write!(text, ", entry point \"{}\" of {}", entry.name, model_name(entry.model));
            }
            Some(text)
        }
        Op::Label => None,
        _ if m.def(def.ty()).is_some() => Some(expand(m, def.ty())),
        _ => None,
    }
}

fn members(m: &RuleContext<'_>, ty: Id, text: &mut String) {
    let Some(def) = m.def(ty).filter(|d| d.op() == Op::TypeStruct) else { return };
    let mut rows = String::new();
    for (number, index) in (1..def.count()).enumerate() {
        let number = number as u32;
        let of_member = m.decorations(ty).iter().filter(|d| d.member == Some(number));
        let decorations: Vec<String> = of_member.map(|d| decoration_text(m, d)).collect();
        let name = member_name(m, ty, number).unwrap_or_default();
        let line = format!("{number}: {} {name}", m.type_name(def.operand(index)));
        let _ = match decorations.is_empty() {
            true => writeln!(rows, "{}", line.trim_end()),
            false => writeln!(rows, "{}; {}", line.trim_end(), decorations.join(", ")),
        };
    }
    let _ = writeln!(text, "\n{}", block("", rows.trim_end()));
}

/// The values of an enumeration, or the bits of a mask.
fn enumerants(kind: Kind, value: u32) -> Option<String> {
    let mut text = String::new();
    for known in kind.enumerants() {
        let set = match kind.is_mask() && known.value != 0 {
            true => value & known.value == known.value,
            false => value == known.value,
        };
        if set {
            let _ = writeln!(text, "**{}** ({kind:?} {})\n", known.name, known.value);
            if let Some(words) = help::enumerant(kind, known.name) {
                let _ = writeln!(text, "{words}\n");
            }
            let needs =
                requirements(known.capabilities, known.extensions, known.first_version, known.last_version);
            // A capability declares those that it lists.
            let needs =
                if kind == Kind::Capability { needs.replace("Capability:", "Implies") } else { needs };
            let _ = writeln!(text, "{needs}\n");
            if kind == Kind::Capability {
                let _ = writeln!(text, "{}", help::enabled_by(known.value));
            }
        }
    }
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use wavelens_base::Dialect;

    use crate::features;
    use crate::features::tests::at_cursor;

    /// A vertex shader whose marks the tests put the cursor at.
    const SHADER: &str = include_str!("testdata/view.spvasm");

    fn check(place: &str, expected: Expect) {
        let fixture = SHADER.replacen(&place.replace("$0", ""), place, 1);
        let hover = at_cursor(Dialect::Spirv, &fixture, features::hover);
        expected.assert_eq(&hover.map(|h| h.markdown).unwrap_or_default());
    }

    #[test]
    fn a_variable_tells_what_it_holds_and_where_it_is_bound() {
        check(
            "OpAccessChain %17 %vi$0ew",
            expect![[r#"
                ```spirv
                %view = OpVariable %12 Uniform
                ```

                `struct View { mat4 m; vec4[4] lights; } in Uniform, set 0, binding 2`

                Decorations: `DescriptorSet 0`, `Binding 2`  

                Words: `0004003b 0000000c 00000013 00000002`
            "#]],
        );
    }

    #[test]
    fn a_value_of_a_function_is_shown_at_its_name() {
        let text = "OpName %x$0 \"x\"\n%void = OpTypeVoid\n%int = OpTypeInt 32 1\n%fn = OpTypeFunction %void\n\
            %main = OpFunction %void None %fn\n%l = OpLabel\n%x = OpUndef %int\nOpReturn\nOpFunctionEnd\n";
        let hover = at_cursor(Dialect::Spirv, text, features::hover);
        expect![[r#"
            ```spirv
            %x = OpUndef %int
            ```

            `int`


            Words: `00030001 00000003 00000001`
        "#]]
        .assert_eq(&hover.map(|h| h.markdown).unwrap_or_default());
    }

    #[test]
    fn numbers_strings_and_operations_are_named() {
        let hover = |fixture: &str| {
            let hover = at_cursor(Dialect::Spirv, fixture, features::hover);
            hover.map(|h| h.markdown).unwrap_or_default()
        };
        expect!["Width of OpTypeInt"].assert_eq(&hover("%i = OpTypeInt 3$02 1\n"));
        expect!["Signedness of OpTypeInt"].assert_eq(&hover("%i = OpTypeInt 32 $01\n"));
        expect!["Value of OpConstant"].assert_eq(&hover("%i = OpTypeInt 32 1\n%c = OpConstant %i 4$02\n"));
        expect!["Name of OpName"].assert_eq(&hover("OpName %i \"in$0t\"\n%i = OpTypeInt 32 1\n"));
        expect![[r#"
            Extension of SPIR-V. Adds `RayQueryProvisionalKHR`, `RayQueryKHR`, `RayTraversalPrimitiveCullingKHR`, `OpConvertUToAccelerationStructureKHR`, `OpTypeRayQueryKHR`, `OpRayQueryInitializeKHR`, `OpRayQueryTerminateKHR`, `OpRayQueryGenerateIntersectionKHR`, `OpRayQueryConfirmIntersectionKHR`, `OpRayQueryProceedKHR`, `OpRayQueryGetIntersectionTypeKHR`, `OpTypeAccelerationStructureKHR` and 17 others

            [Specification](https://github.khronos.org/SPIRV-Registry/extensions/KHR/SPV_KHR_ray_query.html)"#]].assert_eq(&hover("OpExtension \"SPV_KHR_ray$0_query\"\n"));
        expect![[r#"
            Mathematical and packing functions of shaders. 81 instructions.

            [Specification](https://registry.khronos.org/SPIR-V/specs/unified1/GLSL.std.450.html)"#]]
        .assert_eq(&hover("%1 = OpExtInstImport \"GLSL.$0std.450\"\n"));
        expect![[r#"
            ```spirv
            OpIAdd <Operand 1> <Operand 2>
            ```

            The integer sum, modulo 2ⁿ. [Specification](https://registry.khronos.org/SPIR-V/specs/unified1/SPIRV.html#OpIAdd)"#]].assert_eq(&hover(
            "%i = OpTypeInt 32 1\n%c = OpSpecConstant %i 1\n%d = OpSpecConstantOp %i IA$0dd %c %c\n",
        ));
    }

    #[test]
    fn a_structure_lists_its_members() {
        check(
            "OpTypePointer Uniform %Vi$0ew",
            expect![[r#"
                ```spirv
                %View = OpTypeStruct %9 %arr
                ```

                `struct View { mat4 m; vec4[4] lights; }`

                Decorations: `Block`  

                ```
                0: mat4 m; ColMajor, Offset 0, MatrixStride 16
                1: vec4[4] lights; Offset 64
                ```

                Words: `0004001e 00000012 00000009 0000001e`
            "#]],
        );
    }

    #[test]
    fn constants_are_folded_and_encoded() {
        check(
            "OpDecorate %$020 SpecId",
            expect![[r#"
                ```spirv
                %20 = OpSpecConstant %10 3
                ```

                `uint`

                Value: `3`, by default  
                Decorations: `SpecId 7`  

                Words: `00040032 0000000a 00000014 00000003`
            "#]],
        );
        check(
            "%$023 = OpConstantComposite",
            expect![[r#"
                ```spirv
                %23 = OpConstantComposite %8 %22 %22 %22 %22
                ```

                `vec4`

                Value: `vec4(0.5, 0.5, 0.5, 0.5)`  

                Words: `0007002c 00000008 00000017 00000016 00000016 00000016 00000016`
            "#]],
        );
    }

    #[test]
    fn values_functions_and_labels() {
        check(
            "OpStore %5 %$029",
            expect![[r#"
            ```spirv
            %29 = OpExtInst %8 %1 FMax %28 %23
            ```

            `vec4`


            Words: `0007000c 00000008 0000001d 00000001 00000028 0000001c 00000017`
        "#]],
        );
        check(
            "OpEntryPoint Vertex %$04",
            expect![[r#"
                ```spirv
                %4 = OpFunction %2 None %3
                ```

                `void(), entry point "main" of Vertex`

                Name: `main`  

                Words: `00050036 00000002 00000004 00000000 00000003`
            "#]],
        );
    }

    #[test]
    fn chains_and_labels_tell_what_they_are() {
        check(
            "OpLoad %9 %$026",
            expect![[r#"
            ```spirv
            %26 = OpAccessChain %17 %view %16
            ```

            `ptr Uniform mat4`

            Selects: `view.m`  

            Words: `00050041 00000011 0000001a 00000013 00000010`
        "#]],
        );
        let text = "%v = OpTypeVoid\n%t = OpTypeFunction %v\n%b = OpTypeBool\n%c = OpConstantTrue %b\n%f = OpFunction %v None %t\n%entry = OpLabel\nOpSelectionMerge %end None\nOpBranchConditional %c %yes %$0end\n%yes = OpLabel\nOpBranch %end\n%end = OpLabel\nOpReturn\nOpFunctionEnd\n";
        let hover = at_cursor(Dialect::Spirv, text, features::hover);
        expect![[r#"
            ```spirv
            %end = OpLabel
            ```

            ← %entry, %yes · merge of the selection at %entry  

            Words: `000200f8 00000007`
        "#]]
        .assert_eq(&hover.map(|h| h.markdown).unwrap_or_default());
    }

    #[test]
    fn words_of_the_grammar_tell_what_they_need() {
        check(
            "OpMatrix$0TimesVector",
            expect![[r#"
                **OpMatrixTimesVector** (opcode 145, Arithmetic)

                ```spirv
                %result = OpMatrixTimesVector <Result Type> <Matrix> <Vector>
                ```

                The matrix multiplied by the column vector. [Specification](https://registry.khronos.org/SPIR-V/specs/unified1/SPIRV.html#OpMatrixTimesVector)

                Capability: `Matrix`


                Words: `00050091 00000008 0000001c 0000001b 00000019`
            "#]],
        );
        check(
            "%1 FM$0ax",
            expect![[r#"
                ```spirv
                FMax <x> <y>
                ```

                The larger of two numbers. For floating point, which one is undefined if one is a NaN. [Specification](https://registry.khronos.org/SPIR-V/specs/unified1/GLSL.std.450.html)

                Number 40 of GlslStd450
            "#]],
        );
        check(
            "BuiltIn Posi$0tion",
            expect![[r#"
                **Position** (BuiltIn 0)

                The position of the vertex, in clip space. [Specification](https://registry.khronos.org/SPIR-V/specs/unified1/SPIRV.html#BuiltIn)

                Capability: `Shader`

            "#]],
        );
    }
}
