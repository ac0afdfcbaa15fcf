// Graphs in the driver API: a captured one, one built from nodes, and updates of both.
#include <cstring>
#include <vector>

#include "sample.h"

namespace {

constexpr int kCount = 256;

struct Program {
  CUfunction add_to = nullptr, scale = nullptr;
  CUdeviceptr data = 0;
  CUstream stream = nullptr;

  std::vector<int> read() const {
    std::vector<int> values(kCount);
    CU(cuMemcpyDtoH(values.data(), data, kCount * sizeof(int)));
    return values;
  }
  void fill(unsigned value) const { CU(cuMemsetD32(data, value, kCount)); }
};

bool all_are(const std::vector<int>& values, int wanted) {
  for (const int value : values) {
    if (value != wanted) return false;
  }
  return true;
}

/// A fork and a join by events, in a graph that is launched twice.
CUgraphExec check_capture(Program& program) {
  CUstream other = nullptr;
  CUevent fork = nullptr, join = nullptr;
  CU(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
  CU(cuEventCreate(&fork, CU_EVENT_DISABLE_TIMING));
  CU(cuEventCreate(&join, CU_EVENT_DISABLE_TIMING));
  CUdeviceptr second_half = program.data + kCount / 2 * sizeof(int);
  int first = 3, second = 5;
  CU(cuStreamBeginCapture(program.stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  CU(cuMemsetD32Async(program.data, 1, kCount, program.stream));
  CU(cuEventRecord(fork, program.stream));
  CU(cuStreamWaitEvent(other, fork, 0));
  void* parameters[] = {&program.data, &first};
  CU(cuLaunchKernel(program.add_to, 1, 1, 1, kCount / 2, 1, 1, 0, program.stream, parameters, nullptr));
  void* other_parameters[] = {&second_half, &second};
  CU(cuLaunchKernel(program.add_to, 1, 1, 1, kCount / 2, 1, 1, 0, other, other_parameters, nullptr));
  CU(cuEventRecord(join, other));
  CU(cuStreamWaitEvent(program.stream, join, 0));
  CUstreamCaptureStatus status{};
  CU(cuStreamIsCapturing(program.stream, &status));
  REQUIRE(status == CU_STREAM_CAPTURE_STATUS_ACTIVE);
  CUgraph graph = nullptr;
  CU(cuStreamEndCapture(program.stream, &graph));
  std::size_t nodes = 0, edges = 0;
  CU(cuGraphGetNodes(graph, nullptr, &nodes));
  CU(cuGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  REQUIRE(nodes == 3 && edges == 2);
  program.fill(77);
  CUgraphExec exec = nullptr;
  CU(cuGraphInstantiate(&exec, graph, 0));
  REQUIRE(all_are(program.read(), 77));  // Nothing has run so far.
  CU(cuGraphLaunch(exec, program.stream));
  CU(cuStreamSynchronize(program.stream));
  const auto values = program.read();
  for (int i = 0; i < kCount; ++i) REQUIRE(values[i] == (i < kCount / 2 ? 4 : 6));
  CU(cuGraphDestroy(graph));
  CU(cuEventDestroy(fork));
  CU(cuEventDestroy(join));
  CU(cuStreamDestroy(other));
  return exec;
}

CUDA_KERNEL_NODE_PARAMS kernel_node(CUfunction function, void** parameters) {
  CUDA_KERNEL_NODE_PARAMS values{};
  values.func = function;
  values.gridDimX = values.gridDimY = values.gridDimZ = 1;
  values.blockDimX = kCount;
  values.blockDimY = values.blockDimZ = 1;
  values.kernelParams = parameters;
  return values;
}

/// memset -> kernel -> host, built node by node; then the kernel's arguments are changed in the executable graph.
void check_nodes(Program& program, CUcontext context) {
  CUgraph graph = nullptr, clone = nullptr;
  CU(cuGraphCreate(&graph, 0));
  CUgraphNode set = nullptr, kernel = nullptr, host = nullptr;
  CUDA_MEMSET_NODE_PARAMS fill{};
  fill.dst = program.data;
  fill.elementSize = sizeof(int);
  fill.width = kCount;
  fill.height = 1;
  fill.value = 10;
  CU(cuGraphAddMemsetNode(&set, graph, nullptr, 0, &fill, context));
  int value = 1;
  void* parameters[] = {&program.data, &value};
  CUDA_KERNEL_NODE_PARAMS launch = kernel_node(program.add_to, parameters);
  CU(cuGraphAddKernelNode(&kernel, graph, &set, 1, &launch));
  int calls = 0;
  CUDA_HOST_NODE_PARAMS call{};
  call.fn = [](void* count) { ++*static_cast<int*>(count); };
  call.userData = &calls;
  CU(cuGraphAddHostNode(&host, graph, &kernel, 1, &call));
  CUgraphNodeType type{};
  CU(cuGraphNodeGetType(kernel, &type));
  REQUIRE(type == CU_GRAPH_NODE_TYPE_KERNEL);
  CU(cuGraphClone(&clone, graph));
  CUgraphNode cloned = nullptr;
  CU(cuGraphNodeFindInClone(&cloned, kernel, clone));
  REQUIRE(cloned != nullptr && cloned != kernel);

  CUgraphExec exec = nullptr;
  CU(cuGraphInstantiate(&exec, graph, 0));
  CU(cuGraphLaunch(exec, program.stream));
  CU(cuStreamSynchronize(program.stream));
  REQUIRE(all_are(program.read(), 11) && calls == 1);
  value = 30;
  CU(cuGraphExecKernelNodeSetParams(exec, kernel, &launch));
  CU(cuGraphLaunch(exec, program.stream));
  CU(cuGraphLaunch(exec, program.stream));
  CU(cuStreamSynchronize(program.stream));
  REQUIRE(all_are(program.read(), 40) && calls == 3);

  // Updating the whole graph: one with the same topology is accepted, one with another is rejected.
  CUgraphNode extra = nullptr;
  CUDA_KERNEL_NODE_PARAMS changed = kernel_node(program.add_to, parameters);
  value = 5;
  CU(cuGraphKernelNodeSetParams(cloned, &changed));
  CUgraphExecUpdateResultInfo info{};
  CU(cuGraphExecUpdate(exec, clone, &info));
  REQUIRE(info.result == CU_GRAPH_EXEC_UPDATE_SUCCESS);
  CU(cuGraphLaunch(exec, program.stream));
  CU(cuStreamSynchronize(program.stream));
  REQUIRE(all_are(program.read(), 15) && calls == 4);
  CU(cuGraphAddEmptyNode(&extra, clone, nullptr, 0));
  CU_FAILS(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate(exec, clone, &info));
  REQUIRE(info.result == CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
  CU(cuGraphExecDestroy(exec));
  CU(cuGraphDestroy(clone));
  CU(cuGraphDestroy(graph));
}

}  // namespace

int main(int, char** arguments) {
  const CUcontext context = make_context();
  CUmodule module = nullptr;
  Program program;
  CU(cuModuleLoad(&module, beside(arguments[0], "kernels.ptx").c_str()));
  CU(cuModuleGetFunction(&program.add_to, module, "add_to"));
  CU(cuMemAlloc(&program.data, kCount * sizeof(int)));
  CU(cuStreamCreate(&program.stream, CU_STREAM_NON_BLOCKING));
  const CUgraphExec captured = check_capture(program);
  CU(cuGraphLaunch(captured, program.stream));
  CU(cuStreamSynchronize(program.stream));
  REQUIRE(program.read()[0] == 4);
  CU(cuGraphExecDestroy(captured));
  check_nodes(program, context);
  return passed("graphs_driver");
}
