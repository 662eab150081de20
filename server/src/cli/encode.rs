//! `wavelens encode`.

use wavelens_analysis::{Dialect, Options, amdgpu, check_text};

use super::{Outcome, complain, human, print};
use crate::line_index::LineIndex;
use crate::source::read;

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Human,
    Json,
}

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Output format.
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
    /// AMDGPU processor, for files that name none.
    #[arg(long, value_name = "gfxNNN")]
    mcpu: Option<String>,
    /// Assembly symbols that a build would define.
    #[arg(short = 'D', value_name = "SYM=VAL")]
    defines: Vec<String>,
    /// The file; `-` is standard input.
    path: String,
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
    let source = match read(&arguments.path, Some(Dialect::Amdgpu)) {
        Ok(source) => source,
        Err(message) => return complain(message),
    };
    let options = Options {
        target: arguments.mcpu.clone(),
        defines: arguments.defines.iter().map(|d| super::check::split_define(d)).collect(),
        ..Options::default()
    };
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
    if !mistakes.iter().any(|m| m.severity == wavelens_analysis::Severity::Error) {
        return Outcome::Clean;
    }
    let findings = check_text(Dialect::Amdgpu, &source.text, &options);
    let checked = super::check::Checked { path: arguments.path.clone(), source, findings };
    eprint!("{}", human::file(&checked, &mut human::Totals::default()));
    Outcome::ErrorsFound
}
