#version 460
#extension GL_EXT_buffer_reference : enable
#extension GL_EXT_buffer_reference2 : enable
#extension GL_EXT_scalar_block_layout : enable
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : enable
layout(local_size_x = 32) in;
layout(buffer_reference) buffer Node;
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Node { Node next; vec3 val; int n; };
layout(buffer_reference, scalar) readonly buffer Arr { vec3 d[]; };
layout(push_constant, scalar) uniform P { Node head; Arr arr; uint64_t raw; } p;
void main() {
  Node n = p.head;
  for (int i = 0; i < 10 && uint64_t(n) != 0ul; i++) { n.val += p.arr.d[gl_GlobalInvocationID.x]; n = n.next; }
  Arr a = Arr(p.raw); Node m = p.head + 2;
  m.n = int(a.d[3].y);
}
