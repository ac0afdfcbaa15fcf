// Runs a test program on the virtual GPU and captures its output.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace warpbook::simulator::runtime {

struct Outcome {
  int exit_code = -1;  ///< -1 if a signal ended it.
  int signal = 0;
  std::string output, errors;
};

/// Runs build folder/tests/<name> with @p arguments and this build's libcudart.so.13 in front; @p environment is added
/// to a clean one. The environment variable WARPBOOK_RUN_APART names what runs it, apart from its device
/// (remote/testing/run_apart.cpp). @throws std::runtime_error if it cannot be started
Outcome run_program(const std::string& name, const std::vector<std::string>& arguments = {},
                    const std::map<std::string, std::string>& environment = {});

}  // namespace warpbook::simulator::runtime
