// What a fence.proxy.async makes visible to the async proxy, and what it does not.
#include "common/simulator/observe/proxy_fences.h"

#include "common/testing/catch.h"

using warpbook::simulator::ProxyFences;

namespace {

constexpr std::uint32_t kSite = 7;

bool is_unfenced(const ProxyFences& fences, std::uint32_t begin, std::uint32_t bytes) {
  ProxyFences::Unfenced found;
  return fences.find_unfenced(begin, bytes, found);
}

}  // namespace

TEST_CASE("a thread's fence tells of what it has stored before, and of no more") {
  ProxyFences fences;
  fences.start(256, 64);
  fences.stored(16, 8, 3, kSite);
  ProxyFences::Unfenced found;
  REQUIRE(fences.find_unfenced(0, 256, found));
  CHECK(found.address == 16);
  CHECK(found.store.thread == 3);
  CHECK(found.store.site == kSite);
  fences.fence(4);
  CHECK(is_unfenced(fences, 0, 256));
  fences.fence(3);
  CHECK_FALSE(is_unfenced(fences, 0, 256));
  fences.stored(20, 1, 3, kSite);
  CHECK(is_unfenced(fences, 20, 4));
  CHECK_FALSE(is_unfenced(fences, 16, 4));
}

TEST_CASE("a fence behind a meeting tells of what all have stored before it") {
  ProxyFences fences;
  fences.start(256, 64);
  fences.stored(0, 4, 1, kSite);
  fences.met();
  fences.stored(4, 4, 2, kSite);
  fences.fence(0);
  CHECK_FALSE(is_unfenced(fences, 0, 4));
  CHECK(is_unfenced(fences, 4, 4));
}

TEST_CASE("what the proxy has stored itself needs no fence, and what lies outside is not kept") {
  ProxyFences fences;
  fences.start(64, 32);
  fences.stored(0, 64, 5, kSite);
  fences.stored_by_proxy(0, 32);
  CHECK_FALSE(is_unfenced(fences, 0, 32));
  CHECK(is_unfenced(fences, 32, 16));
  fences.stored(64, 16, 5, kSite);
  CHECK_FALSE(is_unfenced(fences, 64, 16));
  fences.stop();
  CHECK_FALSE(fences.is_followed());
  CHECK_FALSE(is_unfenced(fences, 32, 16));
}
