//! A second opinion on AMDGPU assembly: `llvm-mc` on encodings, `llvm-mca` on latency and throughput.

use std::collections::HashMap;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;

use serde_json::Value;

use crate::includes::opens_files;
use crate::llc::{run_fed_tool, run_tool, succeeded};
use crate::process::{Cancel, Limits};
use crate::report::{Cost, Failure, Message, Report};
use crate::tools::Tool;

/// Bytes of one instruction; `None` for those that a relocation fills.
type Bytes = Vec<Option<u8>>;

/// The processor and the wave size, which these programs take on the command line.
pub(crate) fn arguments(target: &str, lanes: u32) -> Vec<String> {
    let attribute = (lanes == 64).then(|| "-mattr=+wavefrontsize64".to_owned());
    target_arguments(target).into_iter().chain(attribute).collect()
}

/// The processor of a report as LLVM's programs take it: `gfx90a`, or with features `gfx90a:sramecc+:xnack-`.
fn target_arguments(target: &str) -> Vec<String> {
    if target.is_empty() {
        return Vec::new();
    }
    let mut parts = target.split(':');
    let mut arguments = vec![format!("-mcpu={}", parts.next().unwrap_or(target))];
    let features: Vec<String> = parts
        .filter_map(|f| match f.strip_suffix('+') {
            Some(on) => Some(format!("+{on}")),
            None => f.strip_suffix('-').map(|off| format!("-{off}")),
        })
        .collect();
    if !features.is_empty() {
        arguments.push(format!("-mattr={}", features.join(",")));
    }
    arguments
}

/// The wave size of a report's first function: as it was read, else as the assembly declares it.
pub(crate) fn lanes(report: &Report) -> u32 {
    let declared = report.isa.split_once(".amdhsa_wavefront_size32").map(|(_, rest)| rest.trim_start());
    let declared = if declared.is_some_and(|value| value.starts_with('0')) { 64 } else { 32 };
    report.lanes.first().map_or(declared, |(_, lanes)| *lanes)
}

/// Assembles the report's text with `llvm-mc` and compares, instruction by instruction, with the encodings in the report.
/// A difference is a mistake of ours: one message each, the first 20. `llvm-mc` does not read waves of both sizes in one text.
///
/// # Errors
/// When `llvm-mc` could not be run to its end, or refuses the text.
pub fn confirm(
    report: &Report,
    llvm_mc: &Tool,
    limits: &Limits,
    cancel: &Cancel,
) -> Result<Vec<Message>, Failure> {
    // Nor what the document includes.
    if has_both_sizes(report) || opens_files(&report.isa) {
        return Ok(Vec::new());
    }
    let mut arguments = arguments(&report.target, lanes(report));
    arguments.extend(["-triple=amdgcn-amd-amdhsa".to_owned(), "-show-encoding".to_owned()]);
    let output = run_tool(llvm_mc, &arguments, report.isa.as_bytes(), limits, cancel)?;
    let theirs = encodings(&String::from_utf8_lossy(&output.stdout));
    Ok(differences(report, &theirs))
}

/// The bytes after `; encoding:` on each line that has them.
fn encodings(text: &str) -> Vec<Bytes> {
    let byte = |word: &str| word.trim().strip_prefix("0x").and_then(|hex| u8::from_str_radix(hex, 16).ok());
    text.lines()
        .filter_map(|l| l.split_once("; encoding: [")?.1.split_once(']'))
        .map(|(bytes, _)| bytes.split(',').map(byte).collect())
        .collect()
}

