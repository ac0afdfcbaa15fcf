// Conditional nodes: if, if with else, while, switch, nested ones, and a captured body.
#include "common/simulator/runtime/tests/check.h"

__global__ void set(cudaGraphConditionalHandle handle, const int* value) { cudaGraphSetConditional(handle, *value); }
__global__ void count_down(cudaGraphConditionalHandle handle, int* left) {
  cudaGraphSetConditional(handle, --*left > 0);
}
__global__ void add(int* sum, int value) { *sum += value; }
__global__ void start_inner(cudaGraphConditionalHandle inner, int* left, int rounds) {
  *left = rounds;
  cudaGraphSetConditional(inner, rounds > 0);
}

cudaStream_t stream;
int* numbers;  // 0: the value that decides, 1 and 2: counters, 3: the sum.

cudaGraphNode_t kernel(cudaGraph_t graph, const void* function, void** arguments, cudaGraphNode_t before = nullptr) {
  cudaGraphNodeParams parameters{};
  parameters.type = cudaGraphNodeTypeKernel;
  parameters.kernel.func = const_cast<void*>(function);
  parameters.kernel.gridDim = parameters.kernel.blockDim = dim3(1);
  parameters.kernel.kernelParams = arguments;
  cudaGraphNode_t node;
  SUCCEEDS(cudaGraphAddNode(&node, graph, &before, nullptr, before == nullptr ? 0 : 1, &parameters));
  return node;
}

cudaGraphNode_t add_node(cudaGraph_t graph, int value, cudaGraphNode_t before = nullptr) {
  int* sum = numbers + 3;
  void* arguments[] = {&sum, &value};
  return kernel(graph, reinterpret_cast<void*>(add), arguments, before);
}

cudaGraph_t* conditional(cudaGraph_t graph, cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type,
                         unsigned bodies, cudaGraphNode_t& node, cudaGraphNode_t before = nullptr) {
  cudaGraphNodeParams parameters{};
  parameters.type = cudaGraphNodeTypeConditional;
  parameters.conditional.handle = handle;
  parameters.conditional.type = type;
  parameters.conditional.size = bodies;
  SUCCEEDS(cudaGraphAddNode(&node, graph, &before, nullptr, before == nullptr ? 0 : 1, &parameters));
  return parameters.conditional.phGraph_out;
}

/// Launches with these numbers in device memory. @returns the sum
int run(cudaGraphExec_t exec, int decides, int counter = 0) {
  int values[4] = {decides, counter, 0, 0};
  SUCCEEDS(cudaMemcpy(numbers, values, sizeof values, cudaMemcpyDefault));
  SUCCEEDS(cudaGraphLaunch(exec, stream));
  SUCCEEDS(cudaStreamSynchronize(stream));
  SUCCEEDS(cudaMemcpy(values, numbers, sizeof values, cudaMemcpyDefault));
  return values[3];
}

struct Decided {
  cudaGraph_t graph;
  cudaGraphConditionalHandle handle;
  cudaGraphNode_t setter;
};

Decided decided(unsigned initial = 0, unsigned flags = 0) {
  Decided made{};
  SUCCEEDS(cudaGraphCreate(&made.graph, 0));
  SUCCEEDS(cudaGraphConditionalHandleCreate(&made.handle, made.graph, initial, flags));
  void* arguments[] = {&made.handle, &numbers};
  made.setter = kernel(made.graph, reinterpret_cast<void*>(set), arguments);
  return made;
}

cudaGraphExec_t instantiate(cudaGraph_t graph) {
  cudaGraphExec_t exec = nullptr;
  SUCCEEDS(cudaGraphInstantiate(&exec, graph, 0));
  return exec;
}

