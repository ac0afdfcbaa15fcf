// Validation cases: integer division and modulo by width and by what is known about the divisor; bits and digits.
#include "common/simulator/model/validation/cases.cuh"

namespace {

__device__ unsigned integer_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

struct IntegerDivide {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return a / b;
  }
};
struct IntegerModulo {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return a % b;
  }
};

/// Divisors that differ from lane to lane and from step to step.
template <typename T, typename Operation, int kChains>
__global__ void integer_varying(T* out, int steps, T seed) {
  T v[kChains], divisor = static_cast<T>(integer_thread() % 97u + 3u), sum = 0;
  for (int c = 0; c < kChains; ++c) v[c] = seed + static_cast<T>(integer_thread() * 7u + c);
#pragma unroll 4
  for (int k = 0; k < steps; ++k) {
    for (int c = 0; c < kChains; ++c) v[c] = Operation()(v[c] + seed, divisor) ^ seed;
    divisor += 2;
  }
  for (int c = 0; c < kChains; ++c) sum += v[c];
  out[integer_thread()] = sum;
}

/// One divisor for the whole kernel, known at its start.
template <typename T, typename Operation>
__global__ void integer_fixed(T* out, int steps, T seed, T divisor) {
  T v = seed + static_cast<T>(integer_thread()), w = v + 1;
#pragma unroll 4
  for (int k = 0; k < steps; ++k) {
    v = Operation()(v + seed, divisor) ^ seed;
    w = Operation()(w + seed, divisor) ^ seed;
  }
  out[integer_thread()] = v + w;
}

template <typename T, typename Operation, int kDivisor>
__global__ void integer_constant(T* out, int steps, T seed) {
  T v = seed + static_cast<T>(integer_thread()), w = v + 1;
#pragma unroll 4
  for (int k = 0; k < steps; ++k) {
    v = Operation()(v, static_cast<T>(kDivisor)) + seed;
    w = Operation()(w, static_cast<T>(kDivisor)) + seed;
  }
  out[integer_thread()] = v + w;
}

/// The usual index arithmetic: an element's row and column from its number.
__global__ void integer_rows(const float* in, float* out, int width, int height, int n) {
  for (int i = integer_thread(); i < n; i += gridDim.x * blockDim.x) {
    const int row = i / width, column = i % width;
    out[i] = in[i] + static_cast<float>(row) * 0.5f + static_cast<float>(column % height);
  }
}
__global__ void integer_digits(unsigned* out) {
  unsigned v = integer_thread() * 2654435761u, sum = 0;
  while (v != 0) {
    sum += v % 10;
    v /= 10;
  }
  out[integer_thread()] = sum;
}
__global__ void integer_gcd(unsigned* out) {
  unsigned a = integer_thread() * 2654435761u | 1u, b = integer_thread() * 40503u + 12345u;
  while (b != 0) {
    const unsigned rest = a % b;
    a = b;
    b = rest;
  }
  out[integer_thread()] = a;
}
__global__ void integer_primes(unsigned* out) {
  const unsigned n = integer_thread() * 2 + 100001u;
  unsigned found = 0;
  for (unsigned d = 3; d * d <= n && found == 0; d += 2)
    if (n % d == 0) found = d;
  out[integer_thread()] = found;
}
__global__ void integer_collatz(unsigned* out) {
  unsigned long long v = integer_thread() + 1;
  unsigned steps = 0;
  while (v != 1 && steps < 200) {
    v = v & 1 ? 3 * v + 1 : v / 2;
    ++steps;
  }
  out[integer_thread()] = steps;
}
__global__ void integer_xorshift(unsigned* out, int steps) {
  unsigned v = integer_thread() + 1, sum = 0;
  for (int k = 0; k < steps; ++k) {
    v ^= v << 13;
    v ^= v >> 17;
    v ^= v << 5;
    sum += v & 0xff;
  }
  out[integer_thread()] = sum;
}
__global__ void integer_rotations(unsigned* out, int steps) {
  unsigned a = integer_thread(), b = a * 3, c = a ^ 0x5a5a5a5au;
#pragma unroll 8
  for (int k = 0; k < steps; ++k) {
    a = __funnelshift_l(a, a, 7) + (b & c);
    b = __funnelshift_l(b, b, 13) ^ a;
    c += __byte_perm(a, b, 0x1032);
  }
  out[integer_thread()] = a ^ b ^ c;
}
__global__ void integer_bits(unsigned* out, int steps) {
  unsigned v = integer_thread() * 2654435761u, sum = 0;
#pragma unroll 4
  for (int k = 0; k < steps; ++k) {
    sum += __popc(v) + __clz(v) + __ffs(v);
    v = __brev(v) + k;
  }
  out[integer_thread()] = sum;
}
__global__ void integer_dots(int* out, int steps) {
  int v = integer_thread(), w = v * 3;
#pragma unroll 8
  for (int k = 0; k < steps; ++k) {
    v = __dp4a(v, w, v);
    w = __dp4a(w, v, k);
  }
  out[integer_thread()] = v + w;
}
__global__ void integer_high(unsigned long long* out, int steps) {
  unsigned long long v = integer_thread() * 0x9e3779b97f4a7c15ull;
#pragma unroll 4
  for (int k = 0; k < steps; ++k) v = __umul64hi(v, 0xd6e8feb86659fd93ull) + v;
  out[integer_thread()] = v;
}

}  // namespace

