// Sums counters of workers.
#include "common/simulator/observe/counters.h"

#include <algorithm>

namespace warpbook::simulator {
namespace {

void add(InstructionCounters& to, const InstructionCounters& from) {
  to.inst_executed += from.inst_executed;
  to.thread_inst_executed += from.thread_inst_executed;
  to.thread_inst_executed_true += from.thread_inst_executed_true;
}

void add(MemoryCounters& to, const MemoryCounters& from) {
  to.requests += from.requests;
  to.sectors += from.sectors;
  to.sectors_ideal += from.sectors_ideal;
  to.lines += from.lines;
  to.sectors_hit += from.sectors_hit;
  to.bytes += from.bytes;
  to.wavefronts += from.wavefronts;
  to.wavefronts_ideal += from.wavefronts_ideal;
  to.conflicts += from.conflicts;
  to.serialised += from.serialised;
  to.tag_wavefronts += from.tag_wavefronts;
  to.shared_requests += from.shared_requests;
  to.shared_bytes += from.shared_bytes;
  to.stride_requests += from.stride_requests;
  if (is_wider_stride(from.stride, to.stride)) to.stride = from.stride;
}

void add(BranchCounters& to, const BranchCounters& from) {
  to.executed += from.executed;
  to.divergent += from.divergent;
}

template <class Counter>
void add_all(std::vector<Counter>& to, const std::vector<Counter>& from) {
  if (to.size() < from.size()) to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) add(to[i], from[i]);
}

}  // namespace

void Counters::add(const Counters& other) {
  add_all(instructions, other.instructions);
  add_all(memory, other.memory);
  add_all(branches, other.branches);
  barriers += other.barriers;
  grid_barriers += other.grid_barriers;
  blocks += other.blocks;
  warps += other.warps;
  critical_warp_inst = std::max(critical_warp_inst, other.critical_warp_inst);
  critical_block_inst = std::max(critical_block_inst, other.critical_block_inst);
}

}  // namespace warpbook::simulator
