// NVIDIA's library that stands behind a front of the same name.
#pragma once

#include <string>
#include <vector>

namespace warpbook::simulator::compilers {

/// Calls of a library that is found by its file name wherever the program would have found it, except where the front
/// is.
class RealLibrary {
 public:
  /// @param file "libnvrtc.so.13"
  /// @param variable of the environment, which may name the library
  /// @param package of Python that brings it
  RealLibrary(const char* file, const char* variable, const char* package)
      : file_(file), variable_(variable), package_(package) {}

  /// The address of a function; nullptr if there is no library, which is told once on the standard error, or if it has
  /// no such function.
  void* find(const char* name);

 private:
  void open();
  std::vector<std::string> places() const;

  const char* file_;
  const char* variable_;
  const char* package_;
  bool tried_ = false;
  void* handle_ = nullptr;
};

}  // namespace warpbook::simulator::compilers
