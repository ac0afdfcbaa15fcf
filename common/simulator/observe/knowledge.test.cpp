// Maps of what is known, against plain maps.
#include "common/simulator/observe/knowledge.h"

#include <map>
#include <random>
#include <utility>

#include "common/testing/catch.h"

using namespace warpbook::simulator;

namespace {

using Plain = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>;  // Serial, thread; thread 2000: all.
constexpr std::uint32_t kBlock = 2000;

bool knows(const Plain& map, std::uint32_t serial, std::uint32_t thread, std::uint32_t clock) {
  const auto reaches = [&](std::uint32_t who) {
    const auto found = map.find({serial, who});
    return found != map.end() && found->second >= clock;
  };
  return reaches(thread) || reaches(kBlock);
}

}  // namespace

TEST_CASE("joined maps know what either knew, and no more") {
  std::mt19937 random(1);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  Knowledge knowledge;
  std::vector<std::pair<Knowledge::Map, Plain>> maps(1, {0, {}});
  for (int round = 0; round < 2000; ++round) {
    auto [map, plain] = maps[below(static_cast<std::uint32_t>(maps.size()))];
    if (below(3) == 0) {
      const auto& [other, other_plain] = maps[below(static_cast<std::uint32_t>(maps.size()))];
      map = knowledge.join(map, other);
      for (const auto& [who, clock] : other_plain) plain[who] = std::max(plain[who], clock);
    } else {
      const std::uint32_t serial = 1 + below(9) * 1000, clock = below(50);
      const std::uint32_t thread = below(4) == 0 ? kBlock : below(40);
      map = thread == kBlock ? knowledge.with_block(map, serial, clock)
                             : knowledge.with_thread(map, serial, thread, clock);
      const auto [place, fresh] = plain.try_emplace({serial, thread}, clock);
      if (!fresh) place->second = std::max(place->second, clock);
    }
    maps.emplace_back(map, plain);
    for (int question = 0; question < 20; ++question) {
      const std::uint32_t serial = 1 + below(10) * 1000, thread = below(41), clock = below(52);
      REQUIRE(knowledge.knows(map, serial, thread, clock) == knows(plain, serial, thread, clock));
    }
  }
}

TEST_CASE("joining what is known already makes no new map") {
  Knowledge knowledge;
  Knowledge::Map all = 0;
  for (std::uint32_t thread = 0; thread < 100; ++thread) all = knowledge.with_thread(all, 7, thread, thread);
  const Knowledge::Map more = knowledge.with_block(all, 8, 3);
  CHECK(knowledge.join(more, all) == more);
  CHECK(knowledge.join(all, more) == more);
  CHECK(knowledge.join(all, 0) == all);
}
