//! Tests as lit and FileCheck read them: RUN lines, substitutions, features, CHECK lines, sections.
//!
//! Plain text in, plain values out: nothing here runs a program or knows a dialect.

pub mod arguments;
pub mod checks;
pub mod directives;
mod features;
pub mod known;
pub mod names;
pub mod outcome;
pub mod rules;
pub mod sections;
pub mod sed;
pub mod shell;
mod substitutions;

use smol_str::SmolStr;

use self::directives::{Directive, Keyword, directives};
use self::features::is_met;
use self::shell::Script;
use self::substitutions::Definitions;
use crate::TextRange;

/// A test with what lit runs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Test {
    /// RUN lines, in the order of the text.
    pub runs: Vec<Run>,
    /// Why the test is not run here: a line, and what it asks for.
    pub unsupported: Option<(TextRange, String)>,
    /// The test is expected to fail.
    pub fails: bool,
    /// Lines that cannot be understood.
    pub problems: Vec<(TextRange, String)>,
}

/// A RUN line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// Counted from 1.
    pub number: u32,
    /// From the first line to the end of the last continued one.
    pub range: TextRange,
    /// With `%{name}` replaced; `%s` and `%t` are not.
    pub text: SmolStr,
    /// The parsed command.
    pub script: Script,
}

impl Test {
    /// Reads a test. `features` are what `REQUIRES:` and its like can ask for.
    pub fn read(text: &str, features: &[&str]) -> Test {
        let mut test = Test::default();
        let mut definitions = Definitions::default();
        let mut number = 0;
        for directive in directives(text) {
            let met = |condition: &str| is_met(condition, features);
            match directive.keyword {
                Keyword::Run => {
                    number += 1;
                    test.add_run(number, &directive, &definitions, features);
                }
                Keyword::Define | Keyword::Redefine => {
                    if let Err(problem) = definitions.define(&directive.text) {
                        test.problems.push((directive.range, problem));
                    }
                }
                // All conditions of the list hold.
                Keyword::Requires => {
                    for condition in conditions(&directive) {
                        match met(condition) {
                            Ok(true) => {}
                            Ok(false) => test.not_here(&directive, format!("it requires `{condition}`")),
                            Err(problem) => test.problems.push((directive.range, problem)),
                        }
                    }
                }
                // One of them is enough.
                Keyword::Unsupported | Keyword::XFail => {
                    for condition in conditions(&directive) {
                        match met(condition) {
                            Ok(true) if directive.keyword == Keyword::XFail => test.fails = true,
                            Ok(true) => {
                                test.not_here(&directive, format!("it does not support `{condition}`"))
                            }
                            Ok(false) => {}
                            Err(problem) => test.problems.push((directive.range, problem)),
                        }
                    }
                }
                Keyword::AllowRetries | Keyword::End => {}
            }
        }
        test
    }

    fn add_run(&mut self, number: u32, directive: &Directive, definitions: &Definitions, features: &[&str]) {
        let range = directive.range;
        match definitions.expand(&directive.text, directive.line, features) {
            Ok(text) => {
                let script = shell::parse(&text);
                self.problems.extend(script.problem.map(|problem| (range, problem.to_owned())));
                self.runs.push(Run { number, range, text: text.into(), script });
            }
            Err(problem) => self.problems.push((range, problem)),
        }
    }

    fn not_here(&mut self, directive: &Directive, why: String) {
        self.unsupported.get_or_insert((directive.range, why));
    }
}

/// All RUN lines among the directives of a text, whatever features the test asks for. What cannot be expanded stays as it is written.
pub fn runs(directives: &[Directive]) -> Vec<Run> {
    let mut definitions = Definitions::default();
    let mut found = Vec::new();
    let mut number = 0;
    for directive in directives {
        match directive.keyword {
            Keyword::Run => {
                number += 1;
                let expanded = definitions.expand(&directive.text, directive.line, &[]);
                let text = expanded.unwrap_or_else(|_| directive.text.to_string());
                let script = shell::parse(&text);
                found.push(Run { number, range: directive.range, text: text.into(), script });
            }
            // One that is wrong defines nothing.
            Keyword::Define | Keyword::Redefine => drop(definitions.define(&directive.text)),
            _ => {}
        }
    }
    found
}

fn conditions(directive: &Directive) -> impl Iterator<Item = &str> {
    directive.text.split(',').map(str::trim).filter(|condition| !condition.is_empty())
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(text: &str, expected: Expect) {
        let test = Test::read(text, &["asserts", "amdgpu-registered-target"]);
        let mut shown = String::new();
        test.runs.iter().for_each(|run| shown.push_str(&format!("{}: {}\n", run.number, run.text)));
        test.unsupported.iter().for_each(|(_, why)| shown.push_str(&format!("not here: {why}\n")));
        test.problems.iter().for_each(|(_, problem)| shown.push_str(&format!("problem: {problem}\n")));
        shown.push_str(if test.fails { "expected to fail\n" } else { "" });
        expected.assert_eq(&shown);
    }

    #[test]
    fn definitions_are_replaced_where_they_are_used() {
        check(
            "; DEFINE: %{cpu} = gfx900\n; DEFINE: %{run} = llc -mcpu=%{cpu} %s | FileCheck --check-prefix=%{check} %s\n\
             ; DEFINE: %{check} = A\n; RUN: %{run}\n; REDEFINE: %{check} = B\n; REDEFINE: %{cpu} = gfx1030\n; RUN: %{run} %(line)\n",
            expect![[r#"
                1: llc -mcpu=gfx900 %s | FileCheck --check-prefix=A %s
                2: llc -mcpu=gfx1030 %s | FileCheck --check-prefix=B %s 7
            "#]],
        );
    }

    #[test]
    fn definitions_that_do_not_end_are_reported() {
        check(
            "; DEFINE: %{a} = %{b} %{b}\n; DEFINE: %{b} = %{a}\n; RUN: llc %{a}\n; DEFINE: x\n",
            expect![[r#"
                problem: the substitutions of this line do not end
                problem: expected `%{name} = text`, found `x`
            "#]],
        );
    }

    #[test]
    fn features_decide_whether_a_test_runs() {
        check("; REQUIRES: asserts, amdgpu-registered-target\n", expect![""]);
        check("; REQUIRES: asserts && !x86-registered-target\n", expect![""]);
        check(
            "; REQUIRES: x86-registered-target\n",
            expect!["not here: it requires `x86-registered-target`\n"],
        );
        check(
            "; UNSUPPORTED: target={{.*}}-windows, asserts\n",
            expect!["not here: it does not support `asserts`\n"],
        );
        check("; XFAIL: *\n", expect!["expected to fail\n"]);
        check("; REQUIRES: (asserts\n", expect!["problem: expected `)` in `(asserts`\n"]);
    }

    #[test]
    fn conditional_parts_are_chosen() {
        check(
            "; RUN: %if asserts %{ llc %s %} %else %{ opt %s %}\n; RUN: llc %if x86 %{ -a %{b} %} %s\n",
            expect![[r#"
                1:  llc %s 
                2: llc  %s
            "#]],
        );
    }
}
