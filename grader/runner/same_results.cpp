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

/// Whether a value is a time that was measured: all single real numbers of replies are, and differ from run to run.
bool is_time(const Value& value) { return value.scalar && value.element == Element::f64; }

template <class Same>
bool same_values(const Answer& documented, const Answer& other, const Same& are_same) {
  return std::ranges::equal(documented.reply.all(), other.reply.all(), [&](const auto& x, const auto& y) {
    return x == y || (x.first == y.first && ((is_time(x.second) && is_time(y.second)) || are_same(x.first)));
  });
}

}  // namespace

bool same_results(const Answer& documented, const Answer& other) {
  return same_values(documented, other, [](const std::string&) { return false; }) &&
         (has_left(documented) || !has_left(other));
}

bool nearly_same_results(const Answer& documented, const Answer& other) {
  return same_values(documented, other, [&](const std::string& name) {
    const Element element = documented.reply.value(name).element;
    try {
      if (element == Element::f32) return are_near(documented.output<float>(name), other.output<float>(name));
      if (element == Element::f64) return are_near(documented.output<double>(name), other.output<double>(name));
    } catch (const ValueError&) {
      // They differ in kind, or are no arrays at all: the process that ran the answer wrote them.
    }
    return false;
  });
}

}  // namespace warpbook::grader
