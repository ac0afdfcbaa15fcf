// A kernel is limited by latency if there are too few warps to run meanwhile. Counts them; texts are for students.
#include "grader/judge/waiting.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "grader/judge/quantity.h"

namespace warpbook::grader {

namespace {

constexpr double kFewLanes = 8;        ///< Of the 32 of a warp.
constexpr double kFewBlocks = 0.5;     ///< Of those that the device runs at a time.
constexpr double kFewResident = 0.75;  ///< Of the warps that a multiprocessor runs at a time.

double metric(const KernelRecord& kernel, const std::string& name) {
  const auto found = kernel.metrics.find("launch__" + name);
  return found == kernel.metrics.end() ? 0 : found->second;
}

double lanes_at_work(const KernelRecord& kernel) {
  double lanes = 0, instructions = 0;
  for (const LineCounters& line : kernel.lines) {
    lanes += line.thread_inst_executed;
    instructions += line.inst_executed;
  }
  return instructions > 0 ? lanes / instructions : 32;
}

/// Three digits: a profile holds the number of waves with six places, which is not many for one block.
double rounded(double blocks) {
  const double place = std::pow(10, std::max(0.0, std::floor(std::log10(blocks)) - 2));
  return std::round(blocks / place) * place;
}

std::string plural(double count, const std::string& noun) {
  return number_text(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace

const Advice& advice_on_waiting(Finding& finding, const Profile& profile, const KernelRecord& kernel, double all_us) {
  const double lanes = lanes_at_work(kernel);
  if (lanes < kFewLanes) {
    finding.facts.push_back("On average " + number_text(lanes) + " of a warp's 32 lanes work. " +
                            advice::kFewLanes.why);
    finding.evidence.push_back({"lanes_at_work", lanes, "lanes"});
    return advice::kFewLanes;
  }
  const double waves = metric(kernel, "waves_per_multiprocessor"), blocks = metric(kernel, "grid_size");
  const double threads = metric(kernel, "block_size");
  const auto launches = std::count_if(profile.kernels.begin(), profile.kernels.end(),
                                      [](const KernelRecord& one) { return !one.parent; });
  if (2 * kernel.time_us < all_us && launches > 1) {
    finding.facts.push_back("It is one of " + std::to_string(launches) + " launches, and takes " +
                            number_text(std::round(100 * kernel.time_us / all_us)) + " % of the time.");
    finding.evidence.push_back({"launches", static_cast<double>(launches), "launches"});
    return waves > 0 && waves <= kFewBlocks ? advice::kSideBySide : advice::kPasses;
  }
  if (waves > 0 && waves <= kFewBlocks) {
    finding.facts.push_back("Its grid has " + plural(blocks, "block") + " of " + plural(threads, "thread") +
                            "; the device runs about " + number_text(rounded(blocks / waves)) + " of them at a time.");
    finding.evidence.push_back({"blocks", blocks, "blocks"});
    finding.evidence.push_back({"waves", waves, "waves"});
    return advice::kFewBlocks;
  }
  const double by_warps = metric(kernel, "occupancy_limit_warps");
  const double by_registers = metric(kernel, "occupancy_limit_registers");
  const double by_shared = metric(kernel, "occupancy_limit_shared_mem");
  const double resident = std::min({by_warps, by_registers, by_shared});
  if (resident > 0 && resident <= kFewResident * by_warps) {
    const bool registers = by_registers <= by_shared;
    finding.facts.push_back(
        (registers
             ? "A thread of it takes " + plural(metric(kernel, "registers_per_thread"), "register")
             : "A block of it takes " + plural(metric(kernel, "shared_mem_per_block"), "byte") + " of shared memory") +
        ": a multiprocessor runs " + plural(resident, "block") + " of " + plural(threads, "thread") +
        " at a time, where it has threads for " + number_text(by_warps) + ".");
    finding.evidence.push_back({"resident_blocks", resident, "blocks"});
    finding.evidence.push_back({"blocks_by_threads", by_warps, "blocks"});
    return registers ? advice::kRegisters : advice::kSharedBytes;
  }
  return advice::kLatency;
}

}  // namespace warpbook::grader
