// The tests of exercise profile_ranges: profiles of a region and of ranges, and what options leave of one.
#include <nlohmann/json.hpp>

#include "grader/judge/profile_limit.h"
#include "grader/runner/lab_test.h"
using namespace warpbook::grader;

static Profile profiled(const std::string& function, int steps, const std::string& option, const std::string& value) {
  const std::size_t count = test_random().size(1, 2000);
  unsigned x = function == "focus" ? 3 : 1;
  for (int i = 0; i < steps; ++i) x = function == "focus" ? 2 * x : 4 * (x + 1);
  Case given = call(function, {filled<unsigned>("data", count, 0), number("count", count), number("steps", steps)});
  const Answer answer = grade(given.set(option, value));
  require_equal(answer, "data", std::vector<unsigned>(count, x + (function == "focus")));
  return answer.profile;
}

WB_LAB_TEST(counters, 4, "the profile holds the launches of one region") {
  long scales = 0, others = 0, steps = test_random().integer(4, 20);
  for (const KernelRecord& kernel : profiled("focus", steps, kProfileFromStart, "off").kernels)
    ++(kernel.name.find("scale(") != std::string::npos ? scales : others);
  if (scales != steps || others != 0)
    WB_FAIL("held", "It holds " << scales << " of " << steps << " launches of scale, and " << others << " of shift.");
}

static void require_ranges(int steps) {
  auto profile = nlohmann::json::parse(profiled("annotate", steps, kProfileRanges, "").text);
  for (std::size_t i = 0; i < profile["kernels"].size(); ++i) {
    auto& kernel = profile["kernels"][i];
    const double end = double(kernel["start_us"]) + double(kernel["time_us"]);
    std::string path = std::string(kernel["name"]).find("scale(") != std::string::npos ? "scale" : "shift";
    for (const std::size_t index : kernel["nvtx_ranges"]) {
      auto& range = profile["nvtx"]["ranges"][index];
      path += "/" + std::string(range["text"]);
      if (range["end_us"] < end - 0.01)
        WB_FAIL("ends_early", path << " ends at " << range["end_us"] << " us, before kernel " << i << " does: wait.");
    }
    const std::string expected = i == 0 ? "shift/solve" : i % 3 == 1 ? "shift/solve/add" : "scale/solve/double";
    if (path != expected)
      WB_FAIL("path", "Launch " << i << ", from 0, is '" << path << "', not " << expected << ": kernel, then ranges.");
    if (kernel["nvtx_ranges"][0] != profile["kernels"][0]["nvtx_ranges"][0])
      WB_FAIL("solve", "Launch " << i << " is in another range \"solve\": one is around all of it.");
  }
}
WB_LAB_TEST(counters, 6, "ranges nest, and end with their kernels") { require_ranges(test_random().integer(2, 20)); }
WB_LAB_TEST(counters, 5, "what a limited profile holds is predicted") {
  const std::pair<std::string, std::string> limits[] = {
      {kProfileKernel, "scale"}, {kProfileKernel, "sc"}, {kProfileKernel, "regex:^s"}, {kProfileSkip, "3"}};
  const char* const ranges[] = {"solve/", "solve", "solve/double", "[double/", "solve]"};
  require_ranges(3);  // What is predicted is of annotate() as it should be.
  std::vector<std::int32_t> options, steps, expected;
  for (int i = 0; i < 18; ++i) {
    options.push_back(i % 9), steps.push_back(i < 9 ? 1 : test_random().integer(5, 20));
    const auto limit = i % 9 < 4 ? limits[i % 9] : std::pair{kProfileRanges, std::string(ranges[i % 9 - 4])};
    expected.push_back(profiled("annotate", steps[i], limit.first, limit.second).kernels.size());
  }
  require_returned(grade(call("launches", {each("options", options), each("steps", steps)})), expected,
                   {"This many are in the profile. profile_ranges.h says what regex:, / and brackets mean."});
}
