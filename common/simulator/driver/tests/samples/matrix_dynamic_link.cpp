// A matrix product by a program that is not linked to any CUDA library: it opens libcuda and asks for each call by name
// and version.
#include <cuda.h>
#include <cudaTypedefs.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "beside.h"

namespace {

PFN_cuGetProcAddress_v12000 get_proc_address = nullptr;

template <class Function>
Function call(const char* name, int version) {
  void* found = nullptr;
  CUdriverProcAddressQueryResult status{};
  if (get_proc_address(name, &found, version, CU_GET_PROC_ADDRESS_DEFAULT, &status) != CUDA_SUCCESS) {
    std::printf("%s of version %d was not found: %d\n", name, version, static_cast<int>(status));
    std::exit(1);
  }
  return reinterpret_cast<Function>(found);
}

void succeed(CUresult result, int line) {
  if (result == CUDA_SUCCESS) return;
  std::printf("line %d: error %d\n", line, static_cast<int>(result));
  std::exit(1);
}
#define CU(call) succeed(call, __LINE__)

}  // namespace

int main(int, char** arguments) {
  void* const library = dlopen("libcuda.so.1", RTLD_NOW);
  if (library == nullptr) {
    std::printf("%s\n", dlerror());
    return 1;
  }
  get_proc_address = reinterpret_cast<PFN_cuGetProcAddress_v12000>(dlsym(library, "cuGetProcAddress_v2"));
  const auto init = call<PFN_cuInit_v2000>("cuInit", 2000);
  const auto create = call<PFN_cuCtxCreate_v3020>("cuCtxCreate", 11030);  // The version before the next one.
  const auto load = call<PFN_cuModuleLoad_v2000>("cuModuleLoad", 12000);
  const auto get_function = call<PFN_cuModuleGetFunction_v2000>("cuModuleGetFunction", 12000);
  const auto allocate = call<PFN_cuMemAlloc_v3020>("cuMemAlloc", 3020);
  const auto to_device = call<PFN_cuMemcpyHtoD_v3020>("cuMemcpyHtoD", 6000);
  const auto to_host = call<PFN_cuMemcpyDtoH_v3020>("cuMemcpyDtoH", 12000);
  const auto launch = call<PFN_cuLaunchKernel_v4000>("cuLaunchKernel", 12000);
  const auto synchronize = call<PFN_cuCtxSynchronize_v2000>("cuCtxSynchronize", 12000);
  const auto destroy = call<PFN_cuCtxDestroy_v4000>("cuCtxDestroy", 12000);

  CU(init(0));
  CUcontext context = nullptr;
  CU(create(&context, 0, 0));
  CUmodule module = nullptr;
  CUfunction multiply = nullptr;
  CU(load(&module, beside(arguments[0], "kernels.ptx").c_str()));
  CU(get_function(&multiply, module, "multiply"));
  int size = 48;
  const std::size_t count = static_cast<std::size_t>(size) * size, bytes = count * sizeof(float);
  std::vector<float> a(count), b(count), c(count);
  for (std::size_t i = 0; i < count; ++i) {
    a[i] = static_cast<float>(i % 7);
    b[i] = static_cast<float>(i % 5) - 2;
  }
  CUdeviceptr device_a = 0, device_b = 0, device_c = 0;
  for (CUdeviceptr* const address : {&device_a, &device_b, &device_c}) CU(allocate(address, bytes));
  CU(to_device(device_a, a.data(), bytes));
  CU(to_device(device_b, b.data(), bytes));
  void* parameters[] = {&device_a, &device_b, &device_c, &size};
  CU(launch(multiply, 3, 3, 1, 16, 16, 1, 0, nullptr, parameters, nullptr));
  CU(synchronize());
  CU(to_host(c.data(), device_c, bytes));
  for (int row = 0; row < size; ++row) {
    for (int column = 0; column < size; ++column) {
      float sum = 0;
      for (int k = 0; k < size; ++k) sum += a[row * size + k] * b[k * size + column];
      if (c[row * size + column] != sum) {
        std::printf("(%d, %d) is %g, not %g\n", row, column, c[row * size + column], sum);
        return 1;
      }
    }
  }
  CU(destroy(context));
  std::printf("matrix_dynamic_link: passed\n");
  return 0;
}
