// Which launches a profile is limited to: by kernel, by ranges of NVTX, by number, and from cudaProfilerStart on.
//
// The options are named after those of Nsight Compute's command line. Only what is recorded of kernels changes: never
// what they do, nor when.
#pragma once

#include <cstdint>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "common/simulator/runtime/annotations.h"

namespace warpbook::simulator::runtime {

/// A name, or, behind "regex:", an expression that must be found in it.
class NamePattern {
 public:
  /// @throws std::invalid_argument
  explicit NamePattern(const std::string& text);
  bool matches(const std::string& name) const;

 private:
  std::string exact_;
  std::optional<std::regex> expression_;
};

/// Ranges that must be open: [DOMAIN@]RANGE,RANGE of those that are started and ended, RANGE/RANGE of those that are
/// pushed and popped.
class RangePattern {
 public:
  /// @throws std::invalid_argument
  explicit RangePattern(const std::string& text);
  /// @param open ranges around a launch, by their place in @p ranges
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
  /// @throws std::invalid_argument if an expression makes no sense
  explicit ProfileFilter(const FilterOptions& options);
  /// Of the next launch of the host while it collects. Launches that match the other filters count for skip and count.
  /// @param kernel its name as Nsight Compute shows it
  bool takes(const std::string& kernel, const std::vector<AnnotatedRange>& ranges,
             const std::vector<std::uint32_t>& open);
  /// False before cudaProfilerStart and from cudaProfilerStop on, if the profile is not to begin with the program.
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
