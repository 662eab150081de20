//! Code that a compiler wrote next to its input: Triton's cache has `KERNEL.llir` and, compiled from it, `KERNEL.amdgcn` and `KERNEL.hsaco`.
//! It is what runs, so it is shown in place of what this machine's compiler makes.

use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use wavelens_codegen::{Cancel, Compiler, Failure, Report};
use wavelens_ide::codegen::{Detail, Settings, sources};
use wavelens_ide::db::{Database, View};
use wavelens_ide::{Document, features};

use crate::compile::{Job, machine_code};
use crate::source::read;

/// Endings of files with the code of a `.llir`, the one with names first.
const ENDINGS: [&str; 2] = ["amdgcn", "hsaco"];
/// A copied folder has its files within moments, in any order.
const MOMENTS: Duration = Duration::from_secs(2);

/// The code next to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WrittenCode {
    pub(crate) path: PathBuf,
    /// The file was edited since.
    pub(crate) is_older: bool,
}

impl WrittenCode {
    /// The code next to a job's file, if the job asks for no other compilation.
    pub(crate) fn of(job: &Job, path: &Path) -> Option<WrittenCode> {
        let Settings { opt_level, passes, flags, functions: _, attributes, no_experiments: _ } =
            &job.settings;
        let options = &job.options;
        let is_plain = opt_level.is_none()
            && options.run.is_none()
            && [passes.is_empty(), flags.is_empty(), attributes.is_empty(), options.features.is_empty()]
                .iter()
                .all(|is_default| *is_default)
            && options.triple.is_none()
            && options.target.is_none();
        if !is_plain || path.extension().is_none_or(|ending| ending != "llir") {
            return None;
        }
        let code = ENDINGS.iter().map(|ending| path.with_extension(ending)).find(|path| path.is_file())?;
        let written = |path: &Path| std::fs::metadata(path).and_then(|found| found.modified()).ok();
        let is_since = || Some(written(&code)? >= written(path)?.checked_sub(MOMENTS)?);
        let is_saved = || std::fs::read(path).is_ok_and(|bytes| bytes == job.text.as_bytes());
        let is_older = !is_since().unwrap_or(false) || !is_saved();
        Some(WrittenCode { path: code, is_older })
    }

    fn name(&self) -> Cow<'_, str> {
        self.path.file_name().unwrap_or_default().to_string_lossy()
    }

    /// What views say that compile the file themselves.
    pub(crate) fn other_compiler(&self) -> String {
        format!("compiled here; figures of {} may be others", self.name())
    }

    /// Where the code that is shown comes from, as a sentence.
    pub(crate) fn note(&self, from: &str) -> String {
        let code = self.name();
        match self.is_older {
            false => format!("code of {code}, which was compiled from {from}"),
            true => format!("compiled again: {from} was edited since {code} was compiled from it"),
        }
    }

    /// The code, as what compiling gives, by lines of the job's text.
    ///
    /// # Errors
    /// When the file cannot be read or assembled.
    pub(crate) fn report(&self, compiler: &Compiler, job: &Job, cancel: &Cancel) -> Result<Report, Failure> {
        let source = read(&self.path, None).map_err(Failure::NotCompiled)?;
        let code = Job {
            dialect: source.dialect,
            text: source.text,
            options: job.options.clone(),
            settings: Settings::default(),
        };
        let mut report = machine_code(compiler, &code, Detail::Costs, cancel)?;
        let lines = places(&code);
        // Lines with the same place come from one expression of the source: the first stands for all.
        let mut first: HashMap<&Place, u32> = HashMap::new();
        let mut shared: HashSet<u32> = HashSet::new();
        let ir = places(job);
        let mut in_order: Vec<_> = ir.iter().collect();
        in_order.sort_unstable();
        for (line, place) in in_order {
            match first.entry(place) {
                Entry::Occupied(first) => drop(shared.insert(*first.get())),
                Entry::Vacant(free) => drop(free.insert(*line)),
            }
        }
        let line_of = |line: u32| first.get(lines.get(&line)?).copied();
        for line in &mut report.lines {
            line.source = line_of(line.line);
        }
        for peak in report.kernels.iter_mut().filter_map(|kernel| kernel.peak.as_mut()) {
            peak.source = line_of(peak.line);
        }
        report.sources = sources(&report.lines);
        // What the lines of an expression cost together is not what its first one costs.
        report.sources.retain(|cost| !shared.contains(&cost.line));
        Ok(report)
    }
}

/// A place in a file that was compiled: name, line, column.
type Place = (String, u32, u32);

/// The places in debug information of the lines with instructions.
fn places(job: &Job) -> HashMap<u32, Place> {
    let mut db = Database::default();
    let document = Document::new(&mut db, job.dialect, &job.text, job.options.clone());
    let view = View::new(&db, document.file());
    let mut found = HashMap::new();
    let mut start = 0u32;
    for (number, line) in (0..).zip(job.text.split_inclusive('\n')) {
        let at = start + (line.len() - line.trim_start().len()) as u32;
        start += line.len() as u32;
        if !line.starts_with([' ', '\t']) || line.trim_start().starts_with('.') {
            continue;
        }
        if let Some(place) = features::source_place(view, at.into()) {
            let name = place.file.rsplit('/').next().unwrap_or(&place.file).to_owned();
            found.insert(number, (name, place.line, place.column));
        }
    }
    found
}
