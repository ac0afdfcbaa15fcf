// The contract of exercise texture_objects: reading images by coordinates between the elements.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup texture_objects Exercise texture_objects
/// Reading images by coordinates between the elements (texels). A texture is made by
/// `cudaCreateTextureObject(&texture, &resource, &how, nullptr)` from two structures: where the texels are
/// (cudaResourceDesc: a CUDA array, from `cudaMallocArray(&array, &channels, width, height)`, with channels from
/// `cudaCreateChannelDesc<float>()`, and `cudaMemcpy2DToArray(array, 0, 0, from, pitch, width, rows, kind)`, with pitch
/// and width in bytes), and how they are read (cudaTextureDesc). A kernel calls `tex2D<float>(texture, x, y)`. The
/// centre of texel i is at i + 0.5; normalised coordinates are divided by the size. Wrap and Mirror need these; with
/// others, both clamp. Mirror repeats the last texel. `texture<float, 2>` of older programs no longer compiles.
/// @{
/// out[k] is one read of the texture, filtered linearly, at the normalised coordinates (at[2 * k], at[2 * k + 1]).
/// Destroys what it has made after the kernel. `mode` is the cudaTextureAddressMode of both directions. Arrays: device,
/// only `out` is written; size x size texels, row by row, size 1 to 64; `count` points, 1 to 10,000.
void sample(const float* texels, int size, const float* at, float* out, int count, int mode);
/// Predicts which of `size` texels, 1 to 100, is read without a filter at texel + 0.5, `texel` -300 to 300, divided by
/// the size if `normalised` is 1; by cudaAddressModeWrap (0), Clamp (1), Mirror (2), Border (3). -1: none, the result
/// is 0. Mode 4 is `tex1Dfetch<float>(texture, texel)` of linear memory: no filter, no address modes, 0 outside.
int texel_of(int texel, int size, int mode, int normalised);
/// Predicts which texel of a linear filter is component 0 (x) to 3 (w) of `tex2Dgather<float4>()`: 0 the one of least x
/// and y, 1 the next in x, 2 the next in y, 3 the next in both. Rows going down: counterclockwise, from the lower left.
int gathered(int component);
/// @}
