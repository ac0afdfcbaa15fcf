// The kind of access of each memory operation in a program: the key by which metrics and source lines are grouped.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "common/simulator/kernel/program.h"
#include "common/simulator/observe/counters.h"

namespace warpbook::simulator::runtime {

/// The direction of the data. `red` is an atomic whose result is not used, `ldgsts` the machine code name of cp.async,
/// `tex` any texture read. Nsight Compute counts bulk copies, st.async and the like (`bulk_ld`, `bulk_st`) as none of
/// the others.
enum class AccessOp : std::uint8_t { ld, st, atom, red, ldgsts, tex, bulk_ld, bulk_st, other };
enum class AccessSpace : std::uint8_t { global, shared, local, texture, surface, other };

const char* name_of(AccessOp op);
const char* name_of(AccessSpace space);

struct AccessKind {
  AccessOp op = AccessOp::other;
  AccessSpace space = AccessSpace::other;
  std::uint32_t bytes_per_lane = 0;
  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the 0 that it compares with for a null pointer.
  auto operator<=>(const AccessKind&) const = default;
};

struct Access {
  AccessKind kind;
  MemoryCounters counted;
};

/// The accesses of one operation, by space: none, one or two.
class Accesses {
 public:
  void add(const Access& access) { all_[count_++] = access; }
  const Access* begin() const { return all_.data(); }
  const Access* end() const { return all_.data() + count_; }

 private:
  std::array<Access, 2> all_;
  std::size_t count_ = 0;
};

/// The accesses of memory operation number @p memory (an index of Program::memory_operations), by space. An
/// asynchronous copy reads global memory and writes shared memory. An operation on generic addresses counts where its
/// lanes went, in both spaces if they went to both.
Accesses accesses_of(const Program& program, std::size_t memory, const MemoryCounters& counted);

}  // namespace warpbook::simulator::runtime
