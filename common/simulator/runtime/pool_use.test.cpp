// Pools of several streams, and with holes.
#include "common/simulator/runtime/pool_use.h"

#include "common/testing/catch.h"

using namespace warpbook::simulator::runtime;

namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr std::uint32_t kFirst = 7, kSecond = 8;

struct Steps {
  PoolUse use;
  FreeOrder order;
  double now_us = 0;
  std::uint64_t most = 0;
  bool follows_events = true, is_opportunistic = true, may_wait = true;

  PoolUse::Request request(std::uint64_t bytes, std::uint32_t stream) {
    const auto may_use = [this, stream](const PoolUse::Freed& freed) {
      return freed.stream == stream || (follows_events && order.is_before(freed.stream, freed.number, stream)) ||
             (is_opportunistic && freed.done_us <= now_us);
    };
    return {bytes, most, may_use, may_wait};
  }
  bool take(std::uint64_t address, std::uint64_t bytes, std::uint32_t stream) {
    return use.take(address, request(bytes, stream));
  }
  /// @param done_us when the stream comes to it
  void give(std::uint64_t address, std::uint32_t stream, double done_us) {
    const PoolUse::Freed freed{0, 0, stream, order.note_free(stream), done_us};
    use.give(address, &freed);
  }
  void settle(std::uint64_t kept = 0) {
    use.settle(kept, [this](const PoolUse::Freed& freed) { return freed.done_us <= now_us; });
  }
  std::uint64_t chunks() const { return use.reserved.current / PoolUse::kChunk; }
};

}  // namespace

TEST_CASE("a stream has at once again what it freed, and another does not") {
  Steps steps;
  CHECK(steps.take(1, 30 * kMiB, kFirst));
  steps.give(1, kFirst, 100);
  CHECK(steps.take(2, 30 * kMiB, kFirst));
  CHECK(steps.chunks() == 1);
  steps.give(2, kFirst, 100);
  CHECK(steps.take(3, 30 * kMiB, kSecond));
  CHECK(steps.chunks() == 2);
  CHECK(steps.use.used.current == 30 * kMiB);
}

TEST_CASE("another stream has it once the free is done, unless the pool forbids that") {
  for (const bool allowed : {true, false}) {
    Steps steps;
    steps.is_opportunistic = allowed;
    CHECK(steps.take(1, 30 * kMiB, kFirst));
    steps.give(1, kFirst, 100);
    steps.now_us = 100;
    CHECK(steps.take(2, 30 * kMiB, kSecond));
    CHECK(steps.chunks() == (allowed ? 1 : 2));
  }
}

TEST_CASE("another stream has it behind an event that it waits for, unless the pool forbids that") {
  for (const bool allowed : {true, false}) {
    Steps steps;
    steps.follows_events = allowed;
    const FreesSeen before = steps.order.recorded(kFirst);
    CHECK(steps.take(1, 30 * kMiB, kFirst));
    steps.give(1, kFirst, 100);
    steps.order.waited(kSecond, before);  // The event was recorded too early.
    CHECK(steps.take(2, 30 * kMiB, kSecond));
    CHECK(steps.chunks() == 2);
    steps.order.waited(kSecond, steps.order.recorded(kFirst));
    CHECK(steps.take(3, 30 * kMiB, kSecond));
    CHECK(steps.chunks() == (allowed ? 2 : 3));
  }
}

TEST_CASE("what events tell goes on from stream to stream") {
  FreeOrder order;
  const std::uint64_t number = order.note_free(1);
  order.waited(2, order.recorded(1));
  CHECK_FALSE(order.is_before(1, number, 3));
  order.waited(3, order.recorded(2));
  CHECK(order.is_before(1, number, 3));
  CHECK_FALSE(order.is_before(1, order.note_free(1), 3));
}

TEST_CASE("a limited pool has a stream wait for another's free rather than fail, unless that is forbidden") {
  for (const bool allowed : {true, false}) {
    Steps steps;
    steps.most = 32 * kMiB;
    steps.may_wait = allowed;
    CHECK(steps.take(1, 30 * kMiB, kFirst));
    steps.give(1, kFirst, 100);
    CHECK(steps.take(2, 30 * kMiB, kSecond) == allowed);
    CHECK(steps.chunks() == 1);
    CHECK_FALSE(steps.take(3, 33 * kMiB, kFirst));
  }
}

TEST_CASE("only chunks in which nothing lies go back") {
  Steps steps;
  for (std::uint64_t address = 1; address <= 3; ++address) CHECK(steps.take(address, 20 * kMiB, kFirst));
  CHECK(steps.chunks() == 2);
  steps.give(1, kFirst, 0);
  steps.give(3, kFirst, 0);
  steps.settle();
  CHECK(steps.chunks() == 2);  // The middle one lies in both.
  CHECK(steps.take(4, 12 * kMiB, kFirst));
  CHECK(steps.chunks() == 2);
  steps.give(2, kFirst, 0);
  steps.settle();
  CHECK(steps.chunks() == 1);
}

TEST_CASE("a hole that is too small is left, and one that fits is filled") {
  Steps steps;
  CHECK(steps.take(1, 10 * kMiB, kFirst));
  CHECK(steps.take(2, 10 * kMiB, kFirst));
  CHECK(steps.take(3, 10 * kMiB, kFirst));
  steps.give(2, kFirst, 0);
  CHECK(steps.take(4, 11 * kMiB, kFirst));
  CHECK(steps.chunks() == 2);
  CHECK(steps.take(5, 10 * kMiB, kFirst));
  CHECK(steps.chunks() == 2);
  CHECK(steps.take(6, 21 * kMiB, kFirst));
  CHECK(steps.chunks() == 2);  // 10, 10 and 10 MiB in the first chunk and 2 of the fourth piece, and room behind it.
}

TEST_CASE("a trim before the free is done gives nothing back, and a synchronisation keeps the threshold") {
  Steps steps;
  CHECK(steps.take(1, 100 * kMiB, kFirst));
  steps.give(1, kFirst, 50);
  steps.use.release(0);
  CHECK(steps.chunks() == 4);
  steps.settle();
  CHECK(steps.chunks() == 4);
  steps.now_us = 50;
  steps.settle(64 * kMiB);
  CHECK(steps.chunks() == 2);
  steps.use.release(1);
  CHECK(steps.chunks() == 1);
  CHECK(steps.use.reserved.high == 128 * kMiB);
}

TEST_CASE("sizes beyond all memory do not fit a limit, and do not overflow") {
  Steps steps;
  steps.most = 64 * kMiB;
  CHECK_FALSE(steps.use.fits(steps.request(~std::uint64_t{0}, kFirst)));
}
