// Asynchronous copies to shared memory (cp.async) that a warp has started but not waited for.
//
// The bytes are read when the copy starts and written at the last moment that CUDA allows: when a lane waits for them.
// If a lane never waits, neither it nor any other thread ever sees them: a barrier waits for threads, not for their
// copies.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpbook::simulator {

class UndefinedBits;

class AsyncCopies {
 public:
  static constexpr unsigned kLanes = 32, kMostBytes = 16;

  /// The copies of one instruction.
  struct Copy {
    std::uint32_t lanes = 0;                  ///< Lanes whose bytes have not been written yet.
    std::uint32_t bytes = 0;                  ///< Per lane.
    std::uint64_t number = 0;                 ///< Copies are numbered in the order of their start.
    std::array<std::uint32_t, kLanes> to;     ///< Offsets in shared memory.
    std::array<std::uint32_t, kLanes> group;  ///< Number of groups that the lane had committed before.
    std::array<std::array<std::byte, kMostBytes>, kLanes> data;
    std::array<std::uint16_t, kLanes> undefined;  ///< Bit k: byte k is uninitialised. Filled only for a checker.
  };

  /// Which bytes of the block's shared memory are uninitialised, for a checker; completed copies change it.
  UndefinedBits* of_shared = nullptr;

  /// Drops all copies: a new block begins.
  void clear() {
    if (used_) forget();
  }
  /// If a warp starts very many copies, the older ones complete early: they may complete at any time.
  /// @returns the copy; the caller fills `to` and `data` for these lanes
  Copy& start(std::uint32_t lanes, std::uint32_t bytes, std::byte* shared);
  Copy& latest() { return copies_.back(); }
  /// What @p lanes have started becomes a group (cp.async.commit_group).
  void commit(std::uint32_t lanes);
  /// @p lanes wait for all their groups but the latest @p pending (cp.async.wait_group).
  void wait(std::uint32_t lanes, std::uint64_t pending, std::byte* shared);
  /// Completes what a lane started before the copy of this number: an mbarrier has waited for it.
  void wait_until(unsigned lane, std::uint64_t number, std::byte* shared);
  /// The number of the next copy.
  std::uint64_t next_number() const { return started_; }
  /// @p lanes wait for everything that they have started (cp.async.wait_all).
  void wait_for_all(std::uint32_t lanes, std::byte* shared);

 private:
  void forget();
  template <class Done>
  void land(std::uint32_t lanes, std::byte* shared, Done is_done);
  std::vector<Copy> copies_;  ///< In the order of their start.
  std::array<std::uint32_t, kLanes> committed_ = {};
  std::uint64_t started_ = 0;
  bool used_ = false;  ///< Since clear().
};

}  // namespace warpbook::simulator
