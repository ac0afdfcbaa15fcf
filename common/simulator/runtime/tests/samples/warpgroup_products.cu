// Warpgroup products: swizzled tiles in shared memory, and wgmma of f16 and of bytes.
#include <cuda_fp16.h>

#include "sample.h"

namespace {

constexpr int kRows = 128, kColumns = 64, kDepth = 128;
constexpr int kTileRows = 64, kLine = 128;  // Bytes of k in a tile.

/// Rows of 128 bytes of k, in groups of eight, whose 16-byte pieces a swizzle permutes.
__device__ void copy_tile(unsigned char* tile, const unsigned char* from, int rows, int stride) {
  for (int i = threadIdx.x; i < rows * kLine / 16; i += blockDim.x) {
    const int row = i / 8, piece = i % 8;
    *reinterpret_cast<uint4*>(tile + row * kLine + (piece ^ row % 8) * 16) =
        *reinterpret_cast<const uint4*>(from + row * stride + piece * 16);
  }
}

__device__ unsigned long long descriptor(const unsigned char* tile) {
  const unsigned long long address = __cvta_generic_to_shared(tile);
  return address >> 4 | 1ull << 16 | (1024ull >> 4) << 32 | 1ull << 62;
}

template <class T>
__device__ void multiply_step(T (&d)[32], unsigned long long a, unsigned long long b);

template <>
__device__ void multiply_step(float (&d)[32], unsigned long long a, unsigned long long b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, "
      "%14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, %32, %33, 1, 1, 1, "
      "0, 0;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]),
        "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]),
        "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]),
        "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
      : "l"(a), "l"(b)
      : "memory");
}
template <>
__device__ void multiply_step(int (&d)[32], unsigned long long a, unsigned long long b) {
  asm volatile(
      "{ .reg .pred p; setp.ne.b32 p, %34, 0; wgmma.mma_async.sync.aligned.m64n64k32.s32.s8.s8 {%0, %1, %2, %3, %4, "
      "%5, "
      "%6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, "
      "%29, %30, %31}, %32, %33, p; }"
      : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]), "+r"(d[4]), "+r"(d[5]), "+r"(d[6]), "+r"(d[7]), "+r"(d[8]),
        "+r"(d[9]), "+r"(d[10]), "+r"(d[11]), "+r"(d[12]), "+r"(d[13]), "+r"(d[14]), "+r"(d[15]), "+r"(d[16]),
        "+r"(d[17]), "+r"(d[18]), "+r"(d[19]), "+r"(d[20]), "+r"(d[21]), "+r"(d[22]), "+r"(d[23]), "+r"(d[24]),
        "+r"(d[25]), "+r"(d[26]), "+r"(d[27]), "+r"(d[28]), "+r"(d[29]), "+r"(d[30]), "+r"(d[31])
      : "l"(a), "l"(b), "r"(1)
      : "memory");
}

/// A and B (its columns are rows here) of @p depth bytes; each block computes 64 rows of the result with all columns.
template <class T>
__global__ void multiply(const unsigned char* a, const unsigned char* b, T* c, int depth) {
  __shared__ alignas(1024) unsigned char left[kTileRows * kLine], right[kColumns * kLine];
  T d[32] = {};
  for (int k = 0; k < depth; k += kLine) {
    copy_tile(left, a + blockIdx.x * kTileRows * depth + k, kTileRows, depth);
    copy_tile(right, b + k, kColumns, depth);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (int step = 0; step < 4; ++step)  // 32 bytes of k each.
      multiply_step(d, descriptor(left) + step * 2, descriptor(right) + step * 2);
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    __syncthreads();
  }
  const int lane = threadIdx.x % 32, row = blockIdx.x * kTileRows + threadIdx.x / 32 * 16 + lane / 4;
  for (int i = 0; i < 32; ++i) c[(row + i / 2 % 2 * 8) * kColumns + i / 4 * 8 + lane % 4 * 2 + i % 2] = d[i];
}

template <class T, class Number, class Sum>
std::vector<T> on_host(const std::vector<Number>& a, const std::vector<Number>& b, int depth, Sum zero) {
  std::vector<T> c(kRows * kColumns);
  for (int i = 0; i < kRows; ++i)
    for (int j = 0; j < kColumns; ++j) {
      Sum sum = zero;
      for (int k = 0; k < depth; ++k)
        sum += static_cast<Sum>(static_cast<float>(a[i * depth + k])) *
               static_cast<Sum>(static_cast<float>(b[j * depth + k]));
      c[i * kColumns + j] = static_cast<T>(sum);
    }
  return c;
}

template <class T, class Number>
std::vector<T> on_device(const std::vector<Number>& a, const std::vector<Number>& b) {
  sample::Device<Number> left(a), right(b);
  sample::Device<T> c(kRows * kColumns);
  multiply<T><<<kRows / kTileRows, 128>>>(reinterpret_cast<const unsigned char*>(left.data()),
                                          reinterpret_cast<const unsigned char*>(right.data()), c.data(),
                                          kDepth * static_cast<int>(sizeof(Number)));
  FINISH();
  return c.get();
}

}  // namespace

int main() {
  sample::Numbers numbers(64);
  const auto halves = [&](int count, bool whole) {
    std::vector<__half> values;
    for (int i = 0; i < count; ++i)
      values.push_back(__float2half(whole ? static_cast<float>(numbers.below(33) - 16) : numbers.unit() - 0.5f));
    return values;
  };
  const auto bytes = [&](int count) {
    std::vector<signed char> values;
    for (int i = 0; i < count; ++i) values.push_back(static_cast<signed char>(numbers.below(256) - 128));
    return values;
  };
  {
    const std::vector<__half> a = halves(kRows * kDepth, true), b = halves(kColumns * kDepth, true);
    sample::compare("halves, whole numbers", on_device<float>(a, b), on_host<float>(a, b, kDepth, 0.0));
  }
  {
    const std::vector<__half> a = halves(kRows * kDepth, false), b = halves(kColumns * kDepth, false);
    sample::near("halves, fractions", on_device<float>(a, b), on_host<float>(a, b, kDepth, 0.0), 1e-5);
  }
  {
    const std::vector<signed char> a = bytes(kRows * kDepth), b = bytes(kColumns * kDepth);
    sample::compare("bytes", on_device<int>(a, b), on_host<int>(a, b, kDepth, 0LL));
  }
  return sample::passed();
}
