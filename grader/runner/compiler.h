// nvcc's messages about a program, and its PTX: for exercises about the compiler.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace warpbook::grader {

/// The result of compiling a program.
class Compiled {
 public:
  /// @param lines of the program
  /// @param said  by line, from 1 on: "warning #177-D: variable "x" was declared but never referenced"
  Compiled(std::int32_t lines, std::map<int, std::string> said, std::string ptx)
      : lines_(lines), said_(std::move(said)), ptx_(std::move(ptx)) {}

  /// The verdict on a line: 0: no message, 1: a warning, 2: an error.
  std::int32_t verdict(int line) const;
  /// "nvcc says: warning #177-D: ..." or "nvcc says nothing.", for messages.
  std::string message(int line) const;
  std::int32_t lines() const { return lines_; }
  /// PTX lines of an extern "C" kernel, from its name on, without comments; empty if it has no code.
  std::vector<std::string> ptx_of(const std::string& kernel) const;
  /// How often its PTX has a word, or one that continues with a dot: "ld.global" is found in "ld.global.nc.f32", too.
  std::int32_t count(const std::string& kernel, const std::string& word) const;
  /// The same for kernels k1, k2, ...
  std::vector<std::int32_t> counts(int kernels, const std::string& word) const;
  /// Instructions between the first and the last one that contain a text.
  std::int32_t between(const std::string& kernel, const std::string& text) const;

 private:
  std::int32_t lines_;
  std::map<int, std::string> said_;
  std::string ptx_;
};

/// Which code nvcc makes.
enum class CompileFor : std::uint8_t {
  device,              ///< PTX.
  relocatable_device,  ///< PTX by -rdc=true, so that kernels may launch kernels.
  both                 ///< Host code, too: only then are calls from host code checked. Takes three times as long.
};

/// Compiles a program for sm_90. A line with an error is removed, and the rest compiled again, until there is none:
/// so each line gets a verdict of its own. A verdict must not depend on a line that is refused.
/// @param nvcc    the compiler
/// @param program the test's own text, never a student's: that could include files that it must not read
/// @throws std::runtime_error if there is no compiler, or its messages name no line of the program
Compiled compile_program(const std::string& nvcc, const std::string& program, CompileFor pass);

}  // namespace warpbook::grader
