// Bytes are copied into one-dimensional arrays, out of them and from one to another, synchronously and in a stream; and
// the widest texture over linear memory, by format. An H200 gave every answer that is checked here (2026-11-24).
#include <vector>

#include "sample.h"

namespace {

CUarray make_line(std::size_t width) {
  CUDA_ARRAY_DESCRIPTOR description{};
  description.Format = CU_AD_FORMAT_FLOAT;
  description.NumChannels = 1;
  description.Width = width;
  CUarray array = nullptr;
  CU(cuArrayCreate(&array, &description));
  CUDA_ARRAY_DESCRIPTOR found{};
  CU(cuArrayGetDescriptor(&found, array));
  REQUIRE(found.Width == width && found.Height == 0);
  return array;
}

void check_copies() {
  constexpr std::size_t kFloat = sizeof(float);
  std::vector<float> from(256), to(256);
  for (int i = 0; i < 256; ++i) from[i] = static_cast<float>(i);
  const CUarray first = make_line(256), second = make_line(256);
  CUdeviceptr memory = 0;
  CU(cuMemAlloc(&memory, 256 * kFloat));
  CU(cuMemcpyHtoA(first, 4 * kFloat, from.data(), 128 * kFloat));
  CU(cuMemcpyAtoA(second, 0, first, 4 * kFloat, 128 * kFloat));
  CU(cuMemcpyAtoD(memory, second, 2 * kFloat, 64 * kFloat));
  CU(cuMemcpyDtoA(second, 128 * kFloat, memory, 64 * kFloat));
  CU(cuMemcpyAtoH(to.data(), second, 128 * kFloat, 64 * kFloat));
  for (int i = 0; i < 64; ++i) REQUIRE(to[i] == from[i + 2]);

  CUstream stream = nullptr;
  CU(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CU(cuMemcpyHtoAAsync(first, 0, from.data() + 100, 64 * kFloat, stream));
  CU(cuMemcpyAtoHAsync(to.data(), first, kFloat, 32 * kFloat, stream));
  CU(cuStreamSynchronize(stream));
  for (int i = 0; i < 32; ++i) REQUIRE(to[i] == from[i + 101]);

  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoA(first, 250 * kFloat, from.data(), 25 * kFloat));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemcpyAtoH(to.data(), nullptr, 0, kFloat));
  CU(cuArrayDestroy(first));
  CU(cuArrayDestroy(second));
}

std::size_t widest(CUarray_format format, unsigned channels) {
  std::size_t width = 0;
  CU(cuDeviceGetTexture1DLinearMaxWidth(&width, format, channels, 0));
  return width;
}

void check_widths() {
  REQUIRE(widest(CU_AD_FORMAT_UNSIGNED_INT8, 1) == 1u << 30);
  REQUIRE(widest(CU_AD_FORMAT_HALF, 4) == 1u << 29);
  REQUIRE(widest(CU_AD_FORMAT_FLOAT, 1) == 1u << 30);
  REQUIRE(widest(CU_AD_FORMAT_FLOAT, 4) == 1u << 28);
  std::size_t width = 0;
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuDeviceGetTexture1DLinearMaxWidth(&width, CU_AD_FORMAT_FLOAT, 3, 0));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuDeviceGetTexture1DLinearMaxWidth(nullptr, CU_AD_FORMAT_FLOAT, 1, 0));
}

}  // namespace

int main() {
  make_context();
  check_copies();
  check_widths();
  return passed("array_bytes");
}
