// Which registers of a kernel are linear in the block index: one number for the whole block plus a part for each
// thread.
//
// `blockIdx.x * blockDim.x + threadIdx.x`, and what is computed from it by sums and by products with numbers that all
// threads share: above all, addresses of array elements. Such a value is a number that follows from the block index
// (the origin) plus a launch constant (launch_constants.h), its value in block (0, 0, 0). The instructions are executed
// for that block alone. How much the origin grows from block to block follows from its neighbours
// (machine/linear_registers.h). The instructions are counted as always, because their counts follow from those of the
// basic blocks.
//
// Sums modulo 2^32 or 2^64 are linear even if they overflow. A value that is widened from 32 to 64 bits is linear only
// if it did not overflow; a launch checks that for all of its blocks.
#pragma once

#include <cstdint>
#include <vector>

#include "common/simulator/kernel/liveness.h"

namespace warpbook::simulator {

constexpr std::uint32_t kNoRegister = 0xffffffffu;

/// The properties of an instruction that matter here.
struct LinearForm {
  enum class Shape : std::uint8_t {
    other,
    sum,                ///< A sum or a difference of its operands, or a copy of one.
    product,            ///< The product of two operands.
    product_and_third,  ///< The product of two operands plus a third one.
    shifted,            ///< The first operand, shifted left by the second.
  };
  enum class Value : std::uint8_t { reg, same_for_all, differs_by_thread, block_index };
  struct Operand {
    Value value = Value::same_for_all;
    std::uint32_t reg = kNoRegister;  ///< If value is Value::reg.
  };
  Shape shape = Shape::other;
  bool widens = false;  ///< An operand of the sum or product has 32 bits, and the result 64.
  bool is_signed = false;
  std::vector<Operand> operands;
  bool shares_inputs = false;  ///< Its inputs other than registers are the same for all threads of the launch.
  /// The address register of an access that computes a linear address itself; the register need not be filled in.
  std::uint32_t address = kNoRegister;
};

struct BlockLinear {
  /// A register that must fit 32 bits without an overflow.
  struct Check {
    std::uint32_t reg = 0;
    bool is_signed = false;
    bool operator==(const Check&) const = default;
  };
  std::vector<bool> instructions;  ///< They are not executed block by block.
  std::vector<bool> registers;     ///< The registers that they write.
  std::vector<bool> filled;        ///< Those of the registers that other instructions read: they are filled in for each
                                   ///< block.
  std::vector<Check> checks;
};

/// @param constant the result of find_launch_constants()
/// @param live_at_entry registers that may be read before they are written (SlotAssignment)
/// @param beginning instructions that every thread executes. Filling in a register costs time in each block, so it is
/// done only for registers that these instructions write, and for what other linear instructions read
BlockLinear find_block_linear(const std::vector<LinearForm>& forms, const std::vector<Access>& accesses,
                              const std::vector<bool>& constant, const std::vector<bool>& crosses_lanes,
                              const std::vector<std::uint32_t>& live_at_entry, std::size_t registers,
                              std::size_t beginning);

}  // namespace warpbook::simulator
