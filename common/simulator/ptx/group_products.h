// What the operands of mma.sp and wgmma.mma_async say besides registers: numbers that are part of the instruction.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/simulator/ptx/operation_table.h"

namespace warpbook::simulator::ptx {

/// wgmma.mma_async, dense or sparse.
bool is_group_product(OperationId id);
/// mma.sp and wgmma.mma_async.sp.
bool is_sparse_product(OperationId id);
/// A wgmma.mma_async whose A is a list of registers, not a descriptor.
bool has_a_in_registers(OperationId id);

struct GroupImmediates {
  unsigned selector = 0;  ///< Of a sparse product: which lanes hold metadata.
  bool negates = false;   ///< The factors' scales together.
  bool transposes_a = false, transposes_b = false;
};

/// Several immediates in one: each has eight bits, the first the lowest.
std::int64_t pack_immediates(const std::vector<std::int64_t>& values);
/// Those of a wgmma.mma_async, from Operation::immediate.
GroupImmediates group_immediates(OperationId id, std::int64_t packed);

/// Why immediates of an mma.sp or wgmma.mma_async are wrong; empty if they are not.
std::string wrong_immediates(OperationId id, const Modifiers& modifiers, const std::vector<std::int64_t>& values);

}  // namespace warpbook::simulator::ptx
