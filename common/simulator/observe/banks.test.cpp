// Wavefronts of shared memory against what an H200 counted (driver 580.159, CUDA 13.0, 2026-11-21).
#include "common/simulator/observe/banks.h"

#include <random>
#include <set>
#include <vector>

#include "common/simulator/observe/patterns.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;
using namespace warpbook::simulator::patterns;
using operations::baseline::BankCount;

namespace {

struct Measured {
  int (*pattern)(int);
  unsigned bytes;
  bool load;
  unsigned wavefronts, conflicts;
};

const Measured kMeasured[] = {
    {unit, 4, true, 1, 0},
    {s2, 4, true, 2, 1},
    {s4, 4, true, 4, 3},
    {s8, 4, true, 8, 7},
    {s16, 4, true, 16, 15},
    {s32, 4, true, 32, 31},
    {s33, 4, true, 1, 0},
    {bcast, 4, true, 1, 0},
    {bcast2, 4, true, 2, 1},
    {pair1, 4, true, 1, 0},
    {pair2, 4, true, 1, 0},
    {half, 4, true, 1, 0},
    {quart, 4, true, 1, 0},
    {rev, 4, true, 1, 0},
    {exclusive_or, 4, true, 1, 0},
    {off1, 4, true, 1, 0},
    {unit, 8, true, 2, 0},
    {s2, 8, true, 4, 2},
    {s4, 8, true, 8, 6},
    {s8, 8, true, 16, 14},
    {s16, 8, true, 32, 30},
    {s32, 8, true, 32, 30},
    {s33, 8, true, 2, 0},
    {bcast, 8, true, 1, 0},
    {bcast2, 8, true, 2, 1},
    {pair1, 8, true, 1, 0},
    {pair2, 8, true, 1, 0},
    {half, 8, true, 2, 0},
    {quart, 8, true, 2, 0},
    {rev, 8, true, 2, 0},
    {exclusive_or, 8, true, 2, 0},
    {off1, 8, true, 2, 0},
    {unit, 16, true, 4, 0},
    {s2, 16, true, 8, 4},
    {s4, 16, true, 16, 12},
    {s8, 16, true, 32, 28},
    {s16, 16, true, 32, 28},
    {s32, 16, true, 32, 28},
    {s33, 16, true, 4, 0},
    {bcast, 16, true, 2, 0},
    {bcast2, 16, true, 4, 2},
    {pair1, 16, true, 2, 0},
    {pair2, 16, true, 2, 0},
    {half, 16, true, 4, 0},
    {quart, 16, true, 4, 0},
    {rev, 16, true, 4, 0},
    {exclusive_or, 16, true, 4, 0},
    {off1, 16, true, 4, 0},
    {unit, 4, false, 1, 0},
    {s2, 4, false, 2, 1},
    {s4, 4, false, 4, 3},
    {s8, 4, false, 8, 7},
    {s16, 4, false, 16, 15},
    {s32, 4, false, 32, 31},
    {s33, 4, false, 1, 0},
    {bcast, 4, false, 1, 0},
    {bcast2, 4, false, 2, 1},
    {pair1, 4, false, 1, 0},
    {pair2, 4, false, 1, 0},
    {half, 4, false, 1, 0},
    {quart, 4, false, 1, 0},
    {rev, 4, false, 1, 0},
    {exclusive_or, 4, false, 1, 0},
    {off1, 4, false, 1, 0},
    {unit, 8, false, 2, 0},
    {s2, 8, false, 4, 2},
    {s4, 8, false, 8, 6},
    {s8, 8, false, 16, 14},
    {s16, 8, false, 32, 30},
    {s32, 8, false, 32, 30},
    {s33, 8, false, 2, 0},
    {bcast, 8, false, 2, 0},
    {bcast2, 8, false, 4, 2},
    {pair1, 8, false, 2, 0},
    {pair2, 8, false, 2, 0},
    {half, 8, false, 2, 0},
    {quart, 8, false, 2, 0},
    {rev, 8, false, 2, 0},
    {exclusive_or, 8, false, 2, 0},
    {off1, 8, false, 2, 0},
    {unit, 16, false, 4, 0},
    {s2, 16, false, 8, 4},
    {s4, 16, false, 16, 12},
    {s8, 16, false, 32, 28},
    {s16, 16, false, 32, 28},
    {s32, 16, false, 32, 28},
    {s33, 16, false, 4, 0},
    {bcast, 16, false, 4, 0},
    {bcast2, 16, false, 8, 4},
    {pair1, 16, false, 4, 0},
    {pair2, 16, false, 4, 0},
    {half, 16, false, 4, 0},
    {quart, 16, false, 4, 0},
    {rev, 16, false, 4, 0},
    {exclusive_or, 16, false, 4, 0},
    {off1, 16, false, 4, 0},
};

template <bool Load>
BankCount count(unsigned bytes, const std::uint32_t* offset, std::uint32_t exec) {
  switch (bytes) {
    case 1:
      return operations::baseline::count_banks<1, Load>(offset, exec);
    case 2:
      return operations::baseline::count_banks<2, Load>(offset, exec);
    case 4:
      return operations::baseline::count_banks<4, Load>(offset, exec);
    case 8:
      return operations::baseline::count_banks<8, Load>(offset, exec);
    default:
      return operations::baseline::count_banks<16, Load>(offset, exec);
  }
}

template <bool Load>
BankCount affine(unsigned bytes, std::int32_t stride) {
  switch (bytes) {
    case 1:
      return operations::baseline::count_banks_affine<1, Load>(stride);
    case 2:
      return operations::baseline::count_banks_affine<2, Load>(stride);
    case 4:
      return operations::baseline::count_banks_affine<4, Load>(stride);
    case 8:
      return operations::baseline::count_banks_affine<8, Load>(stride);
    default:
      return operations::baseline::count_banks_affine<16, Load>(stride);
  }
}

/// The documented rule, with one set of words for each bank and group.
unsigned by_the_book(unsigned bytes, bool load, const std::uint32_t* offset, std::uint32_t exec) {
  const unsigned words = bytes < 4 ? 1 : bytes / 4;
  unsigned per_group = 32 / words;
  if (load && words > 1) {
    for (const unsigned partner : {1u, 2u}) {
      bool merges = true;
      for (unsigned l = 0; l < 32; ++l)
        if ((exec >> l & 1) && (exec >> (l ^ partner) & 1)) merges &= offset[l] == offset[l ^ partner];
      if (merges) {
        per_group *= 2;
        break;
      }
    }
  }
  unsigned total = 0;
  for (unsigned first = 0; first < 32; first += per_group) {
    std::set<std::uint32_t> bank[32];
    for (unsigned l = first; l < first + per_group; ++l)
      for (unsigned w = 0; w < words && (exec >> l & 1); ++w) bank[(offset[l] / 4 + w) % 32].insert(offset[l] / 4 + w);
    std::size_t worst = 0;
    for (const auto& wanted : bank) worst = std::max(worst, wanted.size());
    total += static_cast<unsigned>(worst);
  }
  return total;
}

}  // namespace

