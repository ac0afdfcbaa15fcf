// The reference's recorded figures, for editions without its program: format warpbook.reference (docs/formats.md).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/judge/ladder.h"

namespace warpbook::grader {

/// What the reference needed for a case.
struct Need {
  double cpu_s = 0;
  double steps = 0;  ///< Warp instructions of all launches.
};

/// Figures of one lab. A test that compares with the reference draws its cases from a few seeds, for which the figures
/// are known; all other tests draw as always.
struct RecordedReference {
  std::vector<std::uint64_t> draws;                               ///< The seeds.
  std::map<std::string, std::vector<std::vector<double>>> times;  ///< By test: us, for each draw, in the order of use.
  Need most;                                                      ///< Of all cases of all tests.
  bool needs_little_memory = false;                               ///< Each of them ran in kLittleMemory (patience.h).
  std::vector<LadderStep> rungs;                                  ///< Without profiles.

  /// Which of the draws a run with this seed uses in a test; nothing if the test compares with nothing.
  std::optional<std::size_t> draw_of(const std::string& test, std::uint64_t seed) const;
};

/// @throws std::runtime_error if the file cannot be read or is of another format
RecordedReference read_reference(const std::string& path);

/// What one run of the reference through a lab's tests found; `warpbook publish` makes the file of a lab from several.
struct ReferenceRun {
  std::map<std::string, std::vector<double>> times;  ///< By test: us, in the order of use.
  Need most;
  bool needs_little_memory = true;

  void add(const Need& need);
  std::string text() const;  ///< As JSON.
};

}  // namespace warpbook::grader
