// Backward data flow for live ranges, then a linear scan over them.
#include "common/simulator/kernel/liveness.h"

#include <algorithm>
#include <map>

namespace warpbook::simulator {
namespace {

using Bits = std::vector<std::uint64_t>;

bool test(const Bits& bits, std::uint32_t i) { return (bits[i / 64] >> (i % 64)) & 1; }
void set(Bits& bits, std::uint32_t i) { bits[i / 64] |= std::uint64_t{1} << (i % 64); }
void clear(Bits& bits, std::uint32_t i) { bits[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }

/// The live range of a register in positions: instruction i writes at 2i (and 2i + 1) and reads at 2i + 1, so a result
/// never shares its slot with an input of the same instruction.
struct Range {
  std::uint32_t begin = ~0u, end = 0;
  std::uint32_t name = 0;
  void cover(std::uint32_t position) {
    begin = std::min(begin, position);
    end = std::max(end, position);
  }
};

std::vector<Bits> live_out_of_blocks(const FlowGraph& graph, const std::vector<Access>& accesses, std::size_t words) {
  const auto& blocks = graph.blocks();
  std::vector<Bits> uses(blocks.size(), Bits(words)), kills(blocks.size(), Bits(words));
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (std::uint32_t i = blocks[b].end; i-- > blocks[b].begin;) {
      for (std::uint32_t w : accesses[i].writes) {
        if (accesses[i].guarded) continue;
        set(kills[b], w);
        clear(uses[b], w);
      }
      for (std::uint32_t r : accesses[i].reads) set(uses[b], r);
      if (accesses[i].guarded) {
        for (std::uint32_t w : accesses[i].writes) set(uses[b], w);
      }
    }
  }
  std::vector<Bits> in(blocks.size(), Bits(words)), out(blocks.size(), Bits(words));
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t b = blocks.size(); b-- > 0;) {
      for (std::uint32_t s : blocks[b].successors) {
        for (std::size_t k = 0; k < words; ++k) out[b][k] |= in[s][k];
      }
      for (std::size_t k = 0; k < words; ++k) {
        const std::uint64_t value = uses[b][k] | (out[b][k] & ~kills[b][k]);
        if (value != in[b][k]) {
          in[b][k] = value;
          changed = true;
        }
      }
    }
  }
  return out;
}

std::vector<Range> live_ranges(const FlowGraph& graph, const std::vector<Access>& accesses, std::size_t registers,
                               std::vector<std::uint32_t>& live_at_entry) {
  const std::size_t words = (registers + 63) / 64;
  const std::vector<Bits> out = live_out_of_blocks(graph, accesses, words);
  std::vector<Range> ranges(registers);
  for (std::uint32_t r = 0; r < registers; ++r) ranges[r].name = r;
  for (std::size_t b = 0; b < graph.blocks().size(); ++b) {
    const BasicBlock& block = graph.blocks()[b];
    Bits live = out[b];
    for (std::uint32_t r = 0; r < registers; ++r) {
      if (test(live, r)) ranges[r].cover(2 * block.end);
    }
    for (std::uint32_t i = block.end; i-- > block.begin;) {
      for (std::uint32_t w : accesses[i].writes) {
        ranges[w].cover(2 * i);
        ranges[w].cover(2 * i + 1);
        if (!accesses[i].guarded)
          clear(live, w);
        else
          set(live, w);
      }
      for (std::uint32_t r : accesses[i].reads) {
        ranges[r].cover(2 * i + 1);
        set(live, r);
      }
    }
    for (std::uint32_t r = 0; r < registers; ++r) {
      if (!test(live, r)) continue;
      ranges[r].cover(2 * block.begin);
      if (b == 0) live_at_entry.push_back(r);
    }
  }
  return ranges;
}

}  // namespace

SlotAssignment assign_slots(const FlowGraph& graph, const std::vector<Access>& accesses,
                            const std::vector<RegisterClass>& classes, std::uint32_t start) {
  SlotAssignment result;
  result.offset.assign(classes.size(), start);
  result.bytes = start;
  std::vector<Range> ranges = live_ranges(graph, accesses, classes.size(), result.live_at_entry);
  std::erase_if(ranges, [](const Range& r) { return r.begin > r.end; });
  std::sort(ranges.begin(), ranges.end(),
            [](const Range& a, const Range& b) { return a.begin != b.begin ? a.begin < b.begin : a.name < b.name; });
  std::multimap<std::uint32_t, std::uint32_t> active;  // End of the range -> register.
  std::vector<std::uint32_t> free[3];
  std::uint32_t pressure = 0;
  const auto weight = [&](std::uint32_t name) {
    return classes[name] == RegisterClass::wide ? 2u : classes[name] == RegisterClass::narrow ? 1u : 0u;
  };
  for (const Range& range : ranges) {
    while (!active.empty() && active.begin()->first < range.begin) {
      const std::uint32_t done = active.begin()->second;
      free[static_cast<int>(classes[done])].push_back(result.offset[done]);
      pressure -= weight(done);
      active.erase(active.begin());
    }
    const RegisterClass c = classes[range.name];
    auto& slots = free[static_cast<int>(c)];
    if (slots.empty()) {
      result.offset[range.name] = result.bytes;
      result.bytes += slot_bytes(c);
    } else {
      result.offset[range.name] = slots.back();
      slots.pop_back();
    }
    active.emplace(range.end, range.name);
    pressure += weight(range.name);
    result.pressure = std::max(result.pressure, pressure);
  }
  return result;
}

}  // namespace warpbook::simulator
