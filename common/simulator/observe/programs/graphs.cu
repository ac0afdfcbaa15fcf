// Work of graphs: kernel, copy and memset nodes that are ordered by edges or not ordered at all; and graphs that are
// launched concurrently.
#include <type_traits>

#include "case.h"

namespace {

constexpr int kThreads = 64;
constexpr size_t kBytes = kThreads * sizeof(int);

__global__ void store_each(int* out) { out[threadIdx.x] = 3 * threadIdx.x; }
__global__ void double_each(const int* in, int* out) { out[threadIdx.x] = 2 * in[threadIdx.x]; }

struct Graph {
  Graph() { cudaGraphCreate(&graph, 0); }
  ~Graph() {
    if (exec != nullptr) cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
  }
  template <class... Arguments>
  cudaGraphNode_t kernel(void (*function)(Arguments...), std::vector<cudaGraphNode_t> before,
                         std::type_identity_t<Arguments>... arguments) {
    void* all[] = {&arguments...};
    cudaKernelNodeParams parameters{};
    parameters.func = reinterpret_cast<void*>(function);
    parameters.gridDim = dim3(1);
    parameters.blockDim = dim3(kThreads);
    parameters.kernelParams = all;
    cudaGraphNode_t node = nullptr;
    cudaGraphAddKernelNode(&node, graph, before.data(), before.size(), &parameters);
    return node;
  }
  cudaGraphNode_t fill(std::vector<cudaGraphNode_t> before, int* to) {
    cudaMemsetParams parameters{};
    parameters.dst = to;
    parameters.elementSize = 4;
    parameters.width = kThreads;
    parameters.height = 1;
    cudaGraphNode_t node = nullptr;
    cudaGraphAddMemsetNode(&node, graph, before.data(), before.size(), &parameters);
    return node;
  }
  cudaGraphNode_t copy(std::vector<cudaGraphNode_t> before, int* to, const int* from) {
    cudaGraphNode_t node = nullptr;
    cudaGraphAddMemcpyNode1D(&node, graph, before.data(), before.size(), to, from, kBytes, cudaMemcpyDeviceToDevice);
    return node;
  }
  void launch(cudaStream_t stream = nullptr) {
    if (exec == nullptr) cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, stream);
  }
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
};

struct Stream {
  Stream() { cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking); }
  ~Stream() { cudaStreamDestroy(stream); }
  operator cudaStream_t() const { return stream; }
  cudaStream_t stream = nullptr;
};

CASE(nodes_in_a_chain, clean) {
  Device<int> in(kThreads, 0), out(kThreads, 0);
  Graph graph;
  const cudaGraphNode_t first = graph.kernel(store_each, {}, in);
  graph.kernel(double_each, {first}, in, out);
  graph.launch();
  graph.launch();
  return done(out.are([](int i) { return 6 * i; }));
}

__global__ void store_without_an_edge(int* out) {
  out[threadIdx.x] = 3 * threadIdx.x;  // race: nodes_without_an_edge
}
__global__ void load_without_an_edge(const int* in, int* out) {
  out[threadIdx.x] = 2 * in[threadIdx.x];  // race: nodes_without_an_edge
}
CASE(nodes_without_an_edge, race) {
  Device<int> in(kThreads, 0), out(kThreads, 0);
  Graph graph;
  graph.kernel(store_without_an_edge, {}, in);
  graph.kernel(load_without_an_edge, {}, in, out);
  graph.launch();
  return done();
}

__global__ void load_beside_the_copy(const int* in, int* out) {
  out[threadIdx.x] = 2 * in[threadIdx.x];  // race: copy_beside_the_kernel
}
CASE(copy_beside_the_kernel, race) {
  Device<int> from(kThreads, 1), in(kThreads, 0), out(kThreads, 0);
  Graph graph;
  graph.copy({}, in, from);
  graph.kernel(load_beside_the_copy, {}, in, out);
  graph.launch();  // host race: copy_beside_the_kernel
  return done();
}

