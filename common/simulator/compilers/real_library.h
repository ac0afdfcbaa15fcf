// NVIDIA's library behind our library of the same name (the front).
#pragma once

#include <string>
#include <vector>

namespace warpbook::simulator::compilers {

/// Functions of a library that is found by its file name wherever the program would have found it, except in the
/// front's own folder.
class RealLibrary {
 public:
  /// @param file "libnvrtc.so.13"
  /// @param variable an environment variable that may name the library
  /// @param package the Python package that contains it
  /// @param reports says on stderr if there is no library
  RealLibrary(const char* file, const char* variable, const char* package, bool reports = true)
      : file_(file), variable_(variable), package_(package), reports_(reports) {}

  /// The address of a function. nullptr if there is no library, which is reported once, or if it has no such
  /// function.
  void* find(const char* name);

 private:
  void open();
  std::vector<std::string> places() const;

  const char* file_;
  const char* variable_;
  const char* package_;
  bool reports_, tried_ = false;
  void* handle_ = nullptr;
};

}  // namespace warpbook::simulator::compilers
