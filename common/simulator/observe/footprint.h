// The footprint: which 32-byte sectors of global memory one worker read, wrote and reduced.
//
// Two uses: blocks that ran at the same time on different workers may keep their results only if no worker touched what
// another one wrote; and the distinct sectors of a launch are its compulsory traffic to DRAM. One bit per sector, in
// chunks of 1 MiB of device memory that exist only where something was touched, so that the cost of clearing, merging
// and comparing is proportional to what was touched. Sectors are counted from GlobalMemory::kBase (of
// Allocation::shadow addresses).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "common/simulator/observe/swap_tally.h"

namespace warpbook::simulator {

/// The operation of a reduction, which determines what commutes: sectors reduced by two workers with `add` do not
/// conflict.
enum class ReductionKind : std::uint8_t { none, add, min_max, bits };

struct FootprintSizes {
  std::uint64_t read = 0;     ///< Sectors read, including reduced ones.
  std::uint64_t written = 0;  ///< Sectors written, including reduced ones.
  std::uint64_t any = 0;
  std::uint64_t read_pairs = 0;     ///< Aligned 64-byte pairs of sectors of which at least one was read,
  std::uint64_t written_pairs = 0;  ///< or written: what DRAM fetches for a sector.
  std::uint64_t read_kib = 0;       ///< Aligned KiB of which at least one sector was read.
  SwapSums swaps;                   ///< Changes made by compare-and-swaps.
};

class Footprint {
 public:
  Footprint();
  ~Footprint();
  Footprint(Footprint&&) noexcept;
  Footprint& operator=(Footprint&&) noexcept;

  /// Bit k of @p bits stands for sector @p first + k. Always inlined: callers are compiled for several instruction sets
  /// and must not share one copy.
  __attribute__((always_inline)) void mark_read(std::uint64_t first, std::uint64_t bits) {
    mark(first, bits, &Chunk::read);
  }
  __attribute__((always_inline)) void mark_written(std::uint64_t first, std::uint64_t bits) {
    mark(first, bits, &Chunk::written);
  }
  /// The @p count sectors of @p list.
  __attribute__((always_inline)) void mark_all_read(const std::uint64_t* list, unsigned count) {
    mark(list, count, &Chunk::read);
  }
  __attribute__((always_inline)) void mark_all_written(const std::uint64_t* list, unsigned count) {
    mark(list, count, &Chunk::written);
  }
  /// Reductions of one @p kind commute: they conflict only with other kinds, reads and writes by other workers.
  __attribute__((always_inline)) void mark_reduced(std::uint64_t first, std::uint64_t bits, ReductionKind kind) {
    mark(first, bits, &Chunk::reduced);
    note_kind(first >> kChunkShift, kind);
    if ((first + 63) >> kChunkShift != first >> kChunkShift) [[unlikely]]
      note_kind((first + 63) >> kChunkShift, kind);
  }

  /// A compare-and-swap has changed word @p word, counted in words of its size.
  __attribute__((always_inline)) void note_swap(std::uint64_t word) { swaps_.note(word); }

  /// Clears everything; keeps the memory for the next launch.
  void clear();

  /// True if a sector written by one of @p all was read or written by another, or if reductions do not commute.
  static bool conflict(const std::vector<const Footprint*>& all);
  /// Distinct sectors of @p all together.
  static FootprintSizes count_union(const std::vector<const Footprint*>& all);

  static constexpr unsigned kChunkShift = 15;  ///< Sectors per chunk: 2^15, which is 1 MiB.
  static constexpr unsigned kWords = (1u << kChunkShift) / 64;
  /// A bit for each sector of a chunk. The words are not in the order of memory.
  using Bits = std::array<std::uint64_t, kWords>;
  /// Calls @p visit with each chunk that one of @p all touched, in ascending order, and the sectors read and written in
  /// it by all together; reduced ones are both.
  static void for_each_chunk(const std::vector<const Footprint*>& all,
                             const std::function<void(std::uint64_t, const Bits& read, const Bits& written)>& visit);
  static std::uint64_t count(const Bits& bits);
  /// Pairs of sectors of which at least one is in @p bits: bit 2k for the pair 2k, 2k + 1.
  static Bits pairs_of(const Bits& bits);

 private:
  static constexpr std::uint64_t kChunks = std::uint64_t{1} << 18;  ///< 256 GiB.
  struct Chunk {
    std::uint64_t read[kWords];
    std::uint64_t written[kWords];
    std::uint64_t reduced[kWords];
    ReductionKind kind;  ///< Of all reductions in this chunk,
    bool mixed;          ///< unless they differ: then none of them commutes.
  };

  /// Where a chunk stores word @p word. Words that are 16 KiB apart in memory are adjacent: an access down the columns
  /// of a matrix finds them in few cache lines, and an access along rows has all lines of 16 KiB in the cache anyway.
  static constexpr unsigned kColumns = 8;
  __attribute__((always_inline)) static std::uint64_t place(std::uint64_t word) {
    return word % kColumns * (kWords / kColumns) + word % kWords / kColumns;
  }

  using Words = std::uint64_t (Chunk::*)[kWords];
  __attribute__((always_inline)) void mark(std::uint64_t first, std::uint64_t bits, Words words) {
    const std::uint64_t word = first >> 6;
    const unsigned shift = first & 63;
    set(word, bits << shift, words);
    if (shift != 0 && (bits >> (64 - shift)) != 0) [[unlikely]]
      set(word + 1, bits >> (64 - shift), words);
  }
  __attribute__((always_inline)) void mark(const std::uint64_t* list, unsigned count, Words words) {
    std::uint64_t index = ~std::uint64_t{0};
    Chunk* chunk = nullptr;
    for (unsigned k = 0; k < count; ++k) {
      if (list[k] >> kChunkShift != index) {
        index = list[k] >> kChunkShift;
        chunk = chunks_[index];
        if (chunk == nullptr) [[unlikely]]
          chunk = create(index);
      }
      (chunk->*words)[place(list[k] / 64)] |= std::uint64_t{1} << (list[k] % 64);
    }
  }
  __attribute__((always_inline)) void set(std::uint64_t word, std::uint64_t bits, Words words) {
    Chunk* chunk = chunks_[word / kWords];
    if (chunk == nullptr) [[unlikely]]
      chunk = create(word / kWords);
    (chunk->*words)[place(word)] |= bits;
  }
  __attribute__((always_inline)) void note_kind(std::uint64_t index, ReductionKind kind) {
    Chunk* chunk = chunks_[index];
    if (chunk == nullptr) return;
    if (chunk->kind == ReductionKind::none) chunk->kind = kind;
    if (chunk->kind != kind) chunk->mixed = true;
  }
  Chunk* create(std::uint64_t index);

  struct State;
  Chunk** chunks_ = nullptr;  ///< kChunks pointers, null where nothing was touched.
  SwapTally swaps_;
  std::unique_ptr<State> state_;
};

}  // namespace warpbook::simulator
