// Memory shared between processes, tested in one process: attached again, it has the same bytes.
#include "common/simulator/machine/shared_memory.h"

#include <cstring>

#include "common/testing/catch.h"

using namespace warpbook::simulator;

TEST_CASE("shared allocations are one memory, including neighbours in the same page") {
  GlobalMemory memory(std::uint64_t{64} << 20);
  const Allocation* first = memory.allocate(100, MemoryKind::device);
  const Allocation* second = memory.allocate(9000, MemoryKind::device);
  const Allocation* third = memory.allocate(100, MemoryKind::device);
  std::memset(first->host, 1, 100);
  std::memset(second->host, 2, 9000);
  std::memset(third->host, 3, 100);
  SharedMemory shared(memory);
  CHECK(shared.share(*first).size() == 1);
  CHECK(shared.share(*third).size() == 1);
  const auto runs = shared.share(*second);
  CHECK(runs.size() == 3);  // Its first and its last page are in files already.
  CHECK(second->host[8999] == std::byte{2});
  Allocation like;
  const std::uint64_t again = shared.attach(runs, second->address % SharedMemory::kPage, 9000, like);
  const Allocation* const copy = memory.find(again);
  REQUIRE(copy != nullptr);
  CHECK(copy->bytes == 9000);
  CHECK(copy->host != second->host);
  CHECK(copy->host[0] == std::byte{2});
  CHECK(copy->host[8999] == std::byte{2});
  copy->host[4500] = std::byte{9};
  CHECK(second->host[4500] == std::byte{9});
  second->host[8999] = std::byte{8};
  CHECK(copy->host[8999] == std::byte{8});
  CHECK(first->host[99] == std::byte{1});
  CHECK(third->host[0] == std::byte{3});
  shared.detach(again);
  CHECK(memory.find(again) == nullptr);
  CHECK(second->host[4500] == std::byte{9});
}
