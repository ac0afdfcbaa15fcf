// The book's statements on kernels that launch kernels, rows D, as the machine answers them today. See statements.cu.
#include <cstdio>
#include <cstring>

#include "found.cuh"

namespace {

__global__ void store(int* place, int value) { *place = value; }

// A child that begins when its parent's threads have ended runs to its end, and the parent's grid ends after it.
// answers: D04: 1
__global__ void end_after_parent(int* answer) {
  const long long begin = clock64();
  while (clock64() - begin < 100'000) continue;
  *answer = 1;
}
__global__ void end_at_once() { end_after_parent<<<1, 1>>>(&found[0]); }

// A stream that one block made is good for launches of another block, which leaves no error.
// answers: D05: 1 0
__device__ cudaStream_t of_grid;
__device__ volatile int is_made;
__global__ void share_a_stream() {
  if (blockIdx.x == 0) {
    cudaStreamCreateWithFlags(&of_grid, cudaStreamNonBlocking);
    __threadfence();
    is_made = 1;
  } else {
    while (is_made == 0) continue;
    __threadfence();
    store<<<1, 1, 0, of_grid>>>(&found[0], 1);
    found[1] = cudaGetLastError();
  }
}

// A tail launch sees what a child stored: 1, then twice 1 + 1.
// answers: D07: 4
__global__ void add_1(int* place) { *place += 1; }
__global__ void twice(int* place) { *place *= 2; }
__global__ void launch_both() {
  found[0] = 1;
  add_1<<<1, 1>>>(&found[0]);
  twice<<<1, 1, 0, cudaStreamTailLaunch>>>(&found[0]);
}

// A pointer to shared memory of the parent is of no use to a child.
// answers shared: D12: cudaErrorInvalidAddressSpace
__global__ void pass_shared() {
  __shared__ int of_block;
  store<<<1, 1>>>(&of_block, 1);
}

// A child reads the host's texture object.
// answers: D16: 10
__global__ void fetch(cudaTextureObject_t texture, int* answer) { *answer = tex1Dfetch<float>(texture, 1); }
__global__ void pass_texture(cudaTextureObject_t texture) { fetch<<<1, 1>>>(texture, &found[0]); }
void pass_texture_to_child() {
  const float texels[] = {0, 10};
  cudaResourceDesc linear{.resType = cudaResourceTypeLinear};
  cudaMalloc(&linear.res.linear.devPtr, sizeof texels);
  cudaMemcpy(linear.res.linear.devPtr, texels, sizeof texels, cudaMemcpyHostToDevice);
  linear.res.linear.desc = cudaCreateChannelDesc<float>();
  linear.res.linear.sizeInBytes = sizeof texels;
  const cudaTextureDesc how{};
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &linear, &how, nullptr);
  pass_texture<<<1, 1>>>(texture);
}

// 4104 bytes of arguments, where 4096 were the limit.
// answers: D27: 7 0
struct Large {
  int numbers[1024];
};
__global__ void take(Large large, int* answer) { *answer = large.numbers[1023]; }
__global__ void pass_large() {
  Large large{};
  large.numbers[1023] = 7;
  take<<<1, 1>>>(large, &found[0]);
  found[1] = cudaGetLastError();
}

// 4096 launches with the limit of 2048: whether as many ran, and not all; how many of the others were refused for
// another reason; whether all run with a limit of 4096.
// answers: D28: 1 0 1
__managed__ int ran, refused;
__global__ void count() { atomicAdd(&ran, 1); }
__global__ void launch_one() {
  count<<<1, 1>>>();
  if (cudaGetLastError() == cudaErrorLaunchPendingCountExceeded) atomicAdd(&refused, 1);
}
void launch_many() {
  launch_one<<<16, 256>>>();
  cudaDeviceSynchronize();
  found[0] = ran >= 2048 && ran < 4096, found[1] = 4096 - ran - refused;
  cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 4096);
  ran = 0;
  launch_one<<<16, 256>>>();
  cudaDeviceSynchronize();
  found[2] = ran == 4096;
}

// Grids nested 100 deep, where 24 were the limit.
// answers: D30: 100
__global__ void nest(int depth) {
  atomicMax(&found[0], depth);
  if (depth < 100) nest<<<1, 1>>>(depth + 1);
}

// The limit of levels that wait is gone, as the wait is.
// answers: D31: 215 215
void ask_for_depth() {
  std::size_t limit = 0;
  const cudaError_t set = cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 3),
                    got = cudaDeviceGetLimit(&limit, cudaLimitDevRuntimeSyncDepth);
  static_cast<void>(cudaGetLastError());
  found[0] = set, found[1] = got;
}

// Every thread that reaches a launch makes it: 6 blocks of 64 threads.
// answers: D33: 384
__global__ void launch_without_if() { count<<<1, 1>>>(); }
void launch_by_all() {
  ran = 0;
  launch_without_if<<<6, 64>>>();
  cudaDeviceSynchronize();
  found[0] = ran;
}

}  // namespace

int main(int arguments, char** words) {
  if (arguments > 1 && std::strcmp(words[1], "shared") == 0) return pass_shared<<<1, 1>>>(), print("D12", 1), 0;
  end_at_once<<<1, 1>>>(), print("D04", 1);
  share_a_stream<<<2, 1>>>(), print("D05", 2);
  launch_both<<<1, 1>>>(), print("D07", 1);
  pass_texture_to_child(), print("D16", 1);
  pass_large<<<1, 1>>>(), print("D27", 2);
  launch_by_all(), print("D33", 1);
  nest<<<1, 1>>>(1), print("D30", 1);
  ask_for_depth(), print("D31", 2);
  ran = 0, launch_many(), print("D28", 3);
  return 0;
}
