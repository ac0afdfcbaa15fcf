// The contract of exercise read_a_timeline: what waits for what, and what need not wait.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup read_a_timeline Exercise read_a_timeline
/// What waits for what, and what need not wait. The skeleton's process() has five steps; C needs what A and B wrote,
/// E what C and D wrote. This is its timeline, as `warpbook run --trace` exports it; L is a launch:
/// @verbatim
/// microseconds  0         100        200        300        400        500        600
/// host          L[sync A ]LLL[synchronise the device                           ]L[sync]
/// stream 0                                 [D 277 to 538               ]
/// stream 1      [A 6, 112]                                              [C 538]  [E 598]
/// stream 2                [B 118 to 275   ]
/// @endverbatim
/// C ends at 591. Stream 0 is the default stream; the two others were made by cudaStreamCreate().
/// @{

/// Why does a step, 'B' to 'E', begin when it does, and not as soon as its inputs are there? Of several reasons, the
/// one that held it up last. A launch itself takes 6 or 7 microseconds, as A's does.
/// @returns 0: it does begin at once, but for its launch; 1: the host launches it later; 2: the device has no room; 3:
/// the default stream begins when all that was launched before has ended, and others wait for it
int reason(char step);

/// The skeleton's function, for you to make so fast that nothing waits without need. Returns when `out` is complete.
/// @param in   device, 256 elements; only read
/// @param work device, 1024 elements: what A, B, C and D write
/// @param out  device, 256 elements
/// @param unit iterations of a step's loop, 0 to 20,000; A does 2 units, B 3, C 1, D 5, E 1
void process(const unsigned* in, unsigned* work, unsigned* out, int unit);
/// @}
