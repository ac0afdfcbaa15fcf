// The tests of lab cooperative_groups: sums by tiles and by the grid, barriers, and a row smoothed in one launch.
#include <numeric>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;
using warpbook::Random;

namespace {

// The ends of the contract's ranges.
constexpr int kMostElements = 1 << 22, kMostShared = 49152, kMostRow = 1 << 20, kMostSteps = 1000, kMostWork = 1 << 23;

std::vector<std::int32_t> random_integers(Random& random, std::size_t count, int low, int high) {
  return random.array(count, static_cast<std::int32_t>(low), static_cast<std::int32_t>(high));
}

int any_size(int low, int high) { return static_cast<int>(test_random().size(low, high)); }

/// However few elements there are: kernels in the default stream load each of them and write the result.
void require_work_of_kernels(const Answer& answer, double loaded, double written) {
  if (answer.profile.text.empty()) return;  // A real GPU counts nothing.
  require_default_stream(answer);
  if (written == 0) return;
  if (loaded > 0)
    require_at_least(answer, Quantity::global_load_bytes, loaded, "Kernels load every element, however few there are.");
  require_at_least(answer, Quantity::global_store_bytes, written, "Kernels write the result, however few there are.");
}

/// Blocks share the work: none does more than four times its part, where each gets 256 elements or a few hundred. A
/// single block, or one that works while the others come to the barrier for show, has one multiprocessor of many.
void require_shared_by_blocks(const Answer& answer, int count) {
  constexpr int kFewestShared = 1 << 13, kMostOfABlock = 1024;
  constexpr double kUneven = 4;
  const auto all = value_of(answer.profile, Quantity::warp_instructions);
  if (count < kFewestShared || !all) return;
  const auto whole_parts = count / kMostOfABlock;
  const double parts = std::min<double>(whole_parts, 132);
  require_at_most(answer, Quantity::busiest_block_instructions, kUneven * *all / parts,
                  "All blocks work together, each on its part of the elements: that many instructions are four times "
                  "what a block of 1024 elements needs. A block that works alone leaves most of the device idle.");
}

// ---- Tiles

Answer check_tiles(int count, int size, std::int64_t order = 0) {
  const auto in = random_integers(test_random(), static_cast<std::size_t>(count), -1000000, 1000000);
  std::vector<std::int32_t> expected(static_cast<std::size_t>((count + size - 1) / size), 0);
  for (int i = 0; i < count; ++i) expected[i / size] += in[i];
  const Answer answer = grade(call("sum_tiles", {input("in", in), output<std::int32_t>("out", expected.size()),
                                                 number("count", count), number("size", size)})
                                  .set(kScheduleSeed, order));
  const auto found = answer.output<std::int32_t>("out");
  const auto last = static_cast<std::size_t>(size) - 1;  // This thread of a tile has nobody to add but itself.
  const bool from_last =
      count >= size && found.size() == expected.size() && found[0] != expected[0] && found[0] == size * in[last];
  INFO((from_last ? "After shfl_down() only the thread of rank 0 has the sum of its tile. Does another one write too?"
        : count % size != 0
            ? "The last tile is not full. A shuffle needs all its threads: those past the end must be there, with 0."
            : "Every tile is full here. Which element does each thread bring, and which sum does it write?"));
  require_equal(answer, "out", expected);
  require_work_of_kernels(answer, 4.0 * count, 4.0 * static_cast<double>(expected.size()));
  return answer;
}

const char* const kTogether = "A warp loads 32 elements at a time: lanes that load one after another are 32 requests.";

/// A mean over requests can be made small by requests that move nothing.
constexpr const char* kNothingElse =
    "The mean over all requests is right, but only the elements are to be loaded, once, and sums of parts.";

// ---- The grid

Answer check_sum(int count, std::int64_t order = 0) {
  const auto in = random_integers(test_random(), static_cast<std::size_t>(count), -2000000000, 2000000000);
  const std::int64_t sum = std::accumulate(in.begin(), in.end(), std::int64_t{0});
  const Answer answer = grade(call("sum_grid", {input("in", in), output<std::int64_t>("partial", 8192),
                                                output<std::int64_t>("out", 1), number("count", count)})
                                  .set(kScheduleSeed, order));
  INFO((count >= 300000
            ? "Here a thread has several elements, and there are more blocks than threads in one: does each "
              "loop go on in steps of all threads, and add in long long?"
        : count > 256 ? "Here there are several blocks: has each written its sum before block 0 reads the sums?"
                      : "Here there is one block, whose sum is the sum of all."));
  require_equal(answer, "out", std::vector<std::int64_t>{sum});
  require_work_of_kernels(answer, 4.0 * count, 8);
  return answer;
}

Case smooth_case(Random& random, int count, int steps) {
  return call("smooth", {input("in", random_integers(random, static_cast<std::size_t>(count), 0, 1 << 28)),
                         output<std::int32_t>("out", count), output<std::int32_t>("scratch", count),
                         number("count", count), number("steps", steps)})
      .set(kWork, std::int64_t{count} * steps);
}

std::vector<std::int32_t> smoothed(std::vector<std::int32_t> values, std::int64_t steps) {
  std::vector<std::int32_t> next = values;
  for (std::int64_t step = 0; step < steps; ++step) {
    for (std::size_t i = 1; i + 1 < values.size(); ++i) next[i] = (values[i - 1] + 2 * values[i] + values[i + 1]) / 4;
    values.swap(next);
  }
  return values;
}

Answer check_smooth(const Case& given) {
  const Answer answer = grade(given);
  const std::int64_t steps = given.integer("steps");
  INFO((steps == 0   ? "After 0 steps the values are those of 'in', but in 'out'."
        : steps == 1 ? "The last step writes to 'out', be the number of steps odd or even."
                     : "A step reads what other threads wrote in the step before: does the whole grid wait between "
                       "them? And which of the arrays does each step read?"));
  require_equal(answer, "out", smoothed(given.array<std::int32_t>("in"), steps));
  const auto count = static_cast<double>(given.integer("count"));
  require_work_of_kernels(answer, 4 * count, 4 * count);
  if (answer.profile.kernels.empty()) return answer;
  require_at_least(answer, Quantity::warp_instructions, 2 * count * static_cast<double>(steps) / 32,
                   "A warp makes 32 new values at a time: in every step, all of them are made by kernels.");
  return answer;
}

void check_tiles_in_other_orders() {
  for (const std::int64_t order : other_orders()) check_tiles(1024, 1 << test_random().integer(1, 5), order);
}

void check_sum_in_other_orders() {
  for (const std::int64_t order : other_orders()) check_sum(2048, order);
}

void check_smooth_in_other_orders() {
  for (const std::int64_t order : other_orders())
    check_smooth(smooth_case(test_random(), 1024, 5).set(kScheduleSeed, order));
}

/// A block can make a few steps by itself, with more elements than it writes. Of 256 elements and as many threads, 16
/// steps cost an eighth more work.
constexpr int kStepsOfABlock = 16;

const char* const kOneLaunch =
    "One launch does all: a launch costs about 2.6 microseconds on an H200, grid.sync() about 1, and what a thread "
    "keeps "
    "in registers stays there.";

}  // namespace