TEST_CASE("shared accesses take the wavefronts that an H200 counted") {
  for (const Measured& m : kMeasured) {
    std::uint32_t offset[32];
    for (int l = 0; l < 32; ++l) offset[l] = static_cast<std::uint32_t>(m.pattern(l)) * m.bytes;
    CAPTURE(m.bytes, m.load, offset[0], offset[1], offset[2], m.wavefronts);
    const BankCount found =
        m.load ? count<true>(m.bytes, offset, 0xffffffffu) : count<false>(m.bytes, offset, 0xffffffffu);
    CHECK(found.wavefronts == m.wavefronts);
    CHECK(found.wavefronts - found.ideal == m.conflicts);
  }
}

TEST_CASE("the closed form for a constant stride agrees with counting") {
  for (const unsigned bytes : {1u, 2u, 4u, 8u, 16u}) {
    for (int step = -80; step <= 80; ++step) {
      const std::int32_t stride = step * static_cast<std::int32_t>(bytes);
      std::uint32_t offset[32];
      for (int l = 0; l < 32; ++l) offset[l] = static_cast<std::uint32_t>(65536 + stride * l);
      CAPTURE(bytes, stride);
      const BankCount load = affine<true>(bytes, stride), store = affine<false>(bytes, stride);
      if (load.wavefronts != 0) {
        CHECK(load.wavefronts == by_the_book(bytes, true, offset, 0xffffffffu));
        CHECK(load.ideal == count<true>(bytes, offset, 0xffffffffu).ideal);
      }
      if (store.wavefronts != 0) {
        CHECK(store.wavefronts == by_the_book(bytes, false, offset, 0xffffffffu));
        CHECK(store.ideal == count<false>(bytes, offset, 0xffffffffu).ideal);
      }
    }
  }
}

TEST_CASE("the closed form for two half-warps agrees with counting") {
  for (const std::uint32_t stride : {0u, 4u}) {
    for (int words = -200; words <= 200; ++words) {
      std::uint32_t offset[32];
      for (std::uint32_t l = 0; l < 32; ++l)
        offset[l] = 65536 + stride * (l % 16) + static_cast<std::uint32_t>(l < 16 ? 0 : 4 * words);
      CAPTURE(stride, words);
      const BankCount found = operations::baseline::count_banks_halves(stride, 4 * words);
      CHECK(found.wavefronts == by_the_book(4, true, offset, 0xffffffffu));
      CHECK(found.ideal == count<true>(4, offset, 0xffffffffu).ideal);
    }
  }
}

TEST_CASE("any lanes on any words are counted as the rule says") {
  std::mt19937 random(20261121);
  for (int round = 0; round < 4000; ++round) {
    const unsigned bytes = 1u << random() % 5;
    const std::uint32_t cells = 1u << random() % 12;
    std::uint32_t exec = round % 3 == 0 ? 0xffffffffu : random();
    if (round % 7 == 0) {
      exec &= random();
      exec &= random();
    }
    if (exec == 0) exec = 1u << random() % 32;
    std::uint32_t offset[32];
    for (int l = 0; l < 32; ++l) {
      offset[l] = random() % cells * bytes;
      if (round % 5 == 0) offset[l] = offset[l & ~1];  // Pairs that merge.
      if (round % 5 == 1) offset[l] = offset[l & ~2];
    }
    CAPTURE(round, bytes, cells, exec);
    CHECK(count<true>(bytes, offset, exec).wavefronts == by_the_book(bytes, true, offset, exec));
    CHECK(count<false>(bytes, offset, exec).wavefronts == by_the_book(bytes, false, offset, exec));
  }
}
