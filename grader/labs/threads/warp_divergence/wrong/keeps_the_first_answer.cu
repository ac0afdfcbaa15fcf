// A cheat: the sums of the first call of a size are kept, and given again for the next one.
// rejected-by: correctness.all answers are computed anew, large ones too
// because: 'second_sums' is wrong in
#include "grader/labs/threads/warp_divergence/wrong/right_except_sum.cuh"

__global__ void give_again(const int* kept, int* sums, int count) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < count) sums[i] = kept[i];
}

void sum_groups(const int* in, int* sums, int count) {
  static int *kept = nullptr, known = 0;
  if (count == 0) return;
  if (count != known) {
    cudaFree(kept);
    cudaMalloc(&kept, sizeof(int) * blocks_for(count));
    right_sum_groups(in, kept, count);
    known = count;
  }
  if (count > 0) give_again<<<(blocks_for(count) + 255) / 256, 256>>>(kept, sums, blocks_for(count));
}
