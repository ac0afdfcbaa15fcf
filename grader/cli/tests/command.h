// Runs the built `warpbook` command, for tests from outside.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "common/testing/catch.h"
#include "grader/runner/process.h"

namespace warpbook::grader {

inline ProcessResult command(std::vector<std::string> arguments, const std::string& folder = "/") {
  ProcessRequest request;
  request.program = WARPBOOK_COMMAND;
  request.arguments = std::move(arguments);
  request.environment = {{"PATH", "/usr/bin:/bin"}};
  request.folder = folder;
  request.limits.memory_bytes = 0;
  return run_process(request);
}

inline bool says(const ProcessResult& result, const std::string& text) {
  INFO(result.output << result.error);
  return (result.output + result.error).find(text) != std::string::npos;
}

}  // namespace warpbook::grader
