// Counted: sums over what a profile counted, of one kernel or of all.
#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include "grader/judge/profile.h"

namespace warpbook::grader {

/// Which way an access moves data. A "load" of a quantity is whatever brings data to a thread or a block, a "store"
/// whatever takes them away, by whichever instruction: an atomic operation is both, unless nobody wants its result
/// (`red`); an asynchronous copy (`ldgsts`) loads from global memory and stores to shared memory; copies in bulk are
/// `bulk_ld` and `bulk_st`.
enum class Direction { in, out, both, any };

/// True if an access moves data that way; both: an atomic operation or reduction.
bool moves(const AccessCounters& access, Direction direction);

/// Some of the accesses of a kernel.
struct Accesses {
  const char* space = nullptr;  ///< "global", "shared", or nullptr: none.
  const char* or_space = nullptr;
  Direction direction = Direction::any;
  bool images = false;  ///< Those by textures and surfaces, too.

  bool include(const AccessCounters& access) const {
    const bool in_space =
        space != nullptr && (access.space == space || (or_space != nullptr && access.space == or_space) ||
                             (images && (access.space == "texture" || access.space == "surface")));
    return in_space && moves(access, direction);
  }
};

/// The launches of a profile whose kernel's name holds @p kernel; empty: all of them.
class Counted {
 public:
  Counted(const Profile& of, const std::string& kernel) : profile(of), kernel_(kernel) {}

  const Profile& profile;

  bool all_kernels() const { return kernel_.empty(); }

  template <class Visit>
  void each_launch(Visit visit) const {
    for (const KernelRecord& record : profile.kernels)
      if (record.name.find(kernel_) != std::string::npos) visit(record);
  }

  template <class Condition>
  double launches(Condition condition) const {
    double count = 0;
    each_launch([&](const KernelRecord& record) { count += condition(record) ? 1 : 0; });
    return count;
  }

  /// Sums a function of the counters of each line.
  template <class Count>
  double lines(Count count) const {
    double sum = 0;
    each_launch([&](const KernelRecord& record) {
      for (const LineCounters& line : record.lines) sum += count(line);
    });
    return sum;
  }

  /// Sums a counter of the accesses.
  double sum(const Accesses& of, double AccessCounters::*counter) const {
    return lines([&](const LineCounters& line) {
      double sum = 0;
      for (const AccessCounters& access : line.accesses)
        if (of.include(access)) sum += access.*counter;
      return sum;
    });
  }

  /// Sums a metric by its name over the launches.
  double metric(const std::string& name) const;

  /// The largest value of a metric over the launches; nothing if none has it.
  std::optional<double> largest_metric(const std::string& name) const;

  /// Bytes of all copies of a kind, "host_to_device" or "device_to_host".
  double copied(const char* kind) const;

  /// Most grids launched by kernels at any moment; a grid that ends when another starts is not beside it.
  double children_at_a_time() const;

  /// Microseconds from the start of the first to the end of the last: kernels, and copies if @p with_copies.
  std::optional<double> span(bool with_copies) const;

  /// Microseconds from the first event or work on the device to the last: what begins before the first event, or ends
  /// behind the last one, takes time all the same. Nothing without a kernel and two events.
  std::optional<double> span_of_events() const;

 private:
  const std::string& kernel_;
};

}  // namespace warpbook::grader
