// Explanations of missed thresholds, written for students: what was found, why it costs, what to try.
#include "grader/judge/explanations.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

#include "grader/judge/counted.h"
#include "grader/judge/waiting.h"

namespace warpbook::grader {

namespace {

std::string number(double value) { return number_text(value); }

/// An access on a source line.
struct Site {
  const KernelRecord* kernel = nullptr;
  const LineCounters* line = nullptr;
  const AccessCounters* access = nullptr;
  double cost = 0;  ///< What it needs beyond the ideal; if nothing does, what it needs at all.
};

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
  if (access.op == "ld") return "loads from";
  if (access.op == "st") return "stores to";
  if (access.op == "tex") return "reads through a texture from";
  if (access.op == "bulk_ld") return "copies in bulk from";
  if (access.op == "bulk_st") return access.space == "shared" ? "stores asynchronously to" : "copies in bulk to";
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

Place place_of(const LineCounters& line, const Sources& sources, const std::string& label,
               const std::string& kernel = "") {
  Place place;
  place.file = sources.relative(line.file);
  place.line = line.line;
  place.function = short_name(kernel);
  place.label = label;
  place.text = sources.line(line.file, line.line);
  return place;
}

/// Puts the access that costs most into the finding.
void add_site(Finding& finding, const Site& site, const Sources& sources) {
  const AccessCounters& access = *site.access;
  Place place = place_of(*site.line, sources, "The line that costs most: ", site.kernel->name);
  const double requests = std::max(access.requests, 1.0);
  const bool shared = access.space == "shared";
  const double all = shared ? access.wavefronts : access.sectors;
  const double ideal = shared ? access.wavefronts_ideal : access.sectors_ideal;
  const std::string found = number(all / requests), unit = shared ? "wavefronts" : "sectors";
  const std::string one = shared ? "wavefront" : "sector";
  std::string text = "It " + verb(access) + (shared ? " shared" : " global") + " memory with " + found + " " +
                     (found == "1" ? one : unit) + " per request; ideal: " + number(ideal / requests) + ".";
  finding.evidence.push_back({"per_request", all / requests, unit});
  finding.evidence.push_back({"ideal_per_request", ideal / requests, unit});
  if (shared && all > ideal) {
    const double ways = all / std::max(ideal, 1.0);
    const std::string degree = number(ways);
    const bool vowel = degree.front() == '8' || degree == "11" || degree == "18";
    text += (vowel ? " An " : " A ") + degree + "-way bank conflict.";
    finding.evidence.push_back({"conflict_degree", ways, ""});
  }
  place.notes.push_back(text);
  if (access.stride) finding.evidence.push_back({"stride", *access.stride, "bytes"});
  if (const std::string stride = describe_stride(access); !stride.empty()) place.notes.push_back(stride);
  finding.sites.push_back(std::move(place));
}

/// Lanes that execute the instructions of a line, summed over its instructions.
double lanes_at_work(Quantity quantity, const LineCounters& line) {
  return quantity == Quantity::active_threads_per_instruction ? line.thread_inst_executed
                                                              : line.thread_inst_executed_true;
}

void add_parting(Finding& finding, const LineCounters& line, const Sources& sources, const std::string& label) {
  Place place = place_of(line, sources, label);
  place.notes.push_back(number(line.divergent_branches) + " of " + number(line.branches) + " branches were divergent.");
  finding.evidence.push_back({"divergent_branches", line.divergent_branches, "branches"});
  finding.evidence.push_back({"branches", line.branches, "branches"});
  finding.sites.push_back(std::move(place));
}

constexpr const char* kCostsMost = "The line that costs most: ";

/// What a line adds to a quantity of divergence.
double cost_of_divergence(Quantity quantity, const LineCounters& line) {
  if (quantity == Quantity::divergent_branches) return line.divergent_branches;
  return 32 * line.inst_executed - lanes_at_work(quantity, line);
}

/// The line at which most lanes were idle or most branches diverged.
void add_divergent_line(Finding& finding, const Profile& profile, Quantity quantity, const std::string& kernel,
                        const Sources& sources) {
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
  if (worst == nullptr) return;
  if (quantity == Quantity::divergent_branches) return add_parting(finding, *worst, sources, kCostsMost);
  const double lanes = lanes_at_work(quantity, *worst) / std::max(worst->inst_executed, 1.0);
  Place place = place_of(*worst, sources, kCostsMost);
  place.notes.push_back(number(lanes) + " of 32 lanes work, on average.");
  finding.evidence.push_back({"active_lanes", lanes, "lanes"});
  finding.sites.push_back(std::move(place));
  // The branch must change, even if the waiting lanes lose most elsewhere.
  if (parting != nullptr && parting != worst && parting->line > 0)
    add_parting(finding, *parting, sources, "Warps diverge most often at: ");
}

/// The line that takes most instructions.
void add_busiest_line(Finding& finding, const Profile& profile, const std::string& kernel, const Sources& sources) {
  const LineCounters* busiest = nullptr;
  double all = 0;
  for (const KernelRecord& record : profile.kernels) {
    if (!kernel.empty() && record.name.find(kernel) == std::string::npos) continue;
    for (const LineCounters& line : record.lines) {
      all += line.inst_executed;
      if (busiest == nullptr || line.inst_executed > busiest->inst_executed) busiest = &line;
    }
  }
  if (busiest == nullptr || all == 0) return;
  const double share = 100 * busiest->inst_executed / all;
  Place place = place_of(*busiest, sources, kCostsMost);
  place.notes.push_back(number(std::round(share)) + " % of all instructions are on it.");
  finding.evidence.push_back({"share_of_instructions", share, "%"});
  finding.sites.push_back(std::move(place));
}

const char* meaning_of(const std::string& limiter) {
  if (limiter == "dram") return "the memory's bandwidth: the kernel moves all the bytes it can; move fewer of them";
  if (limiter == "l2") return "the traffic between the multiprocessors and the L2 cache: too many sectors are moved";
  if (limiter == "l1") return "the L1 cache: too many sectors or cache lines in each access";
  if (limiter == "lsu")
    return "the load/store units: too many wavefronts, from bank conflicts, scattered accesses, or many of them";
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
  if (limiter == "waits") return "blocks that wait for each other: what one writes takes long to reach the next";
  if (limiter == "constant")
    return "constant memory: it serves one address at a time, and tables beyond its cache of 2 KiB slowly";
  if (limiter == "texture") return "the texture units: a request for every four lanes that fetch; fetch less often";
  return "one kind of arithmetic unit";
}

void set_try(Finding& finding, const Advice& advice) {
  finding.advice = advice.name;
  finding.what_to_try = advice.what_to_try;
}

void set_advice(Finding& finding, const Advice& advice) {
  finding.why = advice.why;
  set_try(finding, advice);
}

/// Adds what copies in, kernels and copies out take; returns false and adds nothing if the kernels take longest.
bool add_copies(Finding& finding, const Profile& profile) {
  double in = 0, kernels = 0, back = 0;
  for (const CopyRecord& copy : profile.copies) {
    if (copy.kind == "host_to_device") in += copy.time_us;
    if (copy.kind == "device_to_host") back += copy.time_us;
  }
  for (const KernelRecord& kernel : profile.kernels) kernels += kernel.time_us;
  if (kernels > std::max(in, back)) return false;
  finding.topic = "copies";
  finding.facts.push_back("Copies in take " + number(in) + " us together, kernels " + number(kernels) +
                          " us, copies out " + number(back) + " us: the copies are what takes time.");
  finding.evidence.push_back({"copies_in", in, "us"});
  finding.evidence.push_back({"kernels", kernels, "us"});
  finding.evidence.push_back({"copies_out", back, "us"});
  set_advice(finding, advice::kOverlapOfCopies);
  return true;
}

std::string kib(double bytes) { return number(bytes / 1024) + " KiB"; }

/// What to say about a slow answer whose kernels launch others; nothing if the launches do not dominate the time.
const Advice* advice_on_children(Finding& finding, const Profile& profile, const KernelRecord& slowest,
                                 const Slow& slow) {
  const double children = value_of(profile, Quantity::launches_by_kernels).value_or(0);
  if (children < 2) return nullptr;
  if (slowest.limiter == "launch") {
    finding.facts.push_back("Kernels launched " + number(children) + " others.");
    finding.evidence.push_back({"launches_by_kernels", children, "launches"});
    return &advice::kChildren;
  }
  const double at_a_time = value_of(profile, Quantity::children_at_a_time).value_or(0);
  if (!slow.predicted || slowest.time_us > slow.found_us / 2 || 4 * at_a_time > children) return nullptr;
  double busy = 0;
  for (const KernelRecord& record : profile.kernels)
    if (record.parent) busy += record.time_us;
  finding.facts.push_back("The " + number(children) + " grids that kernels launched take " + number(busy / children) +
                          " us each; at most " + number(at_a_time) + " ran at a time. " + advice::kOverlap.why);
  finding.evidence.push_back({"launches_by_kernels", children, "launches"});
  finding.evidence.push_back({"children_at_a_time", at_a_time, "grids"});
  return &advice::kOverlap;
}

/// Microseconds in which a kernel or a copy was running.
double busy_us(const Profile& profile) {
  std::vector<std::pair<double, double>> spans;
  for (const KernelRecord& kernel : profile.kernels)
    spans.emplace_back(kernel.start_us, kernel.start_us + kernel.time_us);
  for (const CopyRecord& copy : profile.copies) spans.emplace_back(copy.start_us, copy.start_us + copy.time_us);
  std::sort(spans.begin(), spans.end());
  double busy = 0, end = spans.empty() ? 0 : spans.front().first;
  for (const auto& [from, to] : spans) {
    busy += std::max(0.0, to - std::max(from, end));
    end = std::max(end, to);
  }
  return busy;
}

/// What to say first about a slow answer that spends most of its time on launching and waiting: no faster kernel would
/// be enough. Nothing if the work takes more time.
const Advice* advice_on_launches(Finding& finding, const Profile& profile, const Slow& slow) {
  if (!slow.predicted) return nullptr;
  double launching = 0;
  int launches = 0;
  for (const KernelRecord& kernel : profile.kernels) {
    if (kernel.parent) continue;
    ++launches;
    if (kernel.limiter == "launch") launching += kernel.time_us;
  }
  const std::string all;
  const double waiting = std::max(0.0, Counted(profile, all).span(true).value_or(0) - busy_us(profile));
  if (launches < 2 || 2 * (launching + waiting) <= slow.found_us) return nullptr;
  finding.topic = "launch";
  finding.facts.push_back("Most of the time is not spent on the work: there are " + std::to_string(launches) +
                          " launches, of which those with too little work take " + number(launching) + " us, and for " +
                          number(waiting) + " us nothing ran between one and the next.");
  finding.evidence.push_back({"launches", static_cast<double>(launches), "launches"});
  finding.evidence.push_back({"in_small_launches", launching, "us"});
  finding.evidence.push_back({"between_launches", waiting, "us"});
  return waiting > launching ? &advice::kGaps : &advice::kLaunches;
}

/// What to say about a kernel that is not limited by its memory accesses; nothing if it is.
const Advice* advice_on_limiter(const std::string& limiter) {
  if (limiter == "grid_sync") return &advice::kGridBarriers;
  if (limiter == "launch") return &advice::kLaunches;
  if (limiter == "issue") return &advice::kInstructions;
  if (limiter == "atomics") return &advice::kAtomics;
  return nullptr;
}

/// What an access needs beyond the ideal, relative to the ideal; 0 if there is no access.
double waste_of(const Site& site) {
  if (site.access == nullptr) return 0;
  const bool shared = site.access->space == "shared";
  return excess(*site.access) / std::max(shared ? site.access->wavefronts_ideal : site.access->sectors_ideal, 1.0);
}

/// A smaller excess does not make a kernel slow: rows that do not begin at a sector boundary, for example.
constexpr double kNotableWaste = 0.25;

/// What a kernel that wastes nothing does too much of; nothing if it is not limited by accesses.
std::optional<Quantity> traffic_of(const std::string& limiter) {
  if (limiter == "lsu") return Quantity::shared_wavefronts;
  if (limiter == "l1" || limiter == "l2" || limiter == "dram") return Quantity::global_load_bytes;
  return std::nullopt;
}

/// What moved in all, and which kernel waited longest for it.
void add_migrations(Finding& finding, const Profile& profile, const std::string& kernel) {
  const UnifiedMemory& all = profile.unified_memory;
  finding.facts.push_back("In all: " + number(all.gpu_page_faults) + " page faults of the GPU, " +
                          number(all.cpu_page_faults) + " of the CPU; " + kib(all.htod_migration_bytes) +
                          " went to the device, " + kib(all.dtoh_migration_bytes) + " to the host.");
  finding.evidence.push_back({"gpu_page_faults", all.gpu_page_faults, "faults"});
  finding.evidence.push_back({"cpu_page_faults", all.cpu_page_faults, "faults"});
  finding.evidence.push_back({"bytes_migrated_to_device", all.htod_migration_bytes, "bytes"});
  finding.evidence.push_back({"bytes_migrated_to_host", all.dtoh_migration_bytes, "bytes"});
  const KernelRecord* worst = nullptr;
  for (const KernelRecord& record : profile.kernels) {
    if (!kernel.empty() && record.name.find(kernel) == std::string::npos) continue;
    const double faults = record.unified_memory.gpu_page_faults;
    if (faults > 0 && (worst == nullptr || faults > worst->unified_memory.gpu_page_faults)) worst = &record;
  }
  if (worst == nullptr) return;
  finding.facts.push_back("The kernel that faulted most: " + short_name(worst->name) + ", " +
                          number(worst->unified_memory.gpu_page_faults) + " page faults, for which " +
                          kib(worst->unified_memory.htod_migration_bytes) + " were copied and " +
                          kib(worst->unified_memory.populated_bytes) + " were created.");
}

/// There may be too many instructions because warps diverge and take both paths.
bool diverges_too_often(const Profile& profile, const Missed& missed) {
  return missed.quantity == Quantity::warp_instructions &&
         value_of(profile, Quantity::active_threads_per_instruction, missed.kernel).value_or(32) < 24;
}

bool is_of_requests(const Missed& missed) {
  return missed.at_most &&
         (missed.quantity == Quantity::global_load_requests || missed.quantity == Quantity::global_store_requests);
}

/// Lanes that move adjacent data in pieces: fields of a structure of 8 to 64 bytes that is not aligned.
bool is_split(const AccessCounters& access) {
  const double stride = std::fabs(access.stride.value_or(0));
  const bool of_a_structure = stride == 8 || stride == 16 || stride == 32 || stride == 64;
  return of_a_structure && access.bytes_per_lane < std::min(stride, 16.0) && excess(access) > 0;
}

/// The load with most requests among those that find most of their data in the cache; none if they are few.
Site loaded_again(const Profile& profile, const Missed& missed) {
  Site most;
  double all = 0;
  for (const KernelRecord& record : profile.kernels) {
    if (!missed.kernel.empty() && record.name.find(missed.kernel) == std::string::npos) continue;
    for (const LineCounters& line : record.lines) {
      for (const AccessCounters& access : line.accesses) {
        if (!concerns(missed.quantity, access)) continue;
        all += access.requests;
        if (access.op == "ld" && 2 * access.sectors_hit > access.sectors && access.requests > most.cost)
          most = {&record, &line, &access, access.requests};
      }
    }
  }
  return 8 * most.cost >= all ? most : Site{};
}

/// The access to show for a missed threshold.
Site site_of(const Profile& profile, const Missed& missed) {
  const Site worst = worst_site(profile, missed.quantity, missed.kernel);
  if (!is_of_requests(missed) || worst.access == nullptr || is_split(*worst.access)) return worst;
  const Site again = loaded_again(profile, missed);
  return again.access != nullptr ? again : worst;
}

/// Too many requests may have other causes than narrow accesses.
const Advice* advice_on_requests(const AccessCounters& access) {
  if (is_split(access)) return &advice::kSplitAccess;
  if (access.op == "ld" && 2 * access.sectors_hit > access.sectors) return &advice::kLoadedAgain;
  return access.bytes_per_lane >= 16 ? &advice::kTraffic : nullptr;
}

/// The advice for a missed threshold, more specific than the quantity's if possible; nullptr: none.
const Advice* advice_for_missed(const Profile& profile, const Missed& missed, const Site& site) {
  if (missed.at_most) {
    // There may be too many wavefronts without any conflict.
    if (missed.quantity == Quantity::shared_wavefronts && site.access != nullptr && excess(*site.access) <= 0)
      return &advice::kSharedTraffic;
    if (is_of_requests(missed) && site.access != nullptr)
      if (const Advice* const advice = advice_on_requests(*site.access)) return advice;
    if (diverges_too_often(profile, missed)) return &advice::kDivergence;
    if (missed.quantity == Quantity::gpu_page_faults && missed.limit > 0) return &advice::kGpuFaultGroups;
  }
  return advice_for(missed.quantity, missed.at_most);
}

/// Puts into the finding where in the source, or among the pages, the quantity comes from.
void add_cause(Finding& finding, const Profile& profile, const Missed& missed, const Site& site,
               const Sources& sources) {
  if (site.access != nullptr) return add_site(finding, site, sources);
  switch (explained_by(missed.quantity)) {
    case ExplainedBy::lanes:
      return add_divergent_line(finding, profile, missed.quantity, missed.kernel, sources);
    case ExplainedBy::migrations:
      return add_migrations(finding, profile, missed.kernel);
    case ExplainedBy::instructions:
      if (diverges_too_often(profile, missed))
        return add_divergent_line(finding, profile, Quantity::active_threads_per_instruction, missed.kernel, sources);
      return add_busiest_line(finding, profile, missed.kernel, sources);
    case ExplainedBy::access:
    case ExplainedBy::nothing:
      return;
  }
}

}  // namespace

Finding explain_missed(const Profile& profile, const Missed& missed, const Sources& sources) {
  Finding finding;
  finding.topic = key_of(missed.quantity);
  finding.limit = Limit{missed.limit, missed.at_most};
  finding.limit_reason = missed.reason;
  if (!missed.found) {
    finding.kind = FindingKind::nothing_counted;
    finding.headline = "No " + name_of(missed.quantity) + ": no launch" +
                       (missed.kernel.empty() ? "" : " of " + missed.kernel) +
                       " does such an access. Does the answer do its work on the GPU?";
    return finding;
  }
  const bool copies = missed.quantity == Quantity::time_with_copies_us, is_time = missed.quantity == Quantity::time_us;
  finding.kind = missed.at_most ? FindingKind::too_much : FindingKind::too_little;
  finding.headline = std::string("Too ") +
                     (copies           ? "long: "
                      : is_time        ? (missed.at_most ? "much " : "little ")
                      : missed.at_most ? "many "
                                       : "few ") +
                     name_of(missed.quantity) + ": " + number(*missed.found) + "; " +
                     (missed.at_most ? "at most " : "at least ") + number(missed.limit) +
                     (missed.at_most ? " is allowed." : " is needed.");
  finding.evidence.push_back({"found", *missed.found, unit_of(missed.quantity)});
  const Site site = site_of(profile, missed);
  const Advice* advice = advice_for_missed(profile, missed, site);
  if (missed.quantity == Quantity::kernel_launches && !missed.at_most)
    finding.facts.push_back("Does the answer do its work on the GPU?");
  if (advice == nullptr) return finding;
  add_cause(finding, profile, missed, site, sources);
  set_advice(finding, *advice);
  return finding;
}

Finding explain_slow(const Profile& profile, const Slow& slow, const Sources& sources) {
  Finding finding;
  finding.kind = FindingKind::too_slow;
  const double ratio = slow.found_us / slow.reference_us, credit = time_credit(ratio, slow.full, slow.zero);
  finding.headline = "Too slow: " + number(slow.found_us) + " us " + (slow.predicted ? "predicted" : "measured") +
                     ", " + number(ratio) + " times the reference's " + number(slow.reference_us) +
                     " us. Full points up to " + number(slow.full) + " times, none from " + number(slow.zero) +
                     " times on: " + number(100 * credit) + " % of the points.";
  finding.limit = Limit{slow.full, true};
  finding.evidence = {{"found", slow.found_us, "us"},
                      {"reference", slow.reference_us, "us"},
                      {"ratio", ratio, ""},
                      {"no_points_from", slow.zero, ""},
                      {"credit", credit, ""}};
  const auto slowest =
      std::max_element(profile.kernels.begin(), profile.kernels.end(),
                       [](const KernelRecord& a, const KernelRecord& b) { return a.time_us < b.time_us; });
  if (slowest == profile.kernels.end()) return finding;
  if (slow.with_copies && add_copies(finding, profile)) return finding;
  double in_kernels = 0;
  for (const KernelRecord& record : profile.kernels) in_kernels += record.time_us;
  const UnifiedMemory& moved = profile.unified_memory;
  if (slow.predicted && 2 * in_kernels < slow.found_us &&
      moved.cpu_page_faults + moved.htod_migration_bytes + moved.dtoh_migration_bytes > 0) {
    finding.topic = "moving_pages";
    finding.facts.push_back("The kernels take " + number(in_kernels) +
                            " us of that. The rest goes to page faults of the host and to moving pages.");
    add_migrations(finding, profile, "");
    return finding;
  }
  if (const Advice* launches = advice_on_launches(finding, profile, slow)) {
    set_advice(finding, *launches);
    return finding;
  }
  finding.topic = slowest->limiter;
  finding.facts.push_back("The slowest kernel, " + short_name(slowest->name) + " (" + number(slowest->time_us) +
                          " us), is limited by " + slowest->limiter + ": " + meaning_of(slowest->limiter) + ".");
  if (const Advice* children = advice_on_children(finding, profile, *slowest, slow)) {
    set_try(finding, *children);
    return finding;
  }
  if (const Advice* limiter = advice_on_limiter(slowest->limiter)) {
    set_try(finding, *limiter);
    return finding;
  }
  const Site site = worst_site(profile, Quantity::time_us, slowest->name);
  if (slowest->limiter == "latency" && waste_of(site) < 1) {
    const Advice& waiting = advice_on_waiting(finding, profile, *slowest, slow.found_us);
    if (&waiting == &advice::kFewLanes)
      add_divergent_line(finding, profile, Quantity::active_threads_per_instruction, slowest->name, sources);
    set_try(finding, waiting);
  } else if (waste_of(site) >= kNotableWaste) {
    const Quantity quantity = site.access->space == "shared"       ? Quantity::shared_wavefronts
                              : moves(*site.access, Direction::in) ? Quantity::global_load_sectors_ratio
                                                                   : Quantity::global_store_sectors_ratio;
    add_site(finding, site, sources);
    set_try(finding, *advice_for(quantity, true));
  } else if (const std::optional<Quantity> traffic = traffic_of(slowest->limiter)) {
    const Site busiest = worst_site(profile, *traffic, slowest->name);
    if (busiest.access == nullptr) return finding;
    add_site(finding, busiest, sources);
    set_try(finding, *traffic == Quantity::shared_wavefronts ? advice::kSharedTraffic : advice::kTraffic);
  }
  return finding;
}

double time_credit(double ratio, double full, double zero) {
  if (!(ratio > full)) return ratio > 0 ? 1.0 : 0.0;
  if (!(ratio < zero)) return 0.0;
  return (zero - ratio) / (zero - full);
}

}  // namespace warpbook::grader
