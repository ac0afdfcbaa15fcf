// A program that uses the driver API; nvcc links it, and puts its runtime into it, which the program does not use.
#include <cuda.h>

#include <cstdio>
#include <cstring>

namespace {

const char* const kPtx = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry answer(.param .u64 out)
{
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  st.global.u32 [%rd1], 42;
  ret;
}
)";

}  // namespace

int main(int count, char** arguments) {
  // Asked for it, the program calls the runtime that it has inside.
  if (count > 1 && std::strcmp(arguments[1], "runtime") == 0) return cudaFree(nullptr) == cudaSuccess ? 0 : 3;
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUfunction answer = nullptr;
  CUdeviceptr out = 0;
  int value = 0;
  void* parameters[] = {&out};
  const bool good = cuInit(0) == CUDA_SUCCESS && cuCtxCreate(&context, nullptr, 0, 0) == CUDA_SUCCESS &&
                    cuModuleLoadData(&module, kPtx) == CUDA_SUCCESS &&
                    cuModuleGetFunction(&answer, module, "answer") == CUDA_SUCCESS &&
                    cuMemAlloc(&out, 4) == CUDA_SUCCESS &&
                    cuLaunchKernel(answer, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr) == CUDA_SUCCESS &&
                    cuMemcpyDtoH(&value, out, 4) == CUDA_SUCCESS;
  std::printf("the answer is %d\n", value);
  return good ? 0 : 1;
}
