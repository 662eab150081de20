//! Addresses: which field or element a `getelementptr` selects, and what a constant expression evaluates to.

use wavelens_llvm::arena::Tables;
use wavelens_llvm::attribute::AttrValue;
use wavelens_llvm::body::{Body, Inst, LocalKind, Opcode};
use wavelens_llvm::context::RuleContext;
use wavelens_llvm::layout::{Layout, fields_of};
use wavelens_llvm::operand::{Const, ConstExpr, Operand, Value};
use wavelens_llvm::scope::Scope;
use wavelens_llvm::types::{Type, TypeId, Types};

use crate::markdown::code;

/// Constant expressions that are nested deeper are not evaluated.
const DEPTH: u32 = 16;
/// Fields and elements of a path that are shown.
const STEPS: usize = 4;

/// What an address or a constant is computed from.
pub(super) struct Addresses<'a> {
    pub(super) scope: &'a Scope,
    pub(super) types: &'a Types,
    pub(super) layout: &'a Layout,
    /// The tables that operands point into.
    pub(super) tables: &'a Tables,
    /// The canonical type of one in these tables.
    pub(super) canonical: &'a dyn Fn(TypeId) -> TypeId,
}

/// Bytes from a base: a constant, and values that are multiplied.
#[derive(Debug, Default)]
struct Offset {
    bytes: i64,
    scaled: Vec<(u64, String)>,
    /// Fields and elements on the way, outermost first.
    path: Vec<String>,
}

impl Offset {
    /// `= +24 B`, `= +8 + 16*%i B`.
    fn text(&self) -> String {
        let mut text = if self.bytes != 0 || self.scaled.is_empty() {
            format!("= {:+}", self.bytes)
        } else {
            "= ".to_owned()
        };
        for (scale, name) in &self.scaled {
            text.push_str(if text.ends_with(' ') { "+" } else { " + " });
            match scale {
                1 => text.push_str(name),
                scale => text.push_str(&format!("{scale}*{name}")),
            }
        }
        text + " B"
    }
}

/// A constant: an integer, or an offset from a global.
struct Address<'a> {
    base: Option<&'a str>,
    value: i128,
}

impl<'a> Addresses<'a> {
    /// `= +24 B: field 2 of %struct.node`, and whether the text has the field too; `None` where it says as much.
    pub(super) fn of_gep(&self, body: &Body, inst: &Inst, view: &RuleContext<'_>) -> Option<(String, bool)> {
        let operands = body.operands(inst.operands);
        let name = |operand: Operand| view.display_value(operand);
        let mut offset = self.offset((self.canonical)(inst.ty), operands, &name)?;
        // Bytes from an object whose type is known select a field of it.
        if offset.path.is_empty() && offset.scaled.is_empty() {
            let base = self.object(body, *operands.first()?, view);
            if let Some(ty) = base {
                self.path_to(ty, u64::try_from(offset.bytes).ok()?, &mut offset.path);
            }
        }
        let says_bytes =
            self.layout.alloc_bytes(self.scope, self.types, (self.canonical)(inst.ty)) == Some(1);
        if offset.path.is_empty() && (says_bytes || operands.len() < 2) {
            return None;
        }
        let path = offset.path.iter().take(STEPS).cloned().collect::<Vec<_>>().join(", ");
        let is_written = path.is_empty() || !says_bytes;
        let label = if path.is_empty() { offset.text() } else { format!("{}: {path}", offset.text()) };
        Some((label, is_written))
    }

    /// Whether a constant expression has the bytes that it adds to a global in its text.
    pub(super) fn says_bytes(&self, expr: &ConstExpr) -> bool {
        expr.opcode == Opcode::GetElementPtr
            && self.layout.alloc_bytes(self.scope, self.types, (self.canonical)(expr.ty)) == Some(1)
    }

