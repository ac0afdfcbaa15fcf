// The contract of exercise amdahl: how a serial part limits the speed-up.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup amdahl Exercise amdahl
/// How a serial part limits the speed-up. A program takes time 1 on one worker. The share `serial` of it cannot be
/// divided; the rest is divided among n workers: with these it takes serial + (1 - serial) / n. Its speed-up is 1
/// divided by that, and less than 1 / serial, whatever n is.
/// @{

/// Measures the serial share: launches the skeleton's serial_kernel<<<1, 1>>>, then parallel_kernel<<<1, 1>>>, one
/// worker each, and times both. `warpbook::EventTimer timer; timer.start(); ...; timer.stop()` returns microseconds.
/// @param data device, `count` elements, 100 to 2000
/// @returns the time of the serial kernel divided by that of both, 0 to 1
double serial_share(int* data, int count);

/// Predicts the speed-up on `workers` workers, 1 to 1,000,000.
/// @param serial 0 to 1
double speedup(double serial, int workers);

/// Predicts how many workers a speed-up of `wanted` needs at least; 0 if no number is enough. A speed-up of 1 needs one
/// worker, even if nothing can be divided.
/// @param serial  the serial share in hundredths, 1 to 100
/// @param wanted  1 to 200
int workers_needed(int serial, int wanted);

/// @}
