//! LLVM IR for the history of a value or a line: finding it in the text, what is added to the text, and reading what `opt` and
//! `llc` print after each pass.

use std::fmt::Write;
use std::ops::Range;

use rustc_hash::FxHashMap;
use wavelens_base::{Dialect, Options, TextEdit, TextRange, TextSize};
use wavelens_check::dialect::{Lowered, Scope};
use wavelens_llvm::body::{Body, Inst, LocalKind, Opcode};
use wavelens_llvm::types::TypeId;
use wavelens_syntax::llvm::{LlvmKind, parse};
use wavelens_syntax::machine::{Element, Node};

use super::Cx;
use super::instrument::{first_free_metadata_id, is_dbg};
use super::place::function_cx;
use crate::answers::{Additions, Carrier, ChunkCx, Item, Numbers, State, Subject, TraceQuery, VARIABLE};
use crate::db::{Database, View};
use crate::document::Document;

/// A value or line that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Found {
    function: String,
    /// Of the chunk that holds the function.
    start: TextSize,
    name: Option<String>,
    /// The instruction, in the file.
    at: Option<TextSize>,
    /// The type of the value, where a debug value can have it.
    ty: Option<String>,
    /// Where the debug value goes, in the chunk.
    after: Option<TextSize>,
}

/// Finds what is asked about in a text with line locations, and adds what is needed to follow it.
pub(crate) fn prepare(
    text: &str,
    asked: &TraceQuery,
    function: Option<&str>,
    additions: Additions,
) -> Result<Subject, String> {
    let found = asked.only(find(text, asked, function), |f| format!("@{}", f.function))?;
    let names_are_free = !text.contains("%_");
    let with_names = additions == Additions::All && names_are_free;
    let name = found.name.as_ref().map(|name| if with_names { renamed(name) } else { name.clone() });
    let is_number = found.name.as_ref().is_some_and(|n| n.bytes().skip(1).all(|b| b.is_ascii_digit()));
    let line = found.at.map(|at| text[..at.into()].matches('\n').count() as u32);
    let text = Added::text(text, &found, line, additions, with_names).unwrap_or_else(|| text.to_owned());
    Ok(Subject {
        // A number without a name of its own is another value after the first pass.
        name: name.filter(|_| with_names || !is_number),
        function: found.function,
        value: found.name,
        line,
        by_line: matches!(asked, TraceQuery::Line(_)),
        in_dump: false,
        text,
        start: None,
    })
}

/// The name of a value in the compiled text: `%5` is `%_5` there.
fn renamed(name: &str) -> String {
    match name.strip_prefix('%').filter(|n| n.bytes().all(|b| b.is_ascii_digit())) {
        Some(number) => format!("%_{number}"),
        None => name.to_owned(),
    }
}

fn find(text: &str, asked: &TraceQuery, function: Option<&str>) -> Vec<Found> {
    let mut db = Database::default();
    let document = Document::new(&mut db, Dialect::Llvm, text, Options::default());
    let view = View::new(&db, document.file());
    let Scope::Llvm(scope) = view.scope() else { return Vec::new() };
    let line = match asked {
        TraceQuery::Line(line) => line_range(text, *line),
        TraceQuery::Value(_) => 0..0,
    };
    let mut found = Vec::new();
    for (index, chunk) in view.chunks().iter().enumerate() {
        let Lowered::Llvm(lowered) = view.lowered(*chunk) else { continue };
        let cx: Cx<'_> = ChunkCx::new(view, index, *chunk, lowered, scope);
        for body in &lowered.bodies {
            let Some(function_cx) = function_cx(&cx, body) else { continue };
            let names = &function_cx.summary.tables.names;
            let own = function_cx.function.head.name.display('@', names);
            let own = own.trim_start_matches('@').trim_matches('"');
            if function.is_some_and(|name| name.trim_start_matches('@').trim_matches('"') != own) {
                continue;
            }
            let Some((local, inst)) = subject(body, asked, view.start(index), &line) else { continue };
            let name = local
                .and_then(|l| body.locals.get(l as usize))
                .map(|l| l.name.display('%', &body.tables.names));
            let ty = local.and_then(|l| function_cx.local_types.get(l as usize)).copied();
            let ty = ty.filter(|ty| *ty != TypeId::ERROR).map(|ty| function_cx.display_ty(ty));
            found.push(Found {
                function: own.to_owned(),
                start: view.start(index),
                name,
                at: inst.map(|i| view.start(index) + body.inst_ranges[i].start()),
                ty: ty.filter(|ty| is_plain_type(ty)),
                after: place_of_record(body, inst),
            });
        }
    }
    found
}

