// Metrics of a launch under Nsight Compute's names, computed from the counters.
#pragma once

#include <map>
#include <string>

#include "common/simulator/kernel/program.h"
#include "common/simulator/machine/launch.h"
#include "common/simulator/model/time_model.h"
#include "common/simulator/observe/counters.h"

namespace warpbook::simulator::runtime {

/// A launch that has run, with everything that metrics are computed from.
struct MeasuredLaunch {
  const Program& program;
  const Counters& counters;
  const KernelTime& time;
  Dim3 grid, block;
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t dynamic_shared_bytes = 0;
  std::uint32_t reserved_shared_bytes = 0;  ///< By the system.
  unsigned registers = 0;
  double l2_sector_copies = 1;  ///< ModelConstants::l2_sector_copies
};

/// Ratios whose denominator is zero are 0, as Nsight Compute prints them.
std::map<std::string, double> metrics(const MeasuredLaunch& launch);

}  // namespace warpbook::simulator::runtime
