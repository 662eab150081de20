#![no_main]
//! The RUN lines of any text: what lit would run, and what they say of the configuration.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| wavelens_tests::fuzzing::run_lines(data));
