// The tests of exercise openmp_streams: squares and sums by several threads, their streams, and predictions.
#include <set>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

static Answer check(std::size_t count, int threads, std::int64_t order = 0) {
  const auto in = test_random().array<std::int32_t>(count, -1000, 1000);
  std::vector<std::int32_t> squares(in), sums(count);
  for (std::int32_t& value : squares) value *= value;
  for (std::size_t i = 0; i < count; ++i) sums[i] = squares[i] + squares[(i + 1) % count];
  const Answer answer = grade(
      call("square_and_add", {input("in", in), output<std::int32_t>("squares", count),
                              output<std::int32_t>("sums", count), number("count", count), number("threads", threads)})
          .set(kScheduleSeed, order));
  require_equal(answer, "squares", squares);
  require_equal(answer, "sums", sums);
  require_done(answer);
  return answer;
}

WB_LAB_TEST(correctness, 6, "several threads make squares and sums") {
  for (const int threads : {1, 2, 3, 8}) check(threads, threads), check(test_random().size(threads, 1 << 18), threads);
  for (const std::int64_t order : other_orders()) check(3001, 4, order);
}

WB_LAB_TEST(counters, 4, "each thread works in a stream of its own") {
  for (const int threads : {2, 7}) {
    std::set<std::uint32_t> streams;
    for (const KernelRecord& kernel : check(50'000, threads).profile.kernels) streams.insert(kernel.stream);
    if (streams.count(0) != 0 || streams.size() != std::size_t(threads))
      WB_FAIL("number", streams.size() << " streams were used; " << threads << " threads need one each, not stream 0.");
  }
}

WB_LAB_TEST(correctness, 4, "what runs side by side is predicted") {
  std::vector<std::int32_t> modes, threads, times, expected;
  for (int i = 0; i < 30; ++i) {
    modes.push_back(i % 6), threads.push_back(2 + i % 7), times.push_back(test_random().integer(9, 99));
    expected.push_back(std::vector{threads[i], 1, 1, threads[i], 1, threads[i]}[i % 6] * times[i]);
  }
  require_returned(grade(call("total_us", {each("modes", modes), each("threads", threads), each("us", times)})),
                   expected,
                   {"A stream is in order, whoever puts work into it, and stream 0 is one, for all threads."});
}
