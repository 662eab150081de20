//! The text of decoded instructions: what `llvm-mc -disassemble` of LLVM 22 prints for the same bytes.
//!
//! Every run looks at the bytes of a part of the rows, chosen as in `isa_samples`. The example `disassembly` does the same for the tests
//! of LLVM's own disassembler.

use wavelens_isa::Target;
use wavelens_tests::isa::{self, ours, part, samples, unhex};
use wavelens_tests::isa_text::{Wrong, compare, is_one_in_two_thousand};
use wavelens_tests::required;

#[test]
fn samples_print_as_the_reference_prints_them() {
    let (mut wrong, mut total) = (Wrong::new(), 0);
    for name in isa::chosen() {
        let target = Target::named(name).expect("a processor");
        let lines = samples(target, part());
        let instructions: Vec<Vec<u8>> =
            ours(name, &lines).iter().filter_map(|a| a.bytes()).map(unhex).collect();
        let Some((n, _)) = compare(name, &instructions, &mut wrong) else {
            required::skip("llvm-mc-22 is not installed");
            return;
        };
        total += n;
    }
    is_one_in_two_thousand(&wrong, total);
}
