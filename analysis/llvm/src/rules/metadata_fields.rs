//! Fields of specialized metadata nodes.

use wavelens_syntax::llvm::NEWER_SINCE;
use wavelens_syntax::{closest, wording};

use crate::context::{ModuleContext, RuleContext, TablesContext};
use crate::metadata::{FieldName, MdField, MdKind, MdValue};
use crate::tables::debug_words::{self, is_debug_word, is_newer_debug_word};
use wavelens_base::{Place, Related, Severity, TextRange};

wavelens_syntax::rules! {
    METADATA_FIELD {
        code: "metadata-field",
        severity: Severity::Error,
        title: "a debug-info node has the fields of its kind, with values in their ranges",
        explain: "Each kind of specialized node has its own fields, some of them required, each with one kind of \
            value.",
        example: r#"!files = !{!0}
!0 = !DIFile(filename: "a.c")
"#,
        fixed: r#"!files = !{!0}
!0 = !DIFile(filename: "a.c", directory: "/src")
"#,
        source: "LLVM `LLParser`: \"missing required field 'directory'\" and \"invalid field\"; LLVM Language \
            Reference, \"Specialized Metadata Nodes\"",
    }
}

/// What a field takes.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Takes {
    /// A number up to the limit.
    Unsigned(u64),
    /// A number between the limits.
    Signed(i64, i64),
    /// A number of any size.
    Integer,
    Bool,
    /// A string; the flag says whether it may be empty.
    String(bool),
    /// Metadata; the flag says whether it may be null.
    Metadata(bool),
    UnsignedOrMetadata,
    /// A number from the limit up, or metadata; the flag says whether that may be null.
    SignedOrMetadata(i64, bool),
    List,
    /// A word with this prefix, or a number up to the limit.
    Word(&'static str, u64),
    /// Words with this prefix and numbers, joined by `|`.
    Flags(&'static str),
    /// One of these words, or a number up to the limit (none if 0).
    OneOf(&'static [&'static str], u64),
}

use FieldName as F;
use Takes::*;

/// A field: its name, whether it is required, and what it takes.
type Field = (FieldName, bool, Takes);

const LINE: Takes = Unsigned(u32::MAX as u64);
const COLUMN: Takes = Unsigned(u16::MAX as u64);
const U32: Takes = Unsigned(u32::MAX as u64);
const U64: Takes = Unsigned(u64::MAX);
const TEXT: Takes = String(true);
const NODE: Takes = Metadata(true);
const BOUND: Takes = SignedOrMetadata(i64::MIN, true);
const TAG: Takes = Word("DW_TAG_", 0xffff);
const ENCODING: Takes = Word("DW_ATE_", 0xff);
const LANGUAGE: Takes = Word("DW_LANG_", 0xffff);
const MACINFO: Takes = Word("DW_MACINFO_", 0xff);
const FLAGS: Takes = Flags("DIFlag");
const CHECKSUMS: &[&str] = &["CSK_MD5", "CSK_SHA1", "CSK_SHA256"];
const EMISSION: &[&str] = &["NoDebug", "FullDebug", "LineTablesOnly", "DebugDirectivesOnly"];
const NAME_TABLE: &[&str] = &["Default", "GNU", "None", "Apple"];
/// LLVM 24 has the field of these.
const DIALECTS: &[&str] = &["DW_LLVM_LANG_DIALECT_simt", "DW_LLVM_LANG_DIALECT_tile"];
const FIXED_POINT: &[&str] = &["Binary", "Decimal", "Rational"];

/// A field of a kind of node, for completion.
#[derive(Debug, Clone, Copy)]
pub struct FieldInfo {
    /// The word before the colon.
    pub name: &'static str,
    /// Whether it must be written.
    pub required: bool,
    takes: Takes,
}

/// The fields of a kind of node, named without `!`.
pub fn fields_of(kind: &str) -> Vec<FieldInfo> {
    let fields = MdKind::from_name(kind).and_then(fields).unwrap_or(&[]);
    fields
        .iter()
        .map(|(name, required, takes)| FieldInfo { name: name.text(), required: *required, takes: *takes })
        .collect()
}

