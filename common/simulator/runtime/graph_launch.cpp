// One launch of an executable graph.
//
// Order: without a schedule seed, nodes run one after another, each after its dependencies; of several candidates the
// oldest runs first. A seed selects other orders that the edges allow (for deferred work, the backlog does). On the
// virtual clock each branch of the graph is like a stream: nodes of different branches overlap like kernels of
// different streams. The host pays once for the launch, plus a little for each node.
// Graphs that kernels launch (cudaGraphLaunch in device code) are launches of their own and form a tree. A
// fire-and-forget launch is a child: it starts when the grid that launched it has ended, and the parent launch is
// complete when its nodes and all its children are. Then its tail launches follow one after another, each in turn. A
// sibling launch becomes a child of the launching graph's parent. A schedule seed may let children wait until the nodes
// of the graph that the host launched have run. The launch by the host keeps the list of what starts next (ready_),
// because chains of launches may be long.
#include <algorithm>
#include <deque>
#include <set>
#include <unordered_map>
#include <utility>

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

/// While an object of this class lives, work on the timeline belongs to a graph.
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

// An H200's limits for one launch of a graph.
constexpr std::size_t kMostChildren = 120, kMostTails = 255;

class GraphLaunch : public DeviceGraphs, public std::enable_shared_from_this<GraphLaunch> {
 public:
  GraphLaunch(Runtime& runtime, const Stream& stream, std::shared_ptr<GraphExec> exec)
      : runtime_(runtime),
        stream_(stream),
        exec_(std::move(exec)),
        random_(runtime.options.schedule_seed),
        note_(note_launch(runtime)),
        top_(this) {}
  /// Launched by a kernel of @p top or of one of its descendants.
  GraphLaunch(GraphLaunch& top, const Stream& stream, std::shared_ptr<GraphExec> exec)
      : runtime_(top.runtime_),
        stream_(stream),
        exec_(std::move(exec)),
        random_(top.random_),
        note_(top.note_),
        top_(&top) {}

  void put() {
    for (const auto& [handle, condition] : exec_->graph().conditions)
      if (condition.assigns) runtime_.graphs->conditions[handle] = condition.initial;
    const auto self = shared_from_this();
    const auto start = [self] {
      ++self->exec_->under_way;
      self->start_us_ = self->runtime_.timeline.graph(self->stream_.number, self->exec_->nodes(), self->roots());
      if (self->exec_->is_for_device()) self->start_us_ += self->runtime_.device().model.device_graph_host_us;
    };
    const Ticket begin = runtime_.backlog.put(stream_, start, exec_->last_launch);
    const Tickets last = put_graph(exec_->graph(), {begin}, false);
    const auto end = [self] {
      self->part_ended(self->end_of(self->exec_->graph()));
      self->start_waiting();
      self->runtime_.timeline.wait(self->stream_.number, self->complete_us_);
    };
    // Graphs that its kernels have launched may have to wait for other work.
    exec_->last_launch = runtime_.backlog.put(
        stream_,
        [self, end] { self->ready_.empty() && self->tails_.empty() ? end() : self->runtime_.progress.perform(end); },
        last);
  }

  /// 0 in a graph that only the host launches, as on an H200 (2026-11-23).
  std::uint64_t exec() const override { return exec_->is_for_device() ? handle_of(exec_.get()) : 0; }

  cudaError_t request(std::uint64_t handle, std::uint64_t stream) override {
    const auto exec = runtime_.graphs->exec(handle);
    const bool tail = stream == kTail;
    if (handle == 0 || (!tail && stream != kFireAndForget && stream != kSibling)) return cudaErrorInvalidValue;
    if (exec == nullptr || !exec->is_for_device()) return no_graph_for_device(exec != nullptr);
    if (!exec->is_uploaded()) return cudaErrorInvalidValue;
    // A graph can be launched once at a time; only a running graph may launch itself, as its tail.
    const unsigned most = tail && exec == exec_ ? 1 : 0;
    if (exec->under_way > most) return cudaErrorInvalidValue;
    if (tail ? tails_.size() + tails_asked_ == kMostTails : children_ == kMostChildren) return cudaErrorInvalidValue;
    ++(tail ? tails_asked_ : children_);
    ++exec->under_way;
    return cudaSuccess;
  }

