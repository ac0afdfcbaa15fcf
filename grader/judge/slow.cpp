// What takes the time of a slow answer: copies, pages, launches, or the slowest kernel's limiter.
#include "grader/judge/slow.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "grader/judge/advice.h"
#include "grader/judge/cause.h"
#include "grader/judge/counted.h"
#include "grader/judge/waiting.h"

namespace warpbook::grader {

namespace {

/// What is known of a limiter of kernels.
struct Limiter {
  const char *name, *meaning;
  const Advice* advice = nullptr;                  ///< Of a kernel that is not limited by its memory accesses.
  std::optional<Quantity> traffic = std::nullopt;  ///< What a kernel that wastes nothing does too much of.
};

const Limiter kLimiters[] = {
    {"dram", "the memory's bandwidth: the kernel moves all the bytes it can; move fewer of them", nullptr,
     Quantity::global_load_bytes},
    {"l2", "the traffic between the multiprocessors and the L2 cache: too many sectors are moved", nullptr,
     Quantity::global_load_bytes},
    {"l1", "the L1 cache: too many sectors or cache lines in each access", nullptr, Quantity::global_load_bytes},
    {"lsu", "the load/store units: too many wavefronts, from bank conflicts, scattered accesses, or many of them",
     nullptr, Quantity::shared_wavefronts},
    {"issue", "the instructions that must be issued: compute less for each element", &advice::kInstructions},
    {"latency", "waiting: too few warps, or too little independent work in each, to cover the latency"},
    {"page_faults", "page faults: it waits until the driver has brought what it touches; prefetch that"},
    {"remote", "the bus: it uses memory that stays on the host; prefetch what it uses densely"},
    {"launch", "the cost of launching: too little work in a launch", &advice::kLaunches},
    {"blocks", "the start of its blocks: many of them, with little work in each"},
    {"atomics", "atomic operations: too many of them, or too many on one address", &advice::kAtomics},
    {"heap", "malloc() and free() in kernels: calls take turns on the device heap", &advice::kHeap},
    {"grid_sync", "barriers of the whole grid: each waits for the slowest block", &advice::kGridBarriers},
    {"waits", "blocks that wait for each other: what one writes takes long to reach the next"},
    {"constant", "constant memory: it serves one address at a time, and tables beyond its cache of 2 KiB slowly"},
    {"texture", "the texture units: a request for every four lanes that fetch; fetch less often"}};

/// All others are pipes of the multiprocessor, by their names.
const Limiter kPipe = {"", "one kind of arithmetic unit"};

const Limiter& limiter_of(const KernelRecord& kernel) {
  const auto* const found = std::ranges::find(kLimiters, kernel.limiter, &Limiter::name);
  return found == std::end(kLimiters) ? kPipe : *found;
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
  finding.facts.push_back("Copies in take " + number_text(in) + " us together, kernels " + number_text(kernels) +
                          " us, copies out " + number_text(back) + " us: the copies are what takes time.");
  finding.evidence.push_back({"copies_in", in, "us"});
  finding.evidence.push_back({"kernels", kernels, "us"});
  finding.evidence.push_back({"copies_out", back, "us"});
  set_advice(finding, advice::kOverlapOfCopies);
  return true;
}

/// What to say about a slow answer whose kernels launch others; nothing if the launches do not dominate the time.
const Advice* advice_on_children(Finding& finding, const Profile& profile, const KernelRecord& slowest,
                                 const Slow& slow) {
  const double children = value_of(profile, Quantity::launches_by_kernels).value_or(0);
  if (children < 2) return nullptr;
  if (slowest.limiter == "launch") {
    finding.facts.push_back("Kernels launched " + number_text(children) + " others.");
    finding.evidence.push_back({"launches_by_kernels", children, "launches"});
    return &advice::kChildren;
  }
  const double at_a_time = value_of(profile, Quantity::children_at_a_time).value_or(0);
  if (!slow.predicted || slowest.time_us > slow.found_us / 2 || 4 * at_a_time > children) return nullptr;
  double busy = 0;
  for (const KernelRecord& record : profile.kernels)
    if (record.parent) busy += record.time_us;
  finding.facts.push_back("The " + number_text(children) + " grids that kernels launched take " +
                          number_text(busy / children) + " us each; at most " + number_text(at_a_time) +
                          " ran at a time. " + advice::kOverlap.why);
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
  const double waiting = std::max(0.0, Counted(profile, all).span(Work::all).value_or(0) - busy_us(profile));
  if (launches < 2 || 2 * (launching + waiting) <= slow.found_us) return nullptr;
  finding.topic = "launch";
  finding.facts.push_back("Most of the time is not spent on the work: there are " + std::to_string(launches) +
                          " launches, of which those with too little work take " + number_text(launching) +
                          " us, and for " + number_text(waiting) + " us nothing ran between one and the next.");
  finding.evidence.push_back({"launches", static_cast<double>(launches), "launches"});
  finding.evidence.push_back({"in_small_launches", launching, "us"});
  finding.evidence.push_back({"between_launches", waiting, "us"});
  return waiting > launching ? &advice::kGaps : &advice::kLaunches;
}

/// A smaller excess does not make a kernel slow: rows that do not begin at a sector boundary, for example.
constexpr double kNotableWaste = 0.25;

/// What limits the slowest kernel, where, and what to try.
void add_limiter(Finding& finding, const Profile& profile, const KernelRecord& slowest, const Slow& slow,
                 const Sources& sources) {
  const Limiter& limiter = limiter_of(slowest);
  finding.topic = slowest.limiter;
  finding.facts.push_back("The slowest kernel, " + short_name(slowest.name) + " (" + number_text(slowest.time_us) +
                          " us), is limited by " + slowest.limiter + ": " + limiter.meaning + ".");
  if (const Advice* children = advice_on_children(finding, profile, slowest, slow)) {
    set_try(finding, *children);
    return;
  }
  if (limiter.advice != nullptr) {
    set_try(finding, *limiter.advice);
    return;
  }
  const Site site = worst_site(profile, Quantity::time_us, slowest.name);
  if (slowest.limiter == "latency" && waste_of(site) < 1) {
    const Advice& waiting = advice_on_waiting(finding, profile, slowest, slow.found_us);
    if (&waiting == &advice::kFewLanes)
      add_divergent_line(finding, profile, Quantity::active_threads_per_instruction, slowest.name, sources);
    set_try(finding, waiting);
  } else if (waste_of(site) >= kNotableWaste) {
    const Quantity quantity = site.access->space == "shared"       ? Quantity::shared_wavefronts
                              : moves(*site.access, Direction::in) ? Quantity::global_load_sectors_ratio
                                                                   : Quantity::global_store_sectors_ratio;
    add_site(finding, site, sources);
    set_try(finding, *advice_for(quantity, true));
  } else if (limiter.traffic) {
    const Site busiest = worst_site(profile, *limiter.traffic, slowest.name);
    if (busiest.access == nullptr) return;
    add_site(finding, busiest, sources);
    set_try(finding, *limiter.traffic == Quantity::shared_wavefronts ? advice::kSharedTraffic : advice::kTraffic);
  }
}

}  // namespace

Finding explain_slow(const Profile& profile, const Slow& slow, const Sources& sources) {
  Finding finding;
  finding.kind = FindingKind::too_slow;
  const double ratio = slow.found_us / slow.reference_us, credit = time_credit(ratio, slow.full, slow.zero);
  finding.headline = "Too slow: " + number_text(slow.found_us) + " us " + (slow.predicted ? "predicted" : "measured") +
                     ", " + number_text(ratio) + " times the reference's " + number_text(slow.reference_us) +
                     " us. Full points up to " + number_text(slow.full) + " times, none from " +
                     number_text(slow.zero) + " times on: " + number_text(100 * credit) + " % of the points.";
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
    finding.facts.push_back("The kernels take " + number_text(in_kernels) +
                            " us of that. The rest goes to page faults of the host and to moving pages.");
    add_migrations(finding, profile, "");
    return finding;
  }
  if (const Advice* launches = advice_on_launches(finding, profile, slow)) {
    set_advice(finding, *launches);
    return finding;
  }
  add_limiter(finding, profile, *slowest, slow, sources);
  return finding;
}

double time_credit(double ratio, double full, double zero) {
  if (!(ratio > full)) return ratio > 0 ? 1.0 : 0.0;
  if (!(ratio < zero)) return 0.0;
  return (zero - ratio) / (zero - full);
}

}  // namespace warpbook::grader
