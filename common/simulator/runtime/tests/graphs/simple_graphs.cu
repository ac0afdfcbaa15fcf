// A reduction in two passes as a graph, explicit and captured: copies, memsets, kernels and a host function, launched
// many times, and once more as a clone.
#include <vector>

#include "common/simulator/runtime/tests/check.h"

constexpr int kThreads = 256, kBlocks = 64, kCount = 1 << 16, kLaunches = 3;

__global__ void reduce(const float* input, double* output, size_t count) {
  __shared__ double sums[kThreads];
  double sum = 0;
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += size_t{blockDim.x} * gridDim.x)
    sum += input[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) output[blockIdx.x] = sums[0];
}

__global__ void reduce_last(const double* input, double* result, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; ++i) sum += input[i];
  *result = sum;
}

struct Collector {
  const double* from;
  std::vector<double> sums;
};

void collect(void* data) {
  auto* const collector = static_cast<Collector*>(data);
  collector->sums.push_back(*collector->from);
}

struct Data {
  float *host, *device;
  double *partial, *result, host_result;
};

double expected(const float* values) {
  double sum = 0;
  for (int i = 0; i < kCount; ++i) sum += values[i];
  return sum;
}

void launch_and_check(cudaGraph_t graph, Data& data, Collector& collector) {
  cudaStream_t stream;
  cudaGraph_t clone;
  cudaGraphExec_t exec, clone_exec;
  SUCCEEDS(cudaStreamCreate(&stream));
  SUCCEEDS(cudaGraphInstantiate(&exec, graph, 0));
  SUCCEEDS(cudaGraphClone(&clone, graph));
  SUCCEEDS(cudaGraphInstantiate(&clone_exec, clone, 0));
  SUCCEEDS(cudaGraphUpload(exec, stream));
  collector.sums.clear();
  for (int launch = 0; launch < kLaunches; ++launch) {
    data.host[0] = static_cast<float>(launch);  // Copies read the values at the time of the launch.
    SUCCEEDS(cudaGraphLaunch(launch == 2 ? clone_exec : exec, stream));
    SUCCEEDS(cudaStreamSynchronize(stream));
    CHECK(collector.sums.size() == static_cast<size_t>(launch) + 1);
    CHECK(collector.sums.back() == expected(data.host));
    CHECK(data.host_result == expected(data.host));
  }
  SUCCEEDS(cudaGraphExecDestroy(exec));
  SUCCEEDS(cudaGraphExecDestroy(clone_exec));
  SUCCEEDS(cudaGraphDestroy(clone));
  SUCCEEDS(cudaGraphDestroy(graph));
  SUCCEEDS(cudaStreamDestroy(stream));
}

cudaGraph_t by_hand(Data& data, Collector& collector) {
  cudaGraph_t graph;
  SUCCEEDS(cudaGraphCreate(&graph, 0));
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(data.host, sizeof(float) * kCount, kCount, 1);
  copy.dstPtr = make_cudaPitchedPtr(data.device, sizeof(float) * kCount, kCount, 1);
  copy.extent = make_cudaExtent(sizeof(float) * kCount, 1, 1);
  copy.kind = cudaMemcpyHostToDevice;
  cudaGraphNode_t copy_in, clear, first, second, copy_out, host;
  SUCCEEDS(cudaGraphAddMemcpyNode(&copy_in, graph, nullptr, 0, &copy));
  cudaMemsetParams fill{};
  fill.dst = data.partial;
  fill.elementSize = sizeof(float);
  fill.width = kBlocks * 2;
  fill.height = 1;
  SUCCEEDS(cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &fill));
  size_t count = kCount, blocks = kBlocks;
  void* first_arguments[] = {&data.device, &data.partial, &count};
  cudaKernelNodeParams kernel{};
  kernel.func = reinterpret_cast<void*>(reduce);
  kernel.gridDim = kBlocks;
  kernel.blockDim = kThreads;
  kernel.kernelParams = first_arguments;
  const cudaGraphNode_t before[] = {copy_in, clear};
  SUCCEEDS(cudaGraphAddKernelNode(&first, graph, before, 2, &kernel));
  void* second_arguments[] = {&data.partial, &data.result, &blocks};
  kernel.func = reinterpret_cast<void*>(reduce_last);
  kernel.gridDim = kernel.blockDim = 1;
  kernel.kernelParams = second_arguments;
  SUCCEEDS(cudaGraphAddKernelNode(&second, graph, &first, 1, &kernel));
  SUCCEEDS(cudaGraphAddMemcpyNode1D(&copy_out, graph, &second, 1, &data.host_result, data.result, sizeof(double),
                                    cudaMemcpyDefault));
  const cudaHostNodeParams function{collect, &collector};
  SUCCEEDS(cudaGraphAddHostNode(&host, graph, &copy_out, 1, &function));
  size_t nodes = 0, roots = 0, edges = 0;
  SUCCEEDS(cudaGraphGetNodes(graph, nullptr, &nodes));
  SUCCEEDS(cudaGraphGetRootNodes(graph, nullptr, &roots));
  SUCCEEDS(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  CHECK(nodes == 6 && roots == 2 && edges == 5);
  cudaKernelNodeParams got{};
  SUCCEEDS(cudaGraphKernelNodeGetParams(first, &got));
  CHECK(got.func == reinterpret_cast<void*>(reduce) && got.gridDim.x == kBlocks && got.blockDim.x == kThreads);
  CHECK(*static_cast<size_t*>(got.kernelParams[2]) == kCount);
  return graph;
}