  void issue(std::uint64_t handle, std::uint64_t stream, double us) override {
    const auto exec = runtime_.graphs->exec(handle);
    if (exec == nullptr) return;
    if (stream == kTail) {
      --tails_asked_;
      tails_.push_back(exec);
      return;
    }
    Stream own = stream_;
    own.number = exec->own_stream(runtime_, stream_.device());
    const auto child = std::make_shared<GraphLaunch>(*top_, own, exec);
    child->parent_ = stream == kSibling ? parent_ : shared_from_this();
    if (child->parent_ != nullptr) ++child->parent_->open_parts_;
    child->start_us_ = us + runtime_.device().model.device_graph_start_us;
    top_->ready_.push_back(child);
  }

 private:
  /// On an H200 this is an illegal address (2026-11-23).
  cudaError_t no_graph_for_device(bool is_graph) {
    complain_once(std::string("cudaGraphLaunch in a kernel: ") +
                  (is_graph ? "the graph was instantiated without cudaGraphInstantiateFlagDeviceLaunch"
                            : "no executable graph has that handle") +
                  ". A GPU reads an illegal address here.");
    if (!runtime_.has_failed()) runtime_.set_fault(cudaErrorIllegalAddress);
    return cudaErrorInvalidValue;
  }

  /// All its nodes have ended, or a child is complete.
  void part_ended(double us) {
    complete_us_ = std::max(complete_us_, us);
    if (--open_parts_ != 0) return;
    --exec_->under_way;
    tails_.insert(tails_.end(), inherited_tails_.begin(), inherited_tails_.end());
    if (!tails_.empty()) {
      const auto next = std::make_shared<GraphLaunch>(*top_, stream_, tails_.front());
      tails_.pop_front();
      next->parent_ = parent_;
      next->inherited_tails_ = std::move(tails_);
      next->start_us_ = complete_us_ + runtime_.device().model.device_graph_tail_us;
      top_->ready_.push_back(next);
    } else if (parent_ != nullptr) {
      parent_->part_ended(complete_us_);
    } else {
      top_->complete_us_ = std::max(top_->complete_us_, complete_us_);
    }
  }

  /// A node has ended: the launches that it has made may start.
  void node_ended() {
    if (top_->ready_.empty()) return;
    if (random_ != 0 && next_random(top_->random_) % 2 != 0) return;
    top_->start_waiting();
  }

  /// Runs everything that is ready in the host's launch, and what becomes ready by that.
  void start_waiting() {
    if (std::exchange(starting_, true)) return;
    while (!ready_.empty()) {
      const auto next = ready_.front();
      ready_.pop_front();
      const Ticket whole = runtime_.order.current(), first = runtime_.backlog.next();
      put_launched(*next, whole);
      if (runtime_.checker) runtime_.order.join_into(whole, first);
    }
    starting_ = false;
  }

  static void put_launched(GraphLaunch& launch, Ticket whole) {
    launch.put_graph(launch.exec_->graph(), {whole}, true);
    launch.part_ended(launch.end_of(launch.exec_->graph()));
  }

  std::size_t roots() const {
    const auto& nodes = exec_->graph().nodes();
    return static_cast<std::size_t>(
        std::count_if(nodes.begin(), nodes.end(), [](const auto& node) { return node->before.empty(); }));
  }

  /// The order in which the nodes of @p graph are issued: one that its edges allow.
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

