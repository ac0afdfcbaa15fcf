// The tests of lab bytes_in_flight: what is predicted, what the products must be, and how fast few threads can be.
#include <cmath>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;
using warpbook::Random;

namespace {

constexpr int kMost = 1 << 22;  // Elements: what the contract promises.
constexpr int kThreads = 256, kSms = 132, kMostBlocks = 8 * kSms;
constexpr int kFew = 3 * 1024 + 7;  // Elements, in other orders.

int size(int low, int high) { return static_cast<int>(test_random().size(low, high)); }

// ---- Part 1

const std::vector<std::int32_t> kWarps = {1, 2, 7, 8, 16, 31, 48, 64};

// ---- The products

/// Blocks are an argument of parts 3 and 4 only; 0 is part 2.
Case scale_call(const std::string& function, Random& random, int n, int blocks) {
  std::vector<Argument> arguments = {input("in", random.array(static_cast<std::size_t>(n), -1000.0f, 1000.0f)),
                                     output<float>("out", static_cast<std::size_t>(n)), number("n", n),
                                     number("factor", random.array(1, -3.0f, 3.0f)[0])};
  if (blocks > 0) arguments.push_back(number("blocks", blocks));
  return call(function, arguments);
}

std::vector<float> scaled(const Case& given, const std::string& in) {
  const auto factor = static_cast<float>(given.real("factor"));
  std::vector<float> out = given.array<float>(in);
  for (float& value : out) value *= factor;
  return out;
}

Answer check(const Case& given) {
  const Answer answer = grade(given);
  require_default_stream(answer);
  require_equal(answer, "out", scaled(given, "in"));
  return answer;
}

void check_in_other_orders(const std::string& function) {
  for (const std::int64_t order : other_orders())
    check(scale_call(function, test_random(), kFew, function == "scale_by_threads" ? 0 : 3).set(kScheduleSeed, order));
}

/// Sizes around warps, blocks and batches, with few blocks and many; whole multiples of 4 first.
void check_sizes(const std::string& function) {
  const bool limited = function != "scale_by_threads";
  for (const int n : {4, 128, 1024, 65536, 1023, 5, 1, 2, 3, 31, 33, 255, 257, 4099, 0})
    check(scale_call(function, test_random(), n, limited ? 1 : 0));
  for (const int n : {size(1, 1 << 20), size(1, 1 << 18), kMost})
    check(scale_call(function, test_random(), n, limited ? size(1, kMostBlocks) : 0));
  check(scale_call(function, test_random(), size(1, 1 << 16), limited ? kMostBlocks : 0));
  check_in_other_orders(function);
}

// ---- Counters

constexpr int kCounted = 1 << 20;
constexpr double kRoom = 1.02;

Answer counted(const std::string& function, int n = kCounted) {
  check_in_other_orders(function);
  return check(scale_call(function, test_random(), n, function == "scale_by_threads" ? 0 : kSms));
}

/// Each byte once, and nothing else.
void require_moved_once(const Answer& answer, int n) {
  const std::string reason = "Each element is to be loaded once and stored once, neighbours by neighbours.";
  require_at_most(answer, Quantity::global_load_bytes, kRoom * 4 * n, reason);
  require_at_most(answer, Quantity::global_store_bytes, kRoom * 4 * n, reason);
  require_at_most(answer, Quantity::kernel_launches, 1, "One kernel does all of the work.");
}

void require_narrow(const Answer& answer) {
  const std::string reason =
      "This part is about 4 bytes at a time: a warp's load brings 32 floats. Wide ones are part 4.";
  require_at_least(answer, Quantity::global_load_requests, kCounted / 32.0, reason);
  require_at_least(answer, Quantity::global_store_requests, kCounted / 32.0, reason);
}

constexpr double kEnough = 1200;  // GB/s of loads.

}  // namespace

// ---- Part 1: Little's law

WB_LAB_TEST(correctness, 4, "the predicted bytes in flight are right") {
  for (const int loads : {1, 4, size(1, 32)})
    for (const int bytes : {4, 8, 16}) {
      std::vector<std::int32_t> expected;
      for (const std::int32_t warps : kWarps) expected.push_back(warps * 32 * loads * bytes);
      require_returned(grade(call("predict_bytes_in_flight",
                                  {each("warps", kWarps), number("loads", loads), number("bytes", bytes)})),
                       expected,
                       {"Each of the 32 lanes of each warp waits for " + std::to_string(loads) + " loads of " +
                        std::to_string(bytes) + " bytes."});
    }
}

WB_LAB_TEST(correctness, 5, "the predicted bytes that are needed are right") {
  const double any_rate = size(100, 10000), any_latency = size(100, 2000);
  const std::vector<std::int32_t> shares = {1, 7, 80, 108, 132, 200};
  for (const auto& [rate, latency] :
       {std::pair{4250.0, 400.0}, {2125.0, 400.0}, {900.0, 425.5}, {100.0, 100.0}, {any_rate, any_latency}}) {
    std::vector<std::int32_t> expected;
    for (const std::int32_t share : shares)
      expected.push_back(static_cast<std::int32_t>(std::ceil(rate * latency / share)));
    require_returned(
        grade(call("predict_bytes_needed",
                   {number("gb_per_s", rate), number("latency_ns", latency), each("multiprocessors", shares)})),
        expected,
        {"While one byte is on its way, for latency_ns nanoseconds, gb_per_s bytes arrive in each of them. "
         "All of these are in flight, and the multiprocessors share them; round up."});
  }
}

