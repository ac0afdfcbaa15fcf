// An mbarrier: one word of 8 bytes in shared memory that counts the arrivals and the bytes that its phase still waits
// for.
//
// The manual leaves open how the word looks; what instructions return of it (the state before an arrival) is the word
// itself. A phase is complete when it waits for nothing more: then the next one begins, which waits for as many
// arrivals as are expected (mbarrier.init, less those that have dropped out).
#pragma once

#include <cstdint>
#include <optional>

namespace warpbook::simulator {

struct Mbarrier {
  static constexpr std::uint32_t kMostArrivals = (1u << 20) - 1;
  static constexpr std::int32_t kMostBytes = (1 << 20) - 1;

  bool phase = false;          ///< The parity of the phase that is not complete.
  std::uint32_t expected = 0;  ///< Arrivals of the next phase.
  std::uint32_t pending = 0;   ///< Arrivals that this one waits for,
  std::int32_t bytes = 0;      ///< and bytes (tx-count); below 0 if more came than were announced so far.

  bool is_complete() const { return pending == 0 && bytes == 0; }

  std::uint64_t word() const {
    return kValid | std::uint64_t{phase} | std::uint64_t{expected} << 1 | std::uint64_t{pending} << 21 |
           static_cast<std::uint64_t>(bytes + kMostBytes) << 41;
  }
  /// Empty if nobody has initialised it.
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
  /// Memory that nobody has written has all bits set, and memory filled with zeros none.
  static constexpr std::uint64_t kMark = std::uint64_t{3} << 62, kValid = std::uint64_t{1} << 63;
};

}  // namespace warpbook::simulator
