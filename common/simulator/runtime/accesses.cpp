// Classifies memory operations.
#include "common/simulator/runtime/accesses.h"

#include <array>
#include <string_view>

#include "common/simulator/kernel/image_operations.h"
#include "common/simulator/ptx/fragments.h"
#include "common/simulator/ptx/operation_table.h"

namespace warpbook::simulator::runtime {

const char* name_of(AccessOp op) {
  switch (op) {
    case AccessOp::ld:
      return "ld";
    case AccessOp::st:
      return "st";
    case AccessOp::atom:
      return "atom";
    case AccessOp::red:
      return "red";
    case AccessOp::ldgsts:
      return "ldgsts";
    case AccessOp::tex:
      return "tex";
    case AccessOp::bulk_ld:
      return "bulk_ld";
    case AccessOp::bulk_st:
      return "bulk_st";
    case AccessOp::other:
      break;
  }
  return "other";
}

const char* name_of(AccessSpace space) {
  switch (space) {
    case AccessSpace::global:
      return "global";
    case AccessSpace::shared:
      return "shared";
    case AccessSpace::local:
      return "local";
    case AccessSpace::texture:
      return "texture";
    case AccessSpace::surface:
      return "surface";
    case AccessSpace::other:
      break;
  }
  return "other";
}

namespace {

AccessOp op_of_row(const ptx::OperationRow& row) {
  const std::string_view opcode = row.opcode;
  if (row.name == "st_async" || row.name == "red_async") return AccessOp::bulk_st;
  if (row.name.starts_with("cp_async_bulk_load") || row.name.starts_with("cp_async_bulk_tensor_load") ||
      row.name.starts_with("cp_async_bulk_tensor_gather"))
    return AccessOp::bulk_ld;
  if (row.name.starts_with("cp_async_bulk_store") || row.name.starts_with("cp_async_bulk_tensor_store") ||
      row.name == "cp_async_bulk_tensor_scatter" || row.name == "cp_reduce_async_bulk_store" ||
      row.name.starts_with("cp_reduce_async_bulk_tensor"))
    return AccessOp::bulk_st;
  if (opcode == "ldmatrix") return AccessOp::ld;
  if (opcode == "stmatrix") return AccessOp::st;
  if (opcode == "wmma") return row.name.starts_with("wmma_load") ? AccessOp::ld : AccessOp::st;
  if (opcode == "ld" || opcode == "ldu") return AccessOp::ld;
  if (opcode == "st") return AccessOp::st;
  if (opcode == "atom") return AccessOp::atom;
  if (opcode == "red") return AccessOp::red;
  if (row.name == "cp_async" || row.name == "cp_async_cache_hint") return AccessOp::ldgsts;
  if (opcode == "tex" || opcode == "tld4") return AccessOp::tex;
  if (opcode == "suld") return AccessOp::ld;
  if (opcode == "sust") return AccessOp::st;
  return AccessOp::other;
}

/// The direction of each operation, by its number: asked for every memory operation of every grid.
AccessOp op_of(ptx::OperationId id) {
  static const auto all = [] {
    std::array<AccessOp, static_cast<std::size_t>(ptx::OperationId::count)> ops{};
    for (std::size_t i = 0; i < ops.size(); ++i) ops[i] = op_of_row(ptx::row(static_cast<ptx::OperationId>(i)));
    return ops;
  }();
  return all[static_cast<std::size_t>(id)];
}

/// The shared memory part of an operation's counters; only shared memory counts wavefronts.
MemoryCounters in_shared_memory(const MemoryCounters& all) {
  MemoryCounters part;
  part.requests = all.shared_requests;
  part.bytes = all.shared_bytes;
  part.wavefronts = all.wavefronts;
  part.wavefronts_ideal = all.wavefronts_ideal;
  part.conflicts = all.conflicts;
  return part;
}

/// The rest. Counters that cannot be separated (strides, lanes on one address) go to this part if there is no other.
MemoryCounters elsewhere(const MemoryCounters& all) {
  MemoryCounters part = all;
  part.requests -= all.shared_requests;
  part.bytes -= all.shared_bytes;
  part.wavefronts = part.wavefronts_ideal = part.conflicts = 0;
  part.shared_requests = part.shared_bytes = 0;
  if (all.shared_requests > 0) part.stride_requests = 0;
  return part;
}

}  // namespace

Accesses accesses_of(const Program& program, std::size_t memory, const MemoryCounters& counted) {
  Accesses accesses;
  if (counted.requests == 0) return accesses;
  const std::uint32_t index = program.memory_operations[memory];
  const Operation& operation = program.operations[index];
  const OperationDetail& detail = program.details[index];
  const AccessOp op = op_of(detail.id);
  if (op == AccessOp::other) return accesses;
  const unsigned elements = operation.count > 1 ? operation.count : 1;
  // The type of cp.async is bytes, with the given size. For matrix operations, the registers of a lane do not belong to
  // its own address.
  const bool matrix = ptx::fragment_registers(detail.id, detail.modifiers) != std::array<unsigned, 4>{};
  const std::uint32_t bytes = op == AccessOp::ldgsts ? operation.count
                              : matrix               ? elements * (detail.modifiers.types[0] == ptx::Type::f64 ? 8 : 4)
                                                     : elements * ptx::size_of(detail.modifiers.types[0]);
  const auto add = [&](AccessSpace space, const MemoryCounters& part) {
    if (part.requests > 0) accesses.add({{op, space, bytes}, part});
  };
  if (is_image_operation(detail.id)) {
    // These are passes of the texture unit, not of shared memory.
    const AccessSpace space = op == AccessOp::tex ? AccessSpace::texture : AccessSpace::surface;
    accesses.add({{op, space, bytes}, elsewhere(counted)});
    return accesses;
  }
  if (op == AccessOp::ldgsts) {
    add(AccessSpace::global, elsewhere(counted));
    add(AccessSpace::shared, in_shared_memory(counted));
    return accesses;
  }
  if (op == AccessOp::bulk_ld || op == AccessOp::bulk_st) {
    const bool to_block = ptx::row(detail.id).opcode != std::string_view("cp");
    accesses.add({{op, to_block ? AccessSpace::shared : AccessSpace::global, to_block ? bytes : 0}, counted});
    return accesses;
  }
  switch (detail.modifiers.space) {
    case ptx::Space::global:
      add(AccessSpace::global, counted);
      break;
    case ptx::Space::shared:
      add(AccessSpace::shared, counted);
      break;
    case ptx::Space::local:
      add(AccessSpace::local, counted);
      break;
    case ptx::Space::generic:
      if (counted.shared_requests == counted.requests) {
        add(AccessSpace::shared, counted);
      } else {
        add(AccessSpace::global, elsewhere(counted));
        add(AccessSpace::shared, in_shared_memory(counted));
      }
      break;
    default:
      break;
  }
  return accesses;
}

}  // namespace warpbook::simulator::runtime
