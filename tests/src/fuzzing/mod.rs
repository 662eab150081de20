//! The bodies of the fuzz targets in `tests/fuzz`, and those of `cargo xtask fuzz`. Inputs that once failed live in `tests/data/fuzz` and
//! are tried again by every test run.

pub mod differential;
pub mod mutate;
pub mod targets;

use std::path::Path;

use pulldown_cmark::{Event, Parser, Tag};
use wavelens_base::configuration::run_line;
use wavelens_base::{Dialect, Options, Severity, TextRange, TextSize, lit};
use wavelens_check::project::Project;
use wavelens_ide::db::View;
use wavelens_ide::{Checked, Database, Document, Edit, markdown};
use wavelens_spirv::{self as spirv, IdStyle};
use wavelens_syntax::visible;

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

/// The RUN lines of any text: what they say of the configuration, and the commands that lit would run, are inside the text.
pub fn run_lines(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for line in run_line::run_lines(&text) {
        line.invocation(&["llc", "opt", "llvm-mc"], None);
    }
    let test = lit::Test::read(&text, &["amdgpu-registered-target"]);
    let ranges = test.runs.iter().map(|run| run.range).chain(test.problems.iter().map(|(range, _)| *range));
    for range in ranges {
        assert!(text.get(range.start().into()..range.end().into()).is_some(), "{range:?} is not in {text:?}");
    }
}

/// Any text as a project file: refused with mistakes, or applied to a file.
pub fn project(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (project, mistakes) = Project::read(Path::new("/project/wavelens.toml"), &text);
    for mistake in mistakes {
        let range = mistake.range;
        assert!(text.get(range.start().into()..range.end().into()).is_some(), "{range:?} is not in {text:?}");
    }
    for file in ["/project/a.ll", "/project/rdna/b.s", "/elsewhere/c.mir"].map(Path::new) {
        if let Some(project) = &project {
            project.apply(file, &Options::default());
            project.excludes(file);
        }
    }
}

/// Any text in Markdown is shown as it is, and does nothing.
pub fn shown(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let spans = [
        (markdown::code(&text), visible::line(&text)),
        (markdown::block("llvm", &text), visible::text(&text)),
    ];
    for (written, wanted) in spans {
        let shown: String = Parser::new(&written)
            .map(|event| match event {
                Event::Code(text) | Event::Text(text) => text.into_string(),
                Event::Start(Tag::Paragraph | Tag::CodeBlock(_)) | Event::End(_) => String::new(),
                other => panic!("{other:?} in {written:?}"),
            })
            .collect();
        // Readers take blanks at the ends of spans and lines away.
        let marks = |text: &str| text.replace(char::is_whitespace, "");
        assert_eq!(marks(&shown), marks(&wanted), "{written:?}");
    }
    let safe = markdown::safe(&text);
    for event in Parser::new(&safe) {
        let is_harmless = match &event {
            Event::Start(Tag::Link { dest_url, .. }) => dest_url.starts_with("https://"),
            Event::Start(Tag::Image { .. } | Tag::HtmlBlock) | Event::Html(_) | Event::InlineHtml(_) => false,
            _ => true,
        };
        assert!(is_harmless, "{event:?} in {safe:?}");
    }
}
