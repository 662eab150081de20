#include <stdexcept>
#include <string>
struct Guard { int *p; explicit Guard(int *q) : p(q) { ++*p; } ~Guard() noexcept(false) { --*p; } };
struct Err : std::runtime_error { int code; Err(int c) : std::runtime_error("err"), code(c) {} };
int work(int n, int *c);
int once(int n, int *c) { Guard g(c); if (n > 5) throw Err(n); if (n == 3) throw 42; return work(n, c); }
int nested(int n, int *c) {
  try {
    Guard g(c);
    try { return once(n, c); } catch (const Err &e) { Guard h(c); if (e.code == 7) throw; return e.code; }
  } catch (int i) { return i; } catch (const std::exception &e) { return (int)std::string(e.what()).size(); } catch (...) { return -1; }
}
void filter() noexcept { int c = 0; once(1, &c); }
int loop(int n, int *c) { int s = 0; for (int i = 0; i < n; i++) { try { s += once(i, c); } catch (int) { continue; } catch (Err &) { break; } } return s; }