/// The bytes of a line, counted from 0.
fn line_range(text: &str, line: u32) -> Range<usize> {
    let mut ends = text.match_indices('\n').map(|(at, _)| at + 1);
    let start = match line.checked_sub(1) {
        None => 0,
        Some(before) => ends.nth(before as usize).unwrap_or(text.len()),
    };
    start..ends.next().unwrap_or(text.len())
}

/// The value and the instruction that are asked about, by their numbers in the body of a chunk that starts somewhere in the file.
fn subject(
    body: &Body,
    asked: &TraceQuery,
    start: TextSize,
    line: &Range<usize>,
) -> Option<(Option<u32>, Option<usize>)> {
    match asked {
        TraceQuery::Value(name) => {
            let wanted = name.trim_start_matches('%').trim_matches('"');
            let is_it = |shown: String| shown.trim_start_matches('%').trim_matches('"') == wanted;
            let at = body.locals.iter().position(|l| {
                matches!(l.kind, LocalKind::Argument(_) | LocalKind::Inst(_))
                    && is_it(l.name.display('%', &body.tables.names))
            })?;
            let inst = match body.locals[at].kind {
                LocalKind::Inst(inst) => Some(inst as usize),
                _ => None,
            };
            Some((Some(at as u32), inst))
        }
        TraceQuery::Line(_) => {
            let is_there = |range: &TextRange| line.contains(&usize::from(start + range.start()));
            let at = body.inst_ranges.iter().position(is_there)?;
            Some((body.insts[at].result.map(|l| l.0), Some(at)))
        }
    }
}

/// Whether debug values of this type are followed by all passes: no aggregates, labels or tokens.
fn is_plain_type(ty: &str) -> bool {
    !ty.contains(['{', '[', '%'])
        && !["label", "token", "metadata", "void"].contains(&ty)
        && !ty.starts_with("target(")
}

/// After the value's instruction, after the phis of its block, or before the first instruction for an argument.
fn place_of_record(body: &Body, inst: Option<usize>) -> Option<TextSize> {
    let Some(inst) = inst else {
        return body.inst_ranges.first().map(|r| r.start());
    };
    let is_phi = |i: &Inst| i.opcode == Opcode::Phi;
    let defines = body.insts.get(inst)?;
    if matches!(defines.opcode, Opcode::Invoke | Opcode::CallBr) {
        return None;
    }
    let last_phi = (inst..body.insts.len()).take_while(|at| is_phi(&body.insts[*at])).last();
    body.inst_ranges.get(last_phi.unwrap_or(inst)).map(|r| r.end())
}

/// A function's text with additions.
struct Added<'t> {
    found: &'t Found,
    /// Of the value's instruction, counted from 0.
    line: Option<u32>,
    with_names: bool,
    edits: Vec<TextEdit>,
    /// Numbers of locations, by their text.
    locations: FxHashMap<String, u32>,
    order: Vec<String>,
    next: u32,
}