cudaGraph_t by_capture(Data& data, Collector& collector) {
  cudaStream_t streams[3];
  cudaEvent_t fork, filled, counted;
  for (cudaStream_t& stream : streams) SUCCEEDS(cudaStreamCreate(&stream));
  for (cudaEvent_t* event : {&fork, &filled, &counted}) SUCCEEDS(cudaEventCreate(event));
  SUCCEEDS(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal));
  SUCCEEDS(cudaEventRecord(fork, streams[0]));
  SUCCEEDS(cudaStreamWaitEvent(streams[1], fork, 0));
  SUCCEEDS(cudaStreamWaitEvent(streams[2], fork, 0));
  SUCCEEDS(cudaMemcpyAsync(data.device, data.host, sizeof(float) * kCount, cudaMemcpyDefault, streams[0]));
  SUCCEEDS(cudaMemsetAsync(data.partial, 0, sizeof(double) * kBlocks, streams[1]));
  SUCCEEDS(cudaEventRecord(filled, streams[1]));
  SUCCEEDS(cudaMemsetAsync(data.result, 0, sizeof(double), streams[2]));
  SUCCEEDS(cudaEventRecord(counted, streams[2]));
  SUCCEEDS(cudaStreamWaitEvent(streams[0], filled, 0));
  reduce<<<kBlocks, kThreads, 0, streams[0]>>>(data.device, data.partial, kCount);
  SUCCEEDS(cudaStreamWaitEvent(streams[0], counted, 0));
  reduce_last<<<1, 1, 0, streams[0]>>>(data.partial, data.result, kBlocks);
  SUCCEEDS(cudaMemcpyAsync(&data.host_result, data.result, sizeof(double), cudaMemcpyDefault, streams[0]));
  SUCCEEDS(cudaLaunchHostFunc(streams[0], collect, &collector));
  cudaStreamCaptureStatus status;
  SUCCEEDS(cudaStreamIsCapturing(streams[2], &status));
  CHECK(status == cudaStreamCaptureStatusActive);
  CHECK(collector.sums.size() == static_cast<size_t>(kLaunches));  // Nothing has run.
  cudaGraph_t graph;
  SUCCEEDS(cudaStreamEndCapture(streams[0], &graph));
  size_t nodes = 0, roots = 0;
  SUCCEEDS(cudaGraphGetNodes(graph, nullptr, &nodes));
  SUCCEEDS(cudaGraphGetRootNodes(graph, nullptr, &roots));
  CHECK(nodes == 7 && roots == 3);
  for (cudaStream_t stream : streams) SUCCEEDS(cudaStreamDestroy(stream));
  for (cudaEvent_t event : {fork, filled, counted}) SUCCEEDS(cudaEventDestroy(event));
  return graph;
}

int main() {
  Data data{};
  SUCCEEDS(cudaMallocHost(&data.host, sizeof(float) * kCount));
  SUCCEEDS(cudaMalloc(&data.device, sizeof(float) * kCount));
  SUCCEEDS(cudaMalloc(&data.partial, sizeof(double) * kBlocks));
  SUCCEEDS(cudaMalloc(&data.result, sizeof(double)));
  for (int i = 0; i < kCount; ++i) data.host[i] = static_cast<float>(i % 97);
  Collector collector{&data.host_result, {}};
  launch_and_check(by_hand(data, collector), data, collector);
  launch_and_check(by_capture(data, collector), data, collector);
  SUCCEEDS(cudaFreeHost(data.host));
  SUCCEEDS(cudaFree(data.device));
  SUCCEEDS(cudaFree(data.partial));
  SUCCEEDS(cudaFree(data.result));
  return report();
}
