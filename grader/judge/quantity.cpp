// Quantities from counters: sums over launches first, the ratio last, so that short launches do not weigh too much.
#include "grader/judge/quantity.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace warpbook::grader {

namespace {

bool selected(const KernelRecord& kernel, const std::string& name) {
  return name.empty() || kernel.name.find(name) != std::string::npos;
}

/// Sums a function of the counters of every access of one space and direction.
template <class Count>
double sum_accesses(const Profile& profile, const std::string& kernel, const char* space, Direction direction,
                    Count count) {
  double sum = 0;
  for (const KernelRecord& record : profile.kernels) {
    if (!selected(record, kernel)) continue;
    for (const LineCounters& line : record.lines) {
      for (const AccessCounters& access : line.accesses) {
        if (access.space == space && moves(access, direction)) sum += count(access);
      }
    }
  }
  return sum;
}

template <class Count>
double sum_lines(const Profile& profile, const std::string& kernel, Count count) {
  double sum = 0;
  for (const KernelRecord& record : profile.kernels) {
    if (!selected(record, kernel)) continue;
    for (const LineCounters& line : record.lines) sum += count(line);
  }
  return sum;
}

/// The largest value of a metric over the launches, or nothing if none has it.
std::optional<double> largest_metric(const Profile& profile, const std::string& kernel, const std::string& metric) {
  std::optional<double> largest;
  for (const KernelRecord& record : profile.kernels) {
    const auto found = record.metrics.find(metric);
    if (!selected(record, kernel) || found == record.metrics.end()) continue;
    largest = std::max(largest.value_or(found->second), found->second);
  }
  return largest;
}

double sum_metric(const Profile& profile, const std::string& kernel, const std::string& metric) {
  double sum = 0;
  for (const KernelRecord& record : profile.kernels) {
    const auto found = record.metrics.find(metric);
    if (selected(record, kernel) && found != record.metrics.end()) sum += found->second;
  }
  return sum;
}

template <class Condition>
double count_launches(const Profile& profile, const std::string& kernel, Condition condition) {
  return static_cast<double>(
      std::count_if(profile.kernels.begin(), profile.kernels.end(),
                    [&](const KernelRecord& record) { return selected(record, kernel) && condition(record); }));
}

/// Most grids launched by kernels at any moment; a grid that ends when another starts is not beside it.
double children_at_a_time(const Profile& profile, const std::string& kernel) {
  std::vector<std::pair<double, int>> changes;
  for (const KernelRecord& record : profile.kernels) {
    if (!selected(record, kernel) || !record.parent) continue;
    changes.emplace_back(record.start_us, +1);
    changes.emplace_back(record.start_us + record.time_us, -1);
  }
  std::sort(changes.begin(), changes.end());
  int now = 0, most = 0;
  for (const auto& change : changes) most = std::max(most, now += change.second);
  return most;
}

std::optional<double> ratio(double above, double below) {
  if (below <= 0) return std::nullopt;
  return above / below;
}

double requests(const AccessCounters& a) { return a.requests; }
double sectors(const AccessCounters& a) { return a.sectors; }
double sectors_ideal(const AccessCounters& a) { return a.sectors_ideal; }
double wavefronts(const AccessCounters& a) { return a.wavefronts; }
double wavefronts_ideal(const AccessCounters& a) { return a.wavefronts_ideal; }
double conflicts(const AccessCounters& a) { return a.conflicts; }

constexpr double kSectorBytes = 32;

/// From the first event or work on the device to the last: what begins before the first event, or ends behind the last
/// one, takes time all the same.
double whole_span(const Profile& profile) {
  double begin = profile.events_us.front(), end = profile.events_us.back();
  const auto add = [&](double start_us, double time_us) {
    begin = std::min(begin, start_us);
    end = std::max(end, start_us + time_us);
  };
  for (const double event : profile.events_us) add(event, 0);
  for (const KernelRecord& kernel : profile.kernels) add(kernel.start_us, kernel.time_us);
  for (const CopyRecord& copy : profile.copies) add(copy.start_us, copy.time_us);
  for (const MigrationRecord& migration : profile.migrations) add(migration.start_us, migration.time_us);
  return end - begin;
}

bool any_selected(const Profile& profile, const std::string& kernel) {
  return std::any_of(profile.kernels.begin(), profile.kernels.end(),
                     [&](const KernelRecord& record) { return selected(record, kernel); });
}

/// Sums that are good when small: of no launch at all they would say that the answer does well.
bool needs_a_launch(Quantity quantity) {
  switch (quantity) {
    case Quantity::shared_bank_conflicts:
    case Quantity::shared_requests:
    case Quantity::shared_wavefronts:
    case Quantity::global_load_bytes:
    case Quantity::global_store_bytes:
    case Quantity::global_load_requests:
    case Quantity::global_store_requests:
    case Quantity::idle_lanes:
    case Quantity::divergent_branches:
    case Quantity::warp_instructions:
    case Quantity::busiest_block_instructions:
    case Quantity::global_atomic_requests:
    case Quantity::gpu_page_faults:
    case Quantity::cpu_page_faults:
    case Quantity::bytes_migrated_to_device:
    case Quantity::bytes_migrated_to_host:
    case Quantity::grid_barriers:
      return true;
    default:
      return false;
  }
}

/// Bytes of all copies in one direction.
double copied(const Profile& profile, const char* kind) {
  double bytes = 0;
  for (const CopyRecord& copy : profile.copies)
    if (copy.kind == kind) bytes += copy.bytes;
  return bytes;
}

/// From the start of the first to the end of the last: kernels, and copies if @p with_copies.
std::optional<double> span(const Profile& profile, const std::string& kernel, bool with_copies) {
  double begin = std::numeric_limits<double>::infinity(), end = 0;
  const auto include = [&](double start_us, double time_us) {
    begin = std::min(begin, start_us);
    end = std::max(end, start_us + time_us);
  };
  for (const KernelRecord& record : profile.kernels)
    if (selected(record, kernel)) include(record.start_us, record.time_us);
  if (with_copies)
    for (const CopyRecord& copy : profile.copies) include(copy.start_us, copy.time_us);
  if (end <= begin) return std::nullopt;
  return end - begin;
}

}  // namespace

