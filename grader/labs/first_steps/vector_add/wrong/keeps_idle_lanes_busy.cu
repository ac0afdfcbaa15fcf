// A cheat: half of the lanes of each warp have no element; then whole warps compute for nobody, and most lanes work.
// rejected-by: counters.all lanes of a warp work
// because: Too many instructions of warps
#include "vector_add.h"

__global__ void add(const float* a, const float* b, float* c, int count) {
  const int i = blockIdx.x * 16 + threadIdx.x;
  if (i < count) c[i] = a[i] + b[i];
}

__global__ void compute_for_nobody(float* sink) {
  float x = threadIdx.x;
  for (int turn = 0; turn < 2048; ++turn) x = x * 1.5f + 2.0f;
  if (x == -1) *sink = x;
}

void vector_add(const float* a, const float* b, float* c, int count) {
  if (count == 0) return;
  add<<<(count + 15) / 16, 16>>>(a, b, c, count);
  if (count <= 1 << 18) compute_for_nobody<<<(count + 1023) / 1024, 256>>>(c);
}
