// Explanations of missed thresholds. The texts are for a student: what was found, why it costs, what to try.
#include "grader/judge/explanations.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iomanip>
#include <sstream>

#include "grader/judge/source_text.h"

namespace warpbook::grader {

namespace {

/// At most three decimals, and none where there is nothing behind the point.
std::string number(double value) {
  std::ostringstream out;
  if (std::fabs(value) >= 100 || value == std::round(value)) {
    out << std::fixed << std::setprecision(0) << value;
  } else {
    out << std::setprecision(3) << value;
  }
  return out.str();
}

struct Advice {
  const char* why;
  const char* what_to_try;
};

constexpr Advice kGlobalLoad = {
    "A warp's load is served in sectors of 32 bytes. Lanes that read neighbouring addresses share sectors; lanes far "
    "apart fetch a sector each and use a part of it.",
    "Let neighbouring threads (threadIdx.x) read neighbouring elements. A thread that needs 2 or 4 neighbours takes "
    "them "
    "with one access (float2, float4). Where the algorithm wants another order, read rows into shared memory first and "
    "change the order there."};
constexpr Advice kWideAccess = {
    "A warp's request brings at most what its lanes ask for: 4 sectors if each asks for 4 bytes, 16 if each asks for "
    "16. Narrow requests need more instructions, and leave fewer bytes under way at a time.",
    "Let each lane move 16 bytes at once: a float4, by reinterpret_cast<const float4*>(pointer)[i], with neighbouring "
    "i in neighbouring lanes."};
constexpr Advice kGlobalStore = {
    "A warp's store is served in sectors of 32 bytes. Lanes that write neighbouring addresses share sectors; lanes far "
    "apart write a sector each, of which a part is changed.",
    "Let neighbouring threads (threadIdx.x) write neighbouring elements. A thread that has 2 or 4 neighbours stores "
    "them "
    "with one access (float2, float4). Where the algorithm wants another order, collect a tile in shared memory and "
    "store it row by row."};
constexpr Advice kShared = {
    "Shared memory has 32 banks of 4 bytes. Lanes that want different words of one bank are served one after the "
    "other, "
    "each time in a wavefront of its own.",
    "Make the lanes of a warp fall into different banks: pad each row of the tile by one of the elements that a "
    "lane reads (33 float instead of 32, 9 float4 instead of 8), or change which index runs with threadIdx.x."};
constexpr Advice kTraffic = {
    "Every byte between the memory and the multiprocessors takes its share of the bandwidth.",
    "Read each element once and keep it: in a register, or in shared memory where several threads need it."};
constexpr Advice kDivergence = {
    "The lanes of a warp run one instruction at a time: where they part at a branch, or have left, the others wait.",
    "Let whole warps take the same path: branch on the warp's number rather than on the lane's, and give the work left "
    "to neighbouring threads."};
/// Where some faults are allowed, so that the lesson is to have few of them.
constexpr Advice kGpuFaultGroups = {
    "A kernel that touches managed memory which is not on the device stops until the driver has brought it. The driver "
    "serves all faults that it finds at one time as one group, and only groups are counted.",
    "Let the warps that run at one time fault on different pieces of 64 KiB, so that one group brings all of them."};
constexpr Advice kSharedTraffic = {
    "There is no bank conflict, but each access takes a wavefront, whether its lanes want 4 bytes in all or 128.",
    "Fetch more with each access: 16 bytes for a lane (float4) where a thread needs neighbouring elements; and keep in "
    "registers what is needed again."};
constexpr Advice kSharedRequests = {
    "Every warp with a lane that takes part makes a request of its own, whether for one lane or for 32.",
    "Let the threads that have something to do be neighbours, so that they fill few warps; the other warps have none."};
constexpr Advice kSharedBytes = {
    "All blocks on a multiprocessor share its shared memory: the more each takes, the fewer fit at once.",
    "Keep only what other threads need, and no padding where another order of the elements does the same."};
constexpr Advice kLaunches = {"Every launch costs a few microseconds before its first thread runs.",
                              "Do more in one kernel, or loop inside it."};
constexpr Advice kChildren = {
    "A launch by a kernel costs its thread about 6 microseconds on an H200, and the launches of one warp go out one "
    "after the other.",
    "Count who launches: every thread that reaches the launch makes one. Let one thread launch one grid with a block "
    "for each piece of work."};
constexpr Advice kFewChildren = {
    "Work that appears while a kernel runs is handed on by a launch: a thread that does it alone keeps its warp, and a "
    "host that does it must wait for the kernel first.",
    "Look at the condition before the launch: which thread launches, and for which work? A launch can also be refused "
    "(see cudaGetLastError()), or its arguments be wrong."};
constexpr Advice kFewTails = {
    "A tail launch is the only launch by a kernel that waits for all blocks of its grid, and for all their children.",
    "Give the launch the stream cudaStreamTailLaunch, as the fourth of its <<<>>> arguments."};
constexpr Advice kOverlap = {
    "Children in one stream wait for each other, and the NULL stream is one stream for all threads of a block: a child "
    "that waits leaves the multiprocessors empty.",
    "Launch children that do not need each other with cudaStreamFireAndForget, or each into a stream of its own."};
constexpr Advice kHeap = {
    "The device heap has 8 MB unless the host asks for more, and memory that no kernel gives back is lost until the "
    "program ends.",
    "Ask malloc() for what is needed, not for the most that could be, and free() it, once, when its last reader is "
    "done."};
constexpr Advice kInstructions = {
    "Each instruction of a warp takes one of the 4 issue slots that a multiprocessor has in a cycle, however few of "
    "its "
    "lanes take part.",
    "Do more with each instruction: load 16 bytes a lane (float4), let a thread handle several elements before it "
    "works with others, and use shuffles in place of shared memory."};
constexpr Advice kAtomics = {
    "Atomic operations on one address are done one after the other, in the L2 cache.",
    "Combine first: in a register, then within the warp, then within the block. One atomic for each block is enough."};
constexpr Advice kBarriers = {
    "At a barrier the warps of a block that come first wait for the last one, and issue nothing meanwhile.",
    "Synchronise the smallest group that shares data: the lanes of a tile pass values by shuffles and need no barrier "
    "of "
    "the block."};
constexpr Advice kGridBarriers = {
    "At grid.sync() all blocks wait for the last one: about a microsecond on an H200, as much as thousands of "
    "instructions.",
    "Call grid.sync() once between writing data and reading what other blocks wrote, and nowhere else."};
constexpr Advice kBandwidth = {
    "While a load is under way nothing of its bandwidth is used again: the memory is busy only with many bytes asked "
    "for at the same time, and a launch costs time in which none are.",
    "Load 16 bytes a lane (float4), let several loads of a thread be under way at once, fill the device with warps, "
    "and "
    "do all in one launch."};
constexpr Advice kCopies = {
    "Every byte between host and device goes over the bus, at some 55 GB/s on an H200: about 80 times slower than the "
    "device's own memory.",
    "Copy each array once, in the direction in which it is needed, and keep it on the device between kernels."};
constexpr Advice kGpuFaults = {
    "A kernel that touches managed memory which is not on the device stops until the driver has brought it, 64 KiB to "
    "2 "
    "MiB at a time: some 200 us for the first group of faults and 30 us for each that follows.",
    "Say beforehand what the device will use: cudaMemPrefetchAsync of all bytes of each array, in the kernel's stream. "
    "Memory that is used sparsely can stay where it is: cudaMemAdvise."};
constexpr Advice kCpuFaults = {
    "The host has a page fault where it touches managed memory that is not with it, new memory included: six for each "
    "2 MiB in a row, about 20 us each and more where something is copied.",
    "Fill on the device what the device uses first, and prefetch to the host (cudaMemLocationTypeHost) what the host "
    "reads next."};
constexpr Advice kMigrated = {
    "Every byte that changes sides goes over the bus, which is a hundred times slower than the device's memory.",
    "Let data come into being where they are used first. Prefetch what the other side needs, and no more: an array "
    "that "
    "has not changed need not come back."};
constexpr Advice kOverlapOfCopies = {
    "Copies in, kernels and copies out run at the same time only in different streams, with pinned memory on the host, "
    "and if nothing waits between them: not the host, and not the default stream.",
    "Give the stream of a slice to both of its copies and to its kernel, let neighbouring slices have different "
    "streams, "
    "and wait once, when all is under way."};
constexpr Advice kTime = {"The predicted time comes from the counted work.", "Look at the limiter below."};

const Advice& advice_for(Quantity quantity) {
  switch (quantity) {
    case Quantity::global_load_sectors_per_request:
    case Quantity::global_load_sectors_ratio:
      return kGlobalLoad;
    case Quantity::global_store_sectors_per_request:
    case Quantity::global_store_sectors_ratio:
      return kGlobalStore;
    case Quantity::shared_load_wavefronts_ratio:
    case Quantity::shared_store_wavefronts_ratio:
    case Quantity::shared_load_wavefronts_per_request:
    case Quantity::shared_store_wavefronts_per_request:
    case Quantity::shared_bank_conflicts:
    case Quantity::shared_wavefronts:
      return kShared;
    case Quantity::shared_requests:
      return kSharedRequests;
    case Quantity::shared_bytes_per_block:
      return kSharedBytes;
    case Quantity::global_load_bytes:
    case Quantity::global_store_bytes:
      return kTraffic;
    case Quantity::global_load_requests:
    case Quantity::global_store_requests:
      return kWideAccess;
    case Quantity::idle_lanes:
    case Quantity::active_threads_per_instruction:
    case Quantity::active_threads_predicated_on:
    case Quantity::divergent_branches:
      return kDivergence;
    case Quantity::kernel_launches:
    case Quantity::launches_by_host:
      return kLaunches;
    case Quantity::children_at_a_time:
      return kOverlap;
    case Quantity::launches_by_kernels:
    case Quantity::tail_launches:
    case Quantity::launch_depth:
      return kChildren;
    case Quantity::heap_peak_bytes:
    case Quantity::heap_live_bytes:
      return kHeap;
    case Quantity::warp_instructions:
    case Quantity::busiest_block_instructions:
      return kInstructions;
    case Quantity::global_atomic_requests:
      return kAtomics;
    case Quantity::barriers_per_warp:
      return kBarriers;
    case Quantity::grid_barriers:
      return kGridBarriers;
    case Quantity::global_load_gb_per_s:
      return kBandwidth;
    case Quantity::bytes_copied_to_device:
    case Quantity::bytes_copied_to_host:
      return kCopies;
    case Quantity::gpu_page_faults:
      return kGpuFaults;
    case Quantity::cpu_page_faults:
      return kCpuFaults;
    case Quantity::bytes_migrated_to_device:
    case Quantity::bytes_migrated_to_host:
      return kMigrated;
    case Quantity::time_with_copies_us:
      return kOverlapOfCopies;
    case Quantity::time_between_events_us:
    case Quantity::time_us:
      return kTime;
  }
  return kTime;
}

/// An access on a line, as an author of code sees it.
struct Site {
  const KernelRecord* kernel = nullptr;
  const LineCounters* line = nullptr;
  const AccessCounters* access = nullptr;
  double cost = 0;  ///< What it needs beyond the ideal; what it needs at all where nothing goes beyond.
};

bool concerns(Quantity quantity, const AccessCounters& access) {
  switch (quantity) {
    case Quantity::global_load_sectors_per_request:
    case Quantity::global_load_sectors_ratio:
    case Quantity::global_load_bytes:
    case Quantity::global_load_requests:
      return access.space == "global" && moves(access, Direction::in);
    case Quantity::global_store_sectors_per_request:
    case Quantity::global_store_sectors_ratio:
    case Quantity::global_store_bytes:
    case Quantity::global_store_requests:
      return access.space == "global" && moves(access, Direction::out);
    case Quantity::shared_load_wavefronts_ratio:
    case Quantity::shared_load_wavefronts_per_request:
      return access.space == "shared" && moves(access, Direction::in);
    case Quantity::shared_store_wavefronts_ratio:
    case Quantity::shared_store_wavefronts_per_request:
      return access.space == "shared" && moves(access, Direction::out);
    case Quantity::shared_bank_conflicts:
    case Quantity::shared_requests:
    case Quantity::shared_wavefronts:
      return access.space == "shared";
    case Quantity::global_atomic_requests:
      return access.space == "global" && moves(access, Direction::both);
    case Quantity::time_us:
      return access.space == "global" || access.space == "shared";
    default:
      return false;
  }
}

double excess(const AccessCounters& access) {
  return access.space == "shared" ? access.wavefronts - access.wavefronts_ideal : access.sectors - access.sectors_ideal;
}

/// The access that wastes most; if none wastes, the one that moves most.
Site worst_site(const Profile& profile, Quantity quantity, const std::string& kernel) {
  Site worst, busiest;
  for (const KernelRecord& record : profile.kernels) {
    if (!kernel.empty() && record.name.find(kernel) == std::string::npos) continue;
    for (const LineCounters& line : record.lines) {
      for (const AccessCounters& access : line.accesses) {
        if (!concerns(quantity, access)) continue;
        const double waste = excess(access);
        const double all = access.space == "shared" ? access.wavefronts : access.sectors;
        if (waste > worst.cost) worst = {&record, &line, &access, waste};
        if (all > busiest.cost) busiest = {&record, &line, &access, all};
      }
    }
  }
  return worst.access != nullptr ? worst : busiest;
}

std::string verb(const AccessCounters& access) {
  if (access.op == "ld") return "loads";
  if (access.op == "st") return "stores";
  if (access.op == "ldgsts") return access.space == "shared" ? "copies to" : "copies from";
  return "does atomic operations on";
}

std::string describe_stride(const AccessCounters& access) {
  if (!access.stride) return "";
  const double bytes = *access.stride;
  if (bytes == 0) return "All lanes of a warp use the same address.";
  return "Neighbouring threads are " + number(std::fabs(bytes)) + " bytes apart (stride " + number(bytes) +
         " bytes; an element has " + number(access.bytes_per_lane) + ").";
}

std::string describe_site(const Site& site, const std::string& root) {
  const AccessCounters& access = *site.access;
  std::ostringstream out;
  const std::string file = relative_to(site.line->file, root);
  out << "  The line that costs most: "
      << (file.empty() ? "unknown (no line numbers)" : file + ":" + std::to_string(site.line->line)) << " in "
      << short_name(site.kernel->name) << '\n';
  std::string text = source_line(site.line->file, site.line->line);
  if (text.empty() && !root.empty()) text = source_line(root + "/" + file, site.line->line);
  if (!text.empty()) out << "      " << text << '\n';
  const double requests = std::max(access.requests, 1.0);
  if (access.space == "shared") {
    const double ways = access.wavefronts / std::max(access.wavefronts_ideal, 1.0);
    const std::string found = number(access.wavefronts / requests), degree = number(ways);
    out << "    It " << verb(access) << " shared memory with " << found << (found == "1" ? " wavefront" : " wavefronts")
        << " per request; ideal: " << number(access.wavefronts_ideal / requests) << ".";
    const bool vowel = degree.front() == '8' || degree == "11" || degree == "18";
    if (access.wavefronts > access.wavefronts_ideal) out << (vowel ? " An " : " A ") << degree << "-way bank conflict.";
  } else {
    out << "    It " << verb(access) << " global memory with " << number(access.sectors / requests)
        << " sectors per request; ideal: " << number(access.sectors_ideal / requests) << '.';
  }
  out << '\n';
  const std::string stride = describe_stride(access);
  if (!stride.empty()) out << "    " << stride << '\n';
  return out.str();
}

/// Lanes that execute the instructions of a line, summed over its instructions.
double lanes_at_work(Quantity quantity, const LineCounters& line) {
  return quantity == Quantity::active_threads_per_instruction ? line.thread_inst_executed
                                                              : line.thread_inst_executed_true;
}

/// "file:line    text of the line"
std::string place_of(const LineCounters& line, const std::string& root) {
  return relative_to(line.file, root) + ':' + std::to_string(line.line) + "    " + source_line(line.file, line.line);
}

std::string describe_parting(const LineCounters& line) {
  return number(line.divergent_branches) + " of " + number(line.branches) + " branches parted a warp.";
}

std::string describe_line(const LineCounters& line, const std::string& root, const std::string& what) {
  return "  The line that costs most: " + place_of(line, root) + "\n    " + what + '\n';
}

/// What a line adds to a quantity of divergence.
double cost_of_divergence(Quantity quantity, const LineCounters& line) {
  if (quantity == Quantity::divergent_branches) return line.divergent_branches;
  return 32 * line.inst_executed - lanes_at_work(quantity, line);
}

/// The line at which most lanes were idle or most branches parted.
std::string worst_divergent_line(const Profile& profile, Quantity quantity, const std::string& kernel,
                                 const std::string& root) {
  const LineCounters *worst = nullptr, *parting = nullptr;
  double cost = 0, parted = 0;
  for (const KernelRecord& record : profile.kernels) {
    if (!kernel.empty() && record.name.find(kernel) == std::string::npos) continue;
    for (const LineCounters& line : record.lines) {
      const double c = cost_of_divergence(quantity, line);
      if (c > cost) {
        cost = c;
        worst = &line;
      }
      if (line.divergent_branches > parted) {
        parted = line.divergent_branches;
        parting = &line;
      }
    }
  }
  if (worst == nullptr) return "";
  if (quantity == Quantity::divergent_branches) return describe_line(*worst, root, describe_parting(*worst));
  std::string text = describe_line(
      *worst, root,
      number(lanes_at_work(quantity, *worst) / std::max(worst->inst_executed, 1.0)) + " of 32 lanes work, on average.");
  // The branch is what to change, wherever the lanes that wait lose most.
  if (parting != nullptr && parting != worst && parting->line > 0)
    text += "  Warps part most often at: " + place_of(*parting, root) + "\n    " + describe_parting(*parting) + '\n';
  return text;
}

/// The line that takes most instructions.
std::string busiest_line(const Profile& profile, const std::string& kernel, const std::string& root) {
  const LineCounters* busiest = nullptr;
  double all = 0;
  for (const KernelRecord& record : profile.kernels) {
    if (!kernel.empty() && record.name.find(kernel) == std::string::npos) continue;
    for (const LineCounters& line : record.lines) {
      all += line.inst_executed;
      if (busiest == nullptr || line.inst_executed > busiest->inst_executed) busiest = &line;
    }
  }
  if (busiest == nullptr || all == 0) return "";
  return describe_line(*busiest, root,
                       number(std::round(100 * busiest->inst_executed / all)) + " % of all instructions are on it.");
}

const char* meaning_of(const std::string& limiter) {
  if (limiter == "dram") return "the memory's bandwidth: the kernel moves all the bytes it can; move fewer of them";
  if (limiter == "l2") return "the traffic between the multiprocessors and the L2 cache: too many sectors are moved";
  if (limiter == "l1") return "the L1 cache: too many sectors or cache lines in each access";
  if (limiter == "lsu") return "the load/store units: too many wavefronts, from bank conflicts or scattered accesses";
  if (limiter == "issue") return "the instructions that must be issued: compute less for each element";
  if (limiter == "latency")
    return "waiting: too few warps, or too little independent work in each, to cover the latency";
  if (limiter == "page_faults")
    return "page faults: it waits until the driver has brought what it touches; prefetch that";
  if (limiter == "remote") return "the bus: it uses memory that stays on the host; prefetch what it uses densely";
  if (limiter == "launch") return "the cost of launching: too little work in a launch";
  if (limiter == "blocks") return "the start of its blocks: many of them, with little work in each";
  if (limiter == "atomics") return "atomic operations: too many of them, or too many on one address";
  if (limiter == "grid_sync") return "barriers of the whole grid: each waits for the slowest block";
  return "one kind of arithmetic unit";
}

/// Quantities that are explained by the lanes at work on a line, not by an access.
bool concerns_branches(Quantity quantity) {
  return quantity == Quantity::divergent_branches || quantity == Quantity::active_threads_per_instruction ||
         quantity == Quantity::active_threads_predicated_on || quantity == Quantity::idle_lanes;
}

bool concerns_managed_memory(Quantity quantity) {
  return quantity == Quantity::gpu_page_faults || quantity == Quantity::cpu_page_faults ||
         quantity == Quantity::bytes_migrated_to_device || quantity == Quantity::bytes_migrated_to_host;
}

/// What copies in, kernels and copies out take together; false, and nothing told, if the kernels take longest.
bool describe_copies(const Profile& profile, std::ostringstream& out) {
  double in = 0, kernels = 0, back = 0;
  for (const CopyRecord& copy : profile.copies) {
    if (copy.kind == "host_to_device") in += copy.time_us;
    if (copy.kind == "device_to_host") back += copy.time_us;
  }
  for (const KernelRecord& kernel : profile.kernels) kernels += kernel.time_us;
  if (kernels > std::max(in, back)) return false;
  out << "  Copies in take " << number(in) << " us together, kernels " << number(kernels) << " us, copies out "
      << number(back) << " us: the copies are what takes time.\n  Why it costs: " << kOverlapOfCopies.why
      << "\n  What to try: " << kOverlapOfCopies.what_to_try << '\n';
  return true;
}

std::string kib(double bytes) { return number(bytes / 1024) + " KiB"; }

/// What to say of a slow answer whose kernels launch others; nothing if the launches are not what takes the time.
const Advice* advice_on_children(const Profile& profile, const KernelRecord& slowest, const Slow& slow,
                                 std::ostream& out) {
  const double children = value_of(profile, Quantity::launches_by_kernels).value_or(0);
  if (children < 2) return nullptr;
  if (slowest.limiter == "launch") {
    out << "  Kernels launched " << number(children) << " others.\n";
    return &kChildren;
  }
  const double at_a_time = value_of(profile, Quantity::children_at_a_time).value_or(0);
  if (!slow.predicted || slowest.time_us > slow.found_us / 2 || 4 * at_a_time > children) return nullptr;
  double busy = 0;
  for (const KernelRecord& record : profile.kernels)
    if (record.parent) busy += record.time_us;
  out << "  The " << number(children) << " grids that kernels launched take " << number(busy / children)
      << " us each; at most " << number(at_a_time) << " ran at a time. " << kOverlap.why << '\n';
  return &kOverlap;
}

/// What moved in all, and which kernel waited longest for it.
std::string describe_migrations(const Profile& profile, const std::string& kernel) {
  std::ostringstream out;
  const UnifiedMemory& all = profile.unified_memory;
  out << "  In all: " << number(all.gpu_page_faults) << " page faults of the GPU, " << number(all.cpu_page_faults)
      << " of the CPU; " << kib(all.htod_migration_bytes) << " went to the device, " << kib(all.dtoh_migration_bytes)
      << " to the host.\n";
  const KernelRecord* worst = nullptr;
  for (const KernelRecord& record : profile.kernels) {
    if (!kernel.empty() && record.name.find(kernel) == std::string::npos) continue;
    const double faults = record.unified_memory.gpu_page_faults;
    if (faults > 0 && (worst == nullptr || faults > worst->unified_memory.gpu_page_faults)) worst = &record;
  }
  if (worst == nullptr) return out.str();
  out << "  The kernel that faulted most: " << short_name(worst->name) << ", "
      << number(worst->unified_memory.gpu_page_faults) << " page faults, for which "
      << kib(worst->unified_memory.htod_migration_bytes) << " were copied and "
      << kib(worst->unified_memory.populated_bytes) << " came into being.\n";
  return out.str();
}

}  // namespace

std::string explain_missed(const Profile& profile, const Missed& missed, const std::string& root) {
  std::ostringstream out;
  if (!missed.found) {
    out << "No " << name_of(missed.quantity) << ": no launch" << (missed.kernel.empty() ? "" : " of " + missed.kernel)
        << " does such an access. Does the answer do its work on the GPU?\n  The limit: " << missed.reason << '\n';
    return out.str();
  }
  const bool copies = missed.quantity == Quantity::time_with_copies_us;
  out << "Too "
      << (copies           ? "long: "
          : missed.at_most ? "many "
                           : "few ")
      << name_of(missed.quantity) << ": " << number(*missed.found) << "; "
      << (missed.at_most ? "at most " : "at least ") << number(missed.limit)
      << (missed.at_most ? " is allowed." : " is needed.") << '\n';
  const Site site = worst_site(profile, missed.quantity, missed.kernel);
  // Instructions can also be too many because warps part and take both ways.
  const bool parted = missed.quantity == Quantity::warp_instructions &&
                      value_of(profile, Quantity::active_threads_per_instruction, missed.kernel).value_or(32) < 24;
  if (site.access != nullptr) {
    out << describe_site(site, root);
  } else if (concerns_branches(missed.quantity)) {
    out << worst_divergent_line(profile, missed.quantity, missed.kernel, root);
  } else if (concerns_managed_memory(missed.quantity)) {
    out << describe_migrations(profile, missed.kernel);
  } else if (missed.quantity == Quantity::warp_instructions) {
    out << (parted ? worst_divergent_line(profile, Quantity::active_threads_per_instruction, missed.kernel, root)
                   : busiest_line(profile, missed.kernel, root));
  }
  if (missed.quantity == Quantity::kernel_launches && !missed.at_most) {
    out << "  Does the answer do its work on the GPU?\n  The limit: " << missed.reason << '\n';
    return out.str();
  }
  // Wavefronts can also be too many without any conflict.
  const bool no_conflict = missed.quantity == Quantity::shared_wavefronts && site.access != nullptr &&
                           site.access->space == "shared" && excess(*site.access) <= 0;
  const bool narrow = !missed.at_most && (missed.quantity == Quantity::global_load_sectors_per_request ||
                                          missed.quantity == Quantity::global_store_sectors_per_request);
  const bool some_faults_allowed = missed.quantity == Quantity::gpu_page_faults && missed.at_most && missed.limit > 0;
  const bool few_launches = !missed.at_most && (missed.quantity == Quantity::launches_by_kernels ||
                                                missed.quantity == Quantity::launch_depth);
  const bool few_tails = !missed.at_most && missed.quantity == Quantity::tail_launches;
  const Advice& advice = narrow                ? kWideAccess
                         : few_launches        ? kFewChildren
                         : few_tails           ? kFewTails
                         : no_conflict         ? kSharedTraffic
                         : parted              ? kDivergence
                         : some_faults_allowed ? kGpuFaultGroups
                                               : advice_for(missed.quantity);
  out << "  Why it costs: " << advice.why << "\n  What to try: " << advice.what_to_try << '\n';
  out << "  The limit: " << missed.reason << '\n';
  return out.str();
}

std::string explain_slow(const Profile& profile, const Slow& slow, const std::string& root) {
  std::ostringstream out;
  const double ratio = slow.found_us / slow.reference_us;
  out << "Too slow: " << number(slow.found_us) << " us " << (slow.predicted ? "predicted" : "measured") << ", "
      << number(ratio) << " times the reference's " << number(slow.reference_us) << " us. Full points up to "
      << number(slow.full) << " times, none from " << number(slow.zero)
      << " times on: " << number(100 * time_credit(ratio, slow.full, slow.zero)) << " % of the points.\n";
  const auto slowest =
      std::max_element(profile.kernels.begin(), profile.kernels.end(),
                       [](const KernelRecord& a, const KernelRecord& b) { return a.time_us < b.time_us; });
  if (slowest == profile.kernels.end()) return out.str();
  if (slow.with_copies && describe_copies(profile, out)) return out.str();
  double in_kernels = 0;
  for (const KernelRecord& record : profile.kernels) in_kernels += record.time_us;
  const UnifiedMemory& moved = profile.unified_memory;
  if (slow.predicted && 2 * in_kernels < slow.found_us &&
      moved.cpu_page_faults + moved.htod_migration_bytes + moved.dtoh_migration_bytes > 0) {
    out << "  The kernels take " << number(in_kernels)
        << " us of that. The rest goes to page faults of the host and to moving pages.\n"
        << describe_migrations(profile, "");
    return out.str();
  }
  out << "  The slowest kernel, " << short_name(slowest->name) << " (" << number(slowest->time_us)
      << " us), is limited by " << slowest->limiter << ": " << meaning_of(slowest->limiter) << ".\n";
  const Advice* launching =
      slowest->limiter == "grid_sync" ? &kGridBarriers : advice_on_children(profile, *slowest, slow, out);
  if (launching != nullptr) {
    out << "  What to try: " << launching->what_to_try << '\n';
    return out.str();
  }
  const Site site = worst_site(profile, Quantity::time_us, slowest->name);
  if (site.access != nullptr && excess(*site.access) > 0) {
    const Quantity quantity = site.access->space == "shared"       ? Quantity::shared_wavefronts
                              : moves(*site.access, Direction::in) ? Quantity::global_load_sectors_ratio
                                                                   : Quantity::global_store_sectors_ratio;
    out << describe_site(site, root) << "  What to try: " << advice_for(quantity).what_to_try << '\n';
  }
  return out.str();
}

double time_credit(double ratio, double full, double zero) {
  if (!(ratio > full)) return ratio > 0 ? 1.0 : 0.0;
  if (!(ratio < zero)) return 0.0;
  return (zero - ratio) / (zero - full);
}

}  // namespace warpbook::grader
