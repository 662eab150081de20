//! Valid usage IDs of built-ins in the Vulkan specification, as SPIRV-Tools (validate_builtins.cpp, Apache-2.0) reports them.

use wavelens_syntax::spirv::tables::BuiltIn as B;

/// Rule about the execution models of a built-in.
pub(super) const MODEL: usize = 0;
/// Rule about its storage class.
pub(super) const CLASS: usize = 1;
/// Rule about its type.
pub(super) const TYPE: usize = 2;

/// ` [VUID-FragCoord-FragCoord-04212]`; empty if the reference validator does not name one.
pub(super) fn of(built_in: u32, rule: usize) -> String {
    let number = VUIDS.iter().find(|(b, _)| *b == built_in).and_then(|(_, all)| all.get(rule));
    match number {
        Some(0) | None => String::new(),
        Some(number) => {
            let name = super::name(built_in);
            format!(" [VUID-{name}-{name}-{number:05}]")
        }
    }
}

/// Numbers for [`MODEL`], [`CLASS`] and [`TYPE`]; 0 if there is none.
const VUIDS: &[(u32, [u16; 3])] = &[
    (B::SubgroupEqMask, [0, 4370, 4371]),
    (B::SubgroupGeMask, [0, 4372, 4373]),
    (B::SubgroupGtMask, [0, 4374, 4375]),
    (B::SubgroupLeMask, [0, 4376, 4377]),
    (B::SubgroupLtMask, [0, 4378, 4379]),
    (B::SubgroupLocalInvocationId, [0, 4380, 4381]),
    (B::SubgroupSize, [0, 4382, 4383]),
    (B::GlobalInvocationId, [4236, 4237, 4238]),
    (B::LocalInvocationId, [4281, 4282, 4283]),
    (B::NumWorkgroups, [4296, 4297, 4298]),
    (B::NumSubgroups, [4293, 4294, 4295]),
    (B::SubgroupId, [4367, 4368, 4369]),
    (B::WorkgroupId, [4422, 4423, 4424]),
    (B::HitKindKHR, [4242, 4243, 4244]),
    (B::HitTNV, [4245, 4246, 4247]),
    (B::InstanceCustomIndexKHR, [4251, 4252, 4253]),
    (B::InstanceId, [4254, 4255, 4256]),
    (B::RayGeometryIndexKHR, [4345, 4346, 4347]),
    (B::ObjectRayDirectionKHR, [4299, 4300, 4301]),
    (B::ObjectRayOriginKHR, [4302, 4303, 4304]),
    (B::ObjectToWorldKHR, [4305, 4306, 4307]),
    (B::WorldToObjectKHR, [4434, 4435, 4436]),
    (B::IncomingRayFlagsKHR, [4248, 4249, 4250]),
    (B::RayTminKHR, [4351, 4352, 4353]),
    (B::RayTmaxKHR, [4348, 4349, 4350]),
    (B::WorldRayDirectionKHR, [4428, 4429, 4430]),
    (B::WorldRayOriginKHR, [4431, 4432, 4433]),
    (B::LaunchIdKHR, [4266, 4267, 4268]),
    (B::LaunchSizeKHR, [4269, 4270, 4271]),
    (B::FragInvocationCountEXT, [4217, 4218, 4219]),
    (B::FragSizeEXT, [4220, 4221, 4222]),
    (B::FragStencilRefEXT, [4223, 4224, 4225]),
    (B::FullyCoveredEXT, [4232, 4233, 4234]),
    (B::CullMaskKHR, [6735, 6736, 6737]),
    (B::BaryCoordKHR, [4154, 4155, 4156]),
    (B::BaryCoordNoPerspKHR, [4160, 4161, 4162]),
    (B::PrimitivePointIndicesEXT, [7041, 7043, 7044]),
    (B::PrimitiveLineIndicesEXT, [7047, 7049, 7050]),
    (B::PrimitiveTriangleIndicesEXT, [7053, 7055, 7056]),
    (B::CullPrimitiveEXT, [7034, 7035, 7036]),
    (B::FragCoord, [4210, 4211, 4212]),
    (B::FragDepth, [4213, 4214, 4215]),
    (B::FrontFacing, [4229, 4230, 4231]),
    (B::HelperInvocation, [4239, 4240, 4241]),
    (B::InvocationId, [4257, 4258, 4259]),
    (B::InstanceIndex, [4263, 4264, 4265]),
    (B::PatchVertices, [4308, 4309, 4310]),
    (B::PointCoord, [4311, 4312, 4313]),
    (B::PointSize, [4314, 4316, 4317]),
    (B::Position, [4318, 4320, 4321]),
    (B::PrimitiveId, [4330, 0, 4337]),
    (B::SampleId, [4354, 4355, 4356]),
    (B::SampleMask, [4357, 4358, 4359]),
    (B::SamplePosition, [4360, 4361, 4362]),
    (B::TessCoord, [4387, 4388, 4389]),
    (B::TessLevelOuter, [0, 0, 4393]),
    (B::TessLevelInner, [0, 0, 4397]),
    (B::VertexIndex, [4398, 4399, 4400]),
    (B::WorkgroupSize, [4425, 0, 4427]),
    (B::DrawIndex, [4207, 4208, 4209]),
    (B::ViewIndex, [4401, 4402, 4403]),
    (B::DeviceIndex, [0, 4205, 4206]),
    (B::PrimitiveShadingRateKHR, [4484, 4485, 4486]),
    (B::ShadingRateKHR, [4490, 4491, 4492]),
];
