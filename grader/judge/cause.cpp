// Finds the line, or the pages, and puts them into the finding with what was counted there.
#include "grader/judge/cause.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "grader/judge/counted.h"

namespace warpbook::grader {

namespace {

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
  return "Neighbouring threads are " + number_text(std::fabs(bytes)) + " bytes apart (stride " + number_text(bytes) +
         " bytes; an element has " + number_text(access.bytes_per_lane) + ").";
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

/// Lanes that execute the instructions of a line, summed over its instructions.
double lanes_at_work(Quantity quantity, const LineCounters& line) {
  return quantity == Quantity::active_threads_per_instruction ? line.thread_inst_executed
                                                              : line.thread_inst_executed_true;
}

void add_parting(Finding& finding, const LineCounters& line, const Sources& sources, const std::string& label) {
  Place place = place_of(line, sources, label);
  place.notes.push_back(number_text(line.divergent_branches) + " of " + number_text(line.branches) +
                        " branches were divergent.");
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

std::string kib(double bytes) { return number_text(bytes / 1024) + " KiB"; }

}  // namespace

double excess(const AccessCounters& access) {
  return access.space == "shared" ? access.wavefronts - access.wavefronts_ideal : access.sectors - access.sectors_ideal;
}

double waste_of(const Site& site) {
  if (site.access == nullptr) return 0;
  const bool shared = site.access->space == "shared";
  return excess(*site.access) / std::max(shared ? site.access->wavefronts_ideal : site.access->sectors_ideal, 1.0);
}

Site worst_site(const Profile& profile, Quantity quantity, const std::string& kernel) {
  Site worst, busiest;
  Counted(profile, kernel).each_launch([&](const KernelRecord& record) {
    for (const LineCounters& line : record.lines) {
      for (const AccessCounters& access : line.accesses) {
        if (!concerns(quantity, access)) continue;
        const double waste = excess(access);
        const double all = access.space == "shared" ? access.wavefronts : access.sectors;
        if (waste > worst.cost) worst = {&record, &line, &access, waste};
        if (all > busiest.cost) busiest = {&record, &line, &access, all};
      }
    }
  });
  return worst.access != nullptr ? worst : busiest;
}

void add_site(Finding& finding, const Site& site, const Sources& sources) {
  const AccessCounters& access = *site.access;
  Place place = place_of(*site.line, sources, "The line that costs most: ", site.kernel->name);
  const double requests = std::max(access.requests, 1.0);
  const bool shared = access.space == "shared";
  const double all = shared ? access.wavefronts : access.sectors;
  const double ideal = shared ? access.wavefronts_ideal : access.sectors_ideal;
  const std::string found = number_text(all / requests), unit = shared ? "wavefronts" : "sectors";
  const std::string one = shared ? "wavefront" : "sector";
  std::string text = "It " + verb(access) + (shared ? " shared" : " global") + " memory with " + found + " " +
                     (found == "1" ? one : unit) + " per request; ideal: " + number_text(ideal / requests) + ".";
  finding.evidence.push_back({"per_request", all / requests, unit});
  finding.evidence.push_back({"ideal_per_request", ideal / requests, unit});
  if (shared && all > ideal) {
    const double ways = all / std::max(ideal, 1.0);
    const std::string degree = number_text(ways);
    const bool vowel = degree.front() == '8' || degree == "11" || degree == "18";
    text += (vowel ? " An " : " A ") + degree + "-way bank conflict.";
    finding.evidence.push_back({"conflict_degree", ways, ""});
  }
  place.notes.push_back(text);
  if (access.stride) finding.evidence.push_back({"stride", *access.stride, "bytes"});
  if (const std::string stride = describe_stride(access); !stride.empty()) place.notes.push_back(stride);
  finding.sites.push_back(std::move(place));
}

void add_divergent_line(Finding& finding, const Profile& profile, Quantity quantity, const std::string& kernel,
                        const Sources& sources) {
  const LineCounters *worst = nullptr, *parting = nullptr;
  double cost = 0, parted = 0;
  Counted(profile, kernel).each_launch([&](const KernelRecord& record) {
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
  });
  if (worst == nullptr) return;
  if (quantity == Quantity::divergent_branches) return add_parting(finding, *worst, sources, kCostsMost);
  const double lanes = lanes_at_work(quantity, *worst) / std::max(worst->inst_executed, 1.0);
  Place place = place_of(*worst, sources, kCostsMost);
  place.notes.push_back(number_text(lanes) + " of 32 lanes work, on average.");
  finding.evidence.push_back({"active_lanes", lanes, "lanes"});
  finding.sites.push_back(std::move(place));
  // The branch must change, even if the waiting lanes lose most elsewhere.
  if (parting != nullptr && parting != worst && parting->line > 0)
    add_parting(finding, *parting, sources, "Warps diverge most often at: ");
}

void add_busiest_line(Finding& finding, const Profile& profile, const std::string& kernel, const Sources& sources) {
  const LineCounters* busiest = nullptr;
  double all = 0;
  Counted(profile, kernel).each_launch([&](const KernelRecord& record) {
    for (const LineCounters& line : record.lines) {
      all += line.inst_executed;
      if (busiest == nullptr || line.inst_executed > busiest->inst_executed) busiest = &line;
    }
  });
  if (busiest == nullptr || all == 0) return;
  const double share = 100 * busiest->inst_executed / all;
  Place place = place_of(*busiest, sources, kCostsMost);
  place.notes.push_back(number_text(std::round(share)) + " % of all instructions are on it.");
  finding.evidence.push_back({"share_of_instructions", share, "%"});
  finding.sites.push_back(std::move(place));
}

void add_migrations(Finding& finding, const Profile& profile, const std::string& kernel) {
  const UnifiedMemory& all = profile.unified_memory;
  finding.facts.push_back("In all: " + number_text(all.gpu_page_faults) + " page faults of the GPU, " +
                          number_text(all.cpu_page_faults) + " of the CPU; " + kib(all.htod_migration_bytes) +
                          " went to the device, " + kib(all.dtoh_migration_bytes) + " to the host.");
  finding.evidence.push_back({"gpu_page_faults", all.gpu_page_faults, "faults"});
  finding.evidence.push_back({"cpu_page_faults", all.cpu_page_faults, "faults"});
  finding.evidence.push_back({"bytes_migrated_to_device", all.htod_migration_bytes, "bytes"});
  finding.evidence.push_back({"bytes_migrated_to_host", all.dtoh_migration_bytes, "bytes"});
  const KernelRecord* worst = nullptr;
  Counted(profile, kernel).each_launch([&](const KernelRecord& record) {
    const double faults = record.unified_memory.gpu_page_faults;
    if (faults > 0 && (worst == nullptr || faults > worst->unified_memory.gpu_page_faults)) worst = &record;
  });
  if (worst == nullptr) return;
  finding.facts.push_back("The kernel that faulted most: " + short_name(worst->name) + ", " +
                          number_text(worst->unified_memory.gpu_page_faults) + " page faults, for which " +
                          kib(worst->unified_memory.htod_migration_bytes) + " were copied and " +
                          kib(worst->unified_memory.populated_bytes) + " were created.");
}

}  // namespace warpbook::grader
