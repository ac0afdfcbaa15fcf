// A cheat: the arrays are copied to the host, added by a loop there and copied back.
// rejected-by: counters.loads and stores move whole sectors
// because: Does the answer do its work on the GPU?
#include <vector>

#include "vector_add.h"

void vector_add(const float* a, const float* b, float* c, int count) {
  std::vector<float> x(count), y(count);
  cudaMemcpy(x.data(), a, sizeof(float) * count, cudaMemcpyDeviceToHost);
  cudaMemcpy(y.data(), b, sizeof(float) * count, cudaMemcpyDeviceToHost);
  for (int i = 0; i < count; ++i) x[i] += y[i];
  cudaMemcpy(c, x.data(), sizeof(float) * count, cudaMemcpyHostToDevice);
}
