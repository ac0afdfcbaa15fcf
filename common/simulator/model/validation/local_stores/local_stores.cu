// Stores of a word by each of the first lanes of all warps, again and again: to arrays in local memory, and to as many
// lines of global memory. On a machine with a GPU:
// nvcc -std=c++20 -arch=sm_90 local_stores.cu -o local_stores && ./local_stores
//
// Columns: kernel, blocks of 256 threads, stores of a lane, lanes, words of the array (global*: words between warps),
// us.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

template <int words>
__global__ void local_lines(unsigned* out, int stores, unsigned mask, int lanes) {
  volatile unsigned array[words];
  for (int k = 0; k < words; ++k) array[k] = k;
  if ((threadIdx.x & 31) < lanes)
    for (int k = 0; k < stores; ++k) array[k & mask] = k;
  out[blockIdx.x * blockDim.x + threadIdx.x] = array[out[0] & mask];
}

/// Each lane has an index of its own, so that a store touches many lines.
__global__ void local_scattered(unsigned* out, int stores) {
  volatile unsigned array[32];
  for (int k = 0; k < 32; ++k) array[k] = k;
  unsigned at = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u;
  for (int k = 0; k < stores; ++k) {
    at = at * 1664525u + 1013904223u;
    array[at >> 27] = k;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = array[out[0] & 31];
}

__global__ void global_lines(unsigned* to, int stores, unsigned mask, int lanes, size_t words_between_warps) {
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  volatile unsigned* own = to + warp * words_between_warps + lane;
  if (lane < lanes)
    for (int k = 0; k < stores; ++k) own[(k & mask) * 32] = k;
}

/// Prints the median of nine launches.
template <class Launch>
void time(const char* name, int blocks, int stores, int lanes, int words, Launch launch) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  std::vector<float> us;
  for (int i = 0; i < 9; ++i) {
    cudaEventRecord(begin);
    launch();
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    float ms;
    cudaEventElapsedTime(&ms, begin, end);
    us.push_back(ms * 1000);
  }
  std::sort(us.begin(), us.end());
  printf("%s,%d,%d,%d,%d,%.2f,%s\n", name, blocks, stores, lanes, words, us[4], cudaGetErrorString(cudaGetLastError()));
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
}

int main() {
  unsigned* memory;
  if (cudaMalloc(&memory, size_t{1} << 30) != cudaSuccess) return 1;
  cudaMemset(memory, 0, size_t{1} << 30);
  for (int blocks : {132, 264, 528})
    for (int stores : {256, 1024}) {
      for (int lanes : {32, 12, 1}) {
        time("local8", blocks, stores, lanes, 8, [&] { local_lines<8><<<blocks, 256>>>(memory, stores, 7, lanes); });
        time("local32", blocks, stores, lanes, 32,
             [&] { local_lines<32><<<blocks, 256>>>(memory, stores, 31, lanes); });
      }
      time("local1", blocks, stores, 32, 1, [&] { local_lines<8><<<blocks, 256>>>(memory, stores, 0, 32); });
      for (int lanes : {32, 12})
        for (int words : {256, 1024, 4096, 16384})
          time("global8", blocks, stores, lanes, words,
               [&] { global_lines<<<blocks, 256>>>(memory, stores, 7, lanes, words); });
      time("global128", blocks, stores, 32, 4096,
           [&] { global_lines<<<blocks, 256>>>(memory, stores, 127, 32, 4096); });
      time("scattered", blocks, stores, 32, 32, [&] { local_scattered<<<blocks, 256>>>(memory, stores); });
    }
  cudaFree(memory);
}
