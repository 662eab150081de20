//! `wavelens encode`.

use std::collections::HashSet;
use std::io::IsTerminal;
use std::path::PathBuf;

use wavelens_base::{Dialect, Finding, Options};
use wavelens_check::encode::Encoding;
use wavelens_check::{check_text, encode};
use wavelens_ide::codegen::Plan;

use super::compiled_file::has_run_line;
use super::llvm_level::{LEVELS, level_named};
use super::output::{bold, is_colored, print_error, save};
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
    /// The RUN line whose target is meant, by its number; without, the first.
    #[arg(long, value_name = "N")]
    run_line: Option<u32>,
    /// SPIR-V environment, such as vulkan1.2.
    #[arg(long, value_name = "ENV")]
    target_env: Option<String>,
    /// Define an assembly symbol, as a build would.
    #[arg(short = 'D', value_name = "SYM=VAL")]
    defines: Vec<String>,
    /// Folder in which to look for files that assembly includes.
    #[arg(short = 'I', value_name = "FOLDER")]
    include_paths: Vec<PathBuf>,
    /// LLVM version that the bytes are those of.
    #[arg(long, value_name = LEVELS, value_parser = level_named)]
    llvm_level: Option<u8>,
    /// Write a SPIR-V binary to this file instead.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
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
    let dialect = arguments.dialect.or(named).unwrap_or(encode::DEFAULT);
    let source = match read(&arguments.path, Some(dialect)) {
        Ok(source) => source,
        Err(message) => return complain(message),
    };
    let mut options = Options {
        target: arguments.mcpu.clone(),
        run: arguments.run_line,
        target_env: arguments.target_env.clone(),
        llvm_level: arguments.llvm_level,
        defines: arguments.defines.iter().map(|d| super::check::split_define(d)).collect(),
        ..Options::default()
    };
    let path = shown::path(&arguments.path);
    let checked = super::known_values(&mut options)
        .and_then(|()| super::check::known_folders(&arguments.include_paths))
        .and_then(|()| super::target::with_project(&options, &arguments.path));
    let options = match checked {
        Ok(options) => options,
        Err(message) => return complain(message),
    };
    if let Some(number) = arguments.run_line
        && let Err(message) = has_run_line(&source, number)
    {
        return complain(format!("{path}: {message}"));
    }
    let options = super::check::with_includes(&options, &source, &arguments.path, &arguments.include_paths);
    let lacks_processor = source.dialect == Dialect::Amdgpu
        && Plan::of(source.dialect, &source.text, options.clone()).configuration.processor.is_none()
        && check_text(source.dialect, &source.text, &options).iter().any(|f| f.rule.code == "no-processor");
    if lacks_processor {
        return complain(format!(
            "{path}: the file names no processor; use `--mcpu gfx1100`, or write `.amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"`"
        ));
    }
    let Some(encoding) = encode::encode(source.dialect, &source.text, &options) else {
        return complain(format!("{path}: only spirv and amdgpu are encoded, not {}", source.dialect));
    };
    if let Some(output) = &arguments.output {
        return match (source.dialect, encoding.is_refused) {
            (Dialect::Spirv, false) => {
                let bytes: Vec<u8> = encoding.lines.iter().flat_map(|line| &*line.bytes).copied().collect();
                save(output, &bytes)
            }
            (Dialect::Spirv, true) => report(arguments, source, &encoding, &options),
            _ => complain("--output writes SPIR-V binaries only"),
        };
    }
    let index = LineIndex::new(&source.text);
    let mut out = String::new();
    // Other programs take the lines as they are.
    if arguments.format == Format::Human && std::io::stdout().is_terminal() {
        let heads = format!(
            "{:>6} {:<8}  {:<width$}  instruction",
            "line",
            "offset",
            "bytes",
            width = encoding.width
        );
        out = bold(&heads, is_colored(&std::io::stdout())) + "\n";
    }
    for line in &encoding.lines {
        let number = line.range.map_or(0, |range| index.position(range.start()).0 + 1);
        out.push_str(&match arguments.format {
            Format::Json => {
                let bytes = &encode::hexadecimal(&line.bytes);
                let object = Line { line: number, offset: line.offset, bytes, text: &line.text };
                shown::json(&object)
            }
            Format::Human => {
                let width = encoding.width;
                format!("{number:>6} {:08x}  {:<width$}  {}", line.offset, line.shown, line.text)
            }
        });
        out.push('\n');
    }
    print(&out);
    if encoding.is_refused { report(arguments, source, &encoding, &options) } else { Outcome::Clean }
}

/// Prints the findings of a text that was not encoded as a whole.
fn report(arguments: &Arguments, source: Source, encoding: &Encoding, options: &Options) -> Outcome {
    let mut findings = check_text(source.dialect, &source.text, options);
    let known: HashSet<_> = findings.iter().map(|f| (f.range, f.message.as_str())).collect();
    let further = encoding.findings.iter().filter(|f| !known.contains(&(f.range, f.message.as_str())));
    let further: Vec<Finding> = further.cloned().collect();
    findings.extend(further);
    findings.sort_by_key(|f| f.range.start());
    let checked = crate::checked::Checked::new(&arguments.path, source, findings, options);
    print_error(&human::file(&checked, is_colored(&std::io::stderr())));
    Outcome::ErrorsFound
}
