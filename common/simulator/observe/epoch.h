// Epochs: which thread made an access and when, in one word, so that whole rows of them can be compared at once.
//
// A thread is identified by the serial number of its block, which is unique in the process (work of the host also has
// such a number, and one thread), and by its number in the block. Each thread has a clock that advances whenever the
// thread publishes its accesses. A thread that knows another one up to a clock value is ordered after everything that
// the other did up to then (Flanagan and Freund, "FastTrack", PLDI 2009). Epoch 0 means none.
#pragma once

#include <cstdint>

namespace warpbook::simulator {

/// serial (22 bits) | clock (14) | kind (5) | thread (10) | site (12)
using Epoch = std::int64_t;

namespace epoch {

constexpr unsigned kSiteBits = 12, kThreadBits = 10, kKindBits = 5, kClockBits = 14, kSerialBits = 22;
constexpr unsigned kThreadShift = kSiteBits, kKindShift = kThreadShift + kThreadBits,
                   kClockShift = kKindShift + kKindBits, kSerialShift = kClockShift + kClockBits;
static_assert(kSerialShift + kSerialBits == 63);

constexpr std::uint32_t kMostSites = 1u << kSiteBits, kMostClock = (1u << kClockBits) - 1;
constexpr std::uint32_t kMostSerial = (1u << kSerialBits) - 1;

// Kinds. If several threads made the access, thread and site are those of one of them.
constexpr Epoch kGroup = Epoch{1} << kKindShift;   ///< Several threads of the block, all at this clock.
constexpr Epoch kMany = Epoch{2} << kKindShift;    ///< Threads of several blocks of one grid.
constexpr Epoch kStrong = Epoch{4} << kKindShift;  ///< Atomic or volatile: does not race with other strong accesses.
constexpr Epoch kBlockScope = Epoch{8} << kKindShift;  ///< Strong within the block only.
constexpr Epoch kSpecial = Epoch{16} << kKindShift;    ///< A list of accesses (below), or with kStrong:
constexpr Epoch kUnfinished = kSpecial | kStrong;      ///< an asynchronous copy that was not waited for.
constexpr Epoch kAllKinds = Epoch{31} << kKindShift;
/// The bits that identify a thread.
constexpr Epoch kIdentity = (Epoch{kMostSerial} << kSerialShift) | kAllKinds | (Epoch{1023} << kThreadShift);
/// The clock of kinds for which the clock means nothing: no thread knows it.
constexpr Epoch kLastClock = Epoch{kMostClock} << kClockShift;

/// A clock that overflows its bits stays just below the last value: accesses that can no longer be distinguished are
/// taken to be ordered.
constexpr Epoch make(std::uint32_t serial, std::uint32_t clock, std::uint32_t thread, std::uint32_t site) {
  return Epoch{serial} << kSerialShift | Epoch{clock < kMostClock ? clock : kMostClock - 1} << kClockShift |
         Epoch{thread} << kThreadShift | Epoch{site};
}
constexpr std::uint32_t serial(Epoch e) { return static_cast<std::uint32_t>(e >> kSerialShift); }
constexpr std::uint32_t clock(Epoch e) { return static_cast<std::uint32_t>(e >> kClockShift) & kMostClock; }
constexpr std::uint32_t thread(Epoch e) { return static_cast<std::uint32_t>(e >> kThreadShift) & 1023; }
constexpr std::uint32_t site(Epoch e) { return static_cast<std::uint32_t>(e) & (kMostSites - 1); }
/// The first epoch of block @p s.
constexpr Epoch first_of(std::uint32_t s) { return Epoch{s} << kSerialShift; }

}  // namespace epoch
}  // namespace warpbook::simulator
