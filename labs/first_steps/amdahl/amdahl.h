// The contract of exercise amdahl: what a serial part leaves of a speed-up.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup amdahl Exercise amdahl
/// What a serial part leaves of a speed-up. A program needs time 1 on one worker. The share `serial` of it cannot be
/// divided; the rest is divided among n workers: on these, it needs serial + (1 - serial) / n. Its speed-up is 1
/// divided by that, and less than 1 / serial, whatever n is.
/// @{

/// Measures the serial share: launches serial_kernel<<<1, 1>>> of the skeleton, then parallel_kernel<<<1, 1>>>, one
/// worker each, and takes both times. `EventTimer timer; timer.start(); ...; timer.stop()` gives microseconds.
/// @param data device, `count` elements, 100 to 2000
/// @returns the time of the serial kernel divided by that of both, 0 to 1
double serial_share(int* data, int count);

/// Predicts the speed-up on `workers` workers, 1 to 1,000,000.
/// @param serial 0 to 1
double speedup(double serial, int workers);

/// Predicts how many workers a speed-up of `wanted` needs at least, and 0 if no number is enough. A speed-up of 1 needs
/// one worker, whatever can be divided.
/// @param serial  hundredths, 1 to 100
/// @param wanted  1 to 200
int workers_needed(int serial, int wanted);

/// @}
