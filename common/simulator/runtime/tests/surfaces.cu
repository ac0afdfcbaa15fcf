// Surfaces in the style of CUDA's samples: an image written through a surface and read as a texture, a volume, layers,
// a game of life between two surfaces, copies between arrays; and, selected by the argument, deliberate errors.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"  // The older copies are called, too.
#include <cuda_runtime.h>

#include <cstring>
#include <string>
#include <vector>

#include "check.h"

namespace {

template <class T>
cudaArray_t make_array(int width, int height, int depth, unsigned flags = cudaArraySurfaceLoadStore) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  cudaArray_t array = nullptr;
  SUCCEEDS(cudaMalloc3DArray(&array, &format, make_cudaExtent(width, height, depth), flags));
  return array;
}

cudaSurfaceObject_t make_surface(cudaArray_t array) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface = 0;
  SUCCEEDS(cudaCreateSurfaceObject(&surface, &resource));
  return surface;
}

// simpleSurfaceWrite: values written through a surface, then rotated by a texture.
__global__ void write_image(cudaSurfaceObject_t to, const float* from, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  surf2Dwrite(from[y * width + x], to, x * 4, y, cudaBoundaryModeTrap);
}
__global__ void turn(float* out, cudaTextureObject_t from, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * width + x] = tex2D<float>(from, (y + 0.5f) / width, (width - 1 - x + 0.5f) / width);
}

