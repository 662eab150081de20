# Host code of a HIP program names the GPU only in a string.
	.section .hip_fatbin,"a",@progbits
	.asciz "hipv4-amdgcn-amd-amdhsa--gfx1100"
main:
	xorl %eax, %eax
	retq
