// The functions of lab quadtree, and a runner for what a plain call cannot express.
#include "grader/runner/functions.h"
#include "grader/runner/worker.cuh"
#include "quadtree.h"

using namespace warpbook::grader;

namespace {

int number(const Case& given, const std::string& name) { return static_cast<int>(given.integer(name)); }

// Builds the trees of one or of two sets of points, one after the other in the same memory; sends the last one.
void run_build(const Case& given, Reply& reply) {
  static_assert(sizeof(Node) == 6 * sizeof(std::int32_t));
  const InputBuffer<std::int32_t> in(given, "points");
  const auto count = static_cast<int>(in.size() / 2);
  const OutputBuffer<std::int32_t> sorted(given, "sorted", in.size());
  const FilledBuffer<std::int32_t> scratch(given, "scratch", in.size(), 0xff);
  const OutputBuffer<std::int32_t> nodes(given, "nodes", std::size_t{6} * number(given, "capacity"));
  const OutputBuffer<std::int32_t> node_count(given, "node_count", 1);
  const auto build_from = [&](const std::int32_t* points, int how_many) {
    build(reinterpret_cast<const int2*>(points), how_many, number(given, "min_points"), number(given, "max_levels"),
          reinterpret_cast<int2*>(sorted.data()), reinterpret_cast<int2*>(scratch.data()),
          reinterpret_cast<Node*>(nodes.data()), node_count.data());
  };
  if (given.has("before")) {
    const InputBuffer<std::int32_t> before(given, "before");
    build_from(before.data(), static_cast<int>(before.size() / 2));
    WB_CHECK(cudaDeviceSynchronize());
  }
  measure(reply, [&] { build_from(in.data(), count); });
  send(reply, in, sorted, nodes, node_count, scratch);
}

}  // namespace

WB_FUNCTION(predict_levels)
WB_FUNCTION(predict_launches)
WB_FUNCTION(split)
WB_RUNNER("build", run_build)
