// Both APIs in one program: the runtime's contexts seen by the driver, the driver's modules in streams of the runtime,
// the runtime's libraries, driver calls through the runtime.
#include <cuda_runtime.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "sample.h"

namespace {

void succeed(cudaError_t error, const char* call, int line) {
  if (error == cudaSuccess) return;
  std::printf("line %d: %s answered %s\n", line, call, cudaGetErrorName(error));
  std::exit(1);
}
#define RT(call) succeed(call, #call, __LINE__)

__global__ void negate(float* data, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] = -data[i];
}

void check_context_of_runtime() {
  CUdevice device = -1;
  CU_FAILS(CUDA_ERROR_NOT_INITIALIZED, cuCtxGetDevice(&device));
  void* alloc = nullptr;  // Looking up a call initialises the driver, but makes no context.
  cudaDriverEntryPointQueryResult found;
  RT(cudaGetDriverEntryPointByVersion("cuMemAlloc", &alloc, 12000, cudaEnableDefault, &found));
  CU_FAILS(CUDA_ERROR_INVALID_CONTEXT, cuCtxGetDevice(&device));
  cudaFunction_t function = nullptr;
  RT(cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(negate)));
  CU(cuCtxGetDevice(&device));
  RT(cudaSetDevice(0));
  CU(cuCtxGetDevice(&device));
  REQUIRE(device == 0);
  CUcontext current = nullptr, primary = nullptr;
  CU(cuInit(0));
  CU(cuCtxGetCurrent(&current));
  CU(cuDevicePrimaryCtxRetain(&primary, 0));
  REQUIRE(current == primary);
  CU(cuDevicePrimaryCtxRelease(0));
}

