// The book's statements on the language, as the machine shows them. The program prints what the comments "answers:"
// say.
//
// values_test.py runs it, as values.cu. "finds race: B.14: ..." stands for what checkers find with the argument race:
// what programs must not do, even if the result is right.
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>

#include <cstdio>
#include <cstring>

#include "found.cuh"

namespace {

// All extern arrays begin at one address. What lasts over two launches that add 1: 5 of the device, 5 of a kernel, and
// 5 of managed memory that the host doubles in between; what a launch stores in constant memory of the host's: 8,
// then 9.
// answers: B.2: 0 0 7 7 13 8 9
__device__ int of_device = 5;
__constant__ int of_constant = 1;
__managed__ int of_managed = 5;
__global__ void last() {
  extern __shared__ short shorts[];
  extern __shared__ int ints[];
  extern __shared__ double doubles[];
  static int of_kernel = 5, launch = 0;
  const auto at = [](const void* p) { return static_cast<int>(__cvta_generic_to_shared(p)); };
  found[0] = at(ints) - at(shorts), found[1] = at(doubles) - at(shorts);
  found[2] = ++of_device, found[3] = ++of_kernel, found[4] = ++of_managed, found[5 + launch++] = of_constant;
}
void launch_twice() {
  for (int number = 8; number < 10; ++number) {
    cudaMemcpyToSymbol(of_constant, &number, sizeof number);
    last<<<1, 1, 64>>>();
    cudaDeviceSynchronize();
    if (number == 8) of_managed *= 2;
  }
}
// Shared memory is the block's: nothing of what an earlier one stored there may be read.
// finds earlier_block: B.2: uninitialised
__global__ void count_in_block() {
  __shared__ volatile int of_block;
  of_block = of_block + 1;
  found[0] = of_block;
}

// What one block stores before a fence, another one has after its own, once it saw the volatile flag; how many of 64
// threads have what another one stored before __syncthreads().
// answers: B.5: 42 64
// Atomics alone order nothing.
// finds atomics_alone: B.14: race
// finds atomics_alone: B.5: race
__device__ int message;
__device__ volatile int flag;
__device__ int counted;
__global__ void tell(bool fences) {
  if (blockIdx.x == 0) {
    message = 42;
    if (fences) {
      __threadfence();
      flag = 1;
    } else {
      atomicAdd(&counted, 1);
    }
  } else {
    if (fences) {
      while (flag == 0) continue;
      __threadfence();
    } else {
      while (atomicAdd(&counted, 0) == 0) continue;
    }
    found[0] = message;
  }
}
__global__ void exchange() {
  __shared__ int numbers[64];
  numbers[threadIdx.x] = threadIdx.x;
  __syncthreads();
  atomicAdd(&found[1], numbers[63 - threadIdx.x] == 63 - threadIdx.x);
}

// Linear memory of 0, 10, 20, with a linear filter and each address mode: no filter, and 0 outside.
// answers: B.8: 10 0 0 10 0 0 10 0 0 10 0 0
__global__ void fetch(cudaTextureObject_t texture, int at) {
  for (int i = 0; i < 3; ++i) found[3 * at + i] = tex1Dfetch<float>(texture, i == 0 ? 1 : i == 1 ? 3 : -1);
}
void fetch_all() {
  const auto format = cudaCreateChannelDesc<float>();
  const float texels[] = {0, 10, 20};
  float* line = nullptr;
  cudaMalloc(&line, sizeof texels);
  cudaMemcpy(line, texels, sizeof texels, cudaMemcpyHostToDevice);
  cudaResourceDesc linear{.resType = cudaResourceTypeLinear};
  linear.res.linear = {line, format, sizeof texels};
  for (int mode = 0; mode < 4; ++mode) {
    const cudaTextureDesc how{.addressMode = {static_cast<cudaTextureAddressMode>(mode)},
                              .filterMode = cudaFilterModeLinear};
    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &linear, &how, nullptr);
    fetch<<<1, 1>>>(texture, mode);
  }
}

// Without a mode an access outside ends the kernel.
// answers reads_outside: B.9: cudaErrorIllegalAddress
// answers writes_outside: B.9: cudaErrorIllegalAddress
// answers inside: B.9: 7
__global__ void use_surface(cudaSurfaceObject_t surface, int reads_at, int writes_at) {
  surf1Dwrite(7, surface, 4 * writes_at);
  found[0] = surf1Dread<int>(surface, 4 * reads_at);
}
void use_surface(int reads_at, int writes_at) {
  const auto format = cudaCreateChannelDesc<int>();
  cudaResourceDesc resource{.resType = cudaResourceTypeArray};
  cudaSurfaceObject_t surface = 0;
  cudaMallocArray(&resource.res.array.array, &format, 4, 0, cudaArraySurfaceLoadStore);
  cudaCreateSurfaceObject(&surface, &resource);
  use_surface<<<1, 1>>>(surface, reads_at, writes_at);
}

// A barrier for two: whether the token's phase is over after one arrival, and after both; what the next phase waits
// for; whether it is over at once, and whether the one before still is.
// answers: B.25: 0 1 2 0 1
__global__ void phases() {
  __shared__ __mbarrier_t barrier;
  __mbarrier_init(&barrier, 2);
  const __mbarrier_token_t first = __mbarrier_arrive(&barrier);
  found[0] = __mbarrier_test_wait(&barrier, first);
  const __mbarrier_token_t second = __mbarrier_arrive(&barrier);
  found[1] = __mbarrier_test_wait(&barrier, first);
  const __mbarrier_token_t next = __mbarrier_arrive(&barrier);
  found[2] = static_cast<int>(__mbarrier_token_pending_count(next));
  found[3] = __mbarrier_test_wait(&barrier, next);
  found[4] = __mbarrier_test_wait(&barrier, second);
}

