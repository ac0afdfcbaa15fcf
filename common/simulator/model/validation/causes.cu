// Validation cases: one cause of a wrong prediction each, over several sizes, so that differences show what it costs.
// `--cases causes`; no test runs them. What they found is in the device's description.
#include "common/simulator/model/validation/cases.cuh"

namespace {

__device__ unsigned cause_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ unsigned cause_hash(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}

// The device heap.

/// Each lane allocates and frees, `times` times.
__global__ void heap_pairs_again(int* out, int bytes, int times) {
  int sum = 0;
  for (int k = 0; k < times; ++k) {
    auto* p = static_cast<int*>(malloc(bytes));
    if (p != nullptr) p[0] = k;
    if (p != nullptr) sum += p[0];
    free(p);
  }
  out[cause_thread()] = sum;
}
/// Each lane allocates all before it frees any.
__global__ void heap_held(int* out, int bytes, int count) {
  int** last = nullptr;
  for (int k = 0; k < count; ++k) {
    auto** p = static_cast<int**>(malloc(bytes));
    if (p == nullptr) break;
    *p = reinterpret_cast<int*>(last);
    last = p;
  }
  int sum = 0;
  while (last != nullptr) {
    auto** next = reinterpret_cast<int**>(*last);
    free(last);
    last = next;
    ++sum;
  }
  out[cause_thread()] = sum;
}

// Rates of double precision: operands in registers, constants; one chain to measure a latency, two to fill the pipe.

template <typename T, int kChains, typename Function>
__global__ void rate(T* out, int steps, T scale, Function function) {
  T v[kChains];
  for (int c = 0; c < kChains; ++c) v[c] = T(static_cast<float>(cause_thread() % 1000 + c)) * scale;
#pragma unroll 4
  for (int k = 0; k < steps; ++k)
    for (int c = 0; c < kChains; ++c) v[c] = function(v[c]);
  for (int c = 1; c < kChains; ++c) v[0] = v[0] + v[c];
  out[cause_thread()] = v[0];
}
#define FUNCTION(Name, Type, Expression)                            \
  struct Name {                                                     \
    __device__ Type operator()(Type v) const { return Expression; } \
  };
FUNCTION(RateDoubleAdd, double, v + 0.5)
FUNCTION(RateDoubleFma, double, v * 0.999 + 0.5)
FUNCTION(RateDoubleSquare, double, v* v + v)
FUNCTION(RateReciprocal, float, 1.0f / (v + 1.0f))
FUNCTION(RateRoot, float, sqrtf(v + 1.0f))
FUNCTION(RateDivide, float, (v + 1.0f) / (v + 2.0f))
FUNCTION(RateDoubleReciprocal, double, 1.0 / (v + 1.0))
FUNCTION(RateDoubleDivide, double, (v + 2.0) / (v + 1.0))
FUNCTION(RateDoubleRoot, double, sqrt(v + 1.0))
FUNCTION(RateExp, float, expf(v) * 0.3f)
FUNCTION(RateSin, float, sinf(v) + 0.5f)
#undef FUNCTION

/// Double and single precision side by side: does the one keep the other from being issued?
template <int kSingles>
__global__ void rate_beside(double* out, int steps) {
  double v = cause_thread(), w = v + 1;
  float s[4] = {1.0f * cause_thread(), 2.0f * cause_thread(), 3.0f * cause_thread(), 4.0f * cause_thread()};
#pragma unroll 4
  for (int k = 0; k < steps; ++k) {
    v = v * v + w;
    w = w * w + v;
#pragma unroll
    for (int j = 0; j < kSingles; ++j) s[j & 3] = s[j & 3] * 0.999f + 0.5f;
  }
  out[cause_thread()] = v + w + s[0] + s[1] + s[2] + s[3];
}

// Shared memory: floats added by a loop that compares and swaps.

__global__ void shared_swaps(float* out, unsigned mask, int steps) {
  __shared__ float bins[1024];
  for (unsigned k = threadIdx.x; k < 1024; k += blockDim.x) bins[k] = 0;
  __syncthreads();
  for (int k = 0; k < steps; ++k) atomicAdd(bins + ((threadIdx.x + k) & mask), 1.0f);
  __syncthreads();
  out[cause_thread()] = bins[threadIdx.x];
}

// Global atomics whose result is used, and compare-and-swap on scattered words.

template <bool kUsed>
__global__ void scattered_add(unsigned* bins, unsigned* out, unsigned mask) {
  const unsigned before = atomicAdd(bins + (cause_hash(cause_thread()) & mask), 1u);
  if (kUsed) out[cause_thread()] = before;
}
/// @param expected 0 is there for the first to come; 1 never is
__global__ void scattered_swap(unsigned* bins, unsigned* out, unsigned mask, unsigned expected) {
  out[cause_thread()] = atomicCAS(bins + (cause_hash(cause_thread()) & mask), expected, 2u);
}
__global__ void scattered_swap_wide(unsigned long long* bins, unsigned* out, unsigned mask) {
  out[cause_thread()] = static_cast<unsigned>(atomicCAS(bins + (cause_hash(cause_thread()) & mask), 0ull, 2ull));
}
/// Whole warps add to one word.
template <typename T>
__global__ void warps_add(T* bins, unsigned mask, unsigned stride) {
  atomicAdd(bins + ((cause_thread() >> 5) & mask) * stride, T(1));
}

// Blocks: what a block costs that does little; and blocks of which some have more to do.

__global__ void blocks_that_load(const float* in, float* out, int steps) {
  __shared__ float sums[8];
  float sum = steps > 0 ? in[cause_thread()] : 0;
  if (steps > 1)
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  if (steps > 2) {
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0)
      for (int k = 1; k < 8; ++k) sum += sums[k];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
__global__ void blocks_uneven(float* out, int every, int offset, int most) {
  float v = threadIdx.x;
  const int steps = blockIdx.x % every == offset ? most : 8;
  for (int k = 0; k < steps; ++k) v = v * 0.99f + 0.5f;
  out[cause_thread()] = v;
}

// What the L2 holds from the launch before.

__global__ void warm_read(const float4* in, float* out, int n) {
  float sum = 0;
  for (int i = cause_thread(); i < n; i += gridDim.x * blockDim.x) {
    const float4 v = in[i];
    sum += v.x + v.y + v.z + v.w;
  }
  if (sum == 12345.0f) out[cause_thread()] = sum;
}
__global__ void warm_gather(const float* in, float* out, unsigned mask, unsigned add) {
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k) sum += in[cause_hash((cause_thread() + add) * 4 + k) & mask];
  if (sum == 12345.0f) out[cause_thread()] = sum;
}
__global__ void strided_read(const float* in, float* out, unsigned stride) {
  const std::size_t i = cause_thread();
  out[i] = in[i * stride] + 1.0f;
}

// Bulk copies, and plain loads down columns.

__global__ void bulk_one(const float4* in, float4* out, int tiles, int ahead) {
  __shared__ alignas(128) float4 tile[4][256];
  __shared__ alignas(8) unsigned long long arrived[4];
  const auto address = [](void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); };
  const float4* own = in + std::size_t{blockIdx.x} * tiles * 256;
  if (threadIdx.x == 0) {
    for (int k = 0; k < 4; ++k)
      asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(address(&arrived[k])) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncthreads();
  const auto fetch = [&](int k) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 4096;" ::"r"(address(&arrived[k % 4])) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 4096, [%2];" ::"r"(
                     address(tile[k % 4])),
                 "l"(own + k * 256), "r"(address(&arrived[k % 4]))
                 : "memory");
  };
  if (threadIdx.x == 0)
    for (int k = 0; k < ahead && k < tiles; ++k) fetch(k);
  float4 sum = make_float4(0, 0, 0, 0);
  for (int k = 0; k < tiles; ++k) {
    if (threadIdx.x == 0 && k + ahead < tiles) fetch(k + ahead);
    unsigned done = 0;
    while (done == 0)
      asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                   : "=r"(done)
                   : "r"(address(&arrived[k % 4])), "r"(k / 4 & 1)
                   : "memory");
    const float4 v = tile[k % 4][threadIdx.x ^ 1];
    sum = make_float4(sum.x + v.x, sum.y + v.y, sum.z + v.z, sum.w + v.w);
    __syncthreads();
  }
  out[cause_thread()] = sum;
}
__global__ void columns_down(const float* in, float* out, int width, int height) {
  float sum = 0;
#pragma unroll 16
  for (int k = 0; k < height; ++k) sum += in[std::size_t(k) * width + cause_thread()];
  out[cause_thread()] = sum;
}

