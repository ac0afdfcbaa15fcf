// The tests of lab launch_overhead: many small steps, launched in all ways, none too early, none left out.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;
using warpbook::Random;

namespace {

using Cells = std::vector<std::uint32_t>;

// The ends of the contract's ranges.
constexpr int kMostCells = 1 << 18, kMostOfBlock = 4096, kMostSteps = 1000, kMostOfGraph = 200, kMostAdvanced = 1 << 16;
/// So few cells and steps that every order of them can be tried.
constexpr int kFewCells = 700, kFewSteps = 5;
constexpr double kCellBytes = 4;

int any_size(int low, int high) { return static_cast<int>(test_random().size(low, high)); }

Cells random_cells(Random& random, int count) {
  Cells cells(static_cast<std::size_t>(count));
  for (auto& cell : cells) cell = static_cast<std::uint32_t>(random.bits());
  return cells;
}

Cells stepped(Cells cells, std::int64_t steps) {
  Cells next = cells;
  for (std::int64_t s = 0; s < steps; ++s) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::uint32_t left = cells[i == 0 ? cells.size() - 1 : i - 1],
                          right = cells[i + 1 == cells.size() ? 0 : i + 1];
      next[i] = (left ^ std::rotl(cells[i], 7)) + right;
    }
    cells.swap(next);
  }
  return cells;
}

Case case_of(Random& random, const std::string& function, int count, int steps, std::int64_t order = 0) {
  constexpr std::int64_t kWorkOfLaunch = 1000;
  return call(function,
              {in_out("a", random_cells(random, count)), output<std::uint32_t>("b", static_cast<std::size_t>(count)),
               number("count", count), number("steps", steps)})
      .set(kWork, steps * (count + kWorkOfLaunch))
      .set(kScheduleSeed, order);
}
Case case_of(const std::string& function, int count, int steps, std::int64_t order = 0) {
  return case_of(test_random(), function, count, steps, order);
}

/// Runs one of the ways, and compares the cells after the last step.
Answer check(const Case& given) {
  const Answer answer = grade(given);
  const std::int64_t steps = given.integer("steps");
  INFO((steps == 0 ? "After no step the cells are where they were, in 'a'."
        : steps == 1
            ? "The first step goes from 'a' to 'b', and there the cells are."
            : "A step reads what all of the grid wrote in the step before: has that ended? Does it read the array "
              "that the step before wrote? An even number of steps ends in 'a', an odd one in 'b'."));
  const char* const last = steps % 2 == 0 ? "a" : "b";
  require_equal(answer, last, stepped(given.array<std::uint32_t>("a"), steps));
  if (!answer.profile.text.empty()) require_default_stream(answer);
  return answer;
}

/// All shapes that every way must be right for; what costs much has few steps.
void check_shapes(const std::string& function, int most, int steps_of_most) {
  for (const auto& [count, steps] : {std::pair{257, 2}, {1, 3}, {2, 1}, {31, 6}, {256, 4}, {300, 0}, {40, kMostSteps}})
    check(case_of(function, count, steps));
  check(case_of(function, any_size(2, most / 4), any_size(2, 9)));
  check(case_of(function, most, steps_of_most));
}

void check_in_other_orders(const std::string& function) {
  for (const std::int64_t order : other_orders()) check(case_of(function, kFewCells, kFewSteps, order));
}

/// Bytes that each of the chosen grids stored in global memory.
template <class Chosen>
std::vector<double> bytes_stored(const Answer& answer, Chosen chosen) {
  std::vector<double> all;
  for (const KernelRecord& grid : answer.profile.kernels) {
    if (!chosen(grid)) continue;
    double bytes = 0;
    for (const LineCounters& line : grid.lines)
      for (const AccessCounters& access : line.accesses)
        if (access.space == "global" && moves(access, Direction::out)) bytes += access.bytes;
    all.push_back(bytes);
  }
  return all;
}

