//! Examples and exit status of each command, shown below its options and in its man page.

/// The commands by what they are for, in the order of the help.
pub(super) const GROUPS: &[(&str, &[&str])] = &[
    ("Check and fix", &["check", "fmt", "explain", "interface", "lit"]),
    (
        "See what a file compiles to",
        &["isa", "compare", "advise", "passes", "trace", "remarks", "cfg", "target"],
    ),
    ("Assemble and disassemble", &["encode", "disassemble", "parse"]),
    ("Report bugs", &["reduce", "report"]),
    ("Set up", &["doctor", "lsp", "completions", "man"]),
];

/// The layout of the program's help, with the commands in groups.
pub(super) fn template(command: &clap::Command) -> String {
    let heading = command.get_styles().get_header();
    let literal = command.get_styles().get_literal();
    let mut out = String::from("{before-help}{about-with-newline}\n{usage-heading} {usage}\n");
    for (title, names) in GROUPS {
        out.push_str(&format!("\n{heading}{title}:{heading:#}\n"));
        for name in *names {
            let about = command.find_subcommand(name).and_then(clap::Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            out.push_str(&format!("  {literal}{name:<12}{literal:#} {about}\n"));
        }
    }
    out + &format!("\n{heading}Options:{heading:#}\n{{options}}{{after-help}}")
}

pub(super) const PROGRAM: &str = "\
Examples:
  wavelens check kernel.ll          Find errors in a file
  wavelens check .                  Find errors in all files below this folder
  wavelens fmt kernel.ll            Format a file
  wavelens explain undefined-value  Say what a code means
  wavelens doctor                   Say which external tools were found

`wavelens COMMAND --help` says more about a command.";

pub(super) const CHECK: &str = "\
Examples:
  wavelens check                          Check all files below the current folder
  wavelens check a.ll tests/              Check a file and a folder
  llc -stop-after=isel a.ll -o - | wavelens check --dialect mir -
                                          Check what a pipe delivers
  wavelens check --mcpu gfx1100 a.s       Check for a processor
  wavelens check --fix .                  Apply all fixes that are certain
  wavelens check --fix --diff .           Print what these fixes would change
  wavelens check --format github .        Annotate a pull request
  wavelens check --format concise --statistics .
                                          Count findings by code
  wavelens check --severity unused-global=error --allow constant-branch .
  wavelens check --write-baseline known.json
  wavelens check --baseline known.json    Report only what is new

`; wavelens: allow(CODE)` in a comment keeps a finding of a line from being reported.

Exit status:
  0  No errors (with --error-on-warning: no warnings either; with --diff: nothing to fix either)
  1  Errors found
  2  Wrong arguments, unreadable files or nothing to check; all other files are checked";

pub(super) const FMT: &str = "\
Examples:
  wavelens fmt kernel.ll tests/        Format a file, and all files in a folder
  wavelens fmt --check .               List the files that are not formatted
  wavelens fmt --diff a.spvasm         Print what would change
  spirv-dis a.spv | wavelens fmt --dialect spirv --spirv-layout nested -
                                       Format what a pipe delivers

Only white space changes. What has syntax errors stays as it is.

Exit status:
  0  Everything is formatted
  1  With --check or --diff: some files are not formatted
  2  Wrong arguments, unreadable files or nothing to format; all other files are formatted";

pub(super) const TARGET: &str = "\
Examples:
  wavelens target a.ll                    Print processor, features and where each comes from
  wavelens target --run-line 2 a.s        Print what the second RUN line asks for
  wavelens target --format json a.mir     Print one object

Exit status:
  0  The configuration was printed
  2  Wrong arguments or an unreadable file";

pub(super) const LIT: &str = "\
Examples:
  wavelens lit kernel.ll                  Run all RUN lines of a test, until one fails
  wavelens lit --run-line 2 kernel.ll     Run one of them
  wavelens lit --show-output kernel.ll    Print what the programs wrote too
  wavelens lit --filter atomics -j 4 tests/
                                          Run some tests of a folder, four at the same time
  wavelens lit --format sarif tests/      Report to code scanning
  wavelens lit --update-checks --llvm-source ~/llvm-project kernel.ll
                                          Write its CHECK lines again with LLVM's script

Only llc, opt, llvm-as, llvm-dis, llvm-mc, FileCheck, spirv-as, spirv-val and spirv-dis are started, without a shell and in a
private folder; not, count, split-file, cat, echo, mkdir, rm and plain `sed s/this/that/` are built in. If a test has any other
command, or an option that loads something or writes elsewhere, nothing of it is run.

Exit status:
  0  All tests passed, or are unsupported here
  1  A test failed
  2  Wrong arguments, unreadable files, or tests that may not be run; all other tests are run";

pub(super) const ENCODE: &str = "\
Examples:
  wavelens encode --mcpu gfx1100 a.s      Print offset, bytes and text of each instruction
  echo 's_endpgm' | wavelens encode --mcpu gfx942 --dialect amdgpu -
  wavelens encode --format json a.spvasm  One object for each instruction

Exit status:
  0  Everything was encoded
  1  Lines with errors were left out
  2  Wrong arguments or an unreadable file";

pub(super) const DISASSEMBLE: &str = "\
Examples:
  wavelens disassemble shader.spv           Print a SPIR-V binary as text
  wavelens disassemble --raw-id shader.spv  Keep the numbers of ids
  wavelens disassemble kernel.hsaco         Print an AMDGPU code object as text
  wavelens disassemble kernel.bc            Print LLVM bitcode as text, with llvm-dis
  wavelens disassemble --code-object gfx942 app
                                            Print the kernels of a HIP program for gfx942

Exit status:
  0  The text was printed
  2  Wrong arguments, an unreadable or a corrupt file";

pub(super) const PARSE: &str = "\
Examples:
  wavelens parse a.ll                         Print the syntax tree
  wavelens parse --verify-lossless a.ll b.ll  Compare the trees' text with the files

Exit status:
  0  The trees were printed, or are lossless
  1  A tree's text is not its file's
  2  Wrong arguments or an unreadable file";

pub(super) const EXPLAIN: &str = "\
Examples:
  wavelens explain                  List all codes
  wavelens explain undefined-value  Explain one, with an example
  wavelens explain phi predecessor  List those about some words

Exit status:
  0  The explanation was printed
  2  A code is unknown, or no code is about the words";

pub(super) const ISA: &str = "\
Examples:
  wavelens isa --mcpu gfx1100 kernel.ll               Print the generated instructions
  wavelens isa --mcpu gfx942 --function k --opt 3 kernel.ll
  wavelens isa --why kernel.ll                        Why a kernel takes so many registers
  wavelens isa --cycles kernel.ll                     Cycles of each block and loop
  wavelens isa --format json kernel.spvasm            One object with lines and kernels

Exit status:
  0  The code was printed
  1  Lines of assembly with errors were left out
  2  Wrong arguments, a missing tool (see `wavelens doctor`) or a file that does not compile";

pub(super) const COMPARE: &str = "\
Examples:
  wavelens compare kernel.ll                           One processor of each generation
  wavelens compare --targets gfx90a,gfx1100 kernel.ll  These two
  wavelens compare --opt-levels 1,2,3 kernel.ll        At three optimization levels
  wavelens compare --fail-above vgpr=64,vgpr-spills=0 --fail-below waves=8 kernel.ll
                                                       Fail in CI when a kernel takes more

Exit status:
  0  The table was printed, and no kernel is beyond a threshold
  1  A kernel is beyond a threshold
  2  Wrong arguments, a missing tool (see `wavelens doctor`) or a file that does not compile";

pub(super) const ADVISE: &str = "\
Examples:
  wavelens advise kernel.ll                          Try changes for each kernel
  wavelens advise --function k --mcpu gfx90a kernel.ll
  wavelens advise --passes 'default<O3>' kernel.ll   Try less unrolling as well

Each change is compiled, and printed with the figures that the compiler reports and the command that repeats it. Waves and
spills say nothing about speed: measure before you keep a change.

Exit status:
  0  The changes were printed
  2  Wrong arguments, a missing tool (see `wavelens doctor`) or a file that does not compile";

pub(super) const PASSES: &str = "\
Examples:
  wavelens passes --mcpu gfx1100 --summary kernel.ll    Names of the passes that changed something
  wavelens passes --pass machine-scheduler kernel.ll    What one pass changed
  wavelens passes --run-to machine-scheduler kernel.ll  The Machine IR after a pass
  llc -print-after-all kernel.ll 2>dump.txt; wavelens passes dump.txt
                                                        What a dump of passes shows

A dump of -print-after-all, -print-before-all or -print-changed (also quiet and diff) is read, and nothing is compiled.

Exit status:
  0  The changes were printed
  2  Wrong arguments, a missing tool (see `wavelens doctor`) or a file that does not compile";

pub(super) const REMARKS: &str = "\
Examples:
  wavelens remarks --passes 'default<O2>' kernel.ll        What passes did, and could not do
  wavelens remarks --kind missed --pass loop kernel.ll     Why loops were not unrolled or vectorized
  wavelens remarks --pass regalloc --mcpu gfx942 kernel.mir

Exit status:
  0  The remarks were printed
  2  Wrong arguments, a missing tool (see `wavelens doctor`) or a file that does not compile";

pub(super) const TRACE: &str = "\
Examples:
  wavelens trace --value %sum kernel.ll               Follow a value to the assembly
  wavelens trace --line 12 --mcpu gfx942 kernel.ll    Follow what a line computes
  wavelens trace --value %sum --passes 'default<O2>' kernel.ll
                                                      Through the passes of opt as well
  wavelens trace --value %26 --pass greedy kernel.mir
                                                      Only what one pass did
  wavelens trace --line 812 dump.txt                  Follow an instruction through a dump of passes

The text is compiled with debug locations, names and a debug value. A note says if they change the code. A dump of
passes, as `wavelens passes --help` lists them, is only read: values are followed by name, up to instruction selection.

Exit status:
  0  The history was printed
  2  Wrong arguments, a missing tool (see `wavelens doctor`) or a file that does not compile";

pub(super) const INTERFACE: &str = "\
Examples:
  wavelens interface scene.vert.spv scene.frag.spv    Compare two stages
  wavelens interface a.tesc.spvasm a.tese.spvasm a.geom.spvasm a.frag.spvasm
  wavelens interface --entry vs --entry fs all.spv    Two entry points of one module
  wavelens interface --format json a.vert.spvasm a.frag.spvasm

Outputs are compared with the inputs of the next stage by location, component, type and decorations; descriptors, push constants
and specialization constants with those of all other stages. The modules themselves are checked by `wavelens check`.

Exit status:
  0  No errors (with --error-on-warning: no warnings either)
  1  The stages do not fit together
  2  Wrong arguments, unreadable files, or entry points that do not make one pipeline";

pub(super) const CFG: &str = "\
Examples:
  wavelens cfg --function k kernel.ll                  Read one function's blocks and edges
  wavelens cfg kernel.ll | dot -Tpng -o kernel.png     Draw with Graphviz
  wavelens cfg --format svg --function k kernel.ll     Draw one function without it

Exit status:
  0  The graphs were printed
  2  Wrong arguments, an unreadable file or no function";

pub(super) const REDUCE: &str = "\
Examples:
  wavelens reduce --while dominance kernel.ll       The least that has this finding and no other errors
  wavelens reduce --while crash -o small.ll big.ll  The least that crashes llc
  wavelens reduce big.mir -- ./fails.sh {}          The least that a script exits with 0 for

Exit status:
  0  The smallest text was written
  2  Wrong arguments, an unreadable file, or a file that does not have what it should keep";

pub(super) const REPORT: &str = "\
Examples:
  wavelens report kernel.ll                         Compare with llvm-as, reduce the file, print a report in Markdown
  wavelens report -o report.md --time-limit 0 a.mir
                                                    The file as it is, into a file
  wavelens report --target-env vulkan1.3 a.spvasm   For an environment

The reference tools are llvm-as, llc, llvm-mc, and spirv-as with spirv-val. Nothing is sent anywhere.

Exit status:
  0  Both sides agree: nothing was written
  1  They disagree, or there is no reference tool: the report was written
  2  Wrong arguments, or an unreadable file";

pub(super) const DOCTOR: &str = "\
Examples:
  wavelens doctor                                   List the tools that were found
  wavelens doctor --llvm-path /usr/lib/llvm-22/bin  Look here first
  wavelens doctor --format json                     One object, for a bug report

Exit status:
  0  Always: checking needs no external tool";

pub(super) const COMPLETIONS: &str = "\
Examples:
  wavelens completions bash > ~/.local/share/bash-completion/completions/wavelens
  wavelens completions zsh > ~/.zfunc/_wavelens
  wavelens completions fish > ~/.config/fish/completions/wavelens.fish

Exit status:
  0  The script was printed
  2  Wrong arguments";

pub(super) const MAN: &str = "\
Examples:
  wavelens man | man -l -                     Read the manual page of the program
  wavelens man check | man -l -               That of one command
  wavelens man --out ~/.local/share/man/man1  Install all pages

Exit status:
  0  The pages were written
  2  Wrong arguments, or the folder cannot be written";

pub(super) const LSP: &str = "\
Examples:
  wavelens lsp          What an editor starts
  wavelens lsp --stdio  The same

Exit status:
  0  The client shut the server down
  1  The connection ended without shutdown";
