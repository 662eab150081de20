#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
template <class T, std::size_t N, std::size_t M> struct Mat { T d[N][M]{}; template <std::size_t K> Mat<T, N, K> operator*(const Mat<T, M, K> &o) const { Mat<T, N, K> r; for (std::size_t i = 0; i < N; i++) for (std::size_t j = 0; j < K; j++) for (std::size_t k = 0; k < M; k++) r.d[i][j] += d[i][k] * o.d[k][j]; return r; } };
template struct Mat<float, 4, 4>; Mat<double, 2, 3> mul(const Mat<double, 2, 4> &a, const Mat<double, 4, 3> &b) { return a * b; }
template <class... A> auto sum(A... a) { return (a + ... + 0); } template <class F, class T, std::size_t... I> auto each(F f, T &&t, std::index_sequence<I...>) { return std::make_tuple(f(std::get<I>(t))...); }
auto t(int x, float y) { return each([](auto v) { return v * 2; }, std::make_tuple(x, y, 3L), std::make_index_sequence<3>()); }
int s(int a, long b, char c) { return (int)sum(a, b, c); }
constexpr auto table = [] { std::array<unsigned, 256> a{}; for (unsigned i = 0; i < 256; i++) { unsigned c = i; for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1; a[i] = c; } return a; }();
unsigned crc(const unsigned char *p, std::size_t n) { unsigned c = ~0u; while (n--) c = table[(c ^ *p++) & 255] ^ (c >> 8); return ~c; }
template <class T> concept Num = std::is_arithmetic_v<T>; template <Num T> T twice(T x) { return x + x; } template int twice(int);
inline int inl = 5; template <class T> T var = T(3); int u() { return var<int> + inl + (int)var<double>; }
