// Explanations of missed thresholds, written for students: what was found, why it costs, what to try.
#include "grader/judge/explanations.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

#include "grader/judge/advice.h"
#include "grader/judge/cause.h"
#include "grader/judge/counted.h"

namespace warpbook::grader {

namespace {

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
  Counted(profile, missed.kernel).each_launch([&](const KernelRecord& record) {
    for (const LineCounters& line : record.lines) {
      for (const AccessCounters& access : line.accesses) {
        if (!concerns(missed.quantity, access)) continue;
        all += access.requests;
        if (access.op == "ld" && 2 * access.sectors_hit > access.sectors && access.requests > most.cost)
          most = {&record, &line, &access, access.requests};
      }
    }
  });
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
    // Lanes far apart move sectors of which they change a part.
    if (missed.quantity == Quantity::global_store_bytes && waste_of(site) >= 1) return &advice::kGlobalStore;
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
                     name_of(missed.quantity) + ": " + number_text(*missed.found) + "; " +
                     (missed.at_most ? "at most " : "at least ") + number_text(missed.limit) +
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

}  // namespace warpbook::grader
