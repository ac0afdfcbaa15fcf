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
  // TODO(student): the centre of pixel i, in pixels of the input, rounded down. Compute in double. (1 line)
  warpbook::not_started();
}

int predict_weight(int i, int in, int out) {
  // TODO(student): how far beyond the first centre; clamped; in 256ths; rounded to the nearest. (2 lines)
  warpbook::not_started();
}

int predict_requests(int width, int height) {
  // TODO(student): how many groups of four lanes have a pixel in one row of the image? (1 line)
  warpbook::not_started();
}

// ---- Part 2: global loads -------------------------------------------------------------------------------------------

__global__ void resize_by_hand_kernel(const unsigned char* in, int in_width, int in_height, unsigned char* out,
                                      int out_width, int out_height, float2 step) {
  // TODO(student): this thread makes pixel (x, y) of its block's 32 x 8, if there is one: how far its place is beyond
  // the first centres, clamped; the four pixels around it; their mean. (11 lines)
}

void resize_by_hand(const unsigned char* in, int in_width, int in_height, unsigned char* out, int out_width,
                    int out_height) {
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  warpbook::not_started();
  resize_by_hand_kernel<<<blocks_for(out_width, out_height), kBlock>>>(
      in, in_width, in_height, out, out_width, out_height, step_of(in_width, in_height, out_width, out_height));
  WB_CHECK(cudaGetLastError());
}

// ---- Part 3: an image in a texture ----------------------------------------------------------------------------------

Image make_image(const unsigned char* pixels, int width, int height, bool smooth, bool normalised,
                 cudaTextureAddressMode edge) {
  // TODO(student): cudaMallocArray, cudaMemcpy2DToArray, a cudaResourceDesc and a cudaTextureDesc, which both begin as
  // zeros, and cudaCreateTextureObject, each call in WB_CHECK(). Return all in an Image. (14 lines)
  warpbook::not_started();
}

void release_image(const Image& image) {
  // TODO(student): what make_image() made, in the reverse order. (2 lines)
  warpbook::not_started();
}

__global__ void resize_nearest_kernel(cudaTextureObject_t texture, unsigned char* out, int width, int height,
                                      float2 step) {
  // TODO(student): this thread makes one pixel, if there is one, by one tex2D<unsigned char>. (3 lines)
}

void resize_nearest(cudaTextureObject_t texture, int in_width, int in_height, unsigned char* out, int out_width,
                    int out_height) {
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  warpbook::not_started();
  resize_nearest_kernel<<<blocks_for(out_width, out_height), kBlock>>>(
      texture, out, out_width, out_height, step_of(in_width, in_height, out_width, out_height));
  WB_CHECK(cudaGetLastError());
}

// ---- Part 4: the filter of the texture ------------------------------------------------------------------------------

// TODO(student): a __device__ function that makes a grey level of what tex2D<float> gives. (1 to 3 lines)

__global__ void resize_kernel(cudaTextureObject_t texture, unsigned char* out, int width, int height, float2 step) {
  // TODO(student): this thread makes four pixels of a row, those that there are: four fetches in a loop that is
  // unrolled, then one uchar4 if `width` is a multiple of four, else bytes. (12 lines)
}

void resize(cudaTextureObject_t texture, int in_width, int in_height, unsigned char* out, int out_width,
            int out_height) {
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  warpbook::not_started();
  resize_kernel<<<blocks_for((out_width + 3) / 4, out_height), kBlock>>>(
      texture, out, out_width, out_height, step_of(in_width, in_height, out_width, out_height));
  WB_CHECK(cudaGetLastError());
}

// ---- Part 5: beyond the edges ---------------------------------------------------------------------------------------

__global__ void repeat_kernel(cudaTextureObject_t texture, unsigned char* out, int width, int height, float across,
                              float down) {
  // TODO(student): this thread makes one pixel, if there is one. (4 lines)
}

void repeat(cudaTextureObject_t texture, unsigned char* out, int width, int height, float across, float down) {
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  warpbook::not_started();
  repeat_kernel<<<blocks_for(width, height), kBlock>>>(texture, out, width, height, across, down);
  WB_CHECK(cudaGetLastError());
}
