// The contract of lab texture_scaling: what the functions in texture_scaling.cu must do.
#pragma once

#include <cuda_runtime.h>

#include "common/cuda/lab.h"

/// @defgroup texture_scaling Lab texture_scaling
/// Grey images in any size: by global loads, and by textures that address and filter in hardware.
///
/// Common to all: an image has one byte for each pixel, 0 (black) to 255 (white), row by row without gaps; its sides
/// are 1 to 1536 pixels long. Pixel i of a row covers i to i + 1, so that its centre is at i + 0.5. Pointers are device
/// pointers as cudaMalloc returns them (aligned to 256 bytes), and arrays do not overlap. Inputs are only read. Every
/// pixel of `out` is written. All work is in the default stream; no function needs to wait for it. Only kernels make
/// pixels of `out`, and nothing goes to the host.
///
/// Pixel (x, y) of an image that is **resized** shows the place ((x + 0.5) * in_width / out_width, (y + 0.5) *
/// in_height / out_height) of the input. **Filtered**, a place between four centres shows the mean of these four
/// pixels, weighted linearly in both directions; beyond the outermost centres, the same as the nearest place between
/// them. The mean is rounded to the nearest whole number, and may be off by 3: a texture has 256 steps from one
/// centre to the next, which you need not imitate. An image of equal pixels, or one that keeps its size, must come out
/// exact.
/// @{

/// Part 1: the pixel of the input that pixel `i` of the output shows if nothing is filtered: the one that its place is
/// in; on a border, the one that begins there. One direction only.
/// @param i    pixel of the output, 0 to out - 1
/// @param in   pixels of the input, 1 to 4096
/// @param out  pixels of the output, 1 to 4096
int predict_pixel(int i, int in, int out);

/// Part 1: the weight that a texture gives to the later one of the two pixels that it filters, in one direction. The
/// texture first limits the place to those from the first centre to the last one, then rounds it to 256ths of a pixel,
/// halves up. A place on a centre leaves the later pixel nothing.
/// @param i    pixel of the output, 0 to out - 1
/// @param in   pixels of the input, 1 to 4096
/// @param out  pixels of the output, 1 to 4096
/// @returns 0 to 255, in 256ths
int predict_weight(int i, int in, int out);

/// Part 1: requests to the texture units by a kernel that has a thread for each pixel of its output, with one fetch in
/// each, in blocks of 32 x 8 threads. Threads beyond the edges fetch nothing. A unit serves four neighbouring lanes of
/// a warp at a time: one request, if at least one of them fetches.
/// @param width  pixels in a row, 1 to 1536
/// @param height rows, 1 to 1536
int predict_requests(int width, int height);

/// Part 2: resizes an image, filtered, by plain loads from global memory.
/// @param in     in_width x in_height pixels
/// @param out    out_width x out_height pixels
void resize_by_hand(const unsigned char* in, int in_width, int in_height, unsigned char* out, int out_width,
                    int out_height);

/// An image that kernels can sample.
struct Image {
  cudaArray_t array = nullptr;      ///< Its pixels.
  cudaTextureObject_t texture = 0;  ///< How they are read.
};

/// Part 3: makes an array, copies the pixels into it, and makes the texture object. Many images may exist at a time.
/// The tests ask for false, false, clamp in part 3; true, false, clamp in part 4; true, true and any edge in part 5.
/// @param pixels     device, width x height pixels, which the caller may free when the copy is done
/// @param smooth     false: `tex2D<unsigned char>` gives the one pixel that the place is in; true: `tex2D<float>`
///                   gives a filtered one as 0 (black) to 1 (white)
/// @param normalised false: places are in pixels; true: from 0 to 1 in each direction, whatever the size
/// @param edge       what is beyond the image, in both directions
Image make_image(const unsigned char* pixels, int width, int height, bool smooth, bool normalised,
                 cudaTextureAddressMode edge);

/// Part 3: releases all that make_image() took. All kernels that sample the image have ended.
void release_image(const Image& image);

/// Part 3: resizes an image without a filter, exactly. A place less than 1/1000 from the border of two pixels may show
/// either.
/// @param texture    of an image of in_width x in_height pixels: not smooth, not normalised
/// @param out        out_width x out_height pixels
void resize_nearest(cudaTextureObject_t texture, int in_width, int in_height, unsigned char* out, int out_width,
                    int out_height);

/// Part 4: resizes an image, filtered by the texture, with four pixels for each thread. Where rows of `out` are a
/// multiple of four pixels long, a thread stores its four at once; others, one by one.
/// @param texture    of an image of in_width x in_height pixels: smooth, not normalised
/// @param out        out_width x out_height pixels
void resize(cudaTextureObject_t texture, int in_width, int in_height, unsigned char* out, int out_width,
            int out_height);

/// Part 5: fills `out` with copies of an image, `across` in a row and `down` in a column, one of them in the middle:
/// pixel (x, y) shows the normalised place (((x + 0.5) / width - 0.5) * across + 0.5, ((y + 0.5) / height - 0.5) * down
/// + 0.5), filtered. What is beyond the copy in the middle (copies, mirrored or not, or something else) is up to the
/// image's edge.
/// @param texture smooth and normalised
/// @param out     width x height pixels
/// @param across  0.25 to 8; below 1, a part of one copy
/// @param down    0.25 to 8
void repeat(cudaTextureObject_t texture, unsigned char* out, int width, int height, float across, float down);

/// @}
