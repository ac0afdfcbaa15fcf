// Lab radix_sort: sorting digit by digit, from the 32 keys of a warp to any number.
// This is the only file you edit. What each function must do is in radix_sort.h, what to do first in README.md;
// sums.cuh has what is given: sizes of blocks and parts, sums over a block.
#include "radix_sort.h"
#include "sums.cuh"

// ---- Part 1: predictions --------------------------------------------------------------------------------------------

int predict_key(int passes, int place) {
  // BEGIN SOLUTION
  // TODO(student): write down the four keys after each pass, on paper; a table will do. (2 to 6 lines)
  // SKELETON: warpbook::not_started();
  constexpr int kKeys[5][4] = {{7, 14, 4, 1}, {14, 4, 7, 1}, {4, 1, 14, 7}, {1, 4, 14, 7}, {1, 4, 7, 14}};
  return kKeys[passes][place];
  // END SOLUTION
}

long long predict_bytes(int n, int digit_bits, int value_bytes) {
  // BEGIN SOLUTION
  // TODO(student): how many passes, and how often is a key read and written in each? (2 lines)
  // SKELETON: warpbook::not_started();
  const int passes = (32 + digit_bits - 1) / digit_bits;
  return passes * (12LL + 2 * value_bytes) * n;
  // END SOLUTION
}

int predict_sectors(int keys, int digits) {
  // BEGIN SOLUTION
  // TODO(student): how many keys have a digit in common, and how many of those are in a warp? (2 or 3 lines)
  // SKELETON: warpbook::not_started();
  const int together = keys / digits < 32 ? keys / digits : 32;
  return 32 / together * ((together + 7) / 8);
  // END SOLUTION
}

// ---- Part 2: in a warp ----------------------------------------------------------------------------------------------

// The lane to which a lane's key goes: those with bit 0 first. All lanes of the warp must call it.
__device__ int place_in_warp(bool bit) {
  const int lane = threadIdx.x % 32;
  // BEGIN SOLUTION
  // TODO(student): a ballot has the bits of all lanes; count those that are set, in all and below this lane. (3 lines)
  // SKELETON: return lane;
  const unsigned ones = __ballot_sync(kAll, bit);
  const int ones_before = __popc(ones & ((1u << lane) - 1));
  return bit ? 32 - __popc(ones) + ones_before : lane - ones_before;
  // END SOLUTION
}

__global__ void sort_warps_kernel(const unsigned* in, unsigned* out, int n) {
  // BEGIN SOLUTION
  // TODO(student): for each of the 32 bits, put the key into the warp's own 32 places in shared memory, and take what
  // is at the place of the lane. What is a key that does not exist? Think of each __syncwarp(). (11 lines)
  __shared__ unsigned keys[kWarps][32];
  const int i = blockIdx.x * kThreads + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned key = i < n ? in[i] : 0xffffffff;
  for (int shift = 0; shift < 32; ++shift) {
    keys[warp][place_in_warp((key >> shift & 1) != 0)] = key;
    __syncwarp();
    key = keys[warp][lane];
    __syncwarp();
  }
  if (i < n) out[i] = key;
  // END SOLUTION
}

void sort_warps(const unsigned* in, unsigned* out, int n) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): delete this line when your kernel is written.
  // END SOLUTION
  if (n > 0) sort_warps_kernel<<<(n + kThreads - 1) / kThreads, kThreads>>>(in, out, n);
}

// ---- Part 3: in a block ---------------------------------------------------------------------------------------------

__global__ void sort_blocks_kernel(const unsigned* in, unsigned* out, int n) {
  // BEGIN SOLUTION
  // TODO(student): begin with a copy of sort_warps_kernel, for kBlock keys. Each warp tells how many ones it has; how
  // many have the warps before it, and all? A lane for each warp: __reduce_add_sync. Two barriers for a bit. (18 lines)
  __shared__ unsigned keys[kBlock];
  __shared__ int of_warps[32];
  const int i = blockIdx.x * kBlock + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned key = i < n ? in[i] : 0xffffffff;
  for (int shift = 0; shift < 32; ++shift) {
    const bool bit = (key >> shift & 1) != 0;
    const unsigned ones = __ballot_sync(kAll, bit);
    if (lane == 0) of_warps[warp] = __popc(ones);
    __syncthreads();
    const int of_warp = of_warps[lane], all_ones = __reduce_add_sync(kAll, of_warp);
    const int ones_before = __reduce_add_sync(kAll, lane < warp ? of_warp : 0) + __popc(ones & ((1u << lane) - 1));
    keys[bit ? kBlock - all_ones + ones_before : threadIdx.x - ones_before] = key;
    __syncthreads();
    key = keys[threadIdx.x];
  }
  if (i < n) out[i] = key;
  // END SOLUTION
}

void sort_blocks(const unsigned* in, unsigned* out, int n) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): delete this line when your kernel is written.
  // END SOLUTION
  if (n > 0) sort_blocks_kernel<<<(n + kBlock - 1) / kBlock, kBlock>>>(in, out, n);
}

// ---- Parts 4 to 6: any number, in passes of 8 bits ------------------------------------------------------------------

// The digit of a key, from bit `shift` on.
template <Kind kKind>
__device__ int digit_of(unsigned key, int shift) {
  // BEGIN SOLUTION
  // TODO(student): for part 6, change the bits of ints and floats so that smaller ones are smaller keys. (2 lines)
  if (kKind == Kind::ints) key ^= 0x80000000;
  if (kKind == Kind::floats) key ^= static_cast<int>(key) < 0 ? 0xffffffff : 0x80000000;
  // END SOLUTION
  return static_cast<int>(key >> shift & (kDigits - 1));
}

