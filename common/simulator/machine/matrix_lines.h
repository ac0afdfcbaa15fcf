// Where a matrix operation accesses memory: rows or columns of adjacent bytes. For checkers.
#pragma once

#include <array>
#include <cstdint>

#include "common/simulator/machine/warp.h"

namespace warpbook::simulator {

struct MatrixLines {
  unsigned count = 0;  ///< 0: it accesses no memory.
  unsigned bytes = 0;  ///< Per line.
  bool write = false;
  bool shared = false;                             ///< The addresses are offsets in shared memory, not global ones.
  std::array<std::uint64_t, kWarpSize> address{};  ///< Per line.
};

/// The lines of @p op, which all lanes execute.
MatrixLines matrix_lines(const Warp& warp, const Operation* op);

}  // namespace warpbook::simulator