void test_surface_write() {
  constexpr int kWidth = 32;
  std::vector<float> image(kWidth * kWidth);
  for (int i = 0; i < kWidth * kWidth; ++i) image[i] = static_cast<float>(i * 7 % 1000);
  float *in = nullptr, *out = nullptr;
  SUCCEEDS(cudaMalloc(&in, sizeof(float) * image.size()));
  SUCCEEDS(cudaMalloc(&out, sizeof(float) * image.size()));
  SUCCEEDS(cudaMemcpy(in, image.data(), sizeof(float) * image.size(), cudaMemcpyHostToDevice));
  const cudaArray_t array = make_array<float>(kWidth, kWidth, 0);
  const cudaSurfaceObject_t surface = make_surface(array);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description{};
  description.normalizedCoords = 1;
  cudaTextureObject_t texture = 0;
  SUCCEEDS(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  write_image<<<dim3(2, 4), dim3(16, 8)>>>(surface, in, kWidth);
  turn<<<dim3(2, 4), dim3(16, 8)>>>(out, texture, kWidth);
  std::vector<float> got(image.size());
  SUCCEEDS(cudaMemcpy(got.data(), out, sizeof(float) * got.size(), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int y = 0; y < kWidth; ++y)
    for (int x = 0; x < kWidth; ++x) wrong += got[y * kWidth + x] != image[(kWidth - 1 - x) * kWidth + y];
  CHECK(wrong == 0);
  SUCCEEDS(cudaDestroySurfaceObject(surface));
  SUCCEEDS(cudaDestroyTextureObject(texture));
  SUCCEEDS(cudaFreeArray(array));
  SUCCEEDS(cudaFree(in));
  SUCCEEDS(cudaFree(out));
}

// Volumes and layers: all ways to write and read them.
__global__ void fill_volume(cudaSurfaceObject_t to, int n) {
  const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
  surf3Dwrite(make_short2(static_cast<short>(x + 10 * y), static_cast<short>(-z)), to, x * 4, y, z);
}
__global__ void blur_volume(int* out, cudaSurfaceObject_t from, int n) {
  const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
  int sum = 0;
  for (int d = -1; d <= 1; ++d) {
    sum += surf3Dread<short2>(from, (x + d) * 4, y, z, cudaBoundaryModeZero).x;
    sum += surf3Dread<short2>(from, x * 4, y, z + d, cudaBoundaryModeClamp).y;
  }
  out[(z * n + y) * n + x] = sum;
}
__global__ void write_layers(cudaSurfaceObject_t two, cudaSurfaceObject_t one, int layers) {
  const int x = threadIdx.x, y = threadIdx.y;
  for (int layer = 0; layer < layers; ++layer) {
    surf2DLayeredwrite(static_cast<unsigned char>(100 * layer + 8 * y + x), two, x, y, layer);
    if (y == 0) surf1DLayeredwrite(make_uint4(x, layer, x * layer, 7), one, x * 16, layer);
  }
}

void test_volumes_and_layers() {
  constexpr int kSize = 8;
  int* out = nullptr;
  SUCCEEDS(cudaMallocManaged(&out, kSize * kSize * kSize * sizeof(int)));
  const cudaArray_t volume = make_array<short2>(kSize, kSize, kSize);
  const cudaSurfaceObject_t surface = make_surface(volume);
  fill_volume<<<kSize, dim3(kSize, kSize)>>>(surface, kSize);
  blur_volume<<<kSize, dim3(kSize, kSize)>>>(out, surface, kSize);
  SUCCEEDS(cudaDeviceSynchronize());
  int wrong = 0;
  for (int z = 0; z < kSize; ++z)
    for (int y = 0; y < kSize; ++y)
      for (int x = 0; x < kSize; ++x) {
        int wanted = 0;
        for (int d = -1; d <= 1; ++d) {
          wanted += x + d < 0 || x + d >= kSize ? 0 : x + d + 10 * y;
          const int at = z + d < 0 ? 0 : z + d >= kSize ? kSize - 1 : z + d;
          wanted -= at;
        }
        wrong += out[(z * kSize + y) * kSize + x] != wanted;
      }
  CHECK(wrong == 0);
  SUCCEEDS(cudaDestroySurfaceObject(surface));
  SUCCEEDS(cudaFreeArray(volume));
  SUCCEEDS(cudaFree(out));

  constexpr int kLayers = 3;
  const cudaArray_t flat =
      make_array<unsigned char>(kSize, kSize, kLayers, cudaArraySurfaceLoadStore | cudaArrayLayered);
  const cudaArray_t row = make_array<uint4>(kSize, 0, kLayers, cudaArraySurfaceLoadStore | cudaArrayLayered);
  const cudaSurfaceObject_t two = make_surface(flat), one = make_surface(row);
  write_layers<<<1, dim3(kSize, kSize)>>>(two, one, kLayers);
  std::vector<unsigned char> bytes(kSize * kSize * kLayers);
  cudaMemcpy3DParms copy{};
  copy.srcArray = flat;
  copy.dstPtr = make_cudaPitchedPtr(bytes.data(), kSize, kSize, kSize);
  copy.extent = make_cudaExtent(kSize, kSize, kLayers);
  copy.kind = cudaMemcpyDeviceToHost;
  SUCCEEDS(cudaMemcpy3D(&copy));
  for (int i = 0; i < kSize * kSize * kLayers; ++i)
    wrong += bytes[i] != static_cast<unsigned char>(100 * (i / 64) + i % 64);
  std::vector<uint4> vectors(kSize * kLayers);
  copy.srcArray = row;
  copy.dstPtr = make_cudaPitchedPtr(vectors.data(), kSize * 16, kSize, 1);
  copy.extent = make_cudaExtent(kSize, 1, kLayers);
  SUCCEEDS(cudaMemcpy3D(&copy));
  for (unsigned i = 0; i < kSize * kLayers; ++i) {
    const unsigned x = i % kSize, layer = i / kSize;
    wrong += vectors[i].x != x || vectors[i].y != layer || vectors[i].z != x * layer || vectors[i].w != 7;
  }
  CHECK(wrong == 0);
  SUCCEEDS(cudaDestroySurfaceObject(two));
  SUCCEEDS(cudaDestroySurfaceObject(one));
  SUCCEEDS(cudaFreeArray(flat));
  SUCCEEDS(cudaFreeArray(row));
}

// Life, from one surface to the other and back; outside everything is dead.
__global__ void step(cudaSurfaceObject_t to, cudaSurfaceObject_t from) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int neighbours = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx != 0 || dy != 0) neighbours += surf2Dread<unsigned char>(from, x + dx, y + dy, cudaBoundaryModeZero);
  const unsigned char alive = surf2Dread<unsigned char>(from, x, y);
  surf2Dwrite(static_cast<unsigned char>(neighbours == 3 || (alive != 0 && neighbours == 2)), to, x, y);
}

