//! What each position takes.

use expect_test::expect;

use super::*;

/// What each position of each kind of line takes: a line up to the position, and the first proposals.
#[test]
fn each_position_takes_its_words() {
    let body = [
        "%r = ",
        "%r = tail ",
        "%r = add ",
        "%r = add nuw ",
        "%r = add nuw nsw ",
        "%r = add nuw nsw i32 ",
        "%r = trunc nuw ",
        "%r = lshr exact ",
        "%r = fneg nnan ",
        "%r = fdiv nnan ninf float %x, ",
        "%r = atomicrmw volatile ",
        "%r = atomicrmw volatile add ptr %p, i32 %a ",
        "switch i32 %a, ",
        "%r = call void ",
        "%r = call i32 @get(ptr %p) ",
        "%r = alloca i32, align ",
        "%r = load volatile i32, ptr %p, align ",
        "%r = add i32 ",
        "%r = add i32 %a, ",
        "%r = udiv ",
        "%r = fadd ",
        "%r = fadd float ",
        "%r = icmp ",
        "%r = icmp eq ",
        "%r = icmp eq ptr ",
        "%r = fcmp ",
        "%r = fcmp oeq ",
        "%r = zext ",
        "%r = zext i32 ",
        "%r = zext i32 %a ",
        "%r = zext i32 %a to ",
        "%r = load ",
        "%r = load atomic ",
        "%r = load i32, ",
        "%r = load i32, ptr ",
        "%r = load i32, ptr %p, ",
        "%r = alloca ",
        "%r = alloca i32, ",
        "%r = getelementptr ",
        "%r = getelementptr inbounds ",
        "%r = getelementptr i32, ",
        "%r = getelementptr i32, ptr ",
        "%r = getelementptr i32, ptr %p, ",
        "%r = select ",
        "%r = select i1 ",
        "%r = select i1 %c, ",
        "%r = select i1 %c, i32 %a, i32 ",
        "%r = phi ",
        "%r = phi i32 ",
        "%r = phi i32 [ ",
        "%r = phi i32 [ %a, ",
        "%r = call ",
        "%r = call i32 ",
        "%r = call i32 @",
        "%r = call i32 @get(",
        "%r = call i32 @get(ptr ",
        "%r = call i32 @get(ptr %p, ",
        "%r = call void asm ",
        "%r = atomicrmw ",
        "%r = atomicrmw add ",
        "%r = atomicrmw add ptr ",
        "%r = atomicrmw add ptr %p, i32 ",
        "%r = atomicrmw add ptr %p, i32 %a ",
        "%r = cmpxchg ",
        "%r = cmpxchg ptr %p, i32 %a, i32 %a ",
        "%r = extractvalue %pair ",
        "%r = insertelement ",
        "%r = insertelement <2 x float> ",
        "%r = shufflevector <2 x float> ",
        "%r = freeze ",
        "%r = bitcast <",
        "%r = bitcast <2 ",
        "%r = bitcast <2 x ",
        "store ",
        "store i32 ",
        "store i32 %a, ",
        "store i32 %a, ptr ",
        "store i32 %a, ptr %p, ",
        "store i32 %a, ptr %p, !",
        "store i32 %a, ptr %p, !tbaa ",
        "fence ",
        "fence syncscope(",
        "fence syncscope(\"",
        "br ",
        "br i1 ",
        "br i1 %c, ",
        "br i1 %c, label ",
        "switch ",
        "switch i32 %a, label ",
        "ret ",
        "ret i32 ",
        "unreach",
        "invoke void @get() to label ",
    ];
    let top = [
        "",
        "def",
        "define ",
        "define i32 ",
        "define i32 @g(",
        "define i32 @g(i32 ",
        "define i32 @g(i32 %x) ",
        "define i32 @g(i32 %x) \"",
        "define i32 @g(i32 %x) \"target-cpu\"=\"",
        "declare ",
        "declare void @",
        "@g = ",
        "@g = global ",
        "@g = global i32 ",
        "@g = constant ptr ",
        "@g = alias ",
        "attributes #0 = { ",
        "attributes #0 = { \"amdgpu-",
        "target ",
        "target triple = \"",
        "target triple = \"amd",
        "!0 = ",
        "!0 = !{",
        "!0 = !DI",
        "!0 = distinct !DI",
        "!0 = !DIBasicType(",
        "!0 = !DIBasicType(name: \"a\", encoding: ",
        "!0 = !DIFlag",
        "!llvm.",
        "%t = ",
        "%t = type ",
        "%t = type { ",
        "source_",
    ];
    let mut shown = String::new();
    let mut add = |line: &str, module: String| {
        let found = at_cursor(Dialect::Llvm, &module, features::complete);
        let labels: Vec<&str> = found.items.iter().take(8).map(|item| item.label.as_str()).collect();
        shown += &format!("{}: {}\n", line.trim_end(), labels.join(" "));
    };
    for line in body {
        add(
            line,
            format!(
                "target triple = \"amdgcn-amd-amdhsa\"\n%pair = type {{ i32, ptr }}\n@limit = constant i32 10\n\
                 define i32 @f(i32 %a, i1 %c, float %x, ptr %p, <2 x float> %v, %pair %q) {{\nentry:\n  \
                 %b = add i32 %a, 1\n  br label %next\nnext:\n  {line}$0\n  br label %done\ndone:\n  ret i32 0\n}}\n\
                 declare i32 @get(ptr, i32)\n!0 = !{{}}\n"
            ),
        );
    }
    for line in top {
        add(
            line,
            format!(
                "@limit = constant i32 10\n%pair = type {{ i32, ptr }}\n{line}$0\n\ndefine void @f() {{\n  ret void\n}}\n"
            ),
        );
    }
    expect![[r#"
        %r =: add load call getelementptr icmp alloca phi mul
        %r = tail: call
        %r = add: i32 float ptr i1 %pair nsw nuw bfloat
        %r = add nuw: nuw i32 float ptr i1 %pair nsw bfloat
        %r = add nuw nsw: nsw nuw i32 float ptr i1 %pair bfloat
        %r = add nuw nsw i32: %a %b poison undef
        %r = trunc nuw: nuw i32 float ptr i1 %pair nsw bfloat
        %r = lshr exact: exact i32 float ptr i1 %pair bfloat double
        %r = fneg nnan: nnan i32 float ptr i1 %pair afn arcp
        %r = fdiv nnan ninf float %x,: %x poison undef
        %r = atomicrmw volatile: add and fadd fmax fmaximum fmaximumnum fmin fminimum
        %r = atomicrmw volatile add ptr %p, i32 %a: i32 acq_rel acquire monotonic release seq_cst unordered ptr
        switch i32 %a,: label i32 ptr float i1 %pair bfloat double
        %r = call void: %p @f @limit @get captures dereferenceable inreg noalias
        %r = call i32 @get(ptr %p): ptr i32 float i1 %pair bfloat double fp128
        %r = alloca i32, align: i32 align float ptr i1 %pair bfloat double
        %r = load volatile i32, ptr %p, align: i32 ptr align volatile float i1 %pair bfloat
        %r = add i32: %a %b poison undef
        %r = add i32 %a,: %a %b poison undef
        %r = udiv: i32 float ptr i1 %pair exact bfloat double
        %r = fadd: i32 float ptr i1 %pair afn arcp contract
        %r = fadd float: %x poison undef
        %r = icmp: eq ne samesign sge sgt sle slt uge
        %r = icmp eq: i32 float ptr i1 %pair bfloat double fp128
        %r = icmp eq ptr: %p @limit @f @get null poison undef addrspace
        %r = fcmp: false oeq oge ogt ole olt one ord
        %r = fcmp oeq: i32 float ptr i1 %pair bfloat double fp128
        %r = zext: i32 float ptr i1 %pair bfloat double fp128
        %r = zext i32: %b %a poison undef
        %r = zext i32 %a: i32 float to ptr i1 %pair bfloat double
        %r = zext i32 %a to: i32 float ptr i1 %pair bfloat double fp128
        %r = load: i32 float ptr i1 %pair bfloat double fp128
        %r = load atomic: atomic i32 float ptr i1 %pair bfloat double
        %r = load i32,: i32 ptr float i1 %pair bfloat double fp128
        %r = load i32, ptr: %p @limit @f @get null poison undef addrspace
        %r = load i32, ptr %p,: ptr i32 float i1 %pair bfloat double fp128
        %r = alloca: i32 float ptr i1 %pair bfloat double fp128
        %r = alloca i32,: i32 ptr float i1 %pair bfloat double fp128
        %r = getelementptr: i32 float ptr i1 %pair inbounds nusw nuw
        %r = getelementptr inbounds: inbounds i32 float ptr i1 %pair nusw nuw
        %r = getelementptr i32,: i32 ptr float i1 %pair bfloat double fp128
        %r = getelementptr i32, ptr: %p @limit @f @get null poison undef addrspace
        %r = getelementptr i32, ptr %p,: ptr i32 float i1 %pair bfloat double fp128
        %r = select: i32 float ptr i1 %pair bfloat double fp128
        %r = select i1: %c false poison true undef
        %r = select i1 %c,: i1 ptr float i32 %pair bfloat double fp128
        %r = select i1 %c, i32 %a, i32: %a %b poison undef
        %r = phi: i32 float ptr i1 %pair bfloat double fp128
        %r = phi i32: %b %a poison undef
        %r = phi i32 [: %b %a poison undef
        %r = phi i32 [ %a,: %entry poison undef
        %r = call: i32 float ptr i1 %pair bfloat double fp128
        %r = call i32: @f @limit @get captures dereferenceable inreg noalias nofree
        %r = call i32 @: @f @limit @get @llvm.amdgcn.cluster.id.x @llvm.amdgcn.cluster.id.y @llvm.amdgcn.cluster.id.z @llvm.amdgcn.cluster.workgroup.flat.id @llvm.amdgcn.cluster.workgroup.id.x
        %r = call i32 @get(: i32 ptr float i1 %pair bfloat double fp128
        %r = call i32 @get(ptr: %p @get @limit @f captures dereferenceable inreg noalias
        %r = call i32 @get(ptr %p,: ptr i32 float i1 %pair bfloat double fp128
        %r = call void asm: sideeffect alignstack inteldialect unwind
        %r = atomicrmw: add and fadd fmax fmaximum fmaximumnum fmin fminimum
        %r = atomicrmw add: add and fadd fmax fmaximum fmaximumnum fmin fminimum
        %r = atomicrmw add ptr: %p @limit @f @get null poison undef addrspace
        %r = atomicrmw add ptr %p, i32: %b %a poison undef
        %r = atomicrmw add ptr %p, i32 %a: i32 acq_rel acquire monotonic release seq_cst unordered ptr
        %r = cmpxchg: acq_rel acquire monotonic release seq_cst unordered i32 float
        %r = cmpxchg ptr %p, i32 %a, i32 %a: i32 acq_rel acquire monotonic release seq_cst unordered ptr
        %r = extractvalue %pair: %q false none null poison true undef zeroinitializer
        %r = insertelement: i32 float ptr i1 %pair bfloat double fp128
        %r = insertelement <2 x float>: %v poison undef zeroinitializer
        %r = shufflevector <2 x float>: %v poison undef zeroinitializer
        %r = freeze: i32 float ptr i1 %pair bfloat double fp128
        %r = bitcast <: i32 float ptr i1 %pair bfloat double fp128
        %r = bitcast <2: x
        %r = bitcast <2 x: float i32 ptr i1 %pair bfloat double fp128
        store: i32 float ptr i1 %pair bfloat double fp128
        store i32: %b %a poison undef
        store i32 %a,: i32 ptr float i1 %pair bfloat double fp128
        store i32 %a, ptr: %p @limit @f @get null poison undef addrspace
        store i32 %a, ptr %p,: ptr i32 float i1 %pair bfloat double fp128
        store i32 %a, ptr %p, !: !DIAssignID !absolute_symbol !alias.scope !align !amdgpu.ignore.denormal.mode !amdgpu.last.use !amdgpu.no.fine.grained.memory !amdgpu.no.remote.memory
        store i32 %a, ptr %p, !tbaa: !0
        fence: acq_rel acquire monotonic release seq_cst unordered syncscope
        fence syncscope(: syncscope acq_rel acquire monotonic release seq_cst unordered
        fence syncscope(": "agent" "agent-one-as" "all_svm_devices" "block" "cluster" "cluster-one-as" "device" "one-as"
        br: label i32 float ptr i1 %pair bfloat double
        br i1: %c false poison true undef
        br i1 %c,: i1 label ptr float i32 %pair bfloat double
        br i1 %c, label: %next %done
        switch: label i32 float ptr i1 %pair bfloat double
        switch i32 %a, label: %next %done
        ret: i32 float ptr i1 %pair bfloat double fp128
        ret i32: %b %a poison undef
        unreach: unreachable
        invoke void @get() to label: %next %done
        : define attributes declare module asm source_filename target datalayout target triple
        def: define
        define: ptr i32 void %pair amdgpu_kernel double float half
        define i32: i32 ptr %pair void amdgpu_kernel double float half
        define i32 @g(: i32 ptr %pair void double float half i1
        define i32 @g(i32: i32 ptr %pair void double float half i1
        define i32 @g(i32 %x): alwaysinline convergent memory mustprogress nocallback nofree noinline norecurse
        define i32 @g(i32 %x) ": "amdgpu-agpr-alloc" "amdgpu-cluster-dims" "amdgpu-dx10-clamp" "amdgpu-dynamic-vgpr-block-size" "amdgpu-flat-work-group-size" "amdgpu-gds-size" "amdgpu-git-ptr-high" "amdgpu-ieee"
        define i32 @g(i32 %x) "target-cpu"=": "gfx90a"
        declare: ptr i32 %pair amdgpu_kernel void double float half
        declare void @: @limit @f
        @g =: constant ptr i32 %pair void addrspace alias align
        @g = global: global ptr i32 constant %pair void addrspace alias
        @g = global i32: i32 global ptr constant %pair void addrspace alias
        @g = constant ptr: ptr i32 constant %pair void addrspace alias align
        @g = alias: alias ptr i32 constant %pair void addrspace align
        attributes #0 = {: alwaysinline convergent memory mustprogress nocallback nofree noinline norecurse
        attributes #0 = { "amdgpu-: "amdgpu-agpr-alloc" "amdgpu-cluster-dims" "amdgpu-dx10-clamp" "amdgpu-dynamic-vgpr-block-size" "amdgpu-flat-work-group-size" "amdgpu-gds-size" "amdgpu-git-ptr-high" "amdgpu-ieee"
        target: datalayout triple
        target triple = ": 
        target triple = "amd: 
        !0 =: !0 distinct null ptr i32 !DIArgList !DIAssignID !DIBasicType
        !0 = !{: !0 distinct null i32 ptr !DIArgList !DIAssignID !DIBasicType
        !0 = !DI: !DIArgList !DIAssignID !DIBasicType !DICommonBlock !DICompileUnit !DICompositeType !DIDerivedType !DIEnumerator
        !0 = distinct !DI: !DIArgList !DIAssignID !DIBasicType !DICommonBlock !DICompileUnit !DICompositeType !DIDerivedType !DIEnumerator
        !0 = !DIBasicType(: tag: name: size: align: dataSize: encoding: num_extra_inhabitants: flags:
        !0 = !DIBasicType(name: "a", encoding:: DW_ATE_ASCII DW_ATE_UCS DW_ATE_UTF DW_ATE_address DW_ATE_boolean DW_ATE_complex_float DW_ATE_decimal_float DW_ATE_edited
        !0 = !DIFlag: 
        !llvm.: !llvm.dbg.cu !llvm.ident !llvm.module.flags
        %t =: type ptr i32 %t opaque %pair void double
        %t = type: type i32 ptr %t opaque %pair void double
        %t = type {: i32 type ptr %t opaque %pair void double
        source_: source_filename
    "#]].assert_eq(&shown);
}