impl<'t> Added<'t> {
    /// The whole text with additions; `None` where the function is not found.
    fn text(
        text: &'t str,
        found: &'t Found,
        line: Option<u32>,
        additions: Additions,
        with_names: bool,
    ) -> Option<String> {
        let spans = wavelens_syntax::split(Dialect::Llvm, text);
        let span = spans.iter().find(|s| s.range.start() == found.start)?.range;
        let chunk = text.get(std::ops::Range::<usize>::from(span))?;
        let tree = parse(chunk);
        let mut added = Added {
            found,
            line,
            with_names,
            edits: Vec::new(),
            locations: FxHashMap::default(),
            order: Vec::new(),
            next: first_free_metadata_id(text),
        };
        for node in tree.root(chunk).children() {
            let name =
                node.token(LlvmKind::GLOBAL).map(|t| t.text().trim_start_matches('@').trim_matches('"'));
            if node.kind() == LlvmKind::FUNCTION && name == Some(&found.function) {
                added.function(node);
            }
        }
        let is_ours = text.matches("!DICompileUnit(").count() == 1 && text.contains(OUR_UNIT);
        let mut tail = String::new();
        let mut variable = None;
        if additions == Additions::All
            && is_ours
            && with_names | found.name.as_ref().is_some_and(|n| !is_number(n))
        {
            variable = added.debug_value(&mut tail);
        }
        for location in &added.order {
            // Writing to a String cannot fail.
            let _ = writeln!(tail, "!{} = {location}", added.locations[location]);
        }
        let mut numbers: Vec<u32> = added.locations.values().copied().chain(variable).collect();
        numbers.sort_unstable();
        let list: Vec<String> = numbers.iter().map(|n| format!("!{n}")).collect();
        // Before other named metadata: these numbers come first in what is printed, and stay what they are.
        added.insert(TextSize::new(0), format!("!wavelens.places = !{{{}}} ", list.join(", ")));
        let edits = added.edits.iter().map(|e| TextEdit::new(e.range + span.start(), e.text.clone()));
        let edits: Vec<TextEdit> = edits.collect();
        let body = TextEdit::apply_all(text, &edits)?;
        let body = if tail.contains(VARIABLE) { body.replacen(OUR_UNIT, FULL_UNIT, 1) } else { body };
        Some(body + &tail)
    }

    fn function(&mut self, function: Node<'_, LlvmKind>) {
        if self.with_names {
            self.arguments(function);
        }
        let Some(body) = function.child(LlvmKind::BODY) else { return };
        for node in body.descendants() {
            match node.kind() {
                LlvmKind::ATTACHMENT if is_dbg(node) => self.location(node),
                LlvmKind::TYPE => {}
                _ if self.with_names => self.names(node),
                _ => {}
            }
        }
    }

    /// Names for arguments without one, and a label for the first block, which come first among the numbers.
    fn arguments(&mut self, function: Node<'_, LlvmKind>) {
        let mut number = 0;
        let list = function.child(LlvmKind::PARAM_LIST);
        for param in list.iter().flat_map(|l| l.children()).filter(|n| n.kind() == LlvmKind::PARAM) {
            match (param.token(LlvmKind::LOCAL), param.token(LlvmKind::LOCAL_ID)) {
                (Some(_), _) => {}
                (None, Some(_)) => {
                    self.names(param);
                    number += 1;
                }
                (None, None) => {
                    self.insert(param.range().end(), format!(" %_{number}"));
                    number += 1;
                }
            }
        }
        let first = function.child(LlvmKind::BODY).and_then(|b| b.child(LlvmKind::BLOCK));
        if let Some(block) = first.filter(|b| b.child(LlvmKind::LABEL_DEF).is_none()) {
            self.insert(block.range().start(), format!("_{number}: "));
        }
    }

    fn names(&mut self, node: Node<'_, LlvmKind>) {
        for token in node.tokens() {
            let text = match token.kind() {
                LlvmKind::LOCAL_ID => format!("%_{}", token.text().trim_start_matches('%')),
                LlvmKind::LABEL_ID => format!("_{}", token.text()),
                _ => continue,
            };
            self.edits.push(TextEdit::new(token.range(), text));
        }
    }

    fn insert(&mut self, at: TextSize, text: String) {
        self.edits.push(TextEdit::new(TextRange::new(at, at), text));
    }

    /// A location with a number of its own, by which the printed function names it.
    fn location(&mut self, attachment: Node<'_, LlvmKind>) {
        let Some(node) = attachment.child(LlvmKind::METADATA_NODE) else { return };
        let number = self.number(node.text());
        self.edits.push(TextEdit::new(node.range(), format!("!{number}")));
    }

