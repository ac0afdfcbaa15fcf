// The same job by a library: cub::DeviceSelect. For comparison, no rung to climb.
#include <cub/device/device_select.cuh>

#include "grader/labs/library_memory.cuh"
#include "grader/labs/patterns/compaction/rungs/solution.cuh"

struct Greater {
  int limit;
  __host__ __device__ bool operator()(int number) const { return number > limit; }
};

void compact(const int* in, int limit, int* out, int* kept, int*, int n) {
  with_library_memory(n, [=](void* temporary, std::size_t& bytes) {
    return cub::DeviceSelect::If(temporary, bytes, in, out, kept, n, Greater{limit});
  });
}
