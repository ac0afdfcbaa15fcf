// Uninitialised bytes, one by one, compared with a plain list of them.
#include "common/simulator/observe/undefined_bits.h"

#include <cstdint>
#include <random>
#include <vector>

#include "common/testing/catch.h"

using warpbook::simulator::UndefinedBits;
using warpbook::simulator::UndefinedPages;

TEST_CASE("a new memory is undefined, byte for byte, and nothing behind it is") {
  UndefinedBits bits;
  CHECK_FALSE(bits.any());
  for (const unsigned bytes : {1u, 63u, 64u, 65u, 100u}) {
    bits.start(bytes);
    CHECK(bits.any());
    CHECK(bits.bytes() == bytes);
    for (unsigned i = 0; i < bytes; ++i) CHECK(bits.get(i, 1) == 1);
    bits.set(0, bytes, false);
    CHECK_FALSE(bits.any());
  }
}

TEST_CASE("an access across a word boundary sees and changes both words") {
  UndefinedBits bits;
  bits.start(200);
  bits.assign(60, 8, 0b01011010);
  CHECK(bits.get(60, 8) == 0b01011010);
  CHECK(bits.get(59, 1) == 1);
  CHECK(bits.get(68, 1) == 1);
  CHECK(bits.get(64, 4) == 0b0101);
  bits.set(0, 200, false);
  bits.assign(100, 64, ~std::uint64_t{0});
  CHECK(bits.get(100, 64) == ~std::uint64_t{0});
  CHECK(bits.get(99, 1) == 0);
  CHECK(bits.get(164, 1) == 0);
}

TEST_CASE("a range is defined when each of its bytes is") {
  UndefinedBits bits;
  bits.start(300);
  bits.set(0, 300, false);
  for (const std::uint64_t at : {0u, 63u, 64u, 130u, 299u}) {
    bits.assign(at, 1, 1);
    for (std::uint64_t first = 0; first < 300; first += 7)
      for (std::uint64_t last = first; last < 300; last += 5)
        CHECK(bits.defined(first, last) == (at < first || at > last));
    bits.assign(at, 1, 0);
  }
  CHECK(bits.defined(0, 299));
}

TEST_CASE("whatever is written in whatever order, each byte is known") {
  std::mt19937 random(7);
  constexpr std::uint64_t kBytes = 3 * UndefinedPages::kPageBytes;
  UndefinedPages pages(kBytes);
  std::vector<bool> expected(kBytes, false);
  const auto below = [&](std::uint64_t limit) { return random() % limit; };
  for (int step = 0; step < 3000; ++step) {
    const std::uint64_t at = below(kBytes);
    const std::uint64_t count = 1 + below(step % 50 == 0 ? kBytes - at : std::min<std::uint64_t>(kBytes - at, 300));
    if (step % 3 == 0) {
      const bool undefined = below(2) != 0;
      pages.set(at, count, undefined);
      for (std::uint64_t i = 0; i < count; ++i) expected[at + i] = undefined;
    } else if (step % 3 == 1) {
      const std::uint64_t place = at / 32 * 32, bits = random();
      pages.assign(place, 32, bits);
      for (unsigned i = 0; i < 32; ++i) expected[place + i] = ((bits >> i) & 1) != 0;
    } else {
      const std::uint64_t to = below(kBytes - count + 1);
      pages.copy(to, at, count);
      const std::vector<bool> before(expected.begin() + static_cast<std::ptrdiff_t>(at),
                                     expected.begin() + static_cast<std::ptrdiff_t>(at + count));
      std::copy(before.begin(), before.end(), expected.begin() + static_cast<std::ptrdiff_t>(to));
    }
  }
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < kBytes; ++i) wrong += (pages.get(i, 1) != 0) != expected[i];
  CHECK(wrong == 0);
}

TEST_CASE("a page counts as defined when its last byte is written") {
  UndefinedPages pages(4 * UndefinedPages::kPageBytes);
  CHECK(pages.defined(0, pages.bytes() - 1));
  pages.set(UndefinedPages::kPageBytes, UndefinedPages::kPageBytes, true);
  CHECK(pages.defined(0, UndefinedPages::kPageBytes - 1));
  CHECK_FALSE(pages.defined(0, UndefinedPages::kPageBytes));
  for (std::uint64_t at = 0; at < UndefinedPages::kPageBytes; at += 64) {
    CHECK_FALSE(pages.defined(UndefinedPages::kPageBytes, UndefinedPages::kPageBytes));
    pages.assign(UndefinedPages::kPageBytes + at, 64, 0);
  }
  CHECK(pages.defined(0, pages.bytes() - 1));
}