CASE(copy_before_the_kernel, clean) {
  Device<int> from(numbers(kThreads)), in(kThreads, 0), out(kThreads, 0);
  Graph graph;
  const cudaGraphNode_t copy = graph.copy({}, in, from);
  graph.kernel(double_each, {copy}, in, out);
  graph.launch();
  return done(out.are([](int i) { return 2 * i; }));
}

__global__ void store_beside_the_fill(int* out) {
  out[threadIdx.x] = 3 * threadIdx.x;  // race: fill_beside_the_kernel
}
CASE(fill_beside_the_kernel, race) {
  Device<int> out(kThreads, 0);
  Graph graph;
  graph.fill({}, out);
  graph.kernel(store_beside_the_fill, {}, out);
  graph.launch();  // host race: fill_beside_the_kernel
  return done();
}

/// Two branches of a fork that are not joined before both results are read. In a capture, an unjoined branch is an
/// error; a graph built by hand has no such check.
__global__ void store_in_a_branch(int* out) {
  out[threadIdx.x] = 3 * threadIdx.x;  // race: a_branch_that_is_not_joined
}
__global__ void load_both(const int* one, const int* other, int* out) {
  out[threadIdx.x] = one[threadIdx.x] + other[threadIdx.x];  // race: a_branch_that_is_not_joined
}
CASE(a_branch_that_is_not_joined, race) {
  Device<int> one(kThreads, 0), other(kThreads, 0), out(kThreads, 0);
  Graph graph;
  const cudaGraphNode_t root = graph.fill({}, out);
  const cudaGraphNode_t first = graph.kernel(store_each, {root}, one);
  graph.kernel(store_in_a_branch, {root}, other);
  graph.kernel(load_both, {first}, one, other, out);
  graph.launch();
  return done();
}

__global__ void add_both(const int* one, const int* other, int* out) {
  out[threadIdx.x] = one[threadIdx.x] + other[threadIdx.x];
}
CASE(branches_that_are_joined, clean) {
  Device<int> one(kThreads, 0), other(kThreads, 0), out(kThreads, 0);
  Graph graph;
  const cudaGraphNode_t root = graph.fill({}, out);
  const cudaGraphNode_t first = graph.kernel(store_each, {root}, one), second = graph.kernel(store_each, {root}, other);
  graph.kernel(add_both, {first, second}, one, other, out);
  graph.launch();
  return done(out.are([](int i) { return 6 * i; }));
}

CASE(captured_from_two_streams, clean) {
  Device<int> in(kThreads, 0), out(kThreads, 0);
  Stream one, other;
  cudaEvent_t fork, join;
  cudaEventCreateWithFlags(&fork, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&join, cudaEventDisableTiming);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal);
  store_each<<<1, kThreads, 0, one>>>(in);
  cudaEventRecord(fork, one);
  cudaStreamWaitEvent(other, fork);
  double_each<<<1, kThreads, 0, other>>>(in, out);
  cudaEventRecord(join, other);
  cudaStreamWaitEvent(one, join);
  store_each<<<1, kThreads, 0, one>>>(in);
  cudaStreamEndCapture(one, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, one);
  const bool right = done() && out.are([](int i) { return 6 * i; });
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaEventDestroy(fork);
  cudaEventDestroy(join);
  return right;
}

__global__ void store_in_two_graphs(int* out, int factor) {
  out[threadIdx.x] = factor * threadIdx.x;  // race: two_graphs_in_two_streams
}
CASE(two_graphs_in_two_streams, race) {
  Device<int> out(kThreads, 0);
  Stream one, other;
  Graph first, second;
  first.kernel(store_in_two_graphs, {}, out, 3);
  second.kernel(store_in_two_graphs, {}, out, 4);
  first.launch(one);
  second.launch(other);
  return done();
}

/// Launches of one executable graph never overlap, whatever streams they are launched into.
CASE(one_graph_in_two_streams, clean) {
  Device<int> in(kThreads, 0), out(kThreads, 0);
  Stream one, other;
  Graph graph;
  const cudaGraphNode_t first = graph.kernel(store_each, {}, in);
  graph.kernel(double_each, {first}, in, out);
  graph.launch(one);
  graph.launch(other);
  return done() && out.are([](int i) { return 6 * i; });
}

}  // namespace
