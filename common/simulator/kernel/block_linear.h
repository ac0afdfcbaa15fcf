// Which registers of a kernel are linear in the block's index: one number for the whole block and a part of each
// thread.
//
// `blockIdx.x * blockDim.x + threadIdx.x` and what is computed from it by sums and by products with numbers that all
// threads share, addresses of array elements above all: a number that follows from the block's index (the origin), and
// a launch constant (launch_constants.h), the value in block (0, 0, 0). The instructions are executed for that block
// alone; how much the origin grows from block to block follows from its neighbours (machine/linear_registers.h). They
// are counted as always, because counts follow from those of basic blocks.
//
// Sums modulo 2^32 or 2^64 are linear whatever overflows. Where 32 bits become 64 they are so only if they have not
// overflowed, which a launch checks for all of its blocks.
#pragma once

#include <cstdint>
#include <vector>

#include "common/simulator/kernel/liveness.h"

namespace warpbook::simulator {

constexpr std::uint32_t kNoRegister = 0xffffffffu;

/// An instruction as far as it matters here.
struct LinearForm {
  enum class Shape : std::uint8_t {
    other,
    sum,                ///< A sum or a difference of its operands, or a copy of one.
    product,            ///< Of two.
    product_and_third,  ///< The product of two, and a third added to it.
    shifted,            ///< The first, shifted to the left by the second.
  };
  enum class Value : std::uint8_t { reg, same_for_all, differs_by_thread, block_index };
  struct Operand {
    Value value = Value::same_for_all;
    std::uint32_t reg = kNoRegister;  ///< For Value::reg.
  };
  Shape shape = Shape::other;
  bool widens = false;  ///< A sum's operand, or a product's, has 32 bits where the result has 64.
  bool is_signed = false;
  std::vector<Operand> operands;
  bool shares_inputs = false;  ///< What it reads beside registers is the same for all threads of the launch.
  /// The register that holds the address of an access that finds a linear one by itself; it need not be filled.
  std::uint32_t address = kNoRegister;
};

struct BlockLinear {
  /// A register that 32 bits must hold without an overflow.
  struct Check {
    std::uint32_t reg = 0;
    bool is_signed = false;
    bool operator==(const Check&) const = default;
  };
  std::vector<bool> instructions;  ///< Not executed block by block.
  std::vector<bool> registers;     ///< What they write.
  std::vector<bool> filled;        ///< Registers of these that others read: filled for each block.
  std::vector<Check> checks;
};

/// @param constant what find_launch_constants() found
/// @param live_at_entry registers that may be read before they are written (SlotAssignment)
/// @param beginning instructions that every thread executes: what is filled costs each block, so only what these write
/// is, and what others that are linear are made of
BlockLinear find_block_linear(const std::vector<LinearForm>& forms, const std::vector<Access>& accesses,
                              const std::vector<bool>& constant, const std::vector<bool>& crosses_lanes,
                              const std::vector<std::uint32_t>& live_at_entry, std::size_t registers,
                              std::size_t beginning);

}  // namespace warpbook::simulator
