// The Mandelbrot set: iterations of each point, in fixed point and in double precision without contraction.
#include "sample.h"

namespace {

constexpr int kWidth = 96, kHeight = 64, kMost = 100;

__host__ __device__ int in_fixed_point(int px, int py) {
  constexpr int kShift = 24;
  const std::int64_t cx = (static_cast<std::int64_t>(px) * 3 << kShift) / kWidth - (std::int64_t{2} << kShift);
  const std::int64_t cy = (static_cast<std::int64_t>(py) * 2 << kShift) / kHeight - (std::int64_t{1} << kShift);
  std::int64_t x = 0, y = 0;
  int n = 0;
  for (; n < kMost; ++n) {
    const std::int64_t xx = x * x >> kShift, yy = y * y >> kShift;
    if (xx + yy > std::int64_t{4} << kShift) break;
    y = (x * y >> (kShift - 1)) + cy;
    x = xx - yy + cx;
  }
  return n;
}

__global__ void fixed_point(int* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < kWidth && y < kHeight) out[y * kWidth + x] = in_fixed_point(x, y);
}

__global__ void double_precision(int* out) {
  const int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  const double cx = __dadd_rn(__dmul_rn(px, 0.03125), -2.0), cy = __dadd_rn(__dmul_rn(py, 0.03125), -1.0);
  double x = 0, y = 0;
  int n = 0;
  for (; n < kMost; ++n) {
    const double xx = __dmul_rn(x, x), yy = __dmul_rn(y, y);
    if (__dadd_rn(xx, yy) > 4) break;
    y = __dadd_rn(__dmul_rn(2 * x, y), cy);
    x = __dadd_rn(__dadd_rn(xx, -yy), cx);
  }
  out[py * kWidth + px] = n;
}

int in_double(int px, int py) {
  const double cx = px * 0.03125 - 2.0, cy = py * 0.03125 - 1.0;
  volatile double xx, yy, xy;
  double x = 0, y = 0;
  int n = 0;
  for (; n < kMost; ++n) {
    xx = x * x;
    yy = y * y;
    if (xx + yy > 4) break;
    xy = 2 * x * y;
    y = xy + cy;
    const double difference = xx - yy;
    x = difference + cx;
  }
  return n;
}

}  // namespace

int main() {
  sample::Device<int> out(kWidth * kHeight);
  std::vector<int> wanted(kWidth * kHeight);
  for (int i = 0; i < kWidth * kHeight; ++i) wanted[i] = in_fixed_point(i % kWidth, i / kWidth);
  fixed_point<<<dim3(kWidth / 16, kHeight / 16), dim3(16, 16)>>>(out);
  FINISH();
  sample::compare("fixed point", out.get(), wanted);
  for (int y = 0; y < kHeight; y += 4) {
    for (int x = 0; x < kWidth; x += 2) std::putchar("_.:-=+*#%@"[wanted[y * kWidth + x] * 9 / kMost]);
    std::putchar('\n');
  }
  for (int i = 0; i < kWidth * kHeight; ++i) wanted[i] = in_double(i % kWidth, i / kWidth);
  double_precision<<<dim3(kWidth / 32, kHeight / 8), dim3(32, 8)>>>(out);
  FINISH();
  sample::compare("double precision", out.get(), wanted);
  return sample::passed();
}
