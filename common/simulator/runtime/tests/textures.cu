// Textures in the style of CUDA's samples: a rotated image, pitched memory, layers, a cubemap, a volume, mipmaps, and
// edge detection with gather. Each result is also computed on the host.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"  // The older copies are called, too.
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "check.h"

namespace {

bool near(float got, double wanted) {
  return std::abs(static_cast<double>(got) - wanted) <= 1e-5 * std::max(1.0, std::abs(wanted));
}

float image_value(int x, int y) { return static_cast<float>((x * 37 + y * 91 + x * y % 13) % 256) / 8.0f; }

std::vector<float> make_image(int width, int height) {
  std::vector<float> image;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) image.push_back(image_value(x, y));
  return image;
}

/// A texture object over something.
template <class Set>
cudaTextureObject_t make_texture(cudaResourceType type, Set set, bool linear, bool normalized,
                                 cudaTextureAddressMode mode = cudaAddressModeClamp) {
  cudaResourceDesc resource{};
  resource.resType = type;
  cudaTextureDesc texture{};
  for (auto& each : texture.addressMode) each = mode;
  texture.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
  texture.readMode = cudaReadModeElementType;
  texture.normalizedCoords = normalized;
  set(resource, texture);
  cudaTextureObject_t object = 0;
  SUCCEEDS(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  return object;
}

/// Bilinear filtering of a clamped image, with fractions of 8 bits.
double bilinear(const std::vector<float>& image, int width, int height, double x, double y) {
  const double xb = x - 0.5, yb = y - 0.5;
  const int i = static_cast<int>(std::floor(xb)), j = static_cast<int>(std::floor(yb));
  const double a = std::floor((xb - i) * 256 + 0.5) / 256, b = std::floor((yb - j) * 256 + 0.5) / 256;
  const auto at = [&](int u, int v) {
    return static_cast<double>(image[std::clamp(v, 0, height - 1) * width + std::clamp(u, 0, width - 1)]);
  };
  return (1 - a) * (1 - b) * at(i, j) + a * (1 - b) * at(i + 1, j) + (1 - a) * b * at(i, j + 1) +
         a * b * at(i + 1, j + 1);
}

template <class T>
class Buffer {
 public:
  explicit Buffer(std::size_t count) : count_(count) { SUCCEEDS(cudaMallocManaged(&data_, count * sizeof(T))); }
  ~Buffer() { cudaFree(data_); }
  operator T*() { return data_; }
  std::size_t size() const { return count_; }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

// simpleTexture: an image rotated about its centre.
__global__ void rotate(float* out, cudaTextureObject_t image, int width, int height, float c, float s) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float u = static_cast<float>(x) - width / 2, v = static_cast<float>(y) - height / 2;
  out[y * width + x] = tex2D<float>(image, u * c - v * s + width / 2, v * c + u * s + height / 2);
}

void test_rotation() {
  constexpr int kWidth = 48, kHeight = 40;
  const std::vector<float> image = make_image(kWidth, kHeight);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  SUCCEEDS(cudaMallocArray(&array, &format, kWidth, kHeight));
  SUCCEEDS(cudaMemcpy2DToArray(array, 0, 0, image.data(), kWidth * 4, kWidth * 4, kHeight, cudaMemcpyHostToDevice));
  const auto texture = make_texture(
      cudaResourceTypeArray, [&](auto& r, auto&) { r.res.array.array = array; }, true, false);
  Buffer<float> out(kWidth * kHeight);
  const float c = 0.8f, s = 0.6f;
  rotate<<<dim3(kWidth / 16, kHeight / 8), dim3(16, 8)>>>(out, texture, kWidth, kHeight, c, s);
  SUCCEEDS(cudaDeviceSynchronize());
  int wrong = 0;
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      const float u = static_cast<float>(x) - kWidth / 2, v = static_cast<float>(y) - kHeight / 2;
      // As the kernel computes it: one product is contracted into an FMA.
      const float tx = std::fma(u, c, -(v * s)) + kWidth / 2, ty = std::fma(v, c, u * s) + kHeight / 2;
      const double wanted = bilinear(image, kWidth, kHeight, tx, ty);
      // A coordinate that differs in the last bit may have another fraction.
      if (std::abs(static_cast<double>(out[y * kWidth + x]) - wanted) > 0.35) ++wrong;
    }
  CHECK(wrong == 0);
  cudaExtent extent;
  cudaChannelFormatDesc found;
  unsigned flags = 7;
  SUCCEEDS(cudaArrayGetInfo(&found, &extent, &flags, array));
  CHECK(extent.width == kWidth && extent.height == kHeight && extent.depth == 0 && flags == 0);
  CHECK(found.x == 32 && found.y == 0 && found.f == cudaChannelFormatKindFloat);
  SUCCEEDS(cudaDestroyTextureObject(texture));
  SUCCEEDS(cudaFreeArray(array));
}

