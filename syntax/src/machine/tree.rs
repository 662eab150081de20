//! The flat tree: nodes in pre-order over the tokens. A third of a rowan tree's cost, and all that lowering needs.

use rowan::{GreenNode, GreenNodeBuilder, NodeCache, SyntaxKind, TextRange, TextSize};

use super::{Kind, Lexed};
use crate::diagnostic::Diagnostic;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FlatNode<K> {
    pub(super) kind: K,
    /// Index of the first significant token.
    pub(super) first: u32,
    /// One past the index of the last significant token; `first` for an empty node.
    pub(super) end: u32,
    /// Index of the first node after this one's subtree.
    pub(super) next: u32,
}

/// A parsed chunk: tokens, flat tree, and what was wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parse<K> {
    pub(super) lexed: Lexed<K>,
    /// In pre-order, the root first.
    pub(super) nodes: Vec<FlatNode<K>>,
    /// Syntax errors, in the order of the text.
    pub errors: Vec<Diagnostic>,
}

impl<K: Kind> Parse<K> {
    /// The tokens.
    pub fn lexed(&self) -> &Lexed<K> {
        &self.lexed
    }

    /// The root, as a cursor over `text`, which must be the text that was parsed.
    pub fn root<'t>(&'t self, text: &'t str) -> Node<'t, K> {
        Node { parse: self, text, index: 0 }
    }

    /// The lossless rowan tree.
    pub fn green(&self, text: &str, cache: &mut NodeCache) -> GreenNode {
        let mut builder = GreenNodeBuilder::with_cache(cache);
        let mut token = 0usize;
        let mut open: Vec<(u32, u32)> = Vec::new();
        let emit = |builder: &mut GreenNodeBuilder<'_>, token: &mut usize, until: usize| {
            while *token < until {
                let kind = SyntaxKind(self.lexed.kind(*token).to_raw());
                builder.token(kind, self.lexed.text(text, *token));
                *token += 1;
            }
        };
        for (index, node) in self.nodes.iter().enumerate() {
            let index = index as u32;
            while let Some((next, end)) = open.last().copied() {
                if index < next {
                    break;
                }
                emit(&mut builder, &mut token, end as usize);
                builder.finish_node();
                open.pop();
            }
            emit(&mut builder, &mut token, node.first as usize);
            builder.start_node(SyntaxKind(node.kind.to_raw()));
            open.push((node.next, node.end));
        }
        while let Some((_, end)) = open.pop() {
            emit(&mut builder, &mut token, end as usize);
            builder.finish_node();
        }
        builder.finish()
    }
}

/// A cursor to a node of a flat tree; small and free to copy.
#[derive(Debug)]
pub struct Node<'t, K> {
    parse: &'t Parse<K>,
    text: &'t str,
    index: u32,
}

impl<K> Clone for Node<'_, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for Node<'_, K> {}

/// A cursor to a significant token.
#[derive(Debug)]
pub struct Token<'t, K> {
    parse: &'t Parse<K>,
    text: &'t str,
    index: u32,
}

impl<K> Clone for Token<'_, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for Token<'_, K> {}

/// A child: a node or a significant token.
#[derive(Debug)]
pub enum Element<'t, K> {
    /// An inner node.
    Node(Node<'t, K>),
    /// A token that is not trivia.
    Token(Token<'t, K>),
}

impl<K> Clone for Element<'_, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for Element<'_, K> {}

impl<'t, K: Kind> Token<'t, K> {
    /// What it is.
    #[inline]
    pub fn kind(self) -> K {
        self.parse.lexed.kind(self.index as usize)
    }

    /// As it is written.
    #[inline]
    pub fn text(self) -> &'t str {
        self.parse.lexed.text(self.text, self.index as usize)
    }

    /// Where it is in the chunk.
    #[inline]
    pub fn range(self) -> TextRange {
        self.parse.lexed.range(self.index as usize)
    }
}

impl<'t, K: Kind> Element<'t, K> {
    /// What it is.
    pub fn kind(self) -> K {
        match self {
            Element::Node(n) => n.kind(),
            Element::Token(t) => t.kind(),
        }
    }

