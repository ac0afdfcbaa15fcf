// Handlers of asynchronous operations, clusters and hints (ptx/operations/asynchronous.def). They work lane by lane, so
// one copy of the code serves all instruction sets.
#pragma once

#include "common/simulator/kernel/operation.h"
#include "common/simulator/ptx/operation_table.h"

namespace warpbook::simulator::asynchronous {

/// The handler of row @p id; nullptr if the combination of modifiers is not valid.
Handler resolve(ptx::OperationId id, const ptx::Modifiers& modifiers);

// By family; nullptr for rows of other families.
Handler resolve_mbarrier(ptx::OperationId id);
Handler resolve_bulk(ptx::OperationId id, const ptx::Modifiers& modifiers);
Handler resolve_tensor(ptx::OperationId id);
Handler resolve_tensor_map(ptx::OperationId id);
Handler resolve_cluster(ptx::OperationId id, const ptx::Modifiers& modifiers);

}  // namespace warpbook::simulator::asynchronous
