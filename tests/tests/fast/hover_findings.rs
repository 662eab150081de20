//! Hovers and findings read the same facts: what is shown at the place of a finding does not contradict it.

use wavelens_base::{Dialect, Finding, TextSize};
use wavelens_check::check_text;
use wavelens_ide::db::View;
use wavelens_ide::{Database, features};
use wavelens_isa::RegFile;
use wavelens_test_support::texts::inputs::inputs;
use wavelens_test_support::texts::path;
use wavelens_tests::inputs::{open, options};

/// A finding with what the hover at its place shows.
struct Place<'t> {
    text: &'t str,
    finding: &'t Finding,
    hover: &'t str,
}

impl Place<'_> {
    fn line(&self, at: TextSize) -> usize {
        self.text[..usize::from(at)].matches('\n').count() + 1
    }

    /// The line of the first related place.
    fn related(&self) -> Option<usize> {
        self.finding.related.first().map(|related| self.line(related.range.start()))
    }

    /// Whether the hover agrees with the finding; `None` where it is about something else.
    fn agrees(&self) -> Option<bool> {
        let (message, hover) = (self.finding.message.as_str(), self.hover);
        let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
        let name = quoted.first().copied().unwrap_or("");
        let starts = |word: &str| message.starts_with(word);
        let undefined = ["id", "value", "global", "function"];
        match () {
            () if undefined.iter().any(|what| starts(&format!("use of undefined {what} `"))) => {
                Some(!hover.contains(&format!("{name} =")) && !hover.contains("Parameter "))
            }
            () if starts("use of `") && message.contains(" before its definition") => {
                Some(hover.contains(name) && !hover.contains("Not defined"))
            }
            () if starts("unknown instruction") => Some(!hover.contains("\n\nOn gfx")),
            () if starts("missing ")
                && message.contains(" decoration on `")
                && !message.contains("member") =>
            {
                let decoration = message.split(' ').nth(1)?;
                let shown = hover.split("Decorations: ").nth(1)?.lines().next()?;
                Some(!shown.contains(decoration))
            }
            () if message.contains(" is not supported on gfx") => {
                let machine = message.split(" is not supported on ").nth(1)?;
                let machine = machine.split([';', ',', ' ']).next()?;
                let list = hover.split("\n\nOn ").nth(1)?.lines().next()?;
                Some(!covers(list, machine))
            }
            () if message.contains("before this read of `") => {
                let written = hover.split("written in ").nth(1).unwrap_or("").lines().next()?;
                // The hover names six lines.
                let is_named = self.related().is_none_or(|line| numbers(written).any(|n| n == line));
                let here = self.line(self.finding.range.start());
                let reads = hover.split("read in ").nth(1).unwrap_or("");
                let is_read = hover.contains(", read here") || numbers(reads).any(|n| n == here);
                is_register(hover).then_some(is_read && (is_named || written.contains(" more")))
            }
            () if message.contains("before this write of `") => {
                is_register(hover).then_some(hover.contains(", written here"))
            }
            () if self.finding.rule.code == "uninitialized-register" => {
                is_register(hover).then_some(hover.contains(", read here") && !hover.contains("has a value"))
            }
            () if self.finding.rule.code.starts_with("hazard-") => {
                let accesses = hover.split("\nWrites ").nth(1)?.lines().next()?;
                let reg = wavelens_isa::named_register(name).filter(|reg| reg.file != RegFile::Special)?;
                let named = accesses.split(['`', '*', ',', ' ']).filter_map(wavelens_isa::named_register);
                let mut of_file = named.filter(|other| other.file == reg.file).peekable();
                of_file.peek()?;
                Some(of_file.any(|other| other.overlaps(reg)))
            }
            () => self.type_agrees(message, &quoted),
        }
    }

    /// `found ...` with a type, and `... has type ..., but`: the hover shows the same type.
    fn type_agrees(&self, message: &str, quoted: &[&str]) -> Option<bool> {
        let (name, ty) = if message.contains(" of type `") && message.contains(", found `") {
            let found = message.split(", found `").nth(1)?;
            let mut parts = found.split('`');
            let name = parts.next()?;
            (name, parts.next().filter(|word| *word == " of type ").and(parts.next())?)
        } else if message.contains("` has type `") && message.contains(", but must have the type") {
            (*quoted.first()?, *quoted.get(1)?)
        } else {
            return None;
        };
        // Before its definition, a name has the type of its first use.
        let before = &self.text[..usize::from(self.finding.range.start())];
        let definition = format!("{name} = ");
        let is_ahead = self.text.contains(&definition) && !before.contains(&definition);
        (!is_ahead && self.hover.contains(name)).then(|| self.hover.contains(ty))
    }
}

