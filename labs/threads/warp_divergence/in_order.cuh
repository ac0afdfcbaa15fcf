// job_in_order: sorts the jobs of a block by their length. Given; nothing to do here.
#pragma once

#include "warp_divergence.h"

/// Reassigns the jobs of a block: short ones to the first threads and long ones to the last. Every thread of the
/// block must call it, as it contains barriers; thread t gives the length of job t.
/// A counting sort: how many jobs have each length, hence where the jobs of a length begin, hence a place for each job.
/// @param turns length of the job with this thread's number, 0 to kMostTurns
/// @returns the number, 0 to kThreads - 1, of the job that this thread is to do; every number goes to one thread
__device__ inline int job_in_order(int turns) {
  static_assert(kThreads == kMostTurns + 1, "a thread for each length");
  __shared__ int begin[kThreads], job_at[kThreads], of_warp[kThreads / 32];
  const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
  begin[thread] = 0;
  __syncthreads();
  atomicAdd(&begin[turns], 1);
  __syncthreads();

  // Jobs shorter than `thread` turns: sums over the lanes before this one, then over the warps before this one.
  const int jobs = begin[thread];
  int sum = jobs;
  for (int distance = 1; distance < 32; distance *= 2) {
    const int before = __shfl_up_sync(0xffffffffu, sum, distance);
    sum += lane >= distance ? before : 0;
  }
  if (lane == 31) of_warp[warp] = sum;
  __syncthreads();
  for (int other = 0; other < warp; ++other) sum += of_warp[other];
  begin[thread] = sum - jobs;
  __syncthreads();

  job_at[atomicAdd(&begin[turns], 1)] = thread;
  __syncthreads();
  return job_at[thread];
}
