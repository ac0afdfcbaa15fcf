// What carries out a case (calls.cpp). It is linked with answers into a process that runs one case of one and ends,
// or, to be timed on a real GPU, several.
#pragma once

#include <cstddef>
#include <string>

#include "grader/judge/case.h"

/// Gives the case to the answer and puts what came out into the reply. Nothing is judged here: this process also runs
/// the answer's code, so its word counts for nothing. Exceptions end the process with an explanation.
void run_case(const warpbook::grader::Case& given, warpbook::grader::Reply& reply);

namespace warpbook::grader {

/// How measure() takes the time of the call under test. The grader asks for it with the case.
enum class Timing {
  plain,    ///< Between two events. All that the virtual GPU needs.
  queued,   ///< Cold L2 cache; the call is queued behind the work that made it cold.
  waiting,  ///< Cold L2 cache; the call begins on an idle device.
};

/// Of the case that is under way.
Timing& timing();

/// A host array that the answer is given. If the program is ended by a library before the answer returns, its name and
/// place are sent in the place of a reply (named_arrays.h).
class NamedArray {
 public:
  NamedArray(const std::string& name, const void* address, std::size_t bytes);
  ~NamedArray();
  NamedArray(const NamedArray&) = delete;
  NamedArray& operator=(const NamedArray&) = delete;

 private:
  const void* address_;
};

/// Whether only numbers and texts of its reply are wanted: device buffers need not be copied back.
bool& quiet();

}  // namespace warpbook::grader
