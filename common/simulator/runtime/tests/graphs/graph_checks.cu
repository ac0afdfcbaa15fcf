// Two nodes that write the same memory, with an edge between them and without; graphs that are never destroyed.
#include <cstring>

#include "common/simulator/runtime/tests/check.h"

__global__ void write_one(int* to) { *to = 1; }
__global__ void write_two(int* to) { *to = 2; }
__global__ void count_down(cudaGraphConditionalHandle handle, int* left) {
  cudaGraphSetConditional(handle, --*left > 0);
}

int main(int count, char** arguments) {
  const bool races = count > 1 && std::strcmp(arguments[1], "race") == 0;
  const bool leaks = count > 1 && std::strcmp(arguments[1], "leak") == 0;
  int* memory;
  SUCCEEDS(cudaMalloc(&memory, 2 * sizeof(int)));
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  SUCCEEDS(cudaGraphCreate(&graph, 0));
  void* parameters[] = {&memory};
  cudaKernelNodeParams kernel{};
  kernel.gridDim = kernel.blockDim = 1;
  kernel.kernelParams = parameters;
  kernel.func = reinterpret_cast<void*>(write_one);
  cudaGraphNode_t first, second, loop, fill;
  SUCCEEDS(cudaGraphAddKernelNode(&first, graph, nullptr, 0, &kernel));
  kernel.func = reinterpret_cast<void*>(write_two);
  SUCCEEDS(cudaGraphAddKernelNode(&second, graph, &first, races ? 0 : 1, &kernel));

  // A loop with ordered iterations and nodes, and a node after it.
  cudaGraphConditionalHandle handle;
  SUCCEEDS(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
  cudaGraphNodeParams node{};
  node.type = cudaGraphNodeTypeConditional;
  node.conditional.handle = handle;
  node.conditional.type = cudaGraphCondTypeWhile;
  node.conditional.size = 1;
  SUCCEEDS(cudaGraphAddNode(&loop, graph, &second, nullptr, 1, &node));
  cudaGraph_t body = node.conditional.phGraph_out[0];
  int* left = memory + 1;
  void* loop_parameters[] = {&handle, &left};
  cudaGraphNode_t write, count_node;
  SUCCEEDS(cudaGraphAddKernelNode(&write, body, nullptr, 0, &kernel));
  kernel.func = reinterpret_cast<void*>(count_down);
  kernel.kernelParams = loop_parameters;
  SUCCEEDS(cudaGraphAddKernelNode(&count_node, body, &write, 1, &kernel));
  cudaMemsetParams zero{};
  zero.dst = memory;
  zero.elementSize = 4;
  zero.width = 2;
  zero.height = 1;
  SUCCEEDS(cudaGraphAddMemsetNode(&fill, graph, &loop, 1, &zero));
  SUCCEEDS(cudaGraphInstantiate(&exec, graph, 0));
  const int rounds = 3;
  for (int i = 0; i < 2; ++i) {
    SUCCEEDS(cudaMemcpy(left, &rounds, sizeof rounds, cudaMemcpyDefault));
    SUCCEEDS(cudaGraphLaunch(exec, nullptr));
  }
  SUCCEEDS(cudaDeviceSynchronize());
  if (!leaks) {
    SUCCEEDS(cudaGraphExecDestroy(exec));
    SUCCEEDS(cudaGraphDestroy(graph));
  }
  SUCCEEDS(cudaFree(memory));
  return report();
}
