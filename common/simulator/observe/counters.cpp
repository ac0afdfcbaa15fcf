// Sums the workers' counters.
#include "common/simulator/observe/counters.h"

#include <algorithm>

namespace warpbook::simulator {
namespace {

template <class Counter>
void add_all(std::vector<Counter>& to, const std::vector<Counter>& from) {
  if (to.size() < from.size()) to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) to[i].add(from[i]);
}

constexpr Sums<Counters, 8> kLaunchSums = {
    &Counters::barriers, &Counters::grid_barriers, &Counters::shared_swaps,       &Counters::match_values,
    &Counters::blocks,   &Counters::warps,         &Counters::longest_warps_inst, &Counters::slept};
constexpr Sums<Counters, 2> kLaunchMaxima = {&Counters::critical_warp_inst, &Counters::critical_block_inst};

}  // namespace

void InstructionCounters::add(const InstructionCounters& more) { add_sums(kInstructionSums, *this, more); }

void MemoryCounters::add(const MemoryCounters& more) {
  add_sums(kMemorySums, *this, more);
  if (is_wider_stride(more.stride, stride)) stride = more.stride;
  reach = std::max(reach, more.reach);
}

void BranchCounters::add(const BranchCounters& more) { add_sums(kBranchSums, *this, more); }

void Counters::note_block(std::uint64_t number, std::uint64_t work) {
  if (number >= kMostBlockWork) return;
  if (block_work.size() <= number) block_work.resize(number + 1);
  block_work[number] = static_cast<std::uint32_t>(std::min<std::uint64_t>(work, UINT32_MAX));
}

void Counters::add(const Counters& other) {
  if (block_work.size() < other.block_work.size()) block_work.resize(other.block_work.size());
  for (std::size_t b = 0; b < other.block_work.size(); ++b)
    block_work[b] = std::max(block_work[b], other.block_work[b]);
  add_all(instructions, other.instructions);
  add_all(memory, other.memory);
  add_all(branches, other.branches);
  add_sums(kLaunchSums, *this, other);
  for (const auto member : kLaunchMaxima) this->*member = std::max(this->*member, other.*member);
}

}  // namespace warpbook::simulator
