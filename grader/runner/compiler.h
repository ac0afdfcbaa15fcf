// What nvcc says of a program, and makes of it: for exercises whose subject is the compiler.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace warpbook::grader {

/// What became of a program.
class Compiled {
 public:
  /// @param lines of the program
  /// @param said  by line, from 1 on: "warning #177-D: variable "x" was declared but never referenced"
  Compiled(std::int32_t lines, std::map<int, std::string> said, std::string ptx)
      : lines_(lines), said_(std::move(said)), ptx_(std::move(ptx)) {}

  /// Of a line: 0 nothing is said, 1: it warns, 2: it refuses the line.
  std::int32_t verdict(int line) const;
  /// "nvcc says: warning #177-D: ..." or "nvcc says nothing.", for messages.
  std::string message(int line) const;
  std::int32_t lines() const { return lines_; }
  /// Lines of the PTX of a kernel that is extern "C", from its name on, without comments; of which has no code, none.
  std::vector<std::string> ptx_of(const std::string& kernel) const;
  /// How often its PTX has a word or one that goes on with a dot: "ld.global" is found in "ld.global.nc.f32", too.
  std::int32_t count(const std::string& kernel, const std::string& word) const;
  /// The same of kernels k1, k2, ...
  std::vector<std::int32_t> counts(int kernels, const std::string& word) const;
  /// Instructions between the first and the last one that have a text.
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
  both  ///< What is for the host, too: calls from there are looked at only then. Takes three times as long.
};

/// Compiles a program for sm_90. A line with an error is taken out, and the rest compiled again, until there is none:
/// so each line gets its verdict, which must depend on no line that is refused.
/// @param nvcc    the compiler
/// @param program text of ours: what a student wrote could read what it must not
/// @throws std::runtime_error if there is no compiler, or what it says names no line of the program
Compiled compile_program(const std::string& nvcc, const std::string& program, CompileFor pass);

}  // namespace warpbook::grader