// ---- Part 1: tiles

WB_LAB_TEST(correctness, 5, "the number of shuffles is predicted") {
  const std::vector<std::int32_t> sizes = {2, 4, 8, 16, 32};
  const Answer answer = grade(call("predict_shuffles", {each("sizes", sizes)}));
  const auto found = answer.output<std::int32_t>(kReturned);
  REQUIRE(found.size() == sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (found[i] == static_cast<std::int32_t>(i) + 1) continue;
    WB_FAIL_CALL("predict_shuffles(" << sizes[i] << ")", found[i],
                 ".\nWith " << sizes[i] << " values in a tile, the first shuffle leaves " << sizes[i] / 2
                            << " sums. Go on until one is left, and count.");
  }
}

WB_LAB_TEST(correctness, 10, "tiles of every size sum their elements") {
  for (const int size : {2, 4, 8, 16, 32}) check_tiles(1024, size);
  for (const int size : {2, 4, 8, 16, 32}) {
    for (const int count : {1, 33, 4099}) check_tiles(count, size);
  }
  for (const int count : {31, 32, 255, 257, 0, any_size(4100, kMostElements / 8), kMostElements})
    check_tiles(count, 1 << test_random().integer(1, 5));
  check_tiles_in_other_orders();
}

WB_LAB_TEST(counters, 10, "tiles need no barrier of the block and no shared memory") {
  check_tiles_in_other_orders();
  const int count = 32 * any_size(2000, 3000);
  const Answer answer = check_tiles(count, 1 << test_random().integer(1, 5));
  require_at_most(
      answer, Quantity::barriers_per_warp, 0,
      "The threads of a tile belong to one warp: shuffles pass values between them, and wait for nobody else.");
  require_at_most(answer, Quantity::shared_requests, 0, "A shuffle reads another lane's register.");
  require_at_most(answer, Quantity::global_load_sectors_per_request, 4.0,
                  "32 lanes load 32 integers side by side: 128 bytes, which are 4 sectors.");
  require_at_most(answer, Quantity::global_load_bytes, 1.2 * 4 * count, kNothingElse);
  require_at_most(answer, Quantity::global_load_requests, 1.2 * count / 32, kTogether);
  require_at_most(answer, Quantity::global_atomic_requests, 0,
                  "The sum of a tile is made in registers, and one of its threads writes it.");
}

