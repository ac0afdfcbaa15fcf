// The CUDA runtime's own declarations, with default visibility: what this library defines and exports.
#pragma once

#pragma GCC visibility push(default)
#include <cuda_runtime_api.h>
// Declared in crt/host_runtime.h, which only nvcc's host code may include.
extern "C" {
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaUnregisterFatBinary(void** handle);
void __cudaRegisterFunction(void** handle, const char* host, char* device, const char* name, int thread_limit,
                            uint3* thread, uint3* block, dim3* block_size, dim3* grid_size, int* warp_size);
void __cudaRegisterVar(void** handle, char* host, char* address, const char* name, int external, size_t bytes,
                       int constant, int global);
void __cudaRegisterManagedVar(void** handle, void** host, char* address, const char* name, int external, size_t bytes,
                              int constant, int global);
void __cudaRegisterHostVar(void** handle, const char* name, char* host, size_t bytes);
char __cudaInitModule(void** handle);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, void* stream);
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream);
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                               cudaStream_t stream);
cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                                    cudaStream_t stream);
cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();
}
#pragma GCC visibility pop
