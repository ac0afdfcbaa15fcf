// Exercise votes_and_matches: what lanes learn of each other by one instruction. See votes_and_matches.h.
#include "votes_and_matches.h"

// BEGIN SOLUTION
// TODO(student): write the kernel. Begin with a ballot on i < count: the mask of all later calls. (11 lines)
__global__ void survey_kernel(const int* in, int* out, int* alike, int* sums, int count) {
  const int lane = threadIdx.x, i = 32 * blockIdx.x + lane;
  const unsigned members = __ballot_sync(0xffffffff, i < count);
  if (i >= count) return;
  const int own = in[i], sum = __reduce_add_sync(members, own);
  const unsigned kept = __ballot_sync(members, own != 0), before = (1u << lane) - 1;
  const int place = own != 0 ? __popc(kept & before) : __popc(kept) + __popc(~kept & before);
  out[i - lane + place] = own;
  alike[i] = __popc(__match_any_sync(members, own));
  if (lane == 0) sums[blockIdx.x] = sum;
}
// END SOLUTION

void survey(const int* in, int* out, int* alike, int* sums, int count) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): launch your kernel: a warp for each 32 elements. (1 line)
  survey_kernel<<<(count + 31) / 32, 32>>>(in, out, alike, sums, count);
  // END SOLUTION
}

int predict(int kind, int lane, int n, int members) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): look at each member in place of this line. (11 lines)
  int zeros = 0, peers = 0, reduced[] = {0, 32, 0, -1, 0, 0};  // Of no lane: sum, least, most, and, or, xor.
  for (int i = 0; i < 32; ++i) {
    if ((members >> i & 1) == 0) continue;
    if (i % n == 0) zeros |= 1 << i;
    if (i % n == lane % n) peers |= 1 << i;
    if (i < reduced[1]) reduced[1] = i;
    reduced[0] += i, reduced[2] = i, reduced[3] &= i, reduced[4] |= i, reduced[5] ^= i;
  }
  if (kind > 2) return reduced[kind - 3];
  if (kind == 0) return zeros;
  return kind == 1 || peers == members ? peers : 0;
  // END SOLUTION
}
