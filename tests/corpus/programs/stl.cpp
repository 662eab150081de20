#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>
#include <functional>
int sum(const std::vector<int> &v) { return std::accumulate(v.begin(), v.end(), 0); }
void sorted(std::vector<std::string> &v) { std::sort(v.begin(), v.end(), [](const auto &a, const auto &b) { return a.size() < b.size(); }); }
std::string join(const std::map<int, std::string> &m) { std::string s; for (auto &[k, v] : m) s += std::to_string(k) + v; return s; }
std::optional<int> find(const std::unordered_map<int, int> &m, int k) { auto i = m.find(k); return i == m.end() ? std::nullopt : std::optional<int>(i->second); }
using V = std::variant<int, double, std::string>;
double num(const V &v) { return std::visit([](const auto &x) -> double { if constexpr (std::is_arithmetic_v<std::decay_t<decltype(x)>>) return x; else return x.size(); }, v); }
std::function<int(int)> adder(int n) { auto p = std::make_shared<int>(n); return [p](int x) { return x + *p; }; }
