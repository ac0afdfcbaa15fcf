// Reports what the checkers found.
#include "common/simulator/runtime/check_report.h"

#include <algorithm>
#include <exception>
#include <set>
#include <utility>

#include "common/simulator/runtime/check_document.h"
#include "common/simulator/runtime/complaints.h"
#include "common/simulator/runtime/error_names.h"
#include "common/simulator/runtime/host_lines.h"
#include "common/simulator/runtime/leaks.h"
#include "common/simulator/runtime/number_text.h"
#include "common/simulator/runtime/output_target.h"
#include "common/simulator/runtime/source_text.h"

namespace warpbook::simulator::runtime {
namespace {

constexpr std::size_t kMostTold = 100;  // On stderr; the document contains all.
constexpr const char* kLine = "\n=========     ";

std::string in_words(const std::string& kind) {
  std::string words = kind;
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

/// "wrote 7 (0x00000007)", "left a value that is not known: the memory has been changed since"
std::string value_text(const CheckSite& site) {
  const std::string did = site.value_is == "written"  ? "wrote "
                          : site.value_is == "read"   ? "read "
                          : site.value_is == "before" ? "found "
                                                      : "left ";
  return did + (site.value.empty() ? "a value that is not known: " + site.value_unknown : site.value);
}

std::string text_of(const CheckSite& site) {
  std::string text = kLine + site.role;
  if (!site.kernel.empty())
    text += " in kernel " + site.kernel + ", block " + triple(site.block) + ", thread " + triple(site.thread);
  if (!site.instruction.empty()) text += (site.kernel.empty() ? " by " : ", instruction ") + site.instruction;
  if (site.line != 0) {
    text += std::string(kLine) + "  at " + site.file + ":" + std::to_string(site.line);
    if (!site.text.empty()) text += ":  " + site.text;
  }
  if (!site.value_is.empty()) text += kLine + std::string("  ") + value_text(site);
  return text;
}

std::string text_of(const CheckFinding& finding) {
  std::string text = std::string(name_of(finding.check)) + ", " + in_words(finding.kind);
  if (finding.same_value) text += ", of the same value";
  if (finding.count > 1) text += " (" + std::to_string(finding.count) + " times)";
  text += ": " + finding.message;
  for (const CheckSite& site : finding.sites) text += text_of(site);
  if (!finding.allocation.empty()) text += kLine + std::string("memory: ") + finding.allocation;
  if (!finding.missing.empty()) text += kLine + std::string("missing: ") + finding.missing;
  if (!finding.advice.empty()) text += kLine + std::string("advice: ") + finding.advice;
  return text;
}

/// "3 findings (2 race, 1 leak), 1 suppressed"
std::string summary_of(const CheckResult& result) {
  const std::size_t n = result.findings.size();
  std::string text = n == 0 ? "no findings" : std::to_string(n) + (n == 1 ? " finding" : " findings");
  std::string by_check;
  for (const Check check : kChecks) {
    const auto count = std::count_if(result.findings.begin(), result.findings.end(),
                                     [&](const CheckFinding& finding) { return finding.check == check; });
    if (count == 0) continue;
    by_check += (by_check.empty() ? "" : ", ") + std::to_string(count) + " ";
    by_check += name_of(check);
  }
  if (!by_check.empty()) text += " (" + by_check + ")";
  if (result.suppressed != 0) text += ", " + std::to_string(result.suppressed) + " suppressed";
  if (result.left_out != 0) text += ", and more than " + std::to_string(CheckFindings::kMost) + " causes";
  return text;
}

CheckFinding unchecked(std::string message, std::string kernel) {
  CheckFinding finding;
  finding.check = Check::sync;
  finding.kind = "unchecked_error";
  finding.kernel = std::move(kernel);
  finding.message = std::move(message);
  finding.advice =
      "look at cudaGetLastError() after each launch, and at the result of the next call that waits for the device";
  return finding;
}

void add_refused_launches(Runtime& runtime) {
  for (const UncheckedLaunch& launch : runtime.unchecked.all()) {
    CheckFinding finding = unchecked("the launch of " + (launch.kernel.empty() ? "a kernel" : launch.kernel) +
                                         " was refused with " + error_name(launch.error) + " (" +
                                         std::to_string(launch.error) + "), and nobody asked for the error",
                                     launch.kernel);
    CheckSite site;
    site.role = "launch";
    site.instruction = "<<<>>> of " + (launch.kernel.empty() ? "a kernel" : launch.kernel);
    site.host_place = launch.host_place;
    finding.sites.push_back(std::move(site));
    runtime.findings.add(std::move(finding));
  }
}

std::set<std::string> mangled_kernels() {
  std::set<std::string> names;
  for (const auto& module : registry().modules()) {
    for (const auto& kernel : module->kernels()) names.insert(kernel->mangled);
  }
  return names;
}

void resolve(CheckFinding& finding, const std::vector<HostLine>& lines) {
  for (CheckSite& site : finding.sites) {
    if (site.line == 0 && site.host_place != 0 && site.host_place < lines.size()) {
      site.file = lines[site.host_place].file;
      site.line = lines[site.host_place].line;
    }
    if (site.text.empty()) site.text = source_text(site.file, site.line);
  }
}

CheckResult result_of(Runtime& runtime, const std::vector<HostLine>& lines) {
  // Different ways to reach one line have the same cause.
  CheckFindings resolved;
  for (CheckFinding finding : runtime.findings.all()) {
    resolve(finding, lines);
    resolved.add(std::move(finding));
  }
  CheckResult result;
  result.checks = runtime.options.checks;
  result.left_out = runtime.findings.left_out();
  result.gaps.assign(runtime.findings.gaps().begin(), runtime.findings.gaps().end());
  const auto& rules = runtime.options.suppressions;
  for (const CheckFinding& finding : resolved.all()) {
    const bool suppressed =
        std::any_of(rules.begin(), rules.end(), [&](const Suppression& rule) { return rule.matches(finding); });
    if (suppressed) {
      ++result.suppressed;
    } else {
      result.findings.push_back(finding);
    }
  }
  return result;
}

void tell(const CheckResult& result) {
  for (std::size_t i = 0; i < std::min(result.findings.size(), kMostTold); ++i)
    print_report(text_of(result.findings[i]));
  if (result.findings.size() > kMostTold)
    print_report("the other " + std::to_string(result.findings.size() - kMostTold) +
                 " findings are in the report that --check-report writes");
  for (const std::string& gap : result.gaps) print_report("not checked: " + gap);
  print_report(summary_of(result));
}

bool report(Runtime& runtime, bool at_end) {
  const CheckSet checks = runtime.options.checks;
  if (at_end && checks.has(Check::sync)) {
    add_refused_launches(runtime);
    add_unnoticed_fault(runtime, runtime.pending_fault());
  }
  const bool leaks = at_end && checks.has(Check::leak);
  std::set<std::size_t> places = leaks ? places_of_alive(runtime) : std::set<std::size_t>();
  for (const CheckFinding& finding : runtime.findings.all())
    for (const CheckSite& site : finding.sites) places.insert(site.host_place);
  const std::vector<HostLine> lines = lines_of(runtime.places, places, mangled_kernels());
  // After a fault nothing can be freed.
  if (leaks && !runtime.has_failed()) add_leaks(runtime, lines);
  const CheckResult result = result_of(runtime, lines);
  tell(result);
  const std::string& target = runtime.options.check_report;
  if (!target.empty()) {
    const int indent = is_descriptor(target) ? Profile::kCompact : Profile::kReadable;
    if (const auto error = write_document(target, document_of(result, indent), "check report")) complain(*error);
  }
  const bool failed = result.has_errors();
  runtime.profile.found(checks, result.findings);
  return failed;
}

}  // namespace

void add_unnoticed_fault(Runtime& runtime, cudaError_t error) {
  if (error == cudaSuccess || !runtime.options.checks.has(Check::sync)) return;
  runtime.findings.add(unchecked(runtime.faulty_kernel + " failed with " + error_name(error) + " (" +
                                     std::to_string(error) + "), and no call told the program",
                                 runtime.faulty_kernel));
}

bool report_checks(Runtime& runtime, bool at_end) {
  static bool reported = false;
  if (reported || !runtime.options.checks.any()) return false;
  reported = true;
  try {
    return report(runtime, at_end);
  } catch (const std::exception& exception) {
    complain(std::string("the checks have no report: ") + exception.what());
    return true;
  }
}

}  // namespace warpbook::simulator::runtime
