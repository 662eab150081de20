//! The bodies of the fuzz targets in `tests/fuzz`, and those of `cargo xtask fuzz`. Inputs that once failed live in `tests/data/fuzz` and
//! are tried again by every test run.

pub mod differential;
pub mod mutate;
pub mod targets;

use wavelens_base::{Dialect, Options, Severity, TextRange, TextSize};
use wavelens_ide::db::View;
use wavelens_ide::{Checked, Database, Document, Edit};
use wavelens_spirv::{self as spirv, IdStyle};

use crate::properties;
use crate::random::{self, Random};

/// What the bytes of a fuzzer say: the first names the dialect, the second seeds random choices, the rest is the text.
#[derive(Debug)]
pub struct Input {
    pub dialect: Dialect,
    pub random: Random,
    pub text: String,
}

impl Input {
    /// None when there are not even the first two bytes.
    pub fn read(data: &[u8]) -> Option<Input> {
        let [dialect, seed, text @ ..] = data else { return None };
        Some(Input {
            dialect: Dialect::ALL[usize::from(*dialect) % Dialect::ALL.len()],
            random: Random::new(u64::from(*seed)),
            text: String::from_utf8_lossy(text).into_owned(),
        })
    }

    /// The tree is lossless, and checking ends with findings inside the text.
    pub fn check(self) {
        properties::lossless(self.dialect, &self.text);
        properties::check(self.dialect, &self.text, &Options::default());
    }

    /// Every answer for editors about the text and about a place in it.
    pub fn answers(mut self) {
        let mut db = Database::default();
        let document = Document::new(&mut db, self.dialect, &self.text, Options::default());
        let view = View::new(&db, document.file());
        properties::answers(view, &self.text);
        properties::answers_at(view, &self.text, self.random.offset(&self.text));
    }

    /// Ten edits leave the document equal to one opened with the result.
    pub fn edits(mut self) {
        let mut db = Database::default();
        let mut document = Document::new(&mut db, self.dialect, &self.text, Options::default());
        for _ in 0..10 {
            let edit = random::edit(&mut self.random, &self.text);
            let (start, end) = (edit.range.start as u32, edit.range.end as u32);
            self.text.replace_range(edit.range, &edit.text);
            let range = TextRange::new(TextSize::new(start), TextSize::new(end));
            document.edit(&mut db, &Edit { range, text: edit.text });
        }
        properties::equals_scratch(&mut db, &mut document, &mut Checked::default(), self.dialect, &self.text);
    }
}

/// A SPIR-V binary is refused with a message, or its text is lossless and, unless something is wrong with the module,
/// assembles back to the same instructions.
pub fn spirv_binary(data: &[u8]) {
    let text = |style| spirv::disassemble(data, style);
    let (Ok(friendly), Ok(raw)) = (text(IdStyle::Friendly), text(IdStyle::Raw)) else { return };
    properties::lossless(Dialect::Spirv, &friendly);
    if properties::check(Dialect::Spirv, &raw, &Options::default())
        .iter()
        .any(|f| f.severity == Severity::Error)
    {
        return;
    }
    let again = spirv::encode(&raw, &Options::default());
    let is_big_endian = data.first() == Some(&7);
    let read = if is_big_endian { u32::from_be_bytes } else { u32::from_le_bytes };
    let words: Vec<u32> = data.as_chunks().0.iter().map(|bytes| read(*bytes)).collect();
    // The header is made anew: its bound is what the ids need.
    assert_eq!(again.words().get(5..), words.get(5..), "{raw}");
}