fn differences(report: &Report, theirs: &[Bytes]) -> Vec<Message> {
    const SHOWN: usize = 20;
    let message = |line, text| Message { line, is_error: false, text };
    let mut theirs = theirs.iter();
    let mut found = Vec::new();
    // Instructions that are written as data have no encoding there.
    let texts: Vec<&str> = report.isa.lines().collect();
    let is_data = |line: u32| texts.get(line as usize).is_some_and(|text| text.trim_start().starts_with('.'));
    for line in report.lines.iter().filter(|l| !l.encoding.is_empty() && !is_data(l.line)) {
        let ours: Vec<u8> = hex(&line.encoding);
        // One line may hold several instructions.
        let mut at = 0;
        while at < ours.len() {
            let Some(their) = theirs.next() else {
                found.push(message(Some(line.line), "llvm-mc makes fewer instructions".to_owned()));
                return found;
            };
            let own = ours.get(at..at + their.len()).unwrap_or(&[]);
            if own.len() != their.len() || own.iter().zip(their).any(|(a, b)| b.is_some_and(|b| b != *a)) {
                let spelled: String =
                    their.iter().map(|b| b.map_or("??".to_owned(), |b| format!("{b:02x}"))).collect();
                found.push(message(
                    Some(line.line),
                    format!("llvm-mc encodes this as {spelled}, the built-in encoder as {}", line.encoding),
                ));
                if found.len() == SHOWN || own.len() != their.len() {
                    return found;
                }
            }
            at += their.len().max(1);
        }
    }
    if theirs.next().is_some() {
        found.push(message(None, "llvm-mc makes more instructions than the built-in encoder".to_owned()));
    }
    found
}

fn hex(text: &str) -> Vec<u8> {
    let digits = |at: usize| text.get(at..at + 2).and_then(|d| u8::from_str_radix(d, 16).ok());
    (0..text.len()).step_by(2).filter_map(digits).collect()
}

/// `llvm-mca`, started for a target before there is assembly for it: the program is loaded while `llc` compiles.
#[derive(Debug)]
pub struct Prepared {
    model: Model,
    text: Sender<String>,
    costs: JoinHandle<Result<Vec<Cost>, Failure>>,
}

impl Prepared {
    fn start(model: Model, llvm_mca: &Tool, limits: &Limits, cancel: &Cancel) -> Prepared {
        let (text, texts) = channel();
        let limits = Limits { time: limits.time * 2, ..*limits };
        let (own, tool, cancel) = (model.clone(), llvm_mca.clone(), cancel.clone());
        // Without a text it reads nothing, and ends.
        let text_of = move || texts.recv().unwrap_or_default();
        let costs = std::thread::spawn(move || ask(&own, text_of, &tool, &limits, &cancel));
        Prepared { model, text, costs }
    }

    fn ask(self, text: String) -> Result<Vec<Cost>, Failure> {
        // It may have ended; then that is the answer.
        let _ = self.text.send(text);
        self.costs.join().unwrap_or_else(|_| Ok(Vec::new()))
    }
}

/// What the scheduling models say of instructions. They look at opcodes alone, so that each is asked about once.
#[derive(Debug, Default)]
pub struct KnownCosts(Mutex<HashMap<Model, HashMap<u16, Option<Cost>>>>);

/// A target and the lanes of a wave.
type Model = (String, u32);

impl KnownCosts {
    /// Starts `llvm-mca` for a target of which nothing is known yet.
    pub fn prepare(
        &self,
        target: &str,
        lanes: u32,
        llvm_mca: &Tool,
        limits: &Limits,
        cancel: &Cancel,
    ) -> Option<Prepared> {
        let model = (target.to_owned(), lanes);
        let is_new = self.of(&model, |known| known.is_empty());
        is_new.then(|| Prepared::start(model, llvm_mca, limits, cancel))
    }

