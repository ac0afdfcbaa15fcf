// Other ways: cells in shared memory, a stream that a kernel makes, a graph that is made node by node.
#define by_block solution_by_block
#define by_kernels solution_by_kernels
#define record solution_record
#define redirect solution_redirect
#include "solutions/execution/launch_overhead/launch_overhead.cu"
#undef by_block
#undef by_kernels
#undef record
#undef redirect

/// The cells stay in shared memory until the last step is done.
__global__ void shared_kernel(unsigned* a, unsigned* b, int count, int steps) {
  __shared__ unsigned cells[2][4096];
  for (int i = threadIdx.x; i < count; i += kThreadsOfBlock) cells[0][i] = a[i];
  for (int s = 0; s < steps; ++s) {
    __syncthreads();
    for (int i = threadIdx.x; i < count; i += kThreadsOfBlock)
      cells[(s + 1) % 2][i] = next_cell(cells[s % 2], i, count);
  }
  __syncthreads();
  unsigned* const last = steps % 2 == 0 ? a : b;
  for (int i = threadIdx.x; i < count; i += kThreadsOfBlock) last[i] = cells[steps % 2][i];
}

void by_block(unsigned* a, unsigned* b, int count, int steps) {
  shared_kernel<<<1, kThreadsOfBlock>>>(a, b, count, steps);
  WB_CHECK(cudaGetLastError());
}

/// Into a stream of its own, two steps at a time.
__global__ void parent_with_stream(unsigned* a, unsigned* b, int count, int steps) {
  cudaStream_t stream = nullptr;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  const int blocks = (count - 1) / kThreads + 1;
  for (int s = 0; s < steps; s += 2) {
    step<<<blocks, kThreads, 0, stream>>>(a, b, count);
    if (s + 1 < steps) step<<<blocks, kThreads, 0, stream>>>(b, a, count);
  }
  cudaStreamDestroy(stream);
}

void by_kernels(unsigned* a, unsigned* b, int count, int steps) {
  if (steps > 0) parent_with_stream<<<1, 1>>>(a, b, count, steps);
  WB_CHECK(cudaGetLastError());
}

/// The graph of a chain of kernels, each after the one before it.
cudaGraph_t chain(unsigned* a, unsigned* b, int count, int steps) {
  cudaGraph_t graph = nullptr;
  WB_CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t before = nullptr;
  for (int s = 0; s < steps; ++s) {
    void* arguments[] = {&a, &b, &count};
    cudaKernelNodeParams node{};
    node.func = reinterpret_cast<void*>(step);
    node.gridDim = blocks_for(count);
    node.blockDim = kThreads;
    node.kernelParams = arguments;
    cudaGraphNode_t added = nullptr;
    WB_CHECK(cudaGraphAddKernelNode(&added, graph, &before, s == 0 ? 0 : 1, &node));
    before = added;
    std::swap(a, b);
  }
  return graph;
}

cudaGraphExec_t record(unsigned* a, unsigned* b, int count, int steps) {
  const cudaGraph_t graph = chain(a, b, count, steps);
  cudaGraphExec_t ready = nullptr;
  WB_CHECK(cudaGraphInstantiate(&ready, graph, 0));
  WB_CHECK(cudaGraphDestroy(graph));
  return ready;
}

void redirect(cudaGraphExec_t graph, unsigned* a, unsigned* b, int count, int steps) {
  const cudaGraph_t changed = chain(a, b, count, steps);
  cudaGraphExecUpdateResultInfo info{};
  WB_CHECK(cudaGraphExecUpdate(graph, changed, &info));
  WB_CHECK(cudaGraphDestroy(changed));
}
