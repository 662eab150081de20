#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
thread_local int tl = 3; thread_local struct TL { int x; TL(); ~TL(); } obj; extern thread_local long ext; static thread_local int stat;
std::atomic<int> a; std::atomic<long long> b; std::atomic<bool> flag; std::atomic<void *> head; std::mutex m; std::condition_variable cv;
int ops(int x) { a.fetch_add(x, std::memory_order_relaxed); a.fetch_sub(1, std::memory_order_acquire); a |= 3; a ^= 5; int e = 3; a.compare_exchange_strong(e, 4, std::memory_order_acq_rel, std::memory_order_relaxed); b.store(x, std::memory_order_release); flag.exchange(true); std::atomic_thread_fence(std::memory_order_seq_cst); std::atomic_signal_fence(std::memory_order_acquire); while (flag.load(std::memory_order_acquire)) {} return e + tl + obj.x + (int)ext + stat++; }
void push(void **n) { void *h = head.load(); do { *n = h; } while (!head.compare_exchange_weak(h, n)); }
int wait() { std::unique_lock<std::mutex> l(m); cv.wait(l, [] { return flag.load(); }); static int once = ops(2); return once; }
void spawn() { std::thread t([] { ops(1); }); t.join(); }
std::atomic<float> fl; float fadd(float x) { return fl.fetch_add(x); }
struct Big { long x[4]; }; std::atomic<Big> big; Big load() { return big.load(); }
#ifdef __SIZEOF_INT128__
unsigned __int128 wide(unsigned __int128 *p, unsigned __int128 v) { return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST); }
#endif
