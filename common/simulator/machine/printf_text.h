// What printf in a kernel prints: as on an H200, whose host does a part of the work (runtime/tests/h200_printf.txt).
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace warpbook::simulator {

/// Where the arguments come from.
struct PrintfArguments {
  std::function<std::uint64_t(unsigned bytes)> next;         ///< 4 or 8 bytes.
  std::function<std::string(std::uint64_t address)> string;  ///< Without its end.
};

struct PrintfText {
  std::string text;
  int count = 0;  ///< Arguments, as printf returns it.
};

/// The device counts the arguments of conversions that it knows, at most 32, and copies each into 8 bytes, and the
/// format behind them. The host reads and prints them. They differ about the length hh, for which the host reads 8
/// bytes that the device has not counted: of the next argument, or of the format.
PrintfText printf_text(const std::string& format, const PrintfArguments& arguments);

}  // namespace warpbook::simulator
