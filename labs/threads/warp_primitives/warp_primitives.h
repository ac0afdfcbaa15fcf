// The contract of lab warp_primitives: what the functions in warp_primitives.cu must do.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup warp_primitives Lab warp_primitives
/// What the lanes of a warp do together without shared memory: shuffles, ballots and matches.
///
/// Common to all: pointers are device pointers as cudaMalloc returns them (aligned to 256 bytes); arrays do not
/// overlap. `in` and `keys` are only read. Sums fit into `int`. No function uses shared memory. The functions start
/// kernels on the default stream and need not wait for them.
/// @{

/// Part 1: lane i of a warp begins with `value = i`. Then all 32 lanes run
/// `for (int d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffff, value, d);`
/// @param lane 0 to 31
/// @returns what `value` is in this lane then
int predict_down(int lane);

/// Who adds to the counts of a histogram, each by an atomicAdd.
enum class Adds {
  each_lane,           ///< Each lane, for its own element.
  one_of_equal_lanes,  ///< Of the lanes of a warp with the same key, one, for all of them.
};

/// Part 1: how many times does a lane call atomicAdd, if thread i has the key i % bins, for i = 0 to n - 1?
/// Warp w is threads 32 w to 32 w + 31, as far as they exist.
/// @param adds who
/// @param n    0 to 2^20
/// @param bins 1 to 1000
int predict_adds(Adds adds, int n, int bins);

/// Part 1: a warp has a tile of 32 x 32; lane `lane` has element (row i, column `lane`) in register i. The five
/// exchanges of the handout transpose it, with distances 16, 8, 4, 2, 1. Which element is in register `i` after
/// the first `exchanges` of them?
/// @param lane      0 to 31
/// @param i         register, 0 to 31
/// @param exchanges how many were done, 0 to 5
/// @returns 32 * row + column: where the element was at first
int predict_element(int lane, int i, int exchanges);

/// Part 2: `sums[r]` is the sum of row r. A warp sums a row.
/// @param in      device, rows x columns elements, row by row
/// @param sums    device, `rows` elements
/// @param rows    0 to 4096
/// @param columns 1 to 1000
void sum_rows(const int* in, int* sums, int rows, int columns);

/// Part 2: divides each row of 128 elements by the root of the mean of its squares:
/// `out[r][c] = in[r][c] / sqrt(mean + 1e-6)`, `mean` being the sum of the squares of row r, divided by 128.
/// Within 10^-5 of the right result. A warp has a row, and each lane four neighbouring elements.
/// @param in   device, rows x 128 elements, row by row, -1000 to 1000
/// @param out  device, as many
/// @param rows 0 to 2^15
void normalise(const float* in, float* out, int rows);

/// Part 2: `out[r][c]` is the sum of `in[r][0]` to `in[r][c]`. A warp scans a row.
/// @param in      device, rows x columns elements, row by row
/// @param out     device, as many
/// @param rows    0 to 2048
/// @param columns 1 to 1000
void scan_rows(const int* in, int* out, int rows, int columns);

/// Part 3: writes the elements above 0 to the front of `out`, and how many they are to `count`. Those of elements 32 w
/// to 32 w + 31 stay together, in their order; which w comes first is left open, and so is what follows them in `out`.
/// @param in    device, n elements
/// @param out   device, n elements
/// @param count device, one element; may hold anything before the call
/// @param n     0 to 2^18
void compact(const int* in, int* out, int* count, int n);

/// Part 3: `counts[k]` is how many of the keys are k. Of the lanes of a warp that have the same key, one adds for all.
/// @param keys   device, n elements, 0 to bins - 1
/// @param counts device, `bins` elements; they may hold anything before the call
/// @param n      0 to 2^18
/// @param bins   1 to 1000
void histogram(const int* keys, int* counts, int n, int bins);

/// Part 4: transposes tiles of 32 x 32, each on its own: `out[t][r][c] = in[t][c][r]`. A warp has a tile in registers.
/// @param in    device, tiles x 32 x 32 elements
/// @param out   device, as many
/// @param tiles 0 to 1024
void transpose_tiles(const int* in, int* out, int tiles);

/// @}
