// Each argument makes one mistake; the test reads the message.
#include <cuda_runtime.h>

#include <cassert>
#include <cstdio>
#include <cstring>

__global__ void store(int* data, long long index) {
  data[index] = 1;  // the store that faults
}

__global__ void load(const int* data, long long index, int* out) { *out = data[index]; }

__global__ void misaligned(char* data) { *reinterpret_cast<int*>(data + 2) = 1; }

__global__ void stop() {
  if (threadIdx.x == 3) __trap();
}

__global__ void affirm(int a) { assert(a == 0 || threadIdx.x < 2); }

__global__ void say(int k) { printf("say %d\n", k); }

__device__ int variable[4];
__global__ void past_variable(int i) { variable[i] = 1; }

__device__ __noinline__ int deep(int n) {
  volatile int frame[64];
  frame[n % 64] = n;
  return n <= 0 ? 0 : deep(n - 1) + frame[n % 64];
}
__global__ void recurse(int n, int* out) { *out = deep(n); }

int main(int argc, char** argv) {
  const char* mistake = argc > 1 ? argv[1] : "";
  const auto is = [&](const char* name) { return std::strcmp(mistake, name) == 0; };
  int *first = nullptr, *data = nullptr;
  cudaMalloc(&first, 1000);
  cudaMalloc(&data, 400);
  cudaMemset(data, 0, 400);
  if (is("out_of_bounds")) store<<<3, 32>>>(data, 100);
  if (is("read")) load<<<1, 1>>>(data, -1, first);
  if (is("null")) store<<<1, 1>>>(nullptr, 0);
  if (is("misaligned")) misaligned<<<1, 1>>>(reinterpret_cast<char*>(data));
  if (is("trap")) stop<<<2, 32>>>();
  if (is("assertion")) affirm<<<2, 3>>>(1);
  if (is("past_variable")) past_variable<<<1, 1>>>(5);
  if (is("recursion")) recurse<<<1, 1>>>(3, data);
  if (is("deep_recursion")) recurse<<<1, 1>>>(1000000, data);
  if (is("freed")) {
    cudaFree(data);
    store<<<1, 1>>>(data, 0);
  }
  if (is("host_memory")) {
    static int host[4];
    store<<<1, 1>>>(host, 0);
  }
  if (is("host_dereference")) {
    std::printf("before\n");
    std::fflush(stdout);
    first[3] = 7;
  }
  if (is("host_null")) *static_cast<volatile int*>(nullptr) = 1;
  if (is("print")) {
    say<<<1, 2>>>(1);
    std::printf("before the synchronisation\n");
    cudaDeviceSynchronize();
    std::printf("after it\n");
  }
  if (is("print_unseen")) {
    say<<<1, 1>>>(1);
    return 0;
  }
  std::printf("peek %d\n", cudaPeekAtLastError());
  std::printf("launch %d\n", cudaGetLastError());
  std::printf("synchronise %d\n", cudaDeviceSynchronize());
  std::printf("last %d\n", cudaGetLastError());
  std::printf("then %d\n", cudaGetLastError());
  std::printf("malloc %d\n", cudaMalloc(&first, 4));
  std::printf("reset %d\n", cudaDeviceReset());
  std::printf("malloc %d\n", cudaMalloc(&first, 4));
  return 0;
}
