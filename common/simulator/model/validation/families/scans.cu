// Validation cases: scans and sorts in shared memory with a barrier at each step, look-back between blocks, barriers,
// radix passes with votes.
#include "common/simulator/model/validation/cases.cuh"

namespace {

__device__ int scan_thread() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

template <int kBlock>
__global__ void scan_hillis_steele(const float* in, float* out) {
  __shared__ float data[2][kBlock];
  int from = 0;
  data[0][threadIdx.x] = in[scan_thread()];
  __syncthreads();
  for (int step = 1; step < kBlock; step *= 2) {
    float value = data[from][threadIdx.x];
    if (threadIdx.x >= step) value += data[from][threadIdx.x - step];
    data[1 - from][threadIdx.x] = value;
    from = 1 - from;
    __syncthreads();
  }
  out[scan_thread()] = data[from][threadIdx.x];
}
template <int kBlock>
__global__ void scan_in_place(const int* in, int* out) {
  __shared__ int data[kBlock];
  data[threadIdx.x] = in[scan_thread()];
  __syncthreads();
  for (int step = 1; step < kBlock; step *= 2) {
    const int other = threadIdx.x >= step ? data[threadIdx.x - step] : 0;
    __syncthreads();
    data[threadIdx.x] += other;
    __syncthreads();
  }
  out[scan_thread()] = data[threadIdx.x];
}
template <int kBlock>
__global__ void scan_blelloch(const float* in, float* out) {
  __shared__ float data[2 * kBlock];
  const int begin = blockIdx.x * 2 * kBlock;
  data[threadIdx.x] = in[begin + threadIdx.x];
  data[threadIdx.x + kBlock] = in[begin + threadIdx.x + kBlock];
  int offset = 1;
  for (int d = kBlock; d > 0; d /= 2) {
    __syncthreads();
    if (threadIdx.x < d) data[offset * (2 * threadIdx.x + 2) - 1] += data[offset * (2 * threadIdx.x + 1) - 1];
    offset *= 2;
  }
  if (threadIdx.x == 0) data[2 * kBlock - 1] = 0;
  for (int d = 1; d < 2 * kBlock; d *= 2) {
    offset /= 2;
    __syncthreads();
    if (threadIdx.x < d) {
      const int a = offset * (2 * threadIdx.x + 1) - 1, b = offset * (2 * threadIdx.x + 2) - 1;
      const float t = data[a];
      data[a] = data[b];
      data[b] += t;
    }
  }
  __syncthreads();
  out[begin + threadIdx.x] = data[threadIdx.x];
  out[begin + threadIdx.x + kBlock] = data[threadIdx.x + kBlock];
}

__device__ float scan_warp(float value) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    const float other = __shfl_up_sync(0xffffffffu, value, step);
    if (lane >= step) value += other;
  }
  return value;
}
__device__ float scan_block(float value, float* sums) {
  value = scan_warp(value);
  const int warp = threadIdx.x / 32;
  if (threadIdx.x % 32 == 31) sums[warp] = value;
  __syncthreads();
  if (warp == 0) sums[threadIdx.x] = scan_warp(threadIdx.x < blockDim.x / 32 ? sums[threadIdx.x] : 0);
  __syncthreads();
  return warp == 0 ? value : value + sums[warp - 1];
}
__global__ void scan_shuffles(const float* in, float* out) {
  __shared__ float sums[32];
  out[scan_thread()] = scan_block(in[scan_thread()], sums);
}

/// Each block waits for the sum of the previous block.
__global__ void scan_chained(const float* in, float* out, volatile float* sums, volatile int* flags, int* ticket,
                             int epoch) {
  __shared__ float local[32];
  __shared__ float before;
  __shared__ int block;
  if (threadIdx.x == 0) block = atomicAdd(ticket, 1) % gridDim.x;
  __syncthreads();
  const float value = scan_block(in[block * blockDim.x + threadIdx.x], local);
  if (threadIdx.x == blockDim.x - 1) {
    float sum = 0;
    if (block > 0) {
      while (flags[block - 1] < epoch) {
      }
      __threadfence();
      sum = sums[block - 1];
    }
    sums[block] = sum + value;
    __threadfence();
    flags[block] = epoch;
    before = sum;
  }
  __syncthreads();
  out[block * blockDim.x + threadIdx.x] = value + before;
}
/// Decoupled look-back: a thread adds the aggregates of the blocks before until one of them knows its prefix.
__global__ void scan_look_back(const float* in, float* out, unsigned long long* states, int* ticket) {
  __shared__ float local[32];
  __shared__ float before;
  __shared__ int block;
  if (threadIdx.x == 0) block = atomicAdd(ticket, 1) % gridDim.x;
  __syncthreads();
  const float value = scan_block(in[block * blockDim.x + threadIdx.x], local);
  if (threadIdx.x == blockDim.x - 1) {
    const auto state = [](unsigned flag, float sum) {
      return static_cast<unsigned long long>(flag) << 32 | __float_as_uint(sum);
    };
    atomicExch(states + block, state(block == 0 ? 2 : 1, value));
    float sum = 0;
    for (int k = block - 1; k >= 0; --k) {
      unsigned long long seen;
      do seen = *reinterpret_cast<volatile unsigned long long*>(states + k);
      while (seen >> 32 == 0);
      sum += __uint_as_float(static_cast<unsigned>(seen));
      if (seen >> 32 == 2) break;
    }
    if (block > 0) atomicExch(states + block, state(2, sum + value));
    before = sum;
  }
  __syncthreads();
  out[block * blockDim.x + threadIdx.x] = value + before;
}

