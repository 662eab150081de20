struct G { int *p; ~G(); }; int may(int); struct X { virtual ~X(); int v; };
int cxx(int x) { G g{&x}; try { G h{&x}; may(x); try { may(2); } catch (int i) { return i; } } catch (X &e) { return e.v; } catch (...) { may(4); throw; } return 0; } int cl(int n) { for (int i = 0; i < n; i++) { G g{&n}; try { may(i); } catch (...) { continue; } } return n; } void tail() noexcept { may(1); } X *nx() { return new X; }
__declspec(dllexport) int ex = 3; __declspec(dllimport) extern int im; __declspec(dllimport) int imf(int); __declspec(selectany) int sa = 4; int us() { return im + imf(ex) + sa; }
