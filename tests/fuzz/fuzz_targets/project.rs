#![no_main]
//! Any text as a project file.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| wavelens_tests::fuzzing::project(data));
