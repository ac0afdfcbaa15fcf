// Code that nvJitLink links at run time: relocatable PTX, LTO-IR, one of each, cubins of NVRTC, and objects and
// libraries of nvcc; LTO-IR by itself is refused by the driver.
#include <nvJitLink.h>
#include <nvrtc.h>

#include <cstring>
#include <string>
#include <vector>

#include "sample.h"

namespace {

constexpr char kKernel[] = R"(
extern __device__ int rule(int x);
extern "C" __global__ void apply(int* data) { data[threadIdx.x] = rule(data[threadIdx.x]); }
)";
constexpr char kRule[] = "__device__ int rule(int x) { return 3 * x + 1; }";
/// The same by a variable that other modules use.
constexpr char kFactor[] = "__device__ volatile int factor = 3; __device__ int rule(int x) { return factor * x + 1; }";
constexpr char kKernelWithFactor[] = R"(
extern __device__ int rule(int x);
extern __device__ volatile int factor;
extern "C" __global__ void apply(int* data) { data[threadIdx.x] = rule(data[threadIdx.x]) + factor - 3; }
)";

enum class Kind { ptx, lto, cubin };

#define RTC(call) require((call) == NVRTC_SUCCESS, #call, __LINE__)
#define LINK(call) require((call) == NVJITLINK_SUCCESS, #call, __LINE__)

std::string compile(const char* source, Kind kind) {
  nvrtcProgram program = nullptr;
  const char* options[] = {"-arch=sm_90", kind == Kind::lto ? "-dlto" : "-rdc=true"};
  RTC(nvrtcCreateProgram(&program, source, "part.cu", 0, nullptr, nullptr));
  RTC(nvrtcCompileProgram(program, 2, options));
  std::size_t bytes = 0;
  std::string code;
  const auto fetch = [&](auto get_size, auto get) {
    RTC(get_size(program, &bytes));
    code.resize(bytes);
    RTC(get(program, code.data()));
  };
  if (kind == Kind::ptx) fetch(nvrtcGetPTXSize, nvrtcGetPTX);
  if (kind == Kind::lto) fetch(nvrtcGetLTOIRSize, nvrtcGetLTOIR);
  if (kind == Kind::cubin) fetch(nvrtcGetCUBINSize, nvrtcGetCUBIN);
  RTC(nvrtcDestroyProgram(&program));
  return code;
}

nvJitLinkInputType type_of(Kind kind) {
  return kind == Kind::ptx ? NVJITLINK_INPUT_PTX : kind == Kind::lto ? NVJITLINK_INPUT_LTOIR : NVJITLINK_INPUT_CUBIN;
}

/// The kernel, and the rule that @p add_rule adds. LTO-IR on either side needs @p lto.
template <class AddRule>
std::string link_with(Kind kernel, bool lto, AddRule add_rule, const char* source = kKernel) {
  nvJitLinkHandle handle = nullptr;
  const char* options[] = {"-arch=sm_90", "-lto"};
  LINK(nvJitLinkCreate(&handle, lto ? 2 : 1, options));
  const std::string first = compile(source, kernel);
  LINK(nvJitLinkAddData(handle, type_of(kernel), first.data(), first.size(), "kernel"));
  add_rule(handle);
  LINK(nvJitLinkComplete(handle));
  std::size_t bytes = 0;
  LINK(nvJitLinkGetLinkedCubinSize(handle, &bytes));
  std::string cubin(bytes, '\0');
  LINK(nvJitLinkGetLinkedCubin(handle, cubin.data()));
  LINK(nvJitLinkDestroy(&handle));
  return cubin;
}

std::string link(Kind kernel, Kind rule, const char* kernel_source = kKernel, const char* rule_source = kRule) {
  const auto add_rule = [=](nvJitLinkHandle handle) {
    const std::string code = compile(rule_source, rule);
    LINK(nvJitLinkAddData(handle, type_of(rule), code.data(), code.size(), "rule"));
  };
  return link_with(kernel, kernel == Kind::lto || rule == Kind::lto, add_rule, kernel_source);
}

/// The rule comes from @p file, as LTO-IR if the kernel does.
std::string link_file(Kind kernel, nvJitLinkInputType type, const char* file) {
  return link_with(kernel, kernel == Kind::lto,
                   [&](nvJitLinkHandle handle) { LINK(nvJitLinkAddFile(handle, type, file)); });
}

std::string error_log(nvJitLinkHandle handle) {
  std::size_t bytes = 0;
  LINK(nvJitLinkGetErrorLogSize(handle, &bytes));
  std::string log(bytes, '\0');
  LINK(nvJitLinkGetErrorLog(handle, log.data()));
  return log;
}

