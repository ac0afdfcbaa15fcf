// The tests of exercise host_callbacks: elements times a gain that the host has computed, and what is true.
#include <numeric>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

/// From the end of one copy to the start of the next, if a host function lies between them: the thread that calls it
/// must wake up first. A host that waits itself takes 5 us.
constexpr double kLeastUs = 10;

static void check(std::size_t count, std::int64_t order = 0) {
  const auto data = test_random().array<std::int32_t>(count, 0, count > 3 ? 100 : 1);
  const std::int32_t gain = 1 + 1'000'000 / (1 + std::accumulate(data.begin(), data.end(), 0));
  std::vector<std::int32_t> expected(data);
  for (std::int32_t& value : expected) value *= gain;
  Case given = call("normalise", {in_out("data", data), in_out("sum", std::vector{7}), number("count", count)});
  const Answer answer = grade(order == 0 ? given : given.set(kScheduleSeed, order));
  require_equal(answer, "data", expected);
  const auto& kernels = answer.profile.kernels;
  if (kernels.size() == 2 && (kernels[0].stream == 0 || kernels[0].stream != kernels[1].stream))
    WB_FAIL("streams", "The kernels ran in streams "
                           << kernels[0].stream << " and " << kernels[1].stream
                           << ". All steps are to be in one stream of their own: that keeps them in order.");
  const CopyRecord *of_sum = nullptr, *of_gain = nullptr;
  for (const CopyRecord& copy : answer.profile.copies) {
    if (copy.kind == "device_to_host" && copy.bytes == 4 && copy.stream != 0) of_sum = &copy;
    if (copy.kind == "host_to_device" && copy.bytes == 4 && copy.stream != 0) of_gain = &copy;
  }
  if (answer.profile.text.empty()) return;  // A real GPU.
  if (of_sum == nullptr || of_gain == nullptr)
    WB_FAIL("copies", "The sum is to be copied to the host, and the gain to the device, both in the new stream.");
  for (const CopyRecord* const copy : {of_sum, of_gain})
    if (copy->host_memory != "pinned")
      WB_FAIL("memory", "The copy of the " << (copy == of_sum ? "sum" : "gain") << " is of " << copy->host_memory
                                           << " memory: it is not asynchronous. cudaMallocHost() makes pinned memory.");
  const double between = of_gain->start_us - (of_sum->start_us + of_sum->time_us);
  if (between < kLeastUs)
    WB_FAIL("waits_in_between", "The gain's copy starts "
                                    << between << " us after the sum's, too soon for a host function between them. "
                                    << "Put all steps into the stream, the call of your function by "
                                    << "cudaLaunchHostFunc() among them; the host waits only at the end.");
}

WB_LAB_TEST(correctness, 7, "the host computes the gain between the kernels") {
  for (const std::size_t count : usual_sizes(1, 1 << 18)) check(count);
  for (const std::int64_t order : other_orders()) check(3000, order);
}

WB_LAB_TEST(correctness, 4, "what holds of host functions is known") {
  const std::vector<std::int32_t> statements = {1, 2, 3, 4, 5, 6}, expected = {0, 1, 0, 1, 0, 0};
  require_returned(
      grade(call("holds", {each("statements", statements)})), expected,
      {"It must not call CUDA at all.", "A stream is in order.", "Streams do not wait for each other.",
       "It is part of the stream's work.", "Nothing orders different streams.", "A thread of the driver calls it."});
}