// Given: stores in counts[d * parts + p] how many keys of part p have digit d. Block p counts them, of `parts` blocks.
template <Kind kKind>
__global__ void count_kernel(const unsigned* keys, int* counts, int shift, int n) {
  count_digits(keys, counts, n, [shift](unsigned key) { return digit_of<kKind>(key, shift); });
}

// A warp's keys are in the order of k, and for each k in that of the lanes. ranks[k] becomes how many of those before a
// key have its digit, digits[k]. of_digits[d] is 0 before, and then how many keys of the warp have digit d.
__device__ void rank_in_warp(const int (&digits)[kEach], int (&ranks)[kEach], int (&of_digits)[kDigits]) {
  // BEGIN SOLUTION
  // TODO(student): for each k: which lanes have this digit (__match_any_sync)? So far of_digits says how many came
  // before these lanes; one of them adds how many they are. (7 lines)
  const int lane = threadIdx.x % 32;
  for (int k = 0; k < kEach; ++k) {
    const unsigned equal = __match_any_sync(kAll, digits[k]);
    ranks[k] = of_digits[digits[k]] + __popc(equal & ((1u << lane) - 1));
    __syncwarp();
    if (equal >> lane == 1) of_digits[digits[k]] = ranks[k] + 1;  // The last of the lanes.
    __syncwarp();
  }
  // END SOLUTION
}

// Stores the keys of part blockIdx.x at their places; with kValues their values, too. Given: steps 1 and 7.
template <Kind kKind, bool kValues>
__global__ void place_kernel(From from, To to, const int* counts, const int* totals, int shift, int n) {
  __shared__ unsigned sorted[kPart];  // Keys, later values, sorted by digit.
  [[maybe_unused]] __shared__ int of_digits[kWarps][kDigits], move[kDigits], of_warps[kWarps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, own = threadIdx.x;  // `own` is a digit.
  const int part = blockIdx.x * kPart, first = part + warp * kEach * 32 + lane;
  unsigned keys[kEach];
  int digits[kEach], places[kEach], target[kEach];  // `target` is where a key goes in step 6.
  for (int k = 0; k < kEach; ++k) keys[k] = first + 32 * k < n ? from.keys[first + 32 * k] : 0;
  for (int w = 0; w < kWarps; ++w) of_digits[w][own] = 0;
  __syncthreads();
  for (int k = 0; k < kEach; ++k) digits[k] = first + 32 * k < n ? digit_of<kKind>(keys[k], shift) : kDigits - 1;
  // BEGIN SOLUTION
  // TODO(student): steps 2 to 6 of the handout. (22 lines)
  rank_in_warp(digits, places, of_digits[warp]);
  __syncthreads();
  int of_digit = 0, all = 0;
  for (int w = 0; w < kWarps; ++w) of_digit += of_digits[w][own];
  int before = sum_before(of_digit, of_warps, all);
  move[own] = sum_before(totals[own], of_warps, all) + counts[own * gridDim.x + blockIdx.x] - before;
  for (int w = 0; w < kWarps; ++w) {
    const int of_warp = of_digits[w][own];
    of_digits[w][own] = before;
    before += of_warp;
  }
  __syncthreads();
  for (int k = 0; k < kEach; ++k) {
    places[k] += of_digits[warp][digits[k]];
    sorted[places[k]] = keys[k];
  }
  __syncthreads();
  for (int k = 0; k < kEach; ++k) {
    const int i = k * kThreads + threadIdx.x;
    target[k] = i + move[digit_of<kKind>(sorted[i], shift)];
    if (part + i < n) to.keys[target[k]] = sorted[i];
  }
  // END SOLUTION
  if (kValues) place_values(from.values, to.values, sorted, places, target, n);
}

template <Kind kKind, bool kValues>
void sort(From in, To out, unsigned* scratch, int n) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): delete this line when the launches are written.
  // END SOLUTION
  each_pass(in, out, scratch, n, [n](int shift, From from, To to, int* counts, int* totals, int parts) {
    // BEGIN SOLUTION
    // TODO(student): launch count_kernel, scan_counts_kernel and place_kernel. How many blocks has each? (3 lines)
    count_kernel<kKind><<<parts, kThreads>>>(from.keys, counts, shift, n);
    scan_counts_kernel<<<kDigits, kThreads>>>(counts, totals, parts);
    place_kernel<kKind, kValues><<<parts, kThreads>>>(from, to, counts, totals, shift, n);
    // END SOLUTION
  });
}

void sort_keys(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
  sort<Kind::unsigneds, false>(from_keys(in), to_keys(out), scratch, n);
}

void sort_pairs(const unsigned* keys, const unsigned* values, unsigned* keys_out, unsigned* values_out,
                unsigned* scratch, int n) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): delete this line when sort_keys is right.
  // END SOLUTION
  sort<Kind::unsigneds, true>({keys, values}, {keys_out, values_out}, scratch, n);
}

void sort_ints(const int* in, int* out, unsigned* scratch, int n) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): delete this line when digit_of knows ints.
  // END SOLUTION
  sort<Kind::ints, false>(from_keys(in), to_keys(out), scratch, n);
}

void sort_floats(const float* in, float* out, unsigned* scratch, int n) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): delete this line when digit_of knows floats.
  // END SOLUTION
  sort<Kind::floats, false>(from_keys(in), to_keys(out), scratch, n);
}
