// How much memory a pool has taken from its device, how much of that is in use, and which stream may have which piece
// again: what cudaMemPoolGetAttribute says.
//
// A pool maps chunks of one range of addresses. A piece goes to the lowest place that needs the fewest new chunks. What
// was freed in a stream is that stream's to have again at once, and another's as the pool's attributes say: behind an
// event that it waits for (cudaMemPoolReuseFollowEventDependencies), once the device has come to the free
// (cudaMemPoolReuseAllowOpportunistic), or, where nothing else is left, by waiting for it
// (cudaMemPoolReuseAllowInternalDependencies). At a synchronisation it is nobody's, and chunks in which nothing lies go
// back, the last ones first, but for the release threshold.
//
// For one stream an H200 answered step by step (2026-11-24, runtime/tests/pool_numbers.cu); with holes and for two
// streams an H100 did (2026-11-27, pool_streams.cu). Here pieces are allocated one by one, so only the numbers are
// kept.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <vector>

namespace warpbook::simulator::runtime {

/// Up to which free the work of each other stream is behind: what a stream or an event knows.
using FreesSeen = std::map<std::uint32_t, std::uint64_t>;

/// Which frees come before what, by events that streams record and wait for.
class FreeOrder {
 public:
  /// @returns the number of a free in @p stream
  std::uint64_t note_free(std::uint32_t stream);
  /// What an event knows that is recorded in @p stream now.
  FreesSeen recorded(std::uint32_t stream) const;
  void waited(std::uint32_t stream, const FreesSeen& event);
  bool is_before(std::uint32_t freed_in, std::uint64_t number, std::uint32_t stream) const;

 private:
  std::uint64_t last_ = 0;
  std::map<std::uint32_t, FreesSeen> seen_;
};

class PoolUse {
 public:
  static constexpr std::uint64_t kChunk = std::uint64_t{32} << 20;
  static constexpr std::uint64_t kGranule = 512;

  struct Level {
    std::uint64_t current = 0, high = 0;
    void set(std::uint64_t value) {
      current = value;
      high = std::max(high, value);
    }
  };
  /// Memory that was freed and that its stream may still use.
  struct Freed {
    std::uint64_t begin = 0, end = 0;
    std::uint32_t stream = 0;
    std::uint64_t number = 0;  ///< FreeOrder::note_free
    double done_us = 0;        ///< When the stream comes to the free.
  };
  using MayUse = std::function<bool(const Freed&)>;
  struct Request {
    std::uint64_t bytes = 0;
    std::uint64_t most = 0;  ///< That the pool may take; 0: as much as there is.
    MayUse may_use;          ///< What was freed and may be had; without one nothing.
    bool may_wait = false;   ///< Where there is no room else, what was freed in other streams may be had, too.
  };

  /// Finds a place. @returns false where the pool may not take as much
  bool take(std::uint64_t address, const Request& request);
  bool fits(const Request& request) const { return place(request).fits; }
  /// The piece is freed. @param freed by a stream, with all but its place; nullptr: nobody uses it any more
  void give(std::uint64_t address, const Freed* freed);
  /// A synchronisation. @param is_done whether a stream has come to its free @param kept the release threshold
  void settle(std::uint64_t kept, const MayUse& is_done);
  /// Chunks in which nothing lies go back, until @p kept bytes are left.
  void release(std::uint64_t kept);

  Level used, reserved;

 private:
  struct Piece {
    std::uint64_t begin = 0, end = 0, bytes = 0;
  };
  struct Place {
    bool fits = false;
    std::uint64_t begin = 0, end = 0;
  };

  Place place(const Request& request) const;
  Place place(const Request& request, bool takes_all) const;
  std::uint64_t new_chunks(std::uint64_t begin, std::uint64_t end) const;

  std::map<std::uint64_t, Piece> pieces_;  ///< By address.
  std::vector<Freed> freed_;
  std::set<std::uint64_t> chunks_;  ///< Numbers of those that are mapped.
};

}  // namespace warpbook::simulator::runtime
