// Code that is compiled at run time: to PTX and to a cubin, with headers, name expressions and a log of errors.
#include <nvrtc.h>

#include <cstring>
#include <string>
#include <vector>

#include "sample.h"

namespace {

constexpr char kSource[] = R"(
#include "scaled.h"
template <class T>
__global__ void add(const T* a, const T* b, T* c, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) c[i] = a[i] + scaled(b[i]);
}
__constant__ int factor = 3;
)";
constexpr char kHeader[] = R"(
extern __constant__ int factor;
template <class T>
__device__ T scaled(T x) { return x * factor; }
)";

#define RTC(call) require((call) == NVRTC_SUCCESS, #call, __LINE__)

struct Compiled {
  std::string code, lowered;
};

Compiled compile(const char* architecture, bool cubin) {
  nvrtcProgram program = nullptr;
  const char *headers[] = {kHeader}, *names[] = {"scaled.h"}, *options[] = {architecture, "--std=c++17"};
  RTC(nvrtcCreateProgram(&program, kSource, "add.cu", 1, headers, names));
  RTC(nvrtcAddNameExpression(program, "add<double>"));
  RTC(nvrtcCompileProgram(program, 2, options));
  Compiled made;
  const char* lowered = nullptr;
  RTC(nvrtcGetLoweredName(program, "add<double>", &lowered));
  made.lowered = lowered;
  std::size_t bytes = 0;
  RTC(cubin ? nvrtcGetCUBINSize(program, &bytes) : nvrtcGetPTXSize(program, &bytes));
  made.code.resize(bytes);
  RTC(cubin ? nvrtcGetCUBIN(program, made.code.data()) : nvrtcGetPTX(program, made.code.data()));
  RTC(nvrtcDestroyProgram(&program));
  REQUIRE(program == nullptr);
  return made;
}

void check_sum(CUmodule module, const std::string& name, bool from_cubin) {
  CUfunction add = nullptr;
  CU(cuModuleGetFunction(&add, module, name.c_str()));
  int registers = 0;
  CU(cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, add));
  REQUIRE(registers > 0 && (!from_cubin || registers % 2 == 0));  // ptxas allocates them in pairs.
  constexpr int kCount = 1000;
  std::vector<double> a(kCount), b(kCount), c(kCount);
  for (int i = 0; i < kCount; ++i) {
    a[i] = i;
    b[i] = 0.5 * i;
  }
  CUdeviceptr device[3];
  for (CUdeviceptr& address : device) CU(cuMemAlloc(&address, kCount * sizeof(double)));
  CU(cuMemcpyHtoD(device[0], a.data(), kCount * sizeof(double)));
  CU(cuMemcpyHtoD(device[1], b.data(), kCount * sizeof(double)));
  int count = kCount;
  void* parameters[] = {&device[0], &device[1], &device[2], &count};
  CU(cuLaunchKernel(add, 8, 1, 1, 128, 1, 1, 0, nullptr, parameters, nullptr));
  CU(cuMemcpyDtoH(c.data(), device[2], kCount * sizeof(double)));
  for (int i = 0; i < kCount; ++i) REQUIRE(c[i] == a[i] + 3 * b[i]);
  for (const CUdeviceptr address : device) CU(cuMemFree(address));
}

void check_errors() {
  nvrtcProgram program = nullptr;
  RTC(nvrtcCreateProgram(&program, "__global__ void wrong() { undeclared = 1; }", "wrong.cu", 0, nullptr, nullptr));
  REQUIRE(nvrtcCompileProgram(program, 0, nullptr) == NVRTC_ERROR_COMPILATION);
  std::size_t bytes = 0;
  RTC(nvrtcGetProgramLogSize(program, &bytes));
  std::string log(bytes, '\0');
  RTC(nvrtcGetProgramLog(program, log.data()));
  REQUIRE(log.find("undeclared") != std::string::npos);
  REQUIRE(std::strcmp(nvrtcGetErrorString(NVRTC_ERROR_COMPILATION), "NVRTC_ERROR_COMPILATION") == 0);
  RTC(nvrtcDestroyProgram(&program));
}

}  // namespace

int main() {
  make_context();
  for (const bool cubin : {false, true}) {
    const Compiled compiled = compile(cubin ? "--gpu-architecture=sm_90" : "--gpu-architecture=compute_90", cubin);
    REQUIRE((compiled.code.compare(0, 4,
                                   "\x7f"
                                   "ELF") == 0) == cubin);
    CUmodule module = nullptr;
    CU(cuModuleLoadData(&module, compiled.code.data()));
    check_sum(module, compiled.lowered, cubin);
    CU(cuModuleUnload(module));
    CUlibrary library = nullptr;
    CU(cuLibraryLoadData(&library, compiled.code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
    CU(cuLibraryGetModule(&module, library));
    check_sum(module, compiled.lowered, cubin);
    CU(cuLibraryUnload(library));
  }
  check_errors();
  return passed("vector_add_nvrtc");
}
