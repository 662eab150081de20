//! From AMDGPU assembly to the files that `.loc` and `.file` name.

use memchr::memmem;
use wavelens_base::{TextRange, TextSize};

use super::Cx;
use crate::answers::SourcePlace;

/// How many chunks before its own a place is looked for in.
const CHUNKS: usize = 8;

/// The place of the last `.loc` at or before an offset of the chunk.
pub fn place(cx: &Cx<'_>, at: TextSize) -> Option<SourcePlace> {
    let end = cx.text.get(usize::from(at)..)?.find('\n').map_or(cx.text.len(), |n| usize::from(at) + n);
    let before = cx.text.get(..end)?;
    let start = before.rfind('\n').map_or(0, |n| n + 1);
    let origin = TextRange::new(TextSize::new(start as u32), TextSize::new(end as u32));
    if let Some((_, place)) = file(before.get(start..)?, origin) {
        return Some(place);
    }
    let earlier = || {
        let chunks = cx.view.chunks().get(..cx.index)?.iter().rev().take(CHUNKS);
        chunks.into_iter().find_map(|chunk| last_loc(cx.view.text(*chunk)))
    };
    let loc = last_loc(before).or_else(earlier)?;
    let numbers: Vec<u32> = loc.split_whitespace().map_while(|word| word.parse().ok()).collect();
    let (number, line) = (*numbers.first()?, *numbers.get(1)?);
    let file = declared(cx, number, origin)?;
    // Line 0 is code that the compiler made.
    (line > 0).then(|| SourcePlace { line, column: numbers.get(2).copied().unwrap_or(0), ..file })
}

/// What follows the last `.loc` of a text.
fn last_loc(text: &str) -> Option<&str> {
    const LOC: &str = ".loc";
    let places = memmem::rfind_iter(text.as_bytes(), LOC);
    places.into_iter().find_map(|at| {
        let (before, rest) = (text.get(..at)?, text.get(at + LOC.len()..)?);
        let starts_line = before.trim_end_matches([' ', '\t']);
        let is_line = starts_line.is_empty() || starts_line.ends_with('\n');
        // Not `.local`.
        (is_line && rest.starts_with([' ', '\t'])).then(|| rest.lines().next())?
    })
}

/// Names of files in `.file` directives.
pub fn links(cx: &Cx<'_>) -> Vec<SourcePlace> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in cx.text.split_inclusive('\n') {
        if let (Some(quote), true) = (line.rfind('"'), line.contains(".file")) {
            let name = line[..quote].rfind('"').map_or(quote, |n| n + 1);
            let at = |offset: usize| TextSize::new((start + offset) as u32);
            found.extend(file(line, TextRange::new(at(name), at(quote))).map(|(_, place)| place));
        }
        start += line.len();
    }
    found
}

/// `.file 1 "folder" "name"`: the number and the file.
fn file(line: &str, origin: TextRange) -> Option<(Option<u32>, SourcePlace)> {
    let rest = line.trim_start().strip_prefix(".file")?;
    let number = rest.split_whitespace().next()?.parse().ok();
    let mut names = rest.split('"').skip(1).step_by(2);
    let (first, second) = (names.next()?, names.next());
    let (directory, name) = second.map_or(("", first), |name| (first, name));
    let place = SourcePlace {
        origin,
        directory: directory.to_owned(),
        file: name.to_owned(),
        line: 0,
        column: 0,
        text: None,
    };
    Some((number, place))
}

fn declared(cx: &Cx<'_>, number: u32, origin: TextRange) -> Option<SourcePlace> {
    let texts = cx.view.chunks().iter().map(|chunk| cx.view.text(*chunk)).filter(|t| t.contains(".file"));
    let lines = texts.flat_map(|text| text.lines()).filter(|line| line.trim_start().starts_with(".file"));
    lines.filter_map(|line| file(line, origin)).find(|(own, _)| *own == Some(number)).map(|(_, place)| place)
}
