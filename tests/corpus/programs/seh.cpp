struct G { int *p; ~G(); }; int may(int); struct X { virtual ~X(); int v; };
int seh(int x) { int r = 0; __try { r = may(x); __try { may(3); } __finally { r++; } } __except (x == 3 ? 1 : 0) { r = -1; } return r; }
