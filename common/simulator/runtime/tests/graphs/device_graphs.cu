// Graphs launched by kernels of graphs: as children, siblings and tails, a graph relaunching itself; invalid launches.
// An H200 gave every answer that is checked here (2026-11-23), and the orders are guaranteed ones.
#include <cooperative_groups.h>

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <tuple>
#include <type_traits>
#include <vector>

#include "common/simulator/runtime/tests/check.h"

constexpr int kMost = 320;
constexpr unsigned long long kTail = 0x0100000000000000, kChild = 0x0200000000000000, kSibling = 0x0300000000000000;

struct Step {
  cudaGraphExec_t exec;
  unsigned long long mode;
};

/// What a kernel does: records that it runs, and launches graphs.
struct Plan {
  int id, count;
  Step steps[kMost];
  int results[kMost];
  unsigned long long current;
};

__device__ int logged, log_ids[kMost * 2];

__global__ void follow(Plan* plan) {
  log_ids[atomicAdd(&logged, 1)] = plan->id;
  plan->current = reinterpret_cast<unsigned long long>(cudaGetCurrentGraphExec());
  for (int i = 0; i < plan->count; ++i)
    plan->results[i] = cudaGraphLaunch(plan->steps[i].exec, reinterpret_cast<cudaStream_t>(plan->steps[i].mode));
}

__global__ void again(int* state, int most) {
  if (++state[0] == most) return;
  state[1] = cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
  state[2] = cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
  state[3] = cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphFireAndForget);
}

__global__ void store(int* to, int value) { *to = value; }
__global__ void nest(int* to) { store<<<1, 1>>>(to, 1); }

__global__ void meet(int* to) {
  if (threadIdx.x == 0) atomicAdd(to, 1);
  cooperative_groups::this_grid().sync();
  if (threadIdx.x == 0 && blockIdx.x == 0) to[1] = to[0];
}

static cudaStream_t stream;

template <class... A>
static cudaGraphNode_t add(cudaGraph_t graph, std::vector<cudaGraphNode_t> before, void (*kernel)(A...),
                           std::type_identity_t<A>... arguments) {
  void* pointers[] = {&arguments..., nullptr};
  cudaKernelNodeParams parameters{};
  parameters.func = reinterpret_cast<void*>(kernel);
  parameters.gridDim = parameters.blockDim = 1;
  parameters.kernelParams = pointers;
  cudaGraphNode_t node = nullptr;
  SUCCEEDS(cudaGraphAddKernelNode(&node, graph, before.data(), before.size(), &parameters));
  return node;
}

static cudaGraph_t empty() {
  cudaGraph_t graph;
  SUCCEEDS(cudaGraphCreate(&graph, 0));
  return graph;
}

static Plan* plan(int id, std::initializer_list<Step> steps = {}) {
  static Plan host;
  host = {};
  host.id = id;
  host.count = static_cast<int>(steps.size());
  std::copy(steps.begin(), steps.end(), host.steps);
  Plan* made;
  SUCCEEDS(cudaMalloc(&made, sizeof host));
  SUCCEEDS(cudaMemcpy(made, &host, sizeof host, cudaMemcpyHostToDevice));
  return made;
}

static cudaGraph_t graph_of(Plan* plan) {
  cudaGraph_t graph = empty();
  add(graph, {}, follow, plan);
  return graph;
}

static cudaGraphExec_t instantiate(cudaGraph_t graph, unsigned long long flags) {
  cudaGraphExec_t exec = nullptr;
  SUCCEEDS(cudaGraphInstantiate(&exec, graph, flags));
  return exec;
}

/// A graph that kernels may launch, uploaded.
static cudaGraphExec_t for_device(Plan* plan) {
  const cudaGraphExec_t exec = instantiate(graph_of(plan), cudaGraphInstantiateFlagDeviceLaunch);
  SUCCEEDS(cudaGraphUpload(exec, stream));
  return exec;
}

static cudaGraphExec_t for_host(Plan* plan) { return instantiate(graph_of(plan), 0); }

static std::vector<int> run(cudaGraphExec_t exec) {
  const int zero = 0;
  SUCCEEDS(cudaMemcpyToSymbol(logged, &zero, sizeof zero));
  SUCCEEDS(cudaGraphLaunch(exec, stream));
  SUCCEEDS(cudaStreamSynchronize(stream));
  int count = 0;
  SUCCEEDS(cudaMemcpyFromSymbol(&count, logged, sizeof count));
  std::vector<int> ids(count);
  if (count != 0) SUCCEEDS(cudaMemcpyFromSymbol(ids.data(), log_ids, count * sizeof(int)));
  return ids;
}