/// Each of the chosen grids did one step: no more, as one that does all, and no less, as one for show.
template <class Chosen>
void require_a_step_each(const Answer& answer, Chosen chosen, int count, const char* who) {
  constexpr double kParameters = 64;  // Of a launch that the grid makes.
  const std::vector<double> stored = bytes_stored(answer, chosen);
  require_shares(stored, std::vector<double>(stored.size(), kCellBytes * count), 1, kParameters, who);
}

Case graph_case(Random& random, int count, int steps, int times, bool by_replay) {
  return Case()
      .set("function", "graph")
      .set("a", random_cells(random, count))
      .set("steps", steps)
      .set("times", times)
      .set("by_replay", by_replay ? 1 : 0);
}

Answer check_graph(const Case& given) {
  const Answer answer = grade(given);
  const std::int64_t steps = given.integer("steps"), times = given.integer("times");
  INFO("The graph of " << steps << " steps is launched " << times << (times == 1 ? " time: " : " times: ")
                       << steps * times << " steps in all. Nothing may be done while it is made.");
  require_equal(answer, "a", stepped(given.array<std::uint32_t>("a"), steps * times));
  return answer;
}

int even(int steps) { return steps / 2 * 2; }

void check_redirected(int count, int others, int steps, int times) {
  const Case given = Case()
                         .set("function", "redirected")
                         .set("a", random_cells(test_random(), count))
                         .set("other_a", random_cells(test_random(), others))
                         .set("steps", steps)
                         .set("times", times);
  const Answer answer = grade(given);
  {
    INFO("The graph was launched once before redirect(). Afterwards it must leave the first cells alone.");
    require_equal(answer, "a", stepped(given.array<std::uint32_t>("a"), steps));
  }
  INFO("After redirect() the same graph was launched " << times << (times == 1 ? " time" : " times")
                                                       << ": with the new arrays, and the new number of cells?");
  require_equal(answer, "other_a", stepped(given.array<std::uint32_t>("other_a"), std::int64_t{steps} * times));
}

bool any_grid(const KernelRecord&) { return true; }
bool is_child(const KernelRecord& grid) { return grid.parent.has_value(); }

}  // namespace

// ---- Part 1: predictions

WB_LAB_TEST(correctness, 5, "the time of a loop of launches is predicted") {
  std::vector<std::int32_t> steps = {0, 1, 1, 2, 2, 10, 10, 10, kMostSteps}, expected;
  std::vector<std::int32_t> calls = {2600, 2600, 300, 2600, 500, 2600, 2600, 2600, 100000};
  std::vector<std::int32_t> kernels = {1400, 1400, 9000, 1400, 7000, 1400, 2600, 5000, 100000};
  for (int i = 0; i < 4; ++i) {
    steps.push_back(any_size(2, kMostSteps));
    calls.push_back(any_size(1, 100000));
    kernels.push_back(any_size(1, 100000));
  }
  Case given;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    // Step by step, as it happens.
    std::int32_t host = 0, device = 0;
    for (int s = 0; s < steps[i]; ++s) {
      host += calls[i];
      device = std::max(host, device) + kernels[i];
    }
    expected.push_back(device);
  }
  const Answer answer =
      grade(call("predict_loop_ns", {each("steps", steps), each("call_ns", calls), each("kernel_ns", kernels)}));
  require_returned(
      answer, expected,
      {"The host goes on with the next call while the kernel runs. Whichever of the two takes longer, calls or "
       "kernels, follow one another without gaps; of the other one, only a single piece sticks out at an end."});
}