// ---- Part 2: barriers that go wrong

WB_LAB_TEST(correctness, 15, "the pieces of code are judged") {
  const std::string pieces = "ABCDEF";
  const std::vector<std::int32_t> expected = {1, 1, 0, 1, 2, 3};
  const char* const hints[] = {
      "Where do the threads 20 to 31 wait, and for whom? And those that wait in the branch?",
      "block.sync() is __syncthreads() by another name: it waits for the block. What do the threads 20 to 31 wait for?",
      "coalesced_threads() are the threads that are here. Which group waits for whom?",
      "The tile was made of 32 threads before the branch. How many call cg::reduce(), and where are the others?",
      "For which blocks does grid.sync() wait?",
      "Which thread writes the element that this thread reads? What says that it has done so?"};
  const Answer answer = grade(call("judge", {each("pieces", std::vector<std::int32_t>(pieces.begin(), pieces.end()))}));
  const auto found = answer.output<std::int32_t>(kReturned);
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (found[i] != expected[i])
      WB_FAIL(std::string("verdict_on_piece_") + pieces[i],
              "The verdict on piece " << pieces[i] << " is wrong. " << hints[i]);
  }
}

// ---- Part 3: a grid that works together

WB_LAB_TEST(correctness, 10, "the largest grid is launched, and one block more is refused") {
  struct {
    const char* kernel;
    int threads, shared;
  } const cases[] = {{"light", 256, 0},         {"light", 1024, 0},
                     {"light", 1, kMostShared}, {"light", any_size(1, 1024), any_size(1, kMostShared)},
                     {"heavy", 1024, 0},        {"heavy", any_size(1, 1024), 0}};
  constexpr int kTooLarge = 720;  // cudaErrorCooperativeLaunchTooLarge
  for (const auto& [kernel, threads, shared] : cases) {
    Case given =
        Case().set("function", "largest_grid").set("kernel", kernel).set("threads", threads).set("shared", shared);
    const Answer answer = grade(given.set(kMultiprocessors, any_size(3, 30)));
    const auto launched = answer.output<std::int32_t>("launch");
    REQUIRE(launched.size() == 2);
    const std::int64_t blocks = answer.reply.integer("blocks");
    if (launched[0] != 0)
      WB_FAIL("grid_too_large", "largest_grid() returned "
                                    << blocks << " for " << threads << " threads and " << shared
                                    << " bytes, but a cooperative launch of so many blocks failed with error "
                                    << launched[0]
                                    << (launched[0] == kTooLarge ? " (cudaErrorCooperativeLaunchTooLarge)" : "")
                                    << ". How many fit depends on the kernel, its threads and its shared memory.");
    if (launched[1] != kTooLarge)
      WB_FAIL("grid_too_small", "largest_grid() returned "
                                    << blocks << " for " << threads << " threads and " << shared
                                    << " bytes, but a cooperative launch of one block more works too. How many "
                                    << "blocks does one multiprocessor hold, and how many multiprocessors are "
                                    << "there?");
  }
}