    /// Walks the indices of a `getelementptr`; `None` for vectors and what has no size.
    fn offset(
        &self,
        source: TypeId,
        operands: &[Operand],
        name: &dyn Fn(Operand) -> String,
    ) -> Option<Offset> {
        let mut found = Offset::default();
        let mut ty = source;
        for (n, index) in operands.iter().enumerate().skip(1) {
            if self.types.lanes((self.canonical)(index.ty)).is_some() {
                return None;
            }
            let constant = self.tables.int_of(*index);
            if n > 1
                && let Some((fields, _)) = fields_of(self.scope, self.types, ty)
            {
                let field = usize::try_from(constant?).ok()?;
                let start = *self.layout.offsets(self.scope, self.types, ty)?.get(field)?;
                found.bytes = found.bytes.checked_add(i64::try_from(start).ok()?)?;
                found.path.push(self.field(ty, field));
                ty = *fields.get(field)?;
                continue;
            }
            if n > 1 {
                ty = match self.types.get(ty) {
                    Type::Array { element, .. } | Type::Vector { element, scalable: false, .. } => element,
                    _ => return None,
                };
            }
            let size = self.layout.alloc_bytes(self.scope, self.types, ty)?;
            match constant {
                Some(at) => {
                    found.bytes = found.bytes.checked_add(at.checked_mul(i64::try_from(size).ok()?)?)?;
                    if n > 1 {
                        found.path.push(format!("[{at}]"));
                    }
                }
                None => {
                    let index = name(*index);
                    if n > 1 {
                        found.path.push(format!("[{index}]"));
                    }
                    found.scaled.push((size, index));
                }
            }
        }
        // `[3]` alone says what the text says.
        let has_field = found.path.iter().any(|step| step.starts_with("field"));
        if !has_field {
            found.path.clear();
        }
        Some(found)
    }

    fn field(&self, ty: TypeId, field: usize) -> String {
        match self.types.get(ty) {
            Type::NamedStruct(_) => format!("field {field} of {}", self.scope.display_type(self.types, ty)),
            _ => format!("field {field}"),
        }
    }

    /// The type of the object that a pointer points to the start of.
    fn object(&self, body: &Body, base: Operand, view: &RuleContext<'_>) -> Option<TypeId> {
        if let Value::Global(symbol) = base.value {
            let global = self.scope.global(symbol, &body.tables.names)?;
            return self.scope.variable(global).map(|_| global.value_type);
        }
        match body.local_of(base)?.kind {
            LocalKind::Inst(index) => {
                let inst = body.insts.get(index as usize)?;
                (inst.opcode == Opcode::Alloca).then(|| view.ty(inst.ty))
            }
            LocalKind::Argument(n) => {
                let param = view.summary.params(view.function).get(n as usize)?;
                let attrs = view.summary.tables.attrs(param.attrs);
                attrs.iter().find_map(|attr| match attr.value {
                    AttrValue::Type(ty) => Some(view.header_ty(ty)),
                    _ => None,
                })
            }
            _ => None,
        }
    }

    /// Fields and elements from the start of an object to an offset in it.
    fn path_to(&self, mut ty: TypeId, mut offset: u64, path: &mut Vec<String>) {
        for _ in 0..DEPTH {
            if let Some((fields, _)) = fields_of(self.scope, self.types, ty) {
                let Some(starts) = self.layout.offsets(self.scope, self.types, ty) else { return };
                let Some(field) = starts.iter().rposition(|start| *start <= offset) else { return };
                let (Some(start), Some(inner)) = (starts.get(field), fields.get(field)) else { return };
                let size = self.layout.alloc_bytes(self.scope, self.types, *inner);
                if size.is_none_or(|size| offset - start >= size) {
                    return path.push("padding".to_owned());
                }
                path.push(self.field(ty, field));
                (ty, offset) = (*inner, offset - start);
            } else if let Type::Array { element, len } = self.types.get(ty) {
                let Some(size) = self.layout.alloc_bytes(self.scope, self.types, element).filter(|s| *s > 0)
                else {
                    return;
                };
                if offset / size >= len {
                    return;
                }
                path.push(format!("[{}]", offset / size));
                (ty, offset) = (element, offset % size);
            } else {
                break;
            }
        }
        if offset > 0 {
            path.push(format!("byte {offset}"));
        }
    }

    /// `= @table + 24`, `= 16` of a constant expression.
    pub(super) fn constant(&self, expr: &ConstExpr, ty: TypeId) -> Option<String> {
        let found = self.evaluate(expr, ty, 0)?;
        let name = found.base.map(|name| wavelens_llvm::names::display('@', name));
        Some(match (name, found.value) {
            (None, value) => format!("= {value}"),
            (Some(name), 0) => format!("= {name}"),
            (Some(name), value) if value < 0 => format!("= {name} - {}", value.unsigned_abs()),
            (Some(name), value) => format!("= {name} + {value}"),
        })
    }

