// The contract of exercise diagnostics: which messages nvcc gives, and how a program chooses.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup diagnostics Exercise diagnostics
/// Which messages nvcc gives, and how a program chooses. Each has a number, "warning #177-D: variable "x" was declared
/// but never referenced". After `#pragma nv_diag_suppress 177` it is not given, after `nv_diag_warning` it is a
/// warning, after `nv_diag_error` an error, after `nv_diag_default` what it is without pragmas. `nv_diagnostic push`
/// saves what is in force, `nv_diagnostic pop` restores what was saved last. All this is for nvcc's own messages, not
/// for those of the host's compiler, and only for those with a D after their number: other errors stay errors. nvcc
/// ignores a pragma that it does not know, without a message.
/// @{

/// What may stand in a line: nothing, one of these pragmas for 177, or the suppression as CUDA 11 spelled it.
enum Pragma { kNothing, kSuppress, kWarning, kError, kDefault, kPush, kPop, kSuppressOfOld };

/// Which of them stands in place n, 1 to 5, of this program?
///   (1)
///   __device__ void quiet() { int x; }
///   (2)
///   (3)
///   __device__ void refused() { int x; }
///   (4)
///   __device__ void like_the_first() { int x; }
///   (5)
///   __device__ void reported() { int x; }
/// nvcc is to say nothing about quiet(), refuse refused(), and warn about reported(). About like_the_first() it is to
/// say what it says about quiet(): nothing, or a warning if (1) is changed to kWarning. All that do so are right.
int place(int n);

/// Predicts what nvcc says about each line of kProgram: 0 nothing, 1 a warning, 2 an error. (20 is an unknown
/// identifier, 940 a missing return.) Predict, then look: `nvcc -arch=sm_90 -ptx x.cu`, with kProgram in x.cu.
int says(int line);
inline constexpr const char* kProgram = R"(__device__ void f1() { int x; }
#pragma diag_suppress 177
__device__ void f3() { int x; }
#pragma nv_diag_suppress 177
__device__ void f5() { int x; }
template <class T> __device__ void f6() { int x; }
#pragma nv_diag_error 177
__device__ void f8() { int x; }
#pragma nv_diag_suppress 20
__device__ int f10() { return undeclared; }
#pragma nv_diag_suppress 177, 940
__device__ int f12() { int x; }
#pragma nv_diag_default 177
__device__ int f14() { int x; }
)";

/// @}