impl FieldInfo {
    /// The words that may be its value.
    pub fn words(self) -> Vec<&'static str> {
        match self.takes {
            Bool => vec!["true", "false"],
            Word(prefix, _) | Flags(prefix) => {
                debug_words::all().iter().filter(|w| w.starts_with(prefix)).copied().collect()
            }
            OneOf(words, _) => words.to_vec(),
            Metadata(true) => vec!["null"],
            _ => Vec::new(),
        }
    }
}

/// The fields of each kind of node, as LLVM 22 reads them.
#[rustfmt::skip]
fn fields(kind: MdKind) -> Option<&'static [Field]> {
    Some(match kind {
        MdKind::Tuple | MdKind::Unknown | MdKind::DIExpression | MdKind::DIArgList | MdKind::DIAssignID => return None,
        MdKind::DILocation => &[
            (F::Line, false, LINE), (F::Column, false, COLUMN), (F::Scope, true, Metadata(false)), (F::InlinedAt, false, NODE),
            (F::IsImplicitCode, false, Bool), (F::AtomGroup, false, U64), (F::AtomRank, false, Unsigned(255)),
        ],
        MdKind::GenericDINode => &[(F::Tag, true, TAG), (F::Header, false, TEXT), (F::Operands, false, List)],
        MdKind::DISubrange => &[
            (F::Count, false, SignedOrMetadata(-1, false)), (F::LowerBound, false, BOUND), (F::UpperBound, false, BOUND),
            (F::Stride, false, BOUND),
        ],
        MdKind::DISubrangeType => &[
            (F::Name, false, TEXT), (F::File, false, NODE), (F::Line, false, LINE), (F::Scope, false, NODE),
            (F::BaseType, false, NODE), (F::Size, false, UnsignedOrMetadata), (F::Align, false, U32), (F::Flags, false, FLAGS),
            (F::LowerBound, false, BOUND), (F::UpperBound, false, BOUND), (F::Stride, false, BOUND), (F::Bias, false, BOUND),
        ],
        MdKind::DIGenericSubrange => &[
            (F::Count, false, BOUND), (F::LowerBound, false, BOUND), (F::UpperBound, false, BOUND), (F::Stride, false, BOUND),
        ],
        MdKind::DIEnumerator => &[(F::Name, true, TEXT), (F::Value, true, Integer), (F::IsUnsigned, false, Bool)],
        MdKind::DIBasicType => &[
            (F::Tag, false, TAG), (F::Name, false, TEXT), (F::Size, false, UnsignedOrMetadata), (F::Align, false, U32),
            (F::DataSize, false, U32), (F::Encoding, false, ENCODING), (F::NumExtraInhabitants, false, U32),
            (F::Flags, false, FLAGS),
        ],
        MdKind::DIFixedPointType => &[
            (F::Tag, false, TAG), (F::Name, false, TEXT), (F::Size, false, UnsignedOrMetadata), (F::Align, false, U32),
            (F::Encoding, false, ENCODING), (F::Flags, false, FLAGS), (F::Kind, false, OneOf(FIXED_POINT, 2)),
            (F::Factor, false, Signed(i64::MIN, i64::MAX)), (F::Numerator, false, Integer), (F::Denominator, false, Integer),
        ],
        MdKind::DIStringType => &[
            (F::Tag, false, TAG), (F::Name, false, TEXT), (F::StringLength, false, NODE),
            (F::StringLengthExpression, false, NODE), (F::StringLocationExpression, false, NODE),
            (F::Size, false, UnsignedOrMetadata), (F::Align, false, U32), (F::Encoding, false, ENCODING),
        ],
        MdKind::DIDerivedType => &[
            (F::Tag, true, TAG), (F::Name, false, TEXT), (F::File, false, NODE), (F::Line, false, LINE), (F::Scope, false, NODE),
            (F::BaseType, true, NODE), (F::Size, false, UnsignedOrMetadata), (F::Align, false, U32),
            (F::Offset, false, UnsignedOrMetadata), (F::Flags, false, FLAGS), (F::ExtraData, false, NODE),
            (F::DwarfAddressSpace, false, U32), (F::Annotations, false, NODE), (F::PtrAuthKey, false, Unsigned(7)),
            (F::PtrAuthIsAddressDiscriminated, false, Bool), (F::PtrAuthExtraDiscriminator, false, COLUMN),
            (F::PtrAuthIsaPointer, false, Bool), (F::PtrAuthAuthenticatesNullValues, false, Bool),
        ],
        MdKind::DICompositeType => &[
            (F::Tag, true, TAG), (F::Name, false, TEXT), (F::File, false, NODE), (F::Line, false, LINE), (F::Scope, false, NODE),
            (F::BaseType, false, NODE), (F::Size, false, UnsignedOrMetadata), (F::Align, false, U32),
            (F::Offset, false, UnsignedOrMetadata), (F::Flags, false, FLAGS), (F::Elements, false, NODE),
            (F::RuntimeLang, false, LANGUAGE), (F::EnumKind, false, Word("DW_APPLE_ENUM_KIND_", 0xff)),
            (F::VtableHolder, false, NODE), (F::TemplateParams, false, NODE), (F::Identifier, false, TEXT),
            (F::Discriminator, false, NODE), (F::DataLocation, false, NODE), (F::Associated, false, NODE),
            (F::Allocated, false, NODE), (F::Rank, false, BOUND), (F::Annotations, false, NODE),
            (F::NumExtraInhabitants, false, U32), (F::Specification, false, NODE), (F::BitStride, false, NODE),
        ],
        MdKind::DISubroutineType => &[(F::Flags, false, FLAGS), (F::Cc, false, Word("DW_CC_", 0xff)), (F::Types, true, NODE)],
        MdKind::DIFile => &[
            (F::Filename, true, TEXT), (F::Directory, true, TEXT), (F::ChecksumKind, false, OneOf(CHECKSUMS, 0)),
            (F::Checksum, false, TEXT), (F::Source, false, TEXT),
        ],
        MdKind::DICompileUnit => &[
            (F::File, true, Metadata(false)), (F::Language, false, LANGUAGE),
            (F::SourceLanguageName, false, Word("DW_LNAME_", 0xffff)), (F::SourceLanguageVersion, false, U32),
            (F::Producer, false, TEXT), (F::IsOptimized, false, Bool), (F::Flags, false, TEXT), (F::RuntimeVersion, false, U32),
            (F::SplitDebugFilename, false, TEXT), (F::EmissionKind, false, OneOf(EMISSION, 3)), (F::Enums, false, NODE),
            (F::RetainedTypes, false, NODE), (F::Globals, false, NODE), (F::Imports, false, NODE), (F::Macros, false, NODE),
            (F::DwoId, false, U64), (F::SplitDebugInlining, false, Bool), (F::DebugInfoForProfiling, false, Bool),
            (F::NameTableKind, false, OneOf(NAME_TABLE, 3)), (F::RangesBaseAddress, false, Bool), (F::Sysroot, false, TEXT),
            (F::Sdk, false, TEXT), (F::Dialect, false, OneOf(DIALECTS, 2)),
        ],
        MdKind::DISubprogram => &[
            (F::Scope, false, NODE), (F::Name, false, TEXT), (F::LinkageName, false, TEXT), (F::File, false, NODE),
            (F::Line, false, LINE), (F::Type, false, NODE), (F::IsLocal, false, Bool), (F::IsDefinition, false, Bool),
            (F::ScopeLine, false, LINE), (F::ContainingType, false, NODE), (F::Virtuality, false, Word("DW_VIRTUALITY_", 2)),
            (F::VirtualIndex, false, U32), (F::ThisAdjustment, false, Signed(i32::MIN as i64, i32::MAX as i64)),
            (F::Flags, false, FLAGS), (F::SpFlags, false, Flags("DISPFlag")), (F::IsOptimized, false, Bool),
            (F::Unit, false, NODE), (F::TemplateParams, false, NODE), (F::Declaration, false, NODE),
            (F::RetainedNodes, false, NODE), (F::ThrownTypes, false, NODE), (F::Annotations, false, NODE),
            (F::TargetFuncName, false, TEXT), (F::KeyInstructions, false, Bool),
        ],
        MdKind::DILexicalBlock => &[
            (F::Scope, true, Metadata(false)), (F::File, false, NODE), (F::Line, false, LINE), (F::Column, false, COLUMN),
        ],
        MdKind::DILexicalBlockFile => &[
            (F::Scope, true, Metadata(false)), (F::File, false, NODE), (F::Discriminator, true, U32),
        ],
        MdKind::DICommonBlock => &[
            (F::Scope, true, NODE), (F::Declaration, false, NODE), (F::Name, false, TEXT), (F::File, false, NODE),
            (F::Line, false, LINE),
        ],
        MdKind::DINamespace => &[(F::Scope, true, NODE), (F::Name, false, TEXT), (F::ExportSymbols, false, Bool)],
        MdKind::DIMacro => &[(F::Type, true, MACINFO), (F::Line, false, LINE), (F::Name, true, TEXT), (F::Value, false, TEXT)],
        MdKind::DIMacroFile => &[(F::Type, false, MACINFO), (F::Line, false, LINE), (F::File, true, NODE), (F::Nodes, false, NODE)],
        MdKind::DIModule => &[
            (F::Scope, true, NODE), (F::Name, true, TEXT), (F::ConfigMacros, false, TEXT), (F::IncludePath, false, TEXT),
            (F::ApiNotes, false, TEXT), (F::File, false, NODE), (F::Line, false, LINE), (F::IsDecl, false, Bool),
        ],
        MdKind::DITemplateTypeParameter => &[(F::Name, false, TEXT), (F::Type, true, NODE), (F::Defaulted, false, Bool)],
        MdKind::DITemplateValueParameter => &[
            (F::Tag, false, TAG), (F::Name, false, TEXT), (F::Type, false, NODE), (F::Defaulted, false, Bool),
            (F::Value, true, NODE),
        ],
        MdKind::DIGlobalVariable => &[
            (F::Name, false, String(false)), (F::Scope, false, NODE), (F::LinkageName, false, TEXT), (F::File, false, NODE),
            (F::Line, false, LINE), (F::Type, false, NODE), (F::IsLocal, false, Bool), (F::IsDefinition, false, Bool),
            (F::TemplateParams, false, NODE), (F::Declaration, false, NODE), (F::Align, false, U32),
            (F::Annotations, false, NODE),
        ],
        MdKind::DILocalVariable => &[
            (F::Scope, true, Metadata(false)), (F::Name, false, TEXT), (F::Arg, false, COLUMN), (F::File, false, NODE),
            (F::Line, false, LINE), (F::Type, false, NODE), (F::Flags, false, FLAGS), (F::Align, false, U32),
            (F::Annotations, false, NODE),
        ],
        MdKind::DILabel => &[
            (F::Scope, true, Metadata(false)), (F::Name, true, TEXT), (F::File, true, NODE), (F::Line, true, LINE),
            (F::Column, false, COLUMN), (F::IsArtificial, false, Bool), (F::CoroSuspendIdx, false, U64),
        ],
        MdKind::DIGlobalVariableExpression => &[(F::Var, true, NODE), (F::Expr, true, NODE)],
        MdKind::DIObjCProperty => &[
            (F::Name, false, TEXT), (F::File, false, NODE), (F::Line, false, LINE), (F::Setter, false, TEXT),
            (F::Getter, false, TEXT), (F::Attributes, false, U32), (F::Type, false, NODE),
        ],
        MdKind::DIImportedEntity => &[
            (F::Tag, true, TAG), (F::Scope, true, NODE), (F::Entity, false, NODE), (F::File, false, NODE), (F::Line, false, LINE),
            (F::Name, false, TEXT), (F::Elements, false, NODE),
        ],
    })
}

