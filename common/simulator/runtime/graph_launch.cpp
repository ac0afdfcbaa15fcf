// One launch of an executable graph.
//
// Order: without a schedule seed, nodes are done one after another, each behind those that it waits for, of several the
// one that was made first. A seed picks other orders that the edges allow (the backlog's where work is late). On the
// virtual clock each branch of the graph is like a stream: nodes of different branches overlap as kernels of streams
// do. The host pays once for the launch, and a little for each node.
#include <algorithm>
#include <set>
#include <unordered_map>

#include "common/simulator/machine/schedule.h"
#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/graph_node.h"
#include "common/simulator/runtime/graph_state.h"
#include "common/simulator/runtime/host.h"
#include "common/simulator/runtime/launch.h"
#include "common/simulator/runtime/memory_api.h"

namespace warpbook::simulator::runtime {
namespace {

using Ticket = Backlog::Ticket;
using Tickets = std::vector<Ticket>;

/// Work on the timeline is that of a graph while one lives.
class InGraph {
 public:
  explicit InGraph(Timeline& timeline, bool depends = false) : timeline_(timeline) {
    timeline_.set_in_graph(true, depends);
  }
  ~InGraph() { timeline_.set_in_graph(false); }
  InGraph(const InGraph&) = delete;
  InGraph& operator=(const InGraph&) = delete;

 private:
  Timeline& timeline_;
};

class GraphLaunch : public std::enable_shared_from_this<GraphLaunch> {
 public:
  GraphLaunch(Runtime& runtime, const Stream& stream, std::shared_ptr<GraphExec> exec)
      : runtime_(runtime),
        stream_(stream),
        exec_(std::move(exec)),
        random_(runtime.options.schedule_seed),
        note_(note_launch(runtime)) {}

  void put() {
    for (const auto& [handle, condition] : exec_->graph().conditions)
      if (condition.assigns) runtime_.graphs->conditions[handle] = condition.initial;
    const auto self = shared_from_this();
    const Ticket begin = runtime_.backlog.put(stream_, [self] {
      self->start_us_ = self->runtime_.timeline.graph(self->stream_.number, self->exec_->nodes(), self->roots());
    });
    const Tickets last = put_graph(exec_->graph(), {begin}, false);
    runtime_.backlog.put(
        stream_, [self] { self->runtime_.timeline.wait(self->stream_.number, self->end_of(self->exec_->graph())); },
        last);
  }

 private:
  std::size_t roots() const {
    const auto& nodes = exec_->graph().nodes();
    return static_cast<std::size_t>(
        std::count_if(nodes.begin(), nodes.end(), [](const auto& node) { return node->before.empty(); }));
  }

  /// The order in which the nodes of @p graph are put: an order that its edges allow.
  std::vector<GraphNode*> order_of(const Graph& graph) {
    std::vector<GraphNode*> order = graph.in_order();
    if (random_ == 0) return order;
    std::vector<GraphNode*> open = std::move(order), chosen;
    std::set<const GraphNode*> done;
    while (!open.empty()) {
      std::vector<std::size_t> ready;
      for (std::size_t i = 0; i < open.size(); ++i) {
        const auto& before = open[i]->before;
        if (std::all_of(before.begin(), before.end(), [&](const auto& edge) { return done.count(edge.node) != 0; }))
          ready.push_back(i);
      }
      const std::size_t next = ready[next_random(random_) % ready.size()];
      chosen.push_back(open[next]);
      done.insert(open[next]);
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(next));
    }
    return chosen;
  }

  /// Puts all nodes of @p graph behind @p before. @param now they are done at once @returns what its end is behind
  Tickets put_graph(const Graph& graph, const Tickets& before, bool now) {
    std::unordered_map<const GraphNode*, Ticket> tickets;
    Tickets last = before;
    for (GraphNode* node : order_of(graph)) {
      Tickets behind;
      for (const GraphEdge& edge : node->before) behind.push_back(tickets.at(edge.node));
      if (behind.empty()) behind = before;
      const Ticket ticket = put_node(*node, behind, now);
      tickets[node] = ticket;
      if (node->after.empty()) last.push_back(ticket);
    }
    return last;
  }

