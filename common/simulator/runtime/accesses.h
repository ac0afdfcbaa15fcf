// What kind of access each memory operation of a program is: the key that metrics and source lines group by.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/simulator/kernel/program.h"
#include "common/simulator/observe/counters.h"

namespace warpbook::simulator::runtime {

/// Which way the data goes; `red` is an atomic whose result nobody wants.
enum class AccessOp : std::uint8_t { ld, st, atom, red, other };
enum class AccessSpace : std::uint8_t { global, shared, local, other };

const char* name_of(AccessOp op);
const char* name_of(AccessSpace space);

struct AccessKind {
  AccessOp op = AccessOp::other;
  AccessSpace space = AccessSpace::other;
  std::uint32_t bytes_per_lane = 0;
  auto operator<=>(const AccessKind&) const = default;
};

/// The kind of memory operation number @p memory (an index of Program::memory_operations). An operation on a generic
/// address counts where its accesses went: shared memory if it caused wavefronts there, global memory otherwise.
AccessKind access_kind(const Program& program, std::size_t memory, const MemoryCounters& counted);

}  // namespace warpbook::simulator::runtime
