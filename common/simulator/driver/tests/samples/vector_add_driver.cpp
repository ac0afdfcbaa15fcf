// The vector sum with the driver API alone: this program is linked to libcuda and to no other CUDA library.
#include <unistd.h>

#include <cstring>
#include <vector>

#include "sample.h"

namespace {

void check_context(CUcontext context) {
  CUcontext current = nullptr;
  CUdevice device = -1;
  unsigned flags = 99, version = 0;
  unsigned long long id = 0;
  CU(cuCtxGetCurrent(&current));
  CU(cuCtxGetDevice(&device));
  CU(cuCtxGetFlags(&flags));
  CU(cuCtxGetId(context, &id));
  CU(cuCtxGetApiVersion(context, &version));
  REQUIRE(current == context && device == 0 && flags == 0 && id != 0 && version != 0);
  CUexecAffinityParam affinity{};
  CUctxCreateParams parameters{};
  parameters.execAffinityParams = &affinity;
  parameters.numExecAffinityParams = 1;
  CU_FAILS(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY, cuCtxCreate(&current, &parameters, 0, 0));
}

void check_entry_points() {
  CUdriverProcAddressQueryResult status{};
  void *old_device = nullptr, *new_device = nullptr, *none = nullptr;
  CU(cuGetProcAddress("cuCtxGetDevice", &old_device, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &status));
  REQUIRE(status == CU_GET_PROC_ADDRESS_SUCCESS);
  CU(cuGetProcAddress("cuCtxGetDevice", &new_device, 13000, CU_GET_PROC_ADDRESS_DEFAULT, &status));
  REQUIRE(old_device != nullptr && new_device != nullptr && old_device != new_device);
  CUdevice device = -1;
  CU(reinterpret_cast<CUresult (*)(CUdevice*)>(old_device)(&device));
  REQUIRE(device == 0);
  // It does not exist in CUDA 4 or in any version before it.
  CU(cuGetProcAddress("cuLibraryLoadData", &none, 4000, CU_GET_PROC_ADDRESS_DEFAULT, &status));
  REQUIRE(status == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT && none == nullptr);
  CU(cuGetProcAddress("cuNoSuchCall", &none, 13000, CU_GET_PROC_ADDRESS_DEFAULT, &status));
  REQUIRE(status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND && none == nullptr);
}

void check_attributes(CUdevice device) {
  for (int attribute = 1; attribute < CU_DEVICE_ATTRIBUTE_MAX; ++attribute) {
    int value = 0;
    const CUresult answer = cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(attribute), device);
    if (answer != CUDA_SUCCESS) std::printf("attribute %d is not there\n", attribute);
    REQUIRE(answer == CUDA_SUCCESS);
  }
}

}  // namespace

int main(int, char** arguments) {
  const CUcontext context = make_context();
  check_context(context);
  check_entry_points();
  check_attributes(0);

  CUmodule module = nullptr;
  CUfunction add = nullptr, hello = nullptr;
  CU(cuModuleLoad(&module, beside(arguments[0], "kernels.ptx").c_str()));
  CU(cuModuleGetFunction(&add, module, "vector_add"));
  CU(cuModuleGetFunction(&hello, module, "hello"));
  unsigned count = 0;
  CU(cuModuleGetFunctionCount(&count, module));
  std::vector<CUfunction> functions(count);
  CU(cuModuleEnumerateFunctions(functions.data(), count, module));
  bool found = false;
  for (const CUfunction function : functions) found = found || function == add;
  REQUIRE(count == 7 && found);

  constexpr int kCount = 50000;
  constexpr std::size_t kBytes = kCount * sizeof(float);
  std::vector<float> a(kCount), b(kCount), c(kCount);
  for (int i = 0; i < kCount; ++i) {
    a[i] = static_cast<float>(i) / 3;
    b[i] = static_cast<float>(kCount - i) * 2;
  }
  CUdeviceptr device_a = 0, device_b = 0, device_c = 0;
  CU(cuMemAlloc(&device_a, kBytes));
  CU(cuMemAlloc(&device_b, kBytes));
  CU(cuMemAlloc(&device_c, kBytes));
  CU(cuMemcpyHtoD(device_a, a.data(), kBytes));
  CU(cuMemcpyHtoD(device_b, b.data(), kBytes));
  int n = kCount;
  void* parameters[] = {&device_a, &device_b, &device_c, &n};
  CUlaunchConfig config{};
  config.gridDimX = (kCount + 255) / 256;
  config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
  config.blockDimX = 256;
  CU(cuLaunchKernelEx(&config, add, parameters, nullptr));
  CU(cuMemcpyDtoH(c.data(), device_c, kBytes));
  for (int i = 0; i < kCount; ++i) REQUIRE(c[i] == a[i] + b[i]);

    // The same, launched as programs of CUDA 3 do.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  CU(cuMemsetD32(device_c, 0, kCount));
  CU(cuFuncSetBlockShape(add, 128, 1, 1));
  CU(cuParamSetSize(add, 28));
  CU(cuParamSetv(add, 0, &device_a, 8));
  CU(cuParamSetv(add, 8, &device_b, 8));
  CU(cuParamSetv(add, 16, &device_c, 8));
  CU(cuParamSeti(add, 24, kCount));
  CU(cuLaunchGrid(add, (kCount + 127) / 128, 1));
#pragma GCC diagnostic pop
  CU(cuMemcpyDtoH(c.data(), device_c, kBytes));
  for (int i = 0; i < kCount; ++i) REQUIRE(c[i] == a[i] + b[i]);
  CUmoduleLoadingMode loading{};
  CU(cuModuleGetLoadingMode(&loading));
  REQUIRE(loading == CU_MODULE_LAZY_LOADING);

  // Device printf and managed memory in system calls, although libcudart is not loaded before the C library.
  CU(cuLaunchKernel(hello, 1, 1, 1, 2, 1, 1, 0, nullptr, nullptr, nullptr));
  CU(cuCtxSynchronize());
  CUdeviceptr managed = 0;
  CU(cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_GLOBAL));
  CU(cuMemsetD8(managed, 'm', 4096));
  CU(cuCtxSynchronize());
  std::fflush(stdout);
  REQUIRE(::write(STDOUT_FILENO, reinterpret_cast<const void*>(managed), 4) == 4);
  std::printf("\n");
  CU(cuMemFree(managed));
  CU(cuCtxDestroy(context));
  CUcontext none = context;
  CU(cuCtxGetCurrent(&none));
  REQUIRE(none == nullptr);
  return passed("vector_add_driver");
}