bool moves(const AccessCounters& access, Direction direction) {
  const std::string& op = access.op;
  const bool atomic = op == "atom" || op == "red";
  switch (direction) {
    case Direction::in:
      return op == "ld" || op == "atom" || (op == "ldgsts" && access.space == "global");
    case Direction::out:
      return op == "st" || atomic || (op == "ldgsts" && access.space == "shared");
    case Direction::both:
      return atomic;
    case Direction::any:
      return true;
  }
  return false;
}

Quantity predicted_time(const Manifest& manifest) {
  if (manifest.time_between_events) return Quantity::time_between_events_us;
  return manifest.time_with_copies ? Quantity::time_with_copies_us : Quantity::time_us;
}

// Each quantity once: its key, its words, its unit.
#define WB_QUANTITIES(X)                                                                                 \
  X(global_load_sectors_per_request, "sectors per request of global loads", "sectors")                   \
  X(global_store_sectors_per_request, "sectors per request of global stores", "sectors")                 \
  X(global_load_sectors_ratio, "sectors of global loads, relative to the ideal", "")                     \
  X(global_store_sectors_ratio, "sectors of global stores, relative to the ideal", "")                   \
  X(shared_load_wavefronts_ratio, "wavefronts of shared-memory loads, relative to the ideal", "")        \
  X(shared_store_wavefronts_ratio, "wavefronts of shared-memory stores, relative to the ideal", "")      \
  X(shared_load_wavefronts_per_request, "wavefronts per request of shared-memory loads", "wavefronts")   \
  X(shared_store_wavefronts_per_request, "wavefronts per request of shared-memory stores", "wavefronts") \
  X(shared_bank_conflicts, "bank conflicts in shared memory", "conflicts")                               \
  X(shared_requests, "requests to shared memory", "requests")                                            \
  X(shared_wavefronts, "wavefronts in shared memory", "wavefronts")                                      \
  X(shared_bytes_per_block, "bytes of shared memory for each block", "bytes")                            \
  X(global_load_bytes, "bytes moved by global loads", "bytes")                                           \
  X(global_store_bytes, "bytes moved by global stores", "bytes")                                         \
  X(global_load_requests, "requests of global loads", "requests")                                        \
  X(global_store_requests, "requests of global stores", "requests")                                      \
  X(idle_lanes, "idle lanes, summed over all instructions of warps", "lanes")                            \
  X(active_threads_per_instruction, "active threads per instruction", "threads")                         \
  X(active_threads_predicated_on, "active threads per instruction, predicated-on", "threads")            \
  X(divergent_branches, "divergent branches", "branches")                                                \
  X(kernel_launches, "kernel launches", "launches")                                                      \
  X(launches_by_kernels, "launches by kernels", "launches")                                              \
  X(launches_by_host, "kernel launches by the host", "launches")                                         \
  X(children_at_a_time, "children that run at the same time", "grids")                                   \
  X(tail_launches, "tail launches", "launches")                                                          \
  X(launch_depth, "levels of launches by kernels", "levels")                                             \
  X(heap_peak_bytes, "bytes of the device heap in use at a time", "bytes")                               \
  X(heap_live_bytes, "bytes of the device heap that were not given back", "bytes")                       \
  X(warp_instructions, "instructions of warps", "instructions")                                          \
  X(busiest_block_instructions, "instructions of the busiest block", "instructions")                     \
  X(global_atomic_requests, "atomic operations of warps on global memory", "requests")                   \
  X(barriers_per_warp, "barriers of the block for each warp", "barriers")                                \
  X(grid_barriers, "barriers of the whole grid", "barriers")                                             \
  X(global_load_gb_per_s, "gigabytes loaded in a second", "GB/s")                                        \
  X(bytes_copied_to_device, "bytes copied to the device", "bytes")                                       \
  X(bytes_copied_to_host, "bytes copied to the host", "bytes")                                           \
  X(time_with_copies_us, "predicted time in microseconds, copies included", "us")                        \
  X(gpu_page_faults, "page faults of the GPU", "faults")                                                 \
  X(cpu_page_faults, "page faults of the CPU", "faults")                                                 \
  X(bytes_migrated_to_device, "bytes migrated to the device", "bytes")                                   \
  X(bytes_migrated_to_host, "bytes migrated to the host", "bytes")                                       \
  X(time_between_events_us, "predicted time in microseconds, until the host has the result", "us")       \
  X(time_us, "predicted time in microseconds", "us")

