#version 460
#extension GL_EXT_nonuniform_qualifier : enable
layout(location = 0) in V { vec3 nrm; vec2 uv; vec4 tint; flat int flags; } i;
layout(set = 0, binding = 1) uniform sampler2D albedo[];
layout(set = 0, binding = 2) uniform samplerCube env;
layout(set = 0, binding = 3) uniform sampler2DShadow shadow;
layout(set = 0, binding = 4) uniform texture3D lut; layout(set = 0, binding = 5) uniform sampler lin;
struct Light { vec4 pos; vec4 col; };
layout(set = 2, binding = 0, std140) uniform Lights { Light l[16]; int n; } lights;
layout(location = 0) out vec4 color; layout(location = 1) out uvec2 ids;
layout(constant_id = 3) const int QUALITY = 2; layout(constant_id = 4) const bool FOG = true;
float ggx(float nh, float a) { float d = nh * nh * (a * a - 1.0) + 1.0; return a * a / (3.14159 * d * d); }
void main() {
  vec4 base = texture(albedo[nonuniformEXT(i.flags & 63)], i.uv) * i.tint;
  if (base.a < 0.5) discard;
  vec3 n = normalize(i.nrm), c = vec3(0);
  for (int k = 0; k < lights.n; ++k) {
    vec3 l = lights.l[k].pos.xyz - gl_FragCoord.xyz;
    float d = length(l); l /= d;
    if (d > 100.0) continue;
    c += lights.l[k].col.rgb * max(dot(n, l), 0.0) * ggx(max(dot(n, normalize(l + vec3(0, 0, 1))), 0.0), 0.3) / (d * d);
  }
  for (int q = 0; q < QUALITY; q++) c += textureLod(env, reflect(vec3(0, 0, 1), n), float(q)).rgb;
  c *= texture(shadow, vec3(i.uv, gl_FragCoord.z));
  c = texture(sampler3D(lut, lin), clamp(c, 0.0, 1.0)).rgb;
  if (FOG) c = mix(c, vec3(0.5), smoothstep(10.0, 90.0, gl_FragCoord.w));
  c += dFdx(c) * fwidth(i.uv.x) + dFdyFine(c);
  color = vec4(pow(c, vec3(1.0 / 2.2)), base.a);
  ids = uvec2(i.flags, gl_PrimitiveID);
}
