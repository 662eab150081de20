//! The keys that LLVM's `MIRYamlMapping.h` and the targets' own mappings know, grouped by what their values must be.

use wavelens_isa::mir::Machine;

/// What a value must be.
#[derive(Clone, Copy)]
pub enum Shape {
    /// Any text.
    Text,
    /// `true` or `false`.
    Bool,
    /// `true` or `false`, or nothing.
    OptionalBool,
    /// A number up to this one.
    Unsigned(u64),
    /// A number from `-n - 1` to `n`.
    Signed(i64),
    /// An unsigned number, or nothing.
    OptionalUnsigned,
    /// A signed number, or nothing.
    OptionalSigned,
    /// Whether 0 is allowed.
    Align(bool),
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// A list of values.
    List(&'static Shape),
    /// A mapping with these keys.
    Map(Keys),
    /// `%stack.0` or `%fixed-stack.0`.
    FrameIndex,
    /// A target's own section; checked where the target is known.
    Any,
}

use Shape::{Bool, List, Map, OneOf, OptionalBool, OptionalSigned, OptionalUnsigned, Text};

/// A key of a mapping.
pub struct Key {
    /// As written before the colon.
    pub name: &'static str,
    pub(crate) required: bool,
    /// What its value must be.
    pub shape: Shape,
}

pub(crate) type Keys = &'static [Key];

/// A key; `!` follows a required one.
const fn key(name: &'static str, shape: Shape) -> Key {
    match name.as_bytes() {
        [.., b'!'] => Key { name: name.split_at(name.len() - 1).0, required: true, shape },
        _ => Key { name, required: false, shape },
    }
}

/// `Shape => "key" "key";` ...
macro_rules! keys {
    ($($shape:expr => $($name:literal)*;)*) => { &[$($(key($name, $shape),)*)*] };
}

const U16: Shape = Shape::Unsigned(u16::MAX as u64);
const U32: Shape = Shape::Unsigned(u32::MAX as u64);
const U64: Shape = Shape::Unsigned(u64::MAX);
const I32: Shape = Shape::Signed(i32::MAX as i64);
const I64: Shape = Shape::Signed(i64::MAX);
const TEXTS: Shape = List(&Text);
const STACK_IDS: Shape = OneOf(&[
    "default",
    "sgpr-spill",
    "scalable-vector",
    "scalable-predicate-vector",
    "wasm-local",
    "noalloc",
]);

/// Keys that came with the version next to them: older ones do not read a file that has them.
const NEWER: &[(&str, u8)] = &[
    ("anti-hints", 24),
    ("assigned-phys", 23),
    ("framePointerPolicy", 23),
    ("minNumAGPRs", 23),
    ("prefetch-targets", 23),
    ("split-from", 23),
    ("hasNoWWMPoolSGPRSpillFallback", 24),
];

/// The first version that reads a key, if it came after LLVM 22.
pub fn key_since(key: &str) -> Option<u8> {
    NEWER.iter().find(|(known, _)| *known == key).map(|(_, since)| *since)
}

static FRAME_INFO: Keys = keys! {
    Bool => "isFrameAddressTaken" "isReturnAddressTaken" "hasStackMap" "hasPatchPoint" "adjustsStack" "hasCalls"
        "hasOpaqueSPAdjustment" "hasVAStart" "hasMustTailInVarArgFunc" "hasTailCall" "isCalleeSavedInfoValid";
    U64 => "stackSize";
    I32 => "offsetAdjustment";
    OneOf(&["none", "non-leaf", "all", "reserved", "non-leaf-no-reserve"]) => "framePointerPolicy";
    U32 => "maxAlignment" "maxCallFrameSize" "cvBytesOfCalleeSavedRegisters" "localFrameSize";
    Text => "stackProtector" "functionContext";
    List(&Map(keys! { Text => "point!"; TEXTS => "registers"; })) => "savePoint" "restorePoint";
};

static REGISTERS: Keys = keys! {
    U32 => "id!";
    Text => "class!" "preferred-register" "assigned-phys" "split-from";
    TEXTS => "flags" "anti-hints";
};

pub(super) static FIXED_STACK: Keys = keys! {
    U32 => "id!";
    OneOf(&["default", "spill-slot"]) => "type";
    I64 => "offset";
    U64 => "size";
    Shape::Align(true) => "alignment";
    STACK_IDS => "stack-id";
    Bool => "isImmutable" "isAliased" "callee-saved-restored";
    Text => "callee-saved-register" "debug-info-variable" "debug-info-expression" "debug-info-location";
};

pub(super) static STACK: Keys = keys! {
    U32 => "id!";
    OneOf(&["default", "spill-slot", "variable-sized"]) => "type";
    I64 => "offset";
    U64 => "size!";
    Shape::Align(true) => "alignment";
    STACK_IDS => "stack-id";
    Bool => "callee-saved-restored";
    OptionalSigned => "local-offset";
    Text => "name" "callee-saved-register" "debug-info-variable" "debug-info-expression" "debug-info-location";
};

static ENTRY_VALUES: Keys = keys! {
    Text => "entry-value-register!" "debug-info-variable!" "debug-info-expression!" "debug-info-location!";
};

static CALL_SITES: Keys = keys! {
    U32 => "bb!" "offset!";
    List(&Map(keys! { U16 => "arg!"; Text => "reg!"; })) => "fwdArgRegs";
    List(&U64) => "calleeTypeIds";
};

static CONSTANTS: Keys = keys! {
    U32 => "id!";
    Text => "value";
    Shape::Align(true) => "alignment";
    Bool => "isTargetSpecific";
};

static JUMP_TABLE: Keys = keys! {
    OneOf(&[
        "block-address",
        "gp-rel64-block-address",
        "gp-rel32-block-address",
        "label-difference32",
        "label-difference64",
        "inline",
        "custom32",
    ]) => "kind!";
    List(&Map(keys! { U32 => "id!"; TEXTS => "blocks"; })) => "entries";
};

/// A machine function.
pub static FUNCTION: Keys = keys! {
    Text => "name!";
    Shape::Align(true) => "alignment";
    Bool => "exposesReturnsTwice" "legalized" "regBankSelected" "selected" "failedISel" "tracksRegLiveness" "hasWinCFI"
        "callsEHReturn" "callsUnwindInit" "hasEHContTarget" "hasEHScopes" "hasEHFunclets" "isOutlined" "debugInstrRef"
        "failsVerification" "tracksDebugUserValues";
    OptionalBool => "noPhis" "isSSA" "noVRegs" "hasFakeUses";
    List(&Map(REGISTERS)) => "registers";
    List(&Map(keys! { Text => "reg!" "virtual-reg"; })) => "liveins";
    TEXTS => "calleeSavedRegisters" "machineMetadataNodes";
    Map(FRAME_INFO) => "frameInfo";
    List(&Map(FIXED_STACK)) => "fixedStack";
    List(&Map(STACK)) => "stack";
    List(&Map(ENTRY_VALUES)) => "entry_values";
    List(&Map(CALL_SITES)) => "callSites";
    List(&Map(keys! { U32 => "srcinst!" "srcop!" "dstinst!" "dstop!" "subreg!"; })) => "debugValueSubstitutions";
    TEXTS => "prefetch-targets";
    List(&Map(CONSTANTS)) => "constants";
    Shape::Any => "machineFunctionInfo";
    Map(JUMP_TABLE) => "jumpTable";
    List(&Map(keys! { U32 => "bb!" "offset!" "flags!"; Text => "callee!"; })) => "calledGlobals";
    Text => "body";
};

/// `machineFunctionInfo`: which machines have which keys.
pub(super) static INFOS: [(&[Machine], Keys); 8] = [
    (&[Machine::Amdgpu], AMDGPU_INFO),
    (&[Machine::X86], X86_INFO),
    (&[Machine::Aarch64], AARCH64_INFO),
    (&[Machine::Arm], keys! { Bool => "isLRSpilled"; }),
    (&[Machine::Hexagon], keys! { Text => "stackAlignBaseReg"; }),
    (&[Machine::Riscv32, Machine::Riscv64], keys! { I32 => "varArgsFrameIndex" "varArgsSaveSize"; }),
    (
        &[Machine::Wasm],
        keys! { TEXTS => "params" "results"; Bool => "isCFGStackified"; Shape::Any => "wasmEHFuncInfo"; },
    ),
    (
        &[
            Machine::Avr,
            Machine::Loongarch64,
            Machine::M68k,
            Machine::Mips,
            Machine::Nvptx,
            Machine::Powerpc,
            Machine::Systemz,
        ],
        &[],
    ),
];

/// The keys of a machine's `machineFunctionInfo`.
pub fn info_keys(machine: Machine) -> &'static [Key] {
    INFOS.iter().find(|(machines, _)| machines.contains(&machine)).map_or(&[], |(_, keys)| keys)
}

