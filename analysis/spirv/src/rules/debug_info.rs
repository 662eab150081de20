//! Debug information: NonSemantic.Shader.DebugInfo.100 and OpenCL.DebugInfo.100.

use wavelens_syntax::spirv::tables::{ExtSet, Op, ShaderDebugInfo100 as D};

use super::execution_limitations::function_of;
use crate::code::{Id, Inst};
use crate::context::RuleContext;
use wavelens_base::Severity;
use wavelens_base::{Verdict, fail_at};

wavelens_syntax::rules! {
    DEBUG_INFO {
        code: "debug-info",
        severity: Severity::Error,
        title: "the operands of a debug information instruction have the kinds that the instruction set requires",
        explain: "The operands are ids: strings, constants, debug types and scopes are not distinguished by the grammar.",
        example: r#"OpCapability Shader
OpCapability Linkage
%set = OpExtInstImport "OpenCL.DebugInfo.100"
OpMemoryModel Logical GLSL450
%file = OpString "a.comp"
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%one = OpConstant %uint 1
%source = OpExtInst %void %set DebugSource %one
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
%set = OpExtInstImport "OpenCL.DebugInfo.100"
OpMemoryModel Logical GLSL450
%file = OpString "a.comp"
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%one = OpConstant %uint 1
%source = OpExtInst %void %set DebugSource %file
"#,
        source: "NonSemantic.Shader.DebugInfo.100 and OpenCL.DebugInfo.100 specifications; SPIRV-Tools validate_extensions.cpp: \"expected operand\"",
    }
}

