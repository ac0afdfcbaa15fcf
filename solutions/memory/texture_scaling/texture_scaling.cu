// Lab texture_scaling: grey images in any size, by global loads and by textures.
// This is the only file you edit. What each function must do is in texture_scaling.h, what to do first in README.md.
#include <cmath>

#include "common/cuda/check.cuh"
#include "texture_scaling.h"

constexpr dim3 kBlock(32, 8);  // Threads: a warp is a row of 32.

// As many blocks as `across` x `down` threads need. The last ones of a row or column may be needed in part.
dim3 blocks_for(int across, int down) { return dim3((across + 31) / 32, (down + 7) / 8); }

// Pixels of the input for one of the output, in x and y.
float2 step_of(int in_width, int in_height, int out_width, int out_height) {
  return make_float2(static_cast<float>(in_width) / out_width, static_cast<float>(in_height) / out_height);
}

// ---- Part 1: places and weights -------------------------------------------------------------------------------------

int predict_pixel(int i, int in, int out) {
  // BEGIN SOLUTION
  // TODO(student): the centre of pixel i, in pixels of the input, rounded down. Compute in double. (1 line)
  // SKELETON: warpbook::not_started();
  return static_cast<int>((i + 0.5) * in / out);
  // END SOLUTION
}

int predict_weight(int i, int in, int out) {
  // BEGIN SOLUTION
  // TODO(student): how far beyond the first centre; clamped; in 256ths; rounded to the nearest. (2 lines)
  // SKELETON: warpbook::not_started();
  const double beyond = std::fmin(std::fmax((i + 0.5) * in / out - 0.5, 0.0), in - 1.0);
  return static_cast<int>(256 * beyond + 0.5) % 256;
  // END SOLUTION
}

int predict_requests(int width, int height) {
  // BEGIN SOLUTION
  // TODO(student): how many groups of four lanes have a pixel in one row of the image? (1 line)
  // SKELETON: warpbook::not_started();
  return (width + 3) / 4 * height;
  // END SOLUTION
}

// ---- Part 2: global loads -------------------------------------------------------------------------------------------

__global__ void resize_by_hand_kernel(const unsigned char* in, int in_width, int in_height, unsigned char* out,
                                      int out_width, int out_height, float2 step) {
  // BEGIN SOLUTION
  // TODO(student): this thread makes pixel (x, y) of its block's 32 x 8, if there is one: how far its place is beyond
  // the first centres, clamped; the four pixels around it; their mean. (11 lines)
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= out_width || y >= out_height) return;
  const float at_x = fminf(fmaxf((x + 0.5f) * step.x - 0.5f, 0.0f), in_width - 1.0f);
  const float at_y = fminf(fmaxf((y + 0.5f) * step.y - 0.5f, 0.0f), in_height - 1.0f);
  const int left = static_cast<int>(at_x), right = min(left + 1, in_width - 1);
  const int top = static_cast<int>(at_y), bottom = min(top + 1, in_height - 1);
  const float u = at_x - left, v = at_y - top;
  const float above = (1 - u) * in[top * in_width + left] + u * in[top * in_width + right];
  const float below = (1 - u) * in[bottom * in_width + left] + u * in[bottom * in_width + right];
  out[y * out_width + x] = static_cast<unsigned char>((1 - v) * above + v * below + 0.5f);
  // END SOLUTION
}

void resize_by_hand(const unsigned char* in, int in_width, int in_height, unsigned char* out, int out_width,
                    int out_height) {
  // BEGIN SOLUTION
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  // SKELETON: warpbook::not_started();
  // END SOLUTION
  resize_by_hand_kernel<<<blocks_for(out_width, out_height), kBlock>>>(
      in, in_width, in_height, out, out_width, out_height, step_of(in_width, in_height, out_width, out_height));
  WB_CHECK(cudaGetLastError());
}

// ---- Part 3: an image in a texture ----------------------------------------------------------------------------------

Image make_image(const unsigned char* pixels, int width, int height, bool smooth, bool normalised,
                 cudaTextureAddressMode edge) {
  // BEGIN SOLUTION
  // TODO(student): cudaMallocArray, cudaMemcpy2DToArray, a cudaResourceDesc and a cudaTextureDesc, which both begin as
  // zeros, and cudaCreateTextureObject, each call in WB_CHECK(). Return all in an Image. (14 lines)
  // SKELETON: warpbook::not_started();
  Image image;
  const cudaChannelFormatDesc grey = cudaCreateChannelDesc<unsigned char>();
  WB_CHECK(cudaMallocArray(&image.array, &grey, width, height));
  WB_CHECK(cudaMemcpy2DToArray(image.array, 0, 0, pixels, width, width, height, cudaMemcpyDeviceToDevice));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = image.array;
  cudaTextureDesc how{};
  how.addressMode[0] = edge;
  how.addressMode[1] = edge;
  how.filterMode = smooth ? cudaFilterModeLinear : cudaFilterModePoint;
  how.readMode = smooth ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  how.normalizedCoords = normalised;
  WB_CHECK(cudaCreateTextureObject(&image.texture, &resource, &how, nullptr));
  return image;
  // END SOLUTION
}

