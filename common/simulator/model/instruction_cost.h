// The cost of one PTX instruction as machine code: how many instructions on which pipes, and the latency.
//
// The PTX that nvcc generates maps to machine code nearly one to one, with exceptions in both directions: moves,
// address conversions and parameter loads disappear; divisions, square roots and 64-bit arithmetic become several
// instructions. instruction_cost.cpp lists each exception once.
#pragma once

#include <array>

#include "common/simulator/kernel/program.h"
#include "common/simulator/model/device.h"

namespace warpbook::simulator {

constexpr std::size_t kPipeCount = std::tuple_size_v<decltype(ModelConstants::pipe_threads_per_cycle)>;

struct InstructionCost {
  std::array<double, kPipeCount> pipes{};  ///< Machine instructions by ptx::Pipe; for the tensor pipe its work.
  double instructions = 0;                 ///< Their number: issue slots.
  double latency = 0;                      ///< Cycles until the result can be used; 0 for memory accesses and moves.
};

InstructionCost cost_of(const ModelConstants& model, const OperationDetail& detail);

/// A 32-bit division or remainder by what has been divided by before: the reciprocal is there.
InstructionCost cost_of_known_divisor(const ModelConstants& model, bool is_signed);

/// match.any with so many different values.
InstructionCost cost_of_match(const ModelConstants& model, double values);

/// A product of 64 bits and a sum of 64 bits in one instruction.
InstructionCost cost_of_wide_sum(const ModelConstants& model);

/// The number of tensor pipe machine instructions for one operation.
unsigned tensor_instructions(const OperationDetail& detail);

}  // namespace warpbook::simulator