// Between an asynchronous copy and the wait for it nobody may touch its target, nor write its source.
// answers: B.26: 1
// finds reads_target: B.26: race
// finds writes_target: B.26: race
// finds writes_source: B.26: race
__managed__ int source = 1;
__global__ void copy(int mistake) {
  __shared__ int target[32];
  __pipeline_memcpy_async(&target[threadIdx.x], &source, sizeof(int));
  __pipeline_commit();
  if (mistake == 1 && threadIdx.x == 0) found[1] = target[0];
  if (mistake == 2) target[threadIdx.x] = 2;
  if (mistake == 3 && threadIdx.x == 0) source = 2;
  __pipeline_wait_prior(0);
  if (threadIdx.x == 0) found[0] = target[0];
}

// Only a barrier puts what two warps print in order.
// answers: B.32: before and after
__global__ void print_in_order() {
  if (threadIdx.x == 32) printf("B.32: before");
  __syncthreads();
  if (threadIdx.x == 0) printf(" and after\n");
}

// The heap's bytes. It cannot grow once a kernel that uses it was loaded; the host's calls neither free nor copy what
// is in it: cudaErrorInvalidValue is 1. That memory is still there after all.
// finds heap: B.33: wrong free
// finds heap: B.33: device heap pointer
// answers heap: B.33: 8388608 1 1 1 7
__device__ int* place;
__global__ void take() {
  place = static_cast<int*>(malloc(sizeof(int)));
  *place = 7;
}
__global__ void give_back() {
  found[4] = *place;
  free(place);
}
void use_heap() {
  std::size_t bytes = 0;
  int copied = 0, *of_heap = nullptr;
  take<<<1, 1>>>();
  cudaMemcpyFromSymbol(&of_heap, place, sizeof of_heap);
  cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize);
  found[0] = static_cast<int>(bytes);
  found[1] = cudaDeviceSetLimit(cudaLimitMallocHeapSize, 2 * bytes);
  found[2] = cudaFree(of_heap);
  found[3] = cudaMemcpy(&copied, of_heap, sizeof copied, cudaMemcpyDeviceToHost);
  static_cast<void>(cudaGetLastError());
  give_back<<<1, 1>>>();
}

// A kernel that would have many registers, and the same with bounds of 1024 threads and two blocks: whether they are
// more than 32, and how many blocks of 1024 threads fit on a multiprocessor: without, none.
// answers: B.35: 1 0 0 2
template <int numbers>
__device__ void keep_many(float* data) {
  float all[numbers];
  for (int i = 0; i < numbers; ++i) all[i] = data[i * blockDim.x + threadIdx.x];
  for (int k = 0; k < numbers; ++k)
    for (int i = 0; i < numbers; ++i) all[i] = all[i] * all[(i + 1) % numbers] + 1;
  for (int i = 0; i < numbers; ++i) data[i * blockDim.x + threadIdx.x] = all[i];
}
__global__ void unbounded(float* data) { keep_many<48>(data); }
__global__ void __launch_bounds__(1024, 2) bounded(float* data) { keep_many<48>(data); }
void compare_bounds() {
  cudaFuncAttributes of_unbounded{}, of_bounded{};
  cudaFuncGetAttributes(&of_unbounded, unbounded), cudaFuncGetAttributes(&of_bounded, bounded);
  found[0] = of_unbounded.numRegs > 32, found[1] = of_bounded.numRegs > 32;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&found[2], unbounded, 1024, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&found[3], bounded, 1024, 0);
}

}  // namespace

int main(int arguments, char** words) {
  const auto is = [&](const char* name) { return arguments > 1 && std::strcmp(words[1], name) == 0; };
  if (is("earlier_block")) return count_in_block<<<2, 1>>>(), print("B.2", 1), 0;
  if (is("atomics_alone")) return tell<<<2, 1>>>(false), print("B.14", 1), 0;
  if (is("reads_outside")) return use_surface(4, 3), print("B.9", 1), 0;
  if (is("writes_outside")) return use_surface(3, 4), print("B.9", 1), 0;
  if (is("inside")) return use_surface(3, 3), print("B.9", 1), 0;
  if (is("reads_target")) return copy<<<1, 32>>>(1), print("B.26", 1), 0;
  if (is("writes_target")) return copy<<<1, 32>>>(2), print("B.26", 1), 0;
  if (is("writes_source")) return copy<<<1, 32>>>(3), print("B.26", 1), 0;
  if (is("heap")) return use_heap(), print("B.33", 5), 0;
  launch_twice(), print("B.2", 7);
  tell<<<2, 1>>>(true), exchange<<<1, 64>>>(), print("B.5", 2);
  fetch_all(), print("B.8", 12);
  phases<<<1, 1>>>(), print("B.25", 5);
  copy<<<1, 32>>>(0), print("B.26", 1);
  print_in_order<<<1, 64>>>(), cudaDeviceSynchronize();
  compare_bounds(), print("B.35", 4);
  return 0;
}
