//! Intrinsics, with the suffix of their overload where the call says it, and the declaration that they need.

use rustc_hash::FxHashSet;
use wavelens_base::{Dialect, TextEdit, TextRange};
use wavelens_llvm::tables::Intrinsic;
use wavelens_syntax::llvm::LlvmKind::*;

use super::Place;
use crate::answers::{Completion, CompletionKind};
use crate::llvm::{Cx, help, show};

/// Names that are proposed at most.
const MOST: usize = 3000;

pub(super) fn intrinsics(cx: &Cx<'_>, place: &Place<'_>, items: &mut Vec<Completion>) {
    let prefix = place.typed.trim_start_matches('@');
    let prefix = if "llvm.".starts_with(prefix) { "llvm." } else { prefix };
    let names = cx.scope.globals.iter().map(|global| cx.scope.global_name(global));
    let declared: FxHashSet<String> = names.filter(|name| name.starts_with("@llvm.")).collect();
    let result = result_type(place);
    let is_amdgpu = cx.scope.triple.as_deref().is_none_or(wavelens_isa::is_amdgpu);
    for intrinsic in Intrinsic::with_prefix(prefix).take(MOST) {
        let is_elsewhere =
            intrinsic.machine().is_some_and(|machine| is_amdgpu != matches!(machine, "amdgcn" | "r600"));
        let overload = result.as_ref().and_then(|ty| overload(intrinsic, ty));
        let (label, declaration) = match overload {
            Some((name, declaration)) => (name, Some(declaration)),
            None => (format!("@{}", intrinsic.name()), declaration(intrinsic)),
        };
        if declared.contains(&label) {
            continue;
        }
        let item = Completion::new(CompletionKind::Function, place.range, label);
        let item = item.detail(show::cut(intrinsic.readable_signature(), 60)).rank(if is_elsewhere {
            45
        } else {
            25
        });
        let item = item.documentation(help::intrinsic(intrinsic.name()).unwrap_or_default());
        let end = cx.view.start(cx.view.chunks().len());
        // Embedded IR ends before its file does.
        let declaration = declaration.filter(|_| cx.view.dialect() == Dialect::Llvm);
        items.push(
            item.also(declaration.map(|text| TextEdit::new(TextRange::empty(end), format!("\n{text}\n")))),
        );
    }
}

/// The declaration of an intrinsic that is not overloaded.
fn declaration(intrinsic: Intrinsic) -> Option<String> {
    if intrinsic.is_overloaded() {
        return None;
    }
    let signature = intrinsic.readable_signature();
    let (result, parameters) = signature.split_once(" (")?;
    Some(format!("declare {result} @{}({parameters}", intrinsic.name()))
}

/// A type as it is written, and as the names of overloads spell it.
struct Written {
    text: String,
    suffix: String,
}

/// The type in front of the callee in `call <type> @`.
fn result_type(place: &Place<'_>) -> Option<Written> {
    let call = place.before.iter().rposition(|(kind, _)| matches!(kind, CALL_KW | INVOKE_KW))?;
    let words: Vec<&str> = place.before.get(call + 1..)?.iter().map(|(_, text)| *text).collect();
    // Flags and calling conventions come before the type.
    (0..words.len()).find_map(|from| written(words.get(from..)?))
}

fn written(words: &[&str]) -> Option<Written> {
    match words {
        ["<", count, "x", element, ">"] => {
            let element = written(&[element])?;
            count.parse::<u32>().ok()?;
            Some(Written {
                text: format!("<{count} x {}>", element.text),
                suffix: format!("v{count}{}", element.suffix),
            })
        }
        [word] => {
            let suffix = match *word {
                "half" => "f16",
                "bfloat" => "bf16",
                "float" => "f32",
                "double" => "f64",
                "fp128" => "f128",
                "x86_fp80" => "f80",
                "ptr" => "p0",
                int if int.strip_prefix('i').is_some_and(|bits| bits.parse::<u32>().is_ok()) => int,
                _ => return None,
            };
            Some(Written { text: (*word).to_owned(), suffix: suffix.to_owned() })
        }
        _ => None,
    }
}

