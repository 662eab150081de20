//! Names for ids of a binary, as the reference disassembler makes them (SPIRV-Tools, source/name_mapper.cpp): from OpName,
//! built-ins, types and constants.

use rustc_hash::FxHashMap;
use wavelens_syntax::spirv::tables::{BuiltIn, Decoration, FPEncoding, Kind, Op};

use super::binary::{Known, opcode, string};
use super::literal;

/// Longer names are not used.
const LIMIT: usize = 256;

/// Unique names of ids.
#[derive(Debug, Default)]
pub(super) struct FriendlyNames {
    names: FxHashMap<u32, String>,
    /// Names taken, with the number to try next after each.
    used: FxHashMap<String, u32>,
}

impl FriendlyNames {
    pub(super) fn gather(insts: &[&[u32]], known: &Known) -> FriendlyNames {
        let mut names = FriendlyNames::default();
        for inst in insts {
            names.read(inst, known);
        }
        names
    }

    /// Without `%`.
    pub(super) fn get(&self, id: u32) -> Option<&str> {
        self.names.get(&id).map(String::as_str)
    }

    fn of(&self, id: u32) -> String {
        self.get(id).map_or_else(|| id.to_string(), str::to_owned)
    }

    fn save(&mut self, id: u32, suggested: &str) {
        if self.names.contains_key(&id) {
            return;
        }
        let base = sanitize(suggested);
        let mut name = base.clone();
        let mut next = self.used.get(&base).copied().unwrap_or(0);
        while self.used.contains_key(&name) {
            name = format!("{base}_{next}");
            next += 1;
        }
        self.used.insert(base, next);
        self.used.entry(name.clone()).or_insert(0);
        self.names.insert(id, name);
    }

    fn read(&mut self, inst: &[u32], known: &Known) {
        let word = |at: usize| inst.get(at).copied().unwrap_or(0);
        let (op, id) = (opcode(inst), word(1));
        let class = |at: usize| Kind::StorageClass.valued(word(at)).map_or("StorageClass", |e| e.name);
        let name = match op {
            Op::Name => match string(inst.get(2..).unwrap_or_default()) {
                Some((name, _)) if name.len() <= LIMIT => suggested(&name),
                _ => return,
            },
            Op::Decorate if word(2) == Decoration::BuiltIn => match builtin_name(word(3)) {
                Some(name) => name,
                None => return,
            },
            Op::TypeVoid => "void".to_owned(),
            Op::TypeBool => "bool".to_owned(),
            Op::TypeInt => int_name(word(2), word(3) != 0),
            Op::TypeFloat => float_name(word(2), inst.get(3).copied()),
            Op::TypeVector => format!("v{}{}", word(3), self.of(word(2))),
            Op::TypeMatrix => format!("mat{}{}", word(3), self.of(word(2))),
            Op::TypeArray => format!("_arr_{}_{}", self.of(word(2)), self.of(word(3))),
            Op::TypeRuntimeArray => format!("_runtimearr_{}", self.of(word(2))),
            Op::TypeNodePayloadArrayAMDX => format!("_payloadarr_{}", self.of(word(2))),
            Op::TypePointer => format!("_ptr_{}_{}", class(2), self.of(word(3))),
            Op::TypeUntypedPointerKHR => format!("_ptr_{}", class(2)),
            Op::TypePipe => {
                format!("Pipe{}", Kind::AccessQualifier.valued(word(2)).map_or("", |e| e.name))
            }
            Op::TypeEvent => "Event".to_owned(),
            Op::TypeDeviceEvent => "DeviceEvent".to_owned(),
            Op::TypeReserveId => "ReserveId".to_owned(),
            Op::TypeQueue => "Queue".to_owned(),
            Op::TypePipeStorage => "PipeStorage".to_owned(),
            Op::TypeNamedBarrier => "NamedBarrier".to_owned(),
            Op::TypeOpaque => match string(inst.get(2..).unwrap_or_default()) {
                Some((name, _)) => format!("Opaque_{name}"),
                None => return,
            },
            Op::TypeStruct => format!("_struct_{id}"),
            Op::ConstantTrue => return self.save(word(2), "true"),
            Op::ConstantFalse => return self.save(word(2), "false"),
            Op::Constant => {
                let literal = known.number(inst);
                let value = literal.and_then(|n| literal::decode(inst.get(3..)?, n)).unwrap_or_default();
                let name = format!("{}_{}", self.of(id), value.replace('-', "n"));
                return self.save(word(2), &name);
            }
            _ => {
                let Some(info) = op.info().filter(|i| i.has_result) else { return };
                let result = if info.has_type { word(2) } else { id };
                // Written as its number; a name must not take it.
                if let std::collections::hash_map::Entry::Vacant(slot) = self.names.entry(result) {
                    self.used.insert(result.to_string(), 0);
                    slot.insert(result.to_string());
                }
                return;
            }
        };
        self.save(id, &name);
    }
}

/// A name that starts with a digit could be read as a number.
fn suggested(name: &str) -> String {
    match name.as_bytes() {
        [b'0'..=b'9', ..] => format!("_{name}"),
        _ => name.to_owned(),
    }
}

fn sanitize(name: &str) -> String {
    if name.is_empty() {
        return "_".to_owned();
    }
    name.bytes().map(|b| if b.is_ascii_alphanumeric() { b as char } else { '_' }).collect()
}

fn int_name(width: u32, signed: bool) -> String {
    let root = match width {
        8 => "char",
        16 => "short",
        32 => "int",
        64 => "long",
        _ => return format!("{}{width}", if signed { 'i' } else { 'u' }),
    };
    format!("{}{root}", if signed { "" } else { "u" })
}

