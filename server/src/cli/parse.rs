//! `wavelens parse`.

use std::path::PathBuf;

use rowan::{GreenNode, NodeCache, NodeOrToken, SyntaxNode};
use wavelens_base::Dialect;
use wavelens_check::dialect;

use super::{Outcome, complain, print, shown};
use crate::source::{Source, read};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Print nothing; fail if a tree's text is not its file.
    #[arg(long)]
    verify_lossless: bool,
    /// llvm, mir, spirv or amdgpu; without it, the file name decides, then the content.
    #[arg(long)]
    dialect: Option<Dialect>,
    /// Files; `-` is standard input.
    #[arg(required = true)]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let mut outcome = Outcome::Clean;
    for path in &arguments.paths {
        let source = match read(path, arguments.dialect) {
            Ok(source) => source,
            Err(message) => {
                outcome = outcome.max(complain(message));
                continue;
            }
        };
        let trees = trees(&source);
        if arguments.verify_lossless {
            let text: String = trees.iter().map(|t| t.to_string()).collect();
            if text != source.text {
                complain(format!("{}: the tree's text is not the file's", shown::path(path)));
                outcome = outcome.max(Outcome::ErrorsFound);
            }
        } else {
            let mut offset = 0;
            for tree in trees {
                print(&dump(source.dialect, &tree, offset));
                offset += u32::from(tree.text_len());
            }
        }
    }
    outcome
}

/// One tree a chunk.
fn trees(source: &Source) -> Vec<GreenNode> {
    let mut cache = NodeCache::default();
    wavelens_syntax::split(source.dialect, &source.text)
        .iter()
        .map(|span| {
            let text = source.text.get(std::ops::Range::<usize>::from(span.range)).unwrap_or("");
            dialect::green(source.dialect, text, &mut cache)
        })
        .collect()
}

/// A language that keeps raw kinds: enough to walk any dialect's tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Raw {}

impl rowan::Language for Raw {
    type Kind = rowan::SyntaxKind;

    fn kind_from_raw(raw: rowan::SyntaxKind) -> Self::Kind {
        raw
    }

    fn kind_to_raw(kind: Self::Kind) -> rowan::SyntaxKind {
        kind
    }
}

/// One line a node or token: depth by indentation, kind, range in the file, text of tokens.
fn dump(dialect: Dialect, tree: &GreenNode, offset: u32) -> String {
    let mut out = String::new();
    let mut depth = 0;
    let mut write = |depth: usize, kind: u16, range: rowan::TextRange, text: Option<&str>| {
        let name = dialect::kind_name(dialect, kind);
        let (start, end) = (u32::from(range.start()) + offset, u32::from(range.end()) + offset);
        let text = text.map(|t| format!(" {t:?}")).unwrap_or_default();
        out.push_str(&format!("{:indent$}{name}@{start}..{end}{text}\n", "", indent = depth * 2));
    };
    for event in SyntaxNode::<Raw>::new_root(tree.clone()).preorder_with_tokens() {
        match event {
            rowan::WalkEvent::Enter(NodeOrToken::Node(n)) => {
                write(depth, n.kind().0, n.text_range(), None);
                depth += 1;
            }
            rowan::WalkEvent::Enter(NodeOrToken::Token(t)) => {
                write(depth, t.kind().0, t.text_range(), Some(t.text()));
            }
            rowan::WalkEvent::Leave(NodeOrToken::Node(_)) => depth -= 1,
            rowan::WalkEvent::Leave(NodeOrToken::Token(_)) => {}
        }
    }
    out
}
