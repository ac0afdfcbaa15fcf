// The contract of exercise diagnostics: which messages nvcc gives, and how a program chooses.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup diagnostics Exercise diagnostics
/// Which messages nvcc gives, and how a program chooses. Each has a number, "warning #177-D: variable "x" was declared
/// but never referenced". From `#pragma nv_diag_suppress 177` on it is not given, from `nv_diag_warning` on as a
/// warning, from `nv_diag_error` on as an error, from `nv_diag_default` on as if there were no pragma.
/// `nv_diagnostic push` keeps what holds, `nv_diagnostic pop` brings back what was kept last. All this is for nvcc's
/// own messages, not for those of the host's compiler, and only for those with a D behind their number: other errors
/// stay errors. nvcc passes over a pragma that it does not know, and says nothing.
/// @{

/// What may stand in a line: nothing, one of these pragmas for 177, or the suppression as CUDA 11 spelled it.
enum Pragma { kNothing, kSuppress, kWarning, kError, kDefault, kPush, kPop, kSuppressOfOld };

/// Which of them takes place n of this program, 1 to 5?
///   (1)
///   __device__ void quiet() { int x; }
///   (2)
///   (3)
///   __device__ void refused() { int x; }
///   (4)
///   __device__ void like_the_first() { int x; }
///   (5)
///   __device__ void reported() { int x; }
/// nvcc is to say nothing of quiet(), refuse refused(), and warn of reported(). Of like_the_first() it is to say what
/// it says of quiet(): nothing, and a warning, when somebody has changed (1) to kWarning. All that do so are right.
int place(int n);

/// Predicts what nvcc says of each line of kProgram: 0 nothing, 1 it warns, 2 it refuses the line. (20 is an unknown
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
