// What ptxas generates for a program: the machine instructions of each operation in its context.
//
// instruction_cost.h looks at an operation by itself. This file handles what depends on the context: a division whose
// divisor is constant in a loop or was used before; adjacent loads from shared memory that become one wide load;
// reductions of a whole warp to one address.
#pragma once

#include <cstdint>
#include <vector>

#include "common/simulator/model/instruction_cost.h"
#include "common/simulator/model/time_model.h"

namespace warpbook::simulator {

/// By index in Program::operations. Only for basic blocks that ran, and for those after them.
struct MachineCode {
  const InstructionCost& cost(std::uint32_t index) const { return costs[place[index]]; }
  InstructionCost& cost(std::uint32_t index) { return costs[place[index]]; }
  std::vector<InstructionCost> costs;  ///< The first entry is shared by all operations without cost.
  std::vector<std::uint32_t> place;    ///< Index into costs for each operation.
  /// Merged loads: 1 for a load of its own, 2 or 4 for the first of that many, 0 for the others.
  std::vector<std::uint8_t> loads;
  /// Atomics that one lane performs for all lanes with its address: for the whole warp if the compiler knows that it
  /// uses one address, or in shared memory if each lane adds the same constant.
  std::vector<std::uint8_t> one_lane;
  bool arrays_in_registers = false;   ///< Local arrays are in registers: accesses to them are no accesses to memory.
  std::vector<std::uint8_t> uniform;  ///< Whether all lanes of a warp have the same result, as far as the code says.
};

MachineCode machine_code(const ModelConstants& model, const KernelWork& work);

/// The counters as a profiler sees them: adjacent loads from shared memory that are merged count as one wide load, and
/// if the compiler lets one lane of a warp add for all, its one sector counts instead of one for each lane.
Counters count_in_machine_code(const ModelConstants& model, const KernelWork& work);

/// The block that block @p number branches back to; number + 1 if it does not.
std::size_t loop_start(const Program& program, std::size_t number);

/// Whether a block adds to a slot itself, once: ptxas unrolls a loop that ends when its counter has come to a value.
bool is_counter(const Program& program, const Program::Range& block, std::uint32_t slot);

/// Whether the access at @p index goes through memory in order: its loop, of one block, only adds to its address.
bool goes_in_order(const Program& program, std::uint32_t index);

}  // namespace warpbook::simulator
