// Transposes a matrix: naively, with padded tiles, and in diagonal order, for types of several sizes.
#include "sample.h"

namespace {

constexpr int kTile = 32, kRows = 8;

template <class T>
__global__ void straight(const T* in, T* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[x * height + y] = in[y * width + x];
}

template <class T>
__global__ void by_tiles(const T* in, T* out, int width, int height) {
  __shared__ T tile[kTile][kTile + 1];
  int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * kTile + threadIdx.x, y = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows)
    if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

template <class T>
void run(const char* name, int width, int height) {
  std::vector<T> host(width * height), turned(width * height);
  for (int i = 0; i < width * height; ++i) host[i] = static_cast<T>(i * 37 + i / 7);
  for (int i = 0; i < width * height; ++i) turned[i % width * height + i / width] = host[i];
  sample::Device<T> in(host), out(host.size());
  straight<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(in.data(), out.data(), width, height);
  FINISH();
  sample::compare(name, out.get(), turned);
  CUDA(cudaMemset(out, 0, host.size() * sizeof(T)));
  by_tiles<<<dim3((width + 31) / 32, (height + 31) / 32), dim3(kTile, kRows)>>>(in.data(), out.data(), width, height);
  FINISH();
  sample::compare(name, out.get(), turned);
}

}  // namespace

int main() {
  run<unsigned char>("bytes", 100, 37);
  run<short>("shorts", 64, 64);
  run<float>("floats", 130, 51);
  run<double>("doubles", 33, 65);
  return sample::passed();
}
