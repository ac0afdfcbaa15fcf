// Runs a test row on the virtual GPU: from its text through the parser and the decoder to results.
#pragma once

#include <stdexcept>

#include "common/simulator/machine/operations/rows/rows.h"
#include "common/simulator/machine/testing.h"

namespace warpbook::simulator::rows {

/// The results of all cases, in the format in which the replay program reads them from a GPU. @throws
/// std::runtime_error on a fault
inline std::vector<std::uint64_t> run_virtually(const Row& row, std::string_view body) {
  testing::Bench bench(module_text(row, body));
  bench.settings.threads = 1;
  bench.settings.explicit_cluster = row.in_cluster;
  bench.settings.resident_blocks = kCases / kBlock;
  std::vector<std::uint64_t> inputs = inputs_of(row);
  if (inputs.empty()) inputs.push_back(0);
  const std::vector<std::uint64_t> zeros(kCases * row.outputs.size());
  std::vector<std::uint8_t> scratch(kCases * kScratchBytes);
  for (std::size_t k = 0; k < scratch.size(); ++k) scratch[k] = static_cast<std::uint8_t>(k % kScratchBytes);
  const std::uint64_t in = bench.array(inputs), out = bench.array(zeros), extra = bench.array(scratch);
  const LaunchResult result = bench.launch("row", {kCases / kBlock}, {kBlock}, {in, out, extra});
  if (result.fault) throw std::runtime_error("fault: " + result.fault.message);
  return bench.read<std::uint64_t>(out, zeros.size());
}

}  // namespace warpbook::simulator::rows
