// Tiled matrix multiplication, in static shared memory, and in dynamic shared memory with four results for each thread.
#include "sample.h"

namespace {

constexpr int kTile = 16;

__global__ void multiply(const int* a, const int* b, int* c, int rows, int inner, int columns) {
  __shared__ int left[kTile][kTile], right[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  int sum = 0;
  for (int tile = 0; tile < inner; tile += kTile) {
    left[y][x] = row < rows && tile + x < inner ? a[row * inner + tile + x] : 0;
    right[y][x] = tile + y < inner && column < columns ? b[(tile + y) * columns + column] : 0;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum += left[y][k] * right[k][x];
    __syncthreads();
  }
  if (row < rows && column < columns) c[row * columns + column] = sum;
}

__global__ void multiply_wide(const int* a, const int* b, int* c, int size) {
  extern __shared__ int shared[];
  int* const left = shared;
  int4* const right = reinterpret_cast<int4*>(shared + kTile * kTile);
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  int4 sum{0, 0, 0, 0};
  for (int tile = 0; tile < size; tile += kTile) {
    left[y * kTile + x] = a[row * size + tile + x];
    right[y * kTile + x] = reinterpret_cast<const int4*>(b)[(tile + y) * (size / 4) + column];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) {
      const int4 four = right[k * kTile + x];
      const int one = left[y * kTile + k];
      sum.x += one * four.x, sum.y += one * four.y, sum.z += one * four.z, sum.w += one * four.w;
    }
    __syncthreads();
  }
  reinterpret_cast<int4*>(c)[row * (size / 4) + column] = sum;
}

std::vector<int> on_host(const std::vector<int>& a, const std::vector<int>& b, int rows, int inner, int columns) {
  std::vector<int> c(rows * columns);
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < inner; ++k)
      for (int j = 0; j < columns; ++j) c[i * columns + j] += a[i * inner + k] * b[k * columns + j];
  return c;
}

std::vector<int> random_matrix(sample::Numbers& numbers, int count) {
  std::vector<int> values(count);
  for (int& value : values) value = numbers.below(200) - 100;
  return values;
}

}  // namespace

int main() {
  sample::Numbers numbers(2);
  const std::vector<int> a = random_matrix(numbers, 45 * 70), b = random_matrix(numbers, 70 * 33);
  sample::Device<int> device_a(a), device_b(b), device_c(45 * 33);
  multiply<<<dim3(3, 3), dim3(kTile, kTile)>>>(device_a, device_b, device_c, 45, 70, 33);
  FINISH();
  sample::compare("45 x 70 by 70 x 33", device_c.get(), on_host(a, b, 45, 70, 33));
  const std::vector<int> p = random_matrix(numbers, 64 * 64), q = random_matrix(numbers, 64 * 64);
  sample::Device<int> device_p(p), device_q(q), device_r(64 * 64);
  multiply_wide<<<dim3(1, 4), dim3(kTile, kTile), kTile * kTile * 5 * sizeof(int)>>>(device_p, device_q, device_r, 64);
  FINISH();
  sample::compare("64 x 64", device_r.get(), on_host(p, q, 64, 64, 64));
  return sample::passed();
}
