// Libraries: kernels that belong to no context, and variables of all kinds.
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "sample.h"

int main(int, char** arguments) {
  std::ifstream file(beside(arguments[0], "kernels.fatbin"), std::ios::binary);
  std::stringstream image;
  image << file.rdbuf();
  CU(cuInit(0));
  CUlibrary library = nullptr;
  CU(cuLibraryLoadData(&library, image.str().data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  CUcontext context = nullptr;
  CU(cuDevicePrimaryCtxRetain(&context, 0));
  CU(cuCtxSetCurrent(context));

  unsigned count = 0;
  CU(cuLibraryGetKernelCount(&count, library));
  std::vector<CUkernel> kernels(count);
  CU(cuLibraryEnumerateKernels(kernels.data(), count, library));
  std::string names;
  for (const CUkernel kernel : kernels) {
    const char* name = nullptr;
    CU(cuKernelGetName(&name, kernel));
    names += std::string(name) + " ";
  }
  REQUIRE(count == 7 && names.find("use_table ") != std::string::npos);

  CUkernel use_table = nullptr, multiply = nullptr, none = nullptr;
  CU(cuLibraryGetKernel(&use_table, library, "use_table"));
  CU(cuLibraryGetKernel(&multiply, library, "multiply"));
  CU_FAILS(CUDA_ERROR_NOT_FOUND, cuLibraryGetKernel(&none, library, "no_such_kernel"));
  CUlibrary owner = nullptr;
  CUmodule module = nullptr, of_function = nullptr;
  CUfunction function = nullptr;
  CU(cuKernelGetLibrary(&owner, use_table));
  CU(cuLibraryGetModule(&module, library));
  CU(cuKernelGetFunction(&function, use_table));
  CU(cuFuncGetModule(&of_function, function));
  REQUIRE(owner == library && of_function == module);
  int threads = 0, shared = 0;
  std::size_t offset = 0, bytes = 0;
  CU(cuKernelGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, multiply, 0));
  CU(cuKernelGetAttribute(&shared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, multiply, 0));
  CU(cuKernelGetParamInfo(multiply, 3, &offset, &bytes));
  REQUIRE(threads == 256 && shared == 2048 && offset == 24 && bytes == 4);
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuKernelGetParamInfo(multiply, 4, &offset, &bytes));
  CU(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100000, multiply, 0));
  CU(cuKernelGetAttribute(&shared, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, multiply, 0));
  REQUIRE(shared == 100000);
  CU(cuKernelSetCacheConfig(multiply, CU_FUNC_CACHE_PREFER_SHARED, 0));

  CUdeviceptr table = 0, sum = 0;
  CU(cuLibraryGetGlobal(&table, &bytes, library, "table"));
  REQUIRE(bytes == 16);
  const int values[] = {3, 5, 7, 9};
  CU(cuMemcpyHtoD(table, values, sizeof values));
  CU_FAILS(CUDA_ERROR_NOT_FOUND, cuLibraryGetGlobal(&sum, &bytes, library, "no_such_variable"));
  CU_FAILS(CUDA_ERROR_NOT_FOUND, cuLibraryGetManaged(&sum, &bytes, library, "table"));
  CU(cuLibraryGetManaged(&sum, &bytes, library, "sum"));
  REQUIRE(bytes == 4 && *reinterpret_cast<int*>(sum) == 100);
  void* unified = nullptr;
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuLibraryGetUnifiedFunction(&unified, library, "use_table"));

  CUdeviceptr out = 0;
  CU(cuMemAlloc(&out, 16));
  void* parameters[] = {&out};
  // A CUkernel can be launched directly, and as the function of the context.
  for (const CUfunction launched : {reinterpret_cast<CUfunction>(use_table), function})
    CU(cuLaunchKernel(launched, 1, 1, 1, 4, 1, 1, 0, nullptr, parameters, nullptr));
  int got[4];
  CU(cuMemcpyDtoH(got, out, sizeof got));
  for (int i = 0; i < 4; ++i) REQUIRE(got[i] == values[i] * 10);
  CU(cuCtxSynchronize());
  REQUIRE(*reinterpret_cast<int*>(sum) == 122);

  CU(cuLibraryUnload(library));
  CU_FAILS(CUDA_ERROR_INVALID_HANDLE, cuLaunchKernel(function, 1, 1, 1, 4, 1, 1, 0, nullptr, parameters, nullptr));
  CU(cuDevicePrimaryCtxRelease(0));
  return passed("library_globals");
}
