//! What `llvm-mca` of LLVM says of an instruction depends on its opcode alone: that is why each is asked about once.
//!
//! Every run looks at a part of the rows of the instruction table, as `isa_samples` does.

use std::collections::HashMap;

use wavelens_base::Options;
use wavelens_codegen::mc::KnownCosts;
use wavelens_codegen::{Cancel, Cost, Limits, Report, Tool, Tools};
use wavelens_ide::codegen::{Detail, complete};
use wavelens_isa::Target;
use wavelens_tests::{isa, required};

/// Lines that are asked about at once: where `llvm-mca` refuses one or crashes, nothing is known of the others.
const TOGETHER: usize = 40;

/// The costs of lines by opcode, each chunk asked about anew.
fn costs(target: &str, lines: &[&str], llvm_mca: &Tool) -> Vec<HashMap<u16, Cost>> {
    let options = Options { target: Some(target.to_owned()), ..Options::default() };
    let of = |chunk: &[&str]| {
        let isa = chunk.iter().flat_map(|line| [line, "\n"]).collect();
        let mut report = Report { isa, target: target.to_owned(), ..Report::default() };
        complete(&mut report, &options, Detail::Costs);
        let _ =
            KnownCosts::default().add(&mut report, llvm_mca, None, &Limits::default(), &Cancel::default());
        report.lines.iter().filter_map(|l| Some((l.opcode?, l.cost?))).collect()
    };
    lines.chunks(TOGETHER).map(of).collect()
}

#[test]
fn an_opcode_costs_the_same_whatever_its_operands() {
    let Some(llvm_mca) = required::some(Tools::find(None).llvm_mca().cloned(), "llvm-mca") else { return };
    let mut compared = 0;
    for name in isa::chosen() {
        let target = Target::named(name).expect("a processor");
        let mut samples = isa::samples(target, isa::part());
        let encoded = isa::ours(name, &samples);
        let mut encoded = encoded.iter().map(|verdict| verdict.bytes().is_some());
        samples.retain(|_| encoded.next() == Some(true));
        // Entries of the same opcode are adjacent.
        let halves = [0, 1].map(|half| {
            let lines: Vec<&str> = samples.iter().skip(half).step_by(2).map(String::as_str).collect();
            costs(name, &lines, &llvm_mca).into_iter().flatten().collect::<HashMap<_, _>>()
        });
        for (opcode, cost) in &halves[0] {
            if let Some(other) = halves[1].get(opcode) {
                compared += 1;
                assert_eq!(cost, other, "{name}: opcode {opcode}");
            }
        }
    }
    println!("{compared} opcodes cost the same in two places");
    assert!(compared > 0);
}