// The kernels of labs jacobi and compaction that move most bytes, as their solutions have them.

__global__ void lab_sweep(const float* from, float* to, const float* source, int rows, int columns) {
  const int row = blockIdx.y * 8 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
  if (row >= rows || column >= columns) return;
  const int i = row * columns + column;
  const bool edge = row == 0 || column == 0 || row == rows - 1 || column == columns - 1;
  to[i] = edge ? from[i] : ((from[i - columns] + from[i + columns]) + (from[i - 1] + from[i + 1]) + source[i]) * 0.25f;
}
__global__ void lab_count(const int* in, int limit, int* counts, int n) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  int own = 0;
  for (int k = 0; k < 16; ++k) {
    const int i = blockIdx.x * 4096 + k * 256 + threadIdx.x;
    if (i < n && in[i] > limit) ++own;
  }
  const int of_warp = __reduce_add_sync(0xffffffffu, own);
  if (threadIdx.x % 32 == 0) atomicAdd(&count, of_warp);
  __syncthreads();
  if (threadIdx.x == 0) counts[blockIdx.x] = count;
}

// Parts of a product in registers: loads from global memory (1), stores to shared memory (2), products (4).

template <int kEach, int kDepth>
__global__ void product_parts(const float* a, const float* b, float* c, int n, int parts) {
  constexpr int kSide = 16 * kEach, kOwn = kSide * kDepth / 256;
  __shared__ float as[kDepth][kSide], bs[kDepth][kSide];
  const int own = threadIdx.y * 16 + threadIdx.x, row = blockIdx.y * kSide, column = blockIdx.x * kSide;
  float sums[kEach][kEach] = {}, x[kOwn] = {}, y[kOwn] = {};
  for (int t = 0; t < n; t += kDepth) {
    if (parts & 1)
#pragma unroll
      for (int i = 0; i < kOwn; ++i) {
        const int k = own + i * 256;
        x[i] += a[(row + k / kDepth) * n + t + k % kDepth];
        y[i] += b[(t + k / kSide) * n + column + k % kSide];
      }
    if (parts & 2)
#pragma unroll
      for (int i = 0; i < kOwn; ++i) {
        const int k = own + i * 256;
        as[k % kDepth][k / kDepth] = x[i];
        bs[k / kSide][k % kSide] = y[i];
      }
    __syncthreads();
    if (parts & 4)
#pragma unroll
      for (int k = 0; k < kDepth; ++k) {
        float u[kEach], v[kEach];
#pragma unroll
        for (int r = 0; r < kEach; ++r) u[r] = as[k][threadIdx.y * kEach + r];
#pragma unroll
        for (int r = 0; r < kEach; ++r) v[r] = bs[k][threadIdx.x * kEach + r];
#pragma unroll
        for (int r = 0; r < kEach; ++r)
#pragma unroll
          for (int s = 0; s < kEach; ++s) sums[r][s] += u[r] * v[s];
      }
    __syncthreads();
  }
  for (int i = 0; i < kOwn; ++i) sums[0][0] += x[i] + y[i];
  for (int r = 0; r < kEach; ++r)
    for (int s = 0; s < kEach; ++s)
      c[(row + threadIdx.y * kEach + r) * n + column + threadIdx.x * kEach + s] = sums[r][s];
}

