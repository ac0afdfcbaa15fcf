// Looks up calls in a library by name and CUDA version, as an H100 did (driver 580.159, CUDA 13.0, 2026-11-27).
#include "common/simulator/driver/entry_points.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

namespace warpbook::simulator::driver {
namespace {

enum class Suffix { v1, v2, v3, v4 };

/// A version of a call, and the CUDA version since which it is the default.
struct EntryPoint {
  const char* name;
  int since;
  Suffix suffix;
};

constexpr EntryPoint kEntryPoints[] = {
#define WB_ENTRY_POINT(name, since, suffix) {#name, since, Suffix::suffix},
#include "common/simulator/driver/entry_points.def"
#undef WB_ENTRY_POINT
};

void* library_of(void* own) {
  Dl_info info;
  if (::dladdr(own, &info) == 0) return nullptr;
  return ::dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

const char* text_of(Suffix suffix) {
  switch (suffix) {
    case Suffix::v2:
      return "_v2";
    case Suffix::v3:
      return "_v3";
    case Suffix::v4:
      return "_v4";
    default:
      return "";
  }
}

/// "cuMemAlloc_v2", "cuLaunchKernel_ptsz": calls are looked up by their names without version.
bool names_version(std::string_view symbol) {
  const std::string_view suffix = symbol.substr(std::min(symbol.rfind('_'), symbol.size()));
  return suffix == "_ptsz" || suffix == "_ptds" || (suffix.size() == 3 && suffix[1] == 'v' && suffix[2] >= '2');
}

}  // namespace

bool is_compiler(const void* caller) {
  Dl_info info;
  if (::dladdr(caller, &info) == 0 || info.dli_fname == nullptr) return false;
  const std::string file = info.dli_fname;
  return file.find("libnvrtc") != std::string::npos || file.find("libnvJitLink") != std::string::npos;
}

std::string refused_table(const void* caller) {
  Dl_info info;
  const std::string file = ::dladdr(caller, &info) == 0 || info.dli_fname == nullptr ? "this program" : info.dli_fname;
  const std::string name = file.substr(file.rfind('/') + 1);
  const std::string who =
      name.rfind("libcudart.so", 0) == 0
          ? file +
                " is NVIDIA's own CUDA runtime, loaded in place of the virtual GPU's: start the program with "
                "warpbook run"
          : file +
                " has NVIDIA's CUDA runtime linked into it (nvcc -cudart static), which asks for private tables of "
                "NVIDIA's driver: build it with nvcc -cudart shared; a library that you cannot rebuild, as CuPy's "
                "wheel, does not run here";
  return who + ". cuGetExportTable";
}

CUresult find_entry_point(void* own, const char* symbol, void** function, int version, cuuint64_t flags,
                          CUdriverProcAddressQueryResult* status) {
  if (symbol == nullptr || function == nullptr) return CUDA_ERROR_INVALID_VALUE;
  constexpr cuuint64_t kKnownFlags = CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  constexpr int kFirstPerThread = 7000;  // The CUDA version that brought default streams for each thread.
  if ((flags & ~kKnownFlags) != 0 || version > CUDA_VERSION) return CUDA_ERROR_INVALID_VALUE;
  if (version < 0) version = CUDA_VERSION;
  *function = nullptr;
  const auto answer = [&](CUdriverProcAddressQueryResult result) {
    if (status != nullptr) *status = result;
    return CUDA_SUCCESS;
  };
  bool listed = false;
  const EntryPoint* newest = nullptr;  // Versions are listed in order.
  for (const EntryPoint& entry : kEntryPoints) {
    if (std::strcmp(entry.name, symbol) != 0) continue;
    listed = true;
    if (entry.since <= version) newest = &entry;
  }
  if (listed && newest == nullptr) return answer(CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
  if (!listed && names_version(symbol)) return answer(CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  const std::string name = symbol + std::string(newest == nullptr ? "" : text_of(newest->suffix));
  void* const library = library_of(own);
  if ((flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) != 0) {
    for (const char* suffix : {"_ptsz", "_ptds"}) {
      if (*function == nullptr) *function = ::dlsym(library, (name + suffix).c_str());
    }
    if (*function != nullptr && version < kFirstPerThread) {
      *function = nullptr;
      return answer(CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
    }
  }
  if (*function == nullptr) *function = ::dlsym(library, name.c_str());
  return answer(*function == nullptr ? CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND : CU_GET_PROC_ADDRESS_SUCCESS);
}

CUresult find_entry_point_v1(void* own, const char* symbol, void** function, int version, cuuint64_t flags) {
  if (function == nullptr) return CUDA_ERROR_INVALID_VALUE;
  void* found = nullptr;
  const CUresult result = find_entry_point(own, symbol, &found, version, flags, nullptr);
  if (result != CUDA_SUCCESS) return result;
  if (found == nullptr) return CUDA_ERROR_NOT_FOUND;
  *function = found;
  return CUDA_SUCCESS;
}

}  // namespace warpbook::simulator::driver
