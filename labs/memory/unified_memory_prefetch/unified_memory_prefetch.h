// What to write in lab unified_memory_prefetch. All pointers named x, y or table are managed memory
// (cudaMallocManaged): host and device use them at the same address, and pages of 4 KiB move to the side that needs
// them. Each of the functions of parts 2 to 5 does nothing if count is 0; `count` is at most 2^22 (16 MiB of floats).
#pragma once

#include "common/cuda/lab.h"

/// Part 1. How many page faults the host has when it writes `mebibytes` MiB of new managed memory from its first byte
/// to its last. `mebibytes` is even, 2 to 1000.
int predict_cpu_page_faults(int mebibytes);

/// Part 1. How many KiB move to the device when a kernel reads one float every `stride` KiB of 8 MiB, all of which the
/// host has written. `stride` is a power of two from 4 to 2048.
int predict_kib_moved(int stride);

/// Part 2. Writes x[i] = i % 1024 for every i < count, in a kernel, into memory that nobody has touched: without a
/// prefetch or advice, and with few page faults.
void fill(float* x, int count);

/// Part 3. y[i] += x[i] for every i < count, in a kernel. The host has written x and y. When the device is done, the
/// host reads y, and it does not touch x again. The function need not wait for the device. Nothing may fault: not the
/// kernel, and not the host when it reads y.
void add(const float* x, float* y, int count);

/// Part 4. out[i] = table[index[i]] for every i < count, in a kernel. The host has written all `table_count` floats of
/// table and will go on to use them; some of them are looked up, and each of these at most once. `index` and `out` are
/// device memory. `table_count` is 1 to 2^22. No page may move.
void gather(const float* table, int table_count, const int* index, float* out, int count);

/// Part 5. Sets x[i] = i % 1024 and y[i] = 1, and then adds: y[i] += x[i], for every i < count. Nobody has touched x or
/// y. The host reads y next. As fast as you can, with all that you have learned.
void fill_and_add(float* x, float* y, int count);