    /// Adds what the scheduling model says of each instruction. Text that `llvm-mca` cannot read changes nothing.
    ///
    /// # Errors
    /// When `llvm-mca` could not be run to its end, or refuses the text of a wave size; what it says of the other is there.
    pub fn add(
        &self,
        report: &mut Report,
        llvm_mca: &Tool,
        mut prepared: Option<Prepared>,
        limits: &Limits,
        cancel: &Cancel,
    ) -> Result<(), Failure> {
        let mut refused = Ok(());
        for (lanes, text, lines) in by_wave_size(report) {
            let model = (report.target.clone(), lanes);
            let opcodes = || lines.iter().filter_map(|at| report.lines[*at].opcode);
            let is_new = self.of(&model, |known| opcodes().any(|opcode| !known.contains_key(&opcode)));
            if is_new {
                let found = match prepared.take_if(|prepared| prepared.model == model) {
                    _ if opens_files(&text) => Ok(Vec::new()),
                    Some(prepared) => prepared.ask(text),
                    None => ask(&model, || text, llvm_mca, limits, cancel),
                };
                self.of(&model, |known| match &found {
                    // Lines that hold several instructions make the count differ; then nothing is said.
                    Ok(costs) if costs.len() == lines.len() => {
                        let opcodes = lines.iter().map(|at| report.lines[*at].opcode);
                        known.extend(
                            opcodes.zip(costs).filter_map(|(opcode, cost)| Some((opcode?, Some(*cost)))),
                        );
                    }
                    // It would crash at the next edit too.
                    Err(Failure::Crashed { .. }) => {
                        for opcode in opcodes() {
                            known.entry(opcode).or_default();
                        }
                    }
                    _ => {}
                });
                match found {
                    Err(Failure::Cancelled) => return Err(Failure::Cancelled),
                    Err(failure) => refused = Err(failure),
                    Ok(_) => {}
                }
            }
            self.of(&model, |known| {
                for at in lines {
                    let line = &mut report.lines[at];
                    line.cost = line.opcode.and_then(|opcode| *known.get(&opcode)?);
                }
            });
        }
        refused
    }

    fn of<T>(&self, model: &Model, look: impl FnOnce(&mut HashMap<u16, Option<Cost>>) -> T) -> T {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        look(known.entry(model.clone()).or_default())
    }
}

/// The costs of a text's instructions, in order.
fn ask(
    (target, lanes): &Model,
    text: impl FnOnce() -> String + Send + 'static,
    llvm_mca: &Tool,
    limits: &Limits,
    cancel: &Cancel,
) -> Result<Vec<Cost>, Failure> {
    let mut arguments = arguments(target, *lanes);
    let fixed = ["-mtriple=amdgcn-amd-amdhsa", "--json", "-instruction-tables", "-resource-pressure=0"];
    arguments.extend(fixed.map(str::to_owned));
    let input = || text().into_bytes();
    let output = succeeded(llvm_mca, run_fed_tool(llvm_mca, &arguments, input, limits, cancel)?, b"")?;
    Ok(costs(&String::from_utf8_lossy(&output.stdout)))
}

/// Whether functions differ in the size of their waves.
pub(crate) fn has_both_sizes(report: &Report) -> bool {
    report.lanes.windows(2).any(|pair| pair[0].1 != pair[1].1)
}

/// What is asked at once: a wave size, the text, and the indices of its lines in the report. Where functions differ in the size of
/// their waves, the text of each size holds just their instructions.
fn by_wave_size(report: &Report) -> Vec<(u32, String, Vec<usize>)> {
    let encoded = || report.lines.iter().enumerate().filter(|(_, l)| !l.encoding.is_empty());
    if !has_both_sizes(report) {
        return vec![(lanes(report), report.isa.clone(), encoded().map(|(at, _)| at).collect())];
    }
    let lanes_of = |line: u32| {
        let behind = report.lanes.partition_point(|(start, _)| *start <= line);
        report.lanes.get(behind.saturating_sub(1)).map_or(32, |(_, lanes)| *lanes)
    };
    let texts: Vec<&str> = report.isa.lines().collect();
    [32, 64]
        .map(|lanes| {
            let own = encoded().filter(|(_, l)| lanes_of(l.line) == lanes);
            let (indices, lines): (Vec<usize>, Vec<u32>) = own.map(|(at, l)| (at, l.line)).unzip();
            let lines = lines.iter().filter_map(|line| texts.get(*line as usize));
            (lanes, lines.flat_map(|text| [text, "\n"]).collect(), indices)
        })
        .into()
}

