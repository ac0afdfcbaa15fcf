// A cheat: one square is split by the host, which gets its points by a copy.
// rejected-by: correctness.one square is split into its quadrants
// because: the block looks at each of them
#include <algorithm>
#include <vector>

#include "quadtree.h"

#define split right_split
#include "solutions/dynamic_parallelism/quadtree/quadtree.cu"
#undef split

__global__ void nothing() {}

void split(int2* points, int2*, int count, int x, int y, int side, int* starts) {
  const auto quadrant = [&](int2 p) { return (p.x >= x + side / 2 ? 1 : 0) + (p.y >= y + side / 2 ? 2 : 0); };
  std::vector<int2> host(count);
  WB_CHECK(cudaMemcpy(host.data(), points, count * sizeof(int2), cudaMemcpyDeviceToHost));
  std::sort(host.begin(), host.end(), [&](int2 a, int2 b) { return quadrant(a) < quadrant(b); });
  int found[5] = {};
  for (const int2 p : host)
    for (int q = quadrant(p); q < 4; ++q) ++found[q + 1];
  WB_CHECK(cudaMemcpy(points, host.data(), count * sizeof(int2), cudaMemcpyHostToDevice));
  WB_CHECK(cudaMemcpy(starts, found, sizeof found, cudaMemcpyHostToDevice));
  nothing<<<1, 1>>>();
}
