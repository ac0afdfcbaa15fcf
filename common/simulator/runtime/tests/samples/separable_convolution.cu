// Convolves an image by rows and then by columns, with a halo in shared memory and the filter in constant memory.
#include "sample.h"

namespace {

constexpr int kRadius = 5, kWidth = 150, kHeight = 70, kTile = 32;

__constant__ int filter[2 * kRadius + 1];

template <bool Columns>
__global__ void convolve(const int* in, int* out) {
  __shared__ int tile[kTile + 2 * kRadius][Columns ? kTile : 8];
  // t runs along the filter, s across it.
  const int t = Columns ? threadIdx.y : threadIdx.x, s = Columns ? threadIdx.x : threadIdx.y;
  const int along = (Columns ? blockIdx.y : blockIdx.x) * kTile,
            across = (Columns ? blockIdx.x * kTile : blockIdx.y * 8) + s;
  const int length = Columns ? kHeight : kWidth, breadth = Columns ? kWidth : kHeight;
  const auto at = [](int a, int b) { return Columns ? a * kWidth + b : b * kWidth + a; };
  for (int i = t; i < kTile + 2 * kRadius; i += Columns ? 8 : kTile) {
    const int a = along + i - kRadius;
    tile[i][s] = a >= 0 && a < length && across < breadth ? in[at(a, across)] : 0;
  }
  __syncthreads();
  for (int i = t; i < kTile && along + i < length && across < breadth; i += Columns ? 8 : kTile) {
    int sum = 0;
#pragma unroll
    for (int k = 0; k <= 2 * kRadius; ++k) sum += filter[k] * tile[i + k][s];
    out[at(along + i, across)] = sum;
  }
}

}  // namespace

int main() {
  sample::Numbers numbers(11);
  const std::vector<int> weights{1, -2, 3, 5, 8, 13, 8, 5, 3, -2, 1};
  CUDA(cudaMemcpyToSymbol(filter, weights.data(), sizeof filter));
  std::vector<int> image(kWidth * kHeight), rows(image.size()), wanted(image.size());
  for (int& pixel : image) pixel = numbers.below(256);
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x)
      for (int k = -kRadius; k <= kRadius; ++k)
        if (x + k >= 0 && x + k < kWidth) rows[y * kWidth + x] += weights[k + kRadius] * image[y * kWidth + x + k];
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x)
      for (int k = -kRadius; k <= kRadius; ++k)
        if (y + k >= 0 && y + k < kHeight) wanted[y * kWidth + x] += weights[k + kRadius] * rows[(y + k) * kWidth + x];
  sample::Device<int> a(image), b(image.size());
  convolve<false><<<dim3((kWidth + 31) / 32, (kHeight + 7) / 8), dim3(32, 8)>>>(a, b);
  FINISH();
  sample::compare("rows", b.get(), rows);
  convolve<true><<<dim3((kWidth + 31) / 32, (kHeight + 31) / 32), dim3(32, 8)>>>(b, a);
  FINISH();
  sample::compare("columns", a.get(), wanted);
  return sample::passed();
}
