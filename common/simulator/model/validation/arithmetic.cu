// Validation cases: throughput of the arithmetic pipes and the cost of divergence.
#include "common/simulator/model/validation/cases.cuh"

namespace {

/// Four independent chains of one operation in each thread.
template <typename T, typename Operation>
__device__ void chains(T* out, int steps, Operation operation) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  T v0 = T(i + 1), v1 = T(i + 2), v2 = T(i + 3), v3 = T(i + 4);
#pragma unroll 8
  for (int k = 0; k < steps; ++k) {
    v0 = operation(v0);
    v1 = operation(v1);
    v2 = operation(v2);
    v3 = operation(v3);
  }
  out[i] = v0 + v1 + v2 + v3;
}

__global__ void float_fma(float* out, int steps) {
  chains<float>(out, steps, [](float v) { return v * 0.999f + 0.5f; });
}
__global__ void float_add(float* out, int steps) {
  chains<float>(out, steps, [](float v) { return v + 0.5f; });
}
__global__ void double_fma(double* out, int steps) {
  chains<double>(out, steps, [](double v) { return v * 0.999 + 0.5; });
}
__global__ void integer_mad(unsigned* out, int steps) {
  chains<unsigned>(out, steps, [](unsigned v) { return v * 1664525u + 1013904223u; });
}
__global__ void integer_logic(unsigned* out, int steps) {
  chains<unsigned>(out, steps, [](unsigned v) { return (v ^ (v >> 3)) + 0x9e3779b9u; });
}
__global__ void long_mad(unsigned long long* out, int steps) {
  chains<unsigned long long>(out, steps,
                             [](unsigned long long v) { return v * 6364136223846793005ull + 1442695040888963407ull; });
}
__global__ void integer_divide(unsigned* out, int steps, unsigned divisor) {
  chains<unsigned>(out, steps, [=](unsigned v) { return v / divisor + 0x9e3779b9u; });
}
__global__ void fast_sine(float* out, int steps) {
  chains<float>(out, steps, [](float v) { return __sinf(v); });
}
__global__ void sine(float* out, int steps) {
  chains<float>(out, steps, [](float v) { return sinf(v); });
}
__global__ void exponential(float* out, int steps) {
  chains<float>(out, steps, [](float v) { return expf(-v); });
}
__global__ void square_root(float* out, int steps) {
  chains<float>(out, steps, [](float v) { return sqrtf(v + 1.0f); });
}
__global__ void reciprocal_square_root(float* out, int steps) {
  chains<float>(out, steps, [](float v) { return rsqrtf(v); });
}
__global__ void divide(float* out, int steps, float divisor) {
  chains<float>(out, steps, [=](float v) { return v / divisor; });
}
__global__ void double_divide(double* out, int steps, double divisor) {
  chains<double>(out, steps, [=](double v) { return v / divisor; });
}
__global__ void convert(float* out, int steps) {
  chains<float>(out, steps, [](float v) { return static_cast<float>(static_cast<int>(v) | 1); });
}
__global__ void shuffles(unsigned* out, int steps) {
  chains<unsigned>(out, steps, [](unsigned v) { return __shfl_xor_sync(0xffffffffu, v, 1); });
}
__global__ void population_count(unsigned* out, int steps) {
  chains<unsigned>(out, steps, [](unsigned v) { return v + __popc(v); });
}

__device__ float long_path(float v, float factor) {
#pragma unroll 1
  for (int k = 0; k < 64; ++k) v = v * factor + 0.25f;
  return v;
}

/// The lanes of a warp take `ways` different paths of equal length.
__global__ void diverge(float* out, unsigned ways) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = static_cast<float>(i);
  const unsigned path = threadIdx.x % ways;
  for (unsigned p = 0; p < ways; ++p)
    if (path == p) v = long_path(v, 0.5f + 0.001f * static_cast<float>(p));
  out[i] = v;
}

/// As many paths, but whole warps take one of them.
__global__ void branch_by_warp(float* out, unsigned ways) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = static_cast<float>(i);
  const unsigned path = threadIdx.x / 32 % ways;
  for (unsigned p = 0; p < ways; ++p)
    if (path == p) v = long_path(v, 0.5f + 0.001f * static_cast<float>(p));
  out[i] = v;
}

/// One chain of dependent operations: bound by latency when few warps are resident.
__global__ void dependent_chain(float* out, int steps) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = static_cast<float>(i);
#pragma unroll 16
  for (int k = 0; k < steps; ++k) v = v * 0.999f + 0.5f;
  out[i] = v;
}

}  // namespace

void add_arithmetic(Cases& cases) {
  const int blocks = cases.reduced ? 132 : 132 * 16, threads = 256, steps = cases.reduced ? 64 : 512;
  auto* f = cases.b;
  auto* u = reinterpret_cast<unsigned*>(cases.b);
  auto* d = reinterpret_cast<double*>(cases.b);
  auto* l = reinterpret_cast<unsigned long long*>(cases.b);
  const std::string family = "arithmetic";
  cases.add(family, "float_fma", steps, float_fma, blocks, threads, 0, f, steps);
  cases.add(family, "float_add", steps, float_add, blocks, threads, 0, f, steps);
  cases.add(family, "double_fma", steps, double_fma, blocks, threads, 0, d, steps);
  cases.add(family, "integer_mad", steps, integer_mad, blocks, threads, 0, u, steps);
  cases.add(family, "integer_logic", steps, integer_logic, blocks, threads, 0, u, steps);
  cases.add(family, "long_mad", steps, long_mad, blocks, threads, 0, l, steps);
  cases.add(family, "integer_divide", steps, integer_divide, blocks, threads, 0, u, steps, 7u);
  cases.add(family, "fast_sine", steps, fast_sine, blocks, threads, 0, f, steps);
  cases.add(family, "sine", steps, sine, blocks, threads, 0, f, steps);
  cases.add(family, "exponential", steps, exponential, blocks, threads, 0, f, steps);
  cases.add(family, "square_root", steps, square_root, blocks, threads, 0, f, steps);
  cases.add(family, "reciprocal_square_root", steps, reciprocal_square_root, blocks, threads, 0, f, steps);
  cases.add(family, "divide", steps, divide, blocks, threads, 0, f, steps, 1.01f);
  cases.add(family, "double_divide", steps, double_divide, blocks, threads, 0, d, steps, 1.01);
  cases.add(family, "convert", steps, convert, blocks, threads, 0, f, steps);
  cases.add(family, "shuffles", steps, shuffles, blocks, threads, 0, u, steps);
  cases.add(family, "population_count", steps, population_count, blocks, threads, 0, u, steps);
  for (unsigned ways : {1u, 2u, 4u, 8u, 16u, 32u}) {
    cases.add("divergence", "lanes" + std::to_string(ways), ways, diverge, blocks, threads, 0, f, ways);
    if (ways <= 8)
      cases.add("divergence", "warps" + std::to_string(ways), ways, branch_by_warp, blocks, threads, 0, f, ways);
  }
  for (int warps : {1, 4, 8, 16, 32})
    cases.add("dependent_chain", std::to_string(warps) + "_warps", warps, dependent_chain, 132, warps * 32, 0, f,
              steps * 4);
  // The same work spread over fewer and fewer multiprocessors, and one block more than a full wave.
  for (int grid : {1, 33, 66, 132, 133, 264, 1056, 1057})
    cases.add("waves", std::to_string(grid) + "_blocks", grid, dependent_chain, grid, 256, 0, f, steps * 4);
}
