// Filters of launches in a profile: by kernel, by NVTX range, by number, and from cudaProfilerStart on.
//
// The options are named after those of Nsight Compute's command line. They only change which kernels are recorded,
// never what kernels do or when.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/simulator/runtime/annotations.h"
#include "common/simulator/runtime/name_pattern.h"

namespace warpbook::simulator::runtime {

/// NVTX ranges that must be open: [DOMAIN@]RANGE,RANGE for start/end ranges, RANGE/RANGE for push/pop ranges.
class RangePattern {
 public:
  /// @throws std::invalid_argument
  explicit RangePattern(const std::string& text);
  /// @param open ranges around a launch, as indices of @p ranges
  bool matches(const std::vector<AnnotatedRange>& ranges, const std::vector<std::uint32_t>& open) const;

 private:
  bool matches_stack(const std::vector<const AnnotatedRange*>& stack) const;
  std::string domain_;
  bool nests_ = false, from_bottom_ = false, to_top_ = false;
  std::vector<std::optional<NamePattern>> names_;  ///< Empty: one range of any name.
};

struct FilterOptions {
  std::string kernel_name = {};           ///< WARPBOOK_PROFILE_KERNEL
  std::uint64_t launch_skip = 0;          ///< WARPBOOK_PROFILE_LAUNCH_SKIP
  std::uint64_t launch_count = 0;         ///< WARPBOOK_PROFILE_LAUNCH_COUNT; 0: all
  std::vector<std::string> include = {};  ///< WARPBOOK_PROFILE_NVTX, a line each
  bool from_start = true;                 ///< WARPBOOK_PROFILE_FROM_START=off
};

class ProfileFilter {
 public:
  /// @throws std::invalid_argument if an expression is invalid
  explicit ProfileFilter(const FilterOptions& options);
  /// Whether the next launch by the host is recorded while collects(). Launches that pass the other filters count for
  /// skip and count.
  /// @param kernel its name as Nsight Compute shows it
  bool takes(const std::string& kernel, const std::vector<AnnotatedRange>& ranges,
             const std::vector<std::uint32_t>& open);
  /// False before cudaProfilerStart and after cudaProfilerStop if the profile does not begin with the program.
  bool collects() const { return from_start_ || collects_; }
  /// cudaProfilerStart and cudaProfilerStop.
  void collect(bool on) { collects_ = on; }

 private:
  std::optional<NamePattern> kernel_;
  std::vector<RangePattern> include_;
  std::uint64_t skip_, left_;
  bool from_start_, collects_ = false, counts_;
};

}  // namespace warpbook::simulator::runtime