// Sines of which some lanes take the slow path.

__global__ void sines_of(float* out, int steps, int lanes) {
  float v = static_cast<int>(threadIdx.x % 32) < lanes ? 200000.0f : 1.0f;
  const float scale = v * 0.5f;
  for (int k = 0; k < steps; ++k) v = sinf(v) * scale * 0.1f + 2.0f * scale;
  out[cause_thread()] = v;
}

// One thread works, the others of its block wait for it, or have ended.

template <bool kWait>
__global__ void one_works(const float* in, float* out, int steps) {
  __shared__ float data[1024];
  data[threadIdx.x] = in[cause_thread()];
  __syncthreads();
  if (threadIdx.x == 0)
    for (int k = 1; k < steps; ++k) data[k] += data[k - 1];
  if (kWait) {
    __syncthreads();
    out[cause_thread()] = data[threadIdx.x];
  } else if (threadIdx.x == 0) {
    out[blockIdx.x] = data[steps - 1];
  }
}

// Constant memory: 16 bytes for each step; a table that several warps go through.

__constant__ float4 cause_bodies[512];
__constant__ int cause_words[8192];
__global__ void constant_bodies_of(const float4* in, float4* out, int bodies) {
  const float4 own = in[cause_thread()];
  float3 sum = make_float3(0, 0, 0);
  for (int k = 0; k < bodies; ++k) {
    const float4 other = cause_bodies[k];
    const float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
    const float weight = other.w * rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
    sum = make_float3(sum.x + dx * weight, sum.y + dy * weight, sum.z + dz * weight);
  }
  out[cause_thread()] = make_float4(sum.x, sum.y, sum.z, own.w);
}
__global__ void constant_steps(int* out, int steps, int mask, int group, int words) {
  int sum = 0, at = (threadIdx.x >> group) * words;
  for (int k = 0; k < steps; ++k) sum += cause_words[(at + k * 17) & mask];
  out[cause_thread()] = sum;
}

