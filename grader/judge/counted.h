// Counted: sums over the counters of a profile, of one kernel or of all.
#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include "grader/judge/profile.h"

namespace warpbook::grader {

/// Which way an access moves data. For quantities, everything that brings data to a thread or a block is a "load", and
/// everything that takes data away is a "store", whatever the instruction. An atomic is both, unless its result is
/// unused (`red`). An asynchronous copy (`ldgsts`) loads from global memory and stores to shared memory. Bulk copies
/// are `bulk_ld` and `bulk_st`.
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

/// Whose time counts.
enum class Work {
  kernels,
  /// Fills, too: they are part of a measured time, and a kernel that fills would count. Copies do not: most of the time
  /// of those from and to the host is the host's, which a measurement hides (cold_timer.h); those within the device may
  /// prepare the call, such as an image for a texture, and elsewhere find_detour() allows a few bytes.
  kernels_and_fills,
  all  ///< Copies, too.
};

/// The launches of a profile whose kernel's name contains @p kernel; empty: all of them.
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

  /// Most grids launched by kernels that run at any moment; one that ends when another starts does not overlap it.
  double children_at_a_time() const;

  /// Microseconds from the start of the first to the end of the last. Nothing for fills without a kernel.
  std::optional<double> span(Work work) const;

  /// Microseconds from the first event or work on the device to the last: what begins before the first event, or ends
  /// after the last one, counts too. Nothing without a kernel and two events.
  std::optional<double> span_of_events() const;

 private:
  const std::string& kernel_;
};

}  // namespace warpbook::grader
