#include <coroutine>
#include <exception>
#include <utility>
template <class T> struct Gen {
  struct promise_type { T v; Gen get_return_object() { return Gen{std::coroutine_handle<promise_type>::from_promise(*this)}; } std::suspend_always initial_suspend() noexcept { return {}; } std::suspend_always final_suspend() noexcept { return {}; } std::suspend_always yield_value(T x) { v = x; return {}; } void return_void() {} void unhandled_exception() { std::terminate(); } };
  std::coroutine_handle<promise_type> h; explicit Gen(std::coroutine_handle<promise_type> x) : h(x) {} Gen(Gen &&o) : h(std::exchange(o.h, {})) {} ~Gen() { if (h) h.destroy(); }
  bool next() { h.resume(); return !h.done(); }
};
Gen<int> iota(int n) { for (int i = 0; i < n; i++) co_yield i; }
Gen<double> halves(double x) { while (x > 1) { co_yield x; x /= 2; } }
struct Task { struct promise_type { int r = 0; std::coroutine_handle<> up; Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; } std::suspend_always initial_suspend() noexcept { return {}; }
  struct Fin { bool await_ready() noexcept { return false; } std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> h) noexcept { return h.promise().up ? h.promise().up : std::noop_coroutine(); } void await_resume() noexcept {} };
  Fin final_suspend() noexcept { return {}; } void return_value(int x) { r = x; } void unhandled_exception() {} };
  std::coroutine_handle<promise_type> h; bool await_ready() { return false; } std::coroutine_handle<> await_suspend(std::coroutine_handle<> c) { h.promise().up = c; return h; } int await_resume() { return h.promise().r; } };
Task leaf(int x) { co_return x * 2; }
Task tree(int n) { if (n <= 0) co_return 1; int a = co_await tree(n - 1); int b = co_await leaf(a); co_return a + b; }
int total(int n) { auto g = iota(n); int s = 0; while (g.next()) s += g.h.promise().v; return s; }