void check_libraries(const std::string& image, float* data, int count) {
  cudaLibrary_t library = nullptr;
  RT(cudaLibraryLoadData(&library, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  cudaKernel_t scale = nullptr, none = nullptr;
  RT(cudaLibraryGetKernel(&scale, library, "scale"));
  REQUIRE(cudaLibraryGetKernel(&none, library, "no_such_kernel") == cudaErrorSymbolNotFound);
  unsigned kernels = 0;
  RT(cudaLibraryGetKernelCount(&kernels, library));
  std::vector<cudaKernel_t> all(kernels);
  RT(cudaLibraryEnumerateKernels(all.data(), kernels, library));
  bool found = false;
  for (const cudaKernel_t kernel : all) found = found || kernel == scale;
  REQUIRE(kernels == 7 && found);
  void* table = nullptr;
  std::size_t bytes = 0;
  RT(cudaLibraryGetGlobal(&table, &bytes, library, "table"));
  int values[4];
  RT(cudaMemcpy(values, table, bytes, cudaMemcpyDeviceToHost));
  REQUIRE(bytes == 16 && values[3] == 8);
  void* arguments[] = {&data, &count};
  RT(cudaLaunchKernel(reinterpret_cast<const void*>(scale), dim3(4), dim3(64), arguments, 0, nullptr));
  RT(cudaDeviceSynchronize());
  RT(cudaLibraryUnload(library));
}

}  // namespace

int main(int, char** arguments) {
  check_context_of_runtime();
  std::ifstream file(beside(arguments[0], "kernels.fatbin"), std::ios::binary);
  const std::string image(std::istreambuf_iterator<char>(file), {});

  constexpr int kCount = 200;
  std::vector<float> host(kCount);
  for (int i = 0; i < kCount; ++i) host[i] = static_cast<float>(i);
  float* data = nullptr;
  RT(cudaMalloc(&data, kCount * sizeof(float)));
  RT(cudaMemcpy(data, host.data(), kCount * sizeof(float), cudaMemcpyHostToDevice));
  cudaStream_t stream = nullptr;
  RT(cudaStreamCreate(&stream));
  CUmodule module = nullptr;
  CUfunction scale = nullptr;
  CU(cuModuleLoadFatBinary(&module, image.data()));
  CU(cuModuleGetFunction(&scale, module, "scale"));
  int count = kCount;
  void* parameters[] = {&data, &count};
  CU(cuLaunchKernel(scale, 4, 1, 1, 64, 1, 1, 0, stream, parameters, nullptr));
  negate<<<4, 64, 0, stream>>>(data, count);
  check_libraries(image, data, count);

  // A flag that the stream writes and waits for.
  void* write = nullptr;
  cudaDriverEntryPointQueryResult status{};
  RT(cudaGetDriverEntryPointByVersion("cuStreamWriteValue32", &write, 12000, cudaEnableDefault, &status));
  REQUIRE(status == cudaDriverEntryPointSuccess);
  CUdeviceptr flag = 0;
  CU(cuMemAlloc(&flag, 8));
  CU(reinterpret_cast<decltype(&cuStreamWriteValue32)>(write)(stream, flag, 17, 0));
  CU(cuStreamWaitValue32(stream, flag, 17, CU_STREAM_WAIT_VALUE_EQ));
  CU(cuStreamWriteValue64(stream, flag, 1ULL << 40, 0));
  CU(cuStreamWaitValue64(stream, flag, 1ULL << 39, CU_STREAM_WAIT_VALUE_GEQ));
  // The value it waits for may be written later, by another stream.
  CU(cuStreamWaitValue32(stream, flag, 99, CU_STREAM_WAIT_VALUE_EQ));
  CU_FAILS(CUDA_ERROR_NOT_READY, cuStreamQuery(stream));
  CUstream other = nullptr;
  CU(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
  CU(cuStreamWriteValue32(other, flag, 99, 0));
  CU(cuStreamDestroy(other));
  RT(cudaGetDriverEntryPoint("cuNoSuchCall", &write, cudaEnableDefault, &status));
  REQUIRE(status == cudaDriverEntryPointSymbolNotFound && write == nullptr);

  RT(cudaStreamSynchronize(stream));
  RT(cudaMemcpy(host.data(), data, kCount * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < kCount; ++i) REQUIRE(host[i] == -4.0f * static_cast<float>(i));

  CUdeviceptr rows = 0;
  std::size_t pitch = 0;
  CU(cuMemAllocPitch(&rows, &pitch, 12, 3, 4));
  CU(cuMemsetD8(rows, 0, pitch * 3));
  CU(cuMemsetD2D16(rows, pitch, 0x1234, 6, 3));
  unsigned short row[8];
  CU(cuMemcpyDtoH(row, rows + 2 * pitch, sizeof row));
  REQUIRE(row[0] == 0x1234 && row[5] == 0x1234 && row[6] == 0);
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemsetD2D32(rows, 4, 1, 2, 2));  // Rows that overlap.
  CUcontext of_stream = nullptr;
  CUdevice of_device = -1;
  CU(cuStreamGetCtx(stream, &of_stream));
  CU(cuStreamGetDevice(stream, &of_device));
  REQUIRE(of_stream != nullptr && of_device == 0);
  CUstreamAttrValue policy{};
  policy.syncPolicy = CU_SYNC_POLICY_YIELD;
  CU(cuStreamSetAttribute(stream, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &policy));
  policy.syncPolicy = CU_SYNC_POLICY_AUTO;
  CU(cuStreamGetAttribute(stream, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &policy));
  REQUIRE(policy.syncPolicy == CU_SYNC_POLICY_YIELD);

  CUmemoryPool pool = nullptr;
  CU(cuDeviceGetDefaultMemPool(&pool, 0));
  CUdeviceptr pooled = 0;
  CU(cuMemAllocFromPoolAsync(&pooled, 1024, pool, stream));
  CU(cuMemsetD32Async(pooled, 7, 256, stream));
  int word = 0;
  CU(cuMemcpyDtoHAsync(&word, pooled + 1020, 4, stream));
  CU(cuMemFreeAsync(pooled, stream));
  CU(cuStreamSynchronize(stream));
  REQUIRE(word == 7);
  return passed("driver_and_runtime");
}