static std::vector<int> results(Plan* plan) {
  static Plan host;
  SUCCEEDS(cudaMemcpy(&host, plan, sizeof host, cudaMemcpyDeviceToHost));
  return {host.results, host.results + host.count};
}

static unsigned long long current(Plan* plan) {
  unsigned long long exec = 1;
  SUCCEEDS(cudaMemcpy(&exec, &plan->current, sizeof exec, cudaMemcpyDeviceToHost));
  return exec;
}

/// Whether @p first comes before @p second.
static bool before(const std::vector<int>& ids, int first, int second) {
  const auto a = std::find(ids.begin(), ids.end(), first), b = std::find(ids.begin(), ids.end(), second);
  return a != ids.end() && b != ids.end() && a < b;
}

static void check_order() {
  // A child and two tails, and a node after the launching one.
  Plan* const child = plan(2);
  const cudaGraphExec_t child_exec = for_device(child);
  Plan* const top = plan(1, {{for_device(plan(3)), kTail}, {child_exec, kChild}, {for_device(plan(5)), kTail}});
  cudaGraph_t graph = empty();
  const cudaGraphNode_t first = add(graph, {}, follow, top);
  add(graph, {first}, follow, plan(4));
  std::vector<int> ids = run(instantiate(graph, 0));
  CHECK(ids.size() == 5 && ids[0] == 1 && ids[3] == 3 && ids[4] == 5);
  CHECK(results(top) == std::vector<int>({0, 0, 0}));
  CHECK(current(top) == 0 && current(child) == reinterpret_cast<unsigned long long>(child_exec));
  // A child's tail waits for the child's own children, and the host graph's tail for everything; but a child's tail
  // does not wait for a sibling.
  Plan* const inner =
      plan(2, {{for_device(plan(3)), kTail}, {for_device(plan(4)), kChild}, {for_device(plan(5)), kSibling}});
  ids = run(for_host(plan(1, {{for_device(plan(6)), kTail}, {for_device(inner), kChild}})));
  CHECK(ids.size() == 6 && before(ids, 2, 4) && before(ids, 4, 3) && ids[5] == 6);
  CHECK(results(inner) == std::vector<int>({0, 0, 0}));
  // Tails of tails run before the tails that were already there.
  const cudaGraphExec_t tail = for_device(plan(2, {{for_device(plan(4)), kTail}, {for_device(plan(5)), kTail}}));
  ids = run(for_host(plan(1, {{tail, kTail}, {for_device(plan(3)), kTail}})));
  CHECK(ids == std::vector<int>({1, 2, 4, 5, 3}));
  // A sibling of the host's graph runs before the work after that graph in its stream.
  Plan* const sibling = plan(2);
  ids = run(for_device(plan(1, {{for_device(sibling), kSibling}})));
  CHECK(ids == std::vector<int>({1, 2}));
}

static void check_errors() {
  // A kernel that launches graphs must be a node of a graph, else it does not run.
  follow<<<1, 1, 0, stream>>>(plan(1));
  ANSWERS(cudaErrorNotSupported, cudaGetLastError());
  const cudaGraphExec_t other = for_device(plan(2));
  Plan* const top = plan(1, {{other, kTail},
                             {other, kTail},
                             {other, kChild},
                             {nullptr, kChild},
                             {other, 0},
                             {other, 2},
                             {other, reinterpret_cast<unsigned long long>(stream)}});
  CHECK(run(for_host(top)) == std::vector<int>({1, 2}));
  CHECK(results(top) == std::vector<int>({0, 1, 1, 1, 1, 1, 1}));
  // Not uploaded; then a launch by the host uploads it.
  const cudaGraphExec_t late = instantiate(graph_of(plan(3)), cudaGraphInstantiateFlagDeviceLaunch);
  Plan* const early = plan(1, {{late, kChild}, {late, kTail}});
  CHECK(run(for_host(early)) == std::vector<int>({1}));
  CHECK(results(early) == std::vector<int>({1, 1}));
  run(late);
  CHECK(run(for_host(early)) == std::vector<int>({1, 3}));
  CHECK(results(early) == std::vector<int>({0, 1}));
  // The limits: 120 children of one launch of a graph, and 255 tails.
  static Plan host;
  for (const auto& [mode, wanted, most] : {std::tuple{kChild, 120, 125}, std::tuple{kTail, 255, 260}}) {
    host = {};
    host.id = 1;
    host.count = most;
    for (int i = 0; i < most; ++i) host.steps[i] = {for_device(plan(10 + i)), mode};
    Plan* const many = plan(1);
    SUCCEEDS(cudaMemcpy(many, &host, sizeof host, cudaMemcpyHostToDevice));
    const cudaGraphExec_t exec = for_host(many);
    for (int round = 0; round < 2; ++round) {
      CHECK(run(exec).size() == 1u + wanted);
      const std::vector<int> said = results(many);
      CHECK(std::count(said.begin(), said.end(), 0) == wanted && std::count(said.begin(), said.end(), 1) == 5);
    }
  }
}

