// The device heap: first fit, what it says about its use, and its guards.
#include "common/simulator/machine/device_heap.h"

#include <cstddef>
#include <vector>

#include "common/testing/catch.h"

using warpbook::simulator::DeviceHeap;
using warpbook::simulator::HeapDamage;

TEST_CASE("the heap counts what was asked for, what is still out and the most that was") {
  DeviceHeap heap(4096, 1024);
  const auto a = heap.allocate(100), b = heap.allocate(300);
  REQUIRE(a == 4096);
  REQUIRE(b == 4096 + 128);  // 100 bytes and a header, rounded up to 16.
  CHECK(heap.allocate(0) == 0);
  CHECK(heap.allocate(1000) == 0);
  CHECK(heap.size_at(a) == 100);
  CHECK(heap.free(a));
  CHECK(heap.size_at(a) == 0);
  CHECK_FALSE(heap.free(a));
  CHECK(heap.free(0));
  CHECK(heap.allocate(50) == a);
  CHECK(heap.use().allocations == 3);
  CHECK(heap.use().bytes == 450);
  CHECK(heap.use().refused == 1);
  CHECK(heap.use().peak_bytes == 400);
  CHECK(heap.use().live_bytes == 350);
}

TEST_CASE("ranges that are given back grow together again") {
  DeviceHeap heap(4096, 1024);
  const auto a = heap.allocate(300), b = heap.allocate(300), c = heap.allocate(300);
  CHECK(heap.allocate(500) == 0);
  CHECK(heap.free(a));
  CHECK(heap.free(c));
  CHECK(heap.free(b));
  CHECK(heap.allocate(1000) == 4096);
}

namespace {

constexpr std::uint64_t kBegin = 4096;

/// A heap with guards, and its bytes.
struct GuardedHeap {
  explicit GuardedHeap(std::size_t size = 4096) : bytes(size), heap(kBegin, size) { heap.guard(bytes.data()); }
  std::byte& at(std::uint64_t address) { return bytes.at(address - kBegin); }

  std::vector<std::byte> bytes;
  DeviceHeap heap;
};

}  // namespace

TEST_CASE("guards tell what was written before, behind and after the life of a piece, once") {
  GuardedHeap guarded;
  DeviceHeap& heap = guarded.heap;
  heap.set_owner(7);
  const auto a = heap.allocate(100), b = heap.allocate(20), c = heap.allocate(8);
  CHECK(a % 16 == 0);
  for (std::uint64_t i = 0; i < 100; ++i) guarded.at(a + i) = std::byte{1};
  CHECK(heap.take_damage().empty());

  guarded.at(a + 102) = std::byte{1};
  guarded.at(b - 5) = std::byte{1};
  CHECK(heap.free(c));
  guarded.at(c + 4) = std::byte{1};
  const auto damage = heap.take_damage();
  REQUIRE(damage.size() == 3);
  CHECK(damage[0].kind == HeapDamage::Kind::past_end);
  CHECK(damage[0].piece.address == a);
  CHECK(damage[0].piece.bytes == 100);
  CHECK(damage[0].piece.owner == 7);
  CHECK(damage[0].address == a + 102);
  CHECK(damage[1].kind == HeapDamage::Kind::before_start);
  CHECK(damage[1].address == b - 5);
  CHECK(damage[2].kind == HeapDamage::Kind::after_free);
  CHECK(damage[2].address == c + 4);
  CHECK(heap.take_damage().empty());
}

TEST_CASE("damage is found when a piece is freed, too, and its memory is not given out again at once") {
  GuardedHeap guarded;
  DeviceHeap& heap = guarded.heap;
  const auto a = heap.allocate(10);
  guarded.at(a + 10) = std::byte{1};
  CHECK(heap.free(a));
  CHECK_FALSE(heap.free(a));
  CHECK(heap.take_damage().size() == 1);
  CHECK(heap.allocate(10) != a);
}

TEST_CASE("a guarded heap gives freed memory out again before it refuses") {
  GuardedHeap guarded(1024);
  DeviceHeap& heap = guarded.heap;
  const auto a = heap.allocate(800);
  REQUIRE(a != 0);
  CHECK(heap.allocate(800) == 0);
  CHECK(heap.free(a));
  CHECK(heap.allocate(800) == a);
  CHECK(heap.use().refused == 1);
}
