// A stream for copies in, one for kernels, one for copies out; events order the work on a slice. Memory is registered.
#include <cstdlib>

#include "streams.h"

#define pipeline solution_pipeline
#define allocate_host solution_allocate_host
#define free_host solution_free_host
#include "solutions/execution/streams/streams.cu"
#undef pipeline
#undef allocate_host
#undef free_host

float* allocate_host(int count) {
  const std::size_t bytes = (count * sizeof(float) + 4095) / 4096 * 4096;
  void* memory = std::aligned_alloc(4096, bytes);
  WB_CHECK(cudaHostRegister(memory, bytes, cudaHostRegisterDefault));
  return static_cast<float*>(memory);
}

void free_host(float* memory) {
  WB_CHECK(cudaHostUnregister(memory));
  std::free(memory);
}

void pipeline(const float* in, float* out, float* device, int count) {
  cudaStream_t to_device, compute, to_host;
  for (cudaStream_t* stream : {&to_device, &compute, &to_host}) WB_CHECK(cudaStreamCreate(stream));
  constexpr int kSlice = 1 << 18;  // 1 MiB, whatever the number of elements.
  for (int first = 0; first < count; first += kSlice) {
    const int size = std::min(kSlice, count - first);
    WB_CHECK(cudaMemcpyAsync(device + first, in + first, size * sizeof(float), cudaMemcpyDefault, to_device));
    wait_for(compute, to_device);
    transform(device + first, size, compute);
    wait_for(to_host, compute);
    WB_CHECK(cudaMemcpyAsync(out + first, device + first, size * sizeof(float), cudaMemcpyDefault, to_host));
  }
  WB_CHECK(cudaStreamSynchronize(to_host));
  for (const cudaStream_t stream : {to_device, compute, to_host}) WB_CHECK(cudaStreamDestroy(stream));
}
