// Monte Carlo: points in a quarter of a circle, counted exactly in integers, and an integral in double precision.
#include "sample.h"

namespace {

__host__ __device__ std::uint32_t xorshift(std::uint32_t& state) {
  state ^= state << 13;
  state ^= state >> 17;
  return state ^= state << 5;
}

__host__ __device__ unsigned points_inside(std::uint32_t seed, int points) {
  std::uint32_t state = seed * 2654435761u + 1;
  unsigned inside = 0;
  for (int i = 0; i < points; ++i) {
    const std::uint64_t x = xorshift(state) >> 8, y = xorshift(state) >> 8;
    inside += x * x + y * y < std::uint64_t{1} << 48;
  }
  return inside;
}

__global__ void count(unsigned* inside, int points) {
  const unsigned own = points_inside(blockIdx.x * blockDim.x + threadIdx.x, points);
  const unsigned sum = __reduce_add_sync(0xffffffff, own);
  if (threadIdx.x % 32 == 0) atomicAdd(inside, sum);
}

/// The integral of 4 / (1 + x * x) by Simpson's rule, each thread its own strip.
__global__ void integrate(double* strips, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const double h = 1.0 / count, a = i * h;
  const auto f = [](double x) { return 4.0 / (1.0 + x * x); };
  strips[i] = h / 6 * (f(a) + 4 * f(a + h / 2) + f(a + h));
}

}  // namespace

int main() {
  constexpr int kThreads = 1024, kPoints = 200;
  sample::Device<unsigned> inside(1);
  count<<<kThreads / 256, 256>>>(inside, kPoints);
  FINISH();
  unsigned wanted = 0;
  for (int i = 0; i < kThreads; ++i) wanted += points_inside(i, kPoints);
  sample::compare("points inside", inside.get()[0], wanted);
  std::printf("pi is about %.4f\n", 4.0 * wanted / (kThreads * kPoints));
  sample::Device<double> strips(1000);
  integrate<<<8, 128>>>(strips, 1000);
  FINISH();
  double sum = 0;
  for (const double strip : strips.get()) sum += strip;
  sample::near("the integral", std::vector<double>{sum}, std::vector<double>{3.14159265358979323846}, 1e-13);
  return sample::passed();
}