WB_LAB_TEST(correctness, 5, "it is predicted from when on a graph pays") {
  std::vector<std::int32_t> makes = {221, 57, 100, 100, 99, 1, 10, 10, 10000}, expected;
  std::vector<std::int32_t> loops = {203, 54, 30, 30, 30, 2, 7, 7, 10000};
  std::vector<std::int32_t> graphs = {38, 14, 10, 20, 20, 1, 7, 8, 9999};
  for (int i = 0; i < 4; ++i) {
    makes.push_back(any_size(1, 10000));
    loops.push_back(any_size(1, 10000));
    graphs.push_back(any_size(1, loops.back()));
  }
  for (std::size_t i = 0; i < makes.size(); ++i) {
    std::int64_t times = 0;
    for (std::int64_t t = 1; times == 0 && graphs[i] < loops[i]; ++t)
      if (makes[i] + t * graphs[i] < t * loops[i]) times = t;
    expected.push_back(static_cast<std::int32_t>(times));
  }
  const Answer answer =
      grade(call("predict_replays", {each("make_us", makes), each("loop_us", loops), each("graph_us", graphs)}));
  require_returned(
      answer, expected,
      {"Each launch of the graph saves loop_us - graph_us, or nothing. All of them together must save more than "
       "making it has cost: exactly as much is not less time."});
}

// ---- Part 2: a loop of the host

WB_LAB_TEST(correctness, 8, "the loop of the host does every step") { check_shapes("by_host", kMostCells, 2); }

WB_LAB_TEST(counters, 4, "the host launches each step once") {
  check_in_other_orders("by_host");
  const int count = any_size(300, 3000), steps = any_size(20, 60);
  const Answer answer = check(case_of("by_host", count, steps));
  const char* const reason = "One launch for each step.";
  require_at_most(answer, Quantity::launches_by_host, steps, reason);
  require_at_least(answer, Quantity::launches_by_host, steps, reason);
  require_at_most(answer, Quantity::launches_by_kernels, 0, "Here the host launches, and no kernel.");
  require_a_step_each(answer, any_grid, count, "Launches store");
}

// ---- Part 3: a loop inside the kernel

WB_LAB_TEST(correctness, 8, "the loop inside the kernel does every step") {
  check_shapes("by_block", kMostOfBlock, 11);
}

WB_LAB_TEST(counters, 4, "one block does all steps in one launch") {
  check_in_other_orders("by_block");
  const int steps = any_size(20, 60);
  const Answer answer = check(case_of("by_block", any_size(1025, kMostOfBlock), steps));
  require_at_most(answer, Quantity::kernel_launches, 1, "All steps are in one launch.");
  require_at_most(answer, Quantity::launched_threads, 1024,
                  "Only threads of one block can wait for each other at __syncthreads().");
  require_at_most(answer, Quantity::barriers_per_warp, 2 * steps + 2, "One wait between two steps is enough.");
}

// ---- Part 4: launches by kernels

WB_LAB_TEST(correctness, 10, "launches by kernels do every step, in every order") {
  check_shapes("by_kernels", kMostCells, 2);
  check_in_other_orders("by_kernels");
}

WB_LAB_TEST(counters, 4, "kernels launch each step once") {
  check_in_other_orders("by_kernels");
  const int count = any_size(300, 3000), steps = any_size(20, 60);
  const Answer answer = check(case_of("by_kernels", count, steps));
  require_at_most(answer, Quantity::launches_by_host, 1, "The host launches one kernel, which launches the rest.");
  require_at_most(answer, Quantity::launches_by_kernels, steps,
                  "One launch for each step. A launch that several threads or blocks reach is made by each of them.");
  require_at_least(answer, Quantity::launches_by_kernels, steps - 1,
                   "One launch for each step; only the first one may be done by the host's grid itself.");
  require_a_step_each(answer, is_child, count, "Grids that kernels launched store");
}

WB_LAB_TEST(time, 6, "launches by kernels take as long as the reference's") {
  check_in_other_orders("by_kernels");
  const auto make = [](Random& random) { return case_of(random, "by_kernels", 1024, 40); };
  require_time(
      make, [](const Case& given) { check(given); }, 1.3, 1.9);
}

// ---- Part 5: a graph

WB_LAB_TEST(correctness, 10, "a graph does its steps as often as it is launched") {
  for (const auto& [count, steps, times] : {std::tuple{257, 4, 1},
                                            {1, 2, 3},
                                            {300, 6, 2},
                                            {20, kMostOfGraph, 2},
                                            {31, 2, 100},
                                            {kMostCells, 2, 1},
                                            {any_size(2, 3000), even(any_size(2, 20)), any_size(1, 3)}})
    check_graph(graph_case(test_random(), count, steps, times, true));
  for (const std::int64_t order : other_orders())
    check_graph(graph_case(test_random(), kFewCells, 4, 2, true).set(kScheduleSeed, order));
}

