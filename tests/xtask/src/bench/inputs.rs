//! Generated inputs: the same size makes the same text, which both we and the reference tool accept.

use std::fmt::Write as _;

use wavelens_test_support::random::Random;

/// A language, the tool that judges it, and how to write it.
pub(crate) struct Dialect {
    pub(crate) name: &'static str,
    /// As the protocol names the language.
    pub(crate) id: &'static str,
    pub(crate) extension: &'static str,
    /// Options of `wavelens check`.
    pub(crate) options: &'static [&'static str],
    /// Commands that judge a file, one after the other; `{}` is the file, `{}.out` a file to write.
    pub(crate) reference: &'static [&'static [&'static str]],
    head: &'static str,
    function: fn(&mut Random, usize) -> String,
}

pub(crate) static DIALECTS: [Dialect; 4] = [
    Dialect {
        name: "LLVM IR",
        id: "llvm",
        extension: "ll",
        options: &[],
        reference: &[&["llvm-as-22", "-disable-output", "{}"]],
        head: "target triple = \"amdgcn-amd-amdhsa\"\n\ndeclare i32 @llvm.amdgcn.workitem.id.x()\n",
        function: llvm,
    },
    Dialect {
        name: "Machine IR",
        id: "mir",
        extension: "mir",
        options: &["--mcpu", "gfx1100"],
        reference: &[&[
            "llc-22",
            "-mtriple=amdgcn-amd-amdhsa",
            "-mcpu=gfx1100",
            "-run-pass=none",
            "-verify-machineinstrs",
            "-o",
            "/dev/null",
            "{}",
        ]],
        head: "",
        function: mir,
    },
    Dialect {
        name: "SPIR-V",
        id: "spirv",
        extension: "spvasm",
        options: &[],
        reference: &[&["spirv-as", "-o", "{}.out", "{}"], &["spirv-val", "{}.out"]],
        head: SPIRV,
        function: spirv,
    },
    Dialect {
        name: "AMDGPU",
        id: "amdgpu",
        extension: "s",
        options: &[],
        reference: &[&[
            "llvm-mc-22",
            "-triple=amdgcn-amd-amdhsa",
            "-mcpu=gfx1100",
            "-filetype=obj",
            "-o",
            "/dev/null",
            "{}",
        ]],
        head: "\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\n\t.text\n",
        function: amdgpu,
    },
];

impl Dialect {
    /// A text of at least so many bytes.
    pub(crate) fn text(&self, bytes: usize) -> String {
        let mut random = Random::new(1);
        let mut text = self.head.to_owned();
        for number in 0.. {
            if text.len() >= bytes {
                break;
            }
            text += &(self.function)(&mut random, number);
        }
        text
    }
}

fn llvm(random: &mut Random, number: usize) -> String {
    let mut out = format!(
        "\ndefine amdgpu_kernel void @kernel{number}(ptr addrspace(1) %p, i32 %n, float %a) {{\nentry:\n  \
         %v0 = call i32 @llvm.amdgcn.workitem.id.x()\n  %f0 = uitofp i32 %v0 to float\n  br label %loop\n\nloop:\n  \
         %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]\n"
    );
    let count = 10 + random.below(40);
    for value in 1..=count {
        let (a, b) = (random.below(value), random.below(value));
        let _ = match random.below(4) {
            0 => writeln!(out, "  %v{value} = add nsw i32 %v{a}, %i\n  %f{value} = fadd float %f{b}, %a"),
            1 => writeln!(
                out,
                "  %v{value} = mul i32 %v{a}, %v{b}\n  %f{value} = fmul contract float %f{a}, %f{b}"
            ),
            2 => writeln!(
                out,
                "  %p{value} = getelementptr inbounds float, ptr addrspace(1) %p, i32 %v{a}\n  \
                 %f{value} = load float, ptr addrspace(1) %p{value}, align 4\n  %v{value} = xor i32 %v{b}, {}",
                random.below(1000)
            ),
            _ => writeln!(
                out,
                "  %c{value} = icmp slt i32 %v{a}, %n\n  %v{value} = select i1 %c{value}, i32 %v{b}, i32 %i\n  \
                 %f{value} = fsub float %f{a}, %f{b}"
            ),
        };
    }
    let _ = write!(
        out,
        "  %to = getelementptr float, ptr addrspace(1) %p, i32 %v{count}\n  store float %f{count}, ptr addrspace(1) %to, align 4\n  \
         %i.next = add i32 %i, 1\n  %more = icmp slt i32 %i.next, %n\n  br i1 %more, label %loop, label %done\n\ndone:\n  ret void\n}}\n"
    );
    out
}