WB_LAB_TEST(correctness, 10, "the grid sums every number of elements") {
  for (const int count : {1, 2, 255, 256, 257, 10007, 0, any_size(300000, kMostElements / 8), kMostElements})
    check_sum(count);
  check_sum_in_other_orders();
}

WB_LAB_TEST(counters, 10, "the grid sums in one launch with one barrier of the grid") {
  check_sum_in_other_orders();
  const int count = any_size(1 << 19, 1 << 20);
  const Answer answer = check_sum(count);
  require_shared_by_blocks(answer, count);
  require_at_most(answer, Quantity::kernel_launches, 1, kOneLaunch);
  require_at_most(answer, Quantity::grid_barriers, 1,
                  "The blocks meet once: between writing the partial sums and reading them.");
  require_at_most(answer, Quantity::global_load_sectors_per_request, 4.0,
                  "32 lanes load 32 integers side by side: 128 bytes, which are 4 sectors.");
  require_at_most(answer, Quantity::global_load_bytes, 1.5 * 4 * count, kNothingElse);
  require_at_most(answer, Quantity::global_load_requests, 1.5 * count / 32, kTogether);
}

// ---- Part 4: many steps in one launch

WB_LAB_TEST(correctness, 10, "a row is smoothed as often as asked") {
  for (const auto& [count, steps] : {std::pair{1, 3},
                                     {2, 2},
                                     {3, 1},
                                     {257, 1},
                                     {256, 2},
                                     {1000, 7},
                                     {4099, 0},
                                     {300, kMostSteps},
                                     {0, 3},
                                     {20011, 11}})
    check_smooth(smooth_case(test_random(), count, steps));
  const int steps = any_size(1, kMostSteps);
  check_smooth(smooth_case(test_random(), any_size(1, kMostWork / 2 / steps), steps));
  check_smooth_in_other_orders();
}

WB_LAB_TEST(correctness, 5, "more elements than threads are smoothed too") {
  // At most 8 blocks of 256 threads on each multiprocessor wait for each other.
  const int multiprocessors = any_size(2, 9);
  check_smooth(smooth_case(test_random(), any_size(20000, 40000), 3).set(kMultiprocessors, multiprocessors));
  check_smooth(smooth_case(test_random(), kMostRow, 1));
  check_smooth_in_other_orders();
}

WB_LAB_TEST(counters, 5, "all steps take one launch and a barrier each") {
  check_smooth_in_other_orders();
  const int steps = any_size(70, 100);
  const int count = any_size(1 << 13, 1 << 14);
  const Answer answer = check_smooth(smooth_case(test_random(), count, steps));
  require_shared_by_blocks(answer, count);
  require_at_most(answer, Quantity::kernel_launches, 1, kOneLaunch);
  require_at_most(answer, Quantity::grid_barriers, steps,
                  "A step reads what the neighbours wrote in the step before: the grid waits once between two steps.");
  // A block may make some steps by itself, with more elements than it writes; not all of so many.
  const auto& kernels = answer.profile.kernels;
  if (!kernels.empty() && kernels[0].grid[0] > 1) {
    const char* const by_sync =
        "Several blocks make all steps together. They may wait for each other only in a cooperative launch, "
        "by grid.sync(): in any other, a block that waits can keep the place of the one it waits for.";
    const auto rounds = steps / kStepsOfABlock;
    require_at_least(answer, Quantity::grid_barriers, rounds, by_sync);
    require_at_most(answer, Quantity::global_atomic_requests,
                    value_of(answer.profile, Quantity::grid_barriers).value_or(0) * kernels[0].grid[0], by_sync);
  }
}

WB_LAB_TEST(time, 10, "smoothing is as fast as the reference") {
  check_smooth_in_other_orders();
  // A third of the benchmark's steps, which give the same ratios in a third of the time.
  const auto make = [](Random& random) { return smooth_case(random, 1 << 16, 33); };
  require_time(
      make, [](const Case& given) { check_smooth(given); }, 1.15, 2.0);
}

WB_LAB_BENCHMARK { return smooth_case(random, 1 << 16, 100); }
