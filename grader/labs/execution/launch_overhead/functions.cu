// The functions of lab launch_overhead, and runners for the graphs that they make.
#include "grader/runner/functions.h"
#include "grader/runner/worker.cuh"
#include "launch_overhead.h"

using namespace warpbook::grader;

namespace {

int number(const Case& given, const std::string& name) { return static_cast<int>(given.integer(name)); }

/// An array of cells that a graph steps through, and the other array.
struct Cells {
  Cells(const Case& given, const std::string& of, const std::string& turn)
      : first(given, of), second(given, turn, first.size()), count(static_cast<int>(first.size())) {}
  InOutBuffer<unsigned> first;
  OutputBuffer<unsigned> second;
  int count;
};

/// Launches the graph itself: here no answer can do its steps in another way.
void launch(cudaGraphExec_t graph, int times) {
  for (int i = 0; i < times; ++i) WB_CHECK(cudaGraphLaunch(graph, nullptr));
}

void run_graph(const Case& given, Reply& reply) {
  const Cells cells(given, "a", "b");
  const cudaGraphExec_t graph = record(cells.first.data(), cells.second.data(), cells.count, number(given, "steps"));
  const int times = number(given, "times");
  measure(reply, [&] { number(given, "by_replay") != 0 ? replay(graph, times) : launch(graph, times); });
  send(reply, cells.first, cells.second);
  WB_CHECK(cudaGraphExecDestroy(graph));
}

void run_redirected(const Case& given, Reply& reply) {
  const Cells cells(given, "a", "b"), others(given, "other_a", "other_b");
  const int steps = number(given, "steps");
  const cudaGraphExec_t graph = record(cells.first.data(), cells.second.data(), cells.count, steps);
  launch(graph, 1);
  WB_CHECK(cudaDeviceSynchronize());
  redirect(graph, others.first.data(), others.second.data(), others.count, steps);
  measure(reply, [&] { launch(graph, number(given, "times")); });
  send(reply, cells.first, cells.second, others.first, others.second);
  WB_CHECK(cudaGraphExecDestroy(graph));
}

}  // namespace

WB_FUNCTION(predict_loop_ns)
WB_FUNCTION(predict_replays)
WB_FUNCTION(by_host)
WB_FUNCTION(by_block)
WB_FUNCTION(by_kernels)
WB_FUNCTION(by_grid)
WB_FUNCTION(advance)
WB_RUNNER("graph", run_graph)
WB_RUNNER("redirected", run_redirected)
