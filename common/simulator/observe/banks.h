// Banks: how many wavefronts one warp-level access to shared memory takes.
//
// Shared memory has 32 banks of 4 bytes. The lanes of one access are served in groups: all 32 together for up to 4
// bytes per lane, 16 for 8 bytes, 8 for 16. A group takes as many wavefronts as the largest number of distinct words
// that any bank must deliver to it; lanes that access the same word share it. Loads of 8 and 16 bytes in which every
// lane reads the same as lane^1, or every lane the same as lane^2, are served in groups twice as large
// (h200_access_rules.csv, measured on an H200, 2026-11-21).
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

struct BankCount {
  unsigned wavefronts = 0;
  unsigned ideal = 0;
};

/// Lanes that are served together, without merging.
constexpr unsigned group_lanes(unsigned bytes) { return bytes <= 4 ? 32 : 128 / bytes; }

/// A full warp whose adjacent lanes are @p stride bytes apart. @returns wavefronts 0 if there is no closed form
template <unsigned Bytes, bool Load>
inline __attribute__((always_inline)) BankCount count_banks_affine(std::int32_t stride) {
  constexpr unsigned groups = 32 / group_lanes(Bytes);
  if (stride == 0) {
    const unsigned served = Load && groups > 1 ? groups / 2 : groups;
    return {served, served};
  }
  const std::uint32_t width = stride < 0 ? 0u - static_cast<std::uint32_t>(stride) : static_cast<std::uint32_t>(stride);
  if constexpr (Bytes < 4) {
    if (width <= 4) return {1, 1};  // A run of at most 32 words.
    if (width % 4 != 0) return {0, 1};
  }
  // Lanes advance by `step` cells of a row of banks; a cell is as wide as the access. The number of cells per row is a
  // power of two, so the largest power of two in the step gives the number of lanes that share a cell, each with its
  // own word.
  constexpr unsigned cell = Bytes < 4 ? 4 : Bytes;
  constexpr unsigned cells = 128 / cell;
  const std::uint32_t step = width / cell;
  const std::uint32_t power = step & (0u - step);
  const unsigned ways = power < cells ? power : cells;
  return {groups * ways, groups};
}

/// A full warp in which each half accesses 4-byte words at one address (@p stride 0) or consecutively (@p stride 4);
/// the second half is @p step bytes, a multiple of 4, after the first.
inline BankCount count_banks_halves(std::uint32_t stride, std::int32_t step) {
  const std::uint32_t distance = static_cast<std::uint32_t>(step < 0 ? -step : step) / 4;  // In words.
  const std::uint32_t turned = distance % 32;                                              // In banks.
  if (stride == 0) return {distance != 0 && turned == 0 ? 2u : 1u, 1};
  // Rows that overlap share words: fewer than 32 consecutive words, so each has a bank of its own.
  return {distance < 16 || turned == 16 ? 1u : 2u, 1};
}

/// @p lanes adjacent lanes, fewer than a warp, @p stride bytes apart. @returns wavefronts 0 if there is no closed form:
/// wide accesses are served in groups, whose shares depend on the lane numbers.
template <unsigned Bytes>
inline BankCount count_banks_run(std::int32_t stride, unsigned lanes) {
  if (lanes == 1) return {1, 1};
  if constexpr (Bytes > 4) return {0, 1};
  const BankCount full = count_banks_affine<Bytes, true>(stride);
  // A full warp puts as many lanes on each bank that it uses as it takes wavefronts.
  return {(lanes * full.wavefronts + 31) / 32, 1};
}

namespace detail {

inline std::uint32_t lanes_of_group(unsigned first, unsigned per_group) {
  return per_group == 32 ? 0xffffffffu : ((1u << per_group) - 1) << first;
}

/// 32 lanes, each with a cell (a bank or group of banks, plus the lane's group) and the word that it accesses there
/// (unique within cell and group): the largest number of distinct words for one cell, summed over groups of @p
/// per_group lanes.
inline unsigned worst_cells(const std::uint16_t* words, const std::uint8_t* cells, unsigned per_group) {
  alignas(64) std::uint16_t count[32];  // 1 + earlier lanes in the same cell, or 0 for a lane that does not count.
#if defined(__AVX512BW__)
  // Compares every lane with the earlier ones by rotating the vector one lane at a time.
  const __m512i word = _mm512_loadu_si512(words);
  const __m512i back = _mm512_set1_epi16(-1);
  __m512i from = _mm512_set_epi16(31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11,
                                  10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  const __m512i lanes = from;
  std::uint32_t repeated = 0;  // Lanes whose word an earlier lane accesses, too.
  for (unsigned distance = 1; distance < 32; ++distance) {
    from = _mm512_add_epi16(from, back);
    repeated |= _mm512_mask_cmpeq_epi16_mask(0xffffffffu << distance, word, _mm512_permutexvar_epi16(from, word));
  }
  const __m512i cell = _mm512_cvtepu8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(cells)));
  __m512i counts = _mm512_set1_epi16(1);
  from = lanes;
  for (unsigned distance = 1; distance < 32; ++distance) {
    from = _mm512_add_epi16(from, back);
    const std::uint32_t there = (0xffffffffu << distance) & ~(repeated << distance);
    const __mmask32 same = _mm512_mask_cmpeq_epi16_mask(there, cell, _mm512_permutexvar_epi16(from, cell));
    counts = _mm512_mask_sub_epi16(counts, same, counts, back);
  }
  _mm512_store_si512(count, _mm512_maskz_mov_epi16(~repeated, counts));
#else
  alignas(64) std::uint16_t padded_word[64];
  alignas(64) std::uint16_t padded_cell[64];
  for (unsigned k = 0; k < 32; ++k) padded_word[k] = 0xffff;
  for (unsigned k = 0; k < 32; ++k) padded_word[32 + k] = words[k];
  alignas(64) std::uint16_t repeated[32] = {};
  for (unsigned distance = 1; distance < 32; ++distance)
    for (unsigned k = 0; k < 32; ++k) repeated[k] |= padded_word[32 + k] == padded_word[32 + k - distance] ? 0xffff : 0;
  // Lanes whose word an earlier lane accesses, too, get an unused cell.
  for (unsigned k = 0; k < 32; ++k) padded_cell[k] = 0xfffe;
  for (unsigned k = 0; k < 32; ++k) padded_cell[32 + k] = cells[k] | repeated[k];
  for (unsigned k = 0; k < 32; ++k) count[k] = 1;
  for (unsigned distance = 1; distance < 32; ++distance)
    for (unsigned k = 0; k < 32; ++k)
      count[k] = static_cast<std::uint16_t>(count[k] + (padded_cell[32 + k] == padded_cell[32 + k - distance] ? 1 : 0));
  for (unsigned k = 0; k < 32; ++k) count[k] &= static_cast<std::uint16_t>(~repeated[k]);
#endif
  unsigned total = 0;
  for (unsigned first = 0; first < 32; first += per_group) {
    unsigned worst = 0;
    for (unsigned k = first; k < first + per_group; ++k) worst = count[k] > worst ? count[k] : worst;
    total += worst;
  }
  return total;
}

}  // namespace detail

