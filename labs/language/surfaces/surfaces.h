// The contract of exercise surfaces: CUDA arrays that kernels read and write.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup surfaces Exercise surfaces
/// CUDA arrays that kernels read and write. The array is made with cudaArraySurfaceLoadStore, the last argument of
/// cudaMallocArray(), the surface object by cudaCreateSurfaceObject(&surface, &resource). The image comes back by
/// cudaMemcpy2DFromArray(to, pitch, array, 0, 0, width, rows, kind), pitch and width in bytes.
/// `surf2Dread<int>(surface, x, y, mode)` and `surf2Dwrite(value, surface, x, y, mode)` count x in bytes, but y in
/// rows. The mode says what an access outside does: cudaBoundaryModeZero (0) reads 0 and writes nothing, Clamp (1)
/// reads the nearest element, on all sides, Trap (2), the default, ends the kernel.
/// @{
/// out = the image, shifted: element (x, y) is element (x + dx, y + dy) of `image`, or the nearest to that place, read
/// from a surface of a copy of the image. Destroys what it has made. dx and dy are -100 to 100.
/// @param image, out device, size x size elements, row by row, 1 to 64 in a row; `image` is only read
void shift(const int* image, int* out, int size, int dx, int dy);
/// Sets the element at place k, (places[2 * k], places[2 * k + 1]), to k + 1, by a surface; no two places are the same.
/// Its mode takes care of places outside. @param image as above; written @param count 1 to 1000
void stamp(int* image, int size, const int* places, int count);
/// Predicts what `surf1Dread<int>(surface, x, mode)` returns, where element i of `size`, 1 to 100, is i + 100; -700 if
/// it ends the kernel: cudaErrorIllegalAddress. x is a multiple of 4, -1000 to 1000.
int predict(int x, int size, int mode);
/// @}