// simplePitchLinearTexture: rows shifted with wrap, from pitched memory and from an array.
__global__ void shift(float* out, cudaTextureObject_t texture, int width, int height, int dx, int dy) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * width + x] =
      tex2D<float>(texture, (x + dx + 0.5f) / static_cast<float>(width), (y + dy + 0.5f) / static_cast<float>(height));
}

__global__ void fetch_all(int* out, cudaTextureObject_t texture, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = tex1Dfetch<int>(texture, i - 2);
}

void test_pitched_and_linear() {
  constexpr int kWidth = 32, kHeight = 16;
  const std::vector<float> image = make_image(kWidth, kHeight);
  float* pitched = nullptr;
  std::size_t pitch = 0;
  SUCCEEDS(cudaMallocPitch(&pitched, &pitch, kWidth * sizeof(float), kHeight));
  SUCCEEDS(cudaMemcpy2D(pitched, pitch, image.data(), kWidth * 4, kWidth * 4, kHeight, cudaMemcpyHostToDevice));
  const auto texture = make_texture(
      cudaResourceTypePitch2D,
      [&](auto& r, auto&) {
        r.res.pitch2D.devPtr = pitched;
        r.res.pitch2D.desc = cudaCreateChannelDesc<float>();
        r.res.pitch2D.width = kWidth;
        r.res.pitch2D.height = kHeight;
        r.res.pitch2D.pitchInBytes = pitch;
      },
      false, true, cudaAddressModeWrap);
  Buffer<float> out(kWidth * kHeight);
  shift<<<dim3(2, 2), dim3(16, 8)>>>(out, texture, kWidth, kHeight, 5, -3);
  SUCCEEDS(cudaDeviceSynchronize());
  int wrong = 0;
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x)
      wrong += out[y * kWidth + x] != image[(y + kHeight - 3) % kHeight * kWidth + (x + 5) % kWidth];
  CHECK(wrong == 0);
  SUCCEEDS(cudaDestroyTextureObject(texture));
  SUCCEEDS(cudaFree(pitched));

  Buffer<int> numbers(100), got(104);
  for (int i = 0; i < 100; ++i) numbers[i] = 3 * i - 70;
  const auto linear = make_texture(
      cudaResourceTypeLinear,
      [&](auto& r, auto&) {
        r.res.linear.devPtr = static_cast<int*>(numbers);
        r.res.linear.desc = cudaCreateChannelDesc<int>();
        r.res.linear.sizeInBytes = 400;
      },
      false, false);
  fetch_all<<<1, 128>>>(got, linear, 104);
  SUCCEEDS(cudaDeviceSynchronize());
  for (int i = 0; i < 104; ++i) wrong += got[i] != (i < 2 || i >= 102 ? 0 : 3 * (i - 2) - 70);
  CHECK(wrong == 0);
  SUCCEEDS(cudaDestroyTextureObject(linear));
}

// simpleLayeredTexture and simpleCubemapTexture.
__global__ void read_layers(float* out, cudaTextureObject_t texture, int width, int layer) {
  const int x = threadIdx.x, y = blockIdx.x;
  out[y * width + x] = -tex2DLayered<float>(texture, (x + 0.5f) / width, (y + 0.5f) / width, layer) + layer;
}
__global__ void read_cube(float* out, cudaTextureObject_t texture, int width) {
  const int x = threadIdx.x, y = blockIdx.x, face = blockIdx.y;
  const float u = (x + 0.5f) / width * 2 - 1, v = (y + 0.5f) / width * 2 - 1;
  float3 d;
  switch (face) {
    case 0:
      d = {1, -v, -u};
      break;
    case 1:
      d = {-1, -v, u};
      break;
    case 2:
      d = {u, 1, v};
      break;
    case 3:
      d = {u, -1, -v};
      break;
    case 4:
      d = {u, -v, 1};
      break;
    default:
      d = {-u, -v, -1};
  }
  out[(face * width + y) * width + x] = texCubemap<float>(texture, d.x, d.y, d.z);
}

