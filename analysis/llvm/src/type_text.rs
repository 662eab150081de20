//! Types as the language writes them.

use std::fmt::Write;

use super::types::{Type, TypeId, Types};

/// A list of types is cut after so many bytes of text.
const LONGEST: usize = 1000;

impl Types {
    /// Prints a type as the language writes it. `named` prints a [`Type::Named`] or [`Type::NamedStruct`].
    pub fn display(&self, id: TypeId, named: &dyn Fn(Type) -> String) -> String {
        let mut out = String::new();
        self.write(id, named, &mut out, 0);
        out
    }

    fn write(&self, id: TypeId, named: &dyn Fn(Type) -> String, out: &mut String, depth: u32) {
        if depth > 64 {
            out.push_str("...");
            return;
        }
        let comma = |out: &mut String, items: &[TypeId]| {
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                if out.len() > LONGEST {
                    out.push_str("...");
                    return;
                }
                self.write(*item, named, out, depth + 1);
            }
        };
        let word = match self.get(id) {
            Type::Error => "?",
            Type::Void => "void",
            Type::Label => "label",
            Type::Token => "token",
            Type::Metadata => "metadata",
            Type::Half => "half",
            Type::BFloat => "bfloat",
            Type::Float => "float",
            Type::Double => "double",
            Type::X86Fp80 => "x86_fp80",
            Type::Fp128 => "fp128",
            Type::PpcFp128 => "ppc_fp128",
            Type::X86Amx => "x86_amx",
            Type::Ptr(0) => "ptr",
            Type::Ptr(space) => {
                let _ = write!(out, "ptr addrspace({space})");
                ""
            }
            Type::Int(bits) => {
                let _ = write!(out, "i{bits}");
                ""
            }
            Type::Byte(bits) => {
                let _ = write!(out, "b{bits}");
                ""
            }
            Type::Array { len, element } => {
                let _ = write!(out, "[{len} x ");
                self.write(element, named, out, depth + 1);
                "]"
            }
            Type::Vector { len, scalable, element } => {
                out.push_str(if scalable { "<vscale x " } else { "<" });
                let _ = write!(out, "{len} x ");
                self.write(element, named, out, depth + 1);
                ">"
            }
            Type::Struct { fields, packed } => {
                let fields = self.list(fields);
                out.push_str(if packed { "<{" } else { "{" });
                if !fields.is_empty() {
                    out.push(' ');
                    comma(out, fields);
                    out.push(' ');
                }
                if packed { "}>" } else { "}" }
            }
            ty @ (Type::Named(_) | Type::NamedStruct(_)) => {
                out.push_str(&named(ty));
                ""
            }
            Type::Function { result, params, vararg } => {
                let params = self.list(params);
                self.write(result, named, out, depth + 1);
                out.push_str(" (");
                comma(out, params);
                if vararg {
                    out.push_str(if params.is_empty() { "..." } else { ", ..." });
                }
                ")"
            }
            Type::Target(index) => {
                if let Some(target) = self.target(index) {
                    let _ = write!(out, "target(\"{}\"", target.name);
                    for ty in self.list(target.types) {
                        out.push_str(", ");
                        self.write(*ty, named, out, depth + 1);
                    }
                    for n in &target.integers {
                        let _ = write!(out, ", {n}");
                    }
                }
                ")"
            }
        };
        out.push_str(word);
    }
}
