// A solution and the library function that does the same job, to be timed alternately.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace warpbook::grader {

/// One size of one job. Both functions start their work on the default stream. Their memory, and the temporary storage
/// that a library needs, is allocated before: only the work itself is timed.
struct Comparison {
  std::string lab;      ///< The lab of the solution.
  std::string library;  ///< "cub::DeviceScan::InclusiveSum"
  std::string size;     ///< "2^22 ints"
  double amount = 0;    ///< The amount of work, such that amount / us / 1000 is in `unit`: bytes give GB/s.
  std::string unit;     ///< "GB/s"
  std::function<void()> solution, of_library;
  /// Empty if the library's last output agrees with the solution's last output; else where they differ.
  std::function<std::string()> difference;
};

/// What to do with each comparison. Its memory is freed afterwards.
using Compare = std::function<void(const Comparison&)>;

void compare_reduction(const Compare& compare);
void compare_scan(const Compare& compare);
void compare_compaction(const Compare& compare);
void compare_radix_sort(const Compare& compare);
void compare_matrix_product(const Compare& compare);

/// The first place where two arrays differ by more than @p most, as text; empty if there is none.
template <class T>
std::string first_difference(const std::vector<T>& solution, const std::vector<T>& of_library, double most = 0) {
  if (solution.size() != of_library.size()) return "the sizes differ";
  for (std::size_t i = 0; i < solution.size(); ++i) {
    const double apart = static_cast<double>(solution[i]) - static_cast<double>(of_library[i]);
    if (!(apart <= most && apart >= -most))
      return "element " + std::to_string(i) + ": " + std::to_string(solution[i]) + " by the solution, " +
             std::to_string(of_library[i]) + " by the library";
  }
  return "";
}

}  // namespace warpbook::grader
