//! The names that machine functions use of the embedded IR module: functions, their values and blocks, globals, metadata.

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::{SmolStr, format_smolstr};

use wavelens_llvm as llvm;
use wavelens_llvm::arena::Tables;
use wavelens_llvm::attribute::AttrValue;
use wavelens_llvm::body::{Body, LocalKind, Opcode};
use wavelens_llvm::metadata::{MdKind, MdNode, MdValue};
use wavelens_llvm::names::Symbol;
use wavelens_llvm::operand::Value;
use wavelens_llvm::summary::Param;
use wavelens_llvm::types::{Span, Type, Types};

/// What a `%` name of an IR function is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Local {
    /// A value that may be a pointer.
    Value,
    /// A value that is surely no pointer.
    NoPointer,
    /// The address of an `alloca`.
    Alloca,
    /// A basic block.
    Block,
}

/// The target that attributes name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FunctionTarget {
    /// `"target-cpu"`.
    pub cpu: Option<SmolStr>,
    /// `"target-features"`.
    pub features: Option<SmolStr>,
    /// The VGPRs that `"amdgpu-num-vgpr"` or the waves of `"amdgpu-waves-per-eu"` leave at least.
    pub(crate) vgprs: Option<u32>,
}

/// A function of the IR module.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct IrFunction {
    /// `define` instead of `declare`.
    pub is_definition: bool,
    /// Names without `%`; unnamed values as `%3`, unnamed blocks as their number.
    pub locals: FxHashMap<SmolStr, Local>,
    /// Whether a `!dbg` names its `!DISubprogram`.
    pub(crate) has_subprogram: bool,
    /// Written at the function.
    pub target: FunctionTarget,
    /// Numbers of attribute groups.
    pub groups: Vec<u32>,
    /// Whether its personality unwinds by scopes, so that a block may have several landing pads.
    pub(crate) has_scoped_unwinding: bool,
}

/// What kind of metadata node a number names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Metadata {
    /// `!DILocation`
    Location,
    /// `!DILocalVariable`
    Variable,
    /// `!DIExpression`
    Expression,
    /// A node that can be a scope.
    Scope,
    /// `!{i32 0, i32 10}`, by the width of the first.
    Integers(u32),
    /// Any other node.
    Other,
    /// A node with a syntax error.
    Unknown,
}

/// Names of one chunk of the module.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct IrNames {
    /// Unnamed functions and globals are `@3`.
    pub functions: Vec<(SmolStr, IrFunction)>,
    pub(crate) globals: FxHashSet<SmolStr>,
    pub(crate) metadata: FxHashMap<u32, Metadata>,
    /// Of attribute groups.
    pub group_targets: FxHashMap<u32, FunctionTarget>,
    pub(crate) triple: Option<SmolStr>,
    pub(crate) data_layout: Option<SmolStr>,
    /// Whether any `blockaddress` is there.
    pub(crate) takes_block_addresses: bool,
}

/// LLVM's `isScopedEHPersonality`.
const SCOPED_PERSONALITIES: [&str; 6] = [
    "_except_handler3",
    "_except_handler4",
    "__C_specific_handler",
    "__CxxFrameHandler3",
    "ProcessCLRException",
    "__gxx_wasm_personality_v0",
];

/// Reads the names of a chunk.
pub fn names(ir: &llvm::Lowered) -> IrNames {
    let summary = &ir.summary;
    let tables = &summary.tables;
    let mut names = IrNames {
        triple: summary.cold.triple.map(|t| tables.name(t.value).into()),
        data_layout: summary.cold.data_layout.map(|t| tables.name(t.value).into()),
        takes_block_addresses: !tables.cold.block_addresses.is_empty(),
        ..IrNames::default()
    };
    let heads = summary.globals.iter().map(|g| g.head).chain(summary.cold.aliases.iter().map(|a| a.head));
    names.globals.extend(heads.map(|h| key(h.name, '@', tables)));
    for function in &summary.functions {
        let name = key(function.head.name, '@', tables);
        names.globals.insert(name.clone());
        let (target, groups) = attributes(tables, function.attrs);
        let is_definition = function.is_definition;
        let has_subprogram = tables.attachment(function.attachments, "dbg").is_some();
        let personality = function.personality.map(|id| tables.operand(id).value);
        let has_scoped_unwinding = match personality {
            Some(Value::Global(name)) => SCOPED_PERSONALITIES.contains(&key(name, '@', tables).as_str()),
            _ => false,
        };
        let locals = FxHashMap::default();
        let function =
            IrFunction { is_definition, locals, has_subprogram, target, groups, has_scoped_unwinding };
        names.functions.push((name, function));
    }
    for body in &ir.bodies {
        names.takes_block_addresses |= !body.tables.cold.block_addresses.is_empty();
        if let Some((_, function)) = names.functions.get_mut(body.function as usize) {
            let params = summary.functions.get(body.function as usize).map_or(&[][..], |f| summary.params(f));
            function.locals = locals(body, params, &tables.types);
        }
    }
    for group in &summary.cold.attr_groups {
        let (target, _) = attributes(tables, group.attrs);
        if target != FunctionTarget::default() {
            names.group_targets.insert(group.number, target);
        }
    }
    for def in &summary.cold.metadata {
        let kind =
            tables.cold.md_nodes.get(def.node as usize).map_or(Metadata::Other, |n| metadata_kind(n, tables));
        names.metadata.insert(def.number, kind);
    }
    names
}

