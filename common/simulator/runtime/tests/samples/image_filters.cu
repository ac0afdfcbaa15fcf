// Images in textures and surfaces: a box blur, a rotation with a linear filter, all border modes, layers of a volume.
#include "sample.h"

namespace {

constexpr int kWidth = 64, kHeight = 48;

__global__ void blur(cudaTextureObject_t image, cudaSurfaceObject_t out, int radius) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int sum = 0;
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx) sum += tex2D<int>(image, x + dx, y + dy);
  surf2Dwrite(sum, out, x * static_cast<int>(sizeof(int)), y);
}

/// Coordinates that are exact in the filter's eighths.
__global__ void shift(cudaTextureObject_t image, float* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * kWidth + x] = tex2D<float>(image, x + 0.75f, y + 0.625f);
}

__global__ void sum_of_volume(cudaTextureObject_t volume, int* out, int size) {
  const int x = threadIdx.x, y = threadIdx.y;
  int sum = 0;
  for (int z = 0; z < size; ++z) sum += tex3D<int>(volume, x, y, z) * (z + 1);
  out[y * size + x] = sum;
}

__global__ void read_line(cudaTextureObject_t line, float4* out) {
  out[threadIdx.x] = tex1Dfetch<float4>(line, static_cast<int>(threadIdx.x * 7 % 40));
}

cudaTextureObject_t make_texture(const cudaResourceDesc& resource, cudaTextureAddressMode mode,
                                 cudaTextureFilterMode filter, cudaTextureReadMode read) {
  cudaTextureDesc description{};
  for (cudaTextureAddressMode& each : description.addressMode) each = mode;
  description.filterMode = filter;
  description.readMode = read;
  cudaTextureObject_t texture = 0;
  CUDA(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  return texture;
}

cudaResourceDesc of_array(cudaArray_t array) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

}  // namespace

int main() {
  sample::Numbers numbers(22);
  std::vector<int> image(kWidth * kHeight), blurred(image.size()), got(image.size());
  for (int& pixel : image) pixel = numbers.below(1000);
  const cudaChannelFormatDesc ints = cudaCreateChannelDesc<int>();
  cudaArray_t in = nullptr, out = nullptr;
  CUDA(cudaMallocArray(&in, &ints, kWidth, kHeight));
  CUDA(cudaMallocArray(&out, &ints, kWidth, kHeight, cudaArraySurfaceLoadStore));
  CUDA(cudaMemcpy2DToArray(in, 0, 0, image.data(), kWidth * 4, kWidth * 4, kHeight, cudaMemcpyHostToDevice));
  const cudaResourceDesc in_resource = of_array(in), out_resource = of_array(out);
  cudaSurfaceObject_t surface = 0;
  CUDA(cudaCreateSurfaceObject(&surface, &out_resource));
  for (const auto mode : {cudaAddressModeClamp, cudaAddressModeBorder}) {
    const cudaTextureObject_t texture = make_texture(in_resource, mode, cudaFilterModePoint, cudaReadModeElementType);
    blur<<<dim3(kWidth / 16, kHeight / 8), dim3(16, 8)>>>(texture, surface, 2);
    FINISH();
    CUDA(cudaMemcpy2DFromArray(got.data(), kWidth * 4, out, 0, 0, kWidth * 4, kHeight, cudaMemcpyDeviceToHost));
    for (int i = 0; i < kWidth * kHeight; ++i) {
      blurred[i] = 0;
      for (int d = 0; d < 25; ++d) {
        const int x = i % kWidth + d % 5 - 2, y = i / kWidth + d / 5 - 2, cx = std::min(std::max(x, 0), kWidth - 1),
                  cy = std::min(std::max(y, 0), kHeight - 1);
        if (mode == cudaAddressModeClamp || (cx == x && cy == y)) blurred[i] += image[cy * kWidth + cx];
      }
    }
    sample::compare(mode == cudaAddressModeClamp ? "blur, clamped" : "blur, border", got, blurred);
    CUDA(cudaDestroyTextureObject(texture));
  }

  // Pitched memory, linear filter: fractions 0.25 and 0.125 of integers are exact.
  std::vector<float> floats(image.begin(), image.end()), moved(image.size());
  float* pitched = nullptr;
  std::size_t pitch = 0;
  CUDA(cudaMallocPitch(&pitched, &pitch, kWidth * 4, kHeight));
  CUDA(cudaMemcpy2D(pitched, pitch, floats.data(), kWidth * 4, kWidth * 4, kHeight, cudaMemcpyHostToDevice));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D = {pitched, cudaCreateChannelDesc<float>(), kWidth, kHeight, pitch};
  const cudaTextureObject_t linear =
      make_texture(resource, cudaAddressModeClamp, cudaFilterModeLinear, cudaReadModeElementType);
  sample::Device<float> shifted(image.size());
  shift<<<dim3(kWidth / 16, kHeight / 8), dim3(16, 8)>>>(linear, shifted);
  FINISH();
  const auto at = [&](int x, int y) { return floats[std::min(y, kHeight - 1) * kWidth + std::min(x, kWidth - 1)]; };
  for (int i = 0; i < kWidth * kHeight; ++i) {
    const int x = i % kWidth, y = i / kWidth;
    moved[i] =
        0.875f * (0.75f * at(x, y) + 0.25f * at(x + 1, y)) + 0.125f * (0.75f * at(x, y + 1) + 0.25f * at(x + 1, y + 1));
  }
  sample::compare("shifted", shifted.get(), moved);

  constexpr int kSize = 12;
  std::vector<int> cells(kSize * kSize * kSize), sums(kSize * kSize);
  for (int i = 0; i < kSize * kSize * kSize; ++i)
    sums[i % (kSize * kSize)] += (cells[i] = numbers.below(50)) * (i / (kSize * kSize) + 1);
  cudaArray_t volume = nullptr;
  CUDA(cudaMalloc3DArray(&volume, &ints, {kSize, kSize, kSize}));
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(cells.data(), kSize * 4, kSize, kSize);
  copy.dstArray = volume;
  copy.extent = {kSize, kSize, kSize};
  copy.kind = cudaMemcpyHostToDevice;
  CUDA(cudaMemcpy3D(&copy));
  const cudaTextureObject_t deep =
      make_texture(of_array(volume), cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeElementType);
  sample::Device<int> planes(kSize * kSize);
  sum_of_volume<<<1, dim3(kSize, kSize)>>>(deep, planes, kSize);
  FINISH();
  sample::compare("volume", planes.get(), sums);

  std::vector<uchar4> bytes(40);
  std::vector<float4> normal(32);
  for (int i = 0; i < 40; ++i) bytes[i] = {static_cast<unsigned char>(i * 6), 255, 0, 51};
  for (int i = 0; i < 32; ++i) normal[i] = {static_cast<float>(i * 7 % 40 * 6) / 255.0f, 1, 0, 51 / 255.0f};
  sample::Device<uchar4> linear_bytes(bytes);
  sample::Device<float4> read(32);
  resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear = {linear_bytes.data(), cudaCreateChannelDesc<uchar4>(), 160};
  read_line<<<1, 32>>>(make_texture(resource, cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeNormalizedFloat),
                       read);
  FINISH();
  sample::compare("normalised bytes", read.get(), normal);
  CUDA(cudaDestroySurfaceObject(surface));
  for (const cudaArray_t array : {in, out, volume}) CUDA(cudaFreeArray(array));
  CUDA(cudaFree(pitched));
  return sample::passed();
}
