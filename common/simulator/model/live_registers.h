// How many loads a thread has registers for at a time.
//
// ptxas moves loads up as far as it may, so that those of a basic block are in flight together. Each occupies registers
// until its value is used: for the value, and for the address that the value is stored at, if that is computed in the
// block. What is left for them is what the kernel has, less the values that live on: product_registers<4, 16> of
// validation/families has eight loads in a row and 56 registers, 36 of which hold sums and indices, and waits twice for
// four loads; with 80 registers, ptxas loads all eight at once.
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <utility>

#include "common/simulator/model/machine_code.h"

namespace warpbook::simulator {

/// Registers of 32 bits whose values a thread keeps while it executes basic block @p number, which does not write them:
/// what is used later, or by the next iteration of a loop around it. Values that are the same in all lanes are in
/// uniform registers, and do not count.
unsigned registers_kept(const KernelWork& work, const MachineCode& code, std::size_t number);

/// Loads of one basic block, in their order.
class LoadsInFlight {
 public:
  LoadsInFlight(const KernelWork& work, const MachineCode& code, std::size_t number);

  /// When there are registers for the operation at @p index; 0 if it is no load that has to wait.
  double room_for(std::uint32_t index);
  void add(std::uint32_t index, double finish);

 private:
  std::unordered_map<std::uint32_t, double> needs_;  ///< Registers by load; empty if there are enough.
  std::deque<std::pair<double, double>> under_way_;  ///< When they arrive, their registers.
  double free_ = 0, taken_ = 0;
};

}  // namespace warpbook::simulator
