// Counters by source line: the same counts as in the metrics, attributed to the lines that caused them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/simulator/kernel/program.h"
#include "common/simulator/observe/counters.h"
#include "common/simulator/runtime/accesses.h"

namespace warpbook::simulator::runtime {

struct LineAccess {
  AccessKind kind;
  MemoryCounters counted;
  std::optional<std::int64_t> stride;  ///< Bytes between neighbouring lanes, if every request had the same.
};

struct SourceLine {
  std::string file;  ///< Empty if the program was built without -lineinfo.
  std::uint32_t line = 0;
  InstructionCounters instructions;
  std::uint64_t branches = 0, divergent_branches = 0;
  std::vector<LineAccess> accesses;  ///< Sorted by kind.
};

/// Lines that were executed, sorted by file and line.
std::vector<SourceLine> source_lines(const Program& program, const Counters& counters);

}  // namespace warpbook::simulator::runtime
