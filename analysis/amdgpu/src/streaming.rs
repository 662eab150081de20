//! Checking a large file without holding its tokens: they take more memory than its instructions.

use std::sync::Arc;

use wavelens_syntax::amdgpu::{AmdgpuKind, lex, lex_segments};
use wavelens_syntax::machine::Lexed;

use super::assembler::outline_text::outline;
use super::assembler::{Assembler, Mode};
use super::{Scope, Summary, finish};
use wavelens_base::configuration::Stated;
use wavelens_base::{Diagnostic, Dialect};

/// Bytes of text whose tokens are held at once. Small in tests, to try every place.
const SEGMENT: usize = if cfg!(test) { 16 } else { 1 << 20 };

fn segments(text: &str) -> impl Iterator<Item = Lexed<AmdgpuKind>> {
    lex_segments(text, SEGMENT)
}

/// The summary of a whole file, with only what a scope reads of the file's one chunk.
pub fn summarize(text: &str) -> Summary {
    let mut target = None;
    let mut is_open = false;
    for lexed in segments(text) {
        if is_open {
            // A statement goes on in this segment.
            target = outline(text, &lex(text)).target;
            break;
        }
        let found = outline(text, &lexed);
        (target, is_open) = (target.or(found.target), found.is_open);
    }
    let stated = Stated { target_id: target, ..Stated::in_comments(Dialect::Amdgpu, text) };
    Summary { outline: Arc::default(), stated }
}

/// All findings about a whole file.
pub fn check(text: &str, scope: &Scope) -> Vec<Diagnostic> {
    let mut assembler = Assembler::with_settings(Mode::Whole, scope);
    if !assembler.run_segments(text, segments(text)) {
        assembler = Assembler::with_settings(Mode::Whole, scope);
        assembler.run(text, &lex(text));
    }
    finish(&mut assembler, scope, text);
    assembler.diagnostics
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use wavelens_base::{ChunkId, Options};

    use super::*;

    #[test]
    fn a_text_in_segments_has_the_same_findings() {
        let texts: Vec<&str> = crate::RULES.iter().flat_map(|rule| [rule.example, rule.fixed]).collect();
        assert!(texts.iter().filter(|text| text.len() > 4 * SEGMENT).count() > 50);
        for text in texts {
            let chunk = ChunkId(0);
            let lowered = crate::lower(text);
            let of = |summary| crate::scope(&[(chunk, Arc::new(summary))], &Options::default());
            let (whole, segments) = (of(crate::summarize(&lowered)), of(summarize(text)));
            assert_eq!(check(text, &segments), crate::check(&lowered, &whole, chunk, text), "{text}");
        }
    }
}
