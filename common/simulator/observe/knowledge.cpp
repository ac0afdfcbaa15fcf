// Merges big-endian Patricia trees.
#include "common/simulator/observe/knowledge.h"

#include <bit>

namespace warpbook::simulator {

Knowledge::Map Knowledge::add(const Node& node) {
  if (is_full()) return 0;
  nodes_.push_back(node);
  return static_cast<Map>(nodes_.size() - 1);
}

/// A node above two trees whose keys differ before either one branches.
Knowledge::Map Knowledge::branch(Map a, Map b) {
  const std::uint64_t x = nodes_[a].prefix, y = nodes_[b].prefix;
  const auto bit = static_cast<std::uint32_t>(63 - std::countl_zero(x ^ y));
  const bool a_is_right = ((x >> bit) & 1) != 0;
  return add({x >> bit >> 1 << bit << 1, a_is_right ? b : a, a_is_right ? a : b, 0, bit});
}

Knowledge::Map Knowledge::join(Map map, Map other) {
  if (map == other || other == 0) return map;
  if (map == 0) return other;
  const Node a = nodes_[map], b = nodes_[other];
  if (a.bit == 64 && b.bit == 64 && a.prefix == b.prefix) return b.clock > a.clock ? other : map;
  const auto below = [&](const Node& upper, Map self, Map lower) {
    const bool right = ((nodes_[lower].prefix >> upper.bit) & 1) != 0;
    const Map before = right ? upper.right : upper.left, after = join(before, lower);
    if (after == before) return self;
    Node made = upper;
    (right ? made.right : made.left) = after;
    return add(made);
  };
  if (a.bit != 64 && b.bit == a.bit && a.prefix == b.prefix) {
    const Map left = join(a.left, b.left), right = join(a.right, b.right);
    if (left == a.left && right == a.right) return map;
    if (left == b.left && right == b.right) return other;
    return add({a.prefix, left, right, 0, a.bit});
  }
  if (a.bit != 64 && (b.bit == 64 || b.bit < a.bit) && holds(a, b.prefix)) return below(a, map, other);
  if (b.bit != 64 && (a.bit == 64 || a.bit < b.bit) && holds(b, a.prefix)) return below(b, other, map);
  return branch(map, other);
}

std::uint32_t Knowledge::find(Map map, std::uint64_t of) const {
  while (map != 0) {
    const Node& node = nodes_[map];
    if (!holds(node, of)) return 0;
    if (node.bit == 64) return node.clock;
    map = ((of >> node.bit) & 1) != 0 ? node.right : node.left;
  }
  return 0;
}

}  // namespace warpbook::simulator
