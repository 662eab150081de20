//! Definitions in the files that assembly includes.

use std::sync::Arc;

use wavelens_amdgpu::assembler::cursor::unquote;
use wavelens_base::includes::{Included, IncludedFile};
use wavelens_base::{TextRange, TextSize};
use wavelens_syntax::amdgpu::AmdgpuKind::STRING;

use super::Cx;
use crate::amdgpu::words::{Word, words};
use crate::answers::{Space, SymbolKey};

/// Where a name in the chunk leads in another file: the file's start for the name of a file, else a definition.
pub(crate) fn definition(
    cx: &Cx<'_>,
    at: TextSize,
    key: Option<&SymbolKey>,
) -> Option<(TextRange, Arc<IncludedFile>, TextRange)> {
    let includes = &cx.scope.settings.includes;
    let token = cx.lowered.lexed.at_offset(at);
    let (origin, word) = (cx.lowered.lexed.range(token), cx.lowered.lexed.text(cx.text, token));
    if cx.lowered.lexed.kind(token) == STRING {
        return match includes.find(unquote(word))? {
            (_, Included::File(file)) => Some((origin, file.clone(), TextRange::default())),
            _ => None,
        };
    }
    let key = key?;
    includes.files().find_map(|(_, file)| {
        let range = named_in(&file.text, key)?;
        Some((origin, file.clone(), range))
    })
}

/// The first definition of a name in a text.
fn named_in(text: &str, key: &SymbolKey) -> Option<TextRange> {
    if !text.contains(key.name.as_str()) {
        return None;
    }
    let mut found = None;
    words(text, &wavelens_syntax::amdgpu::lex(text), |range, word, kind| {
        let defines = match kind {
            Word::Label | Word::Assigned => key.space == Space::Global,
            Word::MacroName => key.space == Space::Macro,
            _ => false,
        };
        if defines && found.is_none() && key.name == word {
            found = Some(range);
        }
    });
    found
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use wavelens_base::{Dialect, Options};

    use super::*;
    use crate::{Database, Document, db, features};

    fn options(files: &[(&str, &str)]) -> Options {
        let file = |(name, text): &(&str, &str)| {
            let (path, size) = (PathBuf::from(name), text.len() as u64);
            ((*name).to_owned(), Included::File(Arc::new(IncludedFile { path, text: (*text).into(), size })))
        };
        let mut includes: Vec<_> = files.iter().map(file).collect();
        includes.push(("missing.inc".into(), Included::Missing));
        includes.push(("/etc/outside.inc".into(), Included::Unread));
        let target = Some("gfx900".to_owned());
        Options { target, includes: includes.into_iter().collect(), ..Options::default() }
    }

    #[test]
    fn a_definition_is_found_in_another_file() {
        let text = ".include \"a.inc\"\nadd 3\n";
        let options = options(&[("a.inc", "x = 1\n.macro add n\n.endm\n")]);
        let mut database = Database::default();
        let document = Document::new(&mut database, Dialect::Amdgpu, text, options);
        let at = |offset: u32| {
            let found =
                features::definition(db::View::new(&database, document.file()), TextSize::new(offset));
            let target = found.into_iter().next()?;
            let file = target.file?;
            Some(file.text[std::ops::Range::<usize>::from(target.range)].to_owned())
        };
        assert_eq!(at(12), Some(String::new()));
        assert_eq!(at(18), Some("add".to_owned()));
    }
}