void release_image(const Image& image) {
  // BEGIN SOLUTION
  // TODO(student): what make_image() made, in the reverse order. (2 lines)
  // SKELETON: warpbook::not_started();
  WB_CHECK(cudaDestroyTextureObject(image.texture));
  WB_CHECK(cudaFreeArray(image.array));
  // END SOLUTION
}

__global__ void resize_nearest_kernel(cudaTextureObject_t texture, unsigned char* out, int width, int height,
                                      float2 step) {
  // BEGIN SOLUTION
  // TODO(student): this thread makes one pixel, if there is one, by one tex2D<unsigned char>. (3 lines)
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= width || y >= height) return;
  out[y * width + x] = tex2D<unsigned char>(texture, (x + 0.5f) * step.x, (y + 0.5f) * step.y);
  // END SOLUTION
}

void resize_nearest(cudaTextureObject_t texture, int in_width, int in_height, unsigned char* out, int out_width,
                    int out_height) {
  // BEGIN SOLUTION
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  // SKELETON: warpbook::not_started();
  // END SOLUTION
  resize_nearest_kernel<<<blocks_for(out_width, out_height), kBlock>>>(
      texture, out, out_width, out_height, step_of(in_width, in_height, out_width, out_height));
  WB_CHECK(cudaGetLastError());
}

// ---- Part 4: the filter of the texture ------------------------------------------------------------------------------

// BEGIN SOLUTION
// TODO(student): a __device__ function that makes a grey level of what tex2D<float> gives. (1 to 3 lines)
__device__ unsigned char grey_at(cudaTextureObject_t texture, float at_x, float at_y) {
  return static_cast<unsigned char>(255 * tex2D<float>(texture, at_x, at_y) + 0.5f);
}
// END SOLUTION

__global__ void resize_kernel(cudaTextureObject_t texture, unsigned char* out, int width, int height, float2 step) {
  // BEGIN SOLUTION
  // TODO(student): this thread makes four pixels of a row, those that there are: four fetches in a loop that is
  // unrolled, then one uchar4 if `width` is a multiple of four, else bytes. (12 lines)
  const int x = 4 * (blockIdx.x * 32 + threadIdx.x), y = blockIdx.y * 8 + threadIdx.y;
  if (x >= width || y >= height) return;
  unsigned char greys[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) greys[k] = grey_at(texture, (x + k + 0.5f) * step.x, (y + 0.5f) * step.y);
  unsigned char* const first = out + y * width + x;
  if (width % 4 == 0) {
    *reinterpret_cast<uchar4*>(first) = make_uchar4(greys[0], greys[1], greys[2], greys[3]);
    return;
  }
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (x + k < width) first[k] = greys[k];
  // END SOLUTION
}

void resize(cudaTextureObject_t texture, int in_width, int in_height, unsigned char* out, int out_width,
            int out_height) {
  // BEGIN SOLUTION
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  // SKELETON: warpbook::not_started();
  // END SOLUTION
  resize_kernel<<<blocks_for((out_width + 3) / 4, out_height), kBlock>>>(
      texture, out, out_width, out_height, step_of(in_width, in_height, out_width, out_height));
  WB_CHECK(cudaGetLastError());
}

// ---- Part 5: beyond the edges ---------------------------------------------------------------------------------------

__global__ void repeat_kernel(cudaTextureObject_t texture, unsigned char* out, int width, int height, float across,
                              float down) {
  // BEGIN SOLUTION
  // TODO(student): this thread makes one pixel, if there is one. (4 lines)
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= width || y >= height) return;
  const float at_x = ((x + 0.5f) / width - 0.5f) * across + 0.5f, at_y = ((y + 0.5f) / height - 0.5f) * down + 0.5f;
  out[y * width + x] = grey_at(texture, at_x, at_y);
  // END SOLUTION
}

void repeat(cudaTextureObject_t texture, unsigned char* out, int width, int height, float across, float down) {
  // BEGIN SOLUTION
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  // SKELETON: warpbook::not_started();
  // END SOLUTION
  repeat_kernel<<<blocks_for(width, height), kBlock>>>(texture, out, width, height, across, down);
  WB_CHECK(cudaGetLastError());
}