/// A name as machine functions' rules look it up: numbers keep their sigil.
fn key(symbol: Symbol, sigil: char, tables: &Tables) -> SmolStr {
    match symbol.as_name() {
        Some(name) => tables.name(name).into(),
        None => symbol.display(sigil, &tables.names).into(),
    }
}

/// The target and the groups among attributes.
fn attributes(tables: &Tables, attrs: Span) -> (FunctionTarget, Vec<u32>) {
    let (mut target, mut groups) = (FunctionTarget::default(), Vec::new());
    for attr in tables.attrs(attrs) {
        match attr.value {
            AttrValue::Group(number) => groups.push(number),
            AttrValue::String { key, value: Some(value) } => match tables.name(key) {
                "target-cpu" => target.cpu = Some(tables.name(value).into()),
                "target-features" => target.features = Some(tables.name(value).into()),
                "amdgpu-num-vgpr" => target.vgprs = tables.name(value).parse().ok(),
                "amdgpu-waves-per-eu" => {
                    let least = tables.name(value).split(',').next().unwrap_or("").parse::<u32>();
                    target.vgprs = target.vgprs.or(least.ok().map(|waves| (256 / waves.max(1)) & !7));
                }
                _ => {}
            },
            _ => {}
        }
    }
    (target, groups)
}

/// Types of parameters belong to the chunk, those of instructions to the body.
fn locals(body: &Body, params: &[Param], types: &Types) -> FxHashMap<SmolStr, Local> {
    let value = |ty: Option<Type>| match ty {
        Some(Type::Int(_) | Type::Half | Type::Float | Type::Double) => Local::NoPointer,
        _ => Local::Value,
    };
    let known = body.locals.iter().filter_map(|local| {
        let kind = match local.kind {
            LocalKind::Block(_) => Local::Block,
            LocalKind::Argument(n) => value(params.get(n as usize).map(|p| types.get(p.ty))),
            LocalKind::Inst(at) => {
                let inst = body.insts.get(at as usize)?;
                match inst.opcode {
                    Opcode::Alloca => Local::Alloca,
                    Opcode::Load | Opcode::Phi | Opcode::Add | Opcode::Sub | Opcode::Mul => {
                        value(Some(body.tables.types.get(inst.ty)))
                    }
                    _ => Local::Value,
                }
            }
            LocalKind::Undefined => return None,
        };
        let name = match local.name.as_number() {
            Some(number) if kind == Local::Block => format_smolstr!("{number}"),
            _ => key(local.name, '%', &body.tables),
        };
        Some((name, kind))
    });
    known.collect()
}

