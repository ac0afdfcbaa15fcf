// Sparse tensor cores: A is pruned to two of every four adjacent elements, compressed, and multiplied by mma.sp.
#include <cuda_fp16.h>

#include "sample.h"

namespace {

constexpr int kRows = 32, kColumns = 24, kDepth = 64;
constexpr int kStored = kDepth / 2, kTileK = 32;

/// One warp for each tile of 16 x 8. @p metadata holds four bits for every four elements of k, row by row.
__global__ void multiply(const __half* stored, const unsigned char* metadata, const __half* b, float* c) {
  const int row = blockIdx.y * 16, column = blockIdx.x * 8, lane = threadIdx.x, g = lane / 4, t = lane % 4;
  float d[4] = {};
  for (int k = 0; k < kDepth; k += kTileK) {
    unsigned fa[4], fb[4], meta = 0;
    for (int r = 0; r < 4; ++r) {
      std::memcpy(&fa[r], stored + (row + g + r % 2 * 8) * kStored + k / 2 + r / 2 * 8 + t * 2, 4);
      std::memcpy(&fb[r], b + (column + g) * kDepth + k + r * 8 + t * 2, 4);
    }
    // Lanes 0 and 1 of a quad hold the metadata of rows g and g + 8, each for 16 of k.
    for (int i = 0; i < 8; ++i)
      meta |= metadata[(row + g + i / 4 * 8) * (kDepth / 4) + k / 4 + t % 2 * 4 + i % 4] << (4 * i);
    asm volatile(
        "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9, %10, %11}, {%0, %1, %2, %3}, %12, 0;"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]), "r"(fb[2]), "r"(fb[3]), "r"(meta));
  }
  for (int i = 0; i < 4; ++i) c[(row + g + i / 2 * 8) * kColumns + column + t * 2 + i % 2] = d[i];
}

/// Keeps the two largest of every four in order, and returns where they were.
void prune(std::vector<__half>& a, std::vector<__half>& stored, std::vector<unsigned char>& metadata) {
  for (std::size_t group = 0; group < a.size() / 4; ++group) {
    __half* const four = &a[group * 4];
    int first = 0, second = 1;
    float best = -1;
    for (int i = 0; i < 4; ++i)
      for (int j = i + 1; j < 4; ++j) {
        const float size = std::fabs(__half2float(four[i])) + std::fabs(__half2float(four[j]));
        if (size > best) best = size, first = i, second = j;
      }
    stored.push_back(four[first]);
    stored.push_back(four[second]);
    metadata.push_back(static_cast<unsigned char>(first | second << 2));
    for (int i = 0; i < 4; ++i)
      if (i != first && i != second) four[i] = __float2half(0);
  }
}

std::vector<float> on_host(const std::vector<__half>& a, const std::vector<__half>& b) {
  std::vector<float> c(kRows * kColumns);
  for (int i = 0; i < kRows; ++i)
    for (int j = 0; j < kColumns; ++j) {
      double sum = 0;
      for (int k = 0; k < kDepth; ++k)
        sum +=
            static_cast<double>(__half2float(a[i * kDepth + k])) * static_cast<double>(__half2float(b[j * kDepth + k]));
      c[i * kColumns + j] = static_cast<float>(sum);
    }
  return c;
}

void run(const char* name, sample::Numbers& numbers, bool whole) {
  const auto matrix = [&](int count) {
    std::vector<__half> values;
    for (int i = 0; i < count; ++i)
      values.push_back(__float2half(whole ? static_cast<float>(numbers.below(33) - 16) : numbers.unit() - 0.5f));
    return values;
  };
  std::vector<__half> a = matrix(kRows * kDepth), stored;
  const std::vector<__half> b = matrix(kColumns * kDepth);
  std::vector<unsigned char> metadata;
  prune(a, stored, metadata);
  sample::Device<__half> device_stored(stored), device_b(b);
  sample::Device<unsigned char> device_metadata(metadata);
  sample::Device<float> c(kRows * kColumns);
  multiply<<<dim3(kColumns / 8, kRows / 16), 32>>>(device_stored.data(), device_metadata.data(), device_b.data(),
                                                   c.data());
  FINISH();
  if (whole)
    sample::compare(name, c.get(), on_host(a, b));
  else
    sample::near(name, c.get(), on_host(a, b), 1e-6);
}

}  // namespace

int main() {
  sample::Numbers numbers(12);
  run("whole numbers", numbers, true);
  run("fractions", numbers, false);
  return sample::passed();
}
