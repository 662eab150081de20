//! Deterministic random numbers and the edits people make.

/// xorshift64*: small, repeatable, good enough for tests.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Uniform in `0..n`; 0 when `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let value = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        if n == 0 { 0 } else { value as usize % n }
    }

    /// An offset in `text` at a character boundary.
    pub fn offset(&mut self, text: &str) -> usize {
        let mut at = self.below(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }
}

/// Replaces `range` of a text.
#[derive(Debug, Clone)]
pub struct RandomEdit {
    pub range: std::ops::Range<usize>,
    pub text: String,
}

/// A word that gets a letter too many, loses one, or becomes another word of the file; or a line that goes or comes twice.
pub fn slip(random: &mut Random, text: &str) -> RandomEdit {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    let word_at = |at: usize| {
        let before = text[..at].char_indices().rev().find(|(_, c)| !is_word(*c));
        let start = before.map_or(0, |(start, c)| start + c.len_utf8());
        start..at + text[at..].find(|c| !is_word(c)).unwrap_or(text.len() - at)
    };
    let word = word_at(random.offset(text));
    match random.below(5) {
        0 => RandomEdit { range: word.end..word.end, text: "q".to_owned() },
        1 => RandomEdit { range: word.end - word.len().min(1)..word.end, text: String::new() },
        2 => RandomEdit { range: word, text: text[word_at(random.offset(text))].to_owned() },
        which => {
            let start = text[..word.start].rfind('\n').map_or(0, |s| s + 1);
            let end = text[start..].find('\n').map_or(text.len(), |e| start + e + 1);
            let range = if which == 3 { start..end } else { start..start };
            let twice = if which == 3 { "" } else { &text[start..end] };
            RandomEdit { range, text: twice.to_owned() }
        }
    }
}

/// An insertion of a character or a line, a deletion, or a paste of text from elsewhere in the file.
pub fn edit(random: &mut Random, text: &str) -> RandomEdit {
    let at = random.offset(text);
    let span = |random: &mut Random, limit: usize| {
        let mut end = (at + 1 + random.below(limit)).min(text.len());
        while !text.is_char_boundary(end) {
            end += 1;
        }
        at..end
    };
    const TYPED: &[&str] =
        &["\n", " ", "q", "%", "\"", "}", "{", "7", "\n}\n", ";", "define", "/*", "---\n", "\r\n"];
    match random.below(6) {
        0 | 1 => RandomEdit { range: at..at, text: TYPED[random.below(TYPED.len())].to_owned() },
        2 => RandomEdit { range: span(random, 3), text: String::new() },
        3 => RandomEdit { range: span(random, 200), text: String::new() },
        _ => {
            let from = random.offset(text);
            let mut to = (from + random.below(300)).min(text.len());
            while !text.is_char_boundary(to) {
                to += 1;
            }
            RandomEdit { range: at..at, text: text[from..to].to_owned() }
        }
    }
}
