// All about each quantity, in one table: its name in words, its unit, what explains it, advice, its value.
#include "grader/judge/quantity.h"

#include <array>
#include <cmath>

#include "grader/judge/counted.h"

namespace warpbook::grader {

namespace {

using Access = AccessCounters;
using Line = LineCounters;
using Value = std::optional<double>;

constexpr double kSectorBytes = 32;

constexpr Accesses kNoAccesses{};
constexpr Accesses kGlobalLoads{"global", nullptr, Direction::in};
constexpr Accesses kGlobalStores{"global", nullptr, Direction::out};
/// A sum counts everything that moves data, whatever unit it goes through.
constexpr Accesses kAllLoads{"global", nullptr, Direction::in, true};
constexpr Accesses kAllStores{"global", nullptr, Direction::out, true};
constexpr Accesses kGlobalAtomics{"global", nullptr, Direction::both};
constexpr Accesses kSharedLoads{"shared", nullptr, Direction::in};
constexpr Accesses kSharedStores{"shared", nullptr, Direction::out};
constexpr Accesses kSharedAccesses{"shared", nullptr, Direction::any};
constexpr Accesses kMemoryAccesses{"global", "shared", Direction::any};

/// Without any launch, a sum that should be small would make the answer look good.
enum class Needs { nothing, a_launch };

struct Row {
  Quantity quantity;
  const char* key;
  const char* words;
  const char* unit;
  Needs needs;
  ExplainedBy explained_by;
  Accesses accesses;  ///< Which of them explain it, if accesses do.
  const Advice* if_many;
  const Advice* if_few;  ///< Nothing if a lower bound only checks that the work was done.
  Value (*value)(const Counted&);
};

Value ratio(double above, double below) {
  if (below <= 0) return std::nullopt;
  return above / below;
}

template <const Accesses& Of, double Access::*Counter>
Value sum(const Counted& counted) {
  return counted.sum(Of, Counter);
}

template <const Accesses& Of, double Access::*Above, double Access::*Below>
Value ratio_of(const Counted& counted) {
  return ratio(counted.sum(Of, Above), counted.sum(Of, Below));
}

template <const Accesses& Of>
Value sector_bytes(const Counted& counted) {
  return kSectorBytes * counted.sum(Of, &Access::sectors);
}

template <double Line::*Counter>
Value sum_of_lines(const Counted& counted) {
  return counted.lines([](const Line& line) { return line.*Counter; });
}

template <double Line::*Above, double Line::*Below>
Value ratio_of_lines(const Counted& counted) {
  return ratio(*sum_of_lines<Above>(counted), *sum_of_lines<Below>(counted));
}

Value idle_lanes(const Counted& counted) {
  return counted.lines([](const Line& line) { return 32 * line.inst_executed - line.thread_inst_executed_true; });
}

/// Blocks of a launch, or threads of a block.
double size_of(const std::array<int, 3>& shape) { return double(shape[0]) * shape[1] * shape[2]; }

Value launched_threads(const Counted& counted) {
  double threads = 0;
  counted.each_launch([&](const KernelRecord& record) { threads += size_of(record.grid) * size_of(record.block); });
  return threads;
}

Value barriers_per_warp(const Counted& counted) {
  double warps = 0;
  counted.each_launch(
      [&](const KernelRecord& record) { warps += size_of(record.grid) * std::ceil(size_of(record.block) / 32); });
  return ratio(counted.metric("warpbook__inst_executed_op_barrier.sum"), warps);
}

Value launch_depth(const Counted& counted) {
  int depth = 0;
  counted.each_launch([&](const KernelRecord& record) { depth = std::max(depth, record.depth); });
  return depth;
}

Value global_load_gb_per_s(const Counted& counted) {
  const Value time = counted.span(Work::kernels);
  if (!time) return std::nullopt;
  return kSectorBytes * counted.sum(kGlobalLoads, &Access::sectors) / (*time * 1000);
}

Value gpu_page_faults(const Counted& counted) {
  if (counted.all_kernels()) return counted.profile.unified_memory.gpu_page_faults;
  double faults = 0;
  counted.each_launch([&](const KernelRecord& record) { faults += record.unified_memory.gpu_page_faults; });
  return faults;
}

#define WB_QUANTITY(name) Quantity::name, #name
constexpr Needs kAny = Needs::nothing, kLaunch = Needs::a_launch;
constexpr ExplainedBy kAccess = ExplainedBy::access, kLanes = ExplainedBy::lanes, kPages = ExplainedBy::migrations,
                      kInstructions = ExplainedBy::instructions, kNothing = ExplainedBy::nothing;

// In the order of the enumeration.
const Row kRows[] = {
    {WB_QUANTITY(global_load_sectors_per_request), "sectors per request of global loads", "sectors", kAny, kAccess,
     kGlobalLoads, &advice::kGlobalLoad, &advice::kWideAccess,
     ratio_of<kGlobalLoads, &Access::sectors, &Access::requests>},
    {WB_QUANTITY(global_store_sectors_per_request), "sectors per request of global stores", "sectors", kAny, kAccess,
     kGlobalStores, &advice::kGlobalStore, &advice::kWideAccess,
     ratio_of<kGlobalStores, &Access::sectors, &Access::requests>},
    {WB_QUANTITY(global_load_sectors_ratio), "sectors of global loads, relative to the ideal", "", kAny, kAccess,
     kGlobalLoads, &advice::kGlobalLoad, nullptr, ratio_of<kGlobalLoads, &Access::sectors, &Access::sectors_ideal>},
    {WB_QUANTITY(global_store_sectors_ratio), "sectors of global stores, relative to the ideal", "", kAny, kAccess,
     kGlobalStores, &advice::kGlobalStore, nullptr, ratio_of<kGlobalStores, &Access::sectors, &Access::sectors_ideal>},
    {WB_QUANTITY(shared_load_wavefronts_ratio), "wavefronts of shared-memory loads, relative to the ideal", "", kAny,
     kAccess, kSharedLoads, &advice::kShared, nullptr,
     ratio_of<kSharedLoads, &Access::wavefronts, &Access::wavefronts_ideal>},
    {WB_QUANTITY(shared_store_wavefronts_ratio), "wavefronts of shared-memory stores, relative to the ideal", "", kAny,
     kAccess, kSharedStores, &advice::kShared, nullptr,
     ratio_of<kSharedStores, &Access::wavefronts, &Access::wavefronts_ideal>},
    {WB_QUANTITY(shared_load_wavefronts_per_request), "wavefronts per request of shared-memory loads", "wavefronts",
     kAny, kAccess, kSharedLoads, &advice::kShared, nullptr,
     ratio_of<kSharedLoads, &Access::wavefronts, &Access::requests>},
    {WB_QUANTITY(shared_store_wavefronts_per_request), "wavefronts per request of shared-memory stores", "wavefronts",
     kAny, kAccess, kSharedStores, &advice::kShared, nullptr,
     ratio_of<kSharedStores, &Access::wavefronts, &Access::requests>},
    {WB_QUANTITY(shared_bank_conflicts), "bank conflicts in shared memory", "conflicts", kLaunch, kAccess,
     kSharedAccesses, &advice::kShared, nullptr, sum<kSharedAccesses, &Access::conflicts>},
    {WB_QUANTITY(shared_requests), "requests to shared memory", "requests", kLaunch, kAccess, kSharedAccesses,
     &advice::kSharedRequests, nullptr, sum<kSharedAccesses, &Access::requests>},
    {WB_QUANTITY(shared_wavefronts), "wavefronts in shared memory", "wavefronts", kLaunch, kAccess, kSharedAccesses,
     &advice::kShared, nullptr, sum<kSharedAccesses, &Access::wavefronts>},
    {WB_QUANTITY(shared_bytes_per_block), "bytes of shared memory for each block", "bytes", kAny, kNothing, kNoAccesses,
     &advice::kSharedBytes, nullptr,
     [](const Counted& c) -> std::optional<double> {
       const auto all = c.largest_metric("launch__shared_mem_per_block");
       if (!all) return std::nullopt;
       return *all - c.largest_metric("launch__shared_mem_per_block_driver").value_or(0);  // What the kernel declares.
     }},
    {WB_QUANTITY(global_load_bytes), "bytes moved by global loads", "bytes", kLaunch, kAccess, kAllLoads,
     &advice::kTraffic, nullptr, sector_bytes<kAllLoads>},
    {WB_QUANTITY(global_store_bytes), "bytes moved by global stores", "bytes", kLaunch, kAccess, kAllStores,
     &advice::kTraffic, nullptr, sector_bytes<kAllStores>},
    {WB_QUANTITY(global_load_requests), "requests of global loads", "requests", kLaunch, kAccess, kGlobalLoads,
     &advice::kWideAccess, nullptr, sum<kGlobalLoads, &Access::requests>},
    {WB_QUANTITY(global_store_requests), "requests of global stores", "requests", kLaunch, kAccess, kGlobalStores,
     &advice::kWideAccess, nullptr, sum<kGlobalStores, &Access::requests>},
    {WB_QUANTITY(idle_lanes), "idle lanes, summed over all instructions of warps", "lanes", kLaunch, kLanes,
     kNoAccesses, &advice::kDivergence, nullptr, idle_lanes},
    {WB_QUANTITY(active_threads_per_instruction), "active threads per instruction", "threads", kAny, kLanes,
     kNoAccesses, &advice::kDivergence, &advice::kDivergence,
     ratio_of_lines<&Line::thread_inst_executed, &Line::inst_executed>},
    {WB_QUANTITY(active_threads_predicated_on), "active threads per instruction, predicated-on", "threads", kAny,
     kLanes, kNoAccesses, &advice::kDivergence, &advice::kDivergence,
     ratio_of_lines<&Line::thread_inst_executed_true, &Line::inst_executed>},
    {WB_QUANTITY(divergent_branches), "divergent branches", "branches", kLaunch, kLanes, kNoAccesses,
     &advice::kDivergence, nullptr, sum_of_lines<&Line::divergent_branches>},
    {WB_QUANTITY(kernel_launches), "kernel launches", "launches", kAny, kNothing, kNoAccesses, &advice::kLaunches,
     nullptr, [](const Counted& c) -> Value { return c.launches([](const KernelRecord&) { return true; }); }},
    {WB_QUANTITY(launched_threads), "threads of all launches", "threads", kAny, kNothing, kNoAccesses,
     &advice::kManyThreads, &advice::kFewThreads, launched_threads},
    {WB_QUANTITY(launches_by_host), "kernel launches by the host", "launches", kAny, kNothing, kNoAccesses,
     &advice::kLaunches, nullptr,
     [](const Counted& c) -> Value { return c.launches([](const KernelRecord& k) { return !k.parent; }); }},
    {WB_QUANTITY(launches_by_kernels), "launches by kernels", "launches", kAny, kNothing, kNoAccesses,
     &advice::kChildren, &advice::kFewChildren,
     [](const Counted& c) -> Value { return c.launches([](const KernelRecord& k) { return k.parent.has_value(); }); }},
    {WB_QUANTITY(tail_launches), "tail launches", "launches", kAny, kNothing, kNoAccesses, &advice::kChildren,
     &advice::kFewTails,
     [](const Counted& c) -> Value { return c.launches([](const KernelRecord& k) { return k.queue == "tail"; }); }},
    {WB_QUANTITY(children_at_a_time), "children that run at the same time", "grids", kAny, kNothing, kNoAccesses,
     &advice::kOverlap, &advice::kOverlap, [](const Counted& c) -> Value { return c.children_at_a_time(); }},
    {WB_QUANTITY(launch_depth), "levels of launches by kernels", "levels", kAny, kNothing, kNoAccesses,
     &advice::kChildren, &advice::kFewChildren, launch_depth},
    {WB_QUANTITY(heap_peak_bytes), "bytes of the device heap in use at a time", "bytes", kAny, kNothing, kNoAccesses,
     &advice::kHeap, nullptr,
     [](const Counted& c) -> Value { return c.profile.heap ? c.profile.heap->peak_bytes : 0; }},
    {WB_QUANTITY(heap_live_bytes), "bytes of the device heap that were not freed", "bytes", kAny, kNothing, kNoAccesses,
     &advice::kHeap, nullptr,
     [](const Counted& c) -> Value { return c.profile.heap ? c.profile.heap->live_bytes : 0; }},
    {WB_QUANTITY(warp_instructions), "instructions of warps", "instructions", kLaunch, kInstructions, kNoAccesses,
     &advice::kInstructions, nullptr, sum_of_lines<&Line::inst_executed>},
    {WB_QUANTITY(busiest_block_instructions), "instructions of the busiest block", "instructions", kLaunch, kNothing,
     kNoAccesses, &advice::kInstructions, nullptr,
     [](const Counted& c) { return c.largest_metric("warpbook__inst_executed_of_block.max"); }},
    {WB_QUANTITY(global_atomic_requests), "atomic operations of warps on global memory", "requests", kLaunch, kAccess,
     kGlobalAtomics, &advice::kAtomics, nullptr, sum<kGlobalAtomics, &Access::requests>},
    {WB_QUANTITY(barriers_per_warp), "barriers of the block for each warp", "barriers", kAny, kNothing, kNoAccesses,
     &advice::kBarriers, nullptr, barriers_per_warp},
    {WB_QUANTITY(grid_barriers), "barriers of the whole grid", "barriers", kLaunch, kNothing, kNoAccesses,
     &advice::kGridBarriers, nullptr,
     [](const Counted& c) -> Value { return c.metric("warpbook__grid_barriers.sum"); }},
    {WB_QUANTITY(texture_reads), "instructions that read textures", "instructions", kAny, kNothing, kNoAccesses,
     &advice::kInstructions, &advice::kImages,
     [](const Counted& c) -> Value { return c.metric("smsp__inst_executed_op_texture.sum"); }},
    {WB_QUANTITY(surface_reads), "instructions that read surfaces", "instructions", kAny, kNothing, kNoAccesses,
     &advice::kInstructions, &advice::kImages,
     [](const Counted& c) -> Value { return c.metric("smsp__inst_executed_op_surface_ld.sum"); }},
    {WB_QUANTITY(surface_writes), "instructions that write surfaces", "instructions", kAny, kNothing, kNoAccesses,
     &advice::kInstructions, &advice::kImages,
     [](const Counted& c) -> Value { return c.metric("smsp__inst_executed_op_surface_st.sum"); }},
    {WB_QUANTITY(global_load_gb_per_s), "gigabytes loaded in a second", "GB/s", kAny, kNothing, kNoAccesses,
     &advice::kBandwidth, &advice::kBandwidth, global_load_gb_per_s},
    {WB_QUANTITY(bytes_copied_to_device), "bytes copied to the device", "bytes", kAny, kNothing, kNoAccesses,
     &advice::kCopies, nullptr, [](const Counted& c) -> Value { return c.copied("host_to_device"); }},
    {WB_QUANTITY(bytes_copied_to_host), "bytes copied to the host", "bytes", kAny, kNothing, kNoAccesses,
     &advice::kCopies, nullptr, [](const Counted& c) -> Value { return c.copied("device_to_host"); }},
    {WB_QUANTITY(time_with_copies_us), "predicted time in microseconds, copies included", "us", kAny, kNothing,
     kNoAccesses, &advice::kOverlapOfCopies, nullptr, [](const Counted& c) { return c.span(Work::all); }},
    {WB_QUANTITY(time_us), "predicted time in microseconds", "us", kAny, kAccess, kMemoryAccesses, &advice::kTime,
     nullptr, [](const Counted& c) { return c.span(c.all_kernels() ? Work::kernels_and_fills : Work::kernels); }},
    {WB_QUANTITY(gpu_page_faults), "page faults of the GPU", "faults", kLaunch, kPages, kNoAccesses,
     &advice::kGpuFaults, nullptr, gpu_page_faults},
    {WB_QUANTITY(cpu_page_faults), "page faults of the CPU", "faults", kLaunch, kPages, kNoAccesses,
     &advice::kCpuFaults, nullptr, [](const Counted& c) -> Value { return c.profile.unified_memory.cpu_page_faults; }},
    {WB_QUANTITY(bytes_migrated_to_device), "bytes migrated to the device", "bytes", kLaunch, kPages, kNoAccesses,
     &advice::kMigrated, nullptr,
     [](const Counted& c) -> Value { return c.profile.unified_memory.htod_migration_bytes; }},
    {WB_QUANTITY(bytes_migrated_to_host), "bytes migrated to the host", "bytes", kLaunch, kPages, kNoAccesses,
     &advice::kMigrated, nullptr,
     [](const Counted& c) -> Value { return c.profile.unified_memory.dtoh_migration_bytes; }},
    {WB_QUANTITY(time_between_events_us), "predicted time in microseconds, until the host has the result", "us", kAny,
     kNothing, kNoAccesses, &advice::kTime, nullptr, [](const Counted& c) { return c.span_of_events(); }},
};
#undef WB_QUANTITY

static_assert(std::size(kRows) == static_cast<std::size_t>(Quantity::time_between_events_us) + 1,
              "Each quantity has its row.");

const Row& row_of(Quantity quantity) { return kRows[static_cast<std::size_t>(quantity)]; }

}  // namespace

std::vector<Quantity> all_quantities() {
  std::vector<Quantity> all;
  for (const Row& row : kRows) all.push_back(row.quantity);
  return all;
}

Quantity predicted_time(const Manifest& manifest) {
  if (manifest.time_between_events) return Quantity::time_between_events_us;
  return manifest.time_with_copies ? Quantity::time_with_copies_us : Quantity::time_us;
}

std::string name_of(Quantity quantity) { return row_of(quantity).words; }
std::string key_of(Quantity quantity) { return row_of(quantity).key; }
std::string unit_of(Quantity quantity) { return row_of(quantity).unit; }
ExplainedBy explained_by(Quantity quantity) { return row_of(quantity).explained_by; }
const Advice* advice_for(Quantity quantity, bool many) {
  return many ? row_of(quantity).if_many : row_of(quantity).if_few;
}

bool concerns(Quantity quantity, const AccessCounters& access) { return row_of(quantity).accesses.include(access); }

std::optional<double> value_of(const Profile& profile, Quantity quantity, const std::string& kernel) {
  const Row& row = row_of(quantity);
  const Counted counted(profile, kernel);
  if (row.needs == Needs::a_launch && counted.launches([](const KernelRecord&) { return true; }) == 0)
    return std::nullopt;
  return row.value(counted);
}

}  // namespace warpbook::grader
