#![no_main]
//! Any bytes as a SPIR-V binary: refused with a message, or shown as text that assembles back to the same instructions.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| wavelens_tests::fuzzing::spirv_binary(data));