int main() {
  SUCCEEDS(cudaStreamCreate(&stream));
  SUCCEEDS(cudaMalloc(&numbers, 4 * sizeof(int)));
  cudaGraphNode_t node;
  {
    const Decided one = decided();
    cudaGraph_t* bodies = conditional(one.graph, one.handle, cudaGraphCondTypeIf, 1, node, one.setter);
    add_node(bodies[0], 5);
    add_node(one.graph, 100, node);
    const cudaGraphExec_t exec = instantiate(one.graph);
    CHECK(run(exec, 1) == 105);
    CHECK(run(exec, 0) == 100);
  }
  {
    const Decided two = decided();
    cudaGraph_t* bodies = conditional(two.graph, two.handle, cudaGraphCondTypeIf, 2, node, two.setter);
    add_node(bodies[0], 5);
    add_node(bodies[1], 7);
    const cudaGraphExec_t exec = instantiate(two.graph);
    CHECK(run(exec, 3) == 5);
    CHECK(run(exec, 0) == 7);
  }
  {
    const Decided many = decided();
    cudaGraph_t* bodies = conditional(many.graph, many.handle, cudaGraphCondTypeSwitch, 4, node, many.setter);
    for (int i = 0; i < 4; ++i) add_node(bodies[i], 10 + i);
    const cudaGraphExec_t exec = instantiate(many.graph);
    for (int i = 0; i < 6; ++i) CHECK(run(exec, i) == (i < 4 ? 10 + i : 0));
  }
  {
    // A loop with a captured body and a default value for the first iteration.
    cudaGraph_t graph;
    cudaGraphConditionalHandle handle;
    SUCCEEDS(cudaGraphCreate(&graph, 0));
    SUCCEEDS(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    cudaGraph_t body = conditional(graph, handle, cudaGraphCondTypeWhile, 1, node)[0];
    SUCCEEDS(cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0, cudaStreamCaptureModeRelaxed));
    add<<<1, 1, 0, stream>>>(numbers + 3, 2);
    count_down<<<1, 1, 0, stream>>>(handle, numbers + 1);
    cudaGraph_t same;
    SUCCEEDS(cudaStreamEndCapture(stream, &same));
    CHECK(same == body);
    const cudaGraphExec_t exec = instantiate(graph);
    CHECK(run(exec, 0, 10) == 20);
    CHECK(run(exec, 0, 1) == 2);
    CHECK(run(exec, 0, 33) == 66);
    ANSWERS(cudaErrorNotSupported, cudaGraphClone(&same, graph));
    SUCCEEDS(cudaGraphExecDestroy(exec));
    SUCCEEDS(cudaGraphDestroy(graph));
  }
  {
    // A nested loop: 3 iterations of 4.
    cudaGraph_t graph;
    cudaGraphConditionalHandle outer, inner;
    SUCCEEDS(cudaGraphCreate(&graph, 0));
    SUCCEEDS(cudaGraphConditionalHandleCreate(&outer, graph, 1, cudaGraphCondAssignDefault));
    SUCCEEDS(cudaGraphConditionalHandleCreate(&inner, graph, 0, 0));
    cudaGraph_t body = conditional(graph, outer, cudaGraphCondTypeWhile, 1, node)[0];
    int *outer_left = numbers + 1, *inner_left = numbers + 2, rounds = 4;
    void* start_arguments[] = {&inner, &inner_left, &rounds};
    cudaGraphNode_t last = kernel(body, reinterpret_cast<void*>(start_inner), start_arguments), loop;
    cudaGraph_t inner_body = conditional(body, inner, cudaGraphCondTypeWhile, 1, loop, last)[0];
    void* inner_arguments[] = {&inner, &inner_left};
    kernel(inner_body, reinterpret_cast<void*>(count_down), inner_arguments, add_node(inner_body, 1));
    void* outer_arguments[] = {&outer, &outer_left};
    kernel(body, reinterpret_cast<void*>(count_down), outer_arguments, loop);
    const cudaGraphExec_t exec = instantiate(graph);
    CHECK(run(exec, 0, 3) == 12);
    CHECK(run(exec, 0, 3) == 12);
  }
  {
    // A handle that no node uses, and a host function in a body.
    cudaGraph_t graph;
    cudaGraphConditionalHandle handle;
    cudaGraphExec_t exec;
    SUCCEEDS(cudaGraphCreate(&graph, 0));
    SUCCEEDS(cudaGraphConditionalHandleCreate(&handle, graph, 0, 0));
    ANSWERS(cudaErrorInvalidValue, cudaGraphInstantiate(&exec, graph, 0));
    cudaGraph_t body = conditional(graph, handle, cudaGraphCondTypeIf, 1, node)[0];
    cudaGraphNode_t host;
    const cudaHostNodeParams function{[](void*) {}, nullptr};
    if (cudaGraphAddHostNode(&host, body, nullptr, 0, &function) == cudaSuccess)
      CHECK(cudaGraphInstantiate(&exec, graph, 0) != cudaSuccess);
  }
  return report();
}
