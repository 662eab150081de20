//! Code actions at random places of the examples and of the examples of all rules.

use std::collections::BTreeSet;

use wavelens_base::Dialect;
use wavelens_check::dialect;
use wavelens_tests::edits::{place, try_actions};
use wavelens_tests::examples;
use wavelens_tests::random::Random;

/// Places with at least one action.
const PLACES: usize = 200;

fn check(dialect: Dialect) {
    let mut texts = examples(dialect);
    for rule in dialect::rules(dialect) {
        texts.extend([rule.example.to_owned(), rule.fixed.to_owned()]);
    }
    let mut random = Random::new(21);
    let (mut places, mut problems) = (0, BTreeSet::new());
    for _ in 0..PLACES * 50 {
        if places == PLACES {
            break;
        }
        let text = &texts[random.below(texts.len())];
        let tried = try_actions(dialect, text, place(dialect, text, &mut random));
        places += usize::from(tried.actions > 0);
        for problem in tried.problems {
            problems.insert(format!(
                "line {}: {}: {}\n{}",
                problem.line, problem.title, problem.error, problem.text
            ));
        }
    }
    let shown: Vec<String> = problems.iter().take(8).cloned().collect();
    assert_eq!(places, PLACES);
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), shown.join("\n"));
}

#[test]
fn actions_in_llvm_ir_leave_no_new_error() {
    check(Dialect::Llvm);
}

#[test]
fn actions_in_machine_ir_leave_no_new_error() {
    check(Dialect::Mir);
}

#[test]
fn actions_in_spirv_leave_no_new_error() {
    check(Dialect::Spirv);
}

#[test]
fn actions_in_assembly_leave_no_new_error() {
    check(Dialect::Amdgpu);
}