void test_life() {
  constexpr int kWidth = 24, kSteps = 12;
  std::vector<unsigned char> cells(kWidth * kWidth);
  for (int i = 0; i < kWidth * kWidth; ++i) cells[i] = i * i % 7 < 3 && i % 5 != 1;
  cudaArray_t arrays[2] = {make_array<unsigned char>(kWidth, kWidth, 0), make_array<unsigned char>(kWidth, kWidth, 0)};
  const cudaSurfaceObject_t surfaces[2] = {make_surface(arrays[0]), make_surface(arrays[1])};
  cudaStream_t stream = nullptr;
  SUCCEEDS(cudaStreamCreate(&stream));
  SUCCEEDS(
      cudaMemcpy2DToArrayAsync(arrays[0], 0, 0, cells.data(), kWidth, kWidth, kWidth, cudaMemcpyHostToDevice, stream));
  for (int n = 0; n < kSteps; ++n) step<<<dim3(3, 3), dim3(8, 8), 0, stream>>>(surfaces[(n + 1) % 2], surfaces[n % 2]);
  SUCCEEDS(cudaStreamSynchronize(stream));
  for (int n = 0; n < kSteps; ++n) {
    std::vector<unsigned char> next(cells.size());
    for (int y = 0; y < kWidth; ++y)
      for (int x = 0; x < kWidth; ++x) {
        int neighbours = 0;
        for (int dy = -1; dy <= 1; ++dy)
          for (int dx = -1; dx <= 1; ++dx) {
            const int u = x + dx, v = y + dy;
            if ((dx != 0 || dy != 0) && u >= 0 && v >= 0 && u < kWidth && v < kWidth)
              neighbours += cells[v * kWidth + u];
          }
        next[y * kWidth + x] = neighbours == 3 || (cells[y * kWidth + x] != 0 && neighbours == 2);
      }
    cells = next;
  }
  // Through another array; a part of it with the older call.
  const cudaArray_t copy = make_array<unsigned char>(kWidth, kWidth, 0);
  SUCCEEDS(cudaMemcpy2DArrayToArray(copy, 0, 0, arrays[0], 0, 0, kWidth, kWidth / 2));
  SUCCEEDS(cudaMemcpyArrayToArray(copy, 0, kWidth / 2, arrays[0], 0, kWidth / 2, kWidth * kWidth / 2));
  std::vector<unsigned char> got(cells.size()), part(100);
  SUCCEEDS(cudaMemcpy2DFromArray(got.data(), kWidth, copy, 0, 0, kWidth, kWidth, cudaMemcpyDeviceToHost));
  CHECK(got == cells);
  SUCCEEDS(cudaMemcpyFromArray(part.data(), copy, 5, 3, part.size(), cudaMemcpyDeviceToHost));
  CHECK(std::memcmp(part.data(), &cells[3 * kWidth + 5], part.size()) == 0);
  for (int i = 0; i < 2; ++i) {
    SUCCEEDS(cudaDestroySurfaceObject(surfaces[i]));
    SUCCEEDS(cudaFreeArray(arrays[i]));
  }
  SUCCEEDS(cudaFreeArray(copy));
  SUCCEEDS(cudaStreamDestroy(stream));
}

// A captured copy to an array, and a kernel after it.
void test_capture() {
  constexpr int kWidth = 32;
  std::vector<float> image(kWidth * kWidth, 2.5f), got(image.size());
  float* pinned = nullptr;
  SUCCEEDS(cudaMallocHost(&pinned, sizeof(float) * image.size()));
  const cudaArray_t from = make_array<float>(kWidth, kWidth, 0), to = make_array<float>(kWidth, kWidth, 0);
  SUCCEEDS(cudaMemcpy2DToArray(from, 0, 0, image.data(), 128, 128, kWidth, cudaMemcpyHostToDevice));
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  SUCCEEDS(cudaStreamCreate(&stream));
  SUCCEEDS(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  SUCCEEDS(cudaMemcpy2DFromArrayAsync(pinned, 128, from, 0, 0, 128, kWidth, cudaMemcpyDeviceToHost, stream));
  SUCCEEDS(cudaMemcpy2DToArrayAsync(to, 0, 0, pinned, 128, 128, kWidth, cudaMemcpyHostToDevice, stream));
  SUCCEEDS(cudaStreamEndCapture(stream, &graph));
  SUCCEEDS(cudaGraphInstantiate(&exec, graph, 0));
  SUCCEEDS(cudaGraphLaunch(exec, stream));
  SUCCEEDS(cudaStreamSynchronize(stream));
  SUCCEEDS(cudaMemcpy2DFromArray(got.data(), 128, to, 0, 0, 128, kWidth, cudaMemcpyDeviceToHost));
  CHECK(got == image);
  SUCCEEDS(cudaGraphExecDestroy(exec));
  SUCCEEDS(cudaGraphDestroy(graph));
  SUCCEEDS(cudaStreamDestroy(stream));
  SUCCEEDS(cudaFreeArray(from));
  SUCCEEDS(cudaFreeArray(to));
  SUCCEEDS(cudaFreeHost(pinned));
}

__global__ void write_row(cudaSurfaceObject_t to, int columns) {
  if (threadIdx.x < columns) surf2Dwrite(1.0f, to, threadIdx.x * 4, 0);
}

/// Ends in a fault, or leaks objects.
int make_mistake(const std::string& mistake) {
  const cudaArray_t array = make_array<float>(16, 4, 0);
  const cudaSurfaceObject_t surface = make_surface(array);
  if (mistake == "outside") write_row<<<1, 32>>>(surface, 17);
  if (mistake == "destroyed") {
    SUCCEEDS(cudaDestroySurfaceObject(surface));
    write_row<<<1, 32>>>(surface, 16);
  }
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorName(error));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) return make_mistake(argv[1]);
  test_surface_write();
  test_volumes_and_layers();
  test_life();
  test_capture();
  return report();
}