fn float_name(width: u32, encoding: Option<u32>) -> String {
    match (encoding, width) {
        (Some(FPEncoding::BFloat16KHR), _) => "bfloat16".to_owned(),
        (Some(FPEncoding::Float8E4M3EXT), _) => "fp8e4m3".to_owned(),
        (Some(FPEncoding::Float8E5M2EXT), _) => "fp8e5m2".to_owned(),
        (_, 16) => "half".to_owned(),
        (_, 32) => "float".to_owned(),
        (_, 64) => "double".to_owned(),
        _ => format!("fp{width}"),
    }
}

/// Shader built-ins by their GLSL names, the others by their own.
fn builtin_name(builtin: u32) -> Option<String> {
    let name = Kind::BuiltIn.valued(builtin)?.name;
    Some(match builtin {
        BuiltIn::VertexId => "gl_VertexID".to_owned(),
        BuiltIn::InstanceId => "gl_InstanceID".to_owned(),
        BuiltIn::PrimitiveId => "gl_PrimitiveID".to_owned(),
        BuiltIn::InvocationId => "gl_InvocationID".to_owned(),
        BuiltIn::SampleId => "gl_SampleID".to_owned(),
        BuiltIn::NumWorkgroups => "gl_NumWorkGroups".to_owned(),
        BuiltIn::WorkgroupSize => "gl_WorkGroupSize".to_owned(),
        BuiltIn::WorkgroupId => "gl_WorkGroupID".to_owned(),
        BuiltIn::LocalInvocationId => "gl_LocalInvocationID".to_owned(),
        BuiltIn::GlobalInvocationId => "gl_GlobalInvocationID".to_owned(),
        BuiltIn::Position
        | BuiltIn::PointSize
        | BuiltIn::ClipDistance
        | BuiltIn::CullDistance
        | BuiltIn::Layer
        | BuiltIn::ViewportIndex
        | BuiltIn::TessLevelOuter
        | BuiltIn::TessLevelInner
        | BuiltIn::TessCoord
        | BuiltIn::PatchVertices
        | BuiltIn::FragCoord
        | BuiltIn::PointCoord
        | BuiltIn::FrontFacing
        | BuiltIn::SamplePosition
        | BuiltIn::SampleMask
        | BuiltIn::FragDepth
        | BuiltIn::HelperInvocation
        | BuiltIn::LocalInvocationIndex
        | BuiltIn::VertexIndex
        | BuiltIn::InstanceIndex
        | BuiltIn::BaseInstance => format!("gl_{name}"),
        _ => name.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn built_ins_have_the_names_of_glsl() {
        let names = (0..=5000).filter_map(|n| Some((Kind::BuiltIn.valued(n)?.name, builtin_name(n)?)));
        let (own, others): (Vec<_>, Vec<_>) = names.partition(|(own, name)| own == name);
        let (kept, renamed): (Vec<_>, Vec<_>) =
            others.into_iter().partition(|(own, name)| name.strip_prefix("gl_") == Some(own));
        let own: Vec<&str> = own.iter().map(|(own, _)| *own).take(8).collect();
        let kept: Vec<&str> = kept.iter().map(|(own, _)| *own).collect();
        let renamed: Vec<String> = renamed.iter().map(|(own, name)| format!("{own} {name}")).collect();
        let shown = format!(
            "as they are, first: {}\nwith gl_: {}\nothers: {}\n",
            own.join(" "),
            kept.join(" "),
            renamed.join(", ")
        );
        expect![[r#"
            as they are, first: WorkDim GlobalSize EnqueuedWorkgroupSize GlobalOffset GlobalLinearId SubgroupSize SubgroupMaxSize NumSubgroups
            with gl_: Position PointSize ClipDistance CullDistance Layer ViewportIndex TessLevelOuter TessLevelInner TessCoord PatchVertices FragCoord PointCoord FrontFacing SamplePosition SampleMask FragDepth HelperInvocation LocalInvocationIndex VertexIndex InstanceIndex BaseInstance
            others: VertexId gl_VertexID, InstanceId gl_InstanceID, PrimitiveId gl_PrimitiveID, InvocationId gl_InvocationID, SampleId gl_SampleID, NumWorkgroups gl_NumWorkGroups, WorkgroupSize gl_WorkGroupSize, WorkgroupId gl_WorkGroupID, LocalInvocationId gl_LocalInvocationID, GlobalInvocationId gl_GlobalInvocationID
        "#]].assert_eq(&shown);
    }

    #[test]
    fn numbers_have_the_names_of_their_types() {
        let ints = [1, 8, 16, 24, 32, 64]
            .map(|width| format!("{} {}", int_name(width, true), int_name(width, false)));
        expect!["i1 u1, char uchar, short ushort, i24 u24, int uint, long ulong"].assert_eq(&ints.join(", "));
        let encodings = [
            None,
            Some(FPEncoding::BFloat16KHR),
            Some(FPEncoding::Float8E4M3EXT),
            Some(FPEncoding::Float8E5M2EXT),
            Some(77),
        ];
        let floats =
            encodings.map(|encoding| [8, 16, 32, 64, 80].map(|width| float_name(width, encoding)).join(" "));
        expect!["fp8 half float double fp80, bfloat16 bfloat16 bfloat16 bfloat16 bfloat16, fp8e4m3 fp8e4m3 fp8e4m3 fp8e4m3 fp8e4m3, fp8e5m2 fp8e5m2 fp8e5m2 fp8e5m2 fp8e5m2, fp8 half float double fp80"].assert_eq(&floats.join(", "));
        let names = ["", "a.b", "0x", "ä"].map(|name| sanitize(&suggested(name)));
        expect!["_ a_b _0x __"].assert_eq(&names.join(" "));
    }
}