  /// Puts all nodes of @p graph after @p before. @param now they run at once @returns what marks its end
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
    // Later changes of the executable graph do not affect this launch: the values are copied.
    const bool by_kernel = top_ != this;
    const auto run = [self, &node, record,
                      state = by_kernel ? exec_->uploaded(node)
                                        : GraphExec::NodeState{node.values, node.arguments, node.enabled}] {
      self->run(node, state.values, state.arguments, state.enabled, record);
    };
    const auto type = node.values.type;
    // A conditional node runs the grids of its bodies while it is in progress itself.
    const bool may_wait = type == cudaGraphNodeTypeConditional || type == cudaGraphNodeTypeKernel;
    const auto perform = [self, run] { self->runtime_.progress.perform(run); };
    const bool in_calls = type != cudaGraphNodeTypeKernel;
    const Ticket ticket = may_wait && !now && waits(node)
                              ? runtime_.backlog.put_node(number, before, perform, now, in_calls)
                              : runtime_.backlog.put_node(number, before, run, now, in_calls);
    if (record != nullptr && node.values.type == cudaGraphNodeTypeEventRecord) record->ticket = ticket;
    return ticket;
  }

  /// Whether grids of the node may wait for other grids.
  bool waits(const GraphNode& node) const {
    if (node.values.type == cudaGraphNodeTypeKernel) {
      Kernel* const kernel = registry().find_kernel(reinterpret_cast<const void*>(node.values.function));
      KernelResources resources;
      return kernel != nullptr && find_resources(runtime_, *kernel, resources) == cudaSuccess &&
             resources.function->may_wait;
    }
    return std::any_of(node.graphs.begin(), node.graphs.end(), [this](const auto& graph) {
      const auto& nodes = graph->nodes();
      return std::any_of(nodes.begin(), nodes.end(), [this](const auto& inner) { return waits(*inner); });
    });
  }

  /// The time when all dependencies of @p node have ended.
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
    if (values.type == cudaGraphNodeTypeKernel) node_ended();
    // The memory that the node uses has been freed: on a device this is an illegal address.
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
        run.graphs = this;
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

  /// Runs a body of @p node as often as its condition says. Nodes of bodies are part of the conditional node's work.
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

  // Launches by its kernels.
  GraphLaunch* const top_;                        ///< The launch by the host: it outlives all others of its tree.
  std::shared_ptr<GraphLaunch> parent_;           ///< Whose child it is.
  std::deque<std::shared_ptr<GraphExec>> tails_;  ///< Its own tail launches.
  std::deque<std::shared_ptr<GraphExec>> inherited_tails_;  ///< Of what it follows: they come after its own.
  std::size_t children_ = 0, tails_asked_ = 0;      ///< Number launched so far; tail launches requested and not yet in
                                                    ///< tails_.
  std::size_t open_parts_ = 1;                      ///< All of its nodes count as one part, each child as another.
  double complete_us_ = 0;                          ///< When the latest of them ends.
  std::deque<std::shared_ptr<GraphLaunch>> ready_;  ///< At the top: what is to start next.
  bool starting_ = false;
};

/// Memory that an earlier launch has left allocated: freed if the program wants that, else the launch fails.
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
  // The results of graph allocations are used right after the call: such a graph is never deferred.
  const bool has_memory = exec->graph().has(cudaGraphNodeTypeMemAlloc) || exec->graph().has(cudaGraphNodeTypeMemFree);
  if (has_memory && runtime.backlog.late()) runtime.backlog.try_to_finish_all();
  if (has_memory && !runtime.backlog.try_to_finish(stream))
    return not_supported("cudaGraphLaunch",
                         " for a graph with memory nodes in a stream whose work waits for the host or for other work");
  if (const cudaError_t error = free_what_is_left(runtime, *exec)) return error;
  std::make_shared<GraphLaunch>(runtime, stream, exec)->put();
  if (has_memory && runtime.backlog.late()) runtime.backlog.try_to_finish_all();
  return cudaSuccess;
}

}  // namespace warpbook::simulator::runtime
