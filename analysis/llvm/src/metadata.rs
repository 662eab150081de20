//! Metadata as written: nodes with fields, by value where they are inline and by number where they are referred to.

use super::names::NameId;
use super::operand::OperandId;
use super::types::Span;

/// One node: `!{...}`, `!DILocation(...)`, `!DIExpression(...)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MdNode {
    /// Which kind of node it is.
    pub kind: MdKind,
    pub(crate) distinct: bool,
    /// Into [`super::arena::ColdTables::md_fields`].
    pub(crate) fields: Span,
}

/// A field of a node; elements of tuples, expressions and argument lists have [`FieldName::None`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MdField {
    pub(crate) name: FieldName,
    /// What follows the colon.
    pub value: MdValue,
}

/// A piece of metadata.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MdValue {
    /// Not understood; already reported.
    Error,
    /// `null`
    Null,
    /// `!5`.
    Number(u32),
    /// A node written in place: index into [`super::arena::ColdTables::md_nodes`].
    Node(u32),
    /// `!"text"`, unescaped.
    String(NameId),
    /// `"text"` as the value of a field, unescaped.
    Text(NameId),
    /// A typed value, `i32 5` or `ptr @f`.
    Value(OperandId),
    /// An integer, as a field has it.
    Unsigned(u64),
    /// A negative number.
    Negative(i64),
    /// An integer of more than 64 bits.
    Wide,
    /// `true` or `false`
    Bool(bool),
    /// A symbolic constant, or several joined by ` | `: `DW_TAG_member`, `DIFlagPublic | DIFlagVector`, `FullDebug`.
    Word(NameId),
}

macro_rules! kinds {
    ($($kind:ident),* $(,)?) => {
        /// What kind a node is.
        #[allow(missing_docs, reason = "LLVM's own names")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum MdKind {
            /// `!{...}`.
            Tuple,
            /// `!DISomething` that does not exist; already reported.
            Unknown,
            $($kind,)*
        }

        impl MdKind {
            /// From the name without `!`.
            pub fn from_name(name: &str) -> Option<MdKind> {
                match name {
                    $(stringify!($kind) => Some(MdKind::$kind),)*
                    _ => None,
                }
            }

            /// Without `!`; `""` for tuples.
            pub fn name(self) -> &'static str {
                match self {
                    MdKind::Tuple | MdKind::Unknown => "",
                    $(MdKind::$kind => stringify!($kind),)*
                }
            }
        }
    };
}

kinds!(
    DILocation,
    DIExpression,
    DIArgList,
    DIAssignID,
    GenericDINode,
    DISubrange,
    DISubrangeType,
    DIGenericSubrange,
    DIEnumerator,
    DIBasicType,
    DIFixedPointType,
    DIStringType,
    DIDerivedType,
    DICompositeType,
    DISubroutineType,
    DIFile,
    DICompileUnit,
    DISubprogram,
    DILexicalBlock,
    DILexicalBlockFile,
    DICommonBlock,
    DINamespace,
    DIMacro,
    DIMacroFile,
    DIModule,
    DITemplateTypeParameter,
    DITemplateValueParameter,
    DIGlobalVariable,
    DIGlobalVariableExpression,
    DILocalVariable,
    DILabel,
    DIObjCProperty,
    DIImportedEntity,
);

macro_rules! fields {
    ($($variant:ident $text:literal),* $(,)?) => {
        /// The name of a field.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs, reason = "LLVM's own names")]
        pub enum FieldName {
            /// An element without a name.
            None,
            /// A name that no node has.
            Unknown,
            $($variant,)*
        }

        impl FieldName {
            /// From the word before the colon.
            pub(crate) fn from_text(text: &str) -> FieldName {
                match text {
                    $($text => FieldName::$variant,)*
                    _ => FieldName::Unknown,
                }
            }

            pub(crate) fn text(self) -> &'static str {
                match self {
                    FieldName::None | FieldName::Unknown => "",
                    $(FieldName::$variant => $text,)*
                }
            }
        }
    };
}

fields!(
    Tag "tag", Name "name", BaseType "baseType", Scope "scope", File "file", Line "line", Column "column",
    Size "size", Align "align", Offset "offset", Flags "flags", Elements "elements", RuntimeLang "runtimeLang",
    VtableHolder "vtableHolder", TemplateParams "templateParams", Identifier "identifier",
    Discriminator "discriminator", DataLocation "dataLocation", Associated "associated", Allocated "allocated",
    Rank "rank", Annotations "annotations", DwarfAddressSpace "dwarfAddressSpace", ExtraData "extraData",
    PtrAuthKey "ptrAuthKey", PtrAuthIsAddressDiscriminated "ptrAuthIsAddressDiscriminated",
    PtrAuthExtraDiscriminator "ptrAuthExtraDiscriminator", PtrAuthIsaPointer "ptrAuthIsaPointer",
    PtrAuthAuthenticatesNullValues "ptrAuthAuthenticatesNullValues", Types "types", Cc "cc",
    Filename "filename", Directory "directory", ChecksumKind "checksumkind", Checksum "checksum", Source "source",
    Language "language", SourceLanguageName "sourceLanguageName", SourceLanguageVersion "sourceLanguageVersion",
    Producer "producer", IsOptimized "isOptimized", RuntimeVersion "runtimeVersion",
    SplitDebugFilename "splitDebugFilename", EmissionKind "emissionKind", Enums "enums",
    RetainedTypes "retainedTypes", Globals "globals", Imports "imports", Macros "macros", DwoId "dwoId",
    SplitDebugInlining "splitDebugInlining", DebugInfoForProfiling "debugInfoForProfiling",
    NameTableKind "nameTableKind", RangesBaseAddress "rangesBaseAddress", Sysroot "sysroot", Sdk "sdk", Dialect "dialect",
    LinkageName "linkageName", ScopeLine "scopeLine", ContainingType "containingType", Virtuality "virtuality",
    VirtualIndex "virtualIndex", ThisAdjustment "thisAdjustment", SpFlags "spFlags", IsLocal "isLocal",
    IsDefinition "isDefinition", Unit "unit", Declaration "declaration", RetainedNodes "retainedNodes",
    ThrownTypes "thrownTypes", TargetFuncName "targetFuncName", KeyInstructions "keyInstructions",
    InlinedAt "inlinedAt", IsImplicitCode "isImplicitCode", AtomGroup "atomGroup", AtomRank "atomRank",
    Type "type", Value "value", Nodes "nodes", IsUnsigned "isUnsigned", Defaulted "defaulted", Arg "arg",
    Var "var", Expr "expr", Entity "entity", Count "count", LowerBound "lowerBound", UpperBound "upperBound",
    Stride "stride", Bias "bias", ConfigMacros "configMacros", IncludePath "includePath", ApiNotes "apinotes",
    IsDecl "isDecl", Setter "setter", Getter "getter", Attributes "attributes", Header "header",
    Operands "operands", Encoding "encoding", NumExtraInhabitants "num_extra_inhabitants",
    StringLength "stringLength", StringLengthExpression "stringLengthExpression",
    StringLocationExpression "stringLocationExpression", Kind "kind", Factor "factor", Numerator "numerator",
    Denominator "denominator", IsArtificial "isArtificial", CoroSuspendIdx "coroSuspendIdx",
    EnumKind "enumKind", ExportSymbols "exportSymbols", Decl "decl", Specification "specification",
    BitStride "bitStride", DataSize "dataSize",
);
