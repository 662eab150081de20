//! Places in a file where mutants of each kind apply.

use std::ops::Range;

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// A place that mutants replace.
#[derive(Clone)]
pub(crate) struct Site {
    /// Where the change begins: line and column, counted from 1.
    pub(crate) start: (usize, usize),
    /// The bytes that are written anew.
    pub(crate) region: Range<usize>,
    pub(crate) shape: Shape,
}

#[derive(Clone)]
pub(crate) enum Shape {
    Body { returns_impl: bool },
    Field { field: Range<usize> },
    Binary { left: Range<usize>, right: Range<usize> },
    Unary { operand: Range<usize> },
    Arm { pattern: Range<usize>, guard: Option<Guard> },
    Guard(Guard),
    Integer { value: u128, suffix: String },
}

/// The condition of a match arm.
#[derive(Clone)]
pub(crate) struct Guard {
    pub(crate) range: Range<usize>,
    /// A condition with `let` cannot be put into parentheses.
    pub(crate) has_let: bool,
}

impl Shape {
    /// The kind's name in mutants.
    pub(crate) fn genre(&self) -> &'static str {
        match self {
            Shape::Body { .. } => "FnValue",
            Shape::Field { .. } => "StructField",
            Shape::Binary { .. } => "BinaryOperator",
            Shape::Unary { .. } => "UnaryOperator",
            Shape::Arm { .. } => "MatchArm",
            Shape::Guard(_) => "MatchArmGuard",
            Shape::Integer { .. } => "Integer",
        }
    }
}

/// The places of a file, outer ones first. Code that is evaluated at compile time and tests have no places.
pub(crate) fn find(text: &str) -> syn::Result<Vec<Site>> {
    let mut finder = Finder::default();
    finder.visit_file(&syn::parse_file(text)?);
    finder.sites.sort_by_key(|site| (site.region.start, std::cmp::Reverse(site.region.end)));
    Ok(finder.sites)
}

#[derive(Default)]
struct Finder {
    sites: Vec<Site>,
}

impl Finder {
    fn add(&mut self, start: Span, region: Range<usize>, shape: Shape) {
        let position = start.start();
        self.sites.push(Site { start: (position.line, position.column + 1), region, shape });
    }

    fn body(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let (Some(first), Some(last)) = (block.stmts.first(), block.stmts.last()) else { return };
        let region = first.span().byte_range().start..last.span().byte_range().end;
        let returns_impl = matches!(&signature.output, syn::ReturnType::Type(_, ty) if matches!(**ty, syn::Type::ImplTrait(_)));
        self.add(first.span(), region, Shape::Body { returns_impl });
    }
}

fn range(node: &impl Spanned) -> Range<usize> {
    node.span().byte_range()
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg")
                && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
    })
}

/// Whether a condition holds `let`, which operators join but parentheses do not hold.
fn has_let(condition: &syn::Expr) -> bool {
    match condition {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        if !is_test(&function.attrs) && function.sig.constness.is_none() {
            self.body(&function.sig, &function.block);
            visit::visit_item_fn(self, function);
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        if !is_test(&function.attrs) && function.sig.constness.is_none() {
            self.body(&function.sig, &function.block);
            visit::visit_impl_item_fn(self, function);
        }
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        if let Some(block) = &function.default {
            self.body(&function.sig, block);
        }
        visit::visit_trait_item_fn(self, function);
    }

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if !is_test(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        if !is_test(&item.attrs) {
            visit::visit_item_impl(self, item);
        }
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        if !has_let(&binary.left) && !has_let(&binary.right) {
            let shape = Shape::Binary { left: range(&binary.left), right: range(&binary.right) };
            self.add(binary.op.span(), range(binary), shape);
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_unary(&mut self, unary: &'ast syn::ExprUnary) {
        self.add(unary.span(), range(unary), Shape::Unary { operand: range(&unary.expr) });
        visit::visit_expr_unary(self, unary);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        let pattern = range(&arm.pat);
        let guard = arm
            .guard
            .as_ref()
            .map(|(_, condition)| Guard { range: range(&**condition), has_let: has_let(condition) });
        let end = guard.as_ref().map_or(pattern.end, |guard| guard.range.end);
        self.add(arm.span(), pattern.start..end, Shape::Arm { pattern, guard: guard.clone() });
        if let (Some(guard), Some((_, condition))) = (guard, &arm.guard) {
            self.add(condition.span(), guard.range.clone(), Shape::Guard(guard));
        }
        visit::visit_arm(self, arm);
    }

    fn visit_expr_struct(&mut self, structure: &'ast syn::ExprStruct) {
        for pair in structure.fields.pairs().filter(|_| structure.rest.is_some()) {
            let mut field = range(*pair.value());
            field.end = pair.punct().map_or(field.end, |comma| range(*comma).end);
            self.add(pair.value().span(), range(structure), Shape::Field { field });
        }
        visit::visit_expr_struct(self, structure);
    }

    fn visit_expr_lit(&mut self, literal: &'ast syn::ExprLit) {
        if let syn::Lit::Int(integer) = &literal.lit
            && let Ok(value) = integer.base10_parse()
        {
            let suffix = integer.suffix().to_owned();
            self.add(literal.span(), range(literal), Shape::Integer { value, suffix });
        }
    }

    fn visit_expr_repeat(&mut self, repeat: &'ast syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
    }

    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_item_enum(&mut self, _: &'ast syn::ItemEnum) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}
}
