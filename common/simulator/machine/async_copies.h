// Asynchronous copies to shared memory (cp.async) that a warp has started and not waited for.
//
// The bytes are read when the copy starts and written at the last moment that CUDA allows: when a lane waits for them.
// A lane that never waits never sees them, and neither does anybody else: a barrier waits for threads, not for their
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

  /// One instruction's copies.
  struct Copy {
    std::uint32_t lanes = 0;                  ///< Those whose bytes have not been written.
    std::uint32_t bytes = 0;                  ///< Of each lane.
    std::uint64_t number = 0;                 ///< In the order of their start.
    std::array<std::uint32_t, kLanes> to;     ///< Offsets in shared memory.
    std::array<std::uint32_t, kLanes> group;  ///< Groups that the lane had committed before.
    std::array<std::array<std::byte, kMostBytes>, kLanes> data;
    std::array<std::uint16_t, kLanes> undefined;  ///< Bit k: nobody has written byte k. Only if somebody asks.
  };

  /// What is known of the block's shared memory, if somebody asks: copies that land change it.
  UndefinedBits* of_shared = nullptr;

  /// Forgets all of them: a new block begins.
  void clear() {
    if (used_) forget();
  }
  /// A warp that starts very many gets the older ones: they may be done at any time.
  /// @returns the copy, whose `to` and `data` of these lanes are to be filled
  Copy& start(std::uint32_t lanes, std::uint32_t bytes, std::byte* shared);
  Copy& latest() { return copies_.back(); }
  /// What @p lanes have started belongs to a group (cp.async.commit_group).
  void commit(std::uint32_t lanes);
  /// @p lanes wait for all of their groups but the latest @p pending (cp.async.wait_group).
  void wait(std::uint32_t lanes, std::uint64_t pending, std::byte* shared);
  /// What a lane has started before the copy of this number is done: an mbarrier has waited for it.
  void wait_until(unsigned lane, std::uint64_t number, std::byte* shared);
  /// The number of the next copy.
  std::uint64_t next_number() const { return started_; }
  /// @p lanes wait for all that they have started (cp.async.wait_all).
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
