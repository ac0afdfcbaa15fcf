// Sums counters by source line.
#include "common/simulator/runtime/source_lines.h"

#include <tuple>
#include <utility>

#include "common/simulator/runtime/branches.h"

namespace warpbook::simulator::runtime {
namespace {

struct Sum {
  SourceLine line;
  std::map<AccessKind, LineAccess> accesses;
};

void add(LineAccess& access, const MemoryCounters& more) {
  const bool first = access.counted.requests == 0;
  access.counted.add(more);
  const bool regular = more.stride_requests == more.requests;
  if (first) {
    access.stride = regular ? std::optional(more.stride) : std::nullopt;
  } else if (!regular || access.stride != more.stride) {
    access.stride.reset();
  }
}

}  // namespace

std::vector<SourceLine> source_lines(const Program& program, const Counters& counters) {
  std::map<std::tuple<std::string, std::uint32_t>, Sum> sums;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Sum*> known;  // By the file's number: there are many operations.
  const auto at = [&](std::uint32_t operation) -> Sum& {
    const ptx::SourcePosition& source = program.details[operation].source;
    Sum*& same = known[{source.file, source.line}];
    if (same != nullptr) return *same;
    const auto file = program.files.find(source.file);
    const std::string name = file == program.files.end() ? std::string() : file->second;
    Sum& sum = sums[{name, name.empty() ? 0 : source.line}];
    sum.line.file = name;
    sum.line.line = name.empty() ? 0 : source.line;
    same = &sum;
    return sum;
  };
  for (std::uint32_t i = 0; i < counters.instructions.size(); ++i) {
    const InstructionCounters& executed = counters.instructions[i];
    if (executed.inst_executed == 0 || program.details[i].pipe == ptx::Pipe::none) continue;
    at(i).line.instructions.add(executed);
  }
  for (std::size_t i = 0; i < counters.branches.size() && i < program.branches.size(); ++i) {
    if (counters.branches[i].executed == 0 || only_ends_threads(program, i)) continue;
    Sum& sum = at(program.branches[i]);
    sum.line.branches += counters.branches[i].executed;
    sum.line.divergent_branches += counters.branches[i].divergent;
  }
  for (std::size_t i = 0; i < counters.memory.size() && i < program.memory_operations.size(); ++i) {
    for (const Access& part : accesses_of(program, i, counters.memory[i])) {
      LineAccess& access = at(program.memory_operations[i]).accesses[part.kind];
      access.kind = part.kind;
      add(access, part.counted);
    }
  }
  std::vector<SourceLine> lines;
  for (auto& [place, sum] : sums) {
    for (auto& [kind, access] : sum.accesses) sum.line.accesses.push_back(access);
    lines.push_back(std::move(sum.line));
  }
  return lines;
}

}  // namespace warpbook::simulator::runtime
