// Basic blocks and post-dominators (iterative algorithm of Cooper, Harvey and Kennedy on the reversed graph).
#include "common/simulator/kernel/flow_graph.h"

#include <algorithm>

namespace warpbook::simulator {
namespace {

constexpr std::int32_t kNone = -1;

/// Immediate post-dominators of a graph given by successor lists; node `successors.size()` is the virtual exit, to
/// which every node of @p exits has an edge. Nodes that cannot reach it get kNone.
std::vector<std::int32_t> post_dominators(const std::vector<std::vector<std::uint32_t>>& successors,
                                          const std::vector<bool>& exits) {
  const std::uint32_t nodes = static_cast<std::uint32_t>(successors.size());
  const std::uint32_t exit = nodes;
  std::vector<std::vector<std::uint32_t>> next(nodes + 1), previous(nodes + 1);
  for (std::uint32_t n = 0; n < nodes; ++n) {
    next[n] = successors[n];
    if (exits[n]) next[n].push_back(exit);
    for (std::uint32_t s : next[n]) previous[s].push_back(n);
  }
  std::vector<std::int32_t> order(nodes + 1, kNone);  // Post-order number in the reversed graph.
  std::vector<std::uint32_t> post_order;
  std::vector<std::pair<std::uint32_t, std::size_t>> stack{{exit, 0}};
  std::vector<bool> seen(nodes + 1, false);
  seen[exit] = true;
  while (!stack.empty()) {
    auto& [node, edge] = stack.back();
    if (edge < previous[node].size()) {
      const std::uint32_t p = previous[node][edge++];
      if (!seen[p]) {
        seen[p] = true;
        stack.emplace_back(p, 0);
      }
    } else {
      order[node] = static_cast<std::int32_t>(post_order.size());
      post_order.push_back(node);
      stack.pop_back();
    }
  }
  std::vector<std::int32_t> idom(nodes + 1, kNone);
  idom[exit] = static_cast<std::int32_t>(exit);
  for (bool changed = true; changed;) {
    changed = false;
    for (auto it = post_order.rbegin(); it != post_order.rend(); ++it) {
      const std::uint32_t node = *it;
      if (node == exit) continue;
      std::int32_t found = kNone;
      for (std::uint32_t s : next[node]) {
        if (order[s] == kNone || idom[s] == kNone) continue;
        std::int32_t other = static_cast<std::int32_t>(s);
        if (found == kNone) {
          found = other;
          continue;
        }
        while (found != other) {
          while (order[found] < order[other]) found = idom[found];
          while (order[other] < order[found]) other = idom[other];
        }
      }
      if (found != idom[node]) {
        idom[node] = found;
        changed = true;
      }
    }
  }
  for (std::uint32_t n = 0; n < nodes; ++n) {
    if (idom[n] == static_cast<std::int32_t>(exit)) idom[n] = kNone;
  }
  idom.resize(nodes);
  return idom;
}

/// The nodes from which @p goal is reachable.
std::vector<bool> reaching(const std::vector<std::vector<std::uint32_t>>& successors, std::uint32_t goal) {
  std::vector<std::vector<std::uint32_t>> previous(successors.size());
  for (std::uint32_t n = 0; n < successors.size(); ++n) {
    for (std::uint32_t s : successors[n]) previous[s].push_back(n);
  }
  std::vector<bool> seen(successors.size(), false);
  std::vector<std::uint32_t> work{goal};
  seen[goal] = true;
  while (!work.empty()) {
    const std::uint32_t n = work.back();
    work.pop_back();
    for (std::uint32_t p : previous[n]) {
      if (!seen[p]) {
        seen[p] = true;
        work.push_back(p);
      }
    }
  }
  return seen;
}

}  // namespace

FlowGraph::FlowGraph(const std::vector<Flow>& flow) {
  find_blocks(flow);
  find_reconvergence(flow);
}

void FlowGraph::find_blocks(const std::vector<Flow>& flow) {
  const std::uint32_t count = static_cast<std::uint32_t>(flow.size());
  std::vector<bool> leader(count + 1, false);
  if (count > 0) leader[0] = true;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (flow[i].kind != Flow::Kind::next || flow[i].ends_block) leader[i + 1] = true;
    for (std::uint32_t t : flow[i].targets) leader[t] = true;
  }
  block_of_.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (leader[i]) {
      blocks_.emplace_back();
      blocks_.back().begin = i;
    }
    blocks_.back().end = i + 1;
    block_of_[i] = static_cast<std::uint32_t>(blocks_.size() - 1);
  }
  for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
    BasicBlock& block = blocks_[b];
    const Flow& last = flow[block.end - 1];
    for (std::uint32_t t : last.targets) block.successors.push_back(block_of_[t]);
    const bool falls = last.kind == Flow::Kind::next || last.conditional;
    if (falls && block.end < count) block.successors.push_back(b + 1);
    block.leaves = last.kind == Flow::Kind::leave || (falls && block.end == count);
    std::sort(block.successors.begin(), block.successors.end());
    block.successors.erase(std::unique(block.successors.begin(), block.successors.end()), block.successors.end());
    for (std::uint32_t s : block.successors) blocks_[s].predecessors.push_back(b);
  }
}

void FlowGraph::find_reconvergence(const std::vector<Flow>& flow) {
  const std::uint32_t count = static_cast<std::uint32_t>(blocks_.size());
  std::vector<std::vector<std::uint32_t>> full(count), pruned(count);
  std::vector<bool> leaves(count), only_leaves(count);
  std::int32_t main_exit = kNone;
  for (std::uint32_t b = 0; b < count; ++b) {
    full[b] = blocks_[b].successors;
    leaves[b] = blocks_[b].leaves;
    const Flow& last = flow[blocks_[b].end - 1];
    const bool unconditional = last.kind == Flow::Kind::leave && !last.conditional;
    only_leaves[b] = unconditional && blocks_[b].end - blocks_[b].begin == 1;
    if (blocks_[b].leaves && (unconditional || blocks_[b].end == block_of_.size()))
      main_exit = static_cast<std::int32_t>(b);
  }
  const std::vector<std::int32_t> plain = post_dominators(full, leaves);
  for (std::uint32_t b = 0; b < count; ++b) blocks_[b].reconvergence = plain[b];
  if (main_exit == kNone) return;
  for (std::uint32_t b = 0; b < count; ++b) {
    const Flow& last = flow[blocks_[b].end - 1];
    for (std::uint32_t s : full[b]) {
      const bool early =
          last.conditional && last.kind == Flow::Kind::branch && only_leaves[s] && full[b].size() > 1 && s != b + 1;
      if (!early) pruned[b].push_back(s);
    }
  }
  const std::vector<bool> useful = reaching(pruned, static_cast<std::uint32_t>(main_exit));
  for (std::uint32_t b = 0; b < count; ++b) {
    std::erase_if(pruned[b], [&](std::uint32_t s) { return !useful[s]; });
  }
  std::vector<bool> exits(count, false);
  exits[static_cast<std::uint32_t>(main_exit)] = true;
  const std::vector<std::int32_t> better = post_dominators(pruned, exits);
  for (std::uint32_t b = 0; b < count; ++b) {
    if (useful[b] && better[b] != kNone) blocks_[b].reconvergence = better[b];
  }
}

}  // namespace warpbook::simulator
