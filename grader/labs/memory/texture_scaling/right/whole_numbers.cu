// Whole numbers by hand, as the texture rounds them; arrays by cudaMalloc3DArray; eight pixels for each thread.
#include "common/cuda/check.cuh"
#include "texture_scaling.h"

namespace {

struct Pair {
  int first, second, weight;
};

__host__ __device__ Pair pair_at(int i, int in, int out) {
  const long long steps = (256 * (2LL * i + 1) * in - 255LL * out) / (2LL * out);
  const int limited = steps < 0 ? 0 : steps > 256LL * (in - 1) ? 256 * (in - 1) : static_cast<int>(steps);
  const int first = limited / 256;
  return {first, first + 1 < in ? first + 1 : first, limited % 256};
}

__global__ void blend(const unsigned char* in, int in_width, int in_height, unsigned char* out, int width, int height) {
  for (int y = blockIdx.y; y < height; y += gridDim.y) {
    const Pair rows = pair_at(y, in_height, height);
    const unsigned char *above = in + rows.first * in_width, *below = in + rows.second * in_width;
    for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < width; x += gridDim.x * blockDim.x) {
      const Pair columns = pair_at(x, in_width, width);
      const int left = (256 - rows.weight) * above[columns.first] + rows.weight * below[columns.first];
      const int right = (256 - rows.weight) * above[columns.second] + rows.weight * below[columns.second];
      out[y * width + x] = ((256 - columns.weight) * left + columns.weight * right + (1 << 15)) >> 16;
    }
  }
}

__global__ void pick(cudaTextureObject_t texture, int in_width, int in_height, unsigned char* out, int width,
                     int height) {
  const int y = blockIdx.x, row = (2 * y + 1) * in_height / (2 * height);
  for (int x = threadIdx.x; x < width; x += blockDim.x)
    out[y * width + x] = tex2D<uchar1>(texture, (2 * x + 1) * in_width / (2 * width) + 0.5f, row + 0.5f).x;
}

__device__ unsigned grey_at(cudaTextureObject_t texture, float x, float y) {
  return __float2uint_rn(255 * tex2D<float>(texture, x, y));
}

// A warp makes two stretches of 128 pixels, side by side.
__global__ void sample(cudaTextureObject_t texture, unsigned char* out, int width, int height, float step_x,
                       float step_y) {
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y >= height) return;
#pragma unroll
  for (int part = 0; part < 2; ++part) {
    const int x = blockIdx.x * 256 + part * 128 + 4 * threadIdx.x;
    if (x >= width) return;
    unsigned four = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) four |= grey_at(texture, (x + k + 0.5f) * step_x, (y + 0.5f) * step_y) << (8 * k);
    unsigned char* const at = out + y * width + x;
    if ((width & 3) == 0)
      *reinterpret_cast<unsigned*>(at) = four;
    else
      for (int k = 0; k < 4 && x + k < width; ++k) at[k] = four >> (8 * k) & 255;
  }
}

__global__ void copies(cudaTextureObject_t texture, unsigned char* out, int width, int height, float across,
                       float down) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % width, y = i / width;
  if (y >= height) return;
  out[i] = grey_at(texture, (2 * x + 1 - width) * (across / (2 * width)) + 0.5f,
                   (2 * y + 1 - height) * (down / (2 * height)) + 0.5f);
}

}  // namespace

int predict_pixel(int i, int in, int out) { return static_cast<int>((2LL * i + 1) * in / (2LL * out)); }

int predict_weight(int i, int in, int out) { return pair_at(i, in, out).weight; }

int predict_requests(int width, int height) {
  int requests = 0;
  for (int first = 0; first < width; first += 4) requests += height;
  return requests;
}

void resize_by_hand(const unsigned char* in, int in_width, int in_height, unsigned char* out, int out_width,
                    int out_height) {
  blend<<<dim3((out_width + 127) / 128, out_height), 128>>>(in, in_width, in_height, out, out_width, out_height);
}

Image make_image(const unsigned char* pixels, int width, int height, bool smooth, bool normalised,
                 cudaTextureAddressMode edge) {
  Image image;
  const cudaChannelFormatDesc format{8, 0, 0, 0, cudaChannelFormatKindUnsigned};
  const cudaExtent extent = make_cudaExtent(width, height, 0);
  WB_CHECK(cudaMalloc3DArray(&image.array, &format, extent));
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(const_cast<unsigned char*>(pixels), width, width, height);
  copy.dstArray = image.array;
  copy.extent = make_cudaExtent(width, height, 1);
  copy.kind = cudaMemcpyDeviceToDevice;
  WB_CHECK(cudaMemcpy3D(&copy));
  const cudaResourceDesc resource{.resType = cudaResourceTypeArray, .res = {.array = {image.array}}};
  const cudaTextureDesc how{.addressMode = {edge, edge, edge},
                            .filterMode = smooth ? cudaFilterModeLinear : cudaFilterModePoint,
                            .readMode = smooth ? cudaReadModeNormalizedFloat : cudaReadModeElementType,
                            .normalizedCoords = normalised ? 1 : 0};
  WB_CHECK(cudaCreateTextureObject(&image.texture, &resource, &how, nullptr));
  return image;
}

void release_image(const Image& image) {
  cudaDestroyTextureObject(image.texture);
  cudaFreeArray(image.array);
}

void resize_nearest(cudaTextureObject_t texture, int in_width, int in_height, unsigned char* out, int out_width,
                    int out_height) {
  pick<<<out_height, 128>>>(texture, in_width, in_height, out, out_width, out_height);
}

void resize(cudaTextureObject_t texture, int in_width, int in_height, unsigned char* out, int out_width,
            int out_height) {
  sample<<<dim3((out_width + 255) / 256, (out_height + 7) / 8), dim3(32, 8)>>>(
      texture, out, out_width, out_height, float(in_width) / out_width, float(in_height) / out_height);
}

void repeat(cudaTextureObject_t texture, unsigned char* out, int width, int height, float across, float down) {
  copies<<<(width * height + 255) / 256, 256>>>(texture, out, width, height, across, down);
}
