// For tests: all forms of mma and wmma.mma that the virtual GPU supports, in PTX.
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
  bool exclusive = false;                     ///< For bits: .xor instead of .and.
  bool a_columns = false, b_columns = false;  ///< wmma: column-major.
};

std::vector<MatrixForm> mma_forms();
std::vector<MatrixForm> wmma_forms();

/// A form of mma.sp (16 rows) or of wgmma.mma_async (64 rows).
struct GroupForm {
  MatrixForm form;
  bool sparse = true, in_registers = true;
  unsigned selectors = 1;  ///< For sparse forms.
  bool is_group() const { return form.shape.m == 64; }
  bool scales() const { return is_group() && form.c != ptx::Type::s32; }
  bool transposes() const { return scales() && (form.a == ptx::Type::f16 || form.a == ptx::Type::bf16); }
};
std::vector<GroupForm> sparse_forms();
std::vector<GroupForm> group_forms();

/// An instruction of a form with the given operands: lists or descriptors.
std::string written(const GroupForm& form, const std::string& d, const std::string& a, const std::string& b,
                    const std::string& c, unsigned selector, bool transposes_a, bool transposes_b);

/// All instructions that matrix.test.cpp and matrix_move.test.cpp execute, without operands.
std::vector<std::string> tested_matrix_instructions();
/// All instructions that matrix_group.test.cpp executes, with operands.
std::vector<std::string> tested_group_instructions();

}  // namespace warpbook::simulator