    fn evaluate(&self, expr: &ConstExpr, ty: TypeId, depth: u32) -> Option<Address<'a>> {
        let operands = expr.operands.of(&self.tables.operands);
        let of = |n: usize| self.operand(*operands.get(n)?, depth + 1);
        let found = match expr.opcode {
            Opcode::GetElementPtr => {
                let base = of(0)?;
                let offset = self.offset((self.canonical)(expr.ty), operands, &|_| String::new())?;
                if !offset.scaled.is_empty() {
                    return None;
                }
                Address { value: base.value.checked_add(i128::from(offset.bytes))?, ..base }
            }
            Opcode::PtrToInt
            | Opcode::PtrToAddr
            | Opcode::IntToPtr
            | Opcode::BitCast
            | Opcode::AddrSpaceCast => of(0)?,
            Opcode::Trunc => of(0).filter(|a| a.base.is_none())?,
            Opcode::Add => {
                let (a, b) = (of(0)?, of(1)?);
                let base = if a.base.is_some() && b.base.is_some() { return None } else { a.base.or(b.base) };
                Address { base, value: a.value.checked_add(b.value)? }
            }
            Opcode::Sub => {
                let (a, b) = (of(0)?, of(1)?);
                let base = match (a.base, b.base) {
                    (base, None) => base,
                    (Some(a), Some(b)) if a == b => None,
                    _ => return None,
                };
                Address { base, value: a.value.checked_sub(b.value)? }
            }
            Opcode::Xor => {
                let (a, b) = (of(0)?, of(1)?);
                let plain = a.base.is_none() && b.base.is_none();
                Address { base: None, value: plain.then_some(a.value ^ b.value)? }
            }
            _ => return None,
        };
        // Wraps as the type does.
        let bits = self.types.int_bits(ty).filter(|bits| *bits < 128 && found.base.is_none());
        let wrap = |bits: u32| (found.value << (128 - bits)) >> (128 - bits);
        Some(Address { value: bits.map_or(found.value, wrap), ..found })
    }

    fn operand(&self, operand: Operand, depth: u32) -> Option<Address<'a>> {
        if depth > DEPTH {
            return None;
        }
        if let Value::Global(symbol) = operand.value {
            return Some(Address { base: Some(self.tables.names.get(symbol.as_name()?)), value: 0 });
        }
        match self.tables.const_of(operand)? {
            Const::Expr(index) => {
                let expr = self.tables.cold.exprs.get(index as usize)?;
                self.evaluate(expr, (self.canonical)(operand.ty), depth)
            }
            Const::Null => Some(Address { base: None, value: 0 }),
            _ => Some(Address { base: None, value: i128::from(self.tables.int_of(operand)?) }),
        }
    }
}

/// Rows of a table of fields.
const ROWS: usize = 48;

/// Size and alignment of a type, and of a struct where its fields and its padding are.
pub(super) fn layout_table(scope: &Scope, ty: TypeId) -> Option<String> {
    let types = &*scope.types;
    let layout = &scope.layout;
    let (bytes, align) = layout.bytes_and_align(scope, types, ty)?;
    let plural = |n: u64| if n == 1 { "" } else { "s" };
    let mut text = format!("\n{bytes} byte{}, aligned to {align}", plural(bytes));
    let Some((fields, packed)) = fields_of(scope, types, ty) else { return Some(text + ".") };
    let offsets = layout.offsets(scope, types, ty)?;
    let mut rows = Vec::new();
    let (mut end, mut lost) = (0, 0);
    let mut padding = |rows: &mut Vec<String>, from: u64, to: u64| {
        if to > from {
            lost += to - from;
            rows.push(format!("|  | {from} | {} | *padding* |\n", to - from));
        }
    };
    for (n, (field, offset)) in fields.iter().zip(offsets).enumerate() {
        let size = layout.alloc_bytes(scope, types, *field)?;
        padding(&mut rows, end, offset);
        rows.push(format!("| {n} | {offset} | {size} | {} |\n", code(&scope.display_type(types, *field))));
        end = offset.saturating_add(size);
    }
    padding(&mut rows, end, bytes);
    if packed {
        text.push_str(", packed");
    }
    if lost > 0 {
        text.push_str(&format!(", {lost} byte{} of padding", plural(lost)));
    }
    text.push_str(".\n\n| field | offset | size | type |\n|--:|--:|--:|:--|\n");
    text.extend(rows.iter().take(ROWS).map(String::as_str));
    if rows.len() > ROWS {
        text.push_str(&format!("\n... and {} more", rows.len() - ROWS));
    }
    Some(text)
}
