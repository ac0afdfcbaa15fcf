// What cheats of this lab share: the points are copied to the host, the tree is built there and copied back.
#pragma once

#include <algorithm>
#include <vector>

#include "grader/labs/dynamic_parallelism/quadtree/wrong/right_parts.cuh"

namespace {

void split_on_host(std::vector<int2>& points, std::vector<Node>& nodes, int index, int level, int min_points,
                   int max_levels) {
  const Node node = nodes[index];
  if (node.count <= min_points || level == max_levels) return;
  const int half = node.side / 2, child = static_cast<int>(nodes.size());
  const auto quadrant = [&](int2 p) { return (p.x >= node.x + half ? 1 : 0) + (p.y >= node.y + half ? 2 : 0); };
  const auto begin = points.begin() + node.first, end = begin + node.count;
  std::sort(begin, end, [&](int2 a, int2 b) { return quadrant(a) < quadrant(b); });
  nodes[index].child = child;
  int first = node.first;
  for (int q = 0; q < 4; ++q) {
    const int count = static_cast<int>(std::count_if(begin, end, [&](int2 p) { return quadrant(p) == q; }));
    nodes.push_back({node.x + q % 2 * half, node.y + q / 2 * half, half, first, count, -1});
    first += count;
  }
  for (int q = 0; q < 4; ++q) split_on_host(points, nodes, child + q, level + 1, min_points, max_levels);
}

/// Everything that build() leaves, made by the host. @returns the tree
std::vector<Node> build_on_host(const int2* points, int count, int min_points, int max_levels, int2* sorted,
                                Node* nodes, int* node_count) {
  std::vector<int2> host(count);
  std::vector<Node> tree = {{0, 0, kWorld, 0, count, -1}};
  WB_CHECK(cudaMemcpy(host.data(), points, count * sizeof(int2), cudaMemcpyDeviceToHost));
  split_on_host(host, tree, 0, 1, min_points, max_levels);
  const int size = static_cast<int>(tree.size());
  WB_CHECK(cudaMemcpy(sorted, host.data(), count * sizeof(int2), cudaMemcpyHostToDevice));
  WB_CHECK(cudaMemcpy(nodes, tree.data(), size * sizeof(Node), cudaMemcpyHostToDevice));
  WB_CHECK(cudaMemcpy(node_count, &size, sizeof size, cudaMemcpyHostToDevice));
  return tree;
}

}  // namespace