/// Any accesses at byte offsets @p offset (below 256 KiB) by the lanes of @p exec, which is not empty.
template <unsigned Bytes, bool Load>
inline BankCount count_banks(const std::uint32_t* offset, std::uint32_t exec) {
  constexpr unsigned cell = Bytes < 4 ? 4 : Bytes;
  constexpr unsigned cells = 128 / cell;
  const unsigned leader = static_cast<unsigned>(std::countr_zero(exec));
  alignas(64) std::uint32_t at[32];  // The cell-sized word that each lane accesses; inactive lanes copy an active one.
  if (exec == 0xffffffffu)
    for (unsigned k = 0; k < 32; ++k) at[k] = offset[k] / cell;
  else
    for (unsigned k = 0; k < 32; ++k) at[k] = offset[(exec >> k) & 1 ? k : leader] / cell;

  unsigned per_group = group_lanes(Bytes);
  if constexpr (Bytes > 4) {
    if constexpr (Load) {
      std::uint32_t next = 0, second = 0;  // Lanes that differ from lane^1, and from lane^2.
      for (unsigned k = 0; k < 32; ++k) {
        next |= (at[k] != at[k ^ 1] ? 1u : 0u) << k;
        second |= (at[k] != at[k ^ 2] ? 1u : 0u) << k;
      }
      // An inactive lane differs from none.
      const std::uint32_t pair1 = exec & ((exec >> 1 & 0x55555555u) | (exec << 1 & 0xaaaaaaaau));
      const std::uint32_t pair2 = exec & ((exec >> 2 & 0x33333333u) | (exec << 2 & 0xccccccccu));
      if ((next & pair1) == 0 || (second & pair2) == 0) per_group *= 2;
    }
    // Inactive lanes must not add to their group: give them the word of one of its lanes.
    for (unsigned first = 0; first < 32 && exec != 0xffffffffu; first += per_group) {
      const std::uint32_t group = detail::lanes_of_group(first, per_group) & exec;
      if (group == 0) continue;
      const unsigned lead = static_cast<unsigned>(std::countr_zero(group));
      for (unsigned k = first; k < first + per_group; ++k)
        if (!((exec >> k) & 1)) at[k] = at[lead];
    }
  }

  BankCount result;
  for (unsigned first = 0; first < 32; first += per_group) {
    result.ideal += (exec & detail::lanes_of_group(first, per_group)) != 0 ? 1 : 0;
  }
  // Most groups access at most one row of banks, or have their lanes in different cells.
  bool simple = true;
  for (unsigned first = 0; first < 32 && simple; first += per_group) {
    std::uint32_t low = 0xffffffffu, high = 0;
    for (unsigned k = first; k < first + per_group; ++k) {
      low = at[k] < low ? at[k] : low;
      high = at[k] > high ? at[k] : high;
    }
    simple = high - low < cells;
  }
  if (simple) {
    result.wavefronts = result.ideal;
    return result;
  }
  if constexpr (Bytes <= 4) {
    std::uint32_t banks = 0;
    for (unsigned k = 0; k < 32; ++k) banks |= 1u << (at[k] & 31);
    if (banks == 0xffffffffu) {  // Every lane has a bank of its own.
      result.wavefronts = 1;
      return result;
    }
  }
  alignas(64) std::uint16_t words[32];
  alignas(64) std::uint8_t place[32];
  constexpr unsigned word_bits = Bytes <= 4 ? 16 : Bytes == 8 ? 15 : 14;  // 256 KiB in cells; the group goes above.
  for (unsigned k = 0; k < 32; ++k) {
    const unsigned group = Bytes <= 4 ? 0 : k / per_group;
    words[k] = static_cast<std::uint16_t>(at[k] | group << word_bits);
    place[k] = static_cast<std::uint8_t>(at[k] % cells + group * cells);
  }
  // A group of inactive lanes must not count: its lanes copy the leader of another group.
  result.wavefronts = detail::worst_cells(words, place, per_group);
  for (unsigned first = 0; first < 32; first += per_group) {
    if ((exec & detail::lanes_of_group(first, per_group)) == 0) result.wavefronts -= 1;
  }
  return result;
}

}  // namespace warpbook::simulator::operations::WB_ISA
