// Copies and memsets of rows and boxes by kernels, and invalid ones. An H200 gave every answer that is checked here
// (2026-11-23).
#include <cstring>
#include <vector>

#include "check.h"

__device__ int errors[32];

__global__ void copy_rows(unsigned char* to, const unsigned char* from, const unsigned char* pinned) {
  __shared__ unsigned char shared[64];
  shared[0] = 1;
  int i = 0;
  const auto kind = cudaMemcpyDeviceToDevice;
  errors[i++] = cudaMemcpy2DAsync(to, 16, from, 32, 5, 4, kind, nullptr);
  errors[i++] = cudaMemcpy2DAsync(to + 256, 5, from, 32, 5, 4, cudaMemcpyDefault, nullptr);
  errors[i++] = cudaMemcpy2DAsync(to + 300, 16, from, 32, 5, 4, kind, cudaStreamFireAndForget);
  errors[i++] = cudaMemcpy2DAsync(to + 400, 16, pinned, 16, 5, 4, kind, cudaStreamTailLaunch);
  errors[i++] = cudaMemcpy2DAsync(to + 500, 4, from, 4, 5, 1, kind, nullptr);  // One row: no pitch is needed.
  errors[i++] = cudaMemcpy2DAsync(to, 16, from, 32, 0, 4, kind, nullptr);
  errors[i++] = cudaMemcpy2DAsync(to, 16, from, 32, 5, 0, kind, nullptr);
  errors[i++] = cudaMemcpy2DAsync(to, 4, from, 32, 5, 4, kind, nullptr);
  errors[i++] = cudaMemcpy2DAsync(to, 16, from, 4, 5, 4, kind, nullptr);
  errors[i++] = cudaMemcpy2DAsync(to, 16, from, 32, 5, 4, cudaMemcpyHostToDevice, nullptr);
  errors[i++] = cudaMemcpy2DAsync(nullptr, 16, from, 32, 5, 4, kind, nullptr);
  errors[i++] = cudaMemcpy2DAsync(to, 16, shared, 16, 5, 4, kind, nullptr);
}

__global__ void copy_boxes(unsigned char* to, unsigned char* from) {
  int i = 0;
  cudaMemcpy3DParms copy{};
  copy.srcPtr = {from, 32, 16, 4};
  copy.dstPtr = {to, 16, 16, 3};
  copy.extent = {5, 2, 3};
  copy.kind = cudaMemcpyDeviceToDevice;
  errors[i++] = cudaMemcpy3DAsync(&copy, nullptr);
  copy.srcPos = {1, 1, 1};
  copy.dstPos = {2, 1, 1};
  copy.dstPtr.ptr = to + 512;
  errors[i++] = cudaMemcpy3DAsync(&copy, nullptr);
  copy.srcPos = copy.dstPos = {};
  copy.dstPtr.pitch = 4;
  errors[i++] = cudaMemcpy3DAsync(&copy, nullptr);
  copy.dstPtr.pitch = 16;
  copy.dstPtr.ysize = 1;  // Slices would overlap.
  errors[i++] = cudaMemcpy3DAsync(&copy, nullptr);
  copy.dstPtr.ysize = 3;
  copy.extent = {5, 2, 0};
  errors[i++] = cudaMemcpy3DAsync(&copy, nullptr);
  copy.extent = {5, 2, 3};
  copy.srcPtr.ptr = nullptr;
  errors[i++] = cudaMemcpy3DAsync(&copy, nullptr);
  copy.srcPtr.ptr = from;
  copy.kind = cudaMemcpyDeviceToHost;
  errors[i++] = cudaMemcpy3DAsync(&copy, nullptr);
}

