//! Templates of LLVM IR, Machine IR and assembly with each word at each place: recorded is how many are accepted, and the start of a hash
//! of what is found.
//!
//! In `tests/data/families/*.txt` a list has a name and lines that begin with `|`. `family NAME MACHINES: TEMPLATE LIST...` writes the lines of
//! a template for each combination of words: `#1` is the word of the first list, `#1b` and `#1c` are its parts after a `;`, and `#n` is the
//! number of the combination; `\n` ends a line. `before NAME` and `after NAME` are what precedes and follows all of them in that family.
//! `alone` is the same with each combination in a text of its own.
//! `WAVELENS_SHOW=NAME` prints a family with what is found.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::path::Path;

use expect_test::expect_file;
use wavelens_semantics::{Dialect, Options, check_text};
use wavelens_tests::recording::digest;

/// Many combinations go into one text, which takes less time; those of `alone` do not, as they have the same names.
const TOGETHER: usize = 400;

struct Family<'f> {
    name: &'f str,
    /// As many combinations go into one text.
    together: usize,
    machines: Vec<&'f str>,
    template: String,
    words: Vec<Vec<&'f str>>,
    before: String,
    after: String,
}

fn families<'f>(file: &'f str) -> Vec<Family<'f>> {
    let mut lists: HashMap<&str, Vec<&str>> = HashMap::new();
    let (mut families, mut list): (Vec<(&str, usize)>, _) = (Vec::new(), "");
    for line in file.lines() {
        if let Some(word) = line.strip_prefix('|') {
            lists.entry(list).or_default().push(word);
        } else if let Some(family) = line.strip_prefix("family ") {
            families.push((family, TOGETHER));
        } else if let Some(family) = line.strip_prefix("alone ") {
            families.push((family, 1));
        } else if !line.starts_with('#') {
            list = line;
        }
    }
    let text = |name: &str| -> String {
        lists.get(name).into_iter().flatten().flat_map(|line| [*line, "\n"]).collect()
    };
    let family = |&(line, together): &(&'f str, usize)| {
        let (head, names) = line.split_once(": ").expect("a family has lists");
        let (name, machines) = head.split_once(' ').unwrap_or((head, "-"));
        let mut names = names.split(' ');
        Family {
            name,
            together,
            machines: machines.split(' ').collect(),
            template: text(names.next().unwrap_or_default()),
            words: names.map(|name| lists[name].clone()).collect(),
            before: text(&format!("before {name}")),
            after: text(&format!("after {name}")),
        }
    };
    families.iter().map(family).collect()
}

impl Family<'_> {
    /// The template with each combination of words.
    fn texts(&self) -> Vec<String> {
        let mut texts = vec![self.template.clone()];
        for (place, words) in (1..).zip(&self.words) {
            let with = |text: &String, word: &str| {
                let parts: Vec<&str> = word.split(';').collect();
                let part = |at: usize| parts.get(at).or(parts.first()).copied().unwrap_or_default();
                text.replace(&format!("#{place}b"), part(1))
                    .replace(&format!("#{place}c"), part(2))
                    .replace(&format!("#{place}"), part(0))
            };
            texts = texts.iter().flat_map(|text| words.iter().map(move |word| with(text, word))).collect();
        }
        let numbered =
            |(number, text): (i32, &String)| text.replace("#n", &number.to_string()).replace("\\n", "\n");
        (0..).zip(&texts).map(numbered).collect()
    }
}

/// What is found in each of some texts that are checked together, by their order, and what is found elsewhere.
fn found(dialect: Dialect, family: &Family<'_>, machine: &str, texts: &[String]) -> BTreeMap<usize, String> {
    let whole = format!("{}{}{}", family.before, texts.concat(), family.after);
    let machine = (machine != "-").then(|| machine.to_owned());
    let options = Options { target: machine, pedantic: true, ..Options::default() };
    let mut starts = vec![family.before.len()];
    texts.iter().for_each(|text| starts.push(starts[starts.len() - 1] + text.len()));
    let mut found: BTreeMap<usize, String> = BTreeMap::new();
    for finding in check_text(dialect, &whole, &options) {
        let at = usize::from(finding.range.start());
        let text =
            starts.partition_point(|start| *start <= at).checked_sub(1).filter(|text| *text < texts.len());
        let place = text.map_or(at, |text| at - starts[text]);
        let out = found.entry(text.unwrap_or(usize::MAX)).or_default();
        _ = write!(out, " {place} [{}] {};", finding.rule.code, finding.message);
    }
    found
}

/// How many combinations have no findings, and all of them with what is found.
fn answers(dialect: Dialect, family: &Family<'_>, machine: &str) -> (usize, String) {
    let (mut all, mut good) = (String::new(), 0);
    for part in family.texts().chunks(family.together) {
        let found = found(dialect, family, machine, part);
        for (number, text) in part.iter().enumerate() {
            good += usize::from(!found.contains_key(&number));
            _ = writeln!(all, "{text}->{}", found.get(&number).map_or("", String::as_str));
        }
        all += found.get(&usize::MAX).map_or("", String::as_str);
    }
    (good, all)
}

fn compare(dialect: Dialect, name: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let file = std::fs::read_to_string(folder.join("families").join(name)).expect("the file can be read");
    let mut out = String::new();
    for family in families(&file) {
        _ = write!(out, "{} of {}:", family.name, family.texts().len());
        for machine in &family.machines {
            let (good, all) = answers(dialect, &family, machine);
            if std::env::var_os("WAVELENS_SHOW").is_some_and(|name| name == family.name) {
                println!("{machine}\n{all}");
            }
            _ = write!(out, " {machine} {good} {}", digest(&all));
        }
        out.push('\n');
    }
    expect_file![folder.join("recorded").join(format!("families-{name}"))].assert_eq(&out);
}

#[test]
fn llvm_families_are_as_recorded() {
    compare(Dialect::Llvm, "llvm.txt");
}

#[test]
fn mir_families_are_as_recorded() {
    compare(Dialect::Mir, "mir.txt");
}

#[test]
fn amdgpu_families_are_as_recorded() {
    compare(Dialect::Amdgpu, "amdgpu.txt");
}