fn mir(random: &mut Random, number: usize) -> String {
    let mut out = format!(
        "---\nname:            f{number}\ntracksRegLiveness: true\nbody:             |\n  bb.0:\n    \
         liveins: $vgpr0, $vgpr1\n  \n    %0:_(s32) = COPY $vgpr0\n    %1:_(s32) = COPY $vgpr1\n"
    );
    let count = 10 + random.below(40);
    for value in 2..=count {
        let (a, b) = (random.below(value), random.below(value));
        let _ = match random.below(4) {
            0 => writeln!(out, "    %{value}:_(s32) = nsw G_ADD %{a}, %{b}"),
            1 => writeln!(out, "    %{value}:_(s32) = G_CONSTANT i32 {}", random.below(10000)),
            2 => writeln!(out, "    %{value}:_(s32) = G_FMUL %{a}, %{b}"),
            _ => writeln!(out, "    %{value}:_(s32) = G_SHL %{a}, %{b}(s32)"),
        };
    }
    let _ = write!(out, "    $vgpr0 = COPY %{count}(s32)\n    S_ENDPGM 0, implicit $vgpr0\n...\n");
    out
}

const SPIRV: &str = "; SPIR-V
; Version: 1.5
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %f0 \"main\" %cell
               OpExecutionMode %f0 LocalSize 64 1 1
       %void = OpTypeVoid
          %t = OpTypeFunction %void
      %float = OpTypeFloat 32
       %uint = OpTypeInt 32 0
    %pointer = OpTypePointer Private %float
       %cell = OpVariable %pointer Private
      %float_1 = OpConstant %float 1
      %uint_7 = OpConstant %uint 7
";

fn spirv(random: &mut Random, number: usize) -> String {
    let mut out = format!("{:>11} = OpFunction %void None %t\n%l{number} = OpLabel\n", format!("%f{number}"));
    let name = |kind: &str, value: usize| match (kind, value) {
        ("v", 0) => "%uint_7".to_owned(),
        (_, 0) => "%float_1".to_owned(),
        _ => format!("%{kind}{number}_{value}"),
    };
    let count = 10 + random.below(40);
    for value in 1..=count {
        let (a, b) = (random.below(value), random.below(value));
        let (v, f) = (name("v", value), name("x", value));
        let _ = match random.below(3) {
            0 => writeln!(
                out,
                "{f:>11} = OpFAdd %float {} {}\n{v:>11} = OpIMul %uint {} {}",
                name("x", a),
                name("x", b),
                name("v", a),
                name("v", b)
            ),
            1 => writeln!(
                out,
                "{f:>11} = OpLoad %float %cell\n{v:>11} = OpBitwiseXor %uint {} {}",
                name("v", a),
                name("v", b)
            ),
            _ => writeln!(
                out,
                "{f:>11} = OpConvertUToF %float {}\n{v:>11} = OpIAdd %uint {} {}",
                name("v", a),
                name("v", a),
                name("v", b)
            ),
        };
    }
    let _ = write!(
        out,
        "               OpStore %cell {}\n               OpReturn\n               OpFunctionEnd\n",
        name("x", count)
    );
    out
}

fn amdgpu(random: &mut Random, number: usize) -> String {
    let mut out = format!(
        "\t.globl\tkernel{number}\n\t.p2align\t8\n\t.type\tkernel{number},@function\nkernel{number}:\n"
    );
    let count = 20 + random.below(60);
    for line in 0..count {
        let (a, b, c) = (random.below(64), random.below(64), random.below(64));
        let even = 2 * random.below(30);
        let _ = match random.below(8) {
            0 => writeln!(out, "\tv_add_f32_e32 v{a}, v{b}, v{c}"),
            1 => writeln!(out, "\tv_fmac_f32_e32 v{a}, s{}, v{b}", c),
            2 => writeln!(out, "\tglobal_load_b32 v{a}, v[{even}:{}], off", even + 1),
            3 => writeln!(out, "\ts_waitcnt vmcnt(0)"),
            4 => writeln!(out, "\tv_mov_b32_e32 v{a}, 0x{:x}", 0x1000 + b * c),
            5 => writeln!(out, "\ts_add_u32 s{a}, s{b}, {c}"),
            6 => writeln!(out, "\tv_lshlrev_b32_e32 v{a}, 2, v{b}"),
            _ => writeln!(out, ".L{number}_{line}:\n\ts_cbranch_scc1 .L{number}_{line}"),
        };
    }
    let _ =
        write!(out, "\ts_endpgm\n.Lend{number}:\n\t.size\tkernel{number}, .Lend{number}-kernel{number}\n");
    out
}
