// What checkers found, explained: what is wrong, where, and what would fix it.
#include "grader/judge/check_finding.h"

#include <algorithm>
#include <array>

namespace warpbook::grader {

namespace {

struct CheckKind {
  const char* check;
  FindingKind finding;
  const char* headline;  ///< What goes before the checker's message.
  const char* fact;
};

// The most important first.
constexpr std::array<CheckKind, 5> kCheckKinds = {{
    {"memory", FindingKind::misused_memory, "Memory is misused: ",
     "The result may be right today: what lies beside an array, or was freed, belongs to somebody else tomorrow."},
    {"sync", FindingKind::wrong_mask, "A wrong mask: ",
     "The result may be right today: a mask must name every lane that makes the call; otherwise results are "
     "undefined."},
    {"race", FindingKind::race, "",  // In which memory: below.
     "The result may be right today: another order of threads, which CUDA allows, makes it wrong."},
    {"init", FindingKind::uninitialised,
     "An uninitialised value: ", "The result may be right today: memory that was never written may hold any value."},
    {"leak", FindingKind::leak, "A leak: ", "A program that calls this again and again runs out of it."},
}};

std::string place_label(const CheckSite& site) {
  if (site.role == "read") return "reads: ";
  if (site.role == "write") return "writes: ";
  if (site.role == "atomic") return "changes atomically: ";
  if (site.role == "asynchronous copy") return "copies: ";
  if (site.role == "branch") return "branches on it: ";
  if (site.role == "address") return "uses it as an address: ";
  if (site.role == "store") return "stores it: ";
  if (site.role == "vote") return "votes on it: ";
  if (site.role == "print") return "prints it: ";
  if (site.role == "call") return "calls it: ";
  if (site.role == "alloca") return "takes stack memory: ";
  return site.role + ": ";
}

std::string sentence(std::string text) {
  if (!text.empty() && text.back() != '.') text += '.';
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

/// Both sides of a race are accesses of one line: no barrier fits between them.
bool is_of_one_line(const CheckRecord& race) {
  const auto& sites = race.sites;
  return race.check == "race" && sites.size() == 2 && sites[0].line > 0 && sites[0].line == sites[1].line &&
         sites[0].file == sites[1].file && sites[0].kernel == sites[1].kernel;
}

/// Whether launches of the kernel may run at the same time, so that a race may be between two of them.
bool is_launched_at_once(const std::string& kernel, const Profile& profile) {
  std::set<int> streams;
  for (const KernelRecord& record : profile.kernels) {
    if (record.name != kernel) continue;
    if (record.parent) return true;
    streams.insert(record.stream);
  }
  return streams.size() > 1;
}

/// Threads that change one word on one line, as *sum += x does, or store to one element: the fix is not a barrier
/// between two accesses. A line that several threads run in turn on words of their own (a sum over pairs in shared
/// memory) has races as well, but none of stores with stores.
void explain_one_line(const CheckRecord& race, const Profile& profile, Finding& finding) {
  if (!is_of_one_line(race) || is_launched_at_once(race.kernel, profile)) return;
  const CheckSite& site = race.sites[0];
  bool stores_meet = false, reads = false;
  for (const CheckRecord& other : profile.findings) {
    if (!is_of_one_line(other) || other.sites[0].line != site.line || other.sites[0].file != site.file) continue;
    stores_meet = stores_meet || other.kind == "write_after_write";
    reads = reads || other.kind != "write_after_write";
  }
  if (!stores_meet) return;
  const bool several_blocks = race.sites[0].block != race.sites[1].block;
  if (reads) {
    finding.why =
        "Several threads change one word: each reads it, changes it and writes it back. Of two that do so at "
        "the same time, one update is lost.";
    finding.advice = "atomic";
    finding.what_to_try = "Add with atomicAdd(), or let each thread or block have a word of its own.";
    if (several_blocks && race.sites[0].thread == race.sites[1].thread)
      finding.what_to_try += " If the word should be its own: does the index contain blockIdx.x * blockDim.x?";
  } else if (several_blocks) {
    finding.advice = "one_block";
    finding.why = "Two blocks write the same element: blocks run in any order.";
    finding.what_to_try =
        "Does the index contain blockIdx.x * blockDim.x? If one value is for all, let one block write "
        "it.";
  } else {
    finding.advice = "one_thread";
    finding.why = "Several threads write the same element: which of them writes last is undefined.";
    finding.what_to_try = "Does the index contain threadIdx.x? If one value is for all, let one thread write it.";
  }
}

/// What would order the two sides of a race; empty if that is not known.
const char* missing_order(const CheckRecord& race, const Profile& profile) {
  if (race.sites.size() != 2) return "";
  const CheckSite &one = race.sites[0], &other = race.sites[1];
  if (one.kernel.empty() || one.kernel != other.kernel) return "stream_order";
  if (is_launched_at_once(one.kernel, profile)) return "";
  if (one.block != other.block) return race.space == "shared" ? "cluster_barrier" : "grid_order";
  const auto kernel = std::ranges::find(profile.kernels, one.kernel, &KernelRecord::name);
  if (kernel == profile.kernels.end() || one.thread.size() != 3 || other.thread.size() != 3) return "";
  const auto warp_of = [&](const std::vector<int>& thread) {
    return (thread[0] + kernel->block[0] * (thread[1] + kernel->block[1] * thread[2])) / 32;
  };
  return warp_of(one.thread) == warp_of(other.thread) ? "warp_barrier" : "block_barrier";
}

/// Whether the kernel has atomics whose result it uses, as a lock or a flag needs.
bool asks_atomics(const std::string& kernel, const Profile& profile) {
  return std::ranges::any_of(profile.kernels, [&](const KernelRecord& record) {
    return record.name == kernel && std::ranges::any_of(record.lines, [](const LineCounters& line) {
             return std::ranges::any_of(line.accesses,
                                        [](const AccessCounters& access) { return access.op == "atom"; });
           });
  });
}

/// What helps two threads of a block where a barrier cannot: beside atomics of others, or if they take turns by them.
std::string instead_of_a_barrier(const CheckRecord& race, const Profile& profile) {
  const auto of_atomics = std::ranges::count(race.sites, "atomic", &CheckSite::role);
  if (std::ranges::count(race.sites, "asynchronous copy", &CheckSite::role) == 1)
    return " With a cuda::pipeline: consumer_wait() before the reads, consumer_release() after them.";
  if (of_atomics == 1 && race.kind != "write_after_write")
    return " If it need not see all changes: read it by an atomic, too, or take what the atomic returned. A loop of "
           "atomicCAS may begin with any guess, and learns the next one from it.";
  if (of_atomics == 0 && asks_atomics(race.kernel, profile))
    return " If they take turns by an atomic (a lock, a flag), no barrier helps: __threadfence() before the one that "
           "hands over, and after the one that takes over.";
  return "";
}

/// An atomic of a kernel, and a change by the host, which does not wait for it.
bool is_atomic_beside_the_host(const CheckRecord& race) {
  const auto is_host = [](const CheckSite& site) { return site.kernel.empty() && site.role == "write"; };
  const auto is_atomic = [](const CheckSite& site) { return site.role == "atomic"; };
  return race.check == "race" && std::ranges::any_of(race.sites, is_host) && std::ranges::any_of(race.sites, is_atomic);
}

/// "In this run the first wrote 7 (0x00000007), the second read 7 (0x00000007)."; empty if neither is known.
std::string values_text(const CheckRecord& race) {
  const auto value_of = [](const CheckSite& site) {
    const std::string did = site.value_is == "written"  ? " wrote "
                            : site.value_is == "before" ? " found "
                            : site.value_is == "after"  ? " left "
                                                        : " read ";
    return did + site.value;
  };
  if (race.check != "race" || race.sites.size() != 2) return {};
  const bool first = !race.sites[0].value.empty(), second = !race.sites[1].value.empty();
  if (!first && !second) return {};
  return "In this run" + (first ? " the first access" + value_of(race.sites[0]) : "") + (first && second ? "," : "") +
         (second ? " the second access" + value_of(race.sites[1]) : "") + ".";
}

Finding explained(const CheckRecord& found, const CheckKind& kind, const Profile& profile, const Sources& sources) {
  Finding finding;
  finding.kind = kind.finding;
  finding.topic = found.kind;
  finding.subject = found.space;
  const std::string start =
      kind.finding == FindingKind::race ? "A race in " + found.space + " memory: " : kind.headline;
  finding.headline = start + found.message + ".";
  finding.facts.emplace_back(kind.fact);
  if (std::string values = values_text(found); !values.empty()) finding.facts.push_back(std::move(values));
  for (const CheckSite& site : found.sites) {
    if (site.line == 0) {
      if (site.kernel.empty() && !site.instruction.empty() && kind.finding == FindingKind::race)
        finding.facts.push_back("One of the two is the host's: " + site.instruction + ".");
      continue;
    }
    Place place;
    place.label = place_label(site);
    place.file = sources.relative(site.file);
    place.line = site.line;
    place.function = short_name(site.kernel);
    place.text = sources.line(site.file, site.line);
    finding.sites.push_back(std::move(place));
  }
  finding.evidence.push_back({"accesses", static_cast<double>(found.count), ""});
  finding.why = sentence(found.missing);
  finding.what_to_try = sentence(found.advice);
  if (kind.finding == FindingKind::race) finding.advice = missing_order(found, profile);
  if (finding.advice == "warp_barrier" || finding.advice == "block_barrier")
    finding.what_to_try += instead_of_a_barrier(found, profile);
  if (is_atomic_beside_the_host(found))
    finding.what_to_try +=
        " If both change it meanwhile, both need atomics whose scope is the system (atomicAdd_system() in the kernel).";
  explain_one_line(found, profile, finding);
  return finding;
}

/// Faults and refused launches, which the check `sync` finds, too, are reported elsewhere.
bool is_told(const CheckRecord& record) {
  return record.check != "sync" || record.kind == "mask_without_the_caller" || record.kind == "masks_that_differ";
}

}  // namespace

std::optional<Finding> explain_check(const Profile& profile, const Sources& sources,
                                     const std::set<std::string>& kept) {
  for (const CheckKind& kind : kCheckKinds) {
    const auto found = std::find_if(profile.findings.begin(), profile.findings.end(), [&](const CheckRecord& record) {
      return record.check == kind.check && is_told(record) && record.tier != "same_value" &&
             kept.count(record.kind) == 0;
    });
    if (found != profile.findings.end()) return explained(*found, kind, profile, sources);
  }
  return std::nullopt;
}

std::string in_brief(const Finding& found) {
  std::string text = found.headline;
  for (const Place& place : found.sites)
    text += " Line " + std::to_string(place.line) + " " + place.label + "'" + place.text + "';";
  if (text.back() == ';') text.back() = '.';
  return text + " " + found.what_to_try;
}

bool is_of_check(FindingKind kind) {
  return std::any_of(kCheckKinds.begin(), kCheckKinds.end(), [&](const CheckKind& one) { return one.finding == kind; });
}

}  // namespace warpbook::grader
