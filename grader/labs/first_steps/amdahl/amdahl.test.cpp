// The tests of exercise amdahl: the share of a serial part, measured, and what follows from it.
#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

WB_LAB_TEST(correctness, 5, "the serial share is measured") {
  for (const std::size_t count : usual_sizes(100, 2000)) {
    const auto data = test_random().array<std::int32_t>(count, 0, 9);
    std::vector<std::int32_t> expected(data);
    for (std::size_t i = 1; i < count; ++i) expected[i] += expected[i - 1];
    for (std::int32_t& value : expected)
      for (std::uint32_t step = 0; step < 20; ++step) value = static_cast<std::uint32_t>(value) * value + step;
    const Answer answer = grade(call("serial_share", {in_out("data", data), number("count", count)}));
    require_equal(answer, "data", expected);
    const double share = answer.output<double>(kReturned).at(0);
    if (!(share > 0 && share < 1)) WB_FAIL("no_share", "A share of " << share << " is not between 0 and 1.");
    if (answer.profile.kernels.size() != 2) continue;  // A real GPU: only the virtual one says how long kernels were.
    const double serial = answer.profile.kernels[0].time_us, both = serial + answer.profile.kernels[1].time_us;
    if (share < 0.9 * serial / both || share > 1.1 * serial / both)
      WB_FAIL("share", "serial_share() returned " << share << ", but the kernels took " << serial << " and "
                                                  << both - serial << " us. Only events tell when a kernel has ended.");
  }
}

WB_LAB_TEST(correctness, 3, "the speed-up is predicted") {
  std::vector<std::int32_t> workers;
  std::vector<double> serials, expected;
  for (int i = 0; i < 100; ++i) {
    serials.push_back(i < 2 ? i : test_random().real(0, 1)), workers.push_back(test_random().size(1, 1'000'000));
    expected.push_back(workers[i] / (serials[i] * workers[i] + 1 - serials[i]));
  }
  require_close(grade(call("speedup", {each("serials", serials), each("workers", workers)})), kReturned, expected,
                {0, 1e-9});
}

WB_LAB_TEST(correctness, 4, "how many workers are needed is predicted") {
  std::vector<std::int32_t> serials, wanteds, expected;
  for (int i = 0; i < 300; ++i) {
    const int serial = test_random().size(1, 100), wanted = test_random().size(1, 200);
    int n = 1;
    while (n < 30'000 && 100L * n < 1L * wanted * (serial * n + 100 - serial)) ++n;
    serials.push_back(serial), wanteds.push_back(wanted), expected.push_back(n < 30'000 ? n : 0);
  }
  require_returned(grade(call("workers_needed", {each("serials", serials), each("wanteds", wanteds)})), expected,
                   {"The speed-up stays below 100 / serial, and the number of workers is an integer."});
}
