// The contract of lab streams: what the functions in streams.cu must do, and the kernel that they launch.
#pragma once

#include <cuda_runtime.h>

#include "common/cuda/lab.h"

/// @defgroup streams Lab streams
/// Copies and kernels that run at the same time.
/// @{

/// Given: starts a kernel in @p stream that does x = 0.5 x + 1 eight times for each of `count` elements at `data`
/// (device). Does nothing if count is 0.
void transform(float* data, int count, cudaStream_t stream);

/// Part 1: how long does a pipeline take in which copies in, kernels and copies out of different slices overlap fully?
/// Each of the three would take the given time for all elements together. There is one engine for copies in, one for
/// copies out, and one kernel runs at a time; nothing else takes time.
/// @param in_us,kernel_us,out_us microseconds for all elements, >= 0, multiples of `slices`
/// @param slices equal parts, >= 1
/// @returns microseconds from the start of the first copy to the end of the last one
int predict_pipeline_us(int in_us, int kernel_us, int out_us, int slices);

/// Part 1: three kernels of 100 microseconds each are launched one after the other; together they need less than the
/// whole GPU. `a` and `b` are streams made by cudaStreamCreate, `n` by
/// cudaStreamCreateWithFlags(cudaStreamNonBlocking), 0 is the default stream. How long do they take together?
/// (Launching takes no time.)
/// @param way 'A': in a, a, a; 'B': in a, b, n; 'C': in a, 0, b; 'D': in n, 0, a
/// @returns microseconds
int predict_three_kernels_us(char way);

/// Part 2: host memory for `count` floats, pinned (page-locked), so that copies can run while the host goes on.
/// @param count 1 to 5,000,001
float* allocate_host(int count);
/// Part 2: frees what allocate_host() returned.
void free_host(float* memory);

/// Part 2: transforms `count` elements: copies them from `in` to `device`, calls transform(), and copies them to `out`,
/// in slices in several streams, so that copies in both directions and kernels overlap. Returns when `out` is complete.
/// @param in     host, pinned, `count` elements; only read
/// @param out    host, pinned, `count` elements
/// @param device device, room for `count` elements
/// @param count  elements, 0 to 5,000,000; need not be a multiple of anything
void pipeline(const float* in, float* out, float* device, int count);

/// Part 3: starts transform() in `stream`, waits until it has ended, and returns how long it took on the device, in
/// milliseconds, measured by two events that are recorded for it. Work in other streams, and earlier work in this one,
/// does not count.
/// @param count elements, 1 to 2^22
float kernel_ms(float* device, int count, cudaStream_t stream);

/// Part 3: all work that is put into `waiting` from now on starts only when all work that is in `other` now has ended.
/// The host does not wait.
void wait_for(cudaStream_t waiting, cudaStream_t other);

/// Part 4: a new stream whose kernels start before those that wait in all other streams: it has the highest priority,
/// and it does not wait for the default stream.
cudaStream_t create_urgent_stream();

/// @}