pub(crate) fn function(cx: &mut RuleContext<'_>) {
    tables(&mut cx.tables_context());
}

pub(crate) fn module(cx: &mut ModuleContext<'_>) {
    tables(&mut cx.tables_context());
    let summary = cx.summary;
    for def in &summary.cold.metadata {
        let node = summary.tables.cold.md_nodes.get(def.node as usize);
        if node.is_some_and(|n| n.kind == MdKind::DIArgList) {
            let range = cx.ranges.cold.md_nodes.get(def.node as usize).copied().unwrap_or_default();
            cx.report(
                &METADATA_FIELD,
                range,
                "a `!DIArgList` must not be numbered: it is allowed only in a debug record",
            );
        }
    }
}

fn tables(cx: &mut TablesContext<'_, '_>) {
    for (index, node) in cx.tables.cold.md_nodes.iter().enumerate() {
        let range = cx.ranges.cold.md_nodes.get(index).copied().unwrap_or_default();
        if node.kind == MdKind::DIExpression {
            expression(cx, node.fields.range());
            continue;
        }
        let Some(specs) = fields(node.kind) else { continue };
        let own = cx.tables.fields(node);
        let mut seen = 0u64;
        let mut failed = false;
        for (offset, field) in own.iter().enumerate() {
            let at = cx
                .ranges
                .cold
                .md_fields
                .get(node.fields.start as usize + offset)
                .copied()
                .unwrap_or_default();
            let is_read = field.name != F::Dialect || cx.scope.reads(24);
            let spec = specs.iter().position(|(name, ..)| *name == field.name && is_read);
            let Some(spec) = spec else {
                let name = match field.value {
                    MdValue::Word(name) if field.name == F::Unknown => cx.tables.names.get(name),
                    _ => field.name.text(),
                };
                // Without a name it is a syntax error.
                if !name.is_empty() {
                    let near = closest(name, specs.iter().map(|(field, ..)| field.text()));
                    let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
                    let message = format!("unknown field `{name}` of `!{}`{near}", node.kind.name());
                    cx.report(&METADATA_FIELD, at, message);
                }
                failed = true;
                continue;
            };
            if seen & 1 << spec != 0 {
                let first = own.iter().position(|f| f.name == field.name).unwrap_or(offset);
                let first = cx.ranges.cold.md_fields.get(node.fields.start as usize + first).copied();
                let message = format!("duplicate field `{}`", field.name.text());
                let found = cx.report(&METADATA_FIELD, at, message);
                found.related.extend(first.map(|first| Related {
                    place: Place::Here(first),
                    message: "the first value is here".into(),
                }));
                failed = true;
            }
            seen |= 1 << spec;
            if let Some((name, _, takes)) = specs.get(spec)
                && let Some(problem) = problem(cx, field.value, *takes)
            {
                cx.report(&METADATA_FIELD, at, format!("`{}` {problem}", name.text()));
                failed = true;
            }
        }
        if failed || own.iter().any(|f| f.name == F::Unknown) {
            continue;
        }
        if let Some((name, ..)) =
            specs.iter().enumerate().find(|(i, s)| s.1 && seen & 1 << i == 0).map(|(_, s)| s)
        {
            let message = format!("missing field `{1}` of `!{0}`", node.kind.name(), name.text());
            cx.report(&METADATA_FIELD, range, message);
            continue;
        }
        if node.kind == MdKind::DISubprogram
            && cx.scope.follows(24)
            && own.iter().rfind(|f| f.name == F::Type).is_none_or(|f| f.value == MdValue::Null)
        {
            cx.report(
                &METADATA_FIELD,
                range,
                "missing field `type` of `!DISubprogram`, which LLVM 24 requires",
            );
            continue;
        }
        if let Some(message) = node_problem(cx, node.kind, node.distinct, own) {
            cx.report(&METADATA_FIELD, range, message);
        }
    }
}

