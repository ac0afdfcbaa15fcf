// For tests: all forms of mma and wmma.mma that the virtual GPU has, as they are written.
#pragma once

#include <string>
#include <vector>

#include "common/simulator/ptx/types.h"

namespace warpbook::simulator {

struct MatrixForm {
  std::string instruction;
  ptx::MatrixShape shape;
  ptx::Type a, b, c, d;
  bool saturates = false;
  bool exclusive = false;                     ///< Of bits: .xor, not .and.
  bool a_columns = false, b_columns = false;  ///< wmma: column-major.
};

std::vector<MatrixForm> mma_forms();
std::vector<MatrixForm> wmma_forms();

/// All instructions that matrix.test.cpp and matrix_move.test.cpp execute, without their operands.
std::vector<std::string> tested_matrix_instructions();

}  // namespace warpbook::simulator
