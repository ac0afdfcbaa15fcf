// Runs addr2line.
#include "grader/runner/host_line.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <sstream>
#include <string_view>

#include "grader/runner/process.h"

namespace warpbook::grader {

std::optional<HostLine> parse_host_lines(const std::string& printed) {
  std::istringstream in(printed);
  for (std::string text; std::getline(in, text);) {
    text.erase(std::min(text.find(" (discriminator"), text.size()));
    const std::size_t colon = text.rfind(':');
    if (colon == std::string::npos || text.rfind("??", 0) == 0) continue;
    HostLine line{text.substr(0, colon)};
    std::from_chars(text.data() + colon + 1, text.data() + text.size(), line.line);
    const bool own = line.file.rfind("/usr/", 0) != 0 && line.file.find("/include/") == std::string::npos;
    if (own && line.line > 0) return line;
  }
  return std::nullopt;
}

std::optional<HostLine> host_line(const std::string& program, std::uint64_t offset) {
  char address[32];
  std::snprintf(address, sizeof address, "0x%llx", static_cast<unsigned long long>(offset));
  ProcessRequest request;
  request.program = "/usr/bin/addr2line";
  request.arguments = {"-i", "-e", program, address};
  request.environment = {{"LC_ALL", "C"}};
  request.folder = "/";
  request.limits.wall_s = request.limits.cpu_s = 30;
  const ProcessResult result = run_process(request);
  if (result.end != End::exited || result.code != 0) return std::nullopt;
  return parse_host_lines(result.output);
}

}  // namespace warpbook::grader