/// What an operand names.
#[derive(Clone, Copy)]
enum What {
    String,
    Constant,
    /// A 32-bit unsigned constant; a literal in OpenCL.DebugInfo.100.
    Number,
    /// One of these instructions of the set.
    Debug(&'static [u32]),
    /// One of these instructions of the set, or DebugInfoNone, or OpConstant.
    ConstantOrNone,
    Type,
    TypeOrParameter,
    Scope,
    Function,
}

/// An operand: its name, its word, and what it names.
type Operand = (&'static str, usize, What);

const SOURCE: What = What::Debug(&[D::DebugSource]);
const BASIC: What = What::Debug(&[D::DebugTypeBasic]);

const LINE_AND_COLUMN: [Operand; 3] =
    [("Source", 7, SOURCE), ("Line", 8, What::Number), ("Column", 9, What::Number)];

/// The operands that are always there.
fn operands(number: u32, shader: bool) -> Vec<Operand> {
    use What::*;
    let mut list: Vec<Operand> = match number {
        D::DebugOperation => vec![("Operation", 5, Number)],
        D::DebugCompilationUnit => {
            vec![
                ("Version", 5, Number),
                ("DWARF Version", 6, Number),
                ("Source", 7, SOURCE),
                ("Language", 8, Number),
            ]
        }
        D::DebugSource => vec![("File", 5, String)],
        D::DebugTypeBasic => vec![("Name", 5, String), ("Size", 6, Constant), ("Encoding", 7, Number)],
        D::DebugTypePointer => {
            vec![("Base Type", 5, Type), ("Storage Class", 6, Number), ("Flags", 7, Number)]
        }
        D::DebugTypeQualifier => vec![("Base Type", 5, Type), ("Type Qualifier", 6, Number)],
        D::DebugTypeVector => vec![("Base Type", 5, BASIC), ("Component Count", 6, Number)],
        D::DebugTypeArray => vec![("Base Type", 5, Type)],
        D::DebugTypedef => vec![("Name", 5, String), ("Base Type", 6, BASIC), ("Parent", 10, Scope)],
        D::DebugTypeFunction => vec![("Flags", 5, Number)],
        D::DebugTypeEnum => {
            vec![("Name", 5, String), ("Parent", 10, Scope), ("Size", 11, Constant), ("Flags", 12, Number)]
        }
        D::DebugTypeComposite => vec![
            ("Name", 5, String),
            ("Parent", 10, Scope),
            ("Linkage Name", 11, String),
            ("Size", 12, ConstantOrNone),
            ("Flags", 13, Number),
        ],
        D::DebugTypeMember => vec![("Name", 5, String), ("Type", 6, TypeOrParameter)],
        D::DebugTypeInheritance => vec![
            ("Child", 5, Debug(&[D::DebugTypeComposite])),
            ("Parent", 6, Debug(&[D::DebugTypeComposite])),
            ("Offset", 7, Constant),
            ("Size", 8, Constant),
            ("Flags", 9, Number),
        ],
        D::DebugFunction | D::DebugFunctionDeclaration => vec![
            ("Name", 5, String),
            ("Type", 6, Debug(&[D::DebugTypeFunction])),
            ("Parent", 10, Scope),
            ("Linkage Name", 11, String),
            ("Flags", 12, Number),
        ],
        D::DebugLexicalBlock => {
            vec![("Source", 5, SOURCE), ("Line", 6, Number), ("Column", 7, Number), ("Parent", 8, Scope)]
        }
        D::DebugScope => vec![("Scope", 5, Scope)],
        D::DebugLocalVariable => {
            vec![
                ("Name", 5, String),
                ("Type", 6, TypeOrParameter),
                ("Parent", 10, Scope),
                ("Flags", 11, Number),
            ]
        }
        D::DebugDeclare | D::DebugValue => vec![
            ("Local Variable", 5, Debug(&[D::DebugLocalVariable])),
            ("Expression", 7, Debug(&[D::DebugExpression])),
        ],
        D::DebugTypeTemplate => vec![("Target", 5, Debug(&[D::DebugTypeComposite, D::DebugFunction]))],
        D::DebugTypeTemplateParameter => vec![
            ("Name", 5, String),
            ("Actual Type", 6, Type),
            ("Value", 7, ConstantOrNone),
            ("Source", 8, SOURCE),
            ("Line", 9, Number),
            ("Column", 10, Number),
        ],
        D::DebugGlobalVariable => {
            vec![("Name", 5, String), ("Type", 6, Type), ("Scope", 10, Scope), ("Linkage Name", 11, String)]
        }
        D::DebugInlinedAt => vec![("Line", 5, Number), ("Scope", 6, Scope)],
        _ if shader => shader_operands(number),
        _ => Vec::new(),
    };
    if has_source_location(number) {
        list.extend(LINE_AND_COLUMN);
    }
    if number == D::DebugFunction {
        list.push(("Scope Line", 13, Number));
    }
    if number == D::DebugTypeBasic && shader {
        list.push(("Flags", 8, Number));
    }
    if number == D::DebugTypeMember {
        let parent = usize::from(!shader);
        if !shader {
            list.push(("Parent", 10, Debug(&[D::DebugTypeComposite])));
        }
        list.push(("Offset", 10 + parent, Constant));
        list.push(("Size", 11 + parent, Constant));
        list.push(("Flags", 12 + parent, Number));
    }
    list
}

/// Whether Source, Line and Column are operands 7 to 9.
pub(super) fn has_source_location(number: u32) -> bool {
    matches!(
        number,
        D::DebugTypedef
            | D::DebugTypeEnum
            | D::DebugTypeComposite
            | D::DebugTypeMember
            | D::DebugFunction
            | D::DebugFunctionDeclaration
            | D::DebugLocalVariable
            | D::DebugGlobalVariable
    )
}

/// The operands of instructions that only NonSemantic.Shader.DebugInfo.100 has.
fn shader_operands(number: u32) -> Vec<Operand> {
    use What::*;
    match number {
        D::DebugTypeMatrix => {
            vec![("Vector Type", 5, Debug(&[D::DebugTypeVector])), ("Vector Count", 6, Number)]
        }
        D::DebugFunctionDefinition => {
            vec![("Function", 5, Debug(&[D::DebugFunction])), ("Definition", 6, Function)]
        }
        D::DebugLine => vec![
            ("Source", 5, SOURCE),
            ("Line Start", 6, Number),
            ("Line End", 7, Number),
            ("Column Start", 8, Number),
            ("Column End", 9, Number),
        ],
        D::DebugSourceContinued => vec![("Text", 5, String)],
        D::DebugBuildIdentifier => vec![("Identifier", 5, String), ("Flags", 6, Number)],
        D::DebugStoragePath => vec![("Path", 5, String)],
        D::DebugEntryPoint => vec![
            ("Entry Point", 5, Debug(&[D::DebugFunction])),
            ("Compilation Unit", 6, Debug(&[D::DebugCompilationUnit])),
            ("Compiler Signature", 7, String),
            ("Command-line Arguments", 8, String),
        ],
        _ => Vec::new(),
    }
}

/// Operands that are there or not.
fn optional(number: u32, shader: bool) -> Option<Operand> {
    use What::*;
    let cl = usize::from(!shader);
    Some(match number {
        D::DebugSource => ("Text", 6, String),
        D::DebugTypeMember => ("Value", 13 + cl, Constant),
        D::DebugFunction => ("Declaration", 14 + cl, Debug(&[D::DebugFunctionDeclaration])),
        D::DebugLexicalBlock => ("Name", 9, String),
        D::DebugScope => ("Inlined At", 6, Debug(&[D::DebugInlinedAt])),
        D::DebugLocalVariable => ("ArgNumber", 12, Number),
        D::DebugGlobalVariable => ("Static Member Declaration", 14, Debug(&[D::DebugTypeMember])),
        D::DebugInlinedAt => ("Inlined", 7, Debug(&[D::DebugInlinedAt])),
        _ => return None,
    })
}

/// Operands that repeat to the end: the first one's word and what they name.
fn repeated(number: u32) -> Option<Operand> {
    use What::*;
    Some(match number {
        D::DebugOperation => ("Operand", 6, Number),
        D::DebugTypeFunction => ("Parameter Types", 7, TypeOrParameter),
        D::DebugTypeComposite => {
            ("Members", 14, Debug(&[D::DebugTypeMember, D::DebugFunction, D::DebugTypeInheritance]))
        }
        D::DebugExpression => ("Operation", 5, Debug(&[D::DebugOperation])),
        D::DebugTypeTemplate => {
            ("Parameters", 6, Debug(&[D::DebugTypeTemplateParameter, D::DebugTypeTemplateTemplateParameter]))
        }
        _ => return None,
    })
}

pub(super) fn instruction(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    if !matches!(inst.raw.set, Some(ExtSet::ShaderDebugInfo100 | ExtSet::OpenClDebugInfo100)) {
        return Ok(());
    }
    let shader = inst.raw.set == Some(ExtSet::ShaderDebugInfo100);
    let number = inst.ext_number();
    if !m.is_void(inst.ty()) {
        return fail_at(
            &DEBUG_INFO,
            0,
            format!("expected void as Result Type of debug information, found {}", m.type_name(inst.ty())),
        );
    }
    let words = inst.words().len();
    for operand in operands(number, shader) {
        expect(m, inst, shader, operand)?;
    }
    if let Some(operand) = optional(number, shader).filter(|(_, word, _)| words == word + 1) {
        expect(m, inst, shader, operand)?;
    }
    if let Some((name, first, what)) = repeated(number) {
        (first..words).try_for_each(|word| expect(m, inst, shader, (name, word, what)))?;
    }
    check_relations(m, inst, number, shader)
}

fn wrong(word: usize, message: impl Into<String>) -> Verdict {
    fail_at(&DEBUG_INFO, word.saturating_sub(1), message)
}

/// Whether an id is one of these instructions of a debug set.
pub(super) fn is_debug(m: &RuleContext<'_>, id: Id, numbers: &[u32]) -> bool {
    m.def(id).is_some_and(|d| {
        matches!(d.raw.set, Some(ExtSet::ShaderDebugInfo100 | ExtSet::OpenClDebugInfo100))
            && d.is_ext_inst()
            && numbers.contains(&d.ext_number())
    })
}

fn is_type(m: &RuleContext<'_>, id: Id, shader: bool, parameters: bool) -> bool {
    const PARAMETERS: &[u32] = &[D::DebugTypeTemplateParameter, D::DebugTypeTemplateTemplateParameter];
    let Some(def) = m.def(id) else { return false };
    let number = def.ext_number();
    is_debug(m, id, &[number])
        && ((D::DebugTypeBasic..=D::DebugTypeTemplate).contains(&number)
            || parameters && PARAMETERS.contains(&number)
            || shader && number == D::DebugTypeMatrix)
}

fn is_number(m: &RuleContext<'_>, id: Id) -> bool {
    m.def(id).is_some_and(|d| d.op() == Op::Constant && m.is_unsigned(d.ty()) && m.width(d.ty()) == 32)
}

fn expect(m: &RuleContext<'_>, inst: Inst<'_>, shader: bool, (name, word, what): Operand) -> Verdict {
    let set = if shader { ExtSet::ShaderDebugInfo100 } else { ExtSet::OpenClDebugInfo100 };
    if word >= inst.words().len() {
        return Ok(());
    }
    let id = inst.word(word);
    let literal = matches!(what, What::Number) && !shader;
    if literal {
        return Ok(());
    }
    let (fits, needed) = match what {
        What::String => (m.op(id) == Op::String, "an OpString".to_owned()),
        What::Constant => (m.op(id) == Op::Constant, "an OpConstant".to_owned()),
        What::ConstantOrNone => (
            m.op(id) == Op::Constant || is_debug(m, id, &[D::DebugInfoNone]),
            "an OpConstant or DebugInfoNone".to_owned(),
        ),
        What::Number => (is_number(m, id), "a 32-bit unsigned OpConstant".to_owned()),
        What::Function => (m.op(id) == Op::Function, "an OpFunction".to_owned()),
        What::Type => (is_type(m, id, shader, false), "a debug type".to_owned()),
        What::TypeOrParameter => (is_type(m, id, shader, true), "a debug type".to_owned()),
        What::Scope => {
            let scopes =
                [D::DebugCompilationUnit, D::DebugFunction, D::DebugLexicalBlock, D::DebugTypeComposite];
            (is_debug(m, id, &scopes), "a lexical scope".to_owned())
        }
        What::Debug(numbers) => {
            let names: Vec<&str> = numbers.iter().filter_map(|n| set.numbered(*n)).map(|i| i.name).collect();
            (is_debug(m, id, numbers), names.join(" or "))
        }
    };
    if fits {
        return Ok(());
    }
    wrong(word, format!("{name} must be {needed}, `{}` is not", m.name(id)))
}

/// What depends on several operands, or on more than what an operand names.
fn check_relations(m: &RuleContext<'_>, inst: Inst<'_>, number: u32, shader: bool) -> Verdict {
    let words = inst.words().len();
    let id = |word: usize| inst.word(word);
    match number {
        D::DebugTypeVector | D::DebugTypeMatrix if shader || number == D::DebugTypeVector => {
            let count = if shader { m.uint(id(6)).unwrap_or(0) as u32 } else { id(6) };
            if !(1..=4).contains(&count) {
                return wrong(6, "Component Count must be between 1 and 4");
            }
            Ok(())
        }
        D::DebugTypeArray => (6..words).try_for_each(|word| {
            if is_length(m, id(word), shader) {
                return Ok(());
            }
            wrong(word, "Component Count must be an integer constant or a debug variable of an unsigned type")
        }),
        D::DebugTypeFunction => {
            if m.is_void(id(6)) || is_type(m, id(6), shader, true) {
                return Ok(());
            }
            wrong(6, format!("Return Type must be void or a debug type, `{}` is neither", m.name(id(6))))
        }
        D::DebugTypeEnum => check_enumeration(m, inst, shader),
        D::DebugTypeInheritance => {
            // Class 0 and Structure 1; the reference reads the operand as a literal in both sets.
            let is_class = |at: usize| m.def(id(at)).is_some_and(|d| d.word(6) <= 1);
            if !shader && !(is_class(5) && is_class(6)) {
                return wrong(5, "Child and Parent of DebugTypeInheritance must be classes or structures");
            }
            Ok(())
        }
        D::DebugFunction if !shader => {
            if is_debug(m, id(14), &[D::DebugInfoNone]) {
                return Ok(());
            }
            expect(m, inst, shader, ("Function", 14, What::Function))
        }
        D::DebugDeclare => {
            if !matches!(m.op(id(6)), Op::Variable | Op::FunctionParameter) {
                return wrong(
                    6,
                    format!(
                        "Variable must be an OpVariable or OpFunctionParameter, `{}` is neither",
                        m.name(id(6))
                    ),
                );
            }
            let wrong_index = (8..words).find(|w| shader && !m.is_int(m.type_of(id(*w))));
            wrong_index.map_or(Ok(()), |word| wrong(word, "an index must be an integer scalar"))
        }
        D::DebugValue => {
            let wrong_index = (8..words).find(|w| {
                let constant = m.op(id(*w)) == Op::Constant && m.is_int(m.type_of(id(*w)));
                !constant && !is_debug(m, id(*w), &[D::DebugLocalVariable, D::DebugGlobalVariable])
            });
            wrong_index.map_or(Ok(()), |word| {
                wrong(word, "an index must be an integer constant or a debug variable")
            })
        }
        D::DebugGlobalVariable => {
            let none = is_debug(m, id(12), &[D::DebugInfoNone]);
            if !none && !matches!(m.op(id(12)), Op::Variable | Op::Constant) {
                let message = format!(
                    "Variable must be an OpVariable, OpConstant or DebugInfoNone, `{}` is none of them",
                    m.name(id(12))
                );
                return wrong(12, message);
            }
            Ok(())
        }
        D::DebugFunctionDefinition if shader => check_definition(m, inst),
        D::DebugLine if shader => {
            let value = |word: usize| m.uint(id(word)).unwrap_or(0);
            if value(7) < value(6) {
                return wrong(7, format!("the line range {} to {} is empty", value(6), value(7)));
            }
            if value(6) == value(7) && value(9) < value(8) {
                return wrong(9, format!("the column range {} to {} is empty", value(8), value(9)));
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn check_enumeration(m: &RuleContext<'_>, inst: Inst<'_>, shader: bool) -> Verdict {
    let (underlying, size) = (inst.word(6), inst.word(11));
    if !is_debug(m, underlying, &[D::DebugInfoNone]) && !is_type(m, underlying, shader, false) {
        return wrong(6, format!("Underlying Types must be a debug type, `{}` is not", m.name(underlying)));
    }
    if !m.def(size).is_some_and(|d| m.is_int(d.ty()) && d.word(3) != 0) {
        return wrong(11, "Size must be a positive integer constant");
    }
    for word in (13..inst.words().len().saturating_sub(1)).step_by(2) {
        expect(m, inst, shader, ("Value", word, What::Constant))?;
        expect(m, inst, shader, ("Name", word + 1, What::String))?;
    }
    Ok(())
}

/// A DebugFunctionDefinition names the function around it, in its first block.
fn check_definition(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    if inst.word(6) != function_of(m, inst) {
        return wrong(6, "Definition must be the OpFunction that contains this instruction");
    }
    let before = (m.first..inst.at).rev().filter_map(|at| m.inst(at));
    let labels = before.take_while(|i| i.op() != Op::Function).filter(|i| i.op() == Op::Label).count();
    if labels > 1 {
        return wrong(6, "DebugFunctionDefinition must be in the first block of the function");
    }
    Ok(())
}

/// Whether an id can be the length of an array.
fn is_length(m: &RuleContext<'_>, id: Id, shader: bool) -> bool {
    let Some(def) = m.def(id) else { return true };
    if def.op() == Op::Constant && m.is_int(def.ty()) && matches!(m.width(def.ty()), 32 | 64) {
        return shader || def.word(3) != 0;
    }
    // SPIRV-Tools 2026 takes what a specialization gives, and glslang writes it for arrays of such lengths.
    let is_specialized = matches!(def.op(), Op::SpecConstant | Op::SpecConstantOp);
    if shader && is_specialized && m.is_int(def.ty()) && matches!(m.width(def.ty()), 32 | 64) {
        return true;
    }
    if !is_debug(m, id, &[D::DebugLocalVariable, D::DebugGlobalVariable]) {
        return false;
    }
    let Some(ty) = m.def(def.word(6)).filter(|t| is_debug(m, t.id(), &[D::DebugTypeBasic])) else {
        return false;
    };
    let encoding = if shader { m.uint(ty.word(7)).unwrap_or(0) as u32 } else { ty.word(7) };
    const UNSIGNED: u32 = 6;
    encoding == UNSIGNED
        && m.def(ty.word(6)).is_some_and(|s| m.is_int(s.ty()) && matches!(s.word(3), 32 | 64))
}

#[cfg(test)]
mod operand_tests;
#[cfg(test)]
mod tests;