    fn number(&mut self, location: &str) -> u32 {
        if let Some(number) = self.locations.get(location) {
            return *number;
        }
        let number = self.next;
        self.next += 1;
        self.locations.insert(location.to_owned(), number);
        self.order.push(location.to_owned());
        number
    }

    /// The debug value of what is traced, with the variable that it needs, whose number is returned.
    fn debug_value(&mut self, tail: &mut String) -> Option<u32> {
        let (name, ty, after) = (self.found.name.as_ref()?, self.found.ty.as_ref()?, self.found.after?);
        // The scope of any location of the function.
        let scope =
            self.order.iter().find_map(|l| l.split_once("scope: ")?.1.split([',', ')']).next())?.to_owned();
        let (variable, basic) = (self.next, self.next + 1);
        self.next += 2;
        let line = self.line.map_or(0, |l| l + 1);
        let at = self.order.first().map(|first| self.locations[first]).unwrap_or_default();
        let own = format!("line: {line}, ");
        let at = self.order.iter().find(|l| l.contains(&own)).map_or(at, |l| self.locations[l]);
        let record = format!(" #dbg_value({ty} {}, !{variable}, !DIExpression(), !{at}) ", renamed(name));
        let _ = write!(
            tail,
            "!{variable} = !DILocalVariable(name: \"{VARIABLE}\", scope: {scope}, line: {line}, type: !{basic})\n\
             !{basic} = !DIBasicType(name: \"value\", size: 32, encoding: DW_ATE_unsigned)\n"
        );
        self.insert(after, record);
        Some(variable)
    }
}

/// Debug info as the line locations bring it, and as debug values need it.
const OUR_UNIT: &str = "emissionKind: LineTablesOnly)";
const FULL_UNIT: &str = "emissionKind: FullDebug)";

fn is_number(name: &str) -> bool {
    name.trim_start_matches('%').bytes().all(|b| b.is_ascii_digit())
}

/// The state of a function as `opt` or `llc` printed it.
pub(crate) fn state(text: &str, numbers: &Numbers) -> State {
    // The printout ends before the brace.
    let text = format!("{text}\n}}\n");
    let tree = parse(&text);
    let mut state = State::default();
    let functions = tree.root(&text).children().filter(|n| n.kind() == LlvmKind::FUNCTION);
    for body in functions.filter_map(|f| f.child(LlvmKind::BODY)) {
        for (number, block) in body.children().filter(|n| n.kind() == LlvmKind::BLOCK).enumerate() {
            let label = block.child(LlvmKind::LABEL_DEF).map(|l| l.text().trim_end_matches(':').to_owned());
            let label = label
                .unwrap_or_else(|| if number == 0 { "entry".to_owned() } else { format!("block {number}") });
            for node in block.children() {
                match node.kind() {
                    LlvmKind::INST => state.items.push(item(node, &label, numbers)),
                    LlvmKind::DEBUG_RECORD => {
                        let at = state.items.len();
                        state.carriers.extend(carrier(node, numbers).map(|carrier| (at, carrier)));
                    }
                    _ => {}
                }
            }
        }
    }
    state
}

fn item(inst: Node<'_, LlvmKind>, block: &str, numbers: &Numbers) -> Item {
    let mut line = None;
    let mut end = inst.range().end();
    let mut comma = None;
    for element in inst.elements() {
        match element {
            Element::Token(t) if t.kind() == LlvmKind::COMMA => comma = Some(t.range().start()),
            Element::Node(n) if n.kind() == LlvmKind::ATTACHMENT => {
                end = end.min(comma.unwrap_or(n.range().start()));
                if is_dbg(n) {
                    line = reference(n).and_then(|number| numbers.lines.get(&number).copied());
                }
            }
            _ => {}
        }
    }
    let mut text = String::new();
    let mut key = String::new();
    let whole = inst.text().get(..usize::from(end - inst.range().start())).unwrap_or(inst.text());
    for (word, kind) in words(whole) {
        match kind {
            // Groups of attributes are numbered by the module.
            LlvmKind::ATTR_GROUP_ID => continue,
            LlvmKind::LOCAL_ID => key.push_str("%0"),
            LlvmKind::WHITESPACE => key.push(' '),
            _ => key.push_str(word),
        }
        text.push_str(word);
    }
    let defines = inst.token(LlvmKind::EQUAL).and_then(|_| {
        let token =
            inst.first_token().filter(|t| matches!(t.kind(), LlvmKind::LOCAL | LlvmKind::LOCAL_ID))?;
        Some(token.text().to_owned())
    });
    let locals = inst.descendants().flat_map(|n| n.tokens().collect::<Vec<_>>());
    let uses =
        locals.filter(|t| matches!(t.kind(), LlvmKind::LOCAL | LlvmKind::LOCAL_ID) && t.range().end() <= end);
    let mut uses: Vec<String> = uses.map(|t| t.text().to_owned()).collect();
    uses.retain(|name| Some(name) != defines.as_ref());
    Item {
        block: block.to_owned(),
        text: text.trim().to_owned(),
        key: key.trim().to_owned(),
        defines: defines.into_iter().collect(),
        uses,
        line,
    }
}

