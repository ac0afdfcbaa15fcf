// Updates of executable graphs: parameters of every kind of node, disabled nodes, whole-graph updates and their
// results, child graphs; and graph queries: edges, types, clones, DOT output.
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "common/simulator/runtime/tests/check.h"

__global__ void add(int* to, int value) { *to += value; }
__global__ void multiply(int* to, int value, int more) { *to = *to * value + more; }
__device__ int symbol[4];

cudaStream_t stream;
int *number, *buffer, called = 0;

void bump(void* data) { ++*static_cast<int*>(data); }
void bump_twice(void* data) { *static_cast<int*>(data) += 2; }

int run(cudaGraphExec_t exec, int from) {
  SUCCEEDS(cudaMemcpy(number, &from, sizeof from, cudaMemcpyDefault));
  SUCCEEDS(cudaGraphLaunch(exec, stream));
  SUCCEEDS(cudaStreamSynchronize(stream));
  SUCCEEDS(cudaMemcpy(&from, number, sizeof from, cudaMemcpyDefault));
  return from;
}

int main() {
  SUCCEEDS(cudaStreamCreate(&stream));
  SUCCEEDS(cudaMalloc(&number, sizeof(int)));
  SUCCEEDS(cudaMalloc(&buffer, 64));
  cudaGraph_t graph, clone, parent;
  cudaGraphExec_t exec, parent_exec;
  cudaGraphNode_t kernel_node, fill_node, copy_node, symbol_node, host_node, node;
  SUCCEEDS(cudaGraphCreate(&graph, 0));
  int value = 5, more = 1, source[4] = {1, 2, 3, 4}, target[4] = {};
  void* arguments[] = {&number, &value, &more};
  cudaKernelNodeParams kernel{};
  kernel.func = reinterpret_cast<void*>(add);
  kernel.gridDim = kernel.blockDim = 1;
  kernel.kernelParams = arguments;
  SUCCEEDS(cudaGraphAddKernelNode(&kernel_node, graph, nullptr, 0, &kernel));
  cudaMemsetParams fill{};
  fill.dst = buffer;
  fill.elementSize = 2;
  fill.value = 0x0102;
  fill.width = 8;
  fill.height = 1;
  SUCCEEDS(cudaGraphAddMemsetNode(&fill_node, graph, nullptr, 0, &fill));
  SUCCEEDS(cudaGraphAddMemcpyNode1D(&copy_node, graph, &fill_node, 1, target, buffer, 16, cudaMemcpyDeviceToHost));
  SUCCEEDS(
      cudaGraphAddMemcpyNodeToSymbol(&symbol_node, graph, nullptr, 0, symbol, source, 8, 4, cudaMemcpyHostToDevice));
  const cudaHostNodeParams host{bump, &called};
  SUCCEEDS(cudaGraphAddHostNode(&host_node, graph, &copy_node, 1, &host));
  SUCCEEDS(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(run(exec, 10) == 15 && called == 1 && target[0] == 0x01020102 && target[3] == 0x01020102);
  int got[4] = {};
  SUCCEEDS(cudaMemcpyFromSymbol(got, symbol, sizeof got));
  CHECK(got[0] == 0 && got[1] == 1 && got[2] == 2 && got[3] == 0);

  // One node at a time. The original graph stays as it is.
  value = 7;
  SUCCEEDS(cudaGraphExecKernelNodeSetParams(exec, kernel_node, &kernel));
  CHECK(run(exec, 10) == 17);
  kernel.func = reinterpret_cast<void*>(multiply);
  SUCCEEDS(cudaGraphExecKernelNodeSetParams(exec, kernel_node, &kernel));
  CHECK(run(exec, 10) == 71);
  cudaKernelNodeParams asked{};
  SUCCEEDS(cudaGraphKernelNodeGetParams(kernel_node, &asked));
  CHECK(asked.func == reinterpret_cast<void*>(add) && *static_cast<int*>(asked.kernelParams[1]) == 5);
  fill.value = 0x0304;
  SUCCEEDS(cudaGraphExecMemsetNodeSetParams(exec, fill_node, &fill));
  const cudaHostNodeParams twice{bump_twice, &called};
  SUCCEEDS(cudaGraphExecHostNodeSetParams(exec, host_node, &twice));
  SUCCEEDS(
      cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, symbol_node, symbol, source + 2, 8, 8, cudaMemcpyHostToDevice));
  called = 0;
  run(exec, 0);
  SUCCEEDS(cudaMemcpyFromSymbol(got, symbol, sizeof got));
  CHECK(called == 2 && target[1] == 0x03040304 && got[2] == 3 && got[3] == 4);
  kernel.blockDim = 2048;
  CHECK(cudaGraphExecKernelNodeSetParams(exec, kernel_node, &kernel) == cudaErrorInvalidValue);
  kernel.blockDim = 1;
  CHECK(cudaGraphExecMemsetNodeSetParams(exec, kernel_node, &fill) == cudaErrorInvalidValue);

  // Disabled and enabled again.
  unsigned enabled = 9;
  SUCCEEDS(cudaGraphNodeSetEnabled(exec, kernel_node, 0));
  SUCCEEDS(cudaGraphNodeGetEnabled(exec, kernel_node, &enabled));
  CHECK(enabled == 0 && run(exec, 10) == 10);
  SUCCEEDS(cudaGraphNodeSetEnabled(exec, kernel_node, 1));
  CHECK(run(exec, 10) == 71);
  ANSWERS(cudaErrorInvalidValue, cudaGraphNodeSetEnabled(exec, host_node, 0));

  // A whole graph.
  cudaGraphExecUpdateResultInfo info{};
  SUCCEEDS(cudaGraphExecUpdate(exec, graph, &info));
  CHECK(info.result == cudaGraphExecUpdateSuccess && run(exec, 10) == 15);
  SUCCEEDS(cudaGraphClone(&clone, graph));
  SUCCEEDS(cudaGraphNodeFindInClone(&node, kernel_node, clone));
  CHECK(node != kernel_node);
  SUCCEEDS(cudaGraphKernelNodeSetParams(node, &kernel));
  SUCCEEDS(cudaGraphExecUpdate(exec, clone, &info));
  CHECK(run(exec, 10) == 71);
  SUCCEEDS(cudaGraphAddDependencies(clone, &node, &node, nullptr, 0));
  SUCCEEDS(cudaGraphDestroyNode(node));
  ANSWERS(cudaErrorInvalidValue, cudaGraphNodeFindInClone(&node, kernel_node, clone));
  ANSWERS(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(exec, clone, &info));
  CHECK(info.result == cudaGraphExecUpdateErrorTopologyChanged);
  CHECK(run(exec, 10) == 71);
  SUCCEEDS(cudaGraphDestroy(clone));

  // Edges.
  size_t count = 0;
  SUCCEEDS(cudaGraphAddDependencies(graph, &kernel_node, &symbol_node, nullptr, 1));
  ANSWERS(cudaErrorInvalidValue, cudaGraphAddDependencies(graph, &kernel_node, &symbol_node, nullptr, 1));
  SUCCEEDS(cudaGraphNodeGetDependencies(symbol_node, nullptr, nullptr, &count));
  CHECK(count == 1);
  SUCCEEDS(cudaGraphNodeGetDependentNodes(kernel_node, &node, nullptr, &count));
  CHECK(count == 1 && node == symbol_node);
  cudaGraphNode_t from[8], to[8];
  count = 8;
  SUCCEEDS(cudaGraphGetEdges(graph, from, to, nullptr, &count));
  CHECK(count == 3 && from[3] == nullptr);
  cudaGraphNodeType type;
  SUCCEEDS(cudaGraphNodeGetType(host_node, &type));
  CHECK(type == cudaGraphNodeTypeHost);
  SUCCEEDS(cudaGraphRemoveDependencies(graph, &kernel_node, &symbol_node, nullptr, 1));
  ANSWERS(cudaErrorInvalidValue, cudaGraphRemoveDependencies(graph, &kernel_node, &symbol_node, nullptr, 1));

  // A child graph, and a node of the parent after it.
  SUCCEEDS(cudaGraphCreate(&parent, 0));
  cudaGraphNode_t child, after;
  SUCCEEDS(cudaGraphAddChildGraphNode(&child, parent, nullptr, 0, graph));
  value = 3;
  SUCCEEDS(cudaGraphAddKernelNode(&after, parent, &child, 1, &kernel));  // times 3, plus 1
  cudaGraph_t inside;
  SUCCEEDS(cudaGraphChildGraphNodeGetGraph(child, &inside));
  CHECK(inside != graph);
  SUCCEEDS(cudaGraphInstantiate(&parent_exec, parent, 0));
  CHECK(run(parent_exec, 10) == 46);
  SUCCEEDS(cudaGraphKernelNodeSetParams(kernel_node, &kernel));
  SUCCEEDS(cudaGraphExecChildGraphNodeSetParams(parent_exec, child, graph));
  CHECK(run(parent_exec, 10) == 94);

  // A launch into a capturing stream does not create a child: an H200 refuses it.
  SUCCEEDS(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  ANSWERS(cudaErrorStreamCaptureUnsupported, cudaGraphLaunch(exec, stream));
  ANSWERS(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(stream, &clone));
  CHECK(clone == nullptr);

  SUCCEEDS(cudaGraphDebugDotPrint(parent, "graph_updates.dot", cudaGraphDebugDotFlagsVerbose));
  std::ifstream file("graph_updates.dot");
  const std::string drawing{std::istreambuf_iterator<char>(file), {}};
  CHECK(drawing.rfind("digraph", 0) == 0 && drawing.find("MEMSET") != std::string::npos &&
        drawing.find("->") != std::string::npos);
  std::remove("graph_updates.dot");

  // A user object that the graph retains.
  cudaUserObject_t object;
  static int destroyed = 0;
  SUCCEEDS(cudaUserObjectCreate(&object, &destroyed, bump, 1, cudaUserObjectNoDestructorSync));
  SUCCEEDS(cudaGraphRetainUserObject(parent, object, 1, cudaGraphUserObjectMove));
  CHECK(destroyed == 0);
  SUCCEEDS(cudaGraphDestroy(parent));
  SUCCEEDS(cudaDeviceSynchronize());
  CHECK(destroyed == 1);
  SUCCEEDS(cudaGraphDestroy(graph));
  CHECK(run(exec, 10) == 71);  // It lives without the graph from which it was instantiated.
  ANSWERS(cudaErrorInvalidValue, cudaGraphDestroy(graph));
  return report();
}
