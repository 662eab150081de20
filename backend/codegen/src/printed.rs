//! Reading what `opt` and `llc` print after each pass (`-print-changed`, `-print-after-all`).

/// A function as it was printed after a pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PrintedFunction<'t> {
    /// The pass that has just run; none for what was there at the start.
    pub(crate) pass: Option<(&'t str, Option<&'t str>)>,
    /// As the tool names it, without sigil.
    pub(crate) name: &'t str,
    /// Machine IR, and not LLVM IR.
    pub(crate) is_machine: bool,
    /// From the header to the line before the end.
    pub(crate) lines: Vec<&'t str>,
}

/// A part of a printout, in the order of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Printed<'t> {
    Function(PrintedFunction<'t>),
    /// `!7 = ...`, where a tool printed a whole module. It follows the module's functions.
    Metadata(&'t str),
}

/// The functions and the metadata of a printout.
pub(crate) fn printed(text: &str) -> impl Iterator<Item = Printed<'_>> {
    let mut lines = text.lines();
    let mut pass = None;
    std::iter::from_fn(move || {
        while let Some(line) = lines.next() {
            if let Some(banner) = line.trim_start_matches("# ").strip_prefix("*** IR Dump ") {
                pass = banner.strip_prefix("After ").map(pass_name);
            }
            // `DummyCGSCCPass` does not end its line.
            let line = line.rsplit_once(" ***define ").map_or(line, |(before, _)| &line[before.len() + 4..]);
            let (name, is_machine) = if let Some(name) = function_name(line) {
                (name, false)
            } else if let Some(rest) = line.strip_prefix("# Machine code for function ") {
                (rest.split(':').next().unwrap_or(rest), true)
            } else if line.starts_with('!') {
                return Some(Printed::Metadata(line));
            } else {
                continue;
            };
            let last = if is_machine { "# End machine code for function" } else { "}" };
            let lines = std::iter::once(line).chain(lines.by_ref().take_while(|l| !l.starts_with(last)));
            let lines = lines.map(without_slot).collect();
            return Some(Printed::Function(PrintedFunction { pass, name, is_machine, lines }));
        }
        None
    })
}

/// A pass's name and its argument out of `InstCombinePass on f ***` or `Machine code sinking (machine-sink) on f ***:`.
fn pass_name(banner: &str) -> (&str, Option<&str>) {
    let name = banner.split(" ***").next().unwrap_or(banner);
    let name = name.split(" on ").next().unwrap_or(name);
    match name.strip_suffix(')').and_then(|n| n.rsplit_once(" (")) {
        Some((name, argument)) => (name, Some(argument)),
        None => (name, None),
    }
}

/// The function that a line of IR begins to define.
fn function_name(line: &str) -> Option<&str> {
    let (_, rest) = line.strip_prefix("define ")?.split_once('@')?;
    match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => rest.split('(').next(),
    }
}

/// A line of Machine IR without the number that slot indexes put before it (`16B` and a tab).
fn without_slot(line: &str) -> &str {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = line.get(digits..).unwrap_or(line);
    rest.strip_prefix("B\t").filter(|_| digits > 0).or(rest.strip_prefix('\t')).unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_and_metadata_are_found() {
        let text = "*** IR Dump At Start ***\ndefine void @f() {\n  ret void\n}\n!0 = !{}\n\
            *** IR Dump After X (x) ***define void @\"a b\"() {\n}\n\
            # *** IR Dump After Finalize ISel (finalize-isel) ***:\n# Machine code for function f: IsSSA\n\
            0B\tbb.0:\n16B\t  S_ENDPGM 0\n\t  liveins: $vgpr0\n# End machine code for function f.\n";
        let shown: Vec<String> = printed(text)
            .map(|part| match part {
                Printed::Metadata(line) => line.to_owned(),
                Printed::Function(f) => {
                    let pass = f.pass.map_or("start", |(name, argument)| argument.unwrap_or(name));
                    format!("{pass} {} {} {:?}", f.name, f.is_machine, f.lines)
                }
            })
            .collect();
        assert_eq!(
            shown,
            [
                "start f false [\"define void @f() {\", \"  ret void\"]",
                "!0 = !{}",
                "x a b false [\"define void @\\\"a b\\\"() {\"]",
                "finalize-isel f true [\"# Machine code for function f: IsSSA\", \"bb.0:\", \"  S_ENDPGM 0\", \
                 \"  liveins: $vgpr0\"]",
            ]
        );
    }
}