  Stream branch_of(const GraphNode& node) const {
    Stream branch = stream_;
    branch.number = exec_->stream_of(runtime_, exec_->branch_of(node), stream_, node.device);
    return branch;
  }

  Ticket put_node(GraphNode& node, Tickets before, bool now) {
    const OnDevice there(node.device);
    const std::uint32_t number = branch_of(node).number;
    const auto self = shared_from_this();
    if (node.values.type == cudaGraphNodeTypeGraph) {
      const auto begin = [self, &node] { self->begin_us_[&node] = self->ready_us(node); };
      const Ticket first = runtime_.backlog.put_node(number, before, begin, now);
      Tickets last = put_graph(*node.graphs[0], {first}, now);
      const auto end = [self, &node] { self->end_us_[&node] = self->end_of(*node.graphs[0]); };
      return runtime_.backlog.put_node(number, last, end, now);
    }
    std::shared_ptr<EventRecord> record;
    Event* event = nullptr;
    if (node.values.event != 0) event = runtime_.events.find(reinterpret_cast<const void*>(node.values.event));
    if (event != nullptr && node.values.type == cudaGraphNodeTypeWaitEvent && event->latest != nullptr) {
      record = event->latest;
      before.push_back(record->ticket);
    }
    if (event != nullptr && node.values.type == cudaGraphNodeTypeEventRecord) {
      record = event->latest = std::make_shared<EventRecord>();
      event->captured.reset();
    }
    // What changes the executable graph later is not for this launch: values are kept.
    const auto run = [self, &node, values = node.values, arguments = node.arguments, enabled = node.enabled, record] {
      self->run(node, values, arguments, enabled, record);
    };
    const Ticket ticket = runtime_.backlog.put_node(number, before, run, now);
    if (record != nullptr && node.values.type == cudaGraphNodeTypeEventRecord) record->ticket = ticket;
    return ticket;
  }

  /// When all that @p node waits for has ended.
  double ready_us(const GraphNode& node) const {
    if (node.before.empty()) return node.graph->owner() == nullptr ? start_us_ : begin_us_.at(node.graph->owner());
    double when = 0;
    for (const GraphEdge& edge : node.before) when = std::max(when, end_us_.at(edge.node));
    return when;
  }

  double end_of(const Graph& graph) const {
    double when = graph.owner() == nullptr ? start_us_ : begin_us_.at(graph.owner());
    for (const auto& node : graph.nodes()) when = std::max(when, end_us_.at(node.get()));
    return when;
  }

  void run(GraphNode& node, const NodeValues& values, const std::vector<std::byte>& arguments, bool enabled,
           const std::shared_ptr<EventRecord>& record) {
    const OnDevice there(node.device);
    const Stream branch = branch_of(node);
    const double ready = ready_us(node);
    Timeline& timeline = runtime_.timeline;
    timeline.wait(branch.number, ready);
    end_us_[&node] = ready;
    if (runtime_.has_failed() || !enabled) return;
    const bool is_work = values.type != cudaGraphNodeTypeEmpty;
    cudaError_t error = cudaSuccess;
    if (values.type == cudaGraphNodeTypeConditional) {
      run_conditional(node, values, branch, ready);
      return;
    }
    {
      const InGraph scope(timeline, !node.before.empty());
      error = run_work(values, arguments, record, branch);
    }
    if (is_work) end_us_[&node] = timeline.end_of(branch.number);
    // What was there when the node was made is gone: the device would meet it as an illegal address.
    if (error != cudaSuccess && !runtime_.has_failed())
      runtime_.set_fault(error == cudaErrorMemoryAllocation ? error : cudaErrorIllegalAddress);
  }

