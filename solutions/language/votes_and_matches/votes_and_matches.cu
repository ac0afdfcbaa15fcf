// Exercise votes_and_matches: what lanes learn of each other by one instruction. See votes_and_matches.h.
#include "votes_and_matches.h"

// BEGIN SOLUTION
// TODO(student): write the kernel. Begin with a ballot on i < count: it is the mask of all calls that follow. (14 lines)
__global__ void survey_kernel(const int* in, int* out, int* alike, int* facts, int count) {
  const int lane = threadIdx.x, i = 32 * blockIdx.x + lane;
  const unsigned members = __ballot_sync(0xffffffff, i < count);
  if (i >= count) return;
  const int own = in[i];
  const unsigned kept = __ballot_sync(members, own != 0), before = (1u << lane) - 1;
  const int place = own != 0 ? __popc(kept & before) : __popc(kept) + __popc(~kept & before);
  out[i - lane + place] = own;
  alike[i] = __popc(__match_any_sync(members, own));
  int equal = 0;
  __match_all_sync(members, own, &equal);
  const int found[] = {__popc(kept), equal, __reduce_add_sync(members, own)};
  for (int k = 0; k < 3 && lane == 0; ++k) facts[3 * blockIdx.x + k] = found[k];
}
// END SOLUTION

void survey(const int* in, int* out, int* alike, int* facts, int count) {
  // BEGIN SOLUTION
  // TODO(student): launch your kernel in place of the next line: a warp for each 32 elements.
  // SKELETON: warpbook::not_started();
  survey_kernel<<<(count + 31) / 32, 32>>>(in, out, alike, facts, count);
  // END SOLUTION
}

unsigned predict(int kind, int lane, int n, unsigned members) {
  // BEGIN SOLUTION
  // TODO(student): look at each member in place of the next line. (10 lines)
  // SKELETON: warpbook::not_started();
  unsigned zeros = 0, peers = 0, sum = 0, odd = 0;
  for (int i = 0; i < 32; ++i) {
    if ((members >> i & 1) == 0) continue;
    if (i % n == 0) zeros |= 1u << i;
    if (i % n == lane % n) peers |= 1u << i;
    sum += i % n, odd ^= i % n;
  }
  const unsigned found[] = {zeros, peers, peers == members ? members : 0, sum, odd};
  return found[kind];
  // END SOLUTION
}
