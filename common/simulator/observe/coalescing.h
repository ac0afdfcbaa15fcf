// Coalescing: how many 32-byte sectors and 128-byte lines of global memory one warp-level access touches.
//
// Every lane's access is naturally aligned and at most 32 bytes wide, so it is in one sector. Most accesses have one of
// two simple shapes, which are counted without comparing lanes: adjacent lanes with one stride ("affine"), or all lanes
// within 2 KiB ("dense": one bit per sector). Only the others are compared lane by lane.
//
// Included by files that are compiled once for each instruction set (WB_ISA), like machine/operations/lanes.h.
#pragma once

#include <bit>
#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#ifndef WB_ISA
#define WB_ISA baseline
#endif

namespace warpbook::simulator::operations::WB_ISA {

/// What one request touches. Addresses are relative to the start of device memory (GlobalMemory::kBase).
struct Coalescing {
  unsigned distinct = 0;  ///< Different addresses.
  unsigned sectors = 0;
  unsigned sectors_ideal = 0;  ///< ceil(distinct bytes wanted / 32)
  unsigned lines = 0;
  /// Dense: bit k stands for sector base + k; base is a multiple of 4 (the start of a line).
  std::uint64_t base = 0;
  std::uint64_t bits = 0;
  /// Sparse (bits is 0): `sectors` distinct sectors.
  std::uint64_t list[32];
};

/// The lines of a dense set: one bit in four is left, for each line.
inline std::uint64_t lines_of(std::uint64_t sector_bits) {
  return (sector_bits | sector_bits >> 1 | sector_bits >> 2 | sector_bits >> 3) & 0x1111111111111111u;
}

inline unsigned ideal_sectors(unsigned distinct, unsigned bytes) { return (distinct * bytes + 31) / 32; }

/// @p lanes accesses of @p bytes at first, first + stride, ... (stride may be 0 or negative).
template <unsigned Bytes>
inline __attribute__((always_inline)) void coalesce_affine(std::uint64_t first, std::int64_t stride, unsigned lanes,
                                                           Coalescing& c) {
  const std::uint64_t last = first + static_cast<std::uint64_t>(stride) * (lanes - 1);
  const std::uint64_t low = stride < 0 ? last : first, high = stride < 0 ? first : last;
  const std::uint64_t width = stride < 0 ? 0u - static_cast<std::uint64_t>(stride) : static_cast<std::uint64_t>(stride);
  const std::uint64_t s0 = low >> 5, s1 = high >> 5;
  c.distinct = stride == 0 ? 1 : lanes;
  c.sectors_ideal = ideal_sectors(c.distinct, Bytes);
  if (width <= 32) {  // No sector between the first and the last is skipped.
    c.sectors = static_cast<unsigned>(s1 - s0 + 1);
    c.lines = static_cast<unsigned>((s1 >> 2) - (s0 >> 2) + 1);
    c.base = s0 & ~std::uint64_t{3};
    c.bits = ((std::uint64_t{1} << c.sectors) - 1) << (s0 & 3);
    return;
  }
  c.sectors = lanes;
  c.lines = width >= 128 ? lanes : static_cast<unsigned>((s1 >> 2) - (s0 >> 2) + 1);
  c.base = 0;
  c.bits = 0;
  for (unsigned k = 0; k < lanes; ++k) c.list[k] = (first + static_cast<std::uint64_t>(stride) * k) >> 5;
}

namespace detail {

/// As wide as the processor's vectors: GCC 12 keeps wider ones in memory.
#if defined(__AVX512F__)
constexpr unsigned kWords = 8;
#elif defined(__AVX2__)
constexpr unsigned kWords = 4;
#else
constexpr unsigned kWords = 2;
#endif
using Vector64 [[gnu::vector_size(kWords * 8), gnu::may_alias]] = std::uint64_t;

/// One bit for each of 32 addresses: bit (address - origin) >> shift, all below 64.
inline __attribute__((always_inline)) std::uint64_t bits_of(const std::uint64_t* address, std::uint64_t origin,
                                                            unsigned shift) {
  const auto* a = reinterpret_cast<const Vector64*>(address);
  const Vector64 one = Vector64{} + 1, from = Vector64{} + origin;
  Vector64 bits{};
  for (unsigned k = 0; k < 32 / kWords; ++k) bits |= one << ((a[k] - from) >> shift);
  std::uint64_t all = 0;
  for (unsigned k = 0; k < kWords; ++k) all |= bits[k];
  return all;
}

/// Bit k: value[k] >= bound.
inline std::uint32_t at_least(const std::uint32_t* value, std::uint32_t bound) {
#if defined(__AVX512F__)
  const __m512i limit = _mm512_set1_epi32(static_cast<int>(bound));
  return _mm512_cmpge_epu32_mask(_mm512_load_si512(value), limit) |
         static_cast<std::uint32_t>(_mm512_cmpge_epu32_mask(_mm512_load_si512(value + 16), limit)) << 16;
#else
  std::uint32_t mask = 0;
  for (unsigned k = 0; k < 32; ++k) mask |= (value[k] >= bound ? 1u : 0u) << k;
  return mask;
#endif
}

/// For 32 offsets preceded by 32 words of padding: which ones are not in the same aligned 2^n bytes as an earlier one,
/// for elements (@p bytes), sectors and lines.
inline void first_of_kind(const std::uint32_t* padded, std::uint32_t bytes, std::uint32_t& elements,
                          std::uint32_t& sectors, std::uint32_t& lines) {
  const std::uint32_t* offset = padded + 32;
  alignas(64) std::uint32_t nearest[32];  // The smallest difference to an earlier lane, as far as it matters.
  for (unsigned k = 0; k < 32; ++k) nearest[k] = 0xffffffffu;
  for (unsigned distance = 1; distance < 32; ++distance) {
    for (unsigned k = 0; k < 32; ++k) {
      const std::uint32_t difference = offset[k] ^ padded[32 + k - distance];
      nearest[k] = difference < nearest[k] ? difference : nearest[k];
    }
  }
  elements = at_least(nearest, bytes);
  sectors = at_least(nearest, 32);
  lines = at_least(nearest, 128);
}

/// The same for lanes that are further apart than offsets can express; rare and slow.
inline void first_of_kind_far(const std::uint64_t* address, std::uint32_t bytes, std::uint32_t& elements,
                              std::uint32_t& sectors, std::uint32_t& lines) {
  elements = sectors = lines = 0xffffffffu;
  for (unsigned k = 1; k < 32; ++k) {
    for (unsigned j = 0; j < k; ++j) {
      const std::uint64_t difference = address[k] ^ address[j];
      if (difference < bytes) elements &= ~(1u << k);
      if (difference < 32) sectors &= ~(1u << k);
      if (difference < 128) lines &= ~(1u << k);
    }
  }
}

}  // namespace detail

/// Any 32 accesses of @p Bytes each, 64-byte aligned array (inactive lanes repeat the address of an active one), all
/// between the lowest address @p low and the highest @p high.
template <unsigned Bytes>
inline void coalesce(const std::uint64_t* address, std::uint64_t low, std::uint64_t high, Coalescing& c) {
  const std::uint64_t origin = low & ~std::uint64_t{127};
  const std::uint64_t span = high - origin;
  std::uint32_t elements, sectors, lines;
  if (span < 64 * 32) {
    const std::uint64_t bits = detail::bits_of(address, origin, 5);
    c.base = origin >> 5;
    c.bits = bits;
    c.sectors = static_cast<unsigned>(std::popcount(bits));
    c.lines = static_cast<unsigned>(std::popcount(lines_of(bits)));
    if (high - low < 64 * Bytes) {
      const std::uint64_t wanted = detail::bits_of(address, low, std::countr_zero(Bytes));
      c.distinct = static_cast<unsigned>(std::popcount(wanted));
      c.sectors_ideal = ideal_sectors(c.distinct, Bytes);
      return;
    }
  }
  if (span < (std::uint64_t{1} << 31)) {
    alignas(64) std::uint32_t padded[64];
    std::uint32_t* offset = padded + 32;
    for (unsigned k = 0; k < 32; ++k) offset[k] = static_cast<std::uint32_t>(address[k] - origin);
    padded[31] = 0xffffffffu;
    std::uint32_t falls = 0, rises = 0;
    for (unsigned k = 1; k < 32; ++k) {
      falls |= offset[k] < offset[k - 1];
      rises |= offset[k] > offset[k - 1];
    }
    if (falls == 0 || rises == 0) {  // Equal ones are adjacent.
      alignas(64) std::uint32_t difference[32];
      for (unsigned k = 0; k < 32; ++k) difference[k] = offset[k] ^ padded[31 + k];
      elements = detail::at_least(difference, Bytes);
      sectors = detail::at_least(difference, 32);
      lines = detail::at_least(difference, 128);
    } else {
      for (unsigned k = 0; k < 32; ++k) padded[k] = 0xffffffffu;
      detail::first_of_kind(padded, Bytes, elements, sectors, lines);
    }
  } else {
    detail::first_of_kind_far(address, Bytes, elements, sectors, lines);
  }
  c.distinct = static_cast<unsigned>(std::popcount(elements));
  c.sectors_ideal = ideal_sectors(c.distinct, Bytes);
  if (span < 64 * 32) return;
  c.base = 0;
  c.bits = 0;
  c.lines = static_cast<unsigned>(std::popcount(lines));
  c.sectors = 0;
  for (; sectors != 0; sectors &= sectors - 1) c.list[c.sectors++] = address[std::countr_zero(sectors)] >> 5;
}

}  // namespace warpbook::simulator::operations::WB_ISA
