// The contract of exercise compare_kernels: which of two kernels is faster, why, and which statement it is.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup compare_kernels Exercise compare_kernels
/// Two kernels of the skeleton sum each group of 256 elements in shared memory. Their counters for 2^20 elements, by
/// the names that ncu and `warpbook run --profile` give them; ld and st are loads and stores:
/// @verbatim
///                                                            first    second
/// gpu__time_duration.sum                          [us]         8.60      7.14
/// l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum   253952         0
/// l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum   143360         0
/// l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum       356352    102400
/// l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum       225280     81920
/// l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum             131072    131072
/// smsp__inst_executed.sum                                   1675264   1298432
/// smsp__inst_executed_op_shared_ld.sum                        86016    102400
/// smsp__inst_executed_op_shared_st.sum                        81920     81920
/// smsp__thread_inst_executed_per_inst_executed.ratio          29.73     29.88
/// @endverbatim
/// @{

/// Given: kernel 1 or 2 stores the sums in out[0] to out[count / 256 - 1].
void sum_blocks(int kernel, const int* in, int* out, int count);

/// Answers the questions, to within 2 %, or 10 % where times count:
///   0: Which kernel is faster, 1 or 2?        1: How many times as fast as the other one is it?
///   2, 3: How many wavefronts has a warp's access (load or store) to shared memory, in the first kernel; the second?
///   4: What percentage of the first kernel's wavefronts, of loads and stores, are bank conflicts?
///   5: How many GB (10^9 bytes) does the second kernel load per second? A sector has 32 bytes.
///   6: What makes one slower? 1: sectors of global loads, 2: idle lanes, 3: bank conflicts, 4: fewer loads than stores
///   7: In which of its statements A, B, C (1, 2, 3) is that?
double answer(int question);
/// @}