// Blocks that look back: one lane of each, one poll at a time.

__global__ void look_back(unsigned long long* states, int* ticket, float* out) {
  if (threadIdx.x != 0) return;
  const int block = atomicAdd(ticket, 1) % gridDim.x;
  const auto state = [](unsigned flag, float sum) {
    return static_cast<unsigned long long>(flag) << 32 | __float_as_uint(sum);
  };
  atomicExch(states + block, state(block == 0 ? 2 : 1, 1.0f));
  float sum = 0;
  int polls = 0;
  for (int k = block - 1; k >= 0; --k) {
    unsigned long long seen;
    do {
      seen = *reinterpret_cast<volatile unsigned long long*>(states + k);
      ++polls;
    } while (seen >> 32 == 0);
    sum += __uint_as_float(static_cast<unsigned>(seen));
    if (seen >> 32 == 2) break;
  }
  if (block > 0) atomicExch(states + block, state(2, sum + 1.0f));
  out[block] = static_cast<float>(polls);
}

// Maxima by compare-and-swap: values that rise with the thread, fall with it, or come in any order.

__global__ void swap_maxima(unsigned* bins, unsigned mask, int order) {
  const unsigned threads = gridDim.x * blockDim.x, own = cause_thread();
  const float value = 1.0f + static_cast<float>(order == 0   ? own
                                                : order == 1 ? threads - own
                                                             : cause_hash(own) % threads);
  unsigned* at = bins + (own & mask);
  unsigned seen = *at;
  while (__uint_as_float(seen) < value) {
    const unsigned expected = seen;
    seen = atomicCAS(at, expected, __float_as_uint(value));
    if (seen == expected) break;
  }
}
__global__ void swap_products(double* bins, unsigned mask, unsigned stride) {
  auto* at = reinterpret_cast<unsigned long long*>(bins + (cause_thread() & mask) * stride);
  unsigned long long seen = *at, expected;
  do {
    expected = seen;
    seen = atomicCAS(at, expected, __double_as_longlong(__longlong_as_double(expected) * 1.0000001));
  } while (seen != expected);
}
__global__ void warm_write(float4* out, int n) {
  for (int i = cause_thread(); i < n; i += gridDim.x * blockDim.x) out[i] = make_float4(1, 2, 3, 4);
}

