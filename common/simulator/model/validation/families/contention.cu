// Validation cases: reductions and atomics by type, operation, number of addresses, with and without a used result.
#include "common/simulator/model/validation/cases.cuh"

namespace {

struct ContendAdd {
  template <typename T>
  __device__ T operator()(T* at, T value) const {
    return atomicAdd(at, value);
  }
};
struct ContendMax {
  template <typename T>
  __device__ T operator()(T* at, T value) const {
    return atomicMax(at, value);
  }
};
struct ContendOr {
  template <typename T>
  __device__ T operator()(T* at, T value) const {
    return atomicOr(at, value);
  }
};
struct ContendExchange {
  template <typename T>
  __device__ T operator()(T* at, T value) const {
    return atomicExch(at, value);
  }
};
struct ContendCompare {
  template <typename T>
  __device__ T operator()(T* at, T value) const {
    return atomicCAS(at, T(0), value);
  }
};

__device__ unsigned contend_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

/// Adjacent lanes use adjacent addresses out of `mask + 1`; with `shift` 5, whole warps use one address.
template <typename T, typename Operation, bool kReturned>
__global__ void contend(T* bins, T* out, unsigned mask, unsigned shift, unsigned stride) {
  const unsigned i = contend_thread();
  const T before = Operation()(bins + std::size_t{(i >> shift) & mask} * stride, static_cast<T>(i & 3u));
  if (kReturned) out[i] = before;
}

/// Each lane in turn uses its own address; each operation depends on the previous one.
template <typename T>
__global__ void contend_chain(T* bins, T* out, int steps) {
  T at = T(0);
  for (int k = 0; k < steps; ++k)
    at += atomicAdd(bins + contend_thread() + static_cast<unsigned>(at) % 2, T(0)) > T(1) ? T(0) : T(1);
  out[contend_thread()] = at;
}
__global__ void contend_shared_chain(unsigned* out, int steps) {
  __shared__ unsigned bins[64];
  bins[threadIdx.x] = 0;
  bins[threadIdx.x + 32] = 0;
  __syncthreads();
  unsigned at = threadIdx.x;
  for (int k = 0; k < steps; ++k) at = (at + atomicAdd(bins + at, 1u)) & 63u;
  out[contend_thread()] = at;
}

/// The code shows that the address is the same in all threads.
template <typename T>
__global__ void contend_one(T* sum) {
  atomicAdd(sum, static_cast<T>(contend_thread() & 3u));
}
__global__ void contend_one_ticket(unsigned* sum, unsigned* out) { out[contend_thread()] = atomicAdd(sum, 1u); }

/// A read-modify-write loop around a compare-and-swap.
__global__ void contend_loop(float* bins, unsigned mask, unsigned shift) {
  const unsigned i = contend_thread();
  auto* at = reinterpret_cast<unsigned*>(bins + ((i >> shift) & mask));
  unsigned seen = *at, expected;
  do {
    expected = seen;
    seen = atomicCAS(at, expected, __float_as_uint(__uint_as_float(expected) + 1.0f));
  } while (seen != expected);
}

__device__ unsigned contend_hash(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}

template <typename T>
__global__ void contend_random(T* bins, unsigned mask) {
  atomicAdd(bins + (contend_hash(contend_thread()) & mask), static_cast<T>(1));
}

/// Lanes with one key add once.
__global__ void contend_matched(unsigned* bins, unsigned mask) {
  const unsigned key = contend_hash(contend_thread()) & mask;
  const unsigned peers = __match_any_sync(0xffffffffu, key);
  if ((threadIdx.x & 31) == __ffs(peers) - 1) atomicAdd(bins + key, __popc(peers));
}

/// Threads that found something append it to a list; every thread reserves a place, or one thread for its warp.
__global__ void contend_append(const int* values, unsigned* length, int* list, unsigned modulus) {
  const unsigned i = contend_thread();
  const int value = values[i];
  if (contend_hash(value) % modulus == 0) list[atomicAdd(length, 1u)] = value;
}
__global__ void contend_append_warp(const int* values, unsigned* length, int* list, unsigned mask) {
  const unsigned i = contend_thread(), lane = threadIdx.x & 31;
  const int value = values[i];
  const bool found = (contend_hash(value) & mask) == 0;
  const unsigned all = __ballot_sync(0xffffffffu, found);
  unsigned begin = 0;
  if (lane == 0 && all != 0) begin = atomicAdd(length, __popc(all));
  begin = __shfl_sync(0xffffffffu, begin, 0);
  if (found) list[begin + __popc(all & ((1u << lane) - 1))] = value;
}
/// One level of a breadth-first search on a graph of eight edges to each node.
__global__ void contend_frontier(const int* edges, int* level, unsigned* length, int* next, unsigned mask) {
  const unsigned i = contend_thread();
  for (int k = 0; k < 8; ++k) {
    const unsigned node = static_cast<unsigned>(edges[i * 8 + k]) & mask;
    if (atomicCAS(level + node, 0x3f3f3f3f, 1) == 0x3f3f3f3f) next[atomicAdd(length, 1u)] = static_cast<int>(node);
  }
}

template <typename T, bool kReturned>
__global__ void contend_shared(T* out, unsigned mask, int steps) {
  __shared__ T bins[1024];
  for (unsigned k = threadIdx.x; k < 1024; k += blockDim.x) bins[k] = T(0);
  __syncthreads();
  T sum = T(0);
  for (int k = 0; k < steps; ++k) {
    const T before = atomicAdd(bins + ((threadIdx.x + k) & mask), T(1));
    if (kReturned) sum += before;
  }
  __syncthreads();
  out[contend_thread()] = bins[threadIdx.x] + sum;
}
__global__ void contend_shared_histogram(const int* values, unsigned* bins, int each) {
  __shared__ unsigned local[256];
  local[threadIdx.x] = 0;
  __syncthreads();
  for (int k = 0; k < each; ++k)
    atomicAdd(&local[contend_hash(values[(blockIdx.x * each + k) * blockDim.x + threadIdx.x]) & 255u], 1u);
  __syncthreads();
  atomicAdd(bins + threadIdx.x, local[threadIdx.x]);
}

/// 2^group lanes on one address; addresses are adjacent, and each is used once or twice.
template <typename T, typename Operation, bool kReturned>
void add_lanes(Cases& cases, const std::string& name, std::initializer_list<unsigned> groups) {
  for (const unsigned group : groups)
    cases.add("micro_lanes", name + "_" + std::to_string(1u << group), group, contend<T, Operation, kReturned>, 1024,
              256, 0, reinterpret_cast<T*>(cases.b), reinterpret_cast<T*>(cases.c), (1u << 18) - 1, group, 1u);
}

template <typename T, typename Operation, bool kReturned>
void add_contended(Cases& cases, const std::string& name, std::initializer_list<unsigned> bins, unsigned threads) {
  auto* at = reinterpret_cast<T*>(cases.b);
  auto* out = reinterpret_cast<T*>(cases.c);
  for (const unsigned count : bins)
    cases.add("contended", name + "_" + std::to_string(count), count, contend<T, Operation, kReturned>, threads / 256,
              256, 0, at, out, count - 1, 0u, 1u);
}

}  // namespace

