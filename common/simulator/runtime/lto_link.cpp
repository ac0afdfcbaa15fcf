// Calls NVIDIA's nvJitLink, which is opened when a program needs it.
#include "common/simulator/runtime/lto_link.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "common/simulator/compilers/real_library.h"
#include "common/simulator/runtime/fat_binary.h"

namespace warpbook::simulator::runtime {
namespace {

// The interface of CUDA 13.0 (nvJitLink.h), which is not in every toolkit.
using Handle = void*;
constexpr int kSuccess = 0, kInputFatBinary = 4;

bool forbidden = false;

class Linker {
 public:
  explicit Linker(const std::vector<const char*>& options) {
    check(call<Handle*, std::uint32_t, const char* const*>("__nvJitLinkCreate_13_0", &handle_,
                                                           static_cast<std::uint32_t>(options.size()), options.data()));
  }
  Linker(const Linker&) = delete;
  Linker& operator=(const Linker&) = delete;
  ~Linker() {
    if (handle_ != nullptr) call<Handle*>("__nvJitLinkDestroy_13_0", &handle_);
  }

  void add(std::string_view container) {
    check(call<Handle, int, const void*, std::size_t, const char*>("__nvJitLinkAddData_13_0", handle_, kInputFatBinary,
                                                                   container.data(), container.size(), "a fat binary"));
  }

  std::string ptx() {
    check(call<Handle>("__nvJitLinkComplete_13_0", handle_));
    std::string text = text_of("__nvJitLinkGetLinkedPtxSize_13_0", "__nvJitLinkGetLinkedPtx_13_0");
    if (text.empty()) throw FatBinaryError("nvJitLink makes no PTX of the program's LTO-IR");
    return text;
  }

 private:
  template <class... Parameters>
  static int call(const char* name, Parameters... arguments) {
    static compilers::RealLibrary library("libnvJitLink.so.13", "WARPBOOK_NVJITLINK", "nvidia-nvjitlink", false);
    auto* const function = reinterpret_cast<int (*)(Parameters...)>(library.find(name));
    if (function != nullptr) return function(arguments...);
    throw FatBinaryError(
        "the device code is LTO-IR without PTX, and NVIDIA's libnvJitLink.so.13, which makes PTX of it, was not found: "
        "install it (common/setup.sh brings it), or add PTX with -gencode arch=compute_90,code=compute_90");
  }

  void check(int result) {
    if (result == kSuccess) return;
    const std::string log = text_of("__nvJitLinkGetErrorLogSize_13_0", "__nvJitLinkGetErrorLog_13_0");
    throw FatBinaryError("nvJitLink cannot make PTX of the program's LTO-IR (error " + std::to_string(result) +
                         "): " + log);
  }

  std::string text_of(const char* size_name, const char* name) const {
    std::size_t bytes = 0;
    if (handle_ == nullptr || call<Handle, std::size_t*>(size_name, handle_, &bytes) != kSuccess || bytes == 0)
      return {};
    std::string text(bytes, '\0');
    if (call<Handle, char*>(name, handle_, text.data()) != kSuccess) return {};
    text.resize(text.find('\0') == std::string::npos ? bytes : text.find('\0'));
    return text;
  }

  Handle handle_ = nullptr;
};

}  // namespace

void forbid_lto_links() { forbidden = true; }

std::string link_lto_ir(const std::vector<std::string_view>& containers, unsigned architecture) {
  if (forbidden)
    throw FatBinaryError(
        "the device code is LTO-IR, which is not linked for another process: add PTX with -gencode "
        "arch=compute_90,code=compute_90");
  const std::string target = "-arch=sm_" + std::to_string(architecture);
  Linker linker({target.c_str(), "-lto", "-ptx", "-lineinfo"});
  for (const std::string_view container : containers) linker.add(container);
  return linker.ptx();
}

}  // namespace warpbook::simulator::runtime
