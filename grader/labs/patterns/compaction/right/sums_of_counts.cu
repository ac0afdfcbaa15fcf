// Two launches: each block adds the counts before its own itself. Kept numbers are collected in shared memory, so that
// all threads store neighbours.
#define compact solution_compact
#define partition solution_partition
#include "solutions/patterns/compaction/compaction.cu"
#undef compact
#undef partition

constexpr int kWarps = kThreads / 32;

// What all threads of the block have, in all of them.
__device__ int sum_of_block(int value, int (&of_warps)[kWarps]) {
  const int of_warp = __reduce_add_sync(0xffffffff, value);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = of_warp;
  __syncthreads();
  int sum = 0;
  for (int w = 0; w < kWarps; ++w) sum += of_warps[w];
  return sum;
}

template <bool kOthers>
__global__ void collect_kernel(const int* in, int limit, int* out, const int* counts, int* kept, int n) {
  __shared__ int of_all[kWarps], of_those_before[kWarps], of_warps[kWarps], collected[kPart];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, part = blockIdx.x;
  int all = 0, before = 0;
  for (int p = threadIdx.x; p < gridDim.x; p += kThreads) {
    all += counts[p];
    if (p < part) before += counts[p];
  }
  before = sum_of_block(before, of_those_before);
  if (kOthers || part == 0) all = sum_of_block(all, of_all);
  if (part == 0 && threadIdx.x == 0) *kept = all;

  const int start = part * kPart, first = start + warp * kEach * 32 + lane;
  int numbers[kEach], of_warp = 0;
  for (int k = 0; k < kEach; ++k) {
    numbers[k] = first + 32 * k < n ? in[first + 32 * k] : limit;
    of_warp += __popc(__ballot_sync(0xffffffff, numbers[k] > limit));
  }
  if (lane == 0) of_warps[warp] = of_warp;
  __syncthreads();
  int of_part = 0, kept_before = 0;
  for (int w = 0; w < kWarps; ++w) {
    if (w == warp) kept_before = of_part;
    of_part += of_warps[w];
  }
  for (int k = 0; k < kEach; ++k) {
    const unsigned ballot = __ballot_sync(0xffffffff, numbers[k] > limit);
    const int place = kept_before + __popc(ballot & ((1u << lane) - 1)), i = first + 32 * k - start;
    if (numbers[k] > limit)
      collected[place] = numbers[k];
    else if (kOthers)
      collected[of_part + i - place] = numbers[k];
    kept_before += __popc(ballot);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < of_part; i += kThreads) out[before + i] = collected[i];
  for (int i = threadIdx.x; kOthers && i < min(kPart, n - start) - of_part; i += kThreads)
    out[all + start - before + i] = collected[of_part + i];
}

template <bool kOthers>
void place_in_two_launches(const int* in, int limit, int* out, int* kept, int* scratch, int n) {
  const int parts = (n + kPart - 1) / kPart;
  if (parts > 0) {
    count_kernel<<<parts, kThreads>>>(in, limit, scratch, n);
    collect_kernel<kOthers><<<parts, kThreads>>>(in, limit, out, scratch, kept, n);
  } else {
    cudaMemsetAsync(kept, 0, sizeof(int));
  }
}

void compact(const int* in, int limit, int* out, int* kept, int* scratch, int n) {
  place_in_two_launches<false>(in, limit, out, kept, scratch, n);
}

void partition(const int* in, int limit, int* out, int* kept, int* scratch, int n) {
  place_in_two_launches<true>(in, limit, out, kept, scratch, n);
}