/// Why a value does not suit a field.
fn problem(cx: &TablesContext<'_, '_>, value: MdValue, takes: Takes) -> Option<std::string::String> {
    let metadata =
        matches!(value, MdValue::Number(_) | MdValue::Node(_) | MdValue::Value(_) | MdValue::String(_));
    let word = match value {
        MdValue::Error => return None,
        MdValue::Word(word) => Some(cx.tables.names.get(word)),
        _ => None,
    };
    let limited = |max: u64| match value {
        MdValue::Unsigned(n) if n <= max => None,
        MdValue::Unsigned(n) => Some(format!("must be at most {max}, is {n}")),
        MdValue::Wide => Some(format!("must be at most {max}")),
        _ => Some("must be a non-negative number".to_owned()),
    };
    match takes {
        Unsigned(max) => limited(max),
        Signed(min, max) => signed(value, min, max),
        Integer => (!matches!(value, MdValue::Unsigned(_) | MdValue::Negative(_) | MdValue::Wide))
            .then(|| "must be a number".into()),
        Bool => (!matches!(value, MdValue::Bool(_))).then(|| "must be `true` or `false`".into()),
        String(may_be_empty) => match value {
            MdValue::Text(text) if may_be_empty || !cx.tables.names.get(text).is_empty() => None,
            MdValue::Text(_) => Some("must not be empty".into()),
            _ => Some("must be a string".into()),
        },
        Metadata(null) => match value {
            MdValue::Null if null => None,
            MdValue::Null => Some("must not be null".into()),
            _ => (!metadata).then(|| "must be metadata".into()),
        },
        UnsignedOrMetadata => match value {
            MdValue::Unsigned(_) | MdValue::Null => None,
            MdValue::Negative(_) | MdValue::Wide => limited(u64::MAX),
            _ => (!metadata).then(|| "must be a number or metadata".into()),
        },
        SignedOrMetadata(min, null) => match value {
            MdValue::Unsigned(_) | MdValue::Negative(_) | MdValue::Wide => signed(value, min, i64::MAX),
            MdValue::Null if null => None,
            _ => (!metadata).then(|| "must be a number or metadata".into()),
        },
        List => (!matches!(value, MdValue::Node(_))).then(|| "must be a list in braces".into()),
        Word(prefix, max) => match (value, word) {
            (_, Some(word)) if word.starts_with(prefix) && is_debug_word(word) => None,
            (_, Some(word)) if cx.scope.reads(NEWER_SINCE) && is_newer_debug_word(word) => None,
            (_, Some(word)) => Some(format!("must be a `{prefix}` name that LLVM knows, found `{word}`")),
            (MdValue::Unsigned(_) | MdValue::Wide, _) => limited(max),
            _ => Some(format!("must be a `{prefix}` name or a number")),
        },
        Flags(prefix) => match (value, word) {
            (MdValue::Unsigned(_) | MdValue::Wide, _) => limited(u64::from(u32::MAX)),
            (_, Some(words)) => words
                .split('|')
                .map(str::trim)
                .find(|w| !(w.starts_with(prefix) && is_debug_word(w) || w.parse::<u32>().is_ok()))
                .map(|w| format!("must consist of `{prefix}` names that LLVM knows, found `{w}`")),
            _ => Some(format!("must consist of `{prefix}` names joined by `|`, or be a number")),
        },
        OneOf(words, max) => match (value, word) {
            (_, Some(word)) if words.contains(&word) => None,
            (MdValue::Unsigned(n), _) if max > 0 && n <= max => None,
            (_, Some(word)) => Some(format!("must be {}, is `{word}`", wording::one_of(words))),
            (MdValue::Unsigned(n), _) => Some(format!("must be {}, is {n}", wording::one_of(words))),
            _ => Some(format!("must be {}", wording::one_of(words))),
        },
    }
}

