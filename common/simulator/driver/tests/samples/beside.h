// Where the sample programs find the code that they load.
#pragma once

#include <string>

/// The path of @p name, which is built beside @p program.
inline std::string beside(const std::string& program, const char* name) {
  return program.substr(0, program.find_last_of('/') + 1) + name;
}
