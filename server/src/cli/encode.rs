//! `wavelens encode`.

use std::path::PathBuf;

use wavelens_semantics::{Dialect, Options, amdgpu, check_text, spirv};

use super::output::print_error;
use super::{Format, Outcome, complain, human, print, shown};
use crate::line_index::LineIndex;
use crate::source::{Source, read};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Output format.
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
    /// AMDGPU processor, for files that name none.
    #[arg(long, value_name = "gfxNNN")]
    mcpu: Option<String>,
    /// spirv or amdgpu; without it, the file name decides, else amdgpu.
    #[arg(long)]
    dialect: Option<Dialect>,
    /// SPIR-V environment, such as vulkan1.2.
    #[arg(long, value_name = "ENV")]
    target_env: Option<String>,
    /// Define an assembly symbol, as a build would.
    #[arg(short = 'D', value_name = "SYM=VAL")]
    defines: Vec<String>,
    /// Folder in which to look for files that assembly includes.
    #[arg(short = 'I', value_name = "FOLDER")]
    include_paths: Vec<PathBuf>,
    /// The file; `-` is standard input.
    path: PathBuf,
}

/// One object a line of the output.
#[derive(Debug, serde::Serialize)]
struct Line<'a> {
    line: u32,
    offset: u64,
    bytes: &'a str,
    text: &'a str,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let named = arguments.path.file_name().and_then(|n| Dialect::from_file_name(&n.to_string_lossy()));
    // A few lines on standard input may be too little to tell.
    let dialect = arguments.dialect.or(named).unwrap_or(Dialect::Amdgpu);
    let source = match read(&arguments.path, Some(dialect)) {
        Ok(source) => source,
        Err(message) => return complain(message),
    };
    if !matches!(source.dialect, Dialect::Spirv | Dialect::Amdgpu) {
        let path = shown::path(&arguments.path);
        return complain(format!("{path}: only spirv and amdgpu are encoded, not {}", source.dialect));
    }
    let options = Options {
        target: arguments.mcpu.clone(),
        target_env: arguments.target_env.clone(),
        defines: arguments.defines.iter().map(|d| super::check::split_define(d)).collect(),
        ..Options::default()
    };
    super::note_unknown(&options);
    let options = super::target::with_project(&options, &arguments.path);
    let options = super::check::with_includes(&options, &source, &arguments.path, &arguments.include_paths);
    if source.dialect == Dialect::Spirv {
        return spirv_words(arguments, source, &options);
    }
    let (lines, mistakes) = amdgpu::encode(&source.text, &options);
    let index = LineIndex::new(&source.text);
    let mut out = String::new();
    for line in &lines {
        let bytes: String = line.bytes.iter().map(|b| format!("{b:02x}")).collect();
        let number = index.position(line.range.start()).0 + 1;
        match arguments.format {
            Format::Json => {
                let object = Line { line: number, offset: line.offset, bytes: &bytes, text: &line.text };
                out.push_str(&serde_json::to_string(&object).unwrap_or_default());
            }
            Format::Human => {
                out.push_str(&format!("{:>6} {:08x}  {bytes:<24}  {}", number, line.offset, line.text))
            }
        }
        out.push('\n');
    }
    print(&out);
    if !mistakes.iter().any(|m| m.severity == wavelens_semantics::Severity::Error) {
        return Outcome::Clean;
    }
    report(arguments, source, &options)
}

/// Prints the header and the words of each instruction; offsets are in bytes.
fn spirv_words(arguments: &Arguments, source: Source, options: &Options) -> Outcome {
    let encoded = spirv::encode(&source.text, options);
    let index = LineIndex::new(&source.text);
    let mut out = String::new();
    let mut offset = 0;
    let mut put = |line: u32, words: &[u32], text: &str| {
        let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match arguments.format {
            Format::Json => {
                let bytes: String =
                    words.iter().flat_map(|w| w.to_le_bytes()).map(|b| format!("{b:02x}")).collect();
                let object = Line { line, offset, bytes: &bytes, text: &text };
                out.push_str(&serde_json::to_string(&object).unwrap_or_default());
            }
            Format::Human => {
                let words: Vec<String> = words.iter().map(|w| format!("{w:08x}")).collect();
                out.push_str(&format!("{line:>6} {offset:08x}  {:<44}  {text}", words.join(" ")));
            }
        }
        out.push('\n');
        offset += words.len() as u64 * 4;
    };
    put(0, &encoded.header, "");
    for inst in &encoded.insts {
        let text = source.text.get(std::ops::Range::<usize>::from(inst.range)).unwrap_or("");
        put(index.position(inst.range.start()).0 + 1, &inst.words, text);
    }
    print(&out);
    if !encoded.is_refused {
        return Outcome::Clean;
    }
    report(arguments, source, options)
}

/// Prints the findings of a text that was not encoded as a whole.
fn report(arguments: &Arguments, source: Source, options: &Options) -> Outcome {
    let findings = check_text(source.dialect, &source.text, options);
    let checked = super::check::Checked::new(&arguments.path, source, findings, options);
    print_error(&human::file(&checked, &std::io::stderr()));
    Outcome::ErrorsFound
}
