// The immediate operands of mma.sp and wgmma.mma_async.
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
/// A wgmma.mma_async with A in registers instead of a descriptor.
bool has_a_in_registers(OperationId id);

struct GroupImmediates {
  unsigned selector = 0;  ///< For a sparse product: which lanes hold metadata.
  bool negates = false;   ///< The combined scale of A and B is -1.
  bool transposes_a = false, transposes_b = false;
};

/// Packs several immediates into one: eight bits each, the first lowest.
std::int64_t pack_immediates(const std::vector<std::int64_t>& values);
/// The immediates of a wgmma.mma_async, from Operation::immediate.
GroupImmediates group_immediates(OperationId id, std::int64_t packed);

/// Why the immediates of an mma.sp or wgmma.mma_async are invalid; empty if they are valid.
std::string wrong_immediates(OperationId id, const Modifiers& modifiers, const std::vector<std::int64_t>& values);

}  // namespace warpbook::simulator::ptx
