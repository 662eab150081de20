#version 460
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { int a[]; };
struct S { int x; float f[3]; mat2 m; }; struct T { S s[2]; bool b; };
layout(binding = 1) buffer Q { S s[4]; } q[2];
int fib(int n) { int a = 0, b = 1; for (int i = 0; i < n; ++i) { int t = a + b; a = b; b = t; } return a; }
void swap(inout int x, inout int y, out int s) { int t = x; x = y; y = t; s = x + y; }
S make(int k) { S s; s.x = k; s.f = float[3](1.0, 2.0, float(k)); s.m = mat2(1.0); return s; }
void main() {
  int s = 0, t = 3, u;
  switch (a[0]) { case 0: s = 1; break; case 1: s = 2; case 2: s += 3; break; case -7: { for (int i = 0; i < 3; i++) { if (a[i] == 3) break; s += i; } break; } default: return; }
  do { s = fib(s); if (s > 100) break; if (s == 5) continue; s++; } while (s < 50);
  for (;;) { if (a[s] > 3) { if (a[s + 1] > 4) break; s++; } else { s += 2; continue; } while (true) { s++; if (s > 9) return; if ((s & 3) == 0) break; } }
  swap(s, t, u); T tt; tt.s[1] = make(s); tt.b = s > t; T t2 = tt; S arr[4];
  for (int i = 0; i < 4; i++) arr[i] = make(i);
  q[1].s[2] = arr[a[3] & 3]; q[0].s[a[2] & 3].f[1] = t2.s[0].f[a[1] % 3]; q[0].s[1].m[a[4] & 1][1] = 3.0;
  a[7] = (t2.b && tt.s[1] == arr[2]) ? u : arr.length();
  const vec4 tbl[3] = vec4[](vec4(1), vec4(2), vec4(0, 1, 2, 3)); a[8] = int(tbl[a[9] % 3].y);
}