void add_integers(Cases& cases) {
  const int blocks = 132 * 4, threads = 256, steps = 16;
  auto* u = reinterpret_cast<unsigned*>(cases.b);
  auto* s = reinterpret_cast<int*>(cases.b);
  auto* l = reinterpret_cast<unsigned long long*>(cases.b);
  auto* sl = reinterpret_cast<long long*>(cases.b);
  const std::string family = "division";
  // The width of the operands is known, their values are not: large ones, and small 64-bit ones.
  const unsigned su = 4000000007u;
  const int ss = 2000000011;
  const unsigned long long lu = 0xfedcba9876543211ull, small = 4000000007ull;
  const long long ls = 0x7edcba9876543211ll;
  cases.add(family, "u32_varying", 32, integer_varying<unsigned, IntegerDivide, 2>, blocks, threads, 0, u, steps, su);
  cases.add(family, "s32_varying", 32, integer_varying<int, IntegerDivide, 2>, blocks, threads, 0, s, steps, ss);
  cases.add(family, "u32_varying_mod", 32, integer_varying<unsigned, IntegerModulo, 2>, blocks, threads, 0, u, steps,
            su);
  cases.add(family, "s32_varying_mod", 32, integer_varying<int, IntegerModulo, 2>, blocks, threads, 0, s, steps, ss);
  cases.add(family, "u64_varying", 64, integer_varying<unsigned long long, IntegerDivide, 2>, blocks, threads, 0, l, 8,
            lu);
  cases.add(family, "u64_varying_small", 64, integer_varying<unsigned long long, IntegerDivide, 2>, blocks, threads, 0,
            l, 8, small);
  cases.add(family, "s64_varying", 64, integer_varying<long long, IntegerDivide, 2>, blocks, threads, 0, sl, 8, ls);
  cases.add(family, "u64_varying_mod", 64, integer_varying<unsigned long long, IntegerModulo, 2>, blocks, threads, 0, l,
            8, lu);
  cases.add(family, "s64_varying_mod", 64, integer_varying<long long, IntegerModulo, 2>, blocks, threads, 0, sl, 8, ls);
  cases.add(family, "u32_fixed", 32, integer_fixed<unsigned, IntegerDivide>, blocks, threads, 0, u, steps, su, 7u);
  cases.add(family, "s32_fixed", 32, integer_fixed<int, IntegerDivide>, blocks, threads, 0, s, steps, ss, 7);
  cases.add(family, "u32_fixed_mod", 32, integer_fixed<unsigned, IntegerModulo>, blocks, threads, 0, u, steps, su,
            1000u);
  cases.add(family, "s32_fixed_mod", 32, integer_fixed<int, IntegerModulo>, blocks, threads, 0, s, steps, ss, 1000);
  cases.add(family, "u64_fixed", 64, integer_fixed<unsigned long long, IntegerDivide>, blocks, threads, 0, l, 8, lu,
            7ull);
  cases.add(family, "u64_fixed_mod", 64, integer_fixed<unsigned long long, IntegerModulo>, blocks, threads, 0, l, 8, lu,
            1000ull);
  cases.add(family, "u32_by_7", 32, integer_constant<unsigned, IntegerDivide, 7>, blocks, threads, 0, u, steps * 2, su);
  cases.add(family, "s32_by_10", 32, integer_constant<int, IntegerDivide, 10>, blocks, threads, 0, s, steps * 2, ss);
  cases.add(family, "s32_by_16", 32, integer_constant<int, IntegerDivide, 16>, blocks, threads, 0, s, steps * 2, ss);
  cases.add(family, "u32_mod_1000", 32, integer_constant<unsigned, IntegerModulo, 1000>, blocks, threads, 0, u,
            steps * 2, su);
  cases.add(family, "u64_by_10", 64, integer_constant<unsigned long long, IntegerDivide, 10>, blocks, threads, 0, l,
            steps, lu);
  cases.add(family, "u64_mod_1000", 64, integer_constant<unsigned long long, IntegerModulo, 1000>, blocks, threads, 0,
            l, steps, lu);
  cases.add(family, "rows", 1 << 20, integer_rows, 528, threads, 0, cases.a, cases.b, 1000, 37, 1 << 20);
  cases.add(family, "digits", 0, integer_digits, blocks, threads, 0, u);
  cases.add(family, "gcd", 0, integer_gcd, blocks, threads, 0, u);
  cases.add(family, "primes", 0, integer_primes, blocks, threads, 0, u);
  cases.add("micro_division", "u32_chain", 1, integer_varying<unsigned, IntegerDivide, 1>, 132, 32, 0, u, 128, su);
  cases.add("micro_division", "s32_chain", 1, integer_varying<int, IntegerDivide, 1>, 132, 32, 0, s, 128, ss);
  cases.add("micro_division", "u32_mod_chain", 1, integer_varying<unsigned, IntegerModulo, 1>, 132, 32, 0, u, 128, su);
  cases.add("micro_division", "u64_chain", 1, integer_varying<unsigned long long, IntegerDivide, 1>, 132, 32, 0, l, 64,
            lu);
  cases.add("micro_division", "u64_small_chain", 1, integer_varying<unsigned long long, IntegerDivide, 1>, 132, 32, 0,
            l, 64, small);
  cases.add("micro_division", "s64_chain", 1, integer_varying<long long, IntegerDivide, 1>, 132, 32, 0, sl, 64, ls);
  cases.add("bits", "collatz", 0, integer_collatz, blocks, threads, 0, u);
  cases.add("bits", "xorshift", 64, integer_xorshift, blocks, threads, 0, u, 64);
  cases.add("bits", "rotations", 64, integer_rotations, blocks, threads, 0, u, 64);
  cases.add("bits", "counts", 32, integer_bits, blocks, threads, 0, u, 32);
  cases.add("bits", "dots", 64, integer_dots, blocks, threads, 0, s, 64);
  cases.add("bits", "high_products", 32, integer_high, blocks, threads, 0, l, 32);
}
