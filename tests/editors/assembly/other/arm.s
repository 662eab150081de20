	.arch armv7-a
	.fpu neon
s_load:
	vadd.f32 s0, s1, s2
	vld1.32 {d0}, [r0]
	bx lr
