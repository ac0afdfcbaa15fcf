// Other ways: compare and exchange by shuffles for a warp, eight ballots for a match, pairs of part 5 by digits of
// keys.
#define sort_warps solution_sort_warps
#define __match_any_sync match_by_ballots
#include "sums.cuh"

// The lanes whose digit is the same in all of its bits.
__device__ unsigned match_by_ballots(unsigned mask, int digit) {
  unsigned equal = mask;
  for (int bit = 0; bit < 8; ++bit) {
    const unsigned ones = __ballot_sync(mask, digit >> bit & 1);
    equal &= (digit >> bit & 1) != 0 ? ones : ~ones;
  }
  return equal;
}

#include "solutions/patterns/radix_sort/radix_sort.cu"
#undef sort_warps
#undef __match_any_sync

// A bitonic sort: lanes compare with a lane whose number differs in one bit, and keep the smaller or the larger key.
__global__ void sort_by_exchanges(const unsigned* in, unsigned* out, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x, lane = threadIdx.x % 32;
  unsigned key = i < n ? in[i] : 0xffffffff;
  for (int run = 2; run <= 32; run *= 2)
    for (int distance = run / 2; distance > 0; distance /= 2) {
      const unsigned other = __shfl_xor_sync(kAll, key, distance);
      const bool smaller = ((lane & distance) == 0) == ((lane & run) == 0);
      key = smaller ? min(key, other) : max(key, other);
    }
  if (i < n) out[i] = key;
}

void sort_warps(const unsigned* in, unsigned* out, int n) {
  if (n > 0) sort_by_exchanges<<<(n + kThreads - 1) / kThreads, kThreads>>>(in, out, n);
}