void add_contention(Cases& cases) {
  const unsigned n = 1 << 18;
  using Long = unsigned long long;
  add_contended<int, ContendAdd, false>(cases, "red_add_s32", {1, 4, 32, 1024, 1 << 16}, n);
  add_contended<float, ContendAdd, false>(cases, "red_add_f32", {1, 4, 32, 1024, 1 << 16}, n);
  add_contended<double, ContendAdd, false>(cases, "red_add_f64", {1, 32, 1024}, n);
  add_contended<Long, ContendAdd, false>(cases, "red_add_u64", {1, 32, 1024}, n);
  add_contended<int, ContendMax, false>(cases, "red_max_s32", {1, 32}, n);
  add_contended<unsigned, ContendOr, false>(cases, "red_or_b32", {1, 1024}, n);
  add_contended<int, ContendAdd, true>(cases, "atom_add_s32", {1, 32, 1024, 1 << 16}, n);
  add_contended<float, ContendAdd, true>(cases, "atom_add_f32", {1, 32, 1024}, n);
  add_contended<double, ContendAdd, true>(cases, "atom_add_f64", {1, 1024}, n);
  add_contended<Long, ContendAdd, true>(cases, "atom_add_u64", {1, 1024}, n);
  add_contended<unsigned, ContendExchange, true>(cases, "atom_exch_b32", {1, 1024}, n);
  add_contended<unsigned, ContendCompare, true>(cases, "atom_cas_b32", {1, 32, 1024, 1 << 16}, n);
  add_lanes<int, ContendAdd, false>(cases, "red_add_s32", {0, 1, 2, 3, 4, 5});
  add_lanes<float, ContendAdd, false>(cases, "red_add_f32", {0, 1, 2, 3, 4, 5});
  add_lanes<double, ContendAdd, false>(cases, "red_add_f64", {0, 1, 3, 5});
  add_lanes<Long, ContendAdd, false>(cases, "red_add_u64", {0, 1, 3, 5});
  add_lanes<int, ContendAdd, true>(cases, "atom_add_s32", {0, 1, 3, 5});
  add_lanes<float, ContendAdd, true>(cases, "atom_add_f32", {0, 1, 3, 5});
  add_lanes<double, ContendAdd, true>(cases, "atom_add_f64", {0, 3, 5});
  add_lanes<Long, ContendAdd, true>(cases, "atom_add_u64", {0, 3, 5});
  add_lanes<int, ContendMax, false>(cases, "red_max_s32", {0, 3, 5});
  add_lanes<unsigned, ContendOr, false>(cases, "red_or_b32", {0, 3, 5});
  add_lanes<unsigned, ContendExchange, true>(cases, "atom_exch_b32", {0, 3, 5});
  add_lanes<unsigned, ContendCompare, true>(cases, "atom_cas_b32", {0, 1, 3, 5});
  auto* u = reinterpret_cast<unsigned*>(cases.b);
  auto* s = reinterpret_cast<int*>(cases.b);
  cases.add("micro_latency", "atom_s32", 64, contend_chain<int>, 132, 32, 0, s, s + (1 << 20), 64);
  cases.add("micro_latency", "atom_f32", 64, contend_chain<float>, 132, 32, 0, cases.b, cases.c, 64);
  cases.add("micro_latency", "atom_shared", 64, contend_shared_chain, 132, 32, 0, u, 64);
  auto* out = reinterpret_cast<unsigned*>(cases.c);
  for (const unsigned count : {16u, 1024u, 8192u}) {
    cases.add("contended", "warp_red_s32_" + std::to_string(count), count, contend<int, ContendAdd, false>, n / 256,
              256, 0, s, s, count - 1, 5u, 32u);
    cases.add("contended", "warp_red_f32_" + std::to_string(count), count, contend<float, ContendAdd, false>, n / 256,
              256, 0, cases.b, cases.b, count - 1, 5u, 32u);
  }
  for (const unsigned stride : {8u, 32u})
    cases.add("contended", "red_s32_1024_stride" + std::to_string(stride), stride, contend<int, ContendAdd, false>,
              n / 256, 256, 0, s, s, 1023u, 0u, stride);
  cases.add("contended", "one_address_s32", 1, contend_one<int>, n / 256, 256, 0, s);
  cases.add("contended", "one_address_f32", 1, contend_one<float>, n / 256, 256, 0, cases.b);
  cases.add("contended", "one_address_ticket", 1, contend_one_ticket, n / 256, 256, 0, u, out);
  for (const unsigned count : {1u, 32u, 1024u, 1u << 16})
    cases.add("contended", "loop_f32_" + std::to_string(count), count, contend_loop,
              (count < 1024 ? 1 << 13 : 1 << 17) / 256, 256, 0, cases.b, count - 1, 0u);
  cases.add("contended", "loop_f32_warp_512", 512, contend_loop, (1 << 16) / 256, 256, 0, cases.b, 511u, 5u);
  for (const unsigned count : {16u, 256u, 4096u, 1u << 20}) {
    cases.add("histograms", "random_s32_" + std::to_string(count), count, contend_random<int>, n / 256, 256, 0, s,
              count - 1);
    cases.add("histograms", "random_f32_" + std::to_string(count), count, contend_random<float>, n / 256, 256, 0,
              cases.b, count - 1);
  }
  for (const unsigned count : {4u, 16u, 256u})
    cases.add("histograms", "matched_" + std::to_string(count), count, contend_matched, n / 256, 256, 0, u, count - 1);
  for (const int each : {4, 32})
    cases.add("histograms", "shared_" + std::to_string(each), each, contend_shared_histogram, 264, 256, 0,
              cases.indices, u, each);
  const auto empty = [b = cases.b] { CHECK_CUDA(cudaMemsetAsync(b, 0, 4096)); };
  const std::size_t first_append = cases.list.size();
  cases.add("append", "one_in_2", 2, contend_append, n / 256, 256, 0, cases.indices, u, s + 4096, 2u);
  cases.add("append", "one_in_16", 16, contend_append, n / 256, 256, 0, cases.indices, u, s + 4096, 16u);
  cases.add("append", "warp_one_in_2", 2, contend_append_warp, n / 256, 256, 0, cases.indices, u, s + 4096, 1u);
  cases.add("append", "warp_one_in_16", 16, contend_append_warp, n / 256, 256, 0, cases.indices, u, s + 4096, 15u);
  for (std::size_t k = first_append; k < cases.list.size(); ++k) cases.list[k].prepare = empty;
  int* level = reinterpret_cast<int*>(cases.c) + (1 << 20);
  for (const unsigned nodes : {1u << 12, 1u << 18})
    cases
        .add("append", "frontier_" + std::to_string(nodes), nodes, contend_frontier, 256, 256, 0, cases.indices, level,
             u, s + 4096, nodes - 1)
        .prepare = [=] {
      empty();
      CHECK_CUDA(cudaMemsetAsync(level, 0x3f, nodes * sizeof(int)));
    };
  for (const unsigned count : {1u, 32u, 256u}) {
    const std::string bins = std::to_string(count);
    cases.add("shared_bins", "s32_" + bins, count, contend_shared<int, false>, 264, 256, 0, s, count - 1, 32);
    cases.add("shared_bins", "f32_" + bins, count, contend_shared<float, false>, 264, 256, 0, cases.b, count - 1, 32);
    cases.add("shared_bins", "s32_used_" + bins, count, contend_shared<int, true>, 264, 256, 0, s, count - 1, 32);
  }
  cases.add("shared_bins", "u64_256", 256, contend_shared<Long, false>, 264, 256, 0, reinterpret_cast<Long*>(cases.b),
            255u, 32);
  cases.add("shared_bins", "f64_256", 256, contend_shared<double, false>, 264, 256, 0,
            reinterpret_cast<double*>(cases.b), 255u, 32);
}