/// Whether a hover describes a register of assembly.
fn is_register(hover: &str) -> bool {
    hover.contains(" here\n\n- ")
}

fn numbers(text: &str) -> impl Iterator<Item = usize> {
    text.lines().next().unwrap_or("").split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok())
}

/// Whether a list such as `gfx6 to gfx8; gfx9 except gfx90a; gfx1200` has a processor.
fn covers(list: &str, machine: &str) -> bool {
    let generation = |name: &str| -> Option<u32> {
        let digits = name.trim().strip_prefix("gfx")?;
        let digits: &str = if digits.len() > 2 { &digits[..digits.len() - 2] } else { digits };
        digits.parse().ok()
    };
    list.split(';').any(|item| {
        let (names, exceptions) = item.split_once(" except ").unwrap_or((item, ""));
        let is_excepted = exceptions.split(", ").any(|name| name.trim() == machine);
        let is_covered = names.split(", ").any(|name| match name.split_once(" to ") {
            Some((first, last)) => {
                let range = generation(first).zip(generation(last));
                range.zip(generation(machine)).is_some_and(|((a, b), own)| (a..=b).contains(&own))
            }
            None => {
                name.trim() == machine || name.trim().len() < 6 && generation(name) == generation(machine)
            }
        });
        is_covered && !is_excepted
    })
}

/// Compares hovers and findings of a file of inputs, at so many places at least.
fn compare(name: &str, dialect: Dialect, least: usize) {
    let file = std::fs::read_to_string(path(&format!("inputs/{name}.txt"))).expect("the file can be read");
    let (mut count, mut wrong) = (0, Vec::new());
    for input in inputs(&file) {
        // A text in several parts has names more than once.
        if input.text.contains("split-file") || input.recorded.contains("]: redefinition of ") {
            continue;
        }
        let options = options(dialect, input.machine().unwrap_or("-"), &input.text);
        let mut db = Database::default();
        let document = open(&mut db, dialect, &input.text, &options);
        let view = View::new(&db, document.file());
        for finding in check_text(dialect, &input.text, &options) {
            let hover = features::hover(view, finding.range.start()).map(|hover| hover.markdown);
            let place =
                Place { text: &input.text, finding: &finding, hover: hover.as_deref().unwrap_or_default() };
            let Some(agrees) = place.agrees() else { continue };
            count += 1;
            if !agrees {
                let line = place.line(finding.range.start());
                wrong.push(format!("{}\n{line}: {}\nhover: {}\n", input.text, finding.message, place.hover));
            }
        }
    }
    wrong.truncate(5);
    assert!(wrong.is_empty(), "hovers contradict findings:\n{}", wrong.join("\n"));
    assert!(count >= least, "only {count} places were compared");
}

#[test]
fn amdgpu() {
    compare("amdgpu", Dialect::Amdgpu, 500);
}

#[test]
fn mir() {
    compare("mir", Dialect::Mir, 150);
}

#[test]
fn llvm() {
    compare("llvm", Dialect::Llvm, 400);
}

#[test]
fn spirv() {
    compare("spirv", Dialect::Spirv, 600);
}

#[test]
fn lists_of_processors() {
    let list = "gfx6 to gfx8; gfx9 except gfx90a, gfx942; gfx1030, gfx12";
    let machines = ["gfx803", "gfx90a", "gfx908", "gfx1010", "gfx1030", "gfx1201"];
    assert_eq!(machines.map(|machine| covers(list, machine)), [true, false, true, false, true, true]);
}
