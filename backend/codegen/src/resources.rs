//! What kernels take, from the compiler's resource remarks and the comments in its assembly.

use crate::report::KernelResources;

/// Reads the `kernel-resource-usage` remarks of standard error.
pub fn from_remarks(stderr: &str) -> Vec<KernelResources> {
    let mut kernels: Vec<KernelResources> = Vec::new();
    for line in stderr.lines() {
        let Some((_, remark)) = line.split_once("remark: ") else { continue };
        // `file:line:column: Key: value [-Rpass-analysis=...]`
        let Some((key, value)) = key_and_value(remark) else { continue };
        if key == "Function Name" {
            kernels.push(KernelResources { name: value.to_owned(), ..KernelResources::default() });
            continue;
        }
        let (Some(kernel), Ok(number)) = (kernels.last_mut(), value.parse::<u32>()) else { continue };
        match key {
            "VGPRs" => kernel.vgprs = number,
            "AGPRs" => kernel.agprs = number,
            "SGPRs" | "TotalSGPRs" => kernel.sgprs = number,
            "VGPRs Spill" => kernel.vgpr_spills = number,
            "SGPRs Spill" => kernel.sgpr_spills = number,
            "ScratchSize [bytes/lane]" => kernel.scratch = number,
            "LDS Size [bytes/block]" => kernel.lds = number,
            "Occupancy [waves/SIMD]" => kernel.occupancy = number,
            _ => {}
        }
    }
    kernels
}

fn key_and_value(remark: &str) -> Option<(&str, &str)> {
    let remark = remark.split(" [-Rpass").next()?;
    let (rest, value) = remark.rsplit_once(": ")?;
    // The text before the key ends with the column's colon and white space.
    let key = rest.rsplit_once(": ").map_or(rest, |(_, key)| key);
    Some((key.trim(), value.trim()))
}

/// Adds code sizes, which only the assembly's comments carry: `; codeLenInByte = 152` after each function.
pub fn add_code_sizes(kernels: &mut [KernelResources], assembly: &str) {
    let mut name = "";
    for line in assembly.lines() {
        if let Some((_, rest)) = line.split_once("; -- Begin function ") {
            name = rest.trim();
        }
        let Some((_, size)) = line.split_once("codeLenInByte = ") else { continue };
        let size = size.trim().parse::<u32>();
        if let (Some(kernel), Ok(size)) = (kernels.iter_mut().find(|k| k.name == name), size) {
            kernel.code_size = size;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_are_read() {
        let text = "remark: <unknown>:0:0: Function Name: saxpy\nremark: <unknown>:0:0:     TotalSGPRs: 16\n\
                    remark: <unknown>:0:0:     VGPRs: 4\nremark: <unknown>:0:0:     Occupancy [waves/SIMD]: 16\n\
                    remark: x.c:3:0:     LDS Size [bytes/block]: 1024 [-Rpass-analysis=kernel-resource-usage]\n";
        let mut kernels = from_remarks(text);
        add_code_sizes(&mut kernels, "\t.globl saxpy ; -- Begin function saxpy\n; codeLenInByte = 152\n");
        let k = &kernels[0];
        assert_eq!(
            (k.name.as_str(), k.sgprs, k.vgprs, k.occupancy, k.lds, k.code_size),
            ("saxpy", 16, 4, 16, 1024, 152)
        );
    }
}