cudaArray_t make_box(int width, int height, int depth, unsigned flags, const std::vector<float>& values) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  SUCCEEDS(cudaMalloc3DArray(&array, &format, make_cudaExtent(width, height, depth), flags));
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(const_cast<float*>(values.data()), width * sizeof(float), width, height);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(width, height, depth);
  copy.kind = cudaMemcpyHostToDevice;
  SUCCEEDS(cudaMemcpy3D(&copy));
  return array;
}

void test_layers_and_cubes() {
  constexpr int kWidth = 16;
  std::vector<float> values = make_image(kWidth, kWidth * 6);
  Buffer<float> out(kWidth * kWidth * 6);
  const cudaArray_t layers = make_box(kWidth, kWidth, 5, cudaArrayLayered, values);
  const auto layered = make_texture(
      cudaResourceTypeArray, [&](auto& r, auto&) { r.res.array.array = layers; }, true, true, cudaAddressModeWrap);
  for (int layer = 0; layer < 5; ++layer)
    read_layers<<<kWidth, kWidth>>>(out + layer * kWidth * kWidth, layered, kWidth, layer);
  SUCCEEDS(cudaDeviceSynchronize());
  int wrong = 0;
  for (int i = 0; i < kWidth * kWidth * 5; ++i) wrong += out[i] != -values[i] + i / (kWidth * kWidth);
  CHECK(wrong == 0);
  const cudaArray_t cube = make_box(kWidth, kWidth, 6, cudaArrayCubemap, values);
  const auto cubemap = make_texture(
      cudaResourceTypeArray, [&](auto& r, auto&) { r.res.array.array = cube; }, false, true);
  read_cube<<<dim3(kWidth, 6), kWidth>>>(out, cubemap, kWidth);
  SUCCEEDS(cudaDeviceSynchronize());
  for (int i = 0; i < kWidth * kWidth * 6; ++i) wrong += out[i] != values[i];
  CHECK(wrong == 0);
  // Back to the host, from the middle of a layer.
  std::vector<float> back(4);
  cudaMemcpy3DParms copy{};
  copy.srcArray = layers;
  copy.srcPos = make_cudaPos(3, 2, 4);
  copy.dstPtr = make_cudaPitchedPtr(back.data(), 2 * sizeof(float), 2, 2);
  copy.extent = make_cudaExtent(2, 2, 1);
  copy.kind = cudaMemcpyDeviceToHost;
  SUCCEEDS(cudaMemcpy3D(&copy));
  const int first = (4 * kWidth + 2) * kWidth + 3;
  CHECK(back[0] == values[first] && back[1] == values[first + 1] && back[2] == values[first + kWidth] &&
        back[3] == values[first + kWidth + 1]);
  SUCCEEDS(cudaDestroyTextureObject(layered));
  SUCCEEDS(cudaDestroyTextureObject(cubemap));
  SUCCEEDS(cudaFreeArray(layers));
  SUCCEEDS(cudaFreeArray(cube));
}

// simpleTexture3D: a volume in bytes, read as fractions, with a border.
__global__ void read_volume(float* out, cudaTextureObject_t texture, int n) {
  const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
  out[(z * n + y) * n + x] = tex3D<float>(texture, x * 0.5f - 0.5f, y * 0.75f, z * 0.5f + 0.25f);
}