__global__ void fill(unsigned char* to) {
  int i = 0;
  errors[i++] = cudaMemset2DAsync(to, 16, 0, 5, 4, nullptr);
  errors[i++] = cudaMemset2DAsync(to + 256, 4, 0, 5, 1, nullptr);
  errors[i++] = cudaMemset3DAsync({to + 512, 16, 16, 3}, 0, {5, 2, 3}, nullptr);
  errors[i++] = cudaMemset2DAsync(to + 1024, 16, 0, 5, 2, cudaStreamTailLaunch);
  errors[i++] = cudaMemset2DAsync(to, 16, 0, 0, 4, nullptr);
  errors[i++] = cudaMemset2DAsync(to, 4, 0, 5, 4, nullptr);
  errors[i++] = cudaMemset3DAsync({to, 16, 16, 1}, 0, {5, 2, 3}, nullptr);
  errors[i++] = cudaMemset2DAsync(nullptr, 16, 0, 4, 4, nullptr);
}

static unsigned char *to, *from;

/// The errors of the calls, and the resulting bytes: 0xee where nothing was written.
static void check_outcome(const std::vector<int>& wanted, const std::vector<unsigned char>& bytes) {
  SUCCEEDS(cudaDeviceSynchronize());
  std::vector<int> said(wanted.size());
  SUCCEEDS(cudaMemcpyFromSymbol(said.data(), errors, said.size() * sizeof(int)));
  CHECK(said == wanted);
  std::vector<unsigned char> found(bytes.size());
  SUCCEEDS(cudaMemcpy(found.data(), to, found.size(), cudaMemcpyDeviceToHost));
  CHECK(found == bytes);
  SUCCEEDS(cudaMemset(to, 0xee, 2048));
}

struct Rows {
  std::size_t at, pitch, from, from_pitch, height;
};

static void expect(std::vector<unsigned char>& bytes, const Rows& rows, bool zero = false) {
  for (std::size_t y = 0; y < rows.height; ++y)
    for (std::size_t x = 0; x < 5; ++x)
      bytes[rows.at + y * rows.pitch + x] =
          zero ? 0 : static_cast<unsigned char>((rows.from + y * rows.from_pitch + x) % 251);
}

int main() {
  unsigned char* pinned;
  SUCCEEDS(cudaMalloc(&to, 2048));
  SUCCEEDS(cudaMalloc(&from, 2048));
  SUCCEEDS(cudaMallocHost(&pinned, 256));
  std::vector<unsigned char> source(2048);
  for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<unsigned char>(i % 251);
  std::memcpy(pinned, source.data(), 256);
  SUCCEEDS(cudaMemcpy(from, source.data(), source.size(), cudaMemcpyHostToDevice));
  SUCCEEDS(cudaMemset(to, 0xee, 2048));

  copy_rows<<<1, 1>>>(to, from, pinned);
  std::vector<unsigned char> bytes(2048, 0xee);
  expect(bytes, {0, 16, 0, 32, 4});
  expect(bytes, {256, 5, 0, 32, 4});
  expect(bytes, {300, 16, 0, 32, 4});
  expect(bytes, {400, 16, 0, 16, 4});
  expect(bytes, {500, 0, 0, 0, 1});
  check_outcome({0, 0, 0, 0, 0, 0, 0, 12, 12, 21, 1, 1}, bytes);

  copy_boxes<<<1, 1>>>(to, from);
  bytes.assign(2048, 0xee);
  for (std::size_t z = 0; z < 3; ++z) {
    expect(bytes, {z * 48, 16, z * 128, 32, 2});
    expect(bytes, {512 + ((z + 1) * 3 + 1) * 16 + 2, 16, ((z + 1) * 4 + 1) * 32 + 1, 32, 2});
  }
  check_outcome({0, 0, 12, 12, 0, 1, 21}, bytes);

  fill<<<1, 1>>>(to);
  bytes.assign(2048, 0xee);
  expect(bytes, {0, 16, 0, 0, 4}, true);
  expect(bytes, {256, 0, 0, 0, 1}, true);
  for (std::size_t z = 0; z < 3; ++z) expect(bytes, {512 + z * 48, 16, 0, 0, 2}, true);
  expect(bytes, {1024, 16, 0, 0, 2}, true);
  check_outcome({0, 0, 0, 0, 0, 1, 1, 1}, bytes);
  return report();
}