void check_linked(const std::string& cubin) {
  CUmodule module = nullptr;
  CUfunction apply = nullptr;
  CU(cuModuleLoadData(&module, cubin.data()));
  CU(cuModuleGetFunction(&apply, module, "apply"));
  CUdeviceptr data = 0;
  CU(cuMemAlloc(&data, 32 * sizeof(int)));
  CU(cuMemsetD32(data, 7, 32));
  void* parameters[] = {&data};
  CU(cuLaunchKernel(apply, 1, 1, 1, 32, 1, 1, 0, nullptr, parameters, nullptr));
  int got[32];
  CU(cuMemcpyDtoH(got, data, sizeof got));
  for (const int value : got) REQUIRE(value == 22);
  CU(cuModuleUnload(module));
}

/// LTO-IR alone wants a link with -lto.
void check_lto_alone(const char* library) {
  nvJitLinkHandle handle = nullptr;
  const char* options[] = {"-arch=sm_90"};
  LINK(nvJitLinkCreate(&handle, 1, options));
  REQUIRE(nvJitLinkAddFile(handle, NVJITLINK_INPUT_LIBRARY, library) != NVJITLINK_SUCCESS);
  REQUIRE(error_log(handle).find("-lto") != std::string::npos);
  LINK(nvJitLinkDestroy(&handle));
}

/// A link that is wrong says so in its log.
void check_error() {
  nvJitLinkHandle handle = nullptr;
  const char* options[] = {"-arch=sm_90"};
  LINK(nvJitLinkCreate(&handle, 1, options));
  const std::string kernel = compile(kKernel, Kind::ptx);
  LINK(nvJitLinkAddData(handle, NVJITLINK_INPUT_PTX, kernel.data(), kernel.size(), "kernel"));
  REQUIRE(nvJitLinkComplete(handle) != NVJITLINK_SUCCESS);
  REQUIRE(error_log(handle).find("rule") != std::string::npos);
  LINK(nvJitLinkDestroy(&handle));
}

/// A fat binary that holds only LTO-IR: a container with one entry, as nvcc -fatbin writes it.
std::string lto_fat_binary() {
  const std::string code = compile(kRule, Kind::lto);
  struct {
    unsigned magic;
    unsigned short version, header_bytes;
    unsigned long long bytes;
  } container{0xba55ed50, 1, 16, 64 + code.size()};
  struct {
    unsigned short kind, version;
    unsigned header_bytes;
    unsigned long long bytes;
    unsigned compressed_bytes, options;
    unsigned short minor, major;
    unsigned architecture, name_offset, name_bytes;
    unsigned long long flags, reserved, plain_bytes;
  } entry{8, 0x101, 64, code.size(), 0, 0, 1, 1, 90, 0, 0, 0x11, 0, 0};
  static_assert(sizeof container == 16 && sizeof entry == 64);
  std::string image(reinterpret_cast<const char*>(&container), sizeof container);
  image.append(reinterpret_cast<const char*>(&entry), sizeof entry);
  return image + code;
}

}  // namespace

int main(int, char** arguments) {
  make_context();
  check_linked(link(Kind::ptx, Kind::ptx));
  check_linked(link(Kind::lto, Kind::lto));
  check_linked(link(Kind::lto, Kind::ptx));
  check_linked(link(Kind::ptx, Kind::lto));
  check_linked(link(Kind::ptx, Kind::lto, kKernelWithFactor, kFactor));
  check_linked(link(Kind::cubin, Kind::ptx));
  const std::string library = beside(arguments[0], "rules_lto.a");
  check_linked(link_file(Kind::ptx, NVJITLINK_INPUT_LIBRARY, beside(arguments[0], "rules_compute.a").c_str()));
  check_linked(link_file(Kind::lto, NVJITLINK_INPUT_LIBRARY, library.c_str()));
  check_linked(link_file(Kind::lto, NVJITLINK_INPUT_OBJECT, beside(arguments[0], "rules_lto.o").c_str()));
  check_lto_alone(library.c_str());
  check_error();
  unsigned major = 0, minor = 0;
  LINK(nvJitLinkVersion(&major, &minor));
  REQUIRE(major == 13);
  CUmodule module = nullptr;
  CU_FAILS(CUDA_ERROR_NO_BINARY_FOR_GPU, cuModuleLoadData(&module, lto_fat_binary().data()));
  return passed("jit_lto");
}
