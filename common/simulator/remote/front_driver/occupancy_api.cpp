// The choice of a block size if the program computes how much shared memory a block of a given size needs.
#include <algorithm>

#include "common/simulator/driver/driver_api.h"

namespace {

/// Same choice as driver/function_api.cpp: of the block sizes that put the most threads on an SM, the largest.
CUresult best_block(int* grid, int* block, CUfunction function, CUoccupancyB2DSize shared_of,
                    std::size_t dynamic_shared, int limit) {
  if (grid == nullptr || block == nullptr || limit < 0) return CUDA_ERROR_INVALID_VALUE;
  constexpr int kWarp = 32;
  int most = 0, multiprocessors = 0;
  CUresult error = cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function);
  if (error == CUDA_SUCCESS)
    error = cuDeviceGetAttribute(&multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0);
  if (error != CUDA_SUCCESS) return error;
  if (limit != 0) most = std::min(most, limit);
  int best_threads = 0;
  *grid = *block = 0;
  for (int rounded = (most + kWarp - 1) / kWarp * kWarp; rounded > 0; rounded -= kWarp) {
    const int threads = std::min(rounded, most);
    const std::size_t shared = shared_of == nullptr ? dynamic_shared : shared_of(threads);
    int blocks = 0;
    error = cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, threads, shared);
    if (error != CUDA_SUCCESS) return error;
    if (blocks * threads <= best_threads) continue;
    best_threads = blocks * threads;
    *block = threads;
    *grid = blocks * multiprocessors;
  }
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction function, CUoccupancyB2DSize shared_of,
                                          size_t dynamic_shared, int limit) {
  return best_block(grid, block, function, shared_of, dynamic_shared, limit);
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, CUfunction function,
                                                   CUoccupancyB2DSize shared_of, size_t dynamic_shared, int limit,
                                                   unsigned flags) {
  if (flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE) return CUDA_ERROR_INVALID_VALUE;
  return best_block(grid, block, function, shared_of, dynamic_shared, limit);
}
