// Compares what two runs sent back.
#include "grader/runner/same_results.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "grader/judge/call.h"
#include "grader/runner/protocol.h"

namespace warpbook::grader {
namespace {

/// Whether the device had work left when the last call returned (require_done). How much is a time.
bool has_left(const Answer& answer) { return answer.device.has(kLeft) && answer.device.real(kLeft) > 0; }

/// Whether no element differs by more than a thousandth of the largest one.
template <class T>
bool are_near(const std::vector<T>& a, const std::vector<T>& b) {
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))) continue;
    largest = std::max({largest, std::fabs(double{a[i]}), std::fabs(double{b[i]})});
    difference = std::max(difference, std::fabs(double{a[i]} - double{b[i]}));
    if (!std::isfinite(a[i]) || !std::isfinite(b[i])) return false;
  }
  return a.size() == b.size() && difference <= 1e-3 * largest;
}

}  // namespace

bool same_results(const Answer& documented, const Answer& other) {
  const auto is_same = [](const auto& x, const auto& y) {
    return x == y || (x.first == y.first && (x.first == kMeasuredUs || x.first == kLeft));
  };
  return std::ranges::equal(documented.reply.all(), other.reply.all(), is_same) &&
         (has_left(documented) || !has_left(other));
}

bool nearly_same_results(const Answer& documented, const Answer& other) {
  const auto is_same = [&](const auto& x, const auto& y) {
    if (x.first != y.first || x.second.element != y.second.element) return false;
    if (x.first == kMeasuredUs || x.first == kLeft) return true;
    if (x.second.element == Element::f32)
      return are_near(documented.output<float>(x.first), other.output<float>(x.first));
    if (x.second.element == Element::f64)
      return are_near(documented.output<double>(x.first), other.output<double>(x.first));
    return x.second == y.second;
  };
  return std::ranges::equal(documented.reply.all(), other.reply.all(), is_same);
}

}  // namespace warpbook::grader
