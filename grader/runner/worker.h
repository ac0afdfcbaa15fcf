// Runs a case (calls.cpp). It is linked with answers into a process that runs one case of one answer and ends
// or, if timed on a real GPU, several cases.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

#include "grader/judge/case.h"

/// Gives the case to the answer and puts the results into the reply. Nothing is judged here: this process also runs
/// the answer's code, so it cannot be trusted. Exceptions end the process with an explanation.
void run_case(const warpbook::grader::Case& given, warpbook::grader::Reply& reply);

namespace warpbook::grader {

/// How measure() times the call under test. The case says which.
enum class Timing {
  plain,    ///< Between two events. Enough for the virtual GPU.
  queued,   ///< Cold L2 cache; the call is queued behind the work that made it cold.
  waiting,  ///< Cold L2 cache; the call begins on an idle device.
};

/// The timing of the current case.
Timing& timing();

/// Registers a host array that the answer gets. If a library ends the program before the answer returns, its name and
/// address are sent in place of a reply (named_arrays.h).
class NamedArray {
 public:
  NamedArray(const std::string& name, const void* address, std::size_t bytes);
  ~NamedArray();
  NamedArray(const NamedArray&) = delete;
  NamedArray& operator=(const NamedArray&) = delete;

 private:
  const void* address_;
};

/// The answer does not define a function that the case calls.
class MissingFunction : public std::runtime_error {
 public:
  /// @param function "vector_add()"
  explicit MissingFunction(const std::string& function)
      : std::runtime_error("Your file has no function " + function +
                           " with the parameters that the lab's header declares. Has its name or a parameter's type "
                           "changed?"),
        function_(function) {}

  const std::string& function() const { return function_; }

 private:
  std::string function_;
};

/// Whether only numbers and texts are wanted in the reply: device buffers need not be copied back.
bool& quiet();

}  // namespace warpbook::grader
