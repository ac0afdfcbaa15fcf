// Sectors and lines of global memory against what an H200 counted (driver 580.159, CUDA 13.0, 2026-11-21).
#include "common/simulator/observe/coalescing.h"

#include <algorithm>
#include <random>
#include <set>

#include "common/simulator/observe/patterns.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;
using namespace warpbook::simulator::patterns;
using operations::baseline::Coalescing;

namespace {

struct Measured {
  int (*pattern)(int);
  unsigned bytes;
  unsigned sectors;
  unsigned tag_wavefronts;  ///< l1tex__t_output_wavefronts of the load: four lines at a time
};

const Measured kMeasured[] = {
    {unit, 4, 4, 1},
    {s2, 4, 8, 1},
    {s4, 4, 16, 1},
    {s8, 4, 32, 2},
    {s16, 4, 32, 4},
    {s32, 4, 32, 8},
    {s33, 4, 32, 8},
    {bcast, 4, 1, 1},
    {bcast2, 4, 2, 1},
    {pair1, 4, 2, 1},
    {pair2, 4, 2, 1},
    {half, 4, 2, 1},
    {quart, 4, 1, 1},
    {rev, 4, 4, 1},
    {exclusive_or, 4, 4, 1},
    {off1, 4, 5, 1},
    {unit, 8, 8, 1},
    {s2, 8, 16, 1},
    {s4, 8, 32, 2},
    {s8, 8, 32, 4},
    {s16, 8, 32, 8},
    {s32, 8, 32, 8},
    {s33, 8, 32, 8},
    {bcast, 8, 1, 1},
    {bcast2, 8, 2, 1},
    {pair1, 8, 4, 1},
    {pair2, 8, 4, 1},
    {half, 8, 4, 1},
    {quart, 8, 2, 1},
    {rev, 8, 8, 1},
    {exclusive_or, 8, 8, 1},
    {off1, 8, 9, 1},
    {unit, 16, 16, 1},
    {s2, 16, 32, 2},
    {s4, 16, 32, 4},
    {s8, 16, 32, 8},
    {s16, 16, 32, 8},
    {s32, 16, 32, 8},
    {s33, 16, 32, 8},
    {bcast, 16, 1, 1},
    {bcast2, 16, 2, 1},
    {pair1, 16, 8, 1},
    {pair2, 16, 8, 1},
    {half, 16, 8, 1},
    {quart, 16, 4, 1},
    {rev, 16, 16, 1},
    {exclusive_or, 16, 16, 1},
    {off1, 16, 17, 2},
};

Coalescing count(unsigned bytes, const std::uint64_t* address) {
  const auto [low, high] = std::minmax_element(address, address + 32);
  Coalescing c;
  switch (bytes) {
    case 1:
      operations::baseline::coalesce<1>(address, *low, *high, c);
      break;
    case 2:
      operations::baseline::coalesce<2>(address, *low, *high, c);
      break;
    case 4:
      operations::baseline::coalesce<4>(address, *low, *high, c);
      break;
    case 8:
      operations::baseline::coalesce<8>(address, *low, *high, c);
      break;
    case 16:
      operations::baseline::coalesce<16>(address, *low, *high, c);
      break;
    default:
      operations::baseline::coalesce<32>(address, *low, *high, c);
      break;
  }
  return c;
}

std::set<std::uint64_t> sectors_of(const Coalescing& c) {
  std::set<std::uint64_t> sectors;
  if (c.bits == 0) sectors.insert(c.list, c.list + c.sectors);
  for (unsigned k = 0; k < 64; ++k)
    if (c.bits >> k & 1) sectors.insert(c.base + k);
  return sectors;
}

void check(const Coalescing& c, unsigned bytes, const std::uint64_t* address) {
  std::set<std::uint64_t> addresses(address, address + 32), sectors, lines;
  for (const std::uint64_t a : addresses) {
    sectors.insert(a / 32);
    lines.insert(a / 128);
  }
  CHECK(c.distinct == addresses.size());
  CHECK(c.sectors == sectors.size());
  CHECK(c.sectors_ideal == (addresses.size() * bytes + 31) / 32);
  CHECK(c.lines == lines.size());
  CHECK(c.base % 4 == 0);
  CHECK(sectors_of(c) == sectors);
}

}  // namespace

TEST_CASE("global accesses touch the sectors that an H200 counted") {
  for (const Measured& m : kMeasured) {
    alignas(64) std::uint64_t address[32];
    for (int l = 0; l < 32; ++l) address[l] = 4096 + static_cast<std::uint64_t>(m.pattern(l)) * m.bytes;
    const Coalescing c = count(m.bytes, address);
    CAPTURE(m.bytes, address[0], address[1], address[2]);
    CHECK(c.sectors == m.sectors);
    CHECK((c.lines + 3) / 4 == m.tag_wavefronts);
  }
}

TEST_CASE("an affine access is counted like any other") {
  for (const unsigned bytes : {1u, 2u, 4u, 8u, 16u, 32u}) {
    for (int step = -70; step <= 70; ++step) {
      for (const std::uint64_t start : {1u << 20, (1u << 20) + 96, (1u << 20) + 64 - bytes}) {
        const std::int64_t stride = std::int64_t{step} * bytes;
        alignas(64) std::uint64_t address[32];
        for (int l = 0; l < 32; ++l) address[l] = start / bytes * bytes + static_cast<std::uint64_t>(stride * l);
        CAPTURE(bytes, stride, start);
        Coalescing c;
        if (bytes == 4) {
          operations::baseline::coalesce_affine<4>(address[0], stride, 32, c);
          check(c, bytes, address);
        } else if (bytes == 16) {
          operations::baseline::coalesce_affine<16>(address[0], stride, 32, c);
          check(c, bytes, address);
        } else if (bytes == 1) {
          operations::baseline::coalesce_affine<1>(address[0], stride, 32, c);
          check(c, bytes, address);
        }
        check(count(bytes, address), bytes, address);
      }
    }
  }
}

TEST_CASE("any lanes at any addresses are counted as the rule says") {
  std::mt19937_64 random(20261121);
  for (int round = 0; round < 4000; ++round) {
    const unsigned bytes = 1u << random() % 6;
    const unsigned magnitude = random() % 36;
    alignas(64) std::uint64_t address[32];
    for (int l = 0; l < 32; ++l) {
      address[l] = (std::uint64_t{1} << 20) + (random() & ((std::uint64_t{1} << magnitude) - 1)) / bytes * bytes;
      if (l > 0 && random() % 4 == 0) address[l] = address[l - 1];
    }
    if (round % 4 == 0) std::sort(address, address + 32);
    CAPTURE(round, bytes, magnitude);
    check(count(bytes, address), bytes, address);
  }
}