template <int kBlock>
__global__ void sort_bitonic(const int* in, int* out) {
  __shared__ int data[kBlock];
  data[threadIdx.x] = in[scan_thread()];
  __syncthreads();
  for (int size = 2; size <= kBlock; size *= 2)
    for (int step = size / 2; step > 0; step /= 2) {
      const int other = threadIdx.x ^ step;
      if (other > threadIdx.x) {
        const int a = data[threadIdx.x], b = data[other];
        if ((a > b) == ((threadIdx.x & size) == 0)) {
          data[threadIdx.x] = b;
          data[other] = a;
        }
      }
      __syncthreads();
    }
  out[scan_thread()] = data[threadIdx.x];
}
__global__ void sort_odd_even(const int* in, int* out, int steps) {
  __shared__ int data[512];
  data[2 * threadIdx.x] = in[2 * scan_thread()];
  data[2 * threadIdx.x + 1] = in[2 * scan_thread() + 1];
  __syncthreads();
  for (int k = 0; k < steps; ++k) {
    const int at = 2 * threadIdx.x + (k & 1);
    if (at + 1 < 512) {
      const int a = data[at], b = data[at + 1];
      data[at] = min(a, b);
      data[at + 1] = max(a, b);
    }
    __syncthreads();
  }
  out[2 * scan_thread()] = data[2 * threadIdx.x];
  out[2 * scan_thread() + 1] = data[2 * threadIdx.x + 1];
}
__global__ void reduce_tree(const float* in, float* out) {
  extern __shared__ float data[];
  data[threadIdx.x] = in[scan_thread()];
  __syncthreads();
  for (int step = blockDim.x / 2; step > 0; step /= 2) {
    if (threadIdx.x < step) data[threadIdx.x] += data[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = data[0];
}
__global__ void barriers_only(float* out, int steps) {
  float value = threadIdx.x;
  for (int k = 0; k < steps; ++k) {
    value = value * 0.5f + 1.0f;
    __syncthreads();
  }
  out[scan_thread()] = value;
}
__global__ void barriers_shared(float* out, int steps) {
  __shared__ float data[1024];
  data[threadIdx.x] = threadIdx.x;
  __syncthreads();
  for (int k = 0; k < steps; ++k) {
    const float value = data[threadIdx.x ^ 33];
    __syncthreads();
    data[threadIdx.x] = value + 1.0f;
    __syncthreads();
  }
  out[scan_thread()] = data[threadIdx.x];
}

/// A stable split by one bit after the other, within a warp.
__global__ void radix_split(const int* in, unsigned* out, int bits) {
  const unsigned lane = threadIdx.x % 32, below = (1u << lane) - 1;
  unsigned key = in[scan_thread()];
  for (int bit = 0; bit < bits; ++bit) {
    const bool one = key >> bit & 1;
    const unsigned ones = __ballot_sync(0xffffffffu, one);
    const unsigned to = one ? 32 - __popc(ones) + __popc(ones & below) : __popc(~ones & below);
    // Finds the lane that goes to this position: the inverse of a permutation.
    unsigned source = 0;
    for (int k = 0; k < 5; ++k) source |= (__ballot_sync(0xffffffffu, to >> k & 1) >> lane & 1) << k;
    key = __shfl_sync(0xffffffffu, key, source ^ lane);
  }
  out[scan_thread()] = key;
}
/// Counts of 16 digits in each warp, from four ballots each.
__global__ void radix_count(const int* in, unsigned* out, int each) {
  const unsigned lane = threadIdx.x % 32;
  unsigned count = 0;
  for (int k = 0; k < each; ++k) {
    const unsigned digit = in[(blockIdx.x * each + k) * blockDim.x + threadIdx.x] & 15u;
    unsigned mine = 0xffffffffu;
#pragma unroll
    for (int bit = 0; bit < 4; ++bit) {
      const unsigned ones = __ballot_sync(0xffffffffu, digit >> bit & 1);
      mine &= lane >> bit & 1 ? ones : ~ones;
    }
    count += __popc(mine);
  }
  out[scan_thread()] = count;
}
__global__ void radix_rank(const int* in, unsigned* out, int each) {
  const unsigned below = (1u << threadIdx.x % 32) - 1;
  unsigned sum = 0;
  for (int k = 0; k < each; ++k) {
    const unsigned digit = in[(blockIdx.x * each + k) * blockDim.x + threadIdx.x] & 15u;
    sum += __popc(__match_any_sync(0xffffffffu, digit) & below);
  }
  out[scan_thread()] = sum;
}
/// Partitions a block's keys by one bit: ballots, counts of the warps, a scan of them, a scatter.
__global__ void radix_block(const int* in, int* out, int bit) {
  __shared__ int counts[33];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const int key = in[scan_thread()];
  const bool one = key >> bit & 1;
  const unsigned ones = __ballot_sync(0xffffffffu, one);
  if (lane == 0) counts[warp] = __popc(ones);
  __syncthreads();
  int before = 0, total = 0;
  for (int k = 0; k < warps; ++k) {
    if (k < warp) before += counts[k];
    total += counts[k];
  }
  const int rank = before + __popc(ones & ((1u << lane) - 1));
  const int to = one ? blockDim.x - total + rank : threadIdx.x - rank;
  out[blockIdx.x * blockDim.x + to] = key;
}
__global__ void votes(const int* in, unsigned* out, int steps) {
  unsigned key = in[scan_thread()], sum = 0;
  for (int k = 0; k < steps; ++k) {
    sum += __popc(__ballot_sync(0xffffffffu, key >> (k & 31) & 1));
    if (__any_sync(0xffffffffu, key == sum)) sum += 3;
    key = __reduce_add_sync(0xffffffffu, key ^ sum);
  }
  out[scan_thread()] = sum;
}
__global__ void votes_ballot(const int* in, unsigned* out, int steps) {
  unsigned key = in[scan_thread()], sum = 0;
  for (int k = 0; k < steps; ++k) {
    const unsigned all = __ballot_sync(0xffffffffu, key & 1);
    sum += all;
    key = (key >> 1) + all;
  }
  out[scan_thread()] = sum;
}
__global__ void votes_match(const int* in, unsigned* out, int steps) {
  unsigned key = in[scan_thread()] & 7;
  for (int k = 0; k < steps; ++k) key = (key + __match_any_sync(0xffffffffu, key)) & 7;
  out[scan_thread()] = key;
}
__global__ void votes_reduce(const int* in, unsigned* out, int steps) {
  unsigned key = in[scan_thread()] & 7;
  for (int k = 0; k < steps; ++k) key += __reduce_add_sync(0xffffffffu, key);
  out[scan_thread()] = key;
}
__global__ void reduce_shuffles(const float* in, float* out, int each) {
  float value = 0;
  for (int k = 0; k < each; ++k) {
    float one = in[(blockIdx.x * each + k) * blockDim.x + threadIdx.x];
#pragma unroll
    for (int step = 16; step > 0; step /= 2) one += __shfl_xor_sync(0xffffffffu, one, step);
    value += one;
  }
  out[scan_thread()] = value;
}

}  // namespace

void add_scans(Cases& cases) {
  const int n = 1 << 19;
  auto* u = reinterpret_cast<unsigned*>(cases.b);
  auto* s = reinterpret_cast<int*>(cases.b);
  const std::string family = "scans";
  cases.add(family, "hillis_steele_128", 128, scan_hillis_steele<128>, n / 128, 128, 0, cases.a, cases.b);
  cases.add(family, "hillis_steele_256", 256, scan_hillis_steele<256>, n / 256, 256, 0, cases.a, cases.b);
  cases.add(family, "hillis_steele_512", 512, scan_hillis_steele<512>, n / 512, 512, 0, cases.a, cases.b);
  cases.add(family, "hillis_steele_1024", 1024, scan_hillis_steele<1024>, n / 1024, 1024, 0, cases.a, cases.b);
  cases.add(family, "in_place_256", 256, scan_in_place<256>, n / 256, 256, 0, cases.indices, s);
  cases.add(family, "in_place_1024", 1024, scan_in_place<1024>, n / 1024, 1024, 0, cases.indices, s);
  cases.add(family, "blelloch_256", 512, scan_blelloch<256>, n / 512, 256, 0, cases.a, cases.b);
  cases.add(family, "blelloch_1024", 2048, scan_blelloch<1024>, n / 2048, 1024, 0, cases.a, cases.b);
  cases.add(family, "shuffles_256", 256, scan_shuffles, n / 256, 256, 0, cases.a, cases.b);
  cases.add(family, "shuffles_1024", 1024, scan_shuffles, n / 1024, 1024, 0, cases.a, cases.b);
  cases.add(family, "tree_256", 256, reduce_tree, n / 256, 256, 1024, cases.a, cases.b);
  cases.add(family, "tree_1024", 1024, reduce_tree, n / 1024, 1024, 4096, cases.a, cases.b);
  cases.add(family, "bitonic_256", 256, sort_bitonic<256>, 1 << 10, 256, 0, cases.indices, s);
  cases.add(family, "bitonic_1024", 1024, sort_bitonic<1024>, 1 << 8, 1024, 0, cases.indices, s);
  cases.add(family, "odd_even", 512, sort_odd_even, 264, 256, 0, cases.indices, s, 64);
  // Flags and states have the epoch of the latest fill of the buffers: no block waits for a second run of another.
  auto* states = reinterpret_cast<unsigned long long*>(cases.c);
  auto* ticket = reinterpret_cast<int*>(cases.c) + (1 << 20);
  const auto zero = [c = cases.c] { CHECK_CUDA(cudaMemsetAsync(c, 0, std::size_t{8} << 20)); };
  for (const int block : {256, 1024}) {
    cases.add("look_back", "chained_" + std::to_string(block), block, scan_chained, n / block, block, 0, cases.a,
              cases.b, cases.c, reinterpret_cast<int*>(cases.c) + (1 << 18), ticket, 1);
    cases.list.back().prepare = zero;
    cases.add("look_back", "decoupled_" + std::to_string(block), block, scan_look_back, n / block, block, 0, cases.a,
              cases.b, states, ticket);
    cases.list.back().prepare = zero;
  }
  for (const int block : {32, 64, 128, 256, 512, 1024}) {
    cases.add("micro_barriers", "one_block_" + std::to_string(block), block, barriers_only, 132, block, 0, cases.b,
              128);
    cases.add("micro_barriers", "full_" + std::to_string(block), block, barriers_only, 132 * std::min(2048 / block, 32),
              block, 0, cases.b, 128);
  }
  cases.add("micro_barriers", "shared_256", 256, barriers_shared, 132, 256, 0, cases.b, 64);
  cases.add("micro_barriers", "shared_1024", 1024, barriers_shared, 132, 1024, 0, cases.b, 64);
  cases.add("micro_barriers", "shared_full_256", 256, barriers_shared, 132 * 8, 256, 0, cases.b, 64);
  cases.add("micro_barriers", "shared_full_1024", 1024, barriers_shared, 132 * 2, 1024, 0, cases.b, 64);
  cases.add("radix", "split_4", 4, radix_split, n / 256, 256, 0, cases.indices, u, 4);
  cases.add("radix", "split_16", 16, radix_split, n / 256, 256, 0, cases.indices, u, 16);
  cases.add("radix", "count_16", 16, radix_count, 264, 256, 0, cases.indices, u, 16);
  cases.add("radix", "rank_16", 16, radix_rank, 264, 256, 0, cases.indices, u, 16);
  cases.add("radix", "block_256", 256, radix_block, n / 256, 256, 0, cases.indices, s, 5);
  cases.add("radix", "block_1024", 1024, radix_block, n / 1024, 1024, 0, cases.indices, s, 5);
  cases.add("radix", "votes", 32, votes, 528, 256, 0, cases.indices, u, 32);
  cases.add("radix", "shuffle_sums", 16, reduce_shuffles, 528, 256, 0, cases.a, cases.b, 8);
  for (const int blocks : {132, 132 * 8}) {
    const std::string all = blocks == 132 ? "_one_block" : "_full";
    cases.add("micro_votes", "ballot" + all, blocks, votes_ballot, blocks, 256, 0, cases.indices, u, 128);
    cases.add("micro_votes", "match" + all, blocks, votes_match, blocks, 256, 0, cases.indices, u, 32);
    cases.add("micro_votes", "reduce" + all, blocks, votes_reduce, blocks, 256, 0, cases.indices, u, 64);
  }
}
