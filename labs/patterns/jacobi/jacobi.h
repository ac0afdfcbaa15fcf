// The contract of lab jacobi: what the functions in jacobi.cu must do.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup jacobi Lab jacobi
/// Jacobi's method for Poisson's equation: sweeps in global memory, in tiles, several a launch, until nothing
/// changes.
///
/// Common to all: a plate has `rows` rows of `columns` points, stored row by row without gaps. In a sweep, a point of
/// the edge keeps its value, and any other gets relaxed() of its four neighbours **as they were before the sweep** and
/// of its own number in `source` (point.cuh). Results must have the same bits as those of a loop on a CPU. All
/// functions get two device arrays of rows * columns numbers, `a` and `b`: `a` holds the plate, edges included; `b`
/// holds anything. Arrays do not overlap; `source` is only read. Pointers are device pointers as cudaMalloc returns
/// them (aligned to 256 bytes). Kernels of parts 2 to 4 are started in the default stream, and the functions need not
/// wait for them.
/// @{

/// Part 4: sweeps that one launch does, at most.
constexpr int kSweeps = 4;

/// Part 5: sweeps between two looks at the largest change.
constexpr int kBatch = 32;

/// Part 1: operations (a relaxed() is five) for each byte that has to move between memory and GPU, if a point and its
/// source are loaded once and the point stored once for every `sweeps` sweeps.
/// @param bytes  of a number: 4 or 8
/// @param sweeps 1 to 64
double predict_intensity(int bytes, int sweeps);

/// Part 1: a block keeps the results of `rows` x `columns` points, and brings `halo` more on each side. How many points
/// does it bring for each that it keeps?
/// @param rows, columns 1 to 1024
/// @param halo          0 to 64
double predict_brought(int rows, int columns, int halo);

/// Part 1: how many sweeps does it take until the slowest part of the error is `factor` times what it was? A sweep
/// makes it (cos(pi / (rows - 1)) + cos(pi / (columns - 1))) / 2 times what it was. Not rounded.
/// @param rows, columns of the plate, edges included, 4 to 4096
/// @param factor        more than 0, less than 1
double predict_sweeps(int rows, int columns, double factor);

/// Part 2: does the sweeps, each by one launch.
/// @param a, b    device, the plate and as much room
/// @param source  device, a number for each point
/// @param rows    1 to 2048
/// @param columns 1 to 2048; rows * columns is at most 2^18
/// @param sweeps  0 to 64
/// @returns 0 if the result is in `a`, 1 if it is in `b`; the other array then holds anything
int relax(float* a, float* b, const float* source, int rows, int columns, int sweeps);

/// Part 3: the same, by tiles in shared memory: a launch for each sweep, whose blocks load no point twice.
/// @param a, b    as above
/// @param source  as above
/// @param rows    as above
/// @param columns as above
/// @param sweeps  as above
/// @returns as above
int relax_tiled(float* a, float* b, const float* source, int rows, int columns, int sweeps);

/// Part 4: the same with at most one launch for each kSweeps sweeps, and one more for what remains of them.
/// @param a, b    as above
/// @param source  as above
/// @param rows    as above
/// @param columns as above
/// @param sweeps  as above
/// @returns as above
int relax_blocked(float* a, float* b, const float* source, int rows, int columns, int sweeps);

/// Part 5: does batches of kBatch sweeps, until the largest change |new - old| that the last sweep of a batch made to a
/// point is at most `tolerance`, or until `most` batches are done. It is done when the function returns. The host looks
/// at one number, the largest change, after each batch; a batch takes at most ten launches.
/// @param a, b      device, the plate and as much room; the result must be in `a`
/// @param source    as above
/// @param rows      1 to 256
/// @param columns   1 to 256
/// @param tolerance at least 0
/// @param most      1 to 12
/// @param change    device, one number: afterwards the largest change that the last sweep of all made
/// @returns batches done, at least 1
int solve(float* a, float* b, const float* source, int rows, int columns, float tolerance, int most, float* change);

/// @}
