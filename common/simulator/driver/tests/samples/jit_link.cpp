// PTX that is linked at run time: cuLink with PTX and a fat binary, logs in buffers, and what cannot be linked.
// What is linked lies beside the program: PTX and a fat binary of kernels, an object and a library with PTX, and a
// library with LTO-IR alone.
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "sample.h"

namespace {

constexpr char kCaller[] = R"(
.version 8.0
.target sm_90
.address_size 64
.extern .func (.param .b32 result) square_plus (.param .b32 x);
.visible .entry apply (.param .u64 data)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [data];
  cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r2, [%rd3];
  {
    .param .b32 x0;
    .param .b32 result0;
    st.param.b32 [x0], %r2;
    call.uni (result0), square_plus, (x0);
    ld.param.b32 %r3, [result0];
  }
  st.global.u32 [%rd3], %r3;
  ret;
}
)";

constexpr char kCallee[] = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .func (.param .b32 result) square_plus (.param .b32 x)
{
  .reg .b32 %r<3>;
  ld.param.u32 %r1, [x];
  mad.lo.s32 %r2, %r1, %r1, 1;
  st.param.b32 [result], %r2;
  ret;
}
)";

struct Logs {
  char info[4096], error[4096];
  CUjit_option options[5] = {CU_JIT_WALL_TIME, CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
                             CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  // The driver writes a float into the first one; these bits are not a valid number before.
  void* values[5] = {reinterpret_cast<void*>(~std::uintptr_t{0}), info, reinterpret_cast<void*>(sizeof info), error,
                     reinterpret_cast<void*>(sizeof error)};
  float wall_time() const {
    float milliseconds;
    std::memcpy(&milliseconds, &values[0], sizeof milliseconds);
    return milliseconds;
  }
};

std::string read_file(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void add(CUlinkState link, CUjitInputType type, const std::string& data, const char* name) {
  CU(cuLinkAddData(link, type, const_cast<char*>(data.data()), data.size() + 1, name, 0, nullptr, nullptr));
}

/// Links, and loads a copy of the image after the link has gone.
CUmodule link_all(const std::string& fat, CUjitInputType callee_type, const char* callee) {
  Logs logs;
  CUlinkState link = nullptr;
  CU(cuLinkCreate(5, logs.options, logs.values, &link));
  REQUIRE(logs.wall_time() >= 0 && logs.error[0] == '\0');
  add(link, CU_JIT_INPUT_PTX, kCaller, "caller.ptx");
  if (callee == nullptr)
    add(link, CU_JIT_INPUT_PTX, kCallee, "callee.ptx");
  else
    CU(cuLinkAddFile(link, callee_type, callee, 0, nullptr, nullptr));
  CU(cuLinkAddData(link, CU_JIT_INPUT_FATBINARY, const_cast<char*>(fat.data()), fat.size(), "kernels", 0, nullptr,
                   nullptr));
  CU_FAILS(CUDA_ERROR_FILE_NOT_FOUND, cuLinkAddFile(link, CU_JIT_INPUT_PTX, "/no/such/file.ptx", 0, nullptr, nullptr));
  void* image = nullptr;
  std::size_t bytes = 0;
  CU(cuLinkComplete(link, &image, &bytes));
  const std::vector<char> copy(static_cast<char*>(image), static_cast<char*>(image) + bytes);
  REQUIRE(bytes > sizeof kCaller && std::memcmp(copy.data(),
                                                "\x7f"
                                                "ELF",
                                                4) == 0);
  CU(cuLinkDestroy(link));
  CUmodule module = nullptr;
  CU(cuModuleLoadData(&module, copy.data()));
  return module;
}

void check_refusals(const char* ptx_path, const char* lto_library) {
  Logs logs;
  CUlinkState link = nullptr;
  CU(cuLinkCreate(5, logs.options, logs.values, &link));
  std::string wrong = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() { mov.u32 %r1 frobnicate }\n";
  CU_FAILS(CUDA_ERROR_INVALID_PTX,
           cuLinkAddData(link, CU_JIT_INPUT_PTX, wrong.data(), wrong.size() + 1, "wrong.ptx", 0, nullptr, nullptr));
  REQUIRE(logs.error[0] != '\0');
  std::string code =
      "\x7f"
      "ELF\x02\x01\x01 this is machine code, and nothing else at all is in it, as in a cubin";
  CU_FAILS(CUDA_ERROR_NOT_SUPPORTED,
           cuLinkAddData(link, CU_JIT_INPUT_CUBIN, code.data(), code.size(), "code.cubin", 0, nullptr, nullptr));
  CU_FAILS(CUDA_ERROR_NOT_SUPPORTED,
           cuLinkAddData(link, CU_JIT_INPUT_NVVM, code.data(), code.size(), "code.nvvm", 0, nullptr, nullptr));
  CU_FAILS(CUDA_ERROR_NO_BINARY_FOR_GPU, cuLinkAddFile(link, CU_JIT_INPUT_LIBRARY, lto_library, 0, nullptr, nullptr));
  REQUIRE(std::strstr(logs.error, "has LTO-IR (code=lto_90) without PTX") != nullptr);
  CU_FAILS(CUDA_ERROR_NO_BINARY_FOR_GPU,
           cuLinkAddData(link, CU_JIT_INPUT_OBJECT, code.data(), code.size(), "code.o", 0, nullptr, nullptr));
  REQUIRE(std::strstr(logs.error, "code.nvvm") != nullptr && std::strstr(logs.error, "code.o") != nullptr);
  void* image = nullptr;
  std::size_t bytes = 0;
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuLinkComplete(link, &image, &bytes));  // Nothing to link.
  CU(cuLinkDestroy(link));
  CU(cuLinkCreate(0, nullptr, nullptr, &link));
  CU(cuLinkAddFile(link, CU_JIT_INPUT_PTX, ptx_path, 0, nullptr, nullptr));
  add(link, CU_JIT_INPUT_PTX, kCallee, "once.ptx");
  add(link, CU_JIT_INPUT_PTX, kCallee, "twice.ptx");
  CU_FAILS(CUDA_ERROR_INVALID_PTX, cuLinkComplete(link, &image, &bytes));
  CU(cuLinkDestroy(link));

  Logs module_logs;
  CUmodule module = nullptr;
  CU_FAILS(CUDA_ERROR_INVALID_PTX,
           cuModuleLoadDataEx(&module, wrong.c_str(), 5, module_logs.options, module_logs.values));
  REQUIRE(std::strstr(module_logs.error, "frobnicate") != nullptr);
  REQUIRE(reinterpret_cast<std::size_t>(module_logs.values[4]) == std::strlen(module_logs.error));
}

void check_module(CUmodule module) {
  CUfunction apply = nullptr, use_table = nullptr;
  CU(cuModuleGetFunction(&apply, module, "apply"));
  CU(cuModuleGetFunction(&use_table, module, "use_table"));
  CUdeviceptr data = 0;
  CU(cuMemAlloc(&data, 64 * sizeof(int)));
  void* parameters[] = {&data};
  CU(cuLaunchKernel(use_table, 1, 1, 1, 4, 1, 1, 0, nullptr, parameters, nullptr));
  CU(cuLaunchKernel(apply, 1, 1, 1, 4, 1, 1, 0, nullptr, parameters, nullptr));
  int got[4];
  CU(cuMemcpyDtoH(got, data, sizeof got));
  for (int i = 0; i < 4; ++i) REQUIRE(got[i] == (10 << i) * (10 << i) + 1);
  CU(cuModuleUnload(module));
}

}  // namespace

int main(int, char** arguments) {
  make_context();
  const auto file = [&](const char* name) { return beside(arguments[0], name); };
  const std::string fat = read_file(file("kernels.fatbin").c_str());
  check_module(link_all(fat, CU_JIT_INPUT_PTX, nullptr));
  check_module(link_all(fat, CU_JIT_INPUT_OBJECT, file("rules_compute.o").c_str()));
  check_module(link_all(fat, CU_JIT_INPUT_LIBRARY, file("rules_compute.a").c_str()));
  check_refusals(file("kernels.ptx").c_str(), file("rules_lto.a").c_str());
  return passed("jit_link");
}
