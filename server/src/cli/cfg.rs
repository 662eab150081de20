//! `wavelens cfg`: the control-flow graphs of a file's functions, or their dominator trees.

use std::io::IsTerminal;
use std::path::PathBuf;

use wavelens_base::{Dialect, Options};
use wavelens_ide::Document;
use wavelens_ide::db::{Database, View};
use wavelens_ide::features::{self, Flow};

use super::output::headed;
use super::{Outcome, complain, print, shown};
use crate::LineIndex;
use crate::picture::{self, Block};
use crate::source::read;

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Blocks with their last instruction and their successors.
    Text,
    /// Graphviz' language.
    Dot,
    /// A picture, light or dark as the viewer likes.
    Svg,
}

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Output format: text, dot or svg; without it, text on a terminal and dot elsewhere.
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Only these functions, with commas; sigils may be omitted.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    function: Vec<String>,
    /// Dominator trees instead.
    #[arg(long)]
    dominators: bool,
    /// llvm, mir, spirv or amdgpu; without it, the file name decides, then the content.
    #[arg(long)]
    dialect: Option<Dialect>,
    /// AMDGPU processor, such as gfx1100.
    #[arg(long, value_name = "gfxNNN")]
    mcpu: Option<String>,
    /// The file; `-` is standard input.
    path: PathBuf,
}

/// Whether a function has a name, whose sigil may be left out.
pub(super) fn is_named(flow: &Flow, name: &str) -> bool {
    let bare = |name: &str| name.trim_start_matches(['@', '%']).trim_matches('"').to_owned();
    bare(&flow.function) == bare(name)
}

/// What to say of a name that no function has.
pub(super) fn no_function(name: &str, flows: &[Flow]) -> String {
    const SHOWN: usize = 8;
    let mut there: Vec<String> = flows.iter().take(SHOWN).map(|f| format!("`{}`", f.function)).collect();
    if flows.len() > SHOWN {
        there.push(format!("{} more", flows.len() - SHOWN));
    }
    let there =
        if there.is_empty() { String::new() } else { format!("; the file defines {}", there.join(", ")) };
    format!("no function `{name}` with a body{there}")
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let source = match read(&arguments.path, arguments.dialect) {
        Ok(source) => source,
        Err(message) => return complain(message),
    };
    let path = shown::path(&arguments.path);
    let mut db = Database::default();
    let mut options = Options { target: arguments.mcpu.clone(), ..Options::default() };
    if let Err(message) = super::known_values(&mut options) {
        return complain(message);
    }
    let document = Document::new(&mut db, source.dialect, &source.text, options);
    let mut flows = features::flows(View::new(&db, document.file()));
    if let Some(missing) = arguments.function.iter().find(|name| !flows.iter().any(|f| is_named(f, name))) {
        return complain(format!("{path}: {}", no_function(missing, &flows)));
    }
    if !arguments.function.is_empty() {
        flows.retain(|f| arguments.function.iter().any(|name| is_named(f, name)));
    }
    if flows.is_empty() {
        return complain(format!("{path}: no function with a body"));
    }
    if arguments.dominators {
        flows.iter_mut().for_each(|f| *f = f.dominator_tree());
    }
    let index = LineIndex::new(&source.text);
    let block = |flow: &Flow, node: usize| {
        let range = flow.nodes.get(node).map(|n| n.range).unwrap_or_default();
        let text = source.text.get(std::ops::Range::<usize>::from(range)).unwrap_or_default().to_owned();
        Block { line: index.position(range.start()).0, text }
    };
    let default = if std::io::stdout().is_terminal() { Format::Text } else { Format::Dot };
    match arguments.format.unwrap_or(default) {
        Format::Text if arguments.dominators => print(&headed(picture::text::trees(&flows))),
        Format::Text => print(&headed(picture::text::graphs(&flows, block))),
        Format::Dot => print(&flows.iter().map(Flow::dot).collect::<String>()),
        Format::Svg => {
            let graphs: Vec<_> = flows.iter().map(|flow| picture::drawable(flow, 0)).collect();
            match picture::svg(&graphs, block) {
                Ok(svg) => print(&svg),
                Err(message) => return complain(format!("{path}: {message}")),
            }
        }
    }
    Outcome::Clean
}
