// All but compact() is that of the solution.
#define compact solution_compact
#include "solutions/patterns/compaction/compaction.cu"
#undef compact

#include "common/cuda/check.cuh"

// Memory of the stream's pool, where scratch is too small.
inline int* taken(std::size_t elements) {
  int* array = nullptr;
  WB_CHECK(cudaMallocAsync(&array, elements * sizeof(int), nullptr));
  return array;
}
