// cuRAND's generators in kernels: Philox, XORWOW and MRG32k3a, skipping ahead, and distributions.
#include <curand_kernel.h>

#include "sample.h"

namespace {

constexpr int kThreads = 64, kEach = 8;

/// Integers, whose bits are the same on every device.
template <class State>
__global__ void draw(unsigned* out, unsigned long long seed, unsigned long long skipped) {
  const int i = threadIdx.x;
  State state;
  curand_init(seed, i, 0, &state);
  if (skipped != 0) skipahead(skipped, &state);
  for (int k = 0; k < kEach; ++k) out[i * kEach + k] = curand(&state);
}

__global__ void draw_four(uint4* out) {
  curandStatePhilox4_32_10_t state;
  curand_init(77, threadIdx.x, 4 * threadIdx.x, &state);
  out[threadIdx.x] = curand4(&state);
}

/// Sums of the values of a distribution and of their squares.
template <class State>
__global__ void distribute(double* out) {
  State state;
  curand_init(5, threadIdx.x, 0, &state);
  double uniform = 0, normal = 0, squares = 0;
  unsigned poisson = 0;
  for (int k = 0; k < 100; ++k) {
    uniform += curand_uniform(&state);
    const float value = curand_normal(&state);
    normal += value;
    squares += static_cast<double>(value) * value;
    poisson += curand_poisson(&state, 3.5);
  }
  atomicAdd(out, uniform);
  atomicAdd(out + 1, normal);
  atomicAdd(out + 2, squares);
  atomicAdd(out + 3, static_cast<double>(poisson));
}

std::uint32_t digest(const std::vector<unsigned>& values) {
  std::uint32_t hash = 2166136261u;
  for (const unsigned value : values) hash = (hash ^ value) * 16777619u;
  return hash;
}

/// The same numbers whether drawn one by one or skipped to.
template <class State>
void check(const char* name) {
  sample::Device<unsigned> out(kThreads * kEach);
  draw<State><<<1, kThreads>>>(out, 1234, 0);
  FINISH();
  const std::vector<unsigned> first = out.get();
  draw<State><<<1, kThreads>>>(out, 1234, 3);
  FINISH();
  const std::vector<unsigned> later = out.get();
  std::printf("%s: %08x %08x, skipped %08x\n", name, first[0], digest(first), digest(later));
  bool same = true;
  for (int i = 0; i < kThreads; ++i)
    for (int k = 3; k < kEach; ++k) same = same && later[i * kEach + k - 3] == first[i * kEach + k];
  sample::holds(" skipping is drawing", same);
}

template <class State>
void check_distributions(const char* name) {
  sample::Device<double> out(4);
  distribute<State><<<10, kThreads>>>(out);
  FINISH();
  const std::vector<double> sums = out.get();
  constexpr double kDrawn = 100.0 * 10 * kThreads;
  std::printf("%s\n", name);
  sample::holds(" uniform numbers have a mean of 0.5", std::fabs(sums[0] / kDrawn - 0.5) < 0.02);
  sample::holds(" normal numbers have a mean of 0", std::fabs(sums[1] / kDrawn) < 0.05);
  sample::holds(" and a variance of 1", std::fabs(sums[2] / kDrawn - 1) < 0.05);
  sample::holds(" Poisson numbers have a mean of 3.5", std::fabs(sums[3] / kDrawn - 3.5) < 0.1);
}

}  // namespace

int main() {
  check<curandStatePhilox4_32_10_t>("Philox4x32-10");
  check<curandStateXORWOW_t>("XORWOW");
  check<curandStateMRG32k3a_t>("MRG32k3a");
  sample::Device<uint4> four(kThreads);
  draw_four<<<1, kThreads>>>(four);
  FINISH();
  std::vector<unsigned> words;
  for (const uint4& v : four.get()) words.insert(words.end(), {v.x, v.y, v.z, v.w});
  std::printf("four at a time: %08x\n", digest(words));
  check_distributions<curandStatePhilox4_32_10_t>("Philox4x32-10");
  check_distributions<curandStateXORWOW_t>("XORWOW");
  check_distributions<curandStateMRG32k3a_t>("MRG32k3a");
  return sample::passed();
}