fn metadata_kind(node: &MdNode, tables: &Tables) -> Metadata {
    match node.kind {
        MdKind::Tuple => match tables.fields(node).first().map(|f| f.value) {
            Some(MdValue::Value(id)) => match tables.types.get(tables.operand(id).ty) {
                Type::Int(bits) => Metadata::Integers(bits),
                _ => Metadata::Other,
            },
            _ => Metadata::Other,
        },
        MdKind::Unknown => Metadata::Unknown,
        MdKind::DILocation => Metadata::Location,
        MdKind::DILocalVariable => Metadata::Variable,
        MdKind::DIExpression => Metadata::Expression,
        MdKind::DISubprogram
        | MdKind::DILexicalBlock
        | MdKind::DILexicalBlockFile
        | MdKind::DIFile
        | MdKind::DICompileUnit
        | MdKind::DINamespace
        | MdKind::DIModule
        | MdKind::DICompositeType
        | MdKind::DICommonBlock
        | MdKind::DIBasicType
        | MdKind::DIDerivedType
        | MdKind::DISubroutineType => Metadata::Scope,
        _ => Metadata::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_module() {
        let n = names(&llvm::lower(
            "  target triple = \"amdgcn\"\n  @g = global i32 0\n  define amdgpu_kernel void @k(ptr %p, i32 %0) #1 !dbg !3 {\n    %1 = alloca i32\n  b:\n    %x = add i32 %0, 1\n  }\n  attributes #1 = { \"target-cpu\"=\"gfx900\" }\n  !3 = distinct !DISubprogram(name: \"k\")\n",
        ));
        assert_eq!(n.triple.as_deref(), Some("amdgcn"));
        assert!(n.globals.contains("g") && n.globals.contains("k"));
        let (name, f) = &n.functions[0];
        assert_eq!((name.as_str(), f.groups.as_slice()), ("k", &[1][..]));
        assert_eq!(f.locals.get("%1"), Some(&Local::Alloca));
        assert_eq!(f.locals.get("1"), Some(&Local::Block));
        assert_eq!(f.locals.get("b"), Some(&Local::Block));
        assert_eq!(n.group_targets.get(&1).and_then(|t| t.cpu.as_deref()), Some("gfx900"));
        assert_eq!(n.metadata.get(&3), Some(&Metadata::Scope));
    }

    #[test]
    fn unnamed_arguments_and_blocks_are_numbered_together() {
        let n = names(&llvm::lower(
            "define i1 @foo(i64) {\n ret i1 %0\n}\ndefine void @g() { entry: unreachable }\n",
        ));
        assert_eq!(n.functions[0].1.locals.get("1"), Some(&Local::Block));
        assert_eq!(n.functions[1].1.locals.get("entry"), Some(&Local::Block));
    }

    #[test]
    fn parameters_have_the_types_of_their_chunk() {
        let n = names(&llvm::lower(
            "define i96 @f(ptr addrspace(1) %p, i32 %n) {\n  %l = load i32, ptr addrspace(1) %p\n  %z = zext i32 %l to i96\n  ret i96 %z\n}\n",
        ));
        let locals = &n.functions[0].1.locals;
        assert_eq!(locals.get("p"), Some(&Local::Value));
        assert_eq!(locals.get("n"), Some(&Local::NoPointer));
        assert_eq!(locals.get("l"), Some(&Local::NoPointer));
    }

    #[test]
    fn comments_before_the_module_may_be_indented() {
        let text =
            "# RUN: llc\n\n  # more\n--- |\n  define void @f() { unreachable }\n...\n---\nname: f\n...\n";
        assert_eq!(
            wavelens_check::check_text(wavelens_base::Dialect::Mir, text, &wavelens_base::Options::default()),
            []
        );
    }

    #[test]
    fn llc_does_not_read_the_data_layout() {
        let text = "--- |\n  target datalayout = \"e-i64:64v16:16\"\n  define void @f() { unreachable }\n...\n---\nname: f\n...\n";
        let found =
            wavelens_check::check_text(wavelens_base::Dialect::Mir, text, &wavelens_base::Options::default());
        let found: Vec<_> = found.iter().map(|f| (f.rule.code, f.severity)).collect();
        assert_eq!(found, [("data-layout", wavelens_base::Severity::Warning)]);
    }

    #[test]
    fn the_target_of_the_command_says_where_allocas_are() {
        let with = |command: &str| {
            let text = format!(
                "{command}--- |\n  define void @f() {{\n    %a = alloca i32\n    ret void\n  }}\n...\n---\nname: f\n...\n"
            );
            let found = wavelens_check::check_text(
                wavelens_base::Dialect::Mir,
                &text,
                &wavelens_base::Options::default(),
            );
            found.iter().map(|f| f.rule.code).collect::<Vec<_>>()
        };
        assert_eq!(with(""), ["stack-slot"]);
        assert_eq!(with("# RUN: llc -mtriple=x86_64 -o - %s\n"), [""; 0]);
        assert_eq!(with("# RUN: llc -run-pass=none -o - %s\n"), [""; 0]);
    }
}
