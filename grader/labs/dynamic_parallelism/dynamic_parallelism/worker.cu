// Runs one case of lab dynamic_parallelism: calls the function that the case names and sends back what it wrote.
#include "dynamic_parallelism.h"
#include "grader/runner/worker.cuh"

using namespace warpbook::grader;

namespace {

int number(const Case& given, const std::string& name) { return static_cast<int>(given.integer(name)); }

/// An output that starts as zeros: what an answer does not count stays 0.
class ZeroedBuffer : public FilledBuffer<int> {
 public:
  ZeroedBuffer(const Case& given, const std::string& name, std::size_t count)
      : FilledBuffer<int>(given, name, count, 0) {}
};

void run_predict_seen(const Case& given, Reply& reply) {
  std::vector<std::int32_t> seen;
  for (const char situation : given.text("situations"))
    seen.push_back(static_cast<std::int32_t>(static_cast<unsigned char>(predict_seen(situation))));
  reply.set("seen", seen);
  send(reply);
}

void run_predict_grids(const Case& given, Reply& reply) {
  const auto fanouts = given.array<std::int32_t>("fanouts"), depths = given.array<std::int32_t>("depths");
  std::vector<std::int32_t> grids;
  for (std::size_t i = 0; i < fanouts.size(); ++i) grids.push_back(predict_grids(fanouts[i], depths[i]));
  reply.set("grids", grids);
  send(reply);
}

void run_smooth(const Case& given, Reply& reply) {
  const InputBuffer<std::uint32_t> in(given, "in");
  const OutputBuffer<std::uint32_t> squares(given, "squares", in.size()), out(given, "out", in.size());
  measure(reply, [&] { smooth(in.data(), squares.data(), out.data(), static_cast<int>(in.size())); });
  send(reply, in, squares, out);
}

void run_sum_rows(const Case& given, Reply& reply) {
  const InputBuffer<std::uint32_t> values(given, "values");
  const InputBuffer<std::int32_t> offsets(given, "offsets");
  const int rows = static_cast<int>(offsets.size()) - 1;
  const OutputBuffer<std::uint32_t> sums(given, "sums", rows);
  measure(reply, [&] { sum_rows(values.data(), offsets.data(), rows, sums.data()); });
  send(reply, values, offsets, sums);
}

void run_largest_row(const Case& given, Reply& reply) {
  const InputBuffer<std::uint32_t> values(given, "values");
  const InputBuffer<std::int32_t> offsets(given, "offsets");
  const int rows = static_cast<int>(offsets.size()) - 1;
  const OutputBuffer<std::uint32_t> sums(given, "sums", rows), largest(given, "largest", rows > 0 ? 1 : 0);
  measure(reply, [&] { largest_row(values.data(), offsets.data(), rows, sums.data(), largest.data()); });
  send(reply, values, offsets, sums, largest);
}

/// Whoever calls the functions of part 5 chooses how many launches may be pending; 0 leaves it as it is.
void set_limit(const Case& given) {
  const int limit = number(given, "limit");
  if (limit > 0) WB_CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, static_cast<std::size_t>(limit)));
}

/// The limit as it is now, and how often one was set so far, which only the virtual GPU can tell.
void tell_limits(Reply& reply, const std::string& when) {
  if (device_has_arrays()) {
    observe_on_device(warpbook::simulator::remote::ArrayKind::observe_limits, when);
    return;
  }
  std::size_t limit = 0;
  WB_CHECK(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount));
  reply.set(when + ".pending_launches", limit);
  reply.set(when + ".set", 0);
}

void run_visit_all(const Case& given, Reply& reply) {
  set_limit(given);
  const int count = number(given, "count");
  const ZeroedBuffer visits(given, "visits", count), refused(given, "refused", 1);
  tell_limits(reply, "before");
  visit_all(count, visits.data(), refused.data());
  tell_limits(reply, "after");
  send(reply, visits, refused);
}

void run_visit_by_children(const Case& given, Reply& reply) {
  set_limit(given);
  const int count = number(given, "count");
  const ZeroedBuffer visits(given, "visits", count);
  visit_by_children(count, visits.data());
  tell_limits(reply, "after");
  send(reply, visits);
}

void run_count_nodes(const Case& given, Reply& reply) {
  const int fanout = number(given, "fanout"), depth = number(given, "depth");
  const ZeroedBuffer nodes(given, "nodes", depth + 1);
  count_nodes(fanout, depth, nodes.data());
  send(reply, nodes);
}

}  // namespace

void run_case(const Case& given, Reply& reply) {
  const std::string function = given.text("function");
  if (function == "predict_seen") return run_predict_seen(given, reply);
  if (function == "predict_grids") return run_predict_grids(given, reply);
  if (function == "smooth") return run_smooth(given, reply);
  if (function == "sum_rows") return run_sum_rows(given, reply);
  if (function == "largest_row") return run_largest_row(given, reply);
  if (function == "visit_all") return run_visit_all(given, reply);
  if (function == "visit_by_children") return run_visit_by_children(given, reply);
  if (function == "count_nodes") return run_count_nodes(given, reply);
  throw ValueError("the worker of lab dynamic_parallelism knows no function '" + function + "'");
}
