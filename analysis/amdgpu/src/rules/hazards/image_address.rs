//! gfx10.1: a buffer instruction right after an image instruction with a long address list.

use wavelens_isa::Traits;

use super::{Code, Hazard, Mitigation};

wavelens_syntax::rules! {
    RULE {
        code: "hazard-image-address",
        severity: wavelens_base::Severity::Hint,
        title: "on gfx10.1, a buffer instruction with bit 1 or 2 of its offset set must not follow an image instruction with a long \
non-sequential address",
        explain: "Only LLVM's hazard recognizer keeps the two apart; the instruction set manual does not require it. The rule reports \
hints, and only on request (`pedantic`). The image instruction, when it has 16 bytes or more, corrupts the offset.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1010\"\n\
image_sample_d v[0:3], [v4, v6, v8, v10, v12, v14], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D\n\
buffer_load_dword v20, off, s[12:15], 0 offset:4\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1010\"\n\
image_sample_d v[0:3], [v4, v6, v8, v10, v12, v14], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D\n\
s_nop 0\nbuffer_load_dword v20, off, s[12:15], 0 offset:4\n",
        source: "LLVM GCNHazardRecognizer::checkNSAtoVMEMHazard",
    }
}

pub(super) fn check(code: &Code<'_>, index: usize) -> Option<Hazard> {
    if !code.is(index, Traits::BUFFER) || code.number(index, "offset").unwrap_or(0) & 6 == 0 {
        return None;
    }
    let long = |i: usize| {
        code.is(i, Traits::IMAGE)
            && code.graph.instructions.get(i).is_some_and(|l| l.encoded.bytes().len() >= 16)
    };
    let (_, producer) = code.since(index, 1, long)?;
    let what = "the offset of this access is spoilt by the image instruction before it".to_owned();
    Some(Hazard { producer, what, cause: "the image instruction", mitigation: Mitigation::States(1) })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks_pedantic;

    #[test]
    fn long_address_lists_stand_apart() {
        marks_pedantic(
            "gfx1010",
            expect![[r#"
                image_sample_d v[0:3], [v4, v6, v8, v10, v12, v14], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D
                buffer_load_dword v20, off, s[12:15], 0 offset:4
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[hazard-image-address]: the offset of this access is spoilt by the image instruction before it; 1 more wait state is needed: `s_nop 0` (LLVM's hazard recognizer; not required by the ISA manual)
                ;                                              = line 1:1: the image instruction
                ;                                              = fix: s_nop 0
            "#]],
        );
    }
}
