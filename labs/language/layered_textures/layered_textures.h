// The contract of exercise layered_textures: stacks of images in one texture, and cubes.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup layered_textures Exercise layered_textures
/// Stacks of images in one texture, and cubes. A layered array holds images of one size: cudaMalloc3DArray(&array,
/// &format, {width, height, layers}, cudaArrayLayered), filled by cudaMemcpy3D() with that extent, in elements, from
/// make_cudaPitchedPtr(texels, 4 * width, width, height). `tex2DLayered<float>(texture, x, y, layer)` reads one image,
/// the last for a layer beyond it, texel i at i + 0.5. The array of a cube (cudaArrayCubemap) has six layers, its
/// faces: +x, -x, +y, -y, +z, -z. `texCubemap<float>(texture, x, y, z)` reads the face that the direction (x, y, z)
/// meets, where it meets it: with m the largest component's magnitude, at ((s / m + 1) / 2, (t / m + 1) / 2), with (s,
/// t), face by face, (-z, -y), (z, -y), (x, z), (x, -z), (x, -y), (-x, -y).
/// @{
/// out[k] is the element of layer `at[3 * k + 2]` in column `at[3 * k]` and row `at[3 * k + 1]`, read by a texture from
/// a layered array. Arrays: device, only `out` is written; `texels` has `layers` (1 to 20) images of size x size
/// elements, row by row, 1 to 64 in a row; columns and rows are in the image, layers 0 to 25; `count` 1 to 10,000.
void from_layers(const float* texels, int size, int layers, const int* at, float* out, int count);
/// out[k] is read by a cube's texture, unfiltered, in direction (at[3 * k], at[3 * k + 1], at[3 * k + 2]). Arrays:
/// device, only `out` is written; `texels` has six faces of size x size elements; as above. Both free what they make.
void from_cube(const float* texels, int size, const float* at, float* out, int count);
/// @}