template <typename T, typename Function>
void add_rate(Cases& cases, const std::string& name, bool full) {
  auto* out = reinterpret_cast<T*>(cases.b);
  for (const int steps : {64, 256, 1024}) {
    if (full)
      cases.add("rates", name + "_" + std::to_string(steps), steps, rate<T, 2, Function>, 132 * 4, 256, 0, out, steps,
                T(0.001f), Function());
    cases.add("latencies", name + "_" + std::to_string(steps), steps, rate<T, 1, Function>, 132, 32, 0, out, steps,
              T(0.001f), Function());
  }
}

}  // namespace

void add_causes(Cases& cases) {
  auto* s = reinterpret_cast<int*>(cases.b);
  auto* u = reinterpret_cast<unsigned*>(cases.b);
  auto* used = reinterpret_cast<unsigned*>(cases.c);
  const auto name = [](const std::string& base, auto... sizes) {
    std::string all = base;
    ((all += "_" + std::to_string(sizes)), ...);
    return all;
  };
  for (const int bytes : {16, 64, 256, 1024, 4096})
    for (const auto& [blocks, lanes] : {std::pair{1, 1}, {1, 8}, {1, 32}, {8, 1}, {132, 1}, {132, 32}, {528, 1}})
      cases.add("heap", name("pair", bytes, blocks, lanes), bytes, heap_pairs_again, blocks, lanes, 0, s, bytes, 1);
  for (const int bytes : {16, 256, 1024})
    for (const auto& [blocks, lanes] : {std::pair{1, 1}, {1, 32}, {132, 1}, {132, 32}}) {
      cases.add("heap", name("again_4", bytes, blocks, lanes), bytes, heap_pairs_again, blocks, lanes, 0, s, bytes, 4);
      cases.add("heap", name("held_4", bytes, blocks, lanes), bytes, heap_held, blocks, lanes, 0, s, bytes, 4);
    }
  cases.add("heap", "held_64_16_1_1", 64, heap_held, 1, 1, 0, s, 16, 64);
  cases.add("heap", "again_64_16_1_1", 64, heap_pairs_again, 1, 1, 0, s, 16, 64);
  cases.add("heap", "pair_16_264_256", 16, heap_pairs_again, 264, 256, 0, s, 16, 1);
  cases.add("heap", "pair_1024_264_8", 1024, heap_pairs_again, 264, 8, 0, s, 1024, 1);
  add_rate<double, RateDoubleAdd>(cases, "f64_add", true);
  add_rate<double, RateDoubleFma>(cases, "f64_fma", true);
  add_rate<double, RateDoubleSquare>(cases, "f64_square", true);
  add_rate<double, RateDoubleReciprocal>(cases, "f64_reciprocal", true);
  add_rate<double, RateDoubleDivide>(cases, "f64_divide", true);
  add_rate<double, RateDoubleRoot>(cases, "f64_sqrt", true);
  add_rate<float, RateReciprocal>(cases, "reciprocal", true);
  add_rate<float, RateRoot>(cases, "sqrt", true);
  add_rate<float, RateDivide>(cases, "divide", true);
  add_rate<float, RateExp>(cases, "exp", true);
  add_rate<float, RateSin>(cases, "sin", true);
  auto* d = reinterpret_cast<double*>(cases.b);
  cases.add("rates", "beside_0", 256, rate_beside<0>, 132 * 4, 256, 0, d, 256);
  cases.add("rates", "beside_2", 256, rate_beside<2>, 132 * 4, 256, 0, d, 256);
  cases.add("rates", "beside_4", 256, rate_beside<4>, 132 * 4, 256, 0, d, 256);
  cases.add("rates", "beside_8", 256, rate_beside<8>, 132 * 4, 256, 0, d, 256);
  for (const int threads : {32, 64, 128, 256, 512, 1024})
    for (const unsigned words : {1u, 32u, 1024u})
      cases.add("shared_swaps", name("of", threads, words), threads, shared_swaps, 132, threads, 0, cases.b, words - 1,
                words == 1 ? 8 : 32);
  for (const unsigned words : {1u << 12, 1u << 16, 1u << 18}) {
    const auto zero = [c = cases.b, words] { CHECK_CUDA(cudaMemsetAsync(c, 0, words * std::size_t{8})); };
    cases.add("scattered", name("add", words), words, scattered_add<false>, 1024, 256, 0, u, used, words - 1);
    cases.add("scattered", name("add_used", words), words, scattered_add<true>, 1024, 256, 0, u, used, words - 1);
    cases.add("scattered", name("swap", words), words, scattered_swap, 1024, 256, 0, u, used, words - 1, 0u).prepare =
        zero;
    cases.add("scattered", name("swap_fails", words), words, scattered_swap, 1024, 256, 0, u, used, words - 1, 1u)
        .prepare = zero;
    cases
        .add("scattered", name("swap_wide", words), words, scattered_swap_wide, 1024, 256, 0,
             reinterpret_cast<unsigned long long*>(u), used, words - 1)
        .prepare = zero;
  }
  for (const unsigned stride : {8u, 32u, 128u})
    for (const unsigned words : {4u, 16u}) {
      cases.add("warps_add", name("s32", words, stride), words, warps_add<int>, 1024, 256, 0, s, words - 1, stride);
      cases.add("warps_add", name("f32", words, stride), words, warps_add<float>, 1024, 256, 0, cases.b, words - 1,
                stride);
    }
  for (const int blocks : {2048, 16384})
    for (const int steps : {0, 1, 2, 3})
      cases.add("blocks", name("load", blocks, steps), blocks, blocks_that_load, blocks, 256, 0, cases.a, cases.b,
                steps);
  for (const int offset : {0, 1, 5})
    for (const int every : {4, 8, 132, 264})
      cases.add("blocks", name("uneven", every, offset), every, blocks_uneven, 1056, 256, 0, cases.b, every, offset,
                256);
  auto* a4 = reinterpret_cast<const float4*>(cases.a);
  for (const int mib : {8, 16, 20, 24, 28, 32, 40, 48, 56, 64}) {
    cases.add("warm", name("read_cold", mib), mib, warm_read, 1056, 256, 0, a4, cases.b, mib * 65536);
    cases.add("warm", name("read", mib), mib, warm_read, 1056, 256, 0, a4, cases.b, mib * 65536).warm = true;
  }
  for (const unsigned mib : {8u, 16u, 32u, 64u})
    for (const unsigned blocks : {256u, 512u, 1024u}) {
      const unsigned mask = mib * 262144u - 1;
      cases.add("warm", name("gather_cold", mib, blocks), mib, warm_gather, blocks, 256, 0, cases.a, cases.b, mask, 0u);
      cases.add("warm", name("gather", mib, blocks), mib, warm_gather, blocks, 256, 0, cases.a, cases.b, mask, 0u)
          .warm = true;
    }
  for (const unsigned stride : {32u, 64u, 128u, 256u})
    for (const unsigned threads : {1u << 16, 1u << 17})
      cases.add("far", name("load", stride, threads), stride, strided_read, threads / 256, 256, 0, cases.a, cases.b,
                stride);
  for (const int tiles : {4, 16})
    for (const int ahead : {1, 2, 3})
      for (const int blocks : {132, 264})
        cases.add("bulk", name("copy", blocks, tiles, ahead), tiles, bulk_one, blocks, 256, 0, a4,
                  reinterpret_cast<float4*>(cases.b), tiles, ahead);
  for (const int width : {256, 1024, 4096})
    for (const int blocks : {2, 8})
      for (const int height : {256, 1024})
        if (blocks * 128 <= width)
          cases.add("columns", name("down", width, blocks, height), height, columns_down, blocks, 128, 0, cases.a,
                    cases.b, width, height);
  for (const int side : {256, 512, 1024, 2048})
    for (const bool warm : {false, true})
      cases
          .add("labs", name(warm ? "jacobi_warm" : "jacobi_cold", side), side, lab_sweep, dim3(side / 32, side / 8),
               dim3(32, 8), 0, cases.a, cases.b, cases.c, side, side)
          .warm = warm;
  for (const int log : {18, 20, 22})
    for (const bool warm : {false, true})
      cases
          .add("labs", name(warm ? "compaction_warm" : "compaction_cold", log), log, lab_count, (1 << log) / 4096, 256,
               0, cases.indices, 1 << 20, s, 1 << log)
          .warm = warm;
  for (const int parts : {1, 2, 3, 4, 6, 7})
    for (const int side : {8, 16}) {
      const dim3 grid(side, side), block(16, 16);
      cases.add("parts", name("registers_2", parts, side), parts, product_parts<2, 16>, grid, block, 0, cases.a,
                cases.b, cases.c, 512, parts);
      cases.add("parts", name("registers_4", parts, side), parts, product_parts<4, 16>, grid, block, 0, cases.a,
                cases.b, cases.c, 512 * side / 8, parts);
      cases.add("parts", name("registers_8", parts, side), parts, product_parts<8, 8>, grid, block, 0, cases.a, cases.b,
                cases.c, 512 * side / 4, parts);
    }
  cases.add("parts", "registers_8_7_4", 7, product_parts<8, 8>, dim3(4, 4), dim3(16, 16), 0, cases.a, cases.b, cases.c,
            512, 7);
  for (const int lanes : {0, 1, 4, 16, 32})
    for (const int steps : {4, 16}) {
      cases.add("sines", name("one_warp", lanes, steps), lanes, sines_of, 132, 32, 0, cases.b, steps, lanes);
      cases.add("sines", name("full", lanes, steps), lanes, sines_of, 528, 256, 0, cases.b, steps, lanes);
    }
  for (const int blocks : {1, 132, 1056, 4096})
    for (const int steps : {64, 256}) {
      cases.add("one_works", name("wait", blocks, steps), steps, one_works<true>, blocks, 256, 0, cases.a, cases.b,
                steps);
      cases.add("one_works", name("alone", blocks, steps), steps, one_works<false>, blocks, 256, 0, cases.a, cases.b,
                steps);
    }
  for (const int bodies : {64, 128, 256, 512})
    for (const auto& [blocks, threads] : {std::pair{132, 32}, {132, 128}, {132, 256}, {256, 256}, {528, 256}})
      cases.add("bodies", name("of", blocks, threads, bodies), bodies, constant_bodies_of, blocks, threads, 0,
                reinterpret_cast<float4*>(cases.a), reinterpret_cast<float4*>(cases.b), bodies);
  for (const int words : {512, 1024, 4096, 8192})
    for (const auto& [blocks, threads] : {std::pair{132, 32}, {132, 64}, {132, 256}, {264, 256}, {528, 256}})
      for (const int group : {31, 3})
        cases.add("constant_steps", name(group == 3 ? "apart" : "one", blocks, threads, words), words, constant_steps,
                  blocks, threads, 0, s, 128, words - 1, group, 33);
  for (const int blocks : {8, 32, 132, 512, 1024, 2048, 4096})
    cases
        .add("look_back", name("lane", blocks), blocks, look_back, blocks, 32, 0,
             reinterpret_cast<unsigned long long*>(cases.c), reinterpret_cast<int*>(cases.c) + (1 << 18), cases.b)
        .prepare = [c = cases.c] { CHECK_CUDA(cudaMemsetAsync(c, 0, std::size_t{8} << 20)); };
  for (const unsigned words : {1u, 64u})
    for (const int blocks : {1, 4, 16, 64}) {
      const auto zero = [c = cases.c] { CHECK_CUDA(cudaMemsetAsync(c, 0, std::size_t{1} << 20)); };
      for (const int order : {0, 1, 2})
        cases
            .add("swaps", name("maxima", words, blocks, order), words, swap_maxima, blocks, 256, 0, used, words - 1,
                 order)
            .prepare = zero;
      for (const unsigned stride : {1u, 16u})
        cases
            .add("swaps", name("products", words, blocks, stride), words, swap_products, blocks, 256, 0,
                 reinterpret_cast<double*>(cases.c), words - 1, stride)
            .prepare = zero;
    }
  for (const int mib : {4, 8, 16, 32}) {
    cases.add("warm", name("write_cold", mib), mib, warm_write, 1056, 256, 0, reinterpret_cast<float4*>(cases.b),
              mib * 65536);
    cases
        .add("warm", name("write", mib), mib, warm_write, 1056, 256, 0, reinterpret_cast<float4*>(cases.b), mib * 65536)
        .warm = true;
  }
}