void test_volume() {
  constexpr int kSize = 8;
  std::vector<unsigned char> voxels;
  for (int i = 0; i < kSize * kSize * kSize; ++i) voxels.push_back(static_cast<unsigned char>(i * 41 % 251));
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned char>();
  cudaArray_t array = nullptr;
  const cudaExtent extent = make_cudaExtent(kSize, kSize, kSize);
  SUCCEEDS(cudaMalloc3DArray(&array, &format, extent));
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(voxels.data(), kSize, kSize, kSize);
  copy.dstArray = array;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  SUCCEEDS(cudaMemcpy3D(&copy));
  const auto texture = make_texture(
      cudaResourceTypeArray,
      [&](auto& r, auto& t) {
        r.res.array.array = array;
        t.readMode = cudaReadModeNormalizedFloat;
        t.borderColor[0] = 0.5f;
      },
      true, false, cudaAddressModeBorder);
  constexpr int kOut = 12;
  Buffer<float> out(kOut * kOut * kOut);
  read_volume<<<kOut, dim3(kOut, kOut)>>>(out, texture, kOut);
  SUCCEEDS(cudaDeviceSynchronize());
  int wrong = 0;
  for (int i = 0; i < kOut * kOut * kOut; ++i) {
    const double at[3] = {i % kOut * 0.5 - 1, i / kOut % kOut * 0.75 - 0.5, i / (kOut * kOut) * 0.5 - 0.25};
    double wanted = 0;
    for (int corner = 0; corner < 8; ++corner) {
      double weight = 1;
      int index[3];
      for (int k = 0; k < 3; ++k) {
        const int low = static_cast<int>(std::floor(at[k])), next = corner >> k & 1;
        index[k] = low + next;
        weight *= next != 0 ? at[k] - low : 1 - (at[k] - low);
      }
      const bool inside = *std::min_element(index, index + 3) >= 0 && *std::max_element(index, index + 3) < kSize;
      wanted += weight * (inside ? voxels[(index[2] * kSize + index[1]) * kSize + index[0]] / 255.0 : 0.5);
    }
    wrong += std::abs(out[i] - wanted) > 3.0 / 256;  // Weights are whole 256ths.
  }
  CHECK(wrong == 0);
  SUCCEEDS(cudaDestroyTextureObject(texture));
  SUCCEEDS(cudaFreeArray(array));
}

// Mipmaps: each level is made from the previous one through a surface, and read by its level of detail.
__global__ void halve(cudaSurfaceObject_t to, cudaTextureObject_t from, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= width) return;
  const float mean = tex2D<float>(from, (x + 0.5f) / width, (y + 0.5f) / width);  // Between four texels.
  surf2Dwrite(mean, to, x * 4, y);
}
__global__ void read_levels(float* out, cudaTextureObject_t texture) {
  const float lod = threadIdx.x * 0.25f;
  out[threadIdx.x] = tex2DLod<float>(texture, 0.3f, 0.7f, lod);
  const float step = exp2f(lod) / 32;
  out[threadIdx.x + 32] = tex2DGrad<float>(texture, 0.3f, 0.7f, make_float2(step, 0), make_float2(0, step / 2));
}

