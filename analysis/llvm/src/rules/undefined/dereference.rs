//! Accesses through pointers that point to nothing, to code, or to constants.

use super::references::Reference;
use super::{Finder, weaken};
use crate::lower::convention_name;
use crate::underlying::{Root, Source, is_function};
use wavelens_base::Severity;

wavelens_syntax::rules! {
    INVALID_DEREFERENCE {
        code: "invalid-dereference",
        severity: Severity::Warning,
        title: "an access is not through a null or undefined pointer",
        explain: "A load, a store or a call through `null`, `undef` or `poison` has undefined behavior: optimizers \
            treat the code as unreachable and delete it. The pointer is followed through offsets, casts and slots on \
            the stack. Null is a valid address in other address spaces than 0, and in functions with \
            `null_pointer_is_valid`; volatile accesses are up to the machine. In tests with RUN lines, these constants \
            are placeholders and are not reported, unless a RUN line runs the pass `lint`.\n\n\
            Switch it off for code that is meant to be undefined.",
        example: r"define i32 @f() {
  %x = load i32, ptr null
  ret i32 %x
}
",
        fixed: r"define i32 @f(ptr %p) {
  %x = load i32, ptr %p
  ret i32 %x
}
",
        source: "LLVM pass `lint`: \"Null pointer dereference\", \"Undef pointer dereference\"; LLVM Language \
            Reference, \"Pointer Aliasing Rules\"",
    }

    CODE_ACCESS {
        code: "code-access",
        severity: Severity::Warning,
        title: "code is called and branched to, not read or written",
        explain: "A function's address is not the address of data: a store to it has undefined behavior, and what a \
            load reads is not specified. A `blockaddress` is only for `indirectbr` and comparisons.\n\n\
            Switch it off for code that reads what precedes a function, such as its type.",
        example: r"define void @f() {
  store i32 0, ptr @f
  ret void
}
",
        fixed: r"@slot = global i32 0
define void @f() {
  store i32 0, ptr @slot
  ret void
}
",
        source: "LLVM pass `lint`: \"Write to text section\", \"Load from function body\", \"Call to block address\"; \
            LLVM Language Reference, \"Addresses of Basic Blocks\"",
    }

    STORE_TO_CONSTANT {
        code: "store-to-constant",
        severity: Severity::Warning,
        title: "a store does not write to constant memory",
        explain: "The memory of a global that is declared `constant` must never change: optimizers replace loads \
            from it by its initializer, and code generation may place it in read-only memory. A store to it \
            has undefined behavior. So has one to an address space that the target defines as constant, such as 4 \
            on AMDGPU.\n\n\
            Switch it off for tests that contain such stores on purpose.",
        example: r"@limit = constant i32 1
define void @f() {
  store i32 2, ptr @limit
  ret void
}
",
        fixed: r"@limit = global i32 1
define void @f() {
  store i32 2, ptr @limit
  ret void
}
",
        source: "LLVM Language Reference, \"Global Variables\": `constant` means that the contents of the variable \
            will never be modified; LLVM pass `lint`: \"Write to read-only memory\"; User Guide for AMDGPU, \
            \"Address Spaces\"",
    }
}

/// Whether something is wrong with the pointer itself.
pub(super) fn check(finder: &mut Finder<'_, '_>, access: &Reference, source: &Source<'_>) -> bool {
    let what = access.what;
    let undefined = "is undefined behavior";
    let message = match source.root {
        Root::Null if is_null_valid(finder, access, source) => return false,
        Root::Undef | Root::Poison | Root::Null | Root::Int(_) if access.is_volatile => return false,
        root if finder.is_placeholder(root) => return false,
        Root::Null => format!("{what} through a null pointer {undefined}"),
        Root::Undef => format!("{what} through an `undef` pointer {undefined}"),
        Root::Poison => format!("{what} through a `poison` pointer {undefined}"),
        Root::Int(value @ (-1 | 1)) if source.is_whole() => format!("{what} through the address {value}"),
        Root::Global(global) if is_function(global) && (access.is_write || access.is_read) => {
            let name = finder.name(source.root);
            let (message, is_hint) = match access.is_write {
                true => (format!("{what} to the code of `{name}` {undefined}"), false),
                false => (format!("{what} from the code of `{name}`"), true),
            };
            let diagnostic = finder.report_pointer(&CODE_ACCESS, access.range, message, source);
            if is_hint {
                weaken(diagnostic);
            }
            return true;
        }
        Root::BlockAddress if access.is_write || access.is_read || access.is_call => {
            let message = format!("{what} through the address of a block {undefined}");
            finder.report_pointer(&CODE_ACCESS, access.range, message, source);
            return true;
        }
        Root::Global(global) if access.is_write => {
            let is_constant = finder.cx().scope.variable(global).is_some_and(|(_, v)| v.is_constant);
            if is_constant {
                let name = finder.name(source.root);
                let message = format!("store to the constant `{name}` {undefined}");
                finder.report_pointer(&STORE_TO_CONSTANT, access.range, message, source);
            }
            return is_constant;
        }
        _ if access.is_write => return constant_space(finder, access),
        _ => return false,
    };
    finder.report_pointer(&INVALID_DEREFERENCE, access.range, message, source);
    true
}

/// Whether null may be an object's address, or the offset from it may make it one.
fn is_null_valid(finder: &Finder<'_, '_>, access: &Reference, source: &Source<'_>) -> bool {
    let cx = finder.cx();
    let space = cx.types.address_space(cx.ty(access.pointer.ty));
    if space != Some(0) {
        return true;
    }
    if !source.is_inbounds() && finder.objects.offset(source) != Some(0) {
        return true;
    }
    finder.has_valid_null
}

/// A store to memory that no program writes on the target.
fn constant_space(finder: &mut Finder<'_, '_>, access: &Reference) -> bool {
    let cx = finder.cx();
    let Some(space) = cx.types.address_space(cx.ty(access.pointer.ty)) else { return false };
    let triple = cx.scope.triple.as_deref().unwrap_or("");
    let is_amdgpu = wavelens_isa::is_amdgpu(triple)
        || (triple.is_empty() && convention_name(cx.function.cc).starts_with("amdgpu"));
    let target = match space {
        4 | 6 if is_amdgpu => "AMDGPU",
        4 if triple.starts_with("nvptx") => "NVPTX",
        2 if triple.starts_with("spir") => "SPIR-V",
        _ => return false,
    };
    let message =
        format!("store to address space {space}, constant memory on {target}, is undefined behavior");
    finder.report(&STORE_TO_CONSTANT, access.range, message);
    true
}