std::string name_of(Quantity quantity) {
  switch (quantity) {
#define WB_NAME(key, words, unit) \
  case Quantity::key:             \
    return words;
    WB_QUANTITIES(WB_NAME)
#undef WB_NAME
  }
  return "unknown quantity";
}

std::string key_of(Quantity quantity) {
  switch (quantity) {
#define WB_KEY(key, words, unit) \
  case Quantity::key:            \
    return #key;
    WB_QUANTITIES(WB_KEY)
#undef WB_KEY
  }
  return "";
}

std::string unit_of(Quantity quantity) {
  switch (quantity) {
#define WB_UNIT(key, words, unit) \
  case Quantity::key:             \
    return unit;
    WB_QUANTITIES(WB_UNIT)
#undef WB_UNIT
  }
  return "";
}

std::optional<double> value_of(const Profile& profile, Quantity quantity, const std::string& kernel) {
  if (needs_a_launch(quantity) && !any_selected(profile, kernel)) return std::nullopt;
  const auto sum = [&](const char* space, Direction direction, auto count) {
    return sum_accesses(profile, kernel, space, direction, count);
  };
  switch (quantity) {
    case Quantity::global_load_sectors_per_request:
      return ratio(sum("global", Direction::in, sectors), sum("global", Direction::in, requests));
    case Quantity::global_store_sectors_per_request:
      return ratio(sum("global", Direction::out, sectors), sum("global", Direction::out, requests));
    case Quantity::global_load_sectors_ratio:
      return ratio(sum("global", Direction::in, sectors), sum("global", Direction::in, sectors_ideal));
    case Quantity::global_store_sectors_ratio:
      return ratio(sum("global", Direction::out, sectors), sum("global", Direction::out, sectors_ideal));
    case Quantity::shared_load_wavefronts_ratio:
      return ratio(sum("shared", Direction::in, wavefronts), sum("shared", Direction::in, wavefronts_ideal));
    case Quantity::shared_store_wavefronts_ratio:
      return ratio(sum("shared", Direction::out, wavefronts), sum("shared", Direction::out, wavefronts_ideal));
    case Quantity::shared_load_wavefronts_per_request:
      return ratio(sum("shared", Direction::in, wavefronts), sum("shared", Direction::in, requests));
    case Quantity::shared_store_wavefronts_per_request:
      return ratio(sum("shared", Direction::out, wavefronts), sum("shared", Direction::out, requests));
    case Quantity::shared_bank_conflicts:
      return sum("shared", Direction::any, conflicts);
    case Quantity::shared_requests:
      return sum("shared", Direction::any, requests);
    case Quantity::shared_wavefronts:
      return sum("shared", Direction::any, wavefronts);
    case Quantity::shared_bytes_per_block:
      return largest_metric(profile, kernel, "launch__shared_mem_per_block");
    case Quantity::global_load_bytes:
      return kSectorBytes * sum("global", Direction::in, sectors);
    case Quantity::global_store_bytes:
      return kSectorBytes * sum("global", Direction::out, sectors);
    case Quantity::global_load_requests:
      return sum("global", Direction::in, requests);
    case Quantity::global_store_requests:
      return sum("global", Direction::out, requests);
    case Quantity::idle_lanes:
      return sum_lines(profile, kernel,
                       [](const LineCounters& l) { return 32 * l.inst_executed - l.thread_inst_executed_true; });
    case Quantity::active_threads_per_instruction:
      return ratio(sum_lines(profile, kernel, [](const LineCounters& l) { return l.thread_inst_executed; }),
                   sum_lines(profile, kernel, [](const LineCounters& l) { return l.inst_executed; }));
    case Quantity::active_threads_predicated_on:
      return ratio(sum_lines(profile, kernel, [](const LineCounters& l) { return l.thread_inst_executed_true; }),
                   sum_lines(profile, kernel, [](const LineCounters& l) { return l.inst_executed; }));
    case Quantity::divergent_branches:
      return sum_lines(profile, kernel, [](const LineCounters& l) { return l.divergent_branches; });
    case Quantity::kernel_launches: {
      const auto& all = profile.kernels;
      return static_cast<double>(
          std::count_if(all.begin(), all.end(), [&](const KernelRecord& k) { return selected(k, kernel); }));
    }
    case Quantity::launches_by_kernels:
      return count_launches(profile, kernel, [](const KernelRecord& k) { return k.parent.has_value(); });
    case Quantity::launches_by_host:
      return count_launches(profile, kernel, [](const KernelRecord& k) { return !k.parent.has_value(); });
    case Quantity::children_at_a_time:
      return children_at_a_time(profile, kernel);
    case Quantity::tail_launches:
      return count_launches(profile, kernel, [](const KernelRecord& k) { return k.queue == "tail"; });
    case Quantity::launch_depth: {
      int depth = 0;
      for (const KernelRecord& record : profile.kernels)
        if (selected(record, kernel)) depth = std::max(depth, record.depth);
      return depth;
    }
    case Quantity::heap_peak_bytes:
      return profile.heap ? profile.heap->peak_bytes : 0;
    case Quantity::heap_live_bytes:
      return profile.heap ? profile.heap->live_bytes : 0;
    case Quantity::warp_instructions:
      return sum_lines(profile, kernel, [](const LineCounters& l) { return l.inst_executed; });
    case Quantity::global_atomic_requests:
      return sum("global", Direction::both, requests);
    case Quantity::barriers_per_warp: {
      double warps = 0;
      for (const KernelRecord& record : profile.kernels) {
        if (!selected(record, kernel)) continue;
        const double threads = double(record.block[0]) * record.block[1] * record.block[2];
        warps += double(record.grid[0]) * record.grid[1] * record.grid[2] * std::ceil(threads / 32);
      }
      return ratio(sum_metric(profile, kernel, "warpbook__inst_executed_op_barrier.sum"), warps);
    }
    case Quantity::busiest_block_instructions:
      return largest_metric(profile, kernel, "warpbook__inst_executed_of_block.max");
    case Quantity::grid_barriers:
      return sum_metric(profile, kernel, "warpbook__grid_barriers.sum");
    case Quantity::global_load_gb_per_s: {
      const auto time = value_of(profile, Quantity::time_us, kernel);
      if (!time) return std::nullopt;
      return kSectorBytes * sum("global", Direction::in, sectors) / (*time * 1000);
    }
    case Quantity::bytes_copied_to_device:
      return copied(profile, "host_to_device");
    case Quantity::bytes_copied_to_host:
      return copied(profile, "device_to_host");
    case Quantity::time_with_copies_us:
      return span(profile, kernel, true);
    case Quantity::time_us:
      return span(profile, kernel, false);
    case Quantity::gpu_page_faults: {
      if (kernel.empty()) return profile.unified_memory.gpu_page_faults;
      double faults = 0;
      for (const KernelRecord& record : profile.kernels)
        if (selected(record, kernel)) faults += record.unified_memory.gpu_page_faults;
      return faults;
    }
    case Quantity::cpu_page_faults:
      return profile.unified_memory.cpu_page_faults;
    case Quantity::bytes_migrated_to_device:
      return profile.unified_memory.htod_migration_bytes;
    case Quantity::bytes_migrated_to_host:
      return profile.unified_memory.dtoh_migration_bytes;
    case Quantity::time_between_events_us:
      if (profile.kernels.empty() || profile.events_us.size() < 2) return std::nullopt;
      return whole_span(profile);
  }
  return std::nullopt;
}

}  // namespace warpbook::grader
