// Finds loops that wait for a clock, and removes them from the counts.
#include "common/simulator/model/clock_loops.h"

#include <algorithm>
#include <cmath>

namespace warpbook::simulator {
namespace {

using ptx::OperationId;

/// Operations of a warp before the next warp gets its turn (machine/block_state.cpp).
constexpr double kTurn = 4096;

/// The decoder's operation before an instruction that reads a clock: it has an output and no input.
bool reads_clock(const Operation& operation, const OperationDetail& detail) {
  return detail.internal && operation.d != kNoOperand && operation.a == kNoOperand && operation.count >= 4;
}

/// Number of the block that block @p number branches back to; number + 1 if it does not branch back.
std::size_t loop_begin(const Program& program, std::size_t number) {
  const Program::Range& block = program.blocks[number];
  for (std::uint32_t i = block.end; i > block.begin; --i) {
    if (program.details[i - 1].internal) continue;
    if (program.details[i - 1].id != OperationId::bra) return number + 1;
    const auto target = static_cast<std::size_t>(program.operations[i - 1].immediate);
    const std::size_t block_there = program.operations[target].block;
    return block_there <= number && program.blocks[block_there].begin == target ? block_there : number + 1;
  }
  return number + 1;
}

/// Whether a loop of operations [begin, end) reads a clock and does nothing else that takes time.
bool waits_for_clock(const Program& program, std::uint32_t begin, std::uint32_t end) {
  bool looks = false;
  for (std::uint32_t i = begin; i < end; ++i) {
    const OperationDetail& detail = program.details[i];
    looks = looks || reads_clock(program.operations[i], detail);
    if (detail.pipe == ptx::Pipe::barrier || detail.id == OperationId::call) return false;
  }
  if (!looks) return false;
  return std::none_of(program.memory_operations.begin(), program.memory_operations.end(),
                      [&](std::uint32_t at) { return at >= begin && at < end; });
}

/// The operations of the loop that block @p number ends, if that loop waits for a clock; else an empty range.
Program::Range clock_loop(const Program& program, std::size_t number) {
  const std::size_t first = loop_begin(program, number);
  if (first > number) return {};
  const std::uint32_t begin = program.blocks[first].begin, end = program.blocks[number].end;
  return waits_for_clock(program, begin, end) ? Program::Range{begin, end} : Program::Range{};
}

}  // namespace

bool has_clock_loops(const Program& program) {
  for (std::size_t b = 0; b < program.blocks.size(); ++b) {
    const Program::Range loop = clock_loop(program, b);
    if (loop.begin < loop.end) return true;
  }
  return false;
}

double take_out_clock_loops(const Program& program, Counters& counters) {
  double steps = 0;
  bool sleeps = false;
  for (std::size_t b = 0; b < program.blocks.size(); ++b) {
    const auto [begin, loop_end] = clock_loop(program, b);
    const auto end = static_cast<std::uint32_t>(std::min<std::size_t>(loop_end, counters.instructions.size()));
    for (std::uint32_t i = begin; i < end; ++i) {
      InstructionCounters& counted = counters.instructions[i];
      sleeps |= program.details[i].id == OperationId::nanosleep && counted.inst_executed != 0;
      if (counted.inst_executed <= counters.warps) continue;
      const std::uint64_t lanes = counted.thread_inst_executed / counted.inst_executed;
      steps += static_cast<double>(counted.inst_executed - counters.warps);
      counted.inst_executed = counters.warps;
      counted.thread_inst_executed = counted.thread_inst_executed_true = counters.warps * lanes;
    }
  }
  if (sleeps) steps += static_cast<double>(counters.slept);
  if (counters.blocks == 0 || steps == 0) return 0;
  // Without them it is not known which warp was the longest.
  counters.critical_warp_inst = counters.longest_warps_inst = 0;
  const double blocks = static_cast<double>(counters.blocks), of_block = steps / blocks;
  const double warps = std::max(1.0, static_cast<double>(counters.warps) / blocks);
  if (sleeps) return of_block;  // Who sleeps gives way, so all begin soon.
  // Each warp waits from its own first turn on: the last one starts as many turns late as there are other warps.
  return of_block < warps * kTurn ? of_block / warps : of_block - (warps - 1) * kTurn;
}

void add_clock_time(const Device& device, double cycles, std::uint64_t blocks, KernelTime& time) {
  if (cycles <= 0) return;
  const double places = static_cast<double>(device.multiprocessors) * std::max(time.occupancy.blocks, 1u);
  const double rounds = std::ceil(static_cast<double>(blocks) / places);
  const double us = rounds * cycles / device.clock_mhz();
  double slowest = 0;
  for (const auto& [name, component] : time.components) slowest = std::max(slowest, component);
  time.us += us;
  time.components.emplace_back("clock", us);
  if (us > slowest) time.limiter = "clock";
}

}  // namespace warpbook::simulator
