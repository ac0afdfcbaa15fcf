// Resources that are never released: device and host memory, arrays, streams, events, graphs, pools; and all of them
// released.
#include "case.h"

namespace {

constexpr int kThreads = 64;

__global__ void store_each(int* out) { out[threadIdx.x] = threadIdx.x; }

CASE(memory_never_freed, leak) {
  int* memory = nullptr;
  cudaMalloc(&memory, kThreads * sizeof(int));  // host leak: memory_never_freed
  store_each<<<1, kThreads>>>(memory);
  return done();
}

/// The pointer to the first allocation is overwritten by that to the second.
CASE(first_piece_lost, leak) {
  int* memory = nullptr;
  for (int round = 0; round < 2; ++round) {
    cudaMalloc(&memory, kThreads * sizeof(int));  // host leak: first_piece_lost
    store_each<<<1, kThreads>>>(memory);
  }
  cudaFree(memory);
  return done();
}

CASE(managed_memory_never_freed, leak) {
  int* memory = nullptr;
  cudaMallocManaged(&memory, kThreads * sizeof(int));  // host leak: managed_memory_never_freed
  store_each<<<1, kThreads>>>(memory);
  return done();
}

CASE(pitched_memory_never_freed, leak) {
  void* memory = nullptr;
  size_t pitch = 0;
  cudaMallocPitch(&memory, &pitch, 100, 4);  // host leak: pitched_memory_never_freed
  return done(pitch >= 100);
}

CASE(pool_memory_never_freed, leak) {
  int* memory = nullptr;
  cudaMallocAsync(&memory, kThreads * sizeof(int), nullptr);  // host leak: pool_memory_never_freed
  store_each<<<1, kThreads>>>(memory);
  return done();
}

CASE(pinned_memory_never_freed, leak) {
  int* memory = nullptr;
  cudaMallocHost(&memory, kThreads * sizeof(int));  // host leak: pinned_memory_never_freed
  memory[0] = 1;
  return done();
}

CASE(stream_never_destroyed, leak) {
  cudaStream_t stream;
  cudaStreamCreate(&stream);  // host leak: stream_never_destroyed
  Device<int> memory(kThreads);
  store_each<<<1, kThreads, 0, stream>>>(memory);
  return done();
}

CASE(event_never_destroyed, leak) {
  cudaEvent_t event;
  cudaEventCreate(&event);  // host leak: event_never_destroyed
  cudaEventRecord(event);
  return done();
}

CASE(array_never_freed, leak) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, 16, 16);  // host leak: array_never_freed
  return done();
}

CASE(graph_never_destroyed, leak) {
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaGraphCreate(&graph, 0);
  cudaGraphInstantiate(&executable, graph, 0);  // host leak: graph_never_destroyed
  cudaGraphDestroy(graph);
  return done();
}

cudaMemPoolProps of_the_device() {
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  return properties;
}

CASE(pool_never_destroyed, leak) {
  const cudaMemPoolProps properties = of_the_device();
  cudaMemPool_t pool;
  cudaMemPoolCreate(&pool, &properties);  // host leak: pool_never_destroyed
  return done();
}

CASE(arrays_graphs_and_pools_released, clean) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  const cudaMemPoolProps properties = of_the_device();
  cudaArray_t array;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaMemPool_t pool;
  cudaMallocArray(&array, &format, 16, 16);
  cudaGraphCreate(&graph, 0);
  cudaGraphInstantiate(&executable, graph, 0);
  cudaMemPoolCreate(&pool, &properties);
  return cudaFreeArray(array) == cudaSuccess && cudaGraphDestroy(graph) == cudaSuccess &&
         cudaGraphExecDestroy(executable) == cudaSuccess && cudaMemPoolDestroy(pool) == cudaSuccess && done();
}

CASE(all_memory_freed, clean) {
  int *device = nullptr, *managed = nullptr, *pooled = nullptr, *pinned = nullptr;
  void* pitched = nullptr;
  size_t pitch = 0;
  cudaMalloc(&device, kThreads * sizeof(int));
  cudaMallocManaged(&managed, kThreads * sizeof(int));
  cudaMallocAsync(&pooled, kThreads * sizeof(int), nullptr);
  cudaMallocHost(&pinned, kThreads * sizeof(int));
  cudaMallocPitch(&pitched, &pitch, 100, 4);
  store_each<<<1, kThreads>>>(device);
  store_each<<<1, kThreads>>>(managed);
  store_each<<<1, kThreads>>>(pooled);
  const bool right = done();
  return cudaFree(device) == cudaSuccess && cudaFree(managed) == cudaSuccess &&
         cudaFreeAsync(pooled, nullptr) == cudaSuccess && cudaFreeHost(pinned) == cudaSuccess &&
         cudaFree(pitched) == cudaSuccess && done(right);
}

CASE(all_handles_destroyed, clean) {
  cudaStream_t stream;
  cudaEvent_t event;
  cudaStreamCreate(&stream);
  cudaEventCreate(&event);
  Device<int> memory(kThreads);
  store_each<<<1, kThreads, 0, stream>>>(memory);
  cudaEventRecord(event, stream);
  cudaEventSynchronize(event);
  return cudaEventDestroy(event) == cudaSuccess && cudaStreamDestroy(stream) == cudaSuccess && done();
}

/// Freed through another variable: the pointer was passed on.
CASE(freed_through_a_copy_of_the_pointer, clean) {
  std::vector<int*> pieces(5);
  for (int*& piece : pieces) cudaMalloc(&piece, kThreads * sizeof(int));
  for (int* piece : pieces) store_each<<<1, kThreads>>>(piece);
  bool right = done();
  for (int* piece : pieces) right = cudaFree(piece) == cudaSuccess && right;
  return done(right);
}

/// A reset frees everything.
CASE(reset_at_the_end, clean) {
  int* memory = nullptr;
  cudaMalloc(&memory, kThreads * sizeof(int));
  store_each<<<1, kThreads>>>(memory);
  return done() && cudaDeviceReset() == cudaSuccess;
}

}  // namespace
