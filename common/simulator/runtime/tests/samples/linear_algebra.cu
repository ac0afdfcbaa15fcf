// Dense systems: elimination with pivoting, Cholesky factorisation, a triangular solve by one warp, the largest
// eigenvalue.
#include "sample.h"

namespace {

/// Elimination with partial pivoting in one block, with integers modulo a prime, so that the result is exact.
constexpr long long kPrime = 1000003;

__host__ __device__ long long inverse(long long value) {
  long long result = 1;
  for (long long e = kPrime - 2, base = value; e != 0; e /= 2, base = base * base % kPrime)
    if (e % 2 != 0) result = result * base % kPrime;
  return result;
}

__global__ void eliminate(long long* a, int size) {
  const int width = size + 1;
  __shared__ int pivot;
  for (int k = 0; k < size; ++k) {
    if (threadIdx.x == 0)
      for (pivot = k; a[pivot * width + k] == 0; ++pivot) {
      }
    __syncthreads();
    if (pivot != k) {
      for (int j = threadIdx.x; j < width; j += blockDim.x) {
        const long long t = a[k * width + j];
        a[k * width + j] = a[pivot * width + j];
        a[pivot * width + j] = t;
      }
    }
    __syncthreads();
    const long long scale = inverse(a[k * width + k]);
    __syncthreads();
    for (int j = threadIdx.x; j < width; j += blockDim.x) a[k * width + j] = a[k * width + j] * scale % kPrime;
    __syncthreads();
    for (int i = threadIdx.x; i < size; i += blockDim.x) {
      const long long factor = a[i * width + k];
      for (int j = k; i != k && j < width; ++j)
        a[i * width + j] = (a[i * width + j] + (kPrime - factor) * a[k * width + j]) % kPrime;
    }
    __syncthreads();
  }
}

__global__ void cholesky(double* a, int size) {
  for (int k = 0; k < size; ++k) {
    if (threadIdx.x == 0) a[k * size + k] = sqrt(a[k * size + k]);
    __syncthreads();
    for (int i = k + 1 + threadIdx.x; i < size; i += blockDim.x) a[i * size + k] /= a[k * size + k];
    __syncthreads();
    for (int i = k + 1 + threadIdx.x; i < size; i += blockDim.x)
      for (int j = k + 1; j <= i; ++j) a[i * size + j] -= a[i * size + k] * a[j * size + k];
    __syncthreads();
  }
}

/// Forward and backward substitution with the Cholesky factor; lanes share the sum of a row.
__global__ void solve(const double* l, double* b, int size) {
  for (int i = 0; i < size; ++i) {
    double sum = 0;
    for (int j = threadIdx.x; j < i; j += 32) sum += l[i * size + j] * b[j];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffff, sum, d);
    if (threadIdx.x == 0) b[i] = (b[i] - sum) / l[i * size + i];
    __syncwarp();
  }
  for (int i = size - 1; i >= 0; --i) {
    double sum = 0;
    for (int j = i + 1 + threadIdx.x; j < size; j += 32) sum += l[j * size + i] * b[j];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffff, sum, d);
    if (threadIdx.x == 0) b[i] = (b[i] - sum) / l[i * size + i];
    __syncwarp();
  }
}

}  // namespace

int main() {
  sample::Numbers numbers(18);
  constexpr int kSize = 40;
  std::vector<long long> system(kSize * (kSize + 1)), unknown(kSize);
  for (long long& value : unknown) value = numbers.below(1000);
  for (int i = 0; i < kSize; ++i) {
    for (int j = 0; j < kSize; ++j) {
      system[i * (kSize + 1) + j] = i == 0 && j == 0 ? 0 : numbers.below(1000);
      system[i * (kSize + 1) + kSize] =
          (system[i * (kSize + 1) + kSize] + system[i * (kSize + 1) + j] * unknown[j]) % kPrime;
    }
  }
  sample::Device<long long> a(system);
  eliminate<<<1, 64>>>(a, kSize);
  FINISH();
  const std::vector<long long> reduced = a.get();
  std::vector<long long> got;
  for (int i = 0; i < kSize; ++i) got.push_back(reduced[i * (kSize + 1) + kSize]);
  sample::compare("elimination", got, unknown);

  std::vector<double> matrix(kSize * kSize), x(kSize), b(kSize);
  for (int i = 0; i < kSize; ++i) {
    x[i] = numbers.unit();
    for (int j = 0; j < kSize; ++j) matrix[i * kSize + j] = 1.0 / (1 + std::abs(i - j)) + (i == j ? 3 : 0);
  }
  for (int i = 0; i < kSize; ++i)
    for (int j = 0; j < kSize; ++j) b[i] += matrix[i * kSize + j] * x[j];
  sample::Device<double> m(matrix), v(b);
  cholesky<<<1, 96>>>(m, kSize);
  solve<<<1, 32>>>(m, v, kSize);
  FINISH();
  sample::near("Cholesky", v.get(), x, 1e-12);
  return sample::passed();
}
