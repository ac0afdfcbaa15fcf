// The tests of exercise events: the time of a kernel, two kernels in order, and predictions.
#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

WB_LAB_TEST(correctness, 5, "a kernel's time is that between two events") {
  for (const std::size_t count : usual_sizes(1, 1 << 22)) {
    const Answer answer = grade(call("kernel_us", {output<std::int32_t>("data", count), number("count", count)}));
    require_equal(answer, "data", std::vector<std::int32_t>(count, 1));
    const double us = answer.output<double>(kReturned).at(0);
    if (!(us > 0)) WB_FAIL("no_time", "kernel_us() returned " << us << " us. Which of the events comes first?");
    if (answer.profile.text.empty()) continue;  // A real GPU: only the virtual one says how long the kernel was.
    const double kernel = answer.profile.kernels.at(0).time_us;
    if (us < kernel || us > kernel + 4)
      WB_FAIL("other_time", "kernel_us() returned "
                                << us << ", but the kernel took " << kernel << " us, and two events around it add 1 "
                                << "to 3. Is the fill before the first event? Is it in microseconds?");
  }
}

WB_LAB_TEST(correctness, 5, "a stream waits for an event of another") {
  for (const std::size_t count : usual_sizes(1, 1 << 20)) {
    const auto first = test_random().array<std::int32_t>(count, -1000, 1000);
    std::vector<std::int32_t> once(first), twice(first);
    for (std::size_t i = 0; i < count; ++i) once[i] += 1, twice[i] += 2;
    const Answer answer =
        grade(call("chain", {in_out("first", first), output<std::int32_t>("second", count), number("count", count)}));
    require_equal(answer, "first", once);
    require_equal(answer, "second", twice);
    require_pause(answer, -1e9, 4, "If the stream waits, it is 1.4 us: did the host wait, and launch only then?");
  }
}

WB_LAB_TEST(correctness, 4, "what waits for what is predicted") {
  std::vector<std::int32_t> kinds, streams, times, expected;
  for (int i = 0; i < 30; ++i) {
    kinds.push_back(i % 6), streams.push_back(test_random().integer(2, 8)),
        times.push_back(test_random().integer(9, 99));
    expected.push_back(std::vector{1, 1, streams[i], 1, streams[i], 0}[i % 6] * times[i]);
  }
  require_returned(grade(call("total_us", {each("kinds", kinds), each("streams", streams), each("us", times)})),
                   expected, {"Only cudaEventSynchronize() makes the host wait, only cudaStreamWaitEvent() a stream."});
}