    /// As [`Node::range`] and [`Token::range`].
    pub fn range(self) -> TextRange {
        match self {
            Element::Node(n) => n.range(),
            Element::Token(t) => t.range(),
        }
    }

    /// As it is written.
    pub fn text(self) -> &'t str {
        match self {
            Element::Node(n) => n.text(),
            Element::Token(t) => t.text(),
        }
    }
}

impl<'t, K: Kind> Node<'t, K> {
    #[inline]
    fn flat(self) -> FlatNode<K> {
        self.parse.nodes[self.index as usize]
    }

    /// What it is.
    #[inline]
    pub fn kind(self) -> K {
        self.flat().kind
    }

    /// From the first to the last significant token; empty, at the next token, for an empty node.
    pub fn range(self) -> TextRange {
        let node = self.flat();
        let lexed = &self.parse.lexed;
        let start = lexed.start(node.first as usize);
        let end = if node.end > node.first { lexed.start(node.end as usize) } else { start };
        TextRange::new(TextSize::new(start), TextSize::new(end))
    }

    /// From its first to its last significant token, as it is written.
    pub fn text(self) -> &'t str {
        self.text.get(std::ops::Range::<usize>::from(self.range())).unwrap_or("")
    }

    /// Direct child nodes.
    pub fn children(self) -> impl Iterator<Item = Node<'t, K>> {
        let end = self.flat().next;
        let mut at = self.index + 1;
        std::iter::from_fn(move || {
            (at < end).then(|| {
                let node = Node { index: at, ..self };
                at = node.flat().next;
                node
            })
        })
    }

    /// Direct children, nodes and significant tokens in order.
    pub fn elements(self) -> impl Iterator<Item = Element<'t, K>> {
        let flat = self.flat();
        let mut node = self.index + 1;
        let mut token = self.parse.lexed.skip_trivia(flat.first as usize) as u32;
        std::iter::from_fn(move || {
            if node < flat.next {
                let child = Node { index: node, ..self }.flat();
                if child.first <= token {
                    let element = Element::Node(Node { index: node, ..self });
                    node = child.next;
                    token = token.max(self.parse.lexed.skip_trivia(child.end as usize) as u32);
                    return Some(element);
                }
            }
            (token < flat.end).then(|| {
                let element = Element::Token(Token { parse: self.parse, text: self.text, index: token });
                token = self.parse.lexed.skip_trivia(token as usize + 1) as u32;
                element
            })
        })
    }

    /// Direct significant tokens.
    pub fn tokens(self) -> impl Iterator<Item = Token<'t, K>> {
        self.elements().filter_map(|e| match e {
            Element::Token(t) => Some(t),
            Element::Node(_) => None,
        })
    }

    /// The first child node of a kind.
    pub fn child(self, kind: K) -> Option<Node<'t, K>> {
        self.children().find(|n| n.kind() == kind)
    }

    /// The first direct token of a kind.
    pub fn token(self, kind: K) -> Option<Token<'t, K>> {
        self.tokens().find(|t| t.kind() == kind)
    }

    /// The first significant token of the subtree.
    pub fn first_token(self) -> Option<Token<'t, K>> {
        let flat = self.flat();
        let index = self.parse.lexed.skip_trivia(flat.first as usize) as u32;
        (index < flat.end).then_some(Token { parse: self.parse, text: self.text, index })
    }

    /// All significant tokens of the subtree, in order.
    pub fn all_tokens(self) -> impl Iterator<Item = Token<'t, K>> {
        let end = self.flat().end;
        let next = move |from: u32| {
            let index = self.parse.lexed.skip_trivia(from as usize) as u32;
            (index < end).then_some(Token { parse: self.parse, text: self.text, index })
        };
        std::iter::successors(next(self.flat().first), move |token| next(token.index + 1))
    }

    /// This node and all below it, in pre-order.
    pub fn descendants(self) -> impl Iterator<Item = Node<'t, K>> {
        (self.index..self.flat().next).map(move |index| Node { index, ..self })
    }
}