/// That of x86.
static X86_INFO: Keys = keys! { OneOf(&["None", "DirectReg", "ManagedRA"]) => "amxProgModel"; };

/// That of AArch64.
static AARCH64_INFO: Keys = keys! {
    OptionalBool => "hasRedZone" "hasStackFrame" "hasStreamingModeChanges";
    OptionalUnsigned => "stackSizeZPR" "stackSizePPR";
};

/// Where a function's argument is.
pub(super) static ARGUMENT: Shape = Map(keys! { Text => "reg"; U32 => "offset" "mask"; });

static ARGUMENTS: Keys = keys! {
    ARGUMENT => "privateSegmentBuffer" "dispatchPtr" "queuePtr" "kernargSegmentPtr" "dispatchID" "flatScratchInit"
        "privateSegmentSize" "workGroupIDX" "workGroupIDY" "workGroupIDZ" "workGroupInfo" "LDSKernelId"
        "privateSegmentWaveByteOffset" "implicitArgPtr" "implicitBufferPtr" "workItemIDX" "workItemIDY" "workItemIDZ"
        "firstKernArgPreloadReg";
};

static MODE: Keys = keys! {
    Bool => "ieee" "dx10-clamp" "fp32-input-denormals" "fp32-output-denormals" "fp64-fp16-input-denormals"
        "fp64-fp16-output-denormals";
};