void test_mipmaps() {
  constexpr int kWidth = 32, kLevels = 6;
  std::vector<std::vector<float>> levels{make_image(kWidth, kWidth)};
  for (int n = 1; n < kLevels; ++n) {
    const int width = kWidth >> n;
    levels.emplace_back();
    for (int y = 0; y < width; ++y)
      for (int x = 0; x < width; ++x) {
        const auto at = [&](int u, int v) { return static_cast<double>(levels[n - 1][v * 2 * width + u]); };
        levels[n].push_back(static_cast<float>(
            (at(2 * x, 2 * y) + at(2 * x + 1, 2 * y) + at(2 * x, 2 * y + 1) + at(2 * x + 1, 2 * y + 1)) / 4));
      }
  }
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t mipmap = nullptr;
  SUCCEEDS(cudaMallocMipmappedArray(&mipmap, &format, make_cudaExtent(kWidth, kWidth, 0), kLevels,
                                    cudaArraySurfaceLoadStore));
  cudaArray_t level = nullptr;
  SUCCEEDS(cudaGetMipmappedArrayLevel(&level, mipmap, 0));
  SUCCEEDS(cudaMemcpy2DToArray(level, 0, 0, levels[0].data(), kWidth * 4, kWidth * 4, kWidth, cudaMemcpyHostToDevice));
  for (int n = 1; n < kLevels; ++n) {
    const auto from = make_texture(
        cudaResourceTypeArray, [&](auto& r, auto&) { r.res.array.array = level; }, true, true);
    SUCCEEDS(cudaGetMipmappedArrayLevel(&level, mipmap, static_cast<unsigned>(n)));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = level;
    cudaSurfaceObject_t to = 0;
    SUCCEEDS(cudaCreateSurfaceObject(&to, &resource));
    const int width = kWidth >> n;
    halve<<<dim3((width + 7) / 8, (width + 7) / 8), dim3(8, 8)>>>(to, from, width);
    SUCCEEDS(cudaDeviceSynchronize());
    SUCCEEDS(cudaDestroySurfaceObject(to));
    SUCCEEDS(cudaDestroyTextureObject(from));
    std::vector<float> made(width * width);
    SUCCEEDS(cudaMemcpy2DFromArray(made.data(), width * 4, level, 0, 0, width * 4, width, cudaMemcpyDeviceToHost));
    CHECK(made == levels[n]);
  }
  ANSWERS(cudaErrorInvalidValue, cudaGetMipmappedArrayLevel(&level, mipmap, kLevels));
  const auto texture = make_texture(
      cudaResourceTypeMipmappedArray,
      [&](auto& r, auto& t) {
        r.res.mipmap.mipmap = mipmap;
        t.mipmapFilterMode = cudaFilterModeLinear;
        t.maxMipmapLevelClamp = kLevels - 1;
      },
      true, true);
  Buffer<float> out(64);
  read_levels<<<1, 24>>>(out, texture);
  SUCCEEDS(cudaDeviceSynchronize());
  int wrong = 0;
  for (int k = 0; k < 24; ++k) {
    const double lod = std::min(k * 0.25, kLevels - 1.0);
    const int low = static_cast<int>(lod), high = std::min(low + 1, kLevels - 1);
    const auto value = [&](int n) {
      const int width = kWidth >> n;
      return bilinear(levels[n], width, width, 0.3f * width, 0.7f * width);
    };
    const double wanted = (1 - (lod - low)) * value(low) + (lod - low) * value(high);
    wrong += std::abs(out[k] - wanted) > 0.05 * std::max(1.0, std::abs(wanted));
    wrong += std::abs(out[k + 32] - out[k]) > 0.05f * std::max(1.0f, std::abs(out[k]));
  }
  CHECK(wrong == 0);
  SUCCEEDS(cudaDestroyTextureObject(texture));
  SUCCEEDS(cudaFreeMipmappedArray(mipmap));
}

// Sobel with gather.
__global__ void sobel(float* out, cudaTextureObject_t texture, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  // Two gathers around the upper left and lower right corner of the texel, and the two corners that they miss.
  const float4 a = tex2Dgather<float4>(texture, x, y, 0), b = tex2Dgather<float4>(texture, x + 1, y + 1, 0);
  const float upper_right = tex2D<float>(texture, x + 1.5f, y - 0.5f),
              lower_left = tex2D<float>(texture, x - 0.5f, y + 1.5f);
  const float left = a.x, up = a.z, upper_left = a.w, right = b.z, down = b.x, lower_right = b.y;
  const float gx = upper_right + 2 * right + lower_right - upper_left - 2 * left - lower_left;
  const float gy = lower_left + 2 * down + lower_right - upper_left - 2 * up - upper_right;
  out[y * width + x] = fabsf(gx) + fabsf(gy);
}

void test_gather() {
  constexpr int kWidth = 32, kHeight = 16;
  const std::vector<float> image = make_image(kWidth, kHeight);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  SUCCEEDS(cudaMallocArray(&array, &format, kWidth, kHeight, cudaArrayTextureGather));
  // The older call, in two pieces that end in the middle of rows.
  SUCCEEDS(cudaMemcpyToArray(array, 0, 0, image.data(), 1000, cudaMemcpyHostToDevice));
  SUCCEEDS(cudaMemcpyToArray(array, 1000 % (kWidth * 4), 1000 / (kWidth * 4), image.data() + 250,
                             kWidth * kHeight * 4 - 1000, cudaMemcpyHostToDevice));
  const auto texture = make_texture(
      cudaResourceTypeArray, [&](auto& r, auto&) { r.res.array.array = array; }, false, false);
  Buffer<float> out(kWidth * kHeight);
  sobel<<<dim3(2, 2), dim3(16, 8)>>>(out, texture, kWidth);
  SUCCEEDS(cudaDeviceSynchronize());
  int wrong = 0;
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      const auto at = [&](int dx, int dy) {
        return image[std::clamp(y + dy, 0, kHeight - 1) * kWidth + std::clamp(x + dx, 0, kWidth - 1)];
      };
      const float gx = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1);
      const float gy = at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) - 2 * at(0, -1) - at(1, -1);
      wrong += out[y * kWidth + x] != std::abs(gx) + std::abs(gy);
    }
  CHECK(wrong == 0);
  SUCCEEDS(cudaDestroyTextureObject(texture));
  SUCCEEDS(cudaFreeArray(array));
}

