// What a thread knows about others: for threads and for whole blocks, the clock up to which everything they did is
// ordered before it.
//
// A map is immutable and is only extended to new maps, which share what is unchanged: threads that know the same share
// one map, and joining two takes time in proportion to their differences (Okasaki and Gill, "Fast Mergeable Integer
// Maps", 1998). All maps live until clear().
#pragma once

#include <cstdint>
#include <vector>

#include "common/simulator/observe/epoch.h"

namespace warpbook::simulator {

class Knowledge {
 public:
  using Map = std::uint32_t;  ///< 0: nothing is known.

  /// Limit of entries in all maps together; then is_full(), and joins drop what they would add.
  static constexpr std::size_t kMost = std::size_t{1} << 24;

  Knowledge() { clear(); }
  void clear() { nodes_.assign(1, Node{}); }
  bool is_full() const { return nodes_.size() >= kMost; }

  /// The union of @p map and @p other.
  Map join(Map map, Map other);
  /// @p map, plus the thread up to @p clock.
  Map with_thread(Map map, std::uint32_t serial, std::uint32_t thread, std::uint32_t clock) {
    return join(map, leaf(key(serial) | (thread + 1), clock));
  }
  /// @p map, plus all threads of the block up to @p clock.
  Map with_block(Map map, std::uint32_t serial, std::uint32_t clock) { return join(map, leaf(key(serial), clock)); }
  /// Whether a thread is known up to @p clock.
  bool knows(Map map, std::uint32_t serial, std::uint32_t thread, std::uint32_t clock) const {
    return map != 0 && (find(map, key(serial)) >= clock + 1 || find(map, key(serial) | (thread + 1)) >= clock + 1);
  }

 private:
  struct Node {
    std::uint64_t prefix = 0;  ///< The key of a leaf; in inner nodes the bits above `bit` of all keys below.
    Map left = 0, right = 0;
    std::uint32_t clock = 0;  ///< In a leaf: the clock plus 1; 0 means missing.
    std::uint32_t bit = 0;    ///< The highest bit in which the keys below differ; 64 for a leaf.
  };
  static std::uint64_t key(std::uint32_t serial) { return std::uint64_t{serial} << (epoch::kThreadBits + 1); }
  Map leaf(std::uint64_t of, std::uint32_t clock) { return add({of, 0, 0, clock + 1, 64}); }
  Map add(const Node& node);
  Map branch(Map a, Map b);
  std::uint32_t find(Map map, std::uint64_t of) const;
  bool holds(const Node& node, std::uint64_t of) const {
    return node.bit == 64 ? node.prefix == of : (node.prefix ^ of) >> node.bit >> 1 == 0;
  }

  std::vector<Node> nodes_;
};

}  // namespace warpbook::simulator
