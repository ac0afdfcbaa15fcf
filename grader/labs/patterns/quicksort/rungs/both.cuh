// A grid of one block for each part, which launches a grid for each of its two sides.
#include "grader/labs/patterns/quicksort/rungs/solution.cuh"

/// @tparam waits: both children in the NULL stream of the block, one after the other
template <bool waits>
__global__ void both_kernel(unsigned* keys, unsigned* scratch, int count, Pivot pivot) {
  if (count <= kSmall) return sort_in_shared(keys, count);
  __shared__ int counts[2];
  partition_block(keys, scratch, count, choose_pivot(keys, count, pivot), counts);
  if (threadIdx.x != 0) return;
  const cudaStream_t stream = waits ? nullptr : cudaStreamFireAndForget;
  const int less = counts[0], greater = counts[1], behind = count - greater;
  if (less > 1) both_kernel<waits><<<1, kThreads, 0, stream>>>(keys, scratch, less, pivot);
  if (greater > 1) both_kernel<waits><<<1, kThreads, 0, stream>>>(keys + behind, scratch + behind, greater, pivot);
}
