// The contract of lab debugger: four programs that are wrong, and what a debugger shows about them.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup debugger Lab debugger
/// Four programs, each of which is wrong in one statement, and questions that a session with the debugger answers.
/// Letters in comments name statements: A is 1, B is 2, ..., Q is 17.
///
/// Common to all: pointers are device pointers, arrays do not overlap, `count` is 1 to 2^16, and 2^20 where time
/// counts. The functions start work on the default stream and need not wait for it. A fix leaves the rest of a program
/// as it is: the same kernels in the same grids.
/// @{

/// Program 1: stores in out[i] the sum of in[i - 1], in[i] and in[i + 1], as far as they exist.
void smooth(const int* in, int* out, int count);

/// An order, for program 2.
struct Order {
  int amount, cents, kind;  ///< How many, what one costs, and the kind of customer.
};

/// Program 2: what each order costs: amount * cents, less a rebate of 10 % for customers of kind 2, and another 5 % if
/// the total is 1000 cents or more. The rebate is rounded down.
/// @param orders 3 * count numbers: an Order for each element of `out`, with amount * cents up to 2^20
void prices(const int* orders, int* out, int count);

/// Program 3: stores in out[i] how much larger in[from[i]] is than the element before it; or in[0], where from[i] is 0.
/// @param from `count` positions in `in`, which has `count` elements, too
void steps(const int* in, const int* from, int* out, int count);

/// Program 4: stores in out[b] the sum of elements 128 b to 128 b + 127 of `in`, of which the last group may have
/// fewer.
void sums(const int* in, int* out, int count);

/// What the debugger shows about the programs as they are in the skeleton, run by the skeleton's main(). The questions
/// are in the handout.
/// @param question 0 to 15
int found(int question);

/// @}