WB_LAB_TEST(counters, 5, "a graph has one kernel for each step") {
  const int count = any_size(300, 3000), steps = even(any_size(10, 40)), times = any_size(2, 4);
  for (const std::int64_t order : other_orders())
    check_graph(graph_case(test_random(), kFewCells, 4, 2, false).set(kScheduleSeed, order));
  const Answer answer = check_graph(graph_case(test_random(), count, steps, times, false));
  const std::string reason = "The graph of " + std::to_string(steps) + " steps is launched " + std::to_string(times) +
                             " times, and each step is a kernel in it. record() itself starts nothing.";
  require_at_most(answer, Quantity::kernel_launches, steps * times, reason);
  require_at_least(answer, Quantity::kernel_launches, steps * times, reason);
  require_a_step_each(answer, any_grid, count, "Kernels of the graph store");
}

WB_LAB_TEST(correctness, 8, "a graph is redirected to other cells") {
  check_redirected(257, 257, 4, 1);
  check_redirected(1000, 1000, 6, 3);
  check_redirected(300, 2000, 2, 2);
  check_redirected(any_size(1, 3000), any_size(1, 3000), even(any_size(2, 40)), any_size(1, 3));
  check_redirected(2000, 1, kMostOfGraph, 1);
  check_redirected(5, kMostCells, 2, 1);
}

WB_LAB_TEST(time, 5, "steps of a graph take as long as the reference's") {
  for (const std::int64_t order : other_orders())
    check_graph(graph_case(test_random(), kFewCells, 4, 2, true).set(kScheduleSeed, order));
  const auto make = [](Random& random) { return graph_case(random, 1024, 20, 3, true); };
  require_time(
      make, [](const Case& given) { check_graph(given); }, 1.2, 1.6);
}

// ---- Part 6: a grid that waits

WB_LAB_TEST(correctness, 8, "the grid does every step, with few multiprocessors too") {
  check_shapes("by_grid", kMostCells, 2);
  for (const int multiprocessors : {1, any_size(2, 20)})
    check(case_of("by_grid", any_size(20000, 30000), 3).set(kMultiprocessors, multiprocessors));
}

WB_LAB_TEST(counters, 4, "the grid waits once between two steps") {
  check_in_other_orders("by_grid");
  const int count = any_size(1 << 13, 1 << 14), steps = any_size(20, 40);
  const Answer answer = check(case_of("by_grid", count, steps));
  require_at_most(answer, Quantity::kernel_launches, 1, "All steps are in one launch.");
  require_at_most(answer, Quantity::grid_barriers, steps, "All blocks wait once between two steps.");
  const int fewest = steps / 4;  // A block may do some steps by itself, with more cells than it writes.
  require_at_least(
      answer, Quantity::grid_barriers, fewest,
      "Blocks of one grid may wait for each other by grid.sync() only: in any other way, a block that waits "
      "can keep the place of the one that it waits for.");
  require_at_least(answer, Quantity::launched_threads, count / 8.0,
                   "The steps of so many cells are shared by many blocks, not left to a few.");
}

// ---- Part 7: the fastest way

WB_LAB_TEST(time, 3, "the fastest way is chosen for few cells") {
  check_in_other_orders("advance");
  require_time(
      benchmark_case, [](const Case& given) { check(given); }, 1.25, 1.8);
}

WB_LAB_TEST(time, 3, "the fastest way is chosen for many cells") {
  check_in_other_orders("advance");
  check(case_of("advance", any_size(2, kMostAdvanced - 1), 3));
  const auto make = [](Random& random) { return case_of(random, "advance", kMostAdvanced, 16); };
  require_time(
      make, [](const Case& given) { check(given); }, 1.25, 1.6);
}

WB_LAB_BENCHMARK { return case_of(random, "advance", 4096, 64); }
