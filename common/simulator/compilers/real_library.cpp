// Looks for a library where the loader would, except in this library's own folder.
#include "common/simulator/compilers/real_library.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <mutex>

namespace warpbook::simulator::compilers {
namespace {

namespace fs = std::filesystem;

// The address sanitizer refuses RTLD_DEEPBIND. GCC tells by a macro that it is on, clang as a feature.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WARPBOOK_ADDRESS_SANITIZER
#endif
#endif
#if defined(WARPBOOK_ADDRESS_SANITIZER) || defined(__SANITIZE_ADDRESS__)
constexpr int kOwnNamesFirst = 0;
#else
constexpr int kOwnNamesFirst = RTLD_DEEPBIND;
#endif

/// The folders that the loader searches for the program: LD_LIBRARY_PATH, the program's own paths, the system's.
std::vector<std::string> folders_of_loader() {
  std::vector<std::string> folders;
  void* const program = ::dlopen(nullptr, RTLD_LAZY);
  Dl_serinfo size;
  if (program == nullptr || ::dlinfo(program, RTLD_DI_SERINFOSIZE, &size) != 0) return folders;
  std::vector<char> room(size.dls_size);
  auto* const search = reinterpret_cast<Dl_serinfo*>(room.data());
  search->dls_size = size.dls_size;
  search->dls_cnt = size.dls_cnt;
  if (::dlinfo(program, RTLD_DI_SERINFO, search) != 0) return folders;
  for (unsigned i = 0; i < search->dls_cnt; ++i) folders.emplace_back(search->dls_serpath[i].dls_name);
  return folders;
}

/// The file that contains this code.
fs::path own_file() {
  Dl_info info;
  return ::dladdr(reinterpret_cast<void*>(&own_file), &info) == 0 ? fs::path() : fs::path(info.dli_fname);
}

/// The folders of NVIDIA's wheels next to the Python packages that are loaded, say those of a virtual environment.
std::vector<std::string> folders_of_wheels() {
  std::vector<std::string> folders;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* found) {
        auto& all = *static_cast<std::vector<std::string>*>(found);
        const std::string file = info->dlpi_name;
        for (const std::string packages : {"/site-packages/", "/dist-packages/"}) {
          const auto at = file.find(packages);
          if (at == std::string::npos) continue;
          std::string folder = file.substr(0, at) + packages + "nvidia/cu13/lib";
          if (std::find(all.begin(), all.end(), folder) == all.end()) all.push_back(std::move(folder));
        }
        return 0;
      },
      &folders);
  return folders;
}

bool is_front(const fs::path& file) {
  void* const handle = ::dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL | RTLD_NOLOAD);
  if (handle == nullptr) {
    std::error_code error;
    return fs::equivalent(file, own_file(), error);
  }
  const bool front = ::dlsym(handle, "warpbook_front") != nullptr;
  ::dlclose(handle);
  return front;
}

}  // namespace

std::vector<std::string> RealLibrary::places() const {
  std::vector<std::string> files;
  if (const char* named = std::getenv(variable_)) files.emplace_back(named);
  for (const std::string& folder : folders_of_loader()) files.push_back(folder + "/" + file_);
  for (const std::string& folder : folders_of_wheels()) files.push_back(folder + "/" + file_);
  for (const char* const root : {std::getenv("CUDA_HOME"), std::getenv("CUDA_PATH")}) {
    if (root == nullptr) continue;
    for (const char* const folder : {"/lib64/", "/lib/"}) files.push_back(std::string(root) + folder + file_);
  }
  for (const char* const folder : {WARPBOOK_TOOLKIT_LIBRARIES, "/usr/local/cuda/lib64"})
    files.push_back(std::string(folder) + "/" + file_);
  return files;
}

void RealLibrary::open() {
  tried_ = true;
  // Its calls to functions that it exports itself must not reach this library, which is loaded before it.
  constexpr int kMode = RTLD_LAZY | RTLD_LOCAL | kOwnNamesFirst;
  std::string wrong;
  for (const std::string& file : places()) {
    std::error_code error;
    if (!fs::is_regular_file(file, error) || is_front(file)) continue;
    handle_ = ::dlopen(fs::canonical(file, error).c_str(), kMode);
    if (handle_ != nullptr && ::dlsym(handle_, "warpbook_front") == nullptr) return;
    if (handle_ == nullptr && wrong.empty()) wrong = ::dlerror();
    handle_ = nullptr;
  }
  if (!reports_) return;
  std::fprintf(stderr,
               "warpbook: this program compiles device code at run time, and NVIDIA's %s, which does that, was not "
               "found%s%s: install the Python package %s or CUDA 13 (common/setup.sh brings it), and set %s to the "
               "library if it is in no folder that the loader searches\n",
               file_, wrong.empty() ? "" : ": ", wrong.c_str(), package_, variable_);
}

void* RealLibrary::find(const char* name) {
  static std::mutex lock;
  const std::lock_guard guard(lock);
  if (!tried_) open();
  return handle_ == nullptr ? nullptr : ::dlsym(handle_, name);
}

}  // namespace warpbook::simulator::compilers