/// That of AMDGPU.
static AMDGPU_INFO: Keys = keys! {
    U64 => "explicitKernArgSize";
    Shape::Align(false) => "maxKernArgAlign" "dynLDSAlign";
    U32 => "ldsSize" "gdsSize" "numWaveDispatchSGPRs" "numWaveDispatchVGPRs" "bytesInStackArgArea" "psInputAddr"
        "psInputEnable" "maxMemoryClusterDWords" "highBitsOf32BitAddress" "occupancy" "dynamicVGPRBlockSize"
        "scratchReservedForDynamicVGPRs" "numKernargPreloadSGPRs" "minNumAGPRs";
    Bool => "isEntryFunction" "isChainFunction" "noSignedZerosFPMath" "memoryBound" "waveLimiter" "hasSpilledSGPRs"
        "hasSpilledVGPRs" "returnsVoid" "hasInitWholeWave" "isWholeWaveFunction" "hasNoWWMPoolSGPRSpillFallback";
    Text => "scratchRSrcReg" "frameOffsetReg" "stackPtrOffsetReg" "vgprForAGPRCopy" "sgprForEXECCopy"
        "longBranchReservedReg";
    Map(ARGUMENTS) => "argumentInfo";
    Map(MODE) => "mode";
    TEXTS => "spillPhysVGPRs" "wwmReservedRegs";
    Shape::FrameIndex => "scavengeFI";
};
