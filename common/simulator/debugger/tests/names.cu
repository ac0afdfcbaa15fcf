// A program whose names are not plain for the tests of the debugger: templates, namespaces, bases, and loops that end
// late.
#include <cuda_fp16.h>

#include <cstdio>
#include <cstring>

namespace physics {

struct Base {
  int id;
};
struct Body : Base {
  float x, y;
  Body* next;
  unsigned flags : 3, kind : 5;
  char name[8];
  __device__ float dot(const Body& other) const {
    float sum = x * other.x;
    return sum + y * other.y;
  }
};
enum class Mode { slow = 1, fast = 7 };
__device__ int total = 40;

template <typename T, int N>
__global__ void step(Body* bodies, T* out, Mode mode) {
  extern __shared__ float scratch[];
  const int i = threadIdx.x;
  half h = __float2half(1.5f);
  Body* b = &bodies[i % N];
  scratch[i] = b->dot(*b);
  auto twice = [&](T value) {
    T result = value + value;
    return result;
  };
  out[i] = twice(scratch[i]) + __half2float(h);
  if (mode == Mode::fast) atomicAdd(&total, 1);
}

}  // namespace physics

__global__ void spins(volatile int* flag, int* rounds) {
  while (*flag == 0) {
    if (threadIdx.x == 0) ++*rounds;
  }
}

__global__ void waits(volatile int* flag, int* seen) {
  while (*flag == 0) {
  }
  *seen = *flag;
}

__global__ void sets(int* flag, int value) {
  int stored = value;
  *flag = stored;
}

int main(int count, char** words) {
  using namespace physics;
  const char* const mode = count > 1 ? words[1] : "";
  Body* bodies;
  float* out;
  int* flags;
  cudaMallocManaged(&bodies, 4 * sizeof(Body));
  cudaMalloc(&out, 64 * sizeof(float));
  cudaMalloc(&flags, 3 * sizeof(int));
  cudaMemset(flags, 0, 3 * sizeof(int));
  std::memset(static_cast<void*>(bodies), 0, 4 * sizeof(Body));
  for (int i = 0; i < 4; ++i) {
    bodies[i].id = 100 + i, bodies[i].x = static_cast<float>(i), bodies[i].y = 2;
    bodies[i].next = bodies + (i + 1) % 4, bodies[i].flags = 5, bodies[i].kind = 17;
    std::snprintf(bodies[i].name, sizeof bodies[i].name, "b%d", i);
  }
  std::puts("begins");
  std::fflush(stdout);
  if (std::strcmp(mode, "spin") == 0) {
    spins<<<1, 32>>>(flags, flags + 1);
  } else if (std::strcmp(mode, "wait") == 0) {  // Two that wait: one for the second, that for a third.
    cudaStream_t streams[3];
    for (cudaStream_t& stream : streams) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    waits<<<1, 1, 0, streams[0]>>>(flags, flags + 2);
    waits<<<1, 1, 0, streams[1]>>>(flags + 1, flags);
    sets<<<1, 1, 0, streams[2]>>>(flags + 1, 9);
  } else {
    step<float, 4><<<1, 16, 64>>>(bodies, out, Mode::fast);
  }
  const cudaError_t error = cudaDeviceSynchronize();
  int seen[3];
  cudaMemcpy(seen, flags, sizeof seen, cudaMemcpyDeviceToHost);
  std::printf("%s, saw %d\n", cudaGetErrorName(error), seen[2]);
  return error == cudaSuccess ? 0 : 3;
}
