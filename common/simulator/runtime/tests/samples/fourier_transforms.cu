// Fast Fourier transforms: radix 2 in double precision against the definition, and exactly, modulo a prime.
#include <cuComplex.h>

#include "sample.h"

namespace {

constexpr int kSize = 256, kLog = 8;
constexpr std::uint64_t kPrime = 998244353;

/// Bit-reversal permutation, then butterflies.
__global__ void transform(cuDoubleComplex* values, int sign) {
  __shared__ cuDoubleComplex v[kSize];
  const int t = threadIdx.x;
  v[__brev(t) >> (32 - kLog)] = values[t];
  v[__brev(t + kSize / 2) >> (32 - kLog)] = values[t + kSize / 2];
  for (int half = 1; half < kSize; half *= 2) {
    __syncthreads();
    const int k = t % half, i = t / half * 2 * half + k;
    double s, c;
    sincospi(sign * static_cast<double>(k) / half, &s, &c);
    const cuDoubleComplex a = v[i], b = cuCmul(v[i + half], make_cuDoubleComplex(c, s));
    v[i] = cuCadd(a, b);
    v[i + half] = cuCsub(a, b);
  }
  __syncthreads();
  values[t] = v[t], values[t + kSize / 2] = v[t + kSize / 2];
}

__host__ __device__ std::uint32_t power(std::uint64_t base, std::uint32_t exponent) {
  std::uint64_t result = 1;
  for (; exponent != 0; exponent /= 2, base = base * base % kPrime)
    if (exponent % 2 != 0) result = result * base % kPrime;
  return static_cast<std::uint32_t>(result);
}

/// The same in the integers modulo a prime, whose roots of unity are powers of 3.
__global__ void number_transform(std::uint32_t* values, bool back) {
  __shared__ std::uint32_t v[kSize];
  const int t = threadIdx.x;
  v[__brev(t) >> (32 - kLog)] = values[t];
  v[__brev(t + kSize / 2) >> (32 - kLog)] = values[t + kSize / 2];
  for (int half = 1; half < kSize; half *= 2) {
    __syncthreads();
    const int k = t % half, i = t / half * 2 * half + k;
    std::uint32_t turn = (kPrime - 1) / (2 * half) * k;
    if (back && turn != 0) turn = kPrime - 1 - turn;
    const std::uint32_t a = v[i], b = static_cast<std::uint32_t>(std::uint64_t{v[i + half]} * power(3, turn) % kPrime);
    v[i] = a + b >= kPrime ? a + b - kPrime : a + b;
    v[i + half] = a >= b ? a - b : a + static_cast<std::uint32_t>(kPrime) - b;
  }
  __syncthreads();
  values[t] = v[t], values[t + kSize / 2] = v[t + kSize / 2];
}

__global__ void multiply(std::uint32_t* a, const std::uint32_t* b, std::uint32_t factor) {
  const int i = threadIdx.x;
  a[i] = static_cast<std::uint32_t>(std::uint64_t{a[i]} * b[i] % kPrime * factor % kPrime);
}

}  // namespace

int main() {
  sample::Numbers numbers(12);
  std::vector<cuDoubleComplex> host(kSize);
  for (auto& z : host) z = make_cuDoubleComplex(numbers.unit() - 0.5, numbers.unit() - 0.5);
  sample::Device<cuDoubleComplex> values(host);
  transform<<<1, kSize / 2>>>(values, -1);
  FINISH();
  std::vector<double> got, wanted, there_and_back, original;
  for (const auto& z : values.get()) got.insert(got.end(), {z.x, z.y});
  for (int k = 0; k < kSize; ++k) {
    double re = 0, im = 0;
    for (int i = 0; i < kSize; ++i) {
      const double angle = -2 * 3.14159265358979323846 * (i * k % kSize) / kSize;
      re += host[i].x * std::cos(angle) - host[i].y * std::sin(angle);
      im += host[i].x * std::sin(angle) + host[i].y * std::cos(angle);
    }
    wanted.insert(wanted.end(), {re, im});
  }
  sample::near("transform", got, wanted, 1e-12);
  transform<<<1, kSize / 2>>>(values, 1);
  FINISH();
  for (const auto& z : values.get()) there_and_back.insert(there_and_back.end(), {z.x / kSize, z.y / kSize});
  for (const auto& z : host) original.insert(original.end(), {z.x, z.y});
  sample::near("and back", there_and_back, original, 1e-14);

  std::vector<std::uint32_t> a(kSize), b(kSize), product(kSize);
  for (int i = 0; i < kSize / 2; ++i) a[i] = numbers.below(1000), b[i] = numbers.below(1000);
  for (int i = 0; i < kSize / 2; ++i)
    for (int k = 0; k < kSize / 2; ++k) product[i + k] += a[i] * b[k];
  sample::Device<std::uint32_t> p(a), q(b);
  number_transform<<<1, kSize / 2>>>(p, false);
  number_transform<<<1, kSize / 2>>>(q, false);
  multiply<<<1, kSize>>>(p, q, power(kSize, kPrime - 2));
  number_transform<<<1, kSize / 2>>>(p, true);
  FINISH();
  sample::compare("product of polynomials", p.get(), product);
  return sample::passed();
}
