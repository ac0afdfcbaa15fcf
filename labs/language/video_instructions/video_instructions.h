// The contract of exercise video_instructions: four bytes in one register.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup video_instructions Exercise video_instructions
/// Four bytes in one register, on which one PTX instruction works at once:
/// `asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c))` makes d = c + the sum of the
/// four |byte of a - byte of b|, each byte 0 to 255. Without `.add`, each result is a byte of d.
/// @{

/// Thread t adds the absolute differences of all bytes of a[t + k * count] and b[t + k * count], k from 0 to each - 1,
/// to out[t]. A warp executes at most 10 instructions for each k, which is a word of `a` and one of `b`, and 50 more.
/// @param a, b  device, count x each words; only read
/// @param out   device, `count` elements, which already hold values
/// @param count, each 1 to 4096, and 0 to 100
void compare(const int* a, const int* b, int* out, int count, int each);

/// Predicts what d becomes:
///   kind 0: vabsdiff4.u32.u32.u32.add   kind 1: vadd4.u32.u32.u32: a byte keeps the low 8 bits of its sum
///   kind 2: vmax4.u32.u32.u32           kind 3: vset4.u32.u32.lt.add: how many bytes of a are less than those of b,
///   plus c. Kinds 1 and 2, without `.add`, are given 0 in place of c: it does not matter to them.
int predict(int kind, int a, int b, int c);

/// @}
