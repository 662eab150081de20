//! Folding of AMDGPU assembly.

use wavelens_amdgpu::assembler::cursor::Cursor;
use wavelens_base::{TextRange, TextSize};
use wavelens_syntax::amdgpu::AmdgpuKind::*;

use super::Cx;
use crate::answers::{Fold, FoldKind};

/// Blocks from their directive to its end, lines of comments, and the `s_code_end` that fill the code up.
pub(crate) fn folds(cx: &Cx<'_>) -> Vec<Fold> {
    let mut all = Vec::new();
    let mut open: Vec<(&str, TextSize)> = Vec::new();
    let mut c = Cursor::new(cx.text, &cx.lowered.lexed);
    let mut filling: Option<TextRange> = None;
    let close = |filling: &mut Option<TextRange>, all: &mut Vec<Fold>| {
        let range = filling.take().filter(|range| cx.slice(*range).contains('\n'));
        all.extend(range.map(|range| Fold { range, kind: FoldKind::Region }));
    };
    while !c.at(EOF) {
        if c.eat(EOL) {
            continue;
        }
        let word = if c.at(IDENT) { c.word() } else { "" };
        let (start, is_end) = (c.range().start(), end_of(word));
        c.skip_line();
        let line_end = c.since(start).end();
        match word {
            "s_code_end" => filling = Some(TextRange::new(filling.map_or(line_end, |f| f.start()), line_end)),
            _ => close(&mut filling, &mut all),
        }
        if let Some(begins) = is_end {
            let matching = open.iter().rposition(|(w, _)| begins.iter().any(|b| w.starts_with(b)));
            if let Some(at) = matching {
                let (_, from) = open.remove(at);
                open.truncate(at);
                all.push(Fold { range: TextRange::new(from, line_end), kind: FoldKind::Region });
            }
        } else if begins_block(word) {
            open.push((word, line_end));
        }
    }
    close(&mut filling, &mut all);
    for line in cx.text.split_inclusive('\n') {
        let text = line.trim();
        if text.starts_with(';') || text.starts_with("//") {
            let start = line.as_ptr() as usize - cx.text.as_ptr() as usize;
            let range = TextRange::at(TextSize::new(start as u32), TextSize::of(line.trim_end()));
            all.push(Fold { range, kind: FoldKind::Comment });
        }
    }
    all
}

fn begins_block(word: &str) -> bool {
    matches!(word, ".macro" | ".rept" | ".rep" | ".irp" | ".irpc" | ".amdhsa_kernel" | ".amdgpu_metadata")
        || (word.starts_with(".if") && word != ".ident")
}

fn end_of(word: &str) -> Option<&'static [&'static str]> {
    Some(match word {
        ".endm" | ".endmacro" => &[".macro"],
        ".endr" => &[".rep", ".irp"],
        ".endif" => &[".if"],
        ".end_amdhsa_kernel" => &[".amdhsa_kernel"],
        ".end_amdgpu_metadata" => &[".amdgpu_metadata"],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use wavelens_base::Dialect;

    use crate::features;
    use crate::features::tests::at_cursor;

    #[test]
    fn trailing_s_code_end_is_one_fold() {
        let text =
            ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\ns_endpgm\ns_code_end\ns_code_end\ns_code_end\n";
        at_cursor(Dialect::Amdgpu, text, |view, _| {
            let folds = features::folds(view);
            assert_eq!(folds.len(), 1);
            let covered = text.get(std::ops::Range::<usize>::from(folds[0].range)).unwrap_or("");
            assert_eq!(covered, "\ns_code_end\ns_code_end");
        });
    }
}