static void check_itself(int* memory) {
  for (const int most : {2, 300}) {
    SUCCEEDS(cudaMemset(memory, 0, 16));
    cudaGraph_t graph = empty();
    add(graph, {}, again, memory, most);
    SUCCEEDS(cudaGraphLaunch(instantiate(graph, cudaGraphInstantiateFlagDeviceLaunch), stream));
    SUCCEEDS(cudaStreamSynchronize(stream));
    int state[4];
    SUCCEEDS(cudaMemcpy(state, memory, sizeof state, cudaMemcpyDeviceToHost));
    CHECK(state[0] == most && state[1] == 0 && state[2] == 1 && state[3] == 1);
  }
}

static void check_changes() {
  cudaGraph_t graph = graph_of(plan(2));
  const cudaGraphExec_t exec = instantiate(graph, cudaGraphInstantiateFlagDeviceLaunch);
  SUCCEEDS(cudaGraphUpload(exec, stream));
  const cudaGraphExec_t top = for_host(plan(1, {{exec, kChild}}));
  cudaGraphNode_t node;
  std::size_t count = 1;
  SUCCEEDS(cudaGraphGetNodes(graph, &node, &count));
  Plan* other = plan(3);
  void* pointers[] = {&other};
  cudaKernelNodeParams parameters{};
  parameters.func = reinterpret_cast<void*>(follow);
  parameters.gridDim = parameters.blockDim = 1;
  parameters.kernelParams = pointers;
  SUCCEEDS(cudaGraphExecKernelNodeSetParams(exec, node, &parameters));
  CHECK(run(top) == std::vector<int>({1, 2}));
  SUCCEEDS(cudaGraphUpload(exec, stream));
  CHECK(run(top) == std::vector<int>({1, 3}));
  SUCCEEDS(cudaGraphNodeSetEnabled(exec, node, 0));
  SUCCEEDS(cudaGraphUpload(exec, stream));
  CHECK(run(top) == std::vector<int>({1}));
}

/// Instantiates for launches by kernels. @returns the reason that the driver gives if that fails
static cudaGraphInstantiateResult refusal(cudaGraph_t graph, cudaError_t wanted) {
  cudaGraphInstantiateParams parameters{};
  parameters.flags = cudaGraphInstantiateFlagDeviceLaunch;
  cudaGraphExec_t exec;
  ANSWERS(wanted, cudaGraphInstantiateWithParams(&exec, graph, &parameters));
  return parameters.result_out;
}

