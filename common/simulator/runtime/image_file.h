// Reading the file that a program names where it loads a module or a library, or adds a part to a link.
#pragma once

#include <fstream>
#include <optional>
#include <sstream>
#include <string>

namespace warpbook::simulator::runtime {

/// The bytes of @p path; nothing if it cannot be opened.
inline std::optional<std::string> read_image_file(const char* path) {
  const std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream whole;
  whole << file.rdbuf();
  return whole.str();
}

}  // namespace warpbook::simulator::runtime
