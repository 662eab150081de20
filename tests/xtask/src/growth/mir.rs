//! Machine IR.

use super::{Family, lines, nested};

/// A function with some YAML before its body.
fn function(yaml: &str, body: &str) -> String {
    format!("---\nname: f\ntracksRegLiveness: true\n{yaml}body: |\n{body}...\n")
}

fn body(instructions: &str) -> String {
    function("", &format!("  bb.0:\n{instructions}    S_ENDPGM 0\n"))
}

pub(super) static FAMILIES: &[Family] = &[
    Family {
        name: "virtual registers",
        text: |n| body(&lines(n, |i| format!("    %{i}:_(s32) = G_CONSTANT i32 {i}\n"))),
    },
    Family {
        name: "undefined registers",
        text: |n| {
            body(&lines(n, |i| format!("    %{}:_(s32) = G_ADD %{}, %{}\n", 3 * i, 3 * i + 1, 3 * i + 2)))
        },
    },
    Family {
        name: "redefinitions of a register",
        text: |n| body(&lines(n, |_| "    %0:_(s32) = G_CONSTANT i32 1\n".to_owned())),
    },
    Family {
        name: "blocks in a row",
        text: |n| {
            let block =
                |i: usize| format!("  bb.{i}:\n    successors: %bb.{}\n    S_BRANCH %bb.{}\n", i + 1, i + 1);
            function("", &(lines(n, block) + &format!("  bb.{n}:\n    S_ENDPGM 0\n")))
        },
    },
    Family {
        name: "blocks with many successors",
        text: |n| {
            let side = (n as f64).sqrt() as usize + 2;
            let all: Vec<String> = (1..side).map(|i| format!("%bb.{i}")).collect();
            let block =
                |i: usize| format!("  bb.{i}:\n    successors: {}\n    S_BRANCH %bb.1\n", all.join(", "));
            function("", &lines(side, block))
        },
    },
    Family {
        name: "live values across blocks",
        text: |n| {
            let side = (n as f64).sqrt() as usize + 2;
            let define = lines(side, |i| format!("    %{i}:_(s32) = G_CONSTANT i32 {i}\n"));
            let block = |i: usize| {
                format!("  bb.{}:\n    successors: %bb.{}\n    S_BRANCH %bb.{}\n", i + 1, i + 2, i + 2)
            };
            let uses = lines(side, |i| format!("    $vgpr0 = COPY %{i}\n"));
            let first = format!("  bb.0:\n    successors: %bb.1\n{define}    S_BRANCH %bb.1\n");
            function(
                "",
                &(first + &lines(side, block) + &format!("  bb.{}:\n{uses}    S_ENDPGM 0\n", side + 1)),
            )
        },
    },
    Family {
        name: "functions",
        text: |n| lines(n, |i| format!("---\nname: f{i}\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n")),
    },
    Family {
        name: "functions of one name",
        text: |n| lines(n, |_| "---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n".to_owned()),
    },
    Family {
        name: "stack objects",
        text: |n| {
            let objects = lines(n, |i| format!("  - {{ id: {i}, size: 4, alignment: 4 }}\n"));
            function(&format!("stack:\n{objects}"), "  bb.0:\n    S_ENDPGM 0\n")
        },
    },
    Family {
        name: "constants",
        text: |n| {
            let constants = lines(n, |i| format!("  - {{ id: {i}, value: 'i32 {i}', alignment: 4 }}\n"));
            function(&format!("constants:\n{constants}"), "  bb.0:\n    S_ENDPGM 0\n")
        },
    },
    Family {
        name: "listed registers",
        text: |n| {
            let registers = lines(n, |i| format!("  - {{ id: {i}, class: vgpr_32 }}\n"));
            function(&format!("registers:\n{registers}"), "  bb.0:\n    S_ENDPGM 0\n")
        },
    },
    Family {
        name: "live-ins of a function",
        text: |n| {
            let registers = lines(n, |i| format!("  - {{ reg: '$vgpr{}', virtual-reg: '%{i}' }}\n", i % 256));
            function(&format!("liveins:\n{registers}"), "  bb.0:\n    S_ENDPGM 0\n")
        },
    },
    Family {
        name: "memory operands",
        text: |n| {
            let operands: Vec<String> = (0..n).map(|i| format!("(load (s32) from %ir.p{i})")).collect();
            body(&format!("    %0:_(s32) = G_LOAD %1 :: {}\n", operands.join(", ")))
        },
    },
    Family {
        name: "operands of an instruction",
        text: |n| {
            let operands: Vec<String> = (0..n).map(|i| format!("implicit $vgpr{}", i % 256)).collect();
            body(&format!("    S_NOP 0, {}\n", operands.join(", ")))
        },
    },
    Family {
        name: "names of IR that is missing",
        text: |n| {
            "--- |\n  define void @f(ptr %p) {\n    ret void\n  }\n...\n".to_owned()
                + &body(&lines(n, |i| format!("    %{i}:_(s32) = G_LOAD %0 :: (load (s32) from %ir.v{i})\n")))
        },
    },
    Family {
        name: "phis",
        text: |n| {
            let phis =
                lines(n, |i| format!("    %{}:_(s32) = G_PHI %{}, %bb.0, %{}, %bb.1\n", i + 1, i + 2, i + 3));
            function(
                "",
                &format!(
                    "  bb.0:\n    successors: %bb.1\n    S_BRANCH %bb.1\n  bb.1:\n    successors: %bb.1\n{phis}    S_BRANCH %bb.1\n"
                ),
            )
        },
    },
    Family {
        name: "phis without most predecessors",
        text: |n| {
            let branch = |i| {
                format!(
                    "  bb.{}:\n    successors: %bb.{}, %bb.{}\n    S_CBRANCH_SCC0 %bb.{}, implicit undef $scc\n",
                    i + 1,
                    i + 2,
                    n + 2,
                    n + 2
                )
            };
            let phis = lines(n, |i| format!("    %{}:vgpr_32 = PHI %0, %bb.1\n", i + 1));
            let blocks = lines(n, branch);
            function(
                "",
                &format!(
                    "  bb.0:\n    %0:vgpr_32 = IMPLICIT_DEF\n{blocks}  bb.{}:\n    S_ENDPGM 0\n  bb.{}:\n{phis}    S_ENDPGM 0\n",
                    n + 1,
                    n + 2
                ),
            )
        },
    },
    Family {
        name: "diamonds",
        text: |n| {
            let diamond = |i: usize| {
                let b = 3 * i;
                format!(
                    "  bb.{b}:\n    successors: %bb.{}, %bb.{}\n    S_CBRANCH_SCC1 %bb.{}, implicit undef $scc\n    S_BRANCH %bb.{}\n  \
                     bb.{}:\n    successors: %bb.{}\n    S_BRANCH %bb.{}\n  bb.{}:\n    successors: %bb.{}\n    S_BRANCH %bb.{}\n",
                    b + 1,
                    b + 2,
                    b + 2,
                    b + 1,
                    b + 1,
                    b + 3,
                    b + 3,
                    b + 2,
                    b + 3,
                    b + 3
                )
            };
            function("", &(lines(n, diamond) + &format!("  bb.{}:\n    S_ENDPGM 0\n", 3 * n)))
        },
    },
    Family {
        name: "nested parentheses",
        text: |n| body(&format!("    S_NOP {}\n", nested(n, "(", "0", ")"))),
    },
    Family { name: "nested YAML", text: |n| function(&format!("stack: {}\n", nested(n, "[", "", "]")), "") },
    Family { name: "open documents", text: |n| "---\nname: f\nbody: |\n  bb.0:\n".repeat(n) },
    Family { name: "junk", text: |n| body(&lines(n, |i| format!("    ) {i} :: %$@ = , (\n"))) },
];
