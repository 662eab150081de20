//! What functions take that are not kernels: LLVM states it below each function's code.

use serde::Serialize;
use wavelens_codegen::KernelResources;

/// Absent is what is only known once all files are linked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(super) struct FunctionResources {
    pub(super) name: String,
    vgprs: Option<u32>,
    agprs: Option<u32>,
    sgprs: Option<u32>,
    /// Bytes per lane.
    scratch: Option<u32>,
    /// Bytes.
    code_size: Option<u32>,
}

/// The resources of the functions in a text of `llc`, without those of the kernels.
pub(super) fn functions(isa: &str, kernels: &[KernelResources]) -> Vec<FunctionResources> {
    let mut found: Vec<FunctionResources> = Vec::new();
    for line in isa.lines().map(str::trim) {
        if let Some((name, _)) = line.strip_prefix(".set ").and_then(|l| l.split_once(".num_vgpr,")) {
            found.push(FunctionResources { name: name.to_owned(), ..FunctionResources::default() });
            continue;
        }
        let value = line.strip_prefix("; ").and_then(|l| l.split_once([':', '=']));
        let (Some(function), Some((key, value))) = (found.last_mut(), value) else { continue };
        let value = value.trim().parse().ok();
        match key.trim() {
            "codeLenInByte" => function.code_size = value,
            "NumVgprs" => function.vgprs = value,
            "NumAgprs" => function.agprs = value,
            "TotalNumSgprs" => function.sgprs = value,
            "ScratchSize" => function.scratch = value,
            _ => {}
        }
    }
    // `amdgpu.max_num_vgpr` and the like have no code.
    found.retain(|f| f.code_size.is_some() && !kernels.iter().any(|k| k.name == f.name));
    found
}

/// One row for each; nothing without functions.
pub(super) fn table(functions: &[FunctionResources]) -> String {
    let Some(width) = functions.iter().map(|f| f.name.len()).max() else { return String::new() };
    let width = width.max("function".len());
    let mut out = format!(
        "\n{:<width$}  {:>5} {:>5} {:>5} {:>7} {:>6}\n",
        "function", "VGPR", "AGPR", "SGPR", "scratch", "bytes"
    );
    let number = |n: Option<u32>| n.map_or("-".to_owned(), |n| n.to_string());
    for f in functions {
        out.push_str(&format!(
            "{:<width$}  {:>5} {:>5} {:>5} {:>7} {:>6}\n",
            f.name,
            number(f.vgprs),
            number(f.agprs),
            number(f.sgprs),
            number(f.scratch),
            number(f.code_size)
        ));
    }
    out
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn functions_are_those_without_a_kernel() {
        let isa = "\t.set helper.num_vgpr, 3\n\t.set helper.num_agpr, 0\n; Function info:\n; codeLenInByte = 28\n\
                   ; TotalNumSgprs: 34\n; NumVgprs: 3\n; ScratchSize: 16\n\t.set k.num_vgpr, max(32, helper.num_vgpr)\n\
                   ; Kernel info:\n; codeLenInByte = 112\n\t.set amdgpu.max_num_vgpr, 3\n";
        let kernel = KernelResources { name: "k".to_owned(), ..KernelResources::default() };
        expect![[r#"

            function   VGPR  AGPR  SGPR scratch  bytes
            helper        3     -    34      16     28
        "#]]
        .assert_eq(&table(&functions(isa, &[kernel])));
        assert_eq!(table(&[]), "");
    }
}