/// The full name and the declaration of an intrinsic that is overloaded for its result type alone.
fn overload(intrinsic: Intrinsic, ty: &Written) -> Option<(String, String)> {
    let (result, parameters) = intrinsic.signature_text().strip_suffix(')')?.split_once('(')?;
    let is_float =
        !ty.suffix.trim_start_matches(|c: char| c == 'v' || c.is_ascii_digit()).starts_with(['i', 'p']);
    let fits = match result.strip_suffix("@0")? {
        "any" => true,
        "int" => !is_float && !ty.suffix.contains('p'),
        "float*" => is_float,
        "vec" => ty.text.starts_with('<'),
        _ => false,
    };
    let plain = |word: &str| match word {
        "@0" => Some(ty.text.clone()),
        word if !word.contains(['@', '*', '{', '<', '.']) && word != "any" => Some(word.to_owned()),
        _ => None,
    };
    let parameters: Option<Vec<String>> =
        parameters.split(',').filter(|p| !p.is_empty()).map(plain).collect();
    let parameters = parameters.filter(|_| fits)?.join(", ");
    let name = format!("@{}.{}", intrinsic.name(), ty.suffix);
    Some((name.clone(), format!("declare {} {name}({parameters})", ty.text)))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use wavelens_base::Dialect;

    use crate::features;
    use crate::features::tests::at_cursor;

    #[test]
    fn those_of_the_machine_of_the_module_are_proposed() {
        let at = |name: &str| {
            let text = format!(
                "target triple = \"amdgcn-amd-amdhsa\"\ndefine void @f() {{\n  call void {name}$0\n  ret void\n}}\n"
            );
            let found = at_cursor(Dialect::Llvm, &text, features::complete);
            let starts = |start: &str| found.items.iter().any(|item| item.label.starts_with(start));
            (found.incomplete, starts("@llvm.amdgcn."), starts("@llvm.x86."))
        };
        assert_eq!(at("@"), (true, true, false));
        assert_eq!(at("@llvm.x86.sse2.p"), (false, false, true));
    }

    #[test]
    fn accepting_an_intrinsic_declares_it() {
        let accept = |call: &str, name: &str| {
            let text = format!("define void @f() {{\n  {call}$0\n  ret void\n}}\n");
            at_cursor(Dialect::Llvm, &text, |view, at| {
                let all = features::complete(view, at).items;
                let found = all.into_iter().find(|item| item.label.starts_with(name));
                found.map_or("nothing\n".to_owned(), |item| {
                    let also: String = item.also.iter().map(|edit| edit.text.trim().to_owned()).collect();
                    format!("{} + {also}\n", item.insert)
                })
            })
        };
        let shown = [
            accept("%x = call i32 @llvm.umi", "@llvm.umin"),
            accept("%x = call fast <4 x float> @llvm.sqr", "@llvm.sqrt"),
            accept("%x = call i64 @llvm.ctl", "@llvm.ctlz"),
            accept("%x = call i32 @llvm.sqr", "@llvm.sqrt"),
            accept("call void @llvm.tra", "@llvm.trap"),
            accept("%x = call i32 @llvm.amdgcn.workitem.id.", "@llvm.amdgcn.workitem.id.x"),
            accept("%x = call float @llvm.amdgcn.rc", "@llvm.amdgcn.rcp"),
        ];
        expect![[r#"
            @llvm.umin.i32 + declare i32 @llvm.umin.i32(i32, i32)
            @llvm.sqrt.v4f32 + declare <4 x float> @llvm.sqrt.v4f32(<4 x float>)
            @llvm.ctlz.i64 + declare i64 @llvm.ctlz.i64(i64, i1)
            @llvm.sqrt + 
            @llvm.trap + declare void @llvm.trap()
            @llvm.amdgcn.workitem.id.x + declare i32 @llvm.amdgcn.workitem.id.x()
            @llvm.amdgcn.rcp.f32 + declare float @llvm.amdgcn.rcp.f32(float)
        "#]]
        .assert_eq(&shown.concat());
    }
}
