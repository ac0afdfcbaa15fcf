// Changes that the device makes to its memory while an answer runs, to see which grid or copy really does the work.
//
// A grid that is launched for show finds the work already done. So a test that checks who does the work lets the device
// replace the work's input, or its output, just before it starts, and expects the result of the changed data. Only the
// device process knows of changes; a real GPU makes none.
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

/// The new value of an element: the change's value; or the sum or product of both (whole numbers: modulo 2^bits); or,
/// for whole numbers, the element with those bits inverted that the value has.
enum class ChangeBy : std::uint8_t { replacing, adding, multiplying, inverting };

/// Instead of the first element: the whole array, over which the values are repeated.
constexpr std::uint64_t kWhole = ~std::uint64_t{0};

/// Instead of an array's name: the memory that kernels have allocated from the device heap. The values are repeated
/// over each piece of it.
inline const std::string kHeap = "warpbook.heap";

/// Instead of an array's name: all device memory. Wherever it holds the first half of the values, it gets the second
/// half.
inline const std::string kAnywhere = "warpbook.anywhere";

/// One change as stored in a case.
struct Change {
  Moment moment;
  std::string array;
  ChangeBy by = ChangeBy::replacing;
  std::uint64_t first = 0;        ///< Element.
  const Value* values = nullptr;  ///< Owned by the case.

  /// Changes the bytes of the whole array. @throws ValueError if they end before the change does
  void apply(std::span<std::byte> array_bytes) const;
  /// Replaces the first half of the values by the second, wherever it is found. @returns whether it was found
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

/// Whether a value of a case is a change, which the program must not see.
bool is_change(const std::string& name);

/// In a reply, for change number i: set when it was made.
std::string name_of_made_change(std::size_t i);

}  // namespace warpbook::grader
