//! Values of immediates of intrinsics that only some processors have, and types of coordinates.

use wavelens_isa::Target;

use super::super::call_site::Site;
use crate::operand::Const;
use crate::types::TypeId;
use wavelens_base::Verdict;

pub(super) fn check(site: &Site<'_, '_>, target: Option<Target>) -> Verdict {
    let (Some(target), Some(short)) = (target, site.name.strip_prefix("llvm.amdgcn.")) else { return Ok(()) };
    let family =
        |name: &str| short.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    if family("update.dpp") {
        return dpp_control(site, 2, target);
    }
    if family("mov.dpp") {
        return dpp_control(site, 1, target);
    }
    if family("ds.ordered.add") || family("ds.ordered.swap") {
        return ordered_count(site, target);
    }
    // The first argument of a store is data.
    let has_short = || {
        site.params.iter().skip(1).any(|ty| *ty == TypeId::HALF || site.cx.types.int_bits(*ty) == Some(16))
    };
    if short.starts_with("image.") && !target.is_from(9) && has_short() {
        return site.wrong(format!(
            "{target} has no image instructions with 16-bit coordinates; they came with GFX9"
        ));
    }
    Ok(())
}

fn int(site: &Site<'_, '_>, argument: usize) -> Option<i64> {
    match site.cx.constant(*site.args().get(argument)?)? {
        Const::Int(value) => Some(value),
        _ => None,
    }
}

/// As `SIInstrInfo::verifyInstruction` reads `dpp_ctrl`.
fn dpp_control(site: &Site<'_, '_>, argument: usize, target: Target) -> Verdict {
    let Some(control) = int(site, argument) else { return Ok(()) };
    let has_shares = target.is_from(10) || target.has_feature("gfx90a-insts");
    let problem = match control {
        // `quad_perm`; rows shifted right and left, and rotated; mirrors.
        0..=0xFF | 0x101..=0x10F | 0x111..=0x11F | 0x121..=0x12F | 0x140 | 0x141 => return Ok(()),
        0x130 | 0x134 | 0x138 | 0x13C if target.is_from(10) => "shifts a wave, which ended with GFX9",
        0x142 | 0x143 if target.is_from(10) => "broadcasts a row, which ended with GFX9",
        0x130 | 0x134 | 0x138 | 0x13C | 0x142 | 0x143 => return Ok(()),
        0x150..=0x15F if !has_shares => "is `row_share`, which came with GFX10 and GFX90A",
        0x160..=0x16F if !target.is_from(10) => "is `row_xmask`, which came with GFX10",
        0x150..=0x16F => return Ok(()),
        _ => "is not a lane permutation",
    };
    site.wrong_argument(argument, format!("`dpp_ctrl` 0x{control:X} {problem}: not supported on {target}"))
}

/// Bits 24 to 27 of the index are a number of dwords since GFX10.
fn ordered_count(site: &Site<'_, '_>, target: Target) -> Verdict {
    let Some(index) = int(site, 5).filter(|_| target.is_from(10)) else { return Ok(()) };
    let count = index >> 24 & 0xF;
    if (1..=4).contains(&count) {
        return Ok(());
    }
    let message = format!(
        "bits 24 to 27 of the index must be a number of dwords between 1 and 4 on {target}, are {count}"
    );
    site.wrong_argument(5, message)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::check;

    const CALLS: &str = r#"target triple = "amdgcn-amd-amdpal"
declare i32 @llvm.amdgcn.update.dpp.i32(i32, i32, i32 immarg, i32 immarg, i32 immarg, i1 immarg)
declare i32 @llvm.amdgcn.ds.ordered.add(ptr addrspace(2), i32, i32, i32, i1, i32, i1, i1)
declare <4 x float> @llvm.amdgcn.image.load.1d.v4f32.i16(i32, i16, <8 x i32>, i32, i32)
define amdgpu_ps void @f(i32 %x, ptr addrspace(2) inreg %g, i16 %s, <8 x i32> inreg %d, ptr addrspace(1) %p) "target-cpu"="CPU" {
  %a = call i32 @llvm.amdgcn.update.dpp.i32(i32 %x, i32 %x, i32 312, i32 15, i32 15, i1 true)
  %b = call i32 @llvm.amdgcn.update.dpp.i32(i32 %x, i32 %a, i32 336, i32 15, i32 15, i1 true)
  %c = call i32 @llvm.amdgcn.update.dpp.i32(i32 %x, i32 %b, i32 256, i32 15, i32 15, i1 true)
  %o = call i32 @llvm.amdgcn.ds.ordered.add(ptr addrspace(2) %g, i32 %c, i32 0, i32 0, i1 false, i32 1, i1 true, i1 true)
  %i = call <4 x float> @llvm.amdgcn.image.load.1d.v4f32.i16(i32 15, i16 %s, <8 x i32> %d, i32 0, i32 0)
  store <4 x float> %i, ptr addrspace(1) %p
  ret void
}
"#;

    #[test]
    fn values_by_processor() {
        check(
            &CALLS.replace("CPU", "fiji"),
            expect![[r#"
                warning[target-intrinsic] 7:65 `336`: `dpp_ctrl` 0x150 is `row_share`, which came with GFX10 and GFX90A: not supported on fiji
                warning[target-intrinsic] 8:65 `256`: `dpp_ctrl` 0x100 is not a lane permutation: not supported on fiji
                warning[target-intrinsic] 10:25 `@llvm.amdgcn.image.load.1d.v4f32.i16`: fiji has no image instructions with 16-bit coordinates; they came with GFX9
            "#]],
        );
        check(
            &CALLS.replace("CPU", "gfx1030"),
            expect![[r#"
            warning[target-intrinsic] 6:65 `312`: `dpp_ctrl` 0x138 shifts a wave, which ended with GFX9: not supported on gfx1030
            warning[target-intrinsic] 8:65 `256`: `dpp_ctrl` 0x100 is not a lane permutation: not supported on gfx1030
            warning[target-intrinsic] 9:102 `1`: bits 24 to 27 of the index must be a number of dwords between 1 and 4 on gfx1030, are 0
        "#]],
        );
        check(
            &CALLS.replace("CPU", "gfx90a"),
            expect![[r#"
                warning[target-intrinsic] 8:65 `256`: `dpp_ctrl` 0x100 is not a lane permutation: not supported on gfx90a
                warning[target-intrinsic] 9:17 `@llvm.amdgcn.ds.ordered.add`: `llvm.amdgcn.ds.ordered.add` is not supported on gfx90a; it is supported on gfx600, gfx700, gfx802 and 14 others
            "#]],
        );
    }
}
