#version 460
#extension GL_EXT_shader_atomic_float : enable
#extension GL_EXT_shader_atomic_float2 : enable
#extension GL_EXT_shader_realtime_clock : enable
#extension GL_ARB_shader_clock : enable
#extension GL_EXT_demote_to_helper_invocation : enable
#extension GL_EXT_control_flow_attributes : enable
#extension GL_ARB_gpu_shader_int64 : enable
layout(local_size_x = 8) in;
layout(binding = 0) buffer B { float f; double d; uint64_t t; }; shared float sf;
void main() { atomicAdd(f, 1.0); atomicAdd(sf, 2.0); atomicExchange(f, sf); atomicMin(f, 3.0); t = clockRealtimeEXT() + clockARB();
  [[unroll]] for (int i = 0; i < 4; i++) f += sf; [[dont_unroll, dependency_infinite]] for (int i = 0; i < 9; i++) d += 1.0lf; [[flatten]] if (f > 2.0) f = 1.0; [[branch]] if (f > 3.0) f = 0.5; }
