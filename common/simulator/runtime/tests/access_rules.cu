// One access of interest in each kernel and one warp in each launch, so that every counter can be read directly.
// h200_access_rules.csv holds what Nsight Compute counted for these launches, in this order, on an H200 (2026-11-21).
#include <cuda_runtime.h>

#include <cstdio>

// Patterns: the element that each lane touches.
struct Unit {
  static __device__ int of(int lane) { return lane; }
};
template <int Stride>
struct Strided {
  static __device__ int of(int lane) { return lane * Stride; }
};
struct OneWord {
  static __device__ int of(int) { return 0; }
};
struct TwoWordsOneBank {
  static __device__ int of(int lane) { return lane % 2 * 32; }
};
struct Neighbours {
  static __device__ int of(int lane) { return lane / 2; }
};  // i and i^1
struct SecondNeighbours {
  static __device__ int of(int lane) { return lane % 2 + lane / 4 * 2; }
};  // i and i^2
struct HalfWarps {
  static __device__ int of(int lane) { return lane % 16; }
};
struct QuarterWarps {
  static __device__ int of(int lane) { return lane % 8; }
};
struct Reversed {
  static __device__ int of(int lane) { return 31 - lane; }
};
struct Exclusive {
  static __device__ int of(int lane) { return lane ^ 5; }
};
struct OffByOne {
  static __device__ int of(int lane) { return lane + 1; }
};

__device__ float sum(float v) { return v; }
__device__ float sum(float2 v) { return v.x + v.y; }
__device__ float sum(float4 v) { return v.x + v.y + v.z + v.w; }

template <class T>
__device__ T* shared_array() {
  extern __shared__ __align__(16) char bytes[];
  return reinterpret_cast<T*>(bytes);
}

template <class T, class P>
__global__ void load_shared(float* out) {
  out[threadIdx.x] = sum(shared_array<T>()[P::of(threadIdx.x)]);
}

template <class T, class P>
__global__ void store_shared(float* out, T value) {
  shared_array<T>()[P::of(threadIdx.x)] = value;
  __syncwarp();
  asm volatile("" ::: "memory");
  if (out == nullptr) out[0] = sum(shared_array<T>()[threadIdx.x]);  // never: keeps the store alive
}

template <class T, class P>
__global__ void load_global(const T* __restrict__ in, float* out) {
  out[threadIdx.x] = sum(__ldcg(&in[P::of(threadIdx.x)]));
}

template <class T, class P>
__global__ void load_global_cached(const T* in, float* out) {
  out[threadIdx.x] = sum(__ldca(&in[P::of(threadIdx.x)]));
}

template <class T, class P>
__global__ void store_global(T* out, T value) {
  out[P::of(threadIdx.x)] = value;
}

__global__ void load_half_warp(const float* in, float* out) {
  if (threadIdx.x < 16) out[threadIdx.x] = in[threadIdx.x * 8];
}
__global__ void reduce_one_word(int* to) { atomicAdd(to, threadIdx.x); }
__global__ void add_one_word(int* to, int* old) { old[threadIdx.x] = atomicAdd(to, threadIdx.x); }
__global__ void reduce_words(int* to) { atomicAdd(to + threadIdx.x, 1); }
__global__ void reduce_sectors(int* to) { atomicAdd(to + threadIdx.x * 8, 1); }

template <int Stride>
__global__ void add_shared(int* out) {
  __shared__ int words[64];
  words[threadIdx.x] = 0;
  __syncwarp();
  atomicAdd(&words[threadIdx.x * Stride], threadIdx.x);
  __syncwarp();
  out[threadIdx.x] = words[threadIdx.x];
}

float *data, *result;
int* words;

struct LoadShared {
  template <class T, class P>
  static void run() {
    load_shared<T, P><<<1, 32, 48 * 1024>>>(result);
  }
};
struct StoreShared {
  template <class T, class P>
  static void run() {
    store_shared<T, P><<<1, 32, 48 * 1024>>>(result, T{});
  }
};
struct LoadGlobal {
  template <class T, class P>
  static void run() {
    load_global<T, P><<<1, 32>>>(reinterpret_cast<const T*>(data), result);
  }
};
struct LoadGlobalCached {
  template <class T, class P>
  static void run() {
    load_global_cached<T, P><<<1, 32>>>(reinterpret_cast<const T*>(data), result);
  }
};
struct StoreGlobal {
  template <class T, class P>
  static void run() {
    store_global<T, P><<<1, 32>>>(reinterpret_cast<T*>(data), T{});
  }
};

template <class Access, class T, class... Patterns>
void each() {
  (Access::template run<T, Patterns>(), ...);
}

template <class Access, class T>
void all_patterns() {
  each<Access, T, Unit, Strided<2>, Strided<4>, Strided<8>, Strided<16>, Strided<32>, Strided<33>, OneWord,
       TwoWordsOneBank, Neighbours, SecondNeighbours, HalfWarps, QuarterWarps, Reversed, Exclusive, OffByOne>();
}

int main() {
  cudaMalloc(&data, 1 << 22);
  cudaMalloc(&result, 1 << 16);
  cudaMalloc(&words, 1 << 16);
  cudaMemset(data, 0, 1 << 22);
  cudaMemset(words, 0, 1 << 16);
  all_patterns<LoadShared, float>();
  all_patterns<LoadShared, float2>();
  all_patterns<LoadShared, float4>();
  all_patterns<StoreShared, float>();
  all_patterns<StoreShared, float2>();
  all_patterns<StoreShared, float4>();
  all_patterns<LoadGlobal, float>();
  all_patterns<LoadGlobal, float2>();
  all_patterns<LoadGlobal, float4>();
  all_patterns<LoadGlobalCached, float>();
  all_patterns<StoreGlobal, float>();
  all_patterns<StoreGlobal, float4>();
  load_half_warp<<<1, 32>>>(data, result);
  reduce_one_word<<<1, 32>>>(words);
  add_one_word<<<1, 32>>>(words, reinterpret_cast<int*>(result));
  reduce_words<<<1, 32>>>(words);
  reduce_sectors<<<1, 32>>>(words);
  add_shared<0><<<1, 32>>>(reinterpret_cast<int*>(result));
  add_shared<1><<<1, 32>>>(reinterpret_cast<int*>(result));
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
