// The tests of lab vector_add: sums of every size, whole warps and sectors, and time.
#include <cmath>
#include <limits>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;
using warpbook::Random;

namespace {

constexpr int kMost = 1 << 22;  // Elements: what the contract promises.

Case arrays(const std::vector<float>& a, const std::vector<float>& b) {
  return call("vector_add", {input("a", a), input("b", b), output<float>("c", a.size()), number("count", a.size())});
}

Case random_arrays(Random& random, std::size_t count) {
  return arrays(random.array(count, 1.0f, 1000.0f), random.array(count, 1.0f, 1000.0f));
}

Answer check_sum(const Case& given) {
  const std::vector<float> a = given.array<float>("a"), b = given.array<float>("b");
  std::vector<float> expected(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) expected[i] = a[i] + b[i];
  const Answer answer = grade(given);
  require_default_stream(answer);
  require_equal(answer, "c", expected);
  return answer;
}

}  // namespace

WB_LAB_TEST(correctness, 4, "arrays of every size are added exactly") {
  for (const std::size_t count : usual_sizes(1, kMost)) check_sum(random_arrays(test_random(), count));
}

WB_LAB_TEST(correctness, 2, "an empty array is no error") { check_sum(arrays({}, {})); }

WB_LAB_TEST(correctness, 2, "tiny, huge and infinite numbers are added as float adds them") {
  const float infinity = std::numeric_limits<float>::infinity(), largest = std::numeric_limits<float>::max();
  const float smallest = std::numeric_limits<float>::denorm_min();
  check_sum(arrays({smallest, 1e-39f, largest, -largest, infinity, 1.0f, 16777216.0f, -0.0f, 1e30f},
                   {smallest, 1e-39f, largest, -largest, 1.0f, 1e-9f, 1.0f, 0.0f, -1e30f}));
  std::vector<float> a(4099), b(4099);
  for (float& value : a) value = test_random().any_float();
  for (std::size_t i = 0; i < b.size(); ++i) {
    // The same magnitude once in a while, so that little is left; but no infinity less infinity.
    b[i] = i % 4 == 0 ? -std::nextafter(a[i], 0.0f) : test_random().any_float();
    if (std::isnan(a[i] + b[i])) b[i] = 0;
  }
  check_sum(arrays(a, b));
}

WB_LAB_TEST(counters, 4, "loads and stores move whole sectors") {
  const Answer answer = check_sum(random_arrays(test_random(), 1 << 18));
  const std::string reason =
      "32 lanes that touch 32 floats side by side touch 128 bytes, which are 4 sectors of 32 bytes.";
  require_at_most(answer, Quantity::global_load_sectors_ratio, 1.0, reason);
  require_at_most(answer, Quantity::global_store_sectors_ratio, 1.0, reason);
  // A mean over requests can be made small by requests that move nothing.
  const char* const sum =
      "The mean over all requests is right, but only the two arrays are to be loaded, and one stored.";
  require_at_most(answer, Quantity::global_load_bytes, 1.2 * 8 * (1 << 18), sum);
  require_at_most(answer, Quantity::global_store_bytes, 1.2 * 4 * (1 << 18), sum);
}

WB_LAB_TEST(counters, 4, "all lanes of a warp work") {
  const Answer answer = check_sum(random_arrays(test_random(), 1 << 18));
  const std::string reason =
      "A warp costs the same with 1 lane as with 32: blocks have a multiple of 32 threads, and each has work.";
  require_at_least(answer, Quantity::active_threads_per_instruction, 31.0, reason);
  require_at_most(answer, Quantity::warp_instructions, 100.0 * (1 << 18) / 32,
                  "100 instructions for 32 sums are five times what is needed. Work for its own sake keeps lanes busy, "
                  "but does not count.");
  // A mean over instructions can be raised by work for its own sake, and lanes that a predicate switches off are
  // active: those that move something are counted by what they move.
  double lanes = 0, requests = 0;
  for (const KernelRecord& kernel : answer.profile.kernels)
    for (const LineCounters& line : kernel.lines)
      for (const AccessCounters& access : line.accesses)
        if (access.space == "global") lanes += access.bytes / access.bytes_per_lane, requests += access.requests;
  if (requests > 0 && lanes < 31 * requests)
    WB_FAIL("idle_lanes",
            "Only " << lanes / requests << " of a warp's 32 lanes load and store something, on average. " << reason);
  require_at_most(answer, Quantity::global_load_requests, 1.2 * 2 * (1 << 18) / 32,
                  "A load of a warp brings 32 floats at once, or more: two arrays take 16384 loads.");
}

WB_LAB_TEST(time, 4, "the sum is as fast as the reference") {
  require_time(
      benchmark_case, [](const Case& given) { check_sum(given); }, 1.15, 3.0);
}

WB_LAB_BENCHMARK { return random_arrays(random, kMost); }

// More than the contract promises, for the reference and the rungs on a real GPU. Three arrays of 256 MiB: far more
// than a cache holds, so that the memory's bandwidth decides.
WB_LAB_LARGE_BENCHMARK { return random_arrays(random, 1 << 26); }
