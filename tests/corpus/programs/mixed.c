#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
typedef struct { unsigned a : 3, b : 7, : 4, c : 18; signed d : 5; _Bool e : 1; long long f : 40; } Bits; typedef struct __attribute__((packed)) { char c; int i; short s; double d; } Pk; union U { int i; float f; double d; char c[9]; Bits b; };
typedef struct { char x[3]; } S3; typedef struct { float x, y, z; } F3; typedef struct { long a[5]; } Big; typedef struct { int n; int flex[]; } Flex; struct Opaque; extern struct Opaque *op;
int vsum(int n, ...) { va_list ap, aq; va_start(ap, n); va_copy(aq, ap); int s = 0; double d = 0; while (n--) { s += va_arg(ap, int); d += va_arg(aq, double); } Big b = va_arg(ap, Big); va_end(ap); va_end(aq); return s + (int)d + (int)b.a[2]; }
S3 ret3(S3 a, F3 b, Big c, Pk d) { S3 r = a; r.x[0] += (char)b.x + (char)c.a[1] + d.c; return r; } Big retbig(int x) { return (Big){{x, 2, [4] = 5}}; }
double complex cplx(double complex a, float complex b) { return a * b / (a + 1.0i) - conj(a); } 
#ifdef __SIZEOF_INT128__
__int128 wide(__int128 a, unsigned __int128 b, int s) { return a * (__int128)b / 7 + (a << s) % 13; }
#endif
 long double ld(long double x) { return x * 3.14159265358979323846L + 1e-400L; }
void bits(Bits *b, int v) { b->a = v; b->b += 3; b->c ^= b->d; b->d--; b->e = v; b->f <<= 2; } int un(union U *u) { u->f = 1.5f; return u->i + u->c[3] + u->b.c; }
static jmp_buf jb; int sj(int x) { volatile int v = x; if (setjmp(jb)) return v; v++; longjmp(jb, 1); } void *labels(int i, int *o) { static void *t[] = {&&a, &&b, &&c}; goto *t[i % 3]; a: o[0] = 1; b: o[1]++; c: o[2] = i; return t[0]; }
int sw(int x) { switch (x) { case 1 ... 5: return 3; case 10: x++; case 11: return x; case -100: return 1; case 1000000: return 2; default: return __builtin_expect(x, 0) ? 7 : 9; } } int vla(int n, int m) { int a[n][m]; memset(a, 0, sizeof a); return a[n / 2][m - 1] + (int)sizeof(a[0]); }
#ifdef __x86_64__
int as(int x, int y) { int r, q; __asm__("addl %2, %0" : "=r"(r) : "0"(x), "rm"(y) : "cc"); __asm__ volatile("" ::: "memory"); __asm__("imul %k1,%k0" : "+r"(r) : "r"(y)); __asm__("bt %2,%1" : "=@ccc"(q) : "r"(x), "i"(3)); return r + q; }
int agoto(int x) { __asm__ goto("test %0,%0; jz %l1" : : "r"(x) : "cc" : out); return 1; out: return 2; }
#endif
__attribute__((constructor)) static void init(void) {} __attribute__((destructor(200))) void fini(void) {} __attribute__((weak)) int wk(void) { return 1; } 
#ifdef __linux__
int al(void) __attribute__((alias("wk")));
#endif
 __attribute__((section("__DATA,bar"))) int sec = 4; static int un2 __attribute__((used)) = 1; extern int hid __attribute__((visibility("hidden"))); __attribute__((noreturn, cold)) void die(void); const char *const strs[] = {"a\n\"\\\x01\xff", "", "\u00e9"}; const __WCHAR_TYPE__ *ws = L"w\u4e2d"; int hu(int x) { if (x == hid) die(); return x / sec; } 
#ifdef __linux__
static void *resolver(void) { return wk; } int ifn(void) __attribute__((ifunc("resolver")));
#endif

_Atomic int at; _Atomic(long) al2; int atom(void) { at += 3; al2 *= 5; return __sync_fetch_and_nand(&un2, 4) + __atomic_load_n(&un2, __ATOMIC_CONSUME); } float fl(float x) { return __builtin_fmaf(x, x, __builtin_inff()) + __builtin_nanf("0x123") + 0x1.8p-140f; } 
#if defined(__x86_64__) || defined(__aarch64__)
_Float16 h(_Float16 a, __bf16 b) { return a * (_Float16)2.5 + (_Float16)(float)b; }
#endif

#ifdef __SIZEOF_FLOAT128__
__float128 q(__float128 x) { return x * 2; }
#endif


#if __BITINT_MAXWIDTH__ >= 200
_BitInt(37) bi(_BitInt(37) a, unsigned _BitInt(200) b) { return a * 3 + (_BitInt(37))(b >> 100); }
#endif
 int ov(int a, int b, int *r) { return __builtin_mul_overflow(a, b, r) | __builtin_uadd_overflow(a, b, (unsigned *)r); } int flex(Flex *f) { return f->flex[f->n] + (int)__builtin_dynamic_object_size(f, 0); } int tail(int x, int y) { if (x) __attribute__((musttail)) return tail(x - 1, y + x); return y; }
