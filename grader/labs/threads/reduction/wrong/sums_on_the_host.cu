// A cheat: the numbers are copied to the host and added there.
// rejected-by: counters.the sum reads every number once, in one launch
// because: Does the answer do its work on the GPU?
#include <numeric>
#include <vector>

#include "grader/labs/threads/reduction/wrong/right_parts.cuh"

void sum(const float* in, float* out, float*, int n) {
  std::vector<float> numbers(n);
  cudaMemcpy(numbers.data(), in, n * sizeof(float), cudaMemcpyDeviceToHost);
  const float result = static_cast<float>(std::accumulate(numbers.begin(), numbers.end(), 0.0));
  cudaMemcpy(out, &result, sizeof(float), cudaMemcpyHostToDevice);
}