  cudaError_t run_work(const NodeValues& values, const std::vector<std::byte>& arguments,
                       const std::shared_ptr<EventRecord>& record, const Stream& branch) {
    switch (values.type) {
      case cudaGraphNodeTypeKernel: {
        GridRun run;
        if (const cudaError_t error = launch_of(runtime_, values, arguments, run)) return error;
        note_for_profile(runtime_, run, note_);
        run_launch(runtime_, branch, run);
        return cudaSuccess;
      }
      case cudaGraphNodeTypeMemcpy:
        return copy_now(runtime_, branch, target_of(values), source_of(values), size_of(values),
                        static_cast<cudaMemcpyKind>(values.kind));
      case cudaGraphNodeTypeMemset:
        return fill_now(runtime_, branch, target_of(values), size_of(values), values.value, values.element_bytes);
      case cudaGraphNodeTypeHost: {
        runtime_.timeline.host_function(branch.number);
        const HostFunctionScope scope;
        host().run(values.host_function, values.user_data);
        return cudaSuccess;
      }
      case cudaGraphNodeTypeWaitEvent:
        if (record != nullptr) runtime_.timeline.wait(branch.number, record->time_us);
        return cudaSuccess;
      case cudaGraphNodeTypeEventRecord:
        if (record == nullptr) return cudaSuccess;
        record->time_us = runtime_.timeline.record(branch.number);
        runtime_.profile.add_event(branch.number, record->time_us);
        return cudaSuccess;
      case cudaGraphNodeTypeMemAlloc:
        return runtime_.graphs->memory.allocate(values.address);
      case cudaGraphNodeTypeMemFree:
        return release(runtime_, reinterpret_cast<void*>(values.address), false);
      default:
        return cudaSuccess;
    }
  }

  /// Runs a body of @p node as often as its condition says. The nodes of bodies are part of the node's own work.
  void run_conditional(GraphNode& node, const NodeValues& values, const Stream& branch, double ready) {
    double now = ready;
    const Ticket whole = runtime_.order.current();
    const auto run_body = [&](std::size_t body) {
      if (body >= node.graphs.size()) return;
      begin_us_[&node] = now;
      const Ticket first = runtime_.backlog.next();
      put_graph(*node.graphs[body], {whole}, true);
      if (runtime_.checker) runtime_.order.join_into(whole, first);
      now = end_of(*node.graphs[body]);
    };
    const auto look = [&] {
      const InGraph scope(runtime_.timeline);
      runtime_.timeline.wait(branch.number, now);
      runtime_.timeline.condition(branch.number);
      now = runtime_.timeline.end_of(branch.number);
      return runtime_.graphs->conditions[values.condition];
    };
    switch (values.condition_type) {
      case cudaGraphCondTypeWhile:
        while (!runtime_.has_failed() && look() != 0) run_body(0);
        break;
      case cudaGraphCondTypeIf:
        run_body(look() != 0 ? 0 : 1);
        break;
      default:
        run_body(look());
        break;
    }
    end_us_[&node] = now;
    runtime_.timeline.wait(branch.number, now);
  }

  Runtime& runtime_;
  const Stream stream_;
  const std::shared_ptr<GraphExec> exec_;
  std::uint64_t random_;  ///< State of the schedule; 0: the documented order.
  const LaunchNote note_;
  double start_us_ = 0;
  std::unordered_map<const GraphNode*, double> begin_us_, end_us_;
};

/// Memory that an earlier launch has left: freed if the program wants that, else there is no launch.
cudaError_t free_what_is_left(Runtime& runtime, GraphExec& exec) {
  GraphMemory& memory = runtime.graphs->memory;
  cudaError_t error = cudaSuccess;
  exec.graph().each_node([&](const GraphNode& node) {
    if (node.values.type != cudaGraphNodeTypeMemAlloc || !memory.is_live(node.values.address)) return;
    if ((exec.flags() & cudaGraphInstantiateFlagAutoFreeOnLaunch) != 0) {
      memory.free(node.values.address);
    } else {
      error = cudaErrorInvalidValue;
    }
  });
  return error;
}

}  // namespace

cudaError_t launch_graph(Runtime& runtime, const Stream& stream, const std::shared_ptr<GraphExec>& exec) {
  // Calls look for what graphs allocate as soon as they are made: such a graph is never done late.
  const bool has_memory = exec->graph().has(cudaGraphNodeTypeMemAlloc) || exec->graph().has(cudaGraphNodeTypeMemFree);
  if (has_memory && runtime.backlog.late()) runtime.backlog.finish_all();
  if (const cudaError_t error = free_what_is_left(runtime, *exec)) return error;
  std::make_shared<GraphLaunch>(runtime, stream, exec)->put();
  if (has_memory && runtime.backlog.late()) runtime.backlog.finish_all();
  return cudaSuccess;
}

}  // namespace warpbook::simulator::runtime