/// The tokens of a piece of text.
fn words(text: &str) -> Vec<(&str, LlvmKind)> {
    let lexed = wavelens_syntax::llvm::lex(text);
    (0..lexed.len()).map(|i| (lexed.text(text, i), lexed.kind(i))).collect()
}

/// The number of the metadata that a node refers to.
fn reference(node: Node<'_, LlvmKind>) -> Option<u32> {
    node.child(LlvmKind::METADATA_REF)?.text().trim_start_matches('!').parse().ok()
}

/// What `#dbg_value(float %w, !11, !DIExpression(), !8)` says that the traced value is.
fn carrier(record: Node<'_, LlvmKind>, numbers: &Numbers) -> Option<Carrier> {
    let variable = reference(record)?;
    if Some(variable) != numbers.variable || !record.text().starts_with("#dbg_value(") {
        return None;
    }
    let value = record.child(LlvmKind::METADATA_VALUE)?.child(LlvmKind::VALUE)?;
    let is_itself = record.text().contains("!DIExpression()");
    let local = value.first_token().filter(|t| matches!(t.kind(), LlvmKind::LOCAL | LlvmKind::LOCAL_ID));
    match (local, value.text()) {
        (Some(local), _) if is_itself => Some(Carrier::Value(local.text().to_owned())),
        (Some(local), _) => Some(Carrier::Computed(local.text().to_owned())),
        (None, "poison" | "undef") => None,
        (None, constant) if is_itself => Some(Carrier::Constant(constant.to_owned())),
        (None, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::llvm::instrument::{Keeps, with_line_locations};

    const MODULE: &str = "define i32 @f(i32, i32 %b) {
  %2 = add i32 %0, %b
  br label %3
3:
  %4 = phi i32 [ %2, %1 ], [ %5, %3 ]
  %5 = add i32 %4, 1
  br i1 true, label %3, label %6
6:
  ret i32 %5
}
define void @g(i32 %b) {
  ret void
}
";

    fn prepared(asked: TraceQuery, function: Option<&str>, additions: Additions) -> Result<Subject, String> {
        prepare(&with_line_locations(MODULE, Keeps::Nothing), &asked, function, additions)
    }

    #[test]
    fn values_get_names_and_a_debug_value() {
        let subject = prepared(TraceQuery::Value("%4".to_owned()), None, Additions::All).expect("is found");
        expect![[r#"
            !wavelens.places = !{!6, !7, !8, !9, !10, !11, !12} define i32 @f(i32 %_0, i32 %b) !dbg !3 {
              _1: %_2 = add i32 %_0, %b, !dbg !6
              br label %_3, !dbg !7
            _3:
              %_4 = phi i32 [ %_2, %_1 ], [ %_5, %_3 ], !dbg !8 #dbg_value(i32 %_4, !12, !DIExpression(), !8) 
              %_5 = add i32 %_4, 1, !dbg !9
              br i1 true, label %_3, label %_6, !dbg !10
            _6:
              ret i32 %_5, !dbg !11
            }
            define void @g(i32 %b) !dbg !4 {
              ret void, !dbg !DILocation(line: 12, column: 65535, scope: !4)
            }

            !0 = !DIFile(filename: "-", directory: "")
            !1 = distinct !DICompileUnit(language: DW_LANG_C, file: !0, emissionKind: FullDebug)
            !2 = !DISubroutineType(types: !{})
            !3 = distinct !DISubprogram(name: "f0", scope: !0, file: !0, line: 1, type: !2, unit: !1, spFlags: DISPFlagDefinition)
            !4 = distinct !DISubprogram(name: "f1", scope: !0, file: !0, line: 11, type: !2, unit: !1, spFlags: DISPFlagDefinition)
            !llvm.dbg.cu = !{!1}
            !llvm.module.flags = !{!5}
            !5 = !{i32 2, !"Debug Info Version", i32 3}
            !12 = !DILocalVariable(name: "wavelens.traced", scope: !3, line: 5, type: !13)
            !13 = !DIBasicType(name: "value", size: 32, encoding: DW_ATE_unsigned)
            !6 = !DILocation(line: 2, column: 65535, scope: !3)
            !7 = !DILocation(line: 3, column: 65535, scope: !3)
            !8 = !DILocation(line: 5, column: 65535, scope: !3)
            !9 = !DILocation(line: 6, column: 65535, scope: !3)
            !10 = !DILocation(line: 7, column: 65535, scope: !3)
            !11 = !DILocation(line: 9, column: 65535, scope: !3)
        "#]].assert_eq(&subject.text);
        assert_eq!((subject.name.as_deref(), subject.value.as_deref()), (Some("%_4"), Some("%4")));
        assert_eq!((subject.function.as_str(), subject.line), ("f", Some(4)));
    }

    #[test]
    fn locations_alone_leave_the_names() {
        let subject = prepared(TraceQuery::Line(1), None, Additions::Locations).expect("is found");
        assert!(!subject.text.contains("%_") && !subject.text.contains("#dbg_value"));
        assert_eq!((subject.name, subject.value.as_deref(), subject.line), (None, Some("%2"), Some(1)));
    }

    #[test]
    fn what_cannot_be_found_is_reported() {
        let problem = |asked, function| prepared(asked, function, Additions::All).err();
        let value = |name: &str| TraceQuery::Value(name.to_owned());
        assert_eq!(
            problem(value("b"), None).as_deref(),
            Some("several functions define it: `@f`, `@g`; choose one with `--function`")
        );
        assert_eq!(problem(value("b"), Some("@g")), None);
        assert_eq!(problem(value("%x"), None).as_deref(), Some("no function defines the value `%x`"));
        assert_eq!(
            problem(TraceQuery::Line(0), None).as_deref(),
            Some("line 1 is not an instruction of a function")
        );
    }

    #[test]
    fn a_printed_function_is_read() {
        let numbers =
            Numbers { lines: [(8, 12)].into_iter().collect(), variable: Some(11), ..Numbers::default() };
        let state = state(
            "define void @k(ptr %p) #0 !dbg !1 {\nentry:\n  %w = fmul float %v, 2.0, !dbg !8, !tbaa !3\n\
             \x20   #dbg_value(float %w, !11, !DIExpression(), !8)\n  %0 = call i32 @f(float %w) #3, !dbg !9\n\
             \x20   #dbg_value(float 2.0, !11, !DIExpression(), !8)\n    #dbg_value(float poison, !11, !DIExpression(), !8)\n\
             \x20   #dbg_value(i32 %0, !11, !DIExpression(DW_OP_plus_uconst, 4), !8)\n  ret void",
            &numbers,
        );
        expect![[r#"
            entry | %w = fmul float %v, 2.0 | %w = fmul float %v, 2.0 | ["%w"] ["%v"] | Some(12)
            entry | %0 = call i32 @f(float %w) | %0 = call i32 @f(float %w) | ["%0"] ["%w"] | None
            entry | ret void | ret void | [] [] | None
        "#]]
        .assert_eq(&state.dump());
        let carriers = [
            (1, Carrier::Value("%w".to_owned())),
            (2, Carrier::Constant("2.0".to_owned())),
            (2, Carrier::Computed("%0".to_owned())),
        ];
        assert_eq!(state.carriers, carriers);
    }
}
