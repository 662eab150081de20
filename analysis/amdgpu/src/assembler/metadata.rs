//! `.amdgpu_metadata`: a YAML document between two directives (source of the rules: LLVM's AMDGPU usage guide, "Code Object
//! V3 Metadata" and later).

use wavelens_syntax::amdgpu::AmdgpuKind::*;
use wavelens_syntax::{closest, wording};

use super::cursor::Cursor;
use super::yaml::{self, Entry, Node, Problem};
use crate::assembler::{Assembler, Parsed, Reported};
use crate::rules::directive::metadata::{METADATA, verify, verify_pal};
use crate::rules::directive::unknown_directive::UNKNOWN_DIRECTIVE;
use crate::rules::symbol::symbol_redefinition::SYMBOL_REDEFINITION;
use wavelens_base::{Diagnostic, Place, Severity, TextEdit, TextRange, TextSize};

/// The lanes of each kernel's largest workgroup, by the kernel's name.
fn largest_workgroups(root: &Node) -> impl Iterator<Item = (String, u32)> + '_ {
    let kernels = match root.get("amdhsa.kernels") {
        Some(Node::List(kernels)) => kernels.as_slice(),
        _ => &[],
    };
    kernels.iter().map(|kernel| &kernel.value).filter_map(|kernel| {
        match (kernel.get(".name")?, kernel.get(".max_flat_workgroup_size")?) {
            (Node::Text(name), Node::Integer(Some(lanes))) => {
                Some((name.clone(), u32::try_from(*lanes).ok()?))
            }
            _ => None,
        }
    })
}

/// What the metadata says of one kernel, with the lines that say it.
#[derive(Debug, Default)]
pub(crate) struct KernelMetadata {
    pub(crate) name: String,
    /// The name of the descriptor, whose place ends the line.
    pub(crate) symbol: Option<(String, TextRange)>,
    numbers: Vec<(String, i64, TextRange)>,
    pub(crate) arguments: Vec<Argument>,
    /// The lanes of a workgroup that the kernel requires.
    pub(crate) required_lanes: Option<(i64, TextRange)>,
}

/// The bytes of one argument, and the line of its size.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Argument {
    pub(crate) start: i64,
    pub(crate) end: i64,
    pub(crate) range: TextRange,
}

impl KernelMetadata {
    /// The symbol of the kernel's code: its descriptor is `.kd` after it. The kernel's name may be another one.
    pub(crate) fn symbol_of_kernel(&self) -> &str {
        self.symbol.as_ref().and_then(|(symbol, _)| symbol.strip_suffix(".kd")).unwrap_or(&self.name)
    }

    /// The number of a key.
    pub(crate) fn number(&self, key: &str) -> Option<(i64, TextRange)> {
        self.numbers.iter().find(|(own, ..)| own == key).map(|(_, value, range)| (*value, *range))
    }
}

/// The kernels of a document; `place` gives the range of a line.
fn kernels(root: &Node, place: impl Fn(usize) -> Option<TextRange>) -> Vec<KernelMetadata> {
    let entries = |node: &Node| match node {
        Node::Map(entries) => entries.clone(),
        _ => Vec::new(),
    };
    let items = |node: Option<&Node>| match node {
        Some(Node::List(items)) => items.iter().map(|item| item.value.clone()).collect(),
        _ => Vec::new(),
    };
    let kernel = |node: &Node| {
        let mut kernel = KernelMetadata::default();
        for Entry { key, line, value } in entries(node) {
            let Some(place) = place(line) else { continue };
            match (key.as_str(), value) {
                (".name", Node::Text(name)) => kernel.name = name,
                (".symbol", Node::Text(symbol)) => kernel.symbol = Some((symbol, place)),
                (_, Node::Integer(Some(number))) => kernel.numbers.push((key, number, place)),
                (".reqd_workgroup_size", Node::List(items)) => {
                    let product = items.iter().try_fold(1_i64, |product, item| match item.value {
                        Node::Integer(Some(number)) => product.checked_mul(number),
                        _ => None,
                    });
                    kernel.required_lanes = product.map(|lanes| (lanes, place));
                }
                _ => {}
            }
        }
        for argument in items(node.get(".args")) {
            let number = |key: &str| match argument.get(key) {
                Some(Node::Integer(Some(number))) => Some(*number),
                _ => None,
            };
            let line =
                entries(&argument).into_iter().find(|entry| entry.key == ".size").and_then(|e| place(e.line));
            if let (Some(start), Some(size), Some(range)) = (number(".offset"), number(".size"), line) {
                kernel.arguments.push(Argument { start, end: start.saturating_add(size), range });
            }
        }
        kernel
    };
    items(root.get("amdhsa.kernels")).iter().map(kernel).filter(|kernel| !kernel.name.is_empty()).collect()
}