/// The instructions of all regions, in order.
fn costs(json: &str) -> Vec<Cost> {
    let value: Value = serde_json::from_str(json).unwrap_or_default();
    let regions = value.get("CodeRegions").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    regions
        .iter()
        .filter_map(|r| r.get("InstructionInfoView")?.get("InstructionList")?.as_array())
        .flatten()
        .filter_map(|i| {
            let latency = u32::try_from(i.get("Latency")?.as_u64()?).ok()?;
            Some(Cost { latency, throughput: i.get("RThroughput")?.as_f64()? })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::IsaLine;

    fn report(encodings: &[&str]) -> Report {
        let line = |(line, encoding): (u32, &&str)| IsaLine {
            line,
            encoding: (*encoding).to_owned(),
            ..IsaLine::default()
        };
        Report { lines: (0..).zip(encodings).map(line).collect(), ..Report::default() }
    }

    #[test]
    fn differences_are_said_by_line() {
        let theirs = encodings(
            "\ts_nop 0 ; encoding: [0x00,0x00,0x80,0xbf]\nx:\n\ts_branch x ; encoding: [A,A,0x82,0xbf]\n",
        );
        assert_eq!(differences(&report(&["000080bf", "000082bf"]), &theirs), []);
        // Two instructions of one line.
        assert_eq!(differences(&report(&["000080bf000082bf"]), &theirs), []);
        let texts = |encodings: &[&str]| {
            differences(&report(encodings), &theirs).into_iter().map(|m| (m.line, m.text)).collect::<Vec<_>>()
        };
        let different = "llvm-mc encodes this as 000080bf, the built-in encoder as 010080bf".to_owned();
        assert_eq!(texts(&["010080bf", "000082bf"]), [(Some(0), different)]);
        assert_eq!(
            texts(&["000080bf"]),
            [(None, "llvm-mc makes more instructions than the built-in encoder".to_owned())]
        );
    }

    #[test]
    fn each_wave_size_is_asked_for_by_itself() {
        let isa =
            "\t.text\na:\n\ts_nop 1\n\t.amdhsa_kernel a\nb: ; @b\n\ts_nop 2\n\ts_nop 3\nc:\n\ts_nop 4\n";
        let lines = [(2, "01"), (5, "02"), (6, ""), (8, "04")];
        let line = |(line, encoding): (u32, &str)| IsaLine {
            line,
            encoding: encoding.to_owned(),
            ..IsaLine::default()
        };
        let lines = lines.map(line).to_vec();
        let lanes = vec![(0, 32), (4, 64), (7, 32)];
        let report = Report { isa: isa.to_owned(), lines, lanes, ..Report::default() };
        let (a_and_c, b) = ("\ts_nop 1\n\ts_nop 4\n", "\ts_nop 2\n");
        assert_eq!(
            by_wave_size(&report),
            [(32, a_and_c.to_owned(), vec![0, 3]), (64, b.to_owned(), vec![1])]
        );
        let alike = Report { lanes: vec![(0, 64)], ..report };
        assert_eq!(by_wave_size(&alike), [(64, alike.isa.clone(), vec![0, 1, 3])]);
    }

    /// A program in the place of `llvm-mca`, in a folder of its own.
    #[cfg(unix)]
    struct Script(Tool);

    #[cfg(unix)]
    impl Script {
        fn new(name: &str) -> Script {
            let folder = std::env::temp_dir().join(format!("wavelens-{name}-{}", std::process::id()));
            std::fs::create_dir_all(&folder).expect("a folder");
            let path = folder.join("llvm-mca");
            Script(Tool { path, major: 22, version: String::new(), amdgpu: true })
        }

        fn says(&self, script: &str) {
            use std::os::unix::fs::PermissionsExt;
            std::fs::write(&self.0.path, format!("#!/bin/sh\n{script}\n")).expect("is written");
            let mode = PermissionsExt::from_mode(0o755);
            std::fs::set_permissions(&self.0.path, mode).expect("is a program");
        }

        fn finds(&self, latencies: [u32; 2], before: &str) {
            let list = latencies.map(|l| format!(r#"{{"Latency":{l},"RThroughput":1}}"#)).join(",");
            let json =
                format!(r#"{{"CodeRegions":[{{"InstructionInfoView":{{"InstructionList":[{list}]}}}}]}}"#);
            self.says(&format!("{before}\necho '{json}'"));
        }

        fn latencies(
            &self,
            known: &KnownCosts,
            prepared: Option<Prepared>,
            opcodes: &[Option<u16>],
        ) -> (Vec<Option<u32>>, bool) {
            let line = |(line, opcode): (u32, &Option<u16>)| IsaLine {
                line,
                encoding: "00".to_owned(),
                opcode: *opcode,
                ..IsaLine::default()
            };
            let lines = (0..).zip(opcodes).map(line).collect();
            let isa = "s_nop 0\n".to_owned();
            let mut report = Report { target: "gfx1030".to_owned(), isa, lines, ..Report::default() };
            let result = known.add(&mut report, &self.0, prepared, &Limits::default(), &Cancel::default());
            let latencies = report.lines.iter().map(|l| l.cost.map(|c| c.latency)).collect();
            (latencies, result.is_ok())
        }
    }

    #[cfg(unix)]
    impl Drop for Script {
        fn drop(&mut self) {
            let _ = self.0.path.parent().map(std::fs::remove_dir_all);
        }
    }

    #[test]
    #[cfg(unix)]
    fn an_opcode_is_asked_about_once() {
        let (program, known) = (Script::new("mca"), KnownCosts::default());
        let latencies = |opcodes: &[Option<u16>]| program.latencies(&known, None, opcodes);
        program.finds([5, 320], "");
        assert_eq!(latencies(&[Some(1), Some(2)]), (vec![Some(5), Some(320)], true));
        // It would say nothing that could be read.
        program.says("echo no; exit 0");
        assert_eq!(latencies(&[Some(2), Some(2), Some(1)]), (vec![Some(320), Some(320), Some(5)], true));
        assert_eq!(latencies(&[Some(2), Some(3)]), (vec![Some(320), None], true));
        assert_eq!(latencies(&[Some(2), None]), (vec![Some(320), None], true));
        program.finds([5, 7], "");
        assert_eq!(latencies(&[Some(1), Some(3)]), (vec![Some(5), Some(7)], true));
        // What it crashes on it is not asked about again.
        program.says("kill -ABRT $$");
        assert_eq!(latencies(&[Some(1), Some(4)]), (vec![Some(5), None], false));
        assert_eq!(latencies(&[Some(4), Some(1)]), (vec![None, Some(5)], true));
    }

    #[test]
    #[cfg(unix)]
    fn a_program_that_was_started_before_gets_the_text() {
        let (program, known) = (Script::new("mca-before"), KnownCosts::default());
        let started = program.0.path.with_file_name("started");
        let prepare =
            |lanes| known.prepare("gfx1030", lanes, &program.0, &Limits::default(), &Cancel::default());
        // It answers only to the text.
        let first =
            format!("echo x >> {}; read line; test \"$line\" = 's_nop 0' || exit 1", started.display());
        program.finds([5, 7], &first);
        let prepared = prepare(32);
        while !started.exists() {
            std::thread::yield_now();
        }
        program.says("exit 1");
        assert_eq!(program.latencies(&known, prepared, &[Some(1), Some(2)]), (vec![Some(5), Some(7)], true));
        // Of waves of another size it is asked as ever, and not before that where something is known.
        program.finds([3, 4], &first);
        assert!(prepare(32).is_none());
        let other = KnownCosts::default();
        let of_64 = prepare(64);
        assert_eq!(program.latencies(&other, of_64, &[Some(1), Some(2)]), (vec![Some(3), Some(4)], true));
    }

    #[test]
    fn costs_are_read() {
        let json = r#"{"CodeRegions":[{"InstructionInfoView":{"InstructionList":[{"Latency":5,"RThroughput":1},{"Latency":320,"RThroughput":0.5}]}}]}"#;
        let found: Vec<_> = costs(json).iter().map(|c| (c.latency, c.throughput)).collect();
        assert_eq!(found, [(5, 1.0), (320, 0.5)]);
        assert_eq!(costs("oh no"), []);
    }
}
