// The L1 of one block: which sectors of global and local memory the block's loads hit.
//
// The cache starts cold with each block. It holds lines of 128 bytes with four sectors that are filled one by one, in
// sets of four ways with a hashed index; a full set replaces its ways in turn. Loads fill it; stores write through
// without allocating. It tells how many sectors were present, not when they arrived.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace warpbook::simulator {

class L1Cache {
 public:
  /// @param bytes capacity, rounded down to a power of two of sets; 0 makes every access a miss
  explicit L1Cache(std::uint64_t bytes = 128 * 1024) { resize(bytes); }
  L1Cache(const L1Cache&) = delete;
  L1Cache& operator=(const L1Cache&) = delete;
  L1Cache(L1Cache&&) = default;
  L1Cache& operator=(L1Cache&&) = default;

  void resize(std::uint64_t bytes);
  /// Invalidates all lines: a new block starts.
  void clear();

  /// A load of the sectors @p wanted (4 bits) of line @p line (address / 128). Fills the missing ones.
  /// @returns the sectors that hit, as bits
  /// Always inlined: its callers are compiled for several instruction sets and must not share one copy.
  __attribute__((always_inline)) unsigned load(std::uint64_t line, unsigned wanted) {
    if (sets_ == nullptr) return 0;
    Set& set = sets_[((line * 0x9e3779b97f4a7c15u) >> 40) & mask_];
    if (set.epoch != epoch_) [[unlikely]]
      reset(set);
    const auto tag = static_cast<std::uint32_t>(line);
    const unsigned found = ways_with(set, tag);
    if (found != 0) {
      const unsigned way = static_cast<unsigned>(__builtin_ctz(found));
      const unsigned hit = set.valid[way] & wanted;
      set.valid[way] |= static_cast<std::uint8_t>(wanted);
      return hit;
    }
    const unsigned victim = set.next++ % kWays;
    set.tag[victim] = tag;
    set.valid[victim] = static_cast<std::uint8_t>(wanted);
    return 0;
  }

 private:
  static constexpr unsigned kWays = 4;
  static constexpr std::uint32_t kNoLine = 0xffffffffu;
  struct alignas(32) Set {
    std::uint32_t tag[kWays] = {kNoLine, kNoLine, kNoLine, kNoLine};
    std::uint8_t valid[kWays] = {};
    std::uint8_t next = 0;
    std::uint32_t epoch = 0;  ///< The block for which it was filled.
  };
  /// Bit k: way k holds @p tag.
  static __attribute__((always_inline)) unsigned ways_with(const Set& set, std::uint32_t tag) {
#if defined(__SSE2__)
    const __m128i tags = _mm_load_si128(reinterpret_cast<const __m128i*>(set.tag));
    return static_cast<unsigned>(
        _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(tags, _mm_set1_epi32(static_cast<int>(tag))))));
#else
    unsigned found = 0;
    for (unsigned way = 0; way < kWays; ++way) found |= (set.tag[way] == tag ? 1u : 0u) << way;
    return found;
#endif
  }
  __attribute__((always_inline)) void reset(Set& set) const {
    for (unsigned way = 0; way < kWays; ++way) {
      set.tag[way] = kNoLine;
      set.valid[way] = 0;
    }
    set.next = 0;
    set.epoch = epoch_;
  }

  std::vector<Set> storage_;
  Set* sets_ = nullptr;
  std::uint64_t mask_ = 0;
  std::uint32_t epoch_ = 0;  ///< Sets of older epochs count as empty.
};

}  // namespace warpbook::simulator
