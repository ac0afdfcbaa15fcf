// A cheat: the host adds the numbers; a kernel reads them, as fast as can be, and forgets them.
// rejected-by: counters.the sum reads every number once, in one launch
// because: copied data to the host
#include <algorithm>
#include <numeric>
#include <vector>

#include "grader/labs/threads/reduction/wrong/right_parts.cuh"

namespace {

__device__ float never_written;

__global__ void only_reads(const float4* in, int count) {
  float value = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < count; i += gridDim.x * 256)
    value += (in[i].x + in[i].y) + (in[i].z + in[i].w);
  if (value == 1.25e30f) never_written = value;
}

}  // namespace

void sum(const float* in, float* out, float*, int n) {
  std::vector<float> numbers(n);
  cudaMemcpy(numbers.data(), in, n * sizeof(float), cudaMemcpyDeviceToHost);
  const float result = static_cast<float>(std::accumulate(numbers.begin(), numbers.end(), 0.0));
  cudaMemcpy(out, &result, sizeof(float), cudaMemcpyHostToDevice);
  only_reads<<<std::clamp(n / 1024, 1, 1056), 256>>>(reinterpret_cast<const float4*>(in), n / 4);
}
