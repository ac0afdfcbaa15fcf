// Changes that the device makes to its memory while an answer runs: what went before them cannot be what counts.
//
// A grid for show finds everything done, and leaves it so. A test that wants to know who does the work has the device
// replace what the work starts from just before it starts, or what it is to write, and expects the result of that. Only
// the device's process is told; a real GPU makes no changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/judge/case.h"

namespace warpbook::grader {

/// What happens right after a change. Each occurs once, the first time.
struct Moment {
  enum class Kind : std::uint8_t {
    arrival,      ///< The program gets the array; it sees what was there before, the device what is there after.
    host_launch,  ///< The grid of the host's launch `number` starts; 0 is the first of those under test.
    child,        ///< A grid launched by kernels starts, `number` launches below the host's, and not in a tail.
    tail,         ///< A tail launch starts.
  };
  Kind kind = Kind::arrival;
  unsigned number = 0;

  static Moment arrival() { return {Kind::arrival, 0}; }
  static Moment host_launch(unsigned number) { return {Kind::host_launch, number}; }
  static Moment child(unsigned depth = 1) { return {Kind::child, depth}; }
  static Moment tail() { return {Kind::tail, 0}; }
  bool operator==(const Moment&) const = default;
};

/// "just before the first grid launched by a kernel started": for messages.
std::string text_of(Moment moment);

/// What becomes of an element: the change's value; or the sum or product of both (whole numbers: modulo 2^bits); or, of
/// whole numbers, the element with those bits inverted that the value has.
enum class ChangeBy : std::uint8_t { replacing, adding, multiplying, inverting };

/// In place of the first element: all of the array, over which the values are repeated.
constexpr std::uint64_t kWhole = ~std::uint64_t{0};

/// In place of an array's name: the memory that kernels have from the device heap. The values are repeated over each
/// piece of it.
inline const std::string kHeap = "warpbook.heap";

/// In place of an array's name: all device memory. Wherever it holds the first half of the values, it gets the second.
inline const std::string kAnywhere = "warpbook.anywhere";

/// One change as it travels in a case.
struct Change {
  Moment moment;
  std::string array;
  ChangeBy by = ChangeBy::replacing;
  std::uint64_t first = 0;        ///< Element.
  const Value* values = nullptr;  ///< The case has them.

  /// Changes the bytes of the whole array. @throws ValueError if they end before the change does
  void apply(std::span<std::byte> array_bytes) const;
  /// Puts the second half of the values in place of the first, wherever that is found. @returns whether it was
  bool replace_all(std::span<std::byte> memory) const;
};

/// Adds a change to a case. @param first element that is changed
Case& add_change(Case& given, Moment moment, const std::string& array, ChangeBy by, std::uint64_t first, Value values);

template <class T>
Case& change(Case& given, Moment moment, const std::string& array, const std::vector<T>& values,
             ChangeBy by = ChangeBy::replacing, std::uint64_t first = 0) {
  Case holder;
  holder.set("values", values);
  return add_change(given, moment, array, by, first, holder.value("values"));
}

/// The changes of a case, which must live longer, in the order in which they were added. @throws ValueError for one
/// that makes no sense
std::vector<Change> changes_of(const Case& given);
std::vector<Change> changes_of(Case&&) = delete;

/// Whether a value of a case is a change, of which the program is not told.
bool is_change(const std::string& name);

/// In a reply, for change number i: set when it was made.
std::string name_of_made_change(std::size_t i);

}  // namespace warpbook::grader
