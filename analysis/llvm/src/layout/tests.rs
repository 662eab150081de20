use expect_test::expect;

use super::*;

#[test]
fn real_layouts_are_right() {
    for layout in [
        "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128",
        "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9",
        "",
    ] {
        assert_eq!(Layout::mistake(layout), None);
    }
}

#[test]
fn mistakes() {
    let all: Vec<_> = ["z", "p:64", "i32:24", "S7", "m:z", "e--m:e", "A99999999", "p:32:32:32:64"]
        .iter()
        .filter_map(|l| Layout::mistake(l))
        .collect();
    expect![[r#"
            invalid specification `z`: unknown specification `z`
            invalid specification `p:64`: expected `p[<n>]:<size>:<abi>[:<preferred>[:<index>]]`
            invalid specification `i32:24`: ABI alignment must be 8 times a power of two, is 24
            invalid specification `S7`: stack alignment must be 8 times a power of two, is 7
            invalid specification `m:z`: unknown mangling mode `z`
            empty specification in the data layout
            invalid specification `A99999999`: the address space must be a number below 2^24, is `99999999`
            invalid specification `p:32:32:32:64`: the index size must not exceed the pointer size"#]]
    .assert_eq(&all.join("\n"));
}

/// Each kind of specification at its limits, as llvm-as judges it.
#[test]
fn specifications_at_their_limits() {
    let all = "e e1 E E1 s s8 ni ni: ni:0 ni:1 ni:1:0 ni:16777215 ni:16777216 a a: a:0 a0:8 a1:8 a:8:16 \
        a:16:8 a:8:8:8 p p:64:64 p:0:8 p1:16777215:8 p1:16777216:8 p16777216:64:64 p:64:0 p:64:8:16 \
        p:64:16:8 p:64:64:64:64 p:64:64:64:65 p:64:64:64:0 p:64:64:64:64:64 pu1:64:64 pe:64:64 \
        pe0:64:64 pue2:64:64 pz:64:64 n n8 n8:0 n16777216 S S0 S8 S12 S24 S32768 S65536 F Fi8 Fn0 Fn32 Fx8 P P1 \
        P16777216 A5 Ax G16777215 G-1 m m: m:e m:l m:o m:m m:w m:x m:a m:b me i8:8 i8:16 i8:8:16 i0:8 \
        i1 i1:8:8:8 i16777215:8 i16777216:8 i16:0 i16:8:4 i16:16:8 i16:x i16: i:8 f32:24 f32:32 \
        v64:32768 v64:65536 z -";
    let shown = all.split(' ').map(|spec| match Layout::mistake(spec) {
        None => format!("{spec}: right\n"),
        Some(mistake) => format!("{mistake}\n"),
    });
    expect![[r#"
            e: right
            invalid specification `e1`: `e` takes no value
            E: right
            invalid specification `E1`: `E` takes no value
            s: right
            s8: right
            invalid specification `ni`: expected `ni:<address space>[:<address space>]...`
            invalid specification `ni:`: the address space must be a number below 2^24, is ``
            invalid specification `ni:0`: address space 0 must be integral
            ni:1: right
            invalid specification `ni:1:0`: address space 0 must be integral
            ni:16777215: right
            invalid specification `ni:16777216`: the address space must be a number below 2^24, is `16777216`
            invalid specification `a`: expected `a:<abi>[:<preferred>]`
            invalid specification `a:`: ABI alignment `` is not a number
            a:0: right
            a0:8: right
            invalid specification `a1:8`: the size of aggregates must be 0
            a:8:16: right
            invalid specification `a:16:8`: preferred alignment 8 is less than the ABI alignment 16
            invalid specification `a:8:8:8`: expected `a:<abi>[:<preferred>]`
            invalid specification `p`: expected `p[<n>]:<size>:<abi>[:<preferred>[:<index>]]`
            p:64:64: right
            invalid specification `p:0:8`: pointer size must be a number between 1 and 2^24 - 1, is `0`
            p1:16777215:8: right
            invalid specification `p1:16777216:8`: pointer size must be a number between 1 and 2^24 - 1, is `16777216`
            invalid specification `p16777216:64:64`: the address space must be a number below 2^24, is `16777216`
            invalid specification `p:64:0`: ABI alignment must not be 0
            p:64:8:16: right
            invalid specification `p:64:16:8`: preferred alignment 8 is less than the ABI alignment 16
            p:64:64:64:64: right
            invalid specification `p:64:64:64:65`: the index size must not exceed the pointer size
            invalid specification `p:64:64:64:0`: index size must be a number between 1 and 2^24 - 1, is `0`
            invalid specification `p:64:64:64:64:64`: expected `p[<n>]:<size>:<abi>[:<preferred>[:<index>]]`
            pu1:64:64: right
            invalid specification `pe:64:64`: address space 0 must be stable and without external state
            invalid specification `pe0:64:64`: address space 0 must be stable and without external state
            pue2:64:64: right
            invalid specification `pz:64:64`: the address space must be a number below 2^24, is `z`
            invalid specification `n`: missing size: a number between 1 and 2^24 - 1
            n8: right
            invalid specification `n8:0`: size must be a number between 1 and 2^24 - 1, is `0`
            invalid specification `n16777216`: size must be a number between 1 and 2^24 - 1, is `16777216`
            invalid specification `S`: expected `S<size>`
            invalid specification `S0`: stack alignment must not be 0
            S8: right
            invalid specification `S12`: stack alignment must be 8 times a power of two, is 12
            invalid specification `S24`: stack alignment must be 8 times a power of two, is 24
            S32768: right
            invalid specification `S65536`: stack alignment 65536 does not fit 16 bits
            invalid specification `F`: expected `F<type><abi>`
            Fi8: right
            invalid specification `Fn0`: function pointer alignment must not be 0
            Fn32: right
            invalid specification `Fx8`: unknown function pointer alignment type `x`
            invalid specification `P`: the address space must be a number below 2^24, is ``
            P1: right
            invalid specification `P16777216`: the address space must be a number below 2^24, is `16777216`
            A5: right
            invalid specification `Ax`: the address space must be a number below 2^24, is `x`
            G16777215: right
            invalid specification `G`: the address space must be a number below 2^24, is ``
            invalid specification `m`: expected `m:<mangling>`
            invalid specification `m:`: expected `m:<mangling>`
            m:e: right
            m:l: right
            m:o: right
            m:m: right
            m:w: right
            m:x: right
            m:a: right
            invalid specification `m:b`: unknown mangling mode `b`
            invalid specification `me`: expected `m:<mangling>`
            i8:8: right
            invalid specification `i8:16`: the alignment of `i8` must be 8 bits
            i8:8:16: right
            invalid specification `i0:8`: size must be a number between 1 and 2^24 - 1, is `0`
            invalid specification `i1`: expected `i<size>:<abi>[:<preferred>]`
            invalid specification `i1:8:8:8`: expected `i<size>:<abi>[:<preferred>]`
            i16777215:8: right
            invalid specification `i16777216:8`: size must be a number between 1 and 2^24 - 1, is `16777216`
            invalid specification `i16:0`: ABI alignment must not be 0
            invalid specification `i16:8:4`: preferred alignment must be 8 times a power of two, is 4
            invalid specification `i16:16:8`: preferred alignment 8 is less than the ABI alignment 16
            invalid specification `i16:x`: ABI alignment `x` is not a number
            invalid specification `i16:`: ABI alignment `` is not a number
            invalid specification `i:8`: missing size: a number between 1 and 2^24 - 1
            invalid specification `f32:24`: ABI alignment must be 8 times a power of two, is 24
            f32:32: right
            v64:32768: right
            invalid specification `v64:65536`: ABI alignment 65536 does not fit 16 bits
            invalid specification `z`: unknown specification `z`
            empty specification in the data layout
        "#]].assert_eq(&shown.collect::<String>());
}

#[test]
fn what_a_layout_says_is_kept() {
    let default = Layout::of(None);
    let layout = Layout::of(Some("p:32:16:32:24-p3:16:8-i32:16:32-f64:32-v64:32-a:0:32-P1-A2-G3"));
    assert_eq!(Layout::of(Some("e-m:e-S8-Fi8-n8-ni:1-s-i8:8")), default);
    let spaces = [0, 1, 3].map(|space| (layout.pointer_bits(space), layout.index_bits(space)));
    assert_eq!(spaces, [(32, 24), (32, 24), (16, 16)]);
    assert_eq!((layout.program_space, layout.alloca_space, layout.globals_space), (1, 2, 3));
    assert_eq!((default.program_space, default.alloca_space, default.globals_space), (0, 0, 0));
    assert_eq!((default.pointer_bits(7), default.index_bits(7)), (64, 64));
    expect!["Layout { pointers: {0: (0, 32, 16, 24), 3: (3, 16, 8, 16)}, ints: [(1, 8), (8, 8), (16, 16), (32, 16), (64, 32)], floats: [(16, 16), (32, 32), (64, 32), (128, 128)], vectors: [(64, 32), (128, 128)], aggregate_align: 8, alloca_space: 2, program_space: 1, globals_space: 3 }"].assert_eq(&format!("{layout:?}"));
}

#[test]
fn sizes() {
    let layout = Layout::of(Some("p5:32:32-A5"));
    assert_eq!((layout.pointer_bits(5), layout.pointer_bits(1), layout.alloca_space), (32, 64, 5));
    let scope = super::super::scope(&[], &wavelens_base::Options::default());
    let mut types = Types::default();
    let pair = types.literal_struct(&[TypeId::I8, TypeId::I32], false);
    assert_eq!(layout.alloc_bytes(&scope, &types, pair), Some(8));
    let array = types.array(3, pair);
    assert_eq!(layout.alloc_bytes(&scope, &types, array), Some(24));
    assert_eq!(is_sized(&scope, &types, array), Some(true));
    assert_eq!(is_sized(&scope, &types, TypeId::LABEL), Some(false));
}

/// Sizes with padding and ABI alignments, as opt folds them: `getelementptr (T, ptr null, i32 1)`, and a field after an `i8`.
#[test]
fn sizes_and_alignments() {
    let other = "e-p:32:32-p1:16:16-i64:32-i128:64-f64:32-f80:32-v64:32-v96:64-a:64";
    let layouts = [Layout::of(None), Layout::of(Some(other))];
    let scope = super::super::scope(&[], &wavelens_base::Options::default());
    let mut types = Types::default();
    let t = &mut types;
    let (i7, i9, i24, i40, i65, i200) = (t.int(7), t.int(9), t.int(24), t.int(40), t.int(65), t.int(200));
    let (near, v3i32, v2i16) = (t.ptr(1), t.vector(3, false, TypeId::I32), t.vector(2, false, TypeId::I16));
    let inner = t.literal_struct(&[TypeId::I16, TypeId::I8], false);
    let pair = t.literal_struct(&[TypeId::I8, v2i16], false);
    let mixed = [TypeId::I8, TypeId::I64, TypeId::I8];
    let table = [
        (TypeId::I1, [(1, 1), (1, 1)]),
        (i7, [(1, 1), (1, 1)]),
        (i9, [(2, 2), (2, 2)]),
        (i24, [(4, 4), (4, 4)]),
        (i40, [(8, 4), (8, 4)]),
        (i65, [(12, 4), (16, 8)]),
        (TypeId::I128, [(16, 4), (16, 8)]),
        (i200, [(28, 4), (32, 8)]),
        (TypeId::HALF, [(2, 2), (2, 2)]),
        (TypeId::BFLOAT, [(2, 2), (2, 2)]),
        (TypeId::FLOAT, [(4, 4), (4, 4)]),
        (TypeId::DOUBLE, [(8, 8), (8, 4)]),
        (TypeId::X86_FP80, [(16, 16), (12, 4)]),
        (TypeId::FP128, [(16, 16), (16, 16)]),
        (TypeId::PPC_FP128, [(16, 16), (16, 16)]),
        (TypeId::X86_AMX, [(1024, 64), (1024, 64)]),
        (TypeId::PTR, [(8, 8), (4, 4)]),
        (near, [(8, 8), (2, 2)]),
        (t.vector(3, false, TypeId::I8), [(4, 4), (4, 4)]),
        (t.vector(2, false, TypeId::I32), [(8, 8), (8, 4)]),
        (v3i32, [(16, 16), (16, 8)]),
        (t.vector(4, false, i24), [(16, 16), (16, 8)]),
        (t.vector(16, false, TypeId::I1), [(2, 2), (2, 2)]),
        (t.vector(3, false, TypeId::PTR), [(32, 32), (16, 8)]),
        (t.array(3, i24), [(12, 4), (12, 4)]),
        (t.array(0, TypeId::I64), [(0, 4), (0, 4)]),
        (t.literal_struct(&mixed, false), [(16, 4), (16, 8)]),
        (t.literal_struct(&mixed, true), [(10, 1), (10, 1)]),
        (t.literal_struct(&[], false), [(0, 1), (0, 8)]),
        (t.literal_struct(&[TypeId::I8, inner, TypeId::X86_FP80], false), [(32, 16), (32, 8)]),
        (t.literal_struct(&[TypeId::I8, v3i32], true), [(17, 1), (17, 1)]),
        (t.array(2, pair), [(16, 4), (16, 8)]),
    ];
    for (ty, expected) in table {
        let found = layouts.each_ref().map(|layout| layout.bytes_and_align(&scope, &types, ty));
        let name = types.display(ty, &|_| String::new());
        assert_eq!(found, expected.map(Some), "{name}");
        let bytes = layouts.each_ref().map(|layout| layout.alloc_bytes(&scope, &types, ty));
        assert_eq!(bytes, expected.map(|(bytes, _)| Some(bytes)), "{name}");
    }
}

/// Each level doubles the paths to the innermost struct.
#[test]
fn structs_that_share_their_parts_are_measured_once() {
    let levels = (1..60).map(|n| format!("%t{n} = type {{ %t{}, %t{} }}\n", n - 1, n - 1));
    let text = format!(
        "%t0 = type {{ i32, i32 }}\n{}@g = global %t59 zeroinitializer\n\
         define void @f() {{\n  %p = alloca %t50\n  ret void\n}}\n",
        levels.collect::<String>()
    );
    assert_eq!(crate::rules::findings(&text).lines().count(), 0);
}
