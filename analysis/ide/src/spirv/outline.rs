//! Outline of SPIR-V assembly.

use wavelens_base::TextRange;
use wavelens_spirv::code::Inst;
use wavelens_spirv::context::RuleContext;
use wavelens_spirv::flat::NONE;
use wavelens_spirv::ops;
use wavelens_spirv::type_names::debug_name;
use wavelens_syntax::spirv::tables::{Kind, Op};

use super::Cx;
use super::place::module;
use crate::answers::{Symbol, SymbolKind};
use crate::spirv::fold::constant_value;

/// The chunk's outline entries, in order.
pub fn outline(cx: &Cx<'_>) -> Vec<Symbol> {
    let m = module(cx);
    let mut found: Vec<Symbol> = Vec::new();
    let mut function: Option<Symbol> = None;
    for (index, inst) in m.insts().enumerate() {
        let Some(range) = cx.lowered.inst_ranges.get(index).copied() else { continue };
        match inst.op() {
            Op::Function => {
                let entry = m.scope.entry_points_of(inst.id()).next();
                let mut symbol = named(cx, &m, index, inst, SymbolKind::Function, range);
                if let Some(entry) = entry {
                    symbol.kind = SymbolKind::EntryPoint;
                    symbol.detail = wavelens_spirv::scope::model_name(entry.model).to_owned();
                }
                found.extend(function.replace(symbol));
            }
            Op::FunctionEnd => {
                if let Some(mut symbol) = function.take() {
                    symbol.range = symbol.range.cover(range);
                    found.push(symbol);
                }
            }
            op => match &mut function {
                Some(symbol) => {
                    symbol.range = symbol.range.cover(range);
                    if op == Op::Label {
                        symbol.children.push(named(cx, &m, index, inst, SymbolKind::Label, range));
                    }
                }
                None => preamble(cx, &m, index, inst, range, &mut found),
            },
        }
    }
    found.extend(function);
    found
}

fn preamble(
    cx: &Cx<'_>,
    m: &RuleContext<'_>,
    index: usize,
    inst: Inst<'_>,
    range: TextRange,
    found: &mut Vec<Symbol>,
) {
    let (group, kind) = match inst.op() {
        Op::Variable | Op::UntypedVariableKHR => {
            let mut symbol = named(cx, m, index, inst, SymbolKind::Variable, range);
            symbol.detail = m.type_name(inst.ty());
            found.push(symbol);
            return;
        }
        op if ops::generates_type(op) => ("Types", SymbolKind::Type),
        op if op.info().is_some_and(|i| i.class == "Constant-Creation") => {
            ("Constants", SymbolKind::Constant)
        }
        _ => return,
    };
    if inst.id() == NONE {
        return;
    }
    let mut symbol = named(cx, m, index, inst, kind, range);
    symbol.detail = match kind {
        SymbolKind::Type => m.type_name(inst.id()),
        _ => constant_value(m, inst.id()).unwrap_or_default(),
    };
    match found.last_mut().filter(|s| s.kind == SymbolKind::Group && s.name == group) {
        Some(last) => {
            last.range = last.range.cover(range);
            last.children.push(symbol);
        }
        None => found.push(Symbol {
            name: group.to_owned(),
            detail: String::new(),
            kind: SymbolKind::Group,
            range,
            selection: symbol.selection,
            children: vec![symbol],
        }),
    }
}

fn named(
    cx: &Cx<'_>,
    m: &RuleContext<'_>,
    index: usize,
    inst: Inst<'_>,
    kind: SymbolKind,
    range: TextRange,
) -> Symbol {
    let flat = cx.lowered.flat.insts.get(index);
    let result = flat.and_then(|i| {
        let at = cx.lowered.flat.operands_of(i).iter().position(|o| o.kind == Kind::ResultId)?;
        cx.lowered.operand_ranges.get(i.first as usize + at).copied()
    });
    let (detail, name) = match debug_name(m, inst.id()) {
        Some(name) => (m.name(inst.id()), name),
        None => (String::new(), m.name(inst.id())),
    };
    Symbol { name, detail, kind, range, selection: result.unwrap_or(range), children: Vec::new() }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use wavelens_base::Dialect;

    use crate::features;
    use crate::features::tests::at_cursor;

    fn list(symbols: &[features::Symbol], depth: usize, out: &mut String) {
        for symbol in symbols {
            let indent = depth * 2;
            let line = format!("{:indent$}{:?} {} {}", "", symbol.kind, symbol.name, symbol.detail);
            out.push_str(&format!("{}\n", line.trim_end()));
            list(&symbol.children, depth + 1, out);
        }
    }

    #[test]
    fn entry_points_functions_types_and_variables() {
        let mut out = String::new();
        at_cursor(Dialect::Spirv, include_str!("testdata/view.spvasm"), |view, _| {
            list(&features::outline(view), 0, &mut out);
        });
        expect![[r#"
            Group Types
              Type %2 void
              Type %3 void()
              Type %7 float
              Type %8 vec4
              Type %9 mat4
              Type %10 uint
              Type %arr vec4[4]
              Type View struct View
              Type %12 ptr Uniform struct View
            Constant %11 4
            Variable view ptr Uniform struct View
            Type %13 ptr Output vec4
            Variable %5 ptr Output vec4
            Type %14 ptr Input vec4
            Variable %6 ptr Input vec4
            Group Types
              Type %15 int
              Type %17 ptr Uniform mat4
            Group Constants
              Constant %16 0
              Constant %20 3
              Constant %21 12
              Constant %22 0.5
              Constant %23 vec4(0.5, 0.5, 0.5, 0.5)
            EntryPoint main Vertex
              Label %24
        "#]]
        .assert_eq(&out);
    }
}