fn signed(value: MdValue, min: i64, max: i64) -> Option<std::string::String> {
    let number = match value {
        MdValue::Unsigned(n) => match i64::try_from(n) {
            Ok(n) => n,
            Err(_) => return Some(format!("must be between {min} and {max}, is {n}")),
        },
        MdValue::Negative(n) => n,
        MdValue::Wide => return Some(format!("must be between {min} and {max}")),
        _ => return Some("must be a number".into()),
    };
    (number < min || number > max).then(|| format!("must be between {min} and {max}, is {number}"))
}

/// What is wrong with a node although each field is valid.
fn node_problem(
    cx: &TablesContext<'_, '_>,
    kind: MdKind,
    distinct: bool,
    own: &[MdField],
) -> Option<std::string::String> {
    let field = |name| own.iter().find(|f| f.name == name).map(|f| f.value);
    let has = |name| field(name).is_some();
    match kind {
        MdKind::DICompileUnit => {
            if !distinct {
                return Some("a `!DICompileUnit` must be `distinct`".into());
            }
            match (has(F::Language), has(F::SourceLanguageName)) {
                (false, false) => {
                    Some("missing field `language` or `sourceLanguageName` of `!DICompileUnit`".into())
                }
                (true, true) => Some("`language` and `sourceLanguageName` are mutually exclusive".into()),
                (true, false) if has(F::SourceLanguageVersion) => {
                    Some("`sourceLanguageVersion` requires `sourceLanguageName`".into())
                }
                _ => None,
            }
        }
        MdKind::DIFile => (has(F::ChecksumKind) != has(F::Checksum))
            .then(|| "`checksumkind` and `checksum` require each other".into()),
        MdKind::DIEnumerator => {
            let unsigned = field(F::IsUnsigned) == Some(MdValue::Bool(true));
            let negative = matches!(field(F::Value), Some(MdValue::Negative(_)));
            (unsigned && negative).then(|| "an unsigned enumerator must not be negative".into())
        }
        MdKind::DISubprogram => {
            let definition = match field(F::SpFlags) {
                Some(MdValue::Word(words)) => {
                    cx.tables.names.get(words).split('|').any(|w| w.trim() == "DISPFlagDefinition")
                }
                Some(MdValue::Unsigned(flags)) => flags & 8 != 0,
                Some(_) => false,
                None => field(F::IsDefinition) != Some(MdValue::Bool(false)),
            };
            (definition && !distinct)
                .then(|| "a `!DISubprogram` that is a definition must be `distinct`".into())
        }
        _ => None,
    }
}

