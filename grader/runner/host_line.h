// The source line of an instruction of host code.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace warpbook::grader {

struct HostLine {
  std::string file;
  int line = 0;
};

/// What addr2line (binutils) prints for one instruction: the line itself and, if it was inlined, those of the calls
/// that led there, each "/path/x.cu:14 (discriminator 2)". @returns the first that is not in a header of the system or
/// the toolkit; nothing if all are, or none is known
std::optional<HostLine> parse_host_lines(const std::string& printed);

/// The line of the instruction at @p offset in @p program. Nothing if the program was built without debug lines for
/// host code, or there is no addr2line.
std::optional<HostLine> host_line(const std::string& program, std::uint64_t offset);

}  // namespace warpbook::grader
