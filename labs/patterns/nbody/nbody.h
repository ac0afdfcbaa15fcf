// The contract of lab nbody: what the functions in nbody.cu must do.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup nbody Lab nbody
/// Gravity between all pairs of bodies: tiles in shared memory, several bodies a thread, and steps that keep the
/// energy.
///
/// A body is four floats: x, y, z, and its mass. Body i is pulled by every body j: with d = position j - position i,
/// its acceleration is the sum of mass[j] * d / (|d|^2 + kSoftening)^(3/2) over all j. The softening keeps bodies that
/// meet from being thrown out, and makes the pull of a body on itself 0, so that nobody has to leave it out. Pointers
/// are device pointers as cudaMalloc returns them (aligned to 256 bytes); arrays do not overlap. All arithmetic is in
/// single precision. The functions start kernels on the default stream and need not wait for them.
/// @{

/// Added to the square of each distance.
constexpr float kSoftening = 0.01f;

/// Operations that are counted for a pair, by convention: 3 differences, 6 for the square of the distance, 1 square
/// root, 1 division, 3 for the third power and the mass, 6 to add the pull.
constexpr int kOperations = 20;

/// Part 1: how many operations a second is that, in 10^9?
/// @param bodies       1 to 2^20; all pairs are computed, those of a body with itself, too
/// @param microseconds how long all pairs take
double predict_gflops(int bodies, double microseconds);

/// Part 1: each of n threads computes one body. A block of `block` threads brings every body into shared memory once.
/// How many bytes do all blocks together load from global memory? Leave out the thread's own body and what is stored.
/// With `block` = 1, this is what the threads load if there is no shared memory at all.
/// @param n     1 to 2^20
/// @param block a divisor of n
long long predict_bytes(int n, int block);

/// Part 1: a thread computes `bodies` bodies, which it keeps in registers. For each body that it reads from shared
/// memory, it executes one load, and 13 other instructions for each of its own. How many instructions is that for a
/// pair?
/// @param bodies 1 to 32
double predict_instructions(int bodies);

/// Part 2: accelerations, by tiles in shared memory.
/// @param bodies        device, 4 n floats; only read
/// @param accelerations device, 4 n floats: x, y, z and 0 for each body; written
/// @param n             0 to 4096
void accelerate_tiled(const float* bodies, float* accelerations, int n);

/// Part 3: the same, with several bodies a thread, and with several threads for each body, so that few bodies keep the
/// whole GPU busy.
/// @param bodies        as above
/// @param accelerations as above
/// @param n             as above
void accelerate(const float* bodies, float* accelerations, int n);

/// Part 4: moves all bodies by some time steps, in a way that hardly changes their energy (leapfrog). In each step,
/// velocities change by half a step of the accelerations, positions by a step of these velocities, and velocities by
/// half a step of the accelerations at the new positions.
/// @param bodies        device, 4 n floats; positions change, masses do not
/// @param velocities    device, 4 n floats: x, y, z of each body, and a fourth that stays as it is
/// @param accelerations device, 4 n floats to work with; they may hold anything, before and after
/// @param n             0 to 1024
/// @param steps         0 to 64; n * n * (steps + 1) is at most 2^22
/// @param dt            length of a step; negative: back in time
void simulate(float* bodies, float* velocities, float* accelerations, int n, int steps, float dt);

/// @}
