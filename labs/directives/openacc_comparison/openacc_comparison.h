// What to write in the lab openacc_comparison.
//
// All arrays are pinned host memory with one byte for each pixel of a grey image, row by row. The array of an image has
// rows * columns bytes. rows and columns are 0 to 4096, and an image has at most 2^23 pixels, for the pipelines 2^24.
// Each function returns when its result is complete in host memory. All pixels, of small images too, are computed by
// the device, from copies in its own memory.
#pragma once

#include "common/cuda/lab.h"

using Byte = unsigned char;

// ---- With OpenACC

/// out[i] = (first[i] + second[i]) / 2, rounded down. Copies each image over the bus once.
void merge_acc(const Byte* first, const Byte* second, Byte* out, long rows, long columns);

/// Does image[i] = (image[i] + target[i]) / 2 for all pixels, `steps` times: 0 to 100, with rows * columns * steps at
/// most 2^23. Copies image to the device once and back once, and target to the device once, whatever `steps` is.
void fade_acc(Byte* image, const Byte* target, long rows, long columns, int steps);

/// The same as merge_acc, in `blocks` (1 to 100) groups of whole rows, some of which may be smaller or empty: while
/// one group is merged, the next is on its way to the device and the one before on its way back.
void merge_pipelined_acc(const Byte* first, const Byte* second, Byte* out, long rows, long columns, long blocks);

// ---- With CUDA

/// The same as merge_acc.
void merge_cuda(const Byte* first, const Byte* second, Byte* out, long rows, long columns);

/// The same as merge_pipelined_acc.
void merge_pipelined_cuda(const Byte* first, const Byte* second, Byte* out, long rows, long columns, long blocks);

// ---- Predictions

/// The bytes of images that fade_acc copies to the device if each step's loop has `copy(image[:n]) copyin(target[:n])`,
/// or, with `data_region`, if one `data` region with these clauses is around all steps. 0 to 1000 steps.
long predict_bytes_to_device(long rows, long columns, int steps, bool data_region);

enum class Level { gang, worker, vector };

/// What GCC makes of a level of OpenACC on an NVIDIA GPU: 'b' for blockIdx.x, 'x' for threadIdx.x, 'y' for threadIdx.y.
char cuda_index_of(Level level);
