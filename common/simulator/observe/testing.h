// For tests: a device whose warps access memory as the test says, and the races that it finds.
#pragma once

#include <array>
#include <vector>

#include "common/simulator/observe/race_detector.h"

namespace warpbook::simulator::testing {

using Kind = AccessForm::Kind;
inline constexpr AccessForm kRead{Kind::read, false, false, false, 4, 1},
    kWrite{Kind::write, false, false, false, 4, 2};
inline constexpr AccessForm kAtomic{Kind::atomic, true, false, false, 4, 3};

/// A grid of blocks with two warps each, on one memory.
struct Device {
  std::vector<Race> races;
  std::uint32_t before = 0;  ///< Lower serial numbers are ordered before what runs.
  RaceDetector detector{[this](const Race& race) { races.push_back(race); },
                        [this](std::uint32_t serial) { return serial < before; }};
  std::vector<BlockClocks> blocks;

  void launch(std::size_t count, bool fine) {
    const std::uint32_t first = detector.take_serials(count);
    detector.start_grid(before == 0 ? first : before, first);
    blocks.assign(count, {});
    for (std::size_t i = 0; i < count; ++i) blocks[i].start(first + static_cast<std::uint32_t>(i), 64, fine, 0);
  }
  /// One thread accesses one address.
  void one(const AccessForm& form, std::size_t block, std::uint32_t thread, std::uint64_t address) {
    std::array<std::uint64_t, 32> at{};
    at[thread % 32] = address;
    detector.access(form, {&blocks[block], thread / 32, 1u << thread % 32, at.data(), nullptr, nullptr, nullptr});
  }
  /// The lanes of a warp access consecutive addresses.
  void row(const AccessForm& form, std::size_t block, std::uint32_t warp, std::uint64_t address, std::uint64_t step) {
    std::array<std::uint64_t, 32> at{};
    for (unsigned lane = 0; lane < 32; ++lane) at[lane] = address + lane * step;
    detector.access(form, {&blocks[block], warp, ~0u, at.data(), nullptr, nullptr, nullptr});
  }
  /// The same, as a run and in shared memory.
  bool run(const AccessForm& form, std::uint32_t warp, AccessHistory& shared, std::int64_t step, unsigned lanes = 32) {
    return detector.access_run(form, blocks[0], warp, &shared, {0, step, 0, lanes});
  }
  /// The accesses that race with one of the host, which has waited for the blocks below @p waited and knows @p known.
  std::vector<RaceDetector::Unordered> by_host(std::uint64_t address, std::uint64_t bytes, bool writes,
                                               std::uint32_t waited, Knowledge::Map known = 0) {
    std::vector<RaceDetector::Unordered> found;
    detector.find_unordered(
        address, bytes, writes, [&](std::uint32_t serial) { return serial < waited; }, known,
        [&](const RaceDetector::Unordered& other) {
          found.push_back(other);
          return true;
        });
    return found;
  }
  void hand_over(const HandOver& order, std::size_t block, std::uint32_t thread, std::uint64_t address) {
    std::array<std::uint64_t, 32> at{};
    at[thread % 32] = address;
    detector.pass_on(order, {&blocks[block], thread / 32, 1u << thread % 32, at.data(), nullptr, nullptr, nullptr});
  }
};

}  // namespace warpbook::simulator::testing
