// Memory nodes: allocated and freed in a graph, or left allocated and freed by a stream or by the next launch; captured
// cudaMallocAsync; the device's graph memory attributes.
#include <vector>

#include "common/simulator/runtime/tests/check.h"

constexpr int kCount = 1000;

__global__ void fill(int* to, int value) {
  for (int i = threadIdx.x; i < kCount; i += blockDim.x) to[i] = value + i;
}
__global__ void square(const int* from, int* to) {
  for (int i = threadIdx.x; i < kCount; i += blockDim.x) to[i] = from[i] * from[i];
}

/// Bytes reserved for graphs: memory that nodes have freed stays reserved until it is trimmed.
unsigned long long used() {
  unsigned long long bytes = 0;
  SUCCEEDS(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &bytes));
  return bytes;
}

cudaGraphNode_t add_kernel(cudaGraph_t graph, const void* function, void** arguments, cudaGraphNode_t before) {
  cudaKernelNodeParams kernel{};
  kernel.func = const_cast<void*>(function);
  kernel.gridDim = 1;
  kernel.blockDim = 128;
  kernel.kernelParams = arguments;
  cudaGraphNode_t node;
  SUCCEEDS(cudaGraphAddKernelNode(&node, graph, &before, 1, &kernel));
  return node;
}

bool holds_squares(const std::vector<int>& values, int first) {
  for (int i = 0; i < kCount; ++i)
    if (values[i] != (first + i) * (first + i)) return false;
  return true;
}

int main() {
  cudaStream_t stream;
  SUCCEEDS(cudaStreamCreate(&stream));
  int *result, value = 5;
  SUCCEEDS(cudaMalloc(&result, sizeof(int) * kCount));
  std::vector<int> host(kCount);

  // Allocated, used and freed by one graph.
  cudaGraph_t graph;
  SUCCEEDS(cudaGraphCreate(&graph, 0));
  cudaMemAllocNodeParams allocation{};
  allocation.poolProps.allocType = cudaMemAllocationTypePinned;
  allocation.poolProps.location = {cudaMemLocationTypeDevice, 0};
  allocation.bytesize = sizeof(int) * kCount;
  cudaGraphNode_t allocate, release;
  SUCCEEDS(cudaGraphAddMemAllocNode(&allocate, graph, nullptr, 0, &allocation));
  CHECK(allocation.dptr != nullptr);
  void* fill_arguments[] = {&allocation.dptr, &value};
  void* square_arguments[] = {&allocation.dptr, &result};
  cudaGraphNode_t last = add_kernel(graph, reinterpret_cast<void*>(fill), fill_arguments, allocate);
  last = add_kernel(graph, reinterpret_cast<void*>(square), square_arguments, last);
  SUCCEEDS(cudaGraphAddMemFreeNode(&release, graph, &last, 1, allocation.dptr));
  cudaGraphExec_t exec;
  SUCCEEDS(cudaGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < 3; ++i) SUCCEEDS(cudaGraphLaunch(exec, stream));
  SUCCEEDS(cudaMemcpyAsync(host.data(), result, sizeof(int) * kCount, cudaMemcpyDefault, stream));
  SUCCEEDS(cudaStreamSynchronize(stream));
  CHECK(holds_squares(host, value));
  CHECK(used() == 32 << 20);
  SUCCEEDS(cudaGraphExecDestroy(exec));
  SUCCEEDS(cudaGraphDestroy(graph));

  // Left allocated: the program frees it, in its stream.
  SUCCEEDS(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  int* kept = nullptr;
  SUCCEEDS(cudaMallocAsync(&kept, sizeof(int) * kCount, stream));
  CHECK(kept != nullptr);
  fill<<<1, 128, 0, stream>>>(kept, 9);
  SUCCEEDS(cudaStreamEndCapture(stream, &graph));
  size_t nodes = 0;
  SUCCEEDS(cudaGraphGetNodes(graph, nullptr, &nodes));
  CHECK(nodes == 2);
  SUCCEEDS(cudaGraphInstantiate(&exec, graph, 0));
  SUCCEEDS(cudaGraphLaunch(exec, stream));
  SUCCEEDS(cudaStreamSynchronize(stream));
  CHECK(used() >= sizeof(int) * kCount);
  ANSWERS(cudaErrorInvalidValue, cudaGraphLaunch(exec, stream));  // It is still allocated.
  square<<<1, 128, 0, stream>>>(kept, result);
  SUCCEEDS(cudaMemcpyAsync(host.data(), result, sizeof(int) * kCount, cudaMemcpyDefault, stream));
  SUCCEEDS(cudaFreeAsync(kept, stream));
  SUCCEEDS(cudaStreamSynchronize(stream));
  CHECK(holds_squares(host, 9));
  SUCCEEDS(cudaGraphLaunch(exec, stream));
  SUCCEEDS(cudaStreamSynchronize(stream));
  SUCCEEDS(cudaFree(kept));
  SUCCEEDS(cudaGraphExecDestroy(exec));
  SUCCEEDS(cudaGraphDestroy(graph));

  // Left allocated: the next launch frees it.
  SUCCEEDS(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  SUCCEEDS(cudaMallocAsync(&kept, sizeof(int) * kCount, stream));
  fill<<<1, 128, 0, stream>>>(kept, 2);
  SUCCEEDS(cudaStreamEndCapture(stream, &graph));
  SUCCEEDS(cudaGraphInstantiateWithFlags(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  for (int i = 0; i < 3; ++i) SUCCEEDS(cudaGraphLaunch(exec, stream));
  SUCCEEDS(cudaMemcpyAsync(host.data(), kept, sizeof(int) * kCount, cudaMemcpyDefault, stream));
  SUCCEEDS(cudaStreamSynchronize(stream));
  CHECK(host[0] == 2 && host[kCount - 1] == 2 + kCount - 1);
  unsigned long long flags = 0;
  SUCCEEDS(cudaGraphExecGetFlags(exec, &flags));
  CHECK(flags == cudaGraphInstantiateFlagAutoFreeOnLaunch);
  SUCCEEDS(cudaFree(kept));
  SUCCEEDS(cudaStreamSynchronize(stream));
  CHECK(used() == 32 << 20);
  SUCCEEDS(cudaDeviceGraphMemTrim(0));
  CHECK(used() == 0);
  SUCCEEDS(cudaGraphExecDestroy(exec));
  SUCCEEDS(cudaGraphDestroy(graph));
  SUCCEEDS(cudaFree(result));
  SUCCEEDS(cudaStreamDestroy(stream));
  return report();
}