WB_LAB_TEST(correctness, 5, "the predicted number of loads is right") {
  for (const int needed : {1, 6440, 12879, 1 << 24, size(1, 1 << 20)})
    for (const int bytes : {4, 8, 16}) {
      std::vector<std::int32_t> expected;
      for (const std::int32_t warps : kWarps) {
        std::int32_t loads = 1;
        while (std::int64_t{32} * warps * bytes * loads < needed) ++loads;
        expected.push_back(loads);
      }
      require_returned(grade(call("predict_loads_needed",
                                  {each("warps", kWarps), number("bytes", bytes), number("needed", needed)})),
                       expected,
                       {"One load of each thread is 32 x warps x " + std::to_string(bytes) + " bytes; at least " +
                        std::to_string(needed) + " are needed, so round up."});
    }
}

// ---- Part 2: many threads

WB_LAB_TEST(correctness, 8, "many threads scale every element") { check_sizes("scale_by_threads"); }

WB_LAB_TEST(counters, 6, "many threads are no more than run at the same time") {
  const Answer answer = counted("scale_by_threads");
  require_moved_once(answer, kCounted);
  require_narrow(answer);
  require_at_most(answer, Quantity::launched_threads, kMostBlocks * kThreads,
                  "The 132 multiprocessors of an H200 hold 8 blocks of 256 threads each.");
}

WB_LAB_TEST(counters, 7, "many threads load with 1200 GB in a second") {
  const Answer answer = counted("scale_by_threads", kMost);
  require_moved_once(answer, kMost);
  require_at_least(answer, Quantity::global_load_gb_per_s, kEnough,
                   "64 warps with a load of 4 bytes in each lane are 8 KiB in flight on each multiprocessor. In 400 ns "
                   "that is more than 2700 GB/s for 132 of them; the stores and the launch take the rest.");
}

// ---- Part 3: many loads in each thread

WB_LAB_TEST(correctness, 10, "many loads scale every element") { check_sizes("scale_by_loads"); }

WB_LAB_TEST(counters, 8, "many loads need no more threads than they are given") {
  const Answer answer = counted("scale_by_loads");
  require_moved_once(answer, kCounted);
  require_narrow(answer);
  require_at_most(answer, Quantity::launched_threads, kSms * kThreads,
                  "The launch has as many blocks as the argument says, here 132, with 256 threads each.");
}

WB_LAB_TEST(counters, 10, "many loads bring 1200 GB in a second to few threads") {
  const Answer answer = counted("scale_by_loads", kMost);
  require_moved_once(answer, kMost);
  require_at_most(answer, Quantity::launched_threads, kSms * kThreads,
                  "The launch has as many blocks as the argument says, here 132, with 256 threads each.");
  require_at_least(
      answer, Quantity::global_load_gb_per_s, kEnough,
      "8 warps with one load of 4 bytes in each lane are 1 KiB in flight on each multiprocessor: 340 GB/s, "
      "if it takes 400 ns. So each thread needs many loads under way before it waits for the first: all "
      "of them into registers, and only then the stores. A store between two loads holds up the second, "
      "as it may write what that one reads.");
}

// ---- Part 4: wide loads

WB_LAB_TEST(correctness, 10, "wide loads scale every element") { check_sizes("scale"); }

WB_LAB_TEST(correctness, 4, "the products are computed anew each time") {
  Random& random = test_random();
  const int n = size(100000, 200000);
  const float factor = random.array(1, -3.0f, 3.0f)[0];
  Case given;
  for (const std::string name : {"first", "second"})
    given = then(given, "scale",
                 {input(name, random.array(static_cast<std::size_t>(n), -1000.0f, 1000.0f)),
                  output<float>(name + "_out", static_cast<std::size_t>(n)), number("n", n), number("factor", factor),
                  number("blocks", 132)});
  const Answer answer = grade(given);
  require_equal(answer, "first_out", scaled(given, "first"));
  require_equal(answer, "second_out", scaled(given, "second"));
  check_in_other_orders("scale");
}

WB_LAB_TEST(counters, 8, "wide loads bring 16 bytes to each lane") {
  const Answer answer = counted("scale");
  require_moved_once(answer, kCounted);
  require_at_most(answer, Quantity::launched_threads, kSms * kThreads,
                  "The launch has as many blocks as the argument says, here 132, with 256 threads each.");
  const std::string reason =
      "A warp that loads a float4 in each lane asks for 128 floats with one instruction: 8192 of these for 2^20 "
      "floats.";
  require_at_most(answer, Quantity::global_load_requests, kRoom * kCounted / 128, reason);
  require_at_most(answer, Quantity::global_store_requests, kRoom * kCounted / 128, reason);
}

WB_LAB_TEST(time, 15, "wide loads are as fast as the reference") {
  check_in_other_orders("scale");
  require_time(
      benchmark_case, [](const Case& given) { check(given); }, 1.15, 2.0);
}

WB_LAB_BENCHMARK { return scale_call("scale", random, kMost, kSms); }

// More than the contract promises, for the reference and the rungs on a real GPU: two arrays of 256 MiB.
WB_LAB_LARGE_BENCHMARK { return scale_call("scale", random, 1 << 26, kSms); }