static void check_nodes(int* memory) {
  int* pinned;
  SUCCEEDS(cudaMallocHost(&pinned, 64));
  static int pageable[16];
  CHECK(refusal(empty(), cudaErrorInvalidValue) == cudaGraphInstantiateError);
  cudaGraph_t graph = empty();
  add(graph, {}, nest, memory);
  CHECK(refusal(graph, cudaErrorInvalidValue) == cudaGraphInstantiateNodeOperationNotSupported);
  cudaGraphNode_t node;
  SUCCEEDS(cudaGraphAddEmptyNode(&node, graph = empty(), nullptr, 0));
  CHECK(refusal(graph, cudaErrorInvalidValue) == cudaGraphInstantiateNodeOperationNotSupported);
  cudaHostNodeParams host{[](void*) {}, nullptr};
  SUCCEEDS(cudaGraphAddHostNode(&node, graph = empty(), nullptr, 0, &host));
  CHECK(refusal(graph, cudaErrorInvalidValue) == cudaGraphInstantiateNodeOperationNotSupported);
  for (int* from : {pageable, pinned}) {
    SUCCEEDS(cudaGraphAddMemcpyNode1D(&node, graph = empty(), nullptr, 0, memory, from, 64, cudaMemcpyHostToDevice));
    const bool fits = from == pinned;
    CHECK(refusal(graph, fits ? cudaSuccess : cudaErrorInvalidValue) ==
          (fits ? cudaGraphInstantiateSuccess : cudaGraphInstantiateNodeOperationNotSupported));
  }
  cudaGraphExec_t exec = nullptr;
  ANSWERS(cudaErrorInvalidValue,
          cudaGraphInstantiate(&exec, graph,
                               cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagAutoFreeOnLaunch));
  ANSWERS(cudaErrorInvalidValue, cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagUpload));
  cudaGetLastError();
  // A kernel, a memset and a copy, launched by a kernel; and a cooperative grid.
  graph = empty();
  const cudaGraphNode_t stored = add(graph, {}, store, memory, 7);
  cudaMemsetParams fill{};
  fill.dst = memory + 1;
  fill.elementSize = 4;
  fill.width = 3;
  fill.height = 1;
  fill.value = 9;
  cudaGraphNode_t filled;
  SUCCEEDS(cudaGraphAddMemsetNode(&filled, graph, &stored, 1, &fill));
  SUCCEEDS(cudaGraphAddMemcpyNode1D(&node, graph, &filled, 1, pinned, memory, 16, cudaMemcpyDeviceToHost));
  exec = instantiate(graph, cudaGraphInstantiateFlagDeviceLaunch);
  SUCCEEDS(cudaGraphUpload(exec, stream));
  CHECK(run(for_host(plan(1, {{exec, kChild}}))) == std::vector<int>({1}));
  CHECK(pinned[0] == 7 && pinned[1] == 9 && pinned[3] == 9);
  SUCCEEDS(cudaMemset(memory, 0, 8));
  graph = empty();
  cudaLaunchAttributeValue value{};
  value.cooperative = 1;
  SUCCEEDS(cudaGraphKernelNodeSetAttribute(add(graph, {}, meet, memory), cudaLaunchAttributeCooperative, &value));
  exec = instantiate(graph, cudaGraphInstantiateFlagDeviceLaunch);
  SUCCEEDS(cudaGraphUpload(exec, stream));
  CHECK(run(for_host(plan(1, {{exec, kTail}}))) == std::vector<int>({1}));
  int met[2];
  SUCCEEDS(cudaMemcpy(met, memory, sizeof met, cudaMemcpyDeviceToHost));
  CHECK(met[0] == 1 && met[1] == 1);
}

/// The clock shows that each launch takes time: a graph that relaunches itself, often and rarely.
static void check_times(int* memory) {
  cudaEvent_t from, to;
  SUCCEEDS(cudaEventCreate(&from));
  SUCCEEDS(cudaEventCreate(&to));
  float times[2];
  for (int i = 0; i < 2; ++i) {
    SUCCEEDS(cudaMemset(memory, 0, 16));
    cudaGraph_t graph = empty();
    add(graph, {}, again, memory, i == 0 ? 11 : 111);
    const cudaGraphExec_t exec = instantiate(graph, cudaGraphInstantiateFlagDeviceLaunch);
    SUCCEEDS(cudaEventRecord(from, stream));
    SUCCEEDS(cudaGraphLaunch(exec, stream));
    SUCCEEDS(cudaEventRecord(to, stream));
    SUCCEEDS(cudaStreamSynchronize(stream));
    SUCCEEDS(cudaEventElapsedTime(&times[i], from, to));
  }
  const float each_us = (times[1] - times[0]) * 10;
  CHECK(each_us > 3 && each_us < 12);
}

int main(int count, char** arguments) {
  SUCCEEDS(cudaStreamCreate(&stream));
  int* memory;
  SUCCEEDS(cudaMalloc(&memory, 4096));
  if (count > 1 && std::strcmp(arguments[1], "no_flag") == 0) {
    // A kernel launches a graph that was not instantiated for that.
    SUCCEEDS(cudaGraphLaunch(for_host(plan(1, {{for_host(plan(2)), kChild}})), stream));
    ANSWERS(cudaErrorIllegalAddress, cudaStreamSynchronize(stream));
    return report();
  }
  check_order();
  check_errors();
  check_itself(memory);
  check_changes();
  check_nodes(memory);
  check_times(memory);
  return report();
}
