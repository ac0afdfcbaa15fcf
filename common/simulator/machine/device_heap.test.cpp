// The device heap: first fit, usage statistics, and separated pieces under checks.
#include "common/simulator/machine/device_heap.h"

#include <cstddef>

#include "common/simulator/machine/global_memory.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;

TEST_CASE("the heap counts requests, live bytes and the peak") {
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

TEST_CASE("freed ranges are merged with their neighbours") {
  DeviceHeap heap(4096, 1024);
  const auto a = heap.allocate(300), b = heap.allocate(300), c = heap.allocate(300);
  CHECK(heap.allocate(500) == 0);
  CHECK(heap.free(a));
  CHECK(heap.free(c));
  CHECK(heap.free(b));
  CHECK(heap.allocate(1000) == 4096);
}

namespace {

/// A heap with separated pieces.
struct GuardedHeap {
  explicit GuardedHeap(std::uint64_t size = 4096)
      : memory(1 << 20), begin(memory.allocate(size, MemoryKind::module, 256, "heap")->address), heap(begin, size) {
    heap.guard(memory);
  }
  GlobalMemory memory;
  std::uint64_t begin;
  DeviceHeap heap;
};

/// A call at a place with this source line.
HeapCall call_at(DeviceHeap& heap, const int& place, std::uint32_t line) {
  HeapCall call;
  call.source = heap.number_of(&place, [&] {
    CheckSite site;
    site.line = line;
    return site;
  });
  call.thread = {line, 0, 0};
  return call;
}

}  // namespace

TEST_CASE("a guarded heap finds live pieces only, and nothing between them") {
  GuardedHeap guarded;
  DeviceHeap& heap = guarded.heap;
  CHECK(guarded.memory.find(guarded.begin) == nullptr);
  const auto a = heap.allocate(100), b = heap.allocate(20);
  CHECK(a % 16 == 0);
  const Allocation* const piece = guarded.memory.find(a + 99);
  REQUIRE(piece != nullptr);
  CHECK(piece->address == a);
  CHECK(guarded.memory.find(a + 100) == nullptr);
  CHECK(guarded.memory.find(b - 1) == nullptr);
  *piece->host = std::byte{7};
  CHECK(heap.free(a));
  CHECK_FALSE(heap.free(a));
  CHECK(guarded.memory.find(a) == nullptr);
  CHECK_FALSE(piece->contains(a, 1));  // For callers that looked it up before.
  REQUIRE(guarded.memory.freed(a) != nullptr);
  CHECK(heap.allocate(100) != a);  // Its memory is not reused at once.
  CHECK(guarded.memory.used() == 4096);
  guarded.memory.unite();
  CHECK(guarded.memory.find(b)->address == guarded.begin);
}

TEST_CASE("a guarded heap knows the piece next to an address, and who made and freed it") {
  GuardedHeap guarded;
  DeviceHeap& heap = guarded.heap;
  const int places[3] = {};
  const auto a = heap.allocate(10, call_at(heap, places[0], 11)), b = heap.allocate(10, call_at(heap, places[1], 12));
  CHECK(heap.piece_near(a + 12)->address == a);
  CHECK(heap.piece_near(b - 1)->address == b);
  CHECK(heap.site_of(heap.piece_near(b)->made).line == 12);
  CHECK(heap.site_of(heap.piece_near(b)->made).thread[0] == 12);
  CHECK_FALSE(heap.piece_near(guarded.begin - 1));
  CHECK_FALSE(heap.piece_near(guarded.begin + 4096));
  CHECK_FALSE(heap.piece_near(a)->is_freed);
  CHECK(heap.free(a, call_at(heap, places[2], 13)));
  CHECK(heap.piece_near(a)->is_freed);
  CHECK(heap.site_of(heap.piece_near(a)->made).line == 11);
  CHECK(heap.site_of(heap.piece_near(a)->freed).line == 13);
  heap.forget_keys();
  CHECK(call_at(heap, places[1], 11).source == heap.piece_near(a)->made.source);
}

TEST_CASE("a guarded heap reuses freed memory before it refuses") {
  GuardedHeap guarded(1024);
  DeviceHeap& heap = guarded.heap;
  const auto a = heap.allocate(800);
  REQUIRE(a != 0);
  CHECK(heap.allocate(800) == 0);
  CHECK(heap.free(a));
  CHECK(heap.allocate(800) == a);
  CHECK(guarded.memory.freed(a) == nullptr);
  CHECK(heap.use().refused == 1);
}