fn expression(cx: &mut TablesContext<'_, '_>, fields: std::ops::Range<usize>) {
    for index in fields {
        let word = match cx.tables.cold.md_fields.get(index).map(|f| f.value) {
            Some(MdValue::Word(word)) => word,
            Some(MdValue::Wide) => {
                let range: TextRange = cx.ranges.cold.md_fields.get(index).copied().unwrap_or_default();
                cx.report(&METADATA_FIELD, range, "an element of an expression must fit 64 bits");
                continue;
            }
            _ => continue,
        };
        let word = cx.tables.names.get(word);
        if !is_debug_word(word) {
            let range: TextRange = cx.ranges.cold.md_fields.get(index).copied().unwrap_or_default();
            cx.report(&METADATA_FIELD, range, format!("unknown operator `{word}`"));
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn faults() {
        marks(expect![[r#"
            !0 = !DISubroutineType()
            ;^ hint[unused-metadata]: unused metadata node `!0`
            ;    ^^^^^^^^^^^^^^^^^^^ error[metadata-field]: missing field `types` of `!DISubroutineType`
        "#]]);
        marks(expect![[r#"
            !0 = !DIExpression(DW_OP_nope)
            ;^ hint[unused-metadata]: unused metadata node `!0`
            ;                  ^^^^^^^^^^ error[metadata-field]: unknown operator `DW_OP_nope`
        "#]]);
        marks(expect![[r#"
            !0 = !DIFile(name: "a", directory: "b")
            ;^ hint[unused-metadata]: unused metadata node `!0`
            ;            ^^^^^^^^^ error[metadata-field]: unknown field `name` of `!DIFile`
        "#]]);
        marks(expect![[r#"
            !0 = !DIFile(filename: "a", filename: "b", directory: "")
            ;^ hint[unused-metadata]: unused metadata node `!0`
            ;                           ^^^^^^^^^^^^^ error[metadata-field]: duplicate field `filename`
            ;                                       = line 1:14: the first value is here
        "#]]);
    }
}
