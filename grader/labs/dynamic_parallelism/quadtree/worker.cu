// Runs one case of lab quadtree: calls the function that the case names and sends back what it wrote.
#include "grader/runner/worker.cuh"
#include "quadtree.h"

using namespace warpbook::grader;

namespace {

int number(const Case& given, const std::string& name) { return static_cast<int>(given.integer(name)); }

void run_prediction(const Case& given, Reply& reply, int (*predict)(int, int)) {
  const auto sides = given.array<std::int32_t>("sides"), min_points = given.array<std::int32_t>("min_points");
  std::vector<std::int32_t> answers;
  for (std::size_t i = 0; i < sides.size(); ++i) answers.push_back(predict(sides[i], min_points[i]));
  reply.set("answers", answers);
  send(reply);
}

void run_split(const Case& given, Reply& reply) {
  const InputBuffer<std::int32_t> in(given, "points");
  const InOutBuffer<std::int32_t> points(given, "sorted");
  const FilledBuffer<std::int32_t> scratch(given, "scratch", points.size(), 0xff);
  const OutputBuffer<std::int32_t> starts(given, "starts", 5);
  measure(reply, [&] {
    split(reinterpret_cast<int2*>(points.data()), reinterpret_cast<int2*>(scratch.data()),
          static_cast<int>(in.size() / 2), number(given, "x"), number(given, "y"), number(given, "side"),
          starts.data());
  });
  send(reply, in, points, starts, scratch);
}

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

void run_case(const Case& given, Reply& reply) {
  const std::string function = given.text("function");
  if (function == "predict_levels") return run_prediction(given, reply, predict_levels);
  if (function == "predict_launches") return run_prediction(given, reply, predict_launches);
  if (function == "split") return run_split(given, reply);
  if (function == "build") return run_build(given, reply);
  throw ValueError("the worker of lab quadtree knows no function '" + function + "'");
}
