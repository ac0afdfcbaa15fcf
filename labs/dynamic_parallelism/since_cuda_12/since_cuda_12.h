// The contract of exercise since_cuda_12: a kernel as older texts wrote it, and what kernels may call today.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup since_cuda_12 Exercise since_cuda_12
/// A kernel as older texts wrote it, and what kernels may call today. Before CUDA 12 a kernel could wait for its
/// children: `if (t == 0) { add_one<<<1, count>>>(data); cudaDeviceSynchronize(); } __syncthreads(); data[t] *= 2;`
/// Today nothing in a kernel can wait for a child. What needs its result is launched into `cudaStreamTailLaunch`: it
/// starts when the parent and all its other children are complete. Whoever waits for the parent waits for it, too.
/// @{
/// That kernel, as it is written today. The host launches one grid, each thread of which stores data[t] = in[t] *
/// in[t]; a child then adds 1 to each element; after it, another grid that the parent launches doubles them.
/// @param in, data device, `count` elements, 1 to 1024; `in` is -1000 to 1000, and only read
void port(const int* in, int* data, int count);
/// Predicts what `nvcc -arch=sm_90 -rdc=true -c x.cu`, with kProgram in x.cu, says about each line: 0 nothing, 1 a
/// warning, 2 an error. Predict, then look; then again without the lines that are errors: some warnings come only then.
int says(int line);
inline constexpr const char* kProgram = R"(__global__ void child(int* p) { *p = 1; }
__global__ void f2() { cudaDeviceSynchronize(); }
__global__ void f3(cudaStream_t s) { cudaStreamSynchronize(s); }
__global__ void f4(cudaStream_t* s) { cudaStreamCreate(s); }
__global__ void f5(cudaStream_t* s) { cudaStreamCreateWithFlags(s, cudaStreamNonBlocking); }
__global__ void f6(cudaEvent_t e) { cudaEventSynchronize(e); }
__global__ void f7(cudaStream_t s, cudaEvent_t e) { cudaStreamWaitEvent(s, e, 0); }
__global__ void f8() { cudaSetDevice(0); }
__global__ void f9(int* n) { cudaDeviceGetAttribute(n, cudaDevAttrWarpSize, 0); }
__global__ void f10(int** p) { cudaMalloc(p, 4); }
__global__ void f11(int* p, int* q) { cudaMemcpy(p, q, 4, cudaMemcpyDeviceToDevice); }
__global__ void f12(int* p, int* q) { cudaMemcpyAsync(p, q, 4, cudaMemcpyDeviceToDevice); }
__global__ void f13() { int of_thread = 0; child<<<1, 1>>>(&of_thread); }
__global__ void f14() { __shared__ int of_block; child<<<1, 1>>>(&of_block); }
)";
/// @}
