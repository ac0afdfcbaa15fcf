// warpbook explain: after a ctest run, why tests of labs failed, and the points.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "grader/cli/commands.h"
#include "grader/judge/results.h"

namespace warpbook::grader {

namespace {

/// True if ctest was asked to print the output of failed tests itself.
bool already_printed(long ctest) {
  if (std::getenv("CTEST_OUTPUT_ON_FAILURE") != nullptr) return true;
  std::ifstream in("/proc/" + std::to_string(ctest) + "/cmdline", std::ios::binary);
  std::string command{std::istreambuf_iterator<char>(in), {}};
  command = '\0' + command + '\0';
  for (const char* option : {"--output-on-failure", "-V", "-VV", "--verbose", "--extra-verbose"}) {
    if (command.find('\0' + std::string(option)) != std::string::npos) return true;
  }
  return false;
}

/// One mistake can fail many tests: only the first of them is explained at length.
class Told {
 public:
  std::string tell(const TestRecord& record) {
    if (!record.finding) return "";
    for (const TestRecord& before : told_)
      if (same_cause(*before.finding, *record.finding))
        return "  For the same reason as '" + before.name() + "' above.\n" + terminal_text_of_case(*record.finding);
    told_.push_back(record);
    return terminal_text(*record.finding);
  }

 private:
  std::vector<TestRecord> told_;
};

}  // namespace

int explain_run(const std::string& build_folder, long ctest) {
  const bool quiet = already_printed(ctest);
  const std::string file = build_folder + "/ctest_run";
  const std::optional<std::string> run = named_run(file);
  if (!run) {
    std::fprintf(stderr,
                 "warpbook: %s: names no run of ctest, and WARPBOOK_RUN is not set; run ctest, which writes the file\n",
                 file.c_str());
    return 2;
  }
  for (const Manifest& manifest : read_manifests(build_folder)) {
    double points = 0, max_points = 0;
    std::size_t tests = 0, skipped = 0;
    Told told;
    for (const TestRecord& record : read_records(manifest, "student")) {
      if (record.run != run) continue;
      ++tests;
      points += record.points;
      max_points += record.max_points;
      if (record.not_started) ++skipped;
      if (record.status == "failed" && !quiet) {
        std::printf("\n%s: failed, %.4g of %.4g points\n%s", record.name().c_str(), record.points, record.max_points,
                    told.tell(record).c_str());
      }
    }
    const std::string failure = build_failure_of_this_run(manifest);
    if (!failure.empty() && tests == 0 && !quiet) {
      std::printf("\n%s: %s", manifest.lab.c_str(), failure.c_str());
    }
    if (tests == 0) continue;
    std::printf("\n%s: %.4g of %.4g points", manifest.lab.c_str(), points, max_points);
    if (tests < manifest.tests.size()) std::printf(" in %zu of %zu tests", tests, manifest.tests.size());
    if (skipped > 0) std::printf("; %zu not started (%s)", skipped, manifest.source_of("student").c_str());
    std::printf("\n");
  }
  return 0;
}

}  // namespace warpbook::grader