void test_answers() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaArray_t array = nullptr;
  ANSWERS(cudaErrorInvalidValue, cudaMallocArray(nullptr, &format, 8, 8));
  ANSWERS(cudaErrorInvalidValue, cudaMallocArray(&array, &format, 0, 8));
  ANSWERS(cudaErrorInvalidValue, cudaMallocArray(&array, &format, 1 << 20, 8));
  const cudaChannelFormatDesc three = cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindUnsigned);
  ANSWERS(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&array, &three, 8, 8));
  const unsigned cube = cudaArrayCubemap | cudaArrayTextureGather;
  ANSWERS(cudaErrorInvalidValue, cudaMalloc3DArray(&array, &format, make_cudaExtent(8, 8, 6), cube));
  ANSWERS(cudaErrorInvalidValue,
          cudaMalloc3DArray(&array, &format, make_cudaExtent(8, 8, 12), cube | cudaArrayLayered));
  SUCCEEDS(cudaMalloc3DArray(&array, &format, make_cudaExtent(8, 8, 6), cudaArrayCubemap));
  SUCCEEDS(cudaFreeArray(array));
  SUCCEEDS(cudaMallocArray(&array, &format, 8, 8));
  std::vector<int> row(16);
  ANSWERS(cudaErrorInvalidValue, cudaMemcpy2DToArray(array, 4, 0, row.data(), 32, 32, 1, cudaMemcpyHostToDevice));
  ANSWERS(cudaErrorInvalidValue, cudaMemcpy2DToArray(array, 0, 8, row.data(), 32, 32, 1, cudaMemcpyHostToDevice));
  ANSWERS(cudaErrorInvalidResourceHandle,
          cudaMemcpy2DToArray(nullptr, 0, 0, row.data(), 32, 32, 1, cudaMemcpyHostToDevice));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc texture{};
  texture.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t object = 0;
  ANSWERS(cudaErrorInvalidFilterSetting, cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  texture.filterMode = cudaFilterModePoint;
  texture.readMode = cudaReadModeNormalizedFloat;
  ANSWERS(cudaErrorInvalidNormSetting, cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  texture.readMode = cudaReadModeElementType;
  texture.maxAnisotropy = 3;
  SUCCEEDS(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  cudaTextureDesc known{};
  cudaResourceDesc from{};
  cudaResourceViewDesc view{};
  SUCCEEDS(cudaGetTextureObjectTextureDesc(&known, object));
  SUCCEEDS(cudaGetTextureObjectResourceDesc(&from, object));
  CHECK(known.maxAnisotropy == 3 && from.res.array.array == array);
  SUCCEEDS(cudaGetTextureObjectResourceViewDesc(&view, object));  // The contents are unspecified.
  SUCCEEDS(cudaDestroyTextureObject(object));
  SUCCEEDS(cudaDestroyTextureObject(object));
  view = {};
  view.format = cudaResViewFormatUnsignedChar4;
  ANSWERS(cudaErrorInvalidValue, cudaCreateTextureObject(&object, &resource, &texture, &view));
  view.width = view.height = 8;
  SUCCEEDS(cudaCreateTextureObject(&object, &resource, &texture, &view));
  SUCCEEDS(cudaGetTextureObjectResourceViewDesc(&view, object));
  CHECK(view.format == cudaResViewFormatUnsignedChar4);
  SUCCEEDS(cudaDestroyTextureObject(object));
  cudaSurfaceObject_t surface = 0;
  SUCCEEDS(cudaCreateSurfaceObject(&surface, &resource));  // Although the array was made without the flag for surfaces.
  SUCCEEDS(cudaDestroySurfaceObject(surface));
  SUCCEEDS(cudaDestroySurfaceObject(surface));
  SUCCEEDS(cudaFreeArray(array));
  ANSWERS(cudaErrorContextIsDestroyed, cudaFreeArray(array));
  ANSWERS(cudaErrorContextIsDestroyed, cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  cudaGetLastError();
}

}  // namespace

int main() {
  test_rotation();
  test_pitched_and_linear();
  test_layers_and_cubes();
  test_volume();
  test_mipmaps();
  test_gather();
  test_answers();
  return report();
}
