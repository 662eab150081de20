//! Inputs that once made a fuzz target fail (`tests/data/fuzz`), tried on every target.

use wavelens_tests::fuzzing::{self, Input};

#[test]
fn inputs_that_once_failed() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("data/fuzz");
    let files: Vec<_> = std::fs::read_dir(folder).expect("tests/data/fuzz").filter_map(Result::ok).collect();
    assert!(!files.is_empty());
    for file in files {
        let data = std::fs::read(file.path()).expect("a readable file");
        for target in [Input::check, Input::answers, Input::edits] {
            target(Input::read(&data).unwrap_or_else(|| panic!("{:?} is too short", file.file_name())));
        }
        fuzzing::spirv_binary(&data);
    }
}
