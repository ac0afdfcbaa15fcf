// What ptxas makes of a program: the machine instructions of each operation where it stands.
//
// instruction_cost.h knows an operation by itself. Here is what depends on its surroundings: a division whose divisor
// stays the same in a loop, or was divided by before; neighbouring loads from shared memory that become one wide load;
// reductions of a whole warp on one address.
#pragma once

#include <cstdint>
#include <vector>

#include "common/simulator/model/instruction_cost.h"
#include "common/simulator/model/time_model.h"

namespace warpbook::simulator {

/// By the index of Program::operations. Only of basic blocks that ran, and of those behind them.
struct MachineCode {
  const InstructionCost& cost(std::uint32_t index) const { return costs[place[index]]; }
  InstructionCost& cost(std::uint32_t index) { return costs[place[index]]; }
  std::vector<InstructionCost> costs;  ///< The first is that of all others: nothing.
  std::vector<std::uint32_t> place;    ///< In costs, by the index of the operation.
  /// Loads that are one wide load: 1 for a load of its own, 2 or 4 for the first of so many, 0 for the others.
  std::vector<std::uint8_t> loads;
  /// Atomics for which one lane goes on behalf of all on its address: of the warp, as the compiler knows that it uses
  /// one address, or in shared memory where each lane adds the same constant.
  std::vector<std::uint8_t> one_lane;
};

MachineCode machine_code(const ModelConstants& model, const KernelWork& work);

/// What a profiler counts: neighbouring loads from shared memory that are one wide load as that load, and where the
/// compiler lets one lane of a warp add for all, the one sector that it takes, in place of one for each lane.
Counters count_in_machine_code(const ModelConstants& model, const KernelWork& work);

/// The block that block @p number branches back to; number + 1 if it does not.
std::size_t loop_start(const Program& program, std::size_t number);

}  // namespace warpbook::simulator