impl Assembler<'_> {
    /// Reads the lines up to the one that is `end`. Gives their text without comments, and their range.
    pub(crate) fn text_block(
        &mut self,
        c: &mut Cursor<'_>,
        directive: TextRange,
        end: &str,
    ) -> Parsed<(String, TextRange)> {
        // The indentation of the first line counts.
        let before = c.text.get(..usize::from(c.start())).unwrap_or("");
        let start = TextSize::new(before.rfind('\n').map_or(0, |at| at as u32 + 1));
        let mut text = String::new();
        let mut copied = start;
        let mut misspelled = None;
        loop {
            let at = c.start();
            // Columns count: white space is kept, comments are not.
            for token in c.tokens_between(copied, at) {
                text.push_str(token);
            }
            copied = at;
            if c.at(EOF) {
                return Err(match misspelled {
                    Some(range) => self.misspelled_end(c, range, end),
                    None => self.error(c, &METADATA, directive, wording::missing(format_args!("`{end}`"))),
                });
            }
            if c.at(IDENT) && c.word() == end {
                let range = TextRange::new(start, at);
                c.bump();
                return Ok((text, range));
            }
            if c.at(IDENT) && c.word().starts_with(".end") && closest(c.word(), [end]).is_some() {
                misspelled.get_or_insert(c.range());
            }
            c.skip_line();
            c.eat(EOL);
        }
    }

    /// Reports the directive that was meant to end the lines above it.
    fn misspelled_end(&mut self, c: &Cursor<'_>, range: TextRange, end: &str) -> Reported {
        let wrong = c.slice(range).to_owned();
        let message = wording::unknown("directive", &wrong, [end].into_iter());
        let diagnostic = self.located(c.text, &UNKNOWN_DIRECTIVE, range, message);
        let edit = TextEdit::new(range, end);
        self.push(diagnostic.respell(format!("Replace with `{end}`"), edit, &wrong, end));
        Reported
    }

    pub(crate) fn hsa_metadata(&mut self, c: &mut Cursor<'_>, directive: TextRange) -> Parsed<()> {
        self.document(c, directive, ".end_amdgpu_metadata", verify)
    }

    pub(crate) fn pal_metadata(&mut self, c: &mut Cursor<'_>, directive: TextRange) -> Parsed<()> {
        self.document(c, directive, ".end_amdgpu_pal_metadata", verify_pal)
    }

    /// Reports the end of a document without beginning: the document's lines are not statements, and one finding explains all.
    pub(crate) fn stray_metadata(&mut self, c: &Cursor<'_>, name: &str, end: TextRange) -> Reported {
        let begin = name.replacen("end_", "", 1);
        let start = if self.expansions.is_empty() { yaml_above(c.text, end.start()) } else { end.start() };
        let is_inside = |d: &Diagnostic| start <= d.range.start() && d.range.start() < end.start();
        let inside = self.diagnostics.iter().filter(|d| is_inside(d));
        let errors = inside.filter(|d| d.rule.severity == Severity::Error && d.rule != &SYMBOL_REDEFINITION);
        let Some(first) = errors.map(|d| d.range).min_by_key(|range| range.start()) else {
            return self.error(c, &UNKNOWN_DIRECTIVE, end, format!("`{name}` without `{begin}`"));
        };
        self.diagnostics.retain(|d| !is_inside(d));
        let above = c.text.get(..start.into()).unwrap_or("").trim_end();
        let above = TextSize::of(&above[..above.rfind('\n').map_or(0, |at| at + 1)]);
        // The directive is misspelled.
        if !self.diagnostics.iter().any(|d| above <= d.range.start() && d.range.start() < start) {
            let message = format!("metadata must be between `{begin}` and `{name}`; `{begin}` is missing");
            self.push(
                Diagnostic::new(&METADATA, first, message)
                    .related(Place::Here(end), "the metadata ends here"),
            );
        }
        Reported
    }

    fn document(
        &mut self,
        c: &mut Cursor<'_>,
        directive: TextRange,
        end: &str,
        verify: fn(&Node) -> Result<(), Problem>,
    ) -> Parsed<()> {
        // The document starts on the line after the directive.
        c.skip_line();
        c.eat(EOL);
        let (text, range) = self.text_block(c, directive, end)?;
        let end = TextRange::at(range.end(), TextSize::of(end));
        let source = c.slice(range);
        let is_in_file = self.expansions.is_empty();
        // Without the blanks around.
        let lines: Vec<&str> = source.lines().map(str::trim).collect();
        let place = |line: usize| {
            let line = lines.get(line).filter(|line| !line.is_empty() && is_in_file)?;
            let offset = line.as_ptr() as usize - source.as_ptr() as usize;
            Some(TextRange::at(range.start() + TextSize::new(offset as u32), TextSize::of(*line)))
        };
        let verified = yaml::parse(&text).and_then(|root| {
            self.program.workgroups.extend(largest_workgroups(&root));
            self.program.metadata.extend(kernels(&root, place));
            verify(&root)
        });
        let Err(Problem { line, message, respell }) = verified else { return Ok(()) };
        let place = place(line);
        let mut diagnostic = self.located(c.text, &METADATA, place.unwrap_or(end), message);
        if let Some(place) = place {
            diagnostic = diagnostic.related(Place::Here(end), wording::REFERENCE);
            if let Some((wrong, key)) = respell {
                let own = c.slice(place).find(wrong.as_str()).map_or(0, |at| at as u32);
                let range = TextRange::at(place.start() + TextSize::new(own), TextSize::of(wrong.as_str()));
                diagnostic = diagnostic.respell(
                    format!("Replace with `{key}`"),
                    TextEdit::new(range, key),
                    &wrong,
                    key,
                );
            }
        }
        self.push(diagnostic);
        Ok(())
    }
}

/// Where the lines of a YAML document begin that end at a place.
fn yaml_above(text: &str, end: TextSize) -> TextSize {
    let mut start = end;
    let above = text.get(..end.into()).unwrap_or("");
    for line in above.split_inclusive('\n').rev() {
        let words = line.trim();
        let is_key = words.split_once(':').is_some_and(|(key, value)| {
            !key.contains(char::is_whitespace) && (value.is_empty() || value.starts_with(' '))
        });
        if !(is_key || words.is_empty() || words == "..." || words.starts_with('-')) {
            break;
        }
        start -= TextSize::of(line);
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_workgroup_of_each_kernel_is_read() {
        let text = "amdhsa.kernels:\n  - .args:\n      - .name:  x\n        .size: 8\n\
                    \x20   .max_flat_workgroup_size: 64\n    .name: a\n    .symbol: a.kd\n\
                    \x20 - .name: 'b c'\n    .max_flat_workgroup_size: 256\n";
        let root = yaml::parse(text).expect("a document");
        let found: Vec<_> = largest_workgroups(&root).collect();
        assert_eq!(found, [("a".to_owned(), 64), ("b c".to_owned(), 256)]);
        assert_eq!(largest_workgroups(&Node::Opaque).count(), 0);
    }
}
