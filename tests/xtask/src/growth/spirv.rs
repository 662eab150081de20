//! SPIR-V assembly.

use super::{Family, lines};

const HEAD: &str = "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n";
const TYPES: &str = "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%int = OpTypeInt 32 0\n%bool = OpTypeBool\n\
                     %one = OpConstant %int 1\n%true = OpConstantTrue %bool\n";

/// A module with some instructions before the types, some after them, and the body of one function.
fn module(before: &str, types: &str, body: &str) -> String {
    let function = match body {
        "" => String::new(),
        _ => format!("%f = OpFunction %void None %fn\n%entry = OpLabel\n{body}OpFunctionEnd\n"),
    };
    format!("{HEAD}{before}{TYPES}{types}{function}")
}

/// A function without parameters and with one block.
fn function(name: &str, body: &str) -> String {
    format!("%{name} = OpFunction %void None %fn\n%{name}_l = OpLabel\n{body}OpReturn\nOpFunctionEnd\n")
}

pub(super) static FAMILIES: &[Family] = &[
    Family {
        name: "undefined ids",
        text: |n| {
            module("", "", &(lines(n, |i| format!("%r{i} = OpIAdd %int %u{i} %w{i}\n")) + "OpReturn\n"))
        },
    },
    Family {
        name: "redefinitions of an id",
        text: |n| module("", &lines(n, |_| "%t = OpTypeFloat 32\n".to_owned()), ""),
    },
    Family {
        name: "equal types",
        text: |n| module("", &lines(n, |i| format!("%t{i} = OpTypeFloat 32\n")), ""),
    },
    Family {
        name: "struct types in struct types",
        text: |n| {
            module(
                "",
                &("%s0 = OpTypeStruct %int\n".to_owned()
                    + &lines(n, |i| format!("%s{} = OpTypeStruct %int %s{i}\n", i + 1))),
                "",
            )
        },
    },
    Family {
        name: "struct types that hold the last twice",
        text: |n| {
            let types = lines(n, |i| format!("%s{} = OpTypeStruct %s{i} %s{i}\n", i + 1));
            module("", &format!("%s0 = OpTypeStruct %int\n{types}%null = OpConstantNull %s{n}\n"), "")
        },
    },
    Family {
        name: "members of a struct",
        text: |n| {
            let decorations = lines(n, |i| format!("OpMemberDecorate %s {i} Offset {}\n", 4 * i));
            let decorations = format!("OpDecorate %s Block\n{decorations}");
            let rest = "%p = OpTypePointer Uniform %s\n%v = OpVariable %p Uniform\n";
            module(&decorations, &format!("%s = OpTypeStruct{}\n{rest}", " %int".repeat(n)), "")
        },
    },
    Family {
        name: "decorations of an id",
        text: |n| {
            module(
                &lines(n, |i| format!("OpDecorate %g Location {i}\n")),
                "%p = OpTypePointer Private %int\n%g = OpVariable %p Private\n",
                "",
            )
        },
    },
    Family {
        name: "targets of a decoration group",
        text: |n| {
            let all: Vec<String> = (0..n).map(|i| format!("%g{i}")).collect();
            let group = format!(
                "OpDecorate %group RelaxedPrecision\n%group = OpDecorationGroup\nOpGroupDecorate %group {}\n",
                all.join(" ")
            );
            let variables = lines(n, |i| format!("%g{i} = OpVariable %p Private\n"));
            module(&group, &format!("%p = OpTypePointer Private %int\n{variables}"), "")
        },
    },
    Family {
        name: "composite constants in constants",
        text: |n| {
            let constants = lines(n, |i| {
                format!(
                    "%s{} = OpTypeStruct %s{i}\n%c{} = OpConstantComposite %s{} %c{i}\n",
                    i + 1,
                    i + 1,
                    i + 1
                )
            });
            module(
                "",
                &format!("%s0 = OpTypeStruct %int\n%c0 = OpConstantComposite %s0 %one\n{constants}"),
                "",
            )
        },
    },
    Family {
        name: "chain of specialization constants",
        text: |n| {
            let constants = lines(n, |i| format!("%c{} = OpSpecConstantOp %int IAdd %c{i} %one\n", i + 1));
            module("", &format!("%c0 = OpSpecConstant %int 1\n{constants}"), "")
        },
    },
    Family {
        name: "constituents of a constant",
        text: |n| {
            let array = format!("%n = OpConstant %int {n}\n%a = OpTypeArray %int %n\n");
            module("", &format!("{array}%c = OpConstantComposite %a{}\n", " %one".repeat(n)), "")
        },
    },
    Family {
        name: "blocks in a row",
        text: |n| {
            let block = |i: usize| format!("OpBranch %b{i}\n%b{i} = OpLabel\n");
            module("", "", &(lines(n, block) + "OpReturn\n"))
        },
    },
    Family {
        name: "selections in selections",
        text: |n| {
            let open = |i: usize| {
                format!(
                    "OpSelectionMerge %m{i} None\nOpBranchConditional %true %b{i} %m{i}\n%b{i} = OpLabel\n"
                )
            };
            let close = |i: usize| format!("OpBranch %m{i}\n%m{i} = OpLabel\n", i = n - 1 - i);
            module("", "", &(lines(n, open) + &lines(n, close) + "OpReturn\n"))
        },
    },
    Family {
        name: "loops in loops",
        text: |n| {
            let open = |i: usize| {
                format!(
                    "OpBranch %h{i}\n%h{i} = OpLabel\nOpLoopMerge %m{i} %k{i} None\nOpBranchConditional %true %b{i} %m{i}\n%b{i} = OpLabel\n"
                )
            };
            let close = |i: usize| {
                format!("OpBranch %k{i}\n%k{i} = OpLabel\nOpBranch %h{i}\n%m{i} = OpLabel\n", i = n - 1 - i)
            };
            module("", "", &(lines(n, open) + &lines(n, close) + "OpReturn\n"))
        },
    },
    Family {
        name: "cases of a switch",
        text: |n| {
            let targets: String = (0..n).map(|i| format!(" {i} %b{i}")).collect();
            let blocks = lines(n, |i| format!("%b{i} = OpLabel\nOpBranch %m\n"));
            module(
                "",
                "",
                &format!(
                    "OpSelectionMerge %m None\nOpSwitch %one %m{targets}\n{blocks}%m = OpLabel\nOpReturn\n"
                ),
            )
        },
    },
    Family {
        name: "phis",
        text: |n| {
            let phis = lines(n, |i| format!("%p{i} = OpPhi %int %one %entry %p{} %h\n", (i + 1) % n));
            module(
                "",
                "",
                &format!(
                    "OpBranch %h\n%h = OpLabel\n{phis}OpLoopMerge %m %h None\nOpBranchConditional %true %h %m\n%m = OpLabel\nOpReturn\n"
                ),
            )
        },
    },
    Family {
        name: "chain of calls",
        text: |n| {
            let function = |i: usize| {
                format!(
                    "%f{i} = OpFunction %void None %fn\n%l{i} = OpLabel\n%c{i} = OpFunctionCall %void %f{}\nOpReturn\nOpFunctionEnd\n",
                    i + 1
                )
            };
            let last =
                format!("%f{n} = OpFunction %void None %fn\n%l{n} = OpLabel\nOpReturn\nOpFunctionEnd\n");
            module("OpEntryPoint GLCompute %f0 \"main\"\nOpExecutionMode %f0 LocalSize 1 1 1\n", "", "")
                + &lines(n, function)
                + &last
        },
    },
    Family {
        name: "entry points",
        text: |n| {
            let entries = lines(n, |i| format!("OpEntryPoint GLCompute %f \"main{i}\" %g\n"));
            let modes = "OpExecutionMode %f LocalSize 1 1 1\n";
            module(
                &(entries + modes),
                "%p = OpTypePointer Private %int\n%g = OpVariable %p Private\n",
                "OpReturn\n",
            )
        },
    },
    Family {
        name: "entry points with common functions",
        text: |n| {
            let entries = lines(n, |i| format!("OpEntryPoint GLCompute %e{i} \"main{i}\" %g\n"));
            let modes = lines(n, |i| format!("OpExecutionMode %e{i} LocalSize 1 1 1\n"));
            let functions = lines(n, |i| {
                let call = |name: String| {
                    function(&name, &format!("%{name}_c = OpFunctionCall %void %h{}\n", i + 1))
                };
                call(format!("e{i}")) + &call(format!("h{i}"))
            });
            let last = function(&format!("h{n}"), "%x = OpLoad %int %g\n");
            let variable = "%p = OpTypePointer Private %int\n%g = OpVariable %p Private\n";
            module(&(entries + &modes), &format!("{variable}{functions}{last}"), "")
        },
    },
    Family {
        name: "decorations of a group and its targets",
        text: |n| {
            let decorations = lines(n, |i| format!("OpDecorate %g Binding {i}\n"));
            let targets: String = (0..n).map(|i| format!(" %v{i}")).collect();
            let variables = lines(n, |i| format!("%v{i} = OpVariable %p Private\n"));
            let group = format!("{decorations}%g = OpDecorationGroup\nOpGroupDecorate %g{targets}\n");
            module(&group, &format!("%p = OpTypePointer Private %int\n{variables}"), "")
        },
    },
    Family {
        name: "variables of a wide block",
        text: |n| {
            let offsets = lines(n.min(16_000), |i| format!("OpMemberDecorate %S {i} Offset {}\n", i * 4));
            let members = " %int".repeat(n.min(16_000));
            let variables = lines(n, |i| format!("%v{i} = OpVariable %p Uniform\n"));
            let types = format!("%S = OpTypeStruct{members}\n%p = OpTypePointer Uniform %S\n{variables}");
            format!(
                "; target-env: vulkan1.3\n{}",
                module(&format!("OpDecorate %S Block\n{offsets}"), &types, "")
            )
        },
    },
    Family {
        name: "blocks that share a wide structure",
        text: |n| {
            let offsets = lines(n, |i| format!("OpMemberDecorate %wide {i} Offset {}\n", 4 * i));
            let blocks = lines(n, |i| format!("OpDecorate %t{i} Block\nOpMemberDecorate %t{i} 0 Offset 0\n"));
            let wide = format!("%wide = OpTypeStruct{}\n", " %int".repeat(n));
            let variables = lines(n, |i| {
                format!(
                    "%t{i} = OpTypeStruct %wide\n%p{i} = OpTypePointer Uniform %t{i}\n%v{i} = OpVariable %p{i} Uniform\n"
                )
            });
            "; target-env: vulkan1.3\n".to_owned() + &module(&(offsets + &blocks), &(wide + &variables), "")
        },
    },
    Family {
        name: "wrong operands from everywhere",
        text: |n| {
            let constants = lines(n, |i| format!("%k{i} = OpConstant %float {i}\n"));
            let sums = lines(n, |i| format!("%x{i} = OpIAdd %int %k{} %one\n", i * 7919 % n));
            module("", &format!("%float = OpTypeFloat 32\n{constants}"), &(sums + "OpReturn\n"))
        },
    },
    Family {
        name: "accesses through untyped pointers to a wide structure",
        text: |n| {
            let offsets = lines(n.min(16_000), |i| format!("OpMemberDecorate %S {i} Offset {}\n", i * 4));
            let members = " %int".repeat(n.min(16_000));
            let types = format!(
                "%S = OpTypeStruct{members}\n%p = OpTypeUntypedPointerKHR StorageBuffer\n%v = OpUntypedVariableKHR %p StorageBuffer %S\n"
            );
            let accesses = lines(n, |i| format!("%x{i} = OpUntypedAccessChainKHR %p %S %v\n"));
            let head = "; target-env: vulkan1.4\nOpCapability UntypedPointersKHR\nOpExtension \"SPV_KHR_untyped_pointers\"\n";
            head.to_owned()
                + &module(&format!("OpDecorate %S Block\n{offsets}"), &types, &(accesses + "OpReturn\n"))
        },
    },
    Family {
        name: "matrices of the workgroups of many entry points",
        text: |n| {
            let entries = lines(n, |i| format!("OpEntryPoint GLCompute %f \"e{i}\"\n"));
            let modes = "OpExecutionMode %f LocalSize 1 1 1\n";
            let two = "%two = OpConstant %int 2\n%use = OpConstant %int 0\n";
            let matrices = lines(n, |i| {
                format!(
                    "%k{i} = OpConstant %int {}\n%m{i} = OpTypeCooperativeMatrixKHR %int %two %k{i} %k{i} %use\n",
                    i + 5
                )
            });
            let head = "OpCapability CooperativeMatrixKHR\nOpExtension \"SPV_KHR_cooperative_matrix\"\n";
            head.to_owned() + &module(&(entries + modes), &(two.to_owned() + &matrices), "OpReturn\n")
        },
    },
    Family {
        name: "modes of a function of many entry points",
        text: |n| {
            let entries = lines(n, |i| format!("OpEntryPoint GLCompute %f \"e{i}\"\n"));
            let modes = "OpExecutionMode %f LocalSize 1 1 1\n".repeat(n);
            module(&(entries + &modes), "", "OpReturn\n")
        },
    },
    Family {
        name: "built-ins that all entry points use",
        text: |n| {
            let entries = lines(n, |i| format!("OpEntryPoint Vertex %e{i} \"main{i}\"\n"));
            let built_ins = lines(n, |i| format!("OpDecorate %g{i} BuiltIn Position\n"));
            let variables = lines(n, |i| format!("%g{i} = OpVariable %p Output\n"));
            let loads = lines(n, |i| format!("%x{i} = OpLoad %v4 %g{i}\n"));
            let call = |i| function(&format!("e{i}"), &format!("%c{i} = OpFunctionCall %void %all\n"));
            let functions = lines(n, call) + &function("all", &loads);
            let types =
                "%float = OpTypeFloat 32\n%v4 = OpTypeVector %float 4\n%p = OpTypePointer Output %v4\n";
            let text = module(&(entries + &built_ins), &format!("{types}{variables}{functions}"), "");
            format!("; target-env: vulkan1.3\n{text}")
        },
    },
    Family {
        name: "interface of an entry point",
        text: |n| {
            let all: String = (0..n).map(|i| format!(" %g{i}")).collect();
            let locations = lines(n, |i| format!("OpDecorate %g{i} Location {i}\n"));
            let variables = lines(n, |i| format!("%g{i} = OpVariable %p Output\n"));
            module(
                &format!("OpEntryPoint Vertex %f \"main\"{all}\n{locations}"),
                &format!("%p = OpTypePointer Output %int\n{variables}"),
                "OpReturn\n",
            )
        },
    },
    Family {
        name: "names",
        text: |n| module(&lines(n, |i| format!("OpName %undefined{i} \"n{i}\"\n")), "", ""),
    },
    Family {
        name: "a long string",
        text: |n| format!("{HEAD}OpSource GLSL 450 %s \"{}\"\n", "x\\\"".repeat(n * 4)),
    },
    Family { name: "junk", text: |n| lines(n, |i| format!("%{i} = = Op{i} \" | !\n")) },
];
