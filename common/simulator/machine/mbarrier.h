// An mbarrier: an 8-byte word in shared memory that counts the arrivals and the bytes that its phase still waits for.
//
// The manual leaves the layout of the word open; the state that instructions return (before an arrival) is the word
// itself. A phase is complete when it waits for nothing more. Then the next one begins, which waits for the expected
// number of arrivals (from mbarrier.init, minus those that have dropped out).
#pragma once

#include <cstdint>
#include <optional>

namespace warpbook::simulator {

struct Mbarrier {
  static constexpr std::uint32_t kMostArrivals = (1u << 20) - 1;
  static constexpr std::int32_t kMostBytes = (1 << 20) - 1;

  bool phase = false;          ///< The parity of the incomplete phase.
  std::uint32_t expected = 0;  ///< Arrivals of the next phase.
  std::uint32_t pending = 0;   ///< Arrivals that this phase waits for,
  std::int32_t bytes = 0;      ///< and bytes (tx-count); negative if more arrived than were announced so far.

  bool is_complete() const { return pending == 0 && bytes == 0; }

  std::uint64_t word() const {
    return kValid | std::uint64_t{phase} | std::uint64_t{expected} << 1 | std::uint64_t{pending} << 21 |
           static_cast<std::uint64_t>(bytes + kMostBytes) << 41;
  }
  /// Empty if it is not initialised.
  static std::optional<Mbarrier> of(std::uint64_t word) {
    if ((word & kMark) != kValid) return std::nullopt;
    Mbarrier barrier;
    barrier.phase = (word & 1) != 0;
    barrier.expected = static_cast<std::uint32_t>(word >> 1) & kMostArrivals;
    barrier.pending = static_cast<std::uint32_t>(word >> 21) & kMostArrivals;
    barrier.bytes = static_cast<std::int32_t>((word >> 41) & ((1u << 21) - 1)) - kMostBytes;
    return barrier;
  }

 private:
  /// Uninitialised memory has all bits set, and memory filled with zeros none.
  static constexpr std::uint64_t kMark = std::uint64_t{3} << 62, kValid = std::uint64_t{1} << 63;
};

}  // namespace warpbook::simulator
