// The tests of lab memory_hierarchy: what is predicted, chains and walks, what a step takes, and how fast a level is.
#include <cmath>
#include <numeric>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;
using warpbook::Random;

namespace {

constexpr int kWords = 8;  // Ints of a node.
constexpr int kL1Bytes = 128 << 10, kL2Bytes = 60 << 20;

int size(std::int64_t low, std::int64_t high) { return static_cast<int>(test_random().size(low, high)); }

std::size_t count_of(int n) { return static_cast<std::size_t>(n); }

using Ints = std::vector<std::int32_t>;

// ---- Chains

/// The numbers from 0 to n - 1, each once, in a random order.
Ints random_order(Random& random, int n) {
  Ints order(count_of(n));
  std::iota(order.begin(), order.end(), 0);
  for (int i = n - 1; i > 0; --i)
    std::swap(order[count_of(i)], order[count_of(static_cast<int>(random.integer(0, i)))]);
  return order;
}

/// The element after each of the first @p round of @p order, which are joined to a ring; others come after themselves.
Ints links_of(const Ints& order, int round) {
  Ints next(order.size());
  std::iota(next.begin(), next.end(), 0);
  for (int k = 0; k < round; ++k) next[count_of(order[count_of(k)])] = order[count_of((k + 1) % round)];
  return next;
}

/// The same as nodes of eight ints each, of which the others hold rubbish.
Ints nodes_of(const Ints& next) {
  Ints nodes(kWords * next.size(), 0x55555555);
  for (std::size_t i = 0; i < next.size(); ++i) nodes[kWords * i] = next[i];
  return nodes;
}

std::int32_t end_of(const Ints& next, std::int32_t start, std::int64_t steps) {
  std::int32_t at = start;
  for (std::int64_t step = 0; step < steps; ++step) at = next[count_of(at)];
  return at;
}

void check_chain(int n, std::int64_t order_of_work = 0) {
  const Ints order = random_order(test_random(), n);
  Case given = call("make_chain",
                    {input("order", order), number("n", n), filled<std::int32_t>("nodes", kWords * count_of(n), 0x55)});
  if (order_of_work != 0) given.set(kScheduleSeed, order_of_work);
  const Answer answer = grade(given);
  require_default_stream(answer);
  const auto nodes = answer.output<std::int32_t>("nodes");
  std::int32_t at = order[0];
  for (int steps = 1; steps < n; ++steps) {
    at = nodes[kWords * count_of(at)];
    if (at < 0 || at >= n) break;
    if (at == order[0])
      WB_FAIL("not_one_ring", "A walk from node "
                                  << order[0] << " is back there after " << steps << " steps, and has seen " << steps
                                  << " of " << n
                                  << " nodes. The links must form one ring: the node after order[k] is order[k + 1].");
  }
  require_equal(answer, "nodes", nodes_of(links_of(order, n)), {count_of(n), kWords});
}

// ---- Walks

struct Walk {
  int n = 0;      ///< Nodes.
  int round = 0;  ///< Of them in the ring that is walked.
  int steps = 0;
};

Case walk_call(const Walk& walk, Ints& next) {
  const Ints order = random_order(test_random(), walk.n);
  next = links_of(order, walk.round);
  return call("walk", {input("nodes", nodes_of(next)), number("start", order[0]), number("steps", walk.steps),
                       output<std::int32_t>("end", 1)});
}

Answer check_walk(const Walk& walk, std::int64_t order_of_work = 0) {
  Ints next;
  Case given = walk_call(walk, next);
  if (order_of_work != 0) given.set(kScheduleSeed, order_of_work);
  const Answer answer = grade(given);
  require_default_stream(answer);
  const auto start = static_cast<std::int32_t>(given.integer("start"));
  require_equal(answer, "end", Ints{end_of(next, start, walk.steps)});
  return answer;
}

double metric(const KernelRecord& kernel, const std::string& name) {
  const auto found = kernel.metrics.find(name);
  return found == kernel.metrics.end() ? 0 : found->second;
}

double loads_of(const KernelRecord& kernel) {
  return metric(kernel, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum");
}

double total(const Answer& answer, const std::string& name) {
  double sum = 0;
  for (const KernelRecord& kernel : answer.profile.kernels) sum += metric(kernel, name);
  return sum;
}

/// Steps that the level-1 cache served.
double hits_of(const Answer& answer) {
  return total(answer, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum");
}

void require_every_step(const Answer& answer, int steps) {
  require_at_least(answer, Quantity::global_load_requests, steps, "Each step is a load of its own.");
  require_at_most(answer, Quantity::global_load_requests, 1.02 * steps + 8, "A walk loads one link in each step.");
  require_at_most(answer, Quantity::launched_threads, 32, "One thread walks.");
}

// ---- What a step takes

struct Measured {
  Walk walk;  ///< steps: those that are skipped
  int counted = 0;
};

Answer run_measured(const Measured& measured) {
  Ints next;
  const Case walked = walk_call(measured.walk, next);
  const auto start = static_cast<std::int32_t>(walked.integer("start"));
  const Answer answer = grade(call(
      "measure_ns", {input("nodes", nodes_of(next)), number("start", start), number("skipped", measured.walk.steps),
                     number("counted", measured.counted), output<std::int32_t>("end", 1)}));
  require_equal(answer, "end", Ints{end_of(next, start, std::int64_t{measured.walk.steps} + measured.counted)});
  return answer;
}

/// What the device took: the launch that made all steps, less one that made the skipped ones only.
double nanoseconds_by_device(const Answer& answer, int skipped, int counted) {
  const KernelRecord *all = nullptr, *first = nullptr;
  for (const KernelRecord& kernel : answer.profile.kernels) {
    const double loads = loads_of(kernel);
    if (loads >= skipped + counted) all = &kernel;
    if (loads >= skipped && loads <= skipped + 0.02 * counted) first = &kernel;
  }
  if (all == nullptr)
    WB_FAIL("no_long_walk",
            "No launch walks all of the " << skipped << " + " << counted << " steps: what was measured?");
  if (first == nullptr)
    WB_FAIL("no_short_walk", "No launch walks just the "
                                 << skipped << " skipped steps: how long these and a launch take is to be subtracted.");
  if (const auto& kernels = answer.profile.kernels; skipped > 0 && (kernels.size() < 3 || all == &kernels.front()))
    WB_FAIL("no_walk_before", "There is no walk of the "
                                  << skipped << " skipped steps before those that are measured: on a real GPU the "
                                  << "level-2 cache is then as others have left it.");
  return 1000 * (all->time_us - first->time_us) / counted;
}

void check_measured(const Measured& measured, const std::string& level) {
  const Answer answer = run_measured(measured);
  const int skipped = measured.walk.steps;
  const double expected = nanoseconds_by_device(answer, skipped, measured.counted);
  const double found = answer.output<double>(kReturned).at(0);
  if (!(std::abs(found - expected) <= 0.04 * expected))
    WB_FAIL("time_of_step", "measure_ns() returned "
                                << found << " for " << measured.counted << " steps after " << skipped
                                << " skipped ones, " << level << ". The device took " << expected
                                << " ns for each: the time of " << skipped + measured.counted
                                << " steps, less that of the " << skipped
                                << " skipped ones, is all that the counted ones took. Subtract, then divide by "
                                << measured.counted << "; EventTimer::stop() returns microseconds.");
}

// ---- Constant memory, streams, many walks

Answer check_constant(int n, int steps) {
  const Ints order = random_order(test_random(), n), next = links_of(order, n);
  const Answer answer = grade(call("walk_constant", {input("next", next), number("n", n), number("start", order[0]),
                                                     number("steps", steps), output<std::int32_t>("end", 1)}));
  require_default_stream(answer);
  require_equal(answer, "end", Ints{end_of(next, order[0], steps)});
  return answer;
}

Answer check_rounds(int n, int rounds, int blocks, std::int64_t order_of_work = 0) {
  const auto in = test_random().array<std::int32_t>(4 * count_of(n), -1'000'000'000, 1'000'000'000);
  Case given = call("read_rounds", {input("in", in), number("n", n), number("rounds", rounds),
                                    filled<std::int32_t>("sums", count_of(blocks), 0), number("blocks", blocks)});
  if (order_of_work != 0) given.set(kScheduleSeed, order_of_work);
  const Answer answer = grade(given);
  require_default_stream(answer);
  std::uint32_t sum = 0;
  for (const std::int32_t word : in) sum += static_cast<std::uint32_t>(word) * static_cast<std::uint32_t>(rounds);
  require_equal(answer, "sums", Ints(count_of(blocks), static_cast<std::int32_t>(sum)));
  return answer;
}

void check_stream(int n, int rounds, double gb_per_s, const std::string& reason) {
  check_rounds(1000, 2, 3, worst_order());
  const Answer answer = check_rounds(n, rounds, 132);
  require_at_most(answer, Quantity::global_load_bytes, 1.02 * 132 * 16 * n * rounds,
                  "Each block reads each word once in each round.");
  require_at_least(answer, Quantity::global_load_gb_per_s, gb_per_s, reason);
}

Case many_call(Random& random, int n, int count, int steps) {
  const Ints order = random_order(random, n);
  Ints start(count_of(count));
  for (std::int32_t& at : start) at = static_cast<std::int32_t>(random.integer(0, n - 1));
  return call("walk_many",
              {input("next", links_of(order, n)), number("n", n), input("start", start),
               output<std::int32_t>("end", count_of(count)), number("count", count), number("steps", steps)});
}

void check_many(const Case& given) {
  const Answer answer = grade(given);
  require_default_stream(answer);
  const Ints next = given.array<std::int32_t>("next");
  Ints ends = given.array<std::int32_t>("start");
  for (std::int32_t& at : ends) at = end_of(next, at, given.integer("steps"));
  require_equal(answer, "end", ends);
}

void check_many_in_other_orders() {
  for (const std::int64_t order : other_orders())
    check_many(many_call(test_random(), 700, 1500, 5).set(kScheduleSeed, order));
}

}  // namespace

// ---- Part 1: what fits where

WB_LAB_TEST(correctness, 4, "the bytes of a cache for each thread are predicted") {
  for (const int multiprocessors : {1, 80, 132, size(2, 200)}) {
    const Ints caches = {kL1Bytes, 256 << 10, 6144 << 10, kL2Bytes, 1024, 1 << 30, size(1024, 1 << 30)};
    Ints expected;
    for (const std::int32_t bytes : caches) expected.push_back(bytes / 2048 / multiprocessors);
    require_returned(grade(call("predict_bytes_per_thread",
                                {each("cache_bytes", caches), number("multiprocessors", multiprocessors)})),
                     expected, {"2048 threads of each multiprocessor share it: divide by all of them."});
  }
}

WB_LAB_TEST(correctness, 5, "the lines that loads take are predicted") {
  for (int bytes_apart = 4; bytes_apart <= 4096; bytes_apart *= 2) {
    const Ints loads = {1, 2, 3, 4, 31, 32, 33, 1000, 1 << 18, size(5, 1 << 18)};
    Ints expected;
    for (const std::int32_t count : loads) {
      const std::int64_t last = std::int64_t{count - 1} * bytes_apart / 128;
      expected.push_back(bytes_apart >= 128 ? 128 * count : 128 * (static_cast<std::int32_t>(last) + 1));
    }
    require_returned(
        grade(call("predict_cached_bytes", {each("loads", loads), number("bytes_apart", bytes_apart)})), expected,
        {"A line of the cache has 128 bytes. What moves are sectors of 32 bytes, but a line is kept for the "
         "sectors of 128 neighbouring bytes, and for no others."});
  }
}

WB_LAB_TEST(correctness, 4, "the level that serves a footprint is predicted") {
  for (const int l1 : {kL1Bytes, size(1 << 16, 1 << 18)})
    for (const int l2 : {kL2Bytes, size(1 << 22, 1 << 26)}) {
      const Ints bytes = {32, l1, l1 + 32, l2, l2 + 32, l1 / 2, l2 / 2, l1 + l2, 2 * l2, 1 << 30, size(l1, l2)};
      Ints expected;
      for (const std::int32_t count : bytes) expected.push_back(1 + (count > l1) + (count > l2));
      require_returned(
          grade(call("predict_level", {each("bytes", bytes), number("l1_bytes", l1), number("l2_bytes", l2)})),
          expected,
          {"A cache of the first level has " + std::to_string(l1) + " bytes, one of the second " + std::to_string(l2) +
           ": the first that holds all of them serves them, and what is in it is in the next one, too."});
    }
}

WB_LAB_TEST(correctness, 5, "the chosen chains fit their levels") {
  for (const int l1 : {1 << 16, kL1Bytes, 1 << 18})
    for (const int l2 : {16 * l1, kL2Bytes, 1 << 26}) {
      const std::vector<std::int32_t> levels = {1, 2, 3};
      const auto nodes =
          grade(call("choose_nodes", {each("level", levels), number("l1_bytes", l1), number("l2_bytes", l2)}))
              .output<std::int32_t>(kReturned);
      const std::int64_t least[] = {l1 / 8, 4 * l1, 2 * l2}, most[] = {l1 / 2, l2 / 2, std::int64_t{4} * l2};
      for (std::size_t k = 0; k < 3; ++k) {
        const std::int64_t bytes = std::int64_t{32} * nodes.at(k);
        if (bytes < least[k] || bytes > most[k])
          WB_FAIL_CALL("choose_nodes(" << k + 1 << ", " << l1 << ", " << l2 << ")", nodes[k],
                       " nodes, which are " << bytes << " bytes, 32 for each node; the contract asks for " << least[k]
                                            << " to " << most[k] << ".");
      }
    }
}

WB_LAB_TEST(counters, 5, "the device is asked about its memories") {
  const std::string peak =
      "Bytes of the bus x 2 x the clock, in 10^6 bytes in a second: the memory's clock is in kHz, its bus in "
      "bits, two transfers happen in a clock, and a megabyte in a data sheet has 10^6 bytes. The product "
      "does not fit into an int before it is divided.";
  const Ints facts = {0, 1, 2, 3, 4}, expected = {kL2Bytes, 233'472, 232'448, 65'536, 4'814'304};
  require_returned(
      grade(call("ask_device", {each("fact", facts)})), expected,
      {"cudaDevAttrL2CacheSize.", "All blocks on a multiprocessor together.",
       "What a kernel may opt in to, not the 48 KiB that every kernel may have.", "All of constant memory.", peak});
}

// ---- Part 2: a chain

WB_LAB_TEST(correctness, 10, "a chain is one ring of all nodes") {
  for (const int n : {1000, 1, 2, 3, 31, 32, 33, 255, 256, 257, size(4, 5000), size(4, 50000)}) check_chain(n);
  for (const std::int64_t order : other_orders()) check_chain(700, order);
}

// ---- Part 3: a walk, and how long it takes

WB_LAB_TEST(correctness, 8, "a walk ends where it should") {
  for (const int steps : {1000, 0, 1, 2, 3, 4, 5, 31, size(6, 20000)})
    check_walk({.n = 1000, .round = 1000, .steps = steps});
  check_walk({.n = 1, .round = 1, .steps = 7});
  check_walk({.n = size(100, 1000), .round = size(2, 100), .steps = size(1, 5000)});
  for (const std::int64_t order : other_orders()) check_walk({.n = 100, .round = 100, .steps = 250}, order);
}

WB_LAB_TEST(counters, 6, "every step is a load through the level-1 cache") {
  constexpr int kNodes = 1024, kSteps = 4 * kNodes;
  const Answer answer = check_walk({.n = kNodes, .round = kNodes, .steps = kSteps});
  require_every_step(answer, kSteps);
  if (hits_of(answer) < 0.5 * kSteps)
    WB_FAIL(
        "level_1_misses", "The level-1 cache served "
                              << hits_of(answer) << " of " << kSteps << " steps through " << kNodes
                              << " nodes, which fit into it: three of four rounds should be hits. Loads that bypass "
                                 "it (__ldcg, volatile, atomics) miss them.");
}

WB_LAB_TEST(counters, 5, "the chosen chains are served by their levels") {
  constexpr int kSmallL2 = 16 * kL1Bytes;
  const std::vector<std::int32_t> levels = {1, 2};
  const auto nodes =
      grade(call("choose_nodes", {each("level", levels), number("l1_bytes", kL1Bytes), number("l2_bytes", kSmallL2)}))
          .output<std::int32_t>(kReturned);
  for (std::size_t k = 0; k < 2; ++k) {
    const int n = nodes.at(k), steps = 2 * n;
    if (n < 2 || n > kSmallL2 / 32)
      WB_FAIL("number_of_nodes", "choose_nodes() returned " << n << " for level " << k + 1 << ".");
    const Answer answer = check_walk({.n = n, .round = n, .steps = steps});
    require_every_step(answer, steps);
    const double hits = hits_of(answer);
    if (k == 0 ? hits < 0.9 * n : hits > 0.1 * n)
      WB_FAIL("level_1_hits", "In the second round through "
                                  << n << " nodes, chosen for level " << k + 1 << ", the level-1 cache served " << hits
                                  << " steps; it should serve " << (k == 0 ? "all." : "next to none."));
  }
}

WB_LAB_TEST(correctness, 5, "a measured walk ends where it should") {
  run_measured({{.n = 300, .round = 300, .steps = 0}, 1024});
  run_measured({{.n = 300, .round = 20, .steps = size(1, 900)}, size(1024, 5000)});
}

WB_LAB_TEST(counters, 12, "a measured step takes what the device says") {
  check_measured({{.n = 1024, .round = 1024, .steps = 1024}, 4096}, "in a chain that fits into the level-1 cache");
  const int between = size(3900, 4400);
  check_measured({{.n = 4400, .round = between, .steps = between}, 2 * between},
                 "in a chain about as large as the level-1 cache");
  const int large = size(8192, 12000), small = size(200, 1000);
  check_measured({{.n = large, .round = large, .steps = large}, large}, "in a chain larger than the level-1 cache");
  check_measured({{.n = large, .round = small, .steps = small}, large}, "in a short ring among many nodes");
  check_measured({{.n = 4096, .round = 4096, .steps = 0}, 4000}, "which no cache holds yet");
}

// ---- Part 4: constant memory

WB_LAB_TEST(correctness, 3, "a walk in constant memory ends where it should") {
  for (const int n : {512, 1, 2, size(3, 511)})
    for (const int steps : {100, 0, 1, size(2, 2000)}) check_constant(n, steps);
}

WB_LAB_TEST(counters, 2, "constant memory needs no loads of global memory") {
  const Answer answer = check_constant(512, 2000);
  const double loads = total(answer, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum");
  if (loads > 0)
    WB_FAIL("global_loads", "2000 steps made "
                                << loads
                                << " loads of global memory. The links were to be copied to constant_links, and read "
                                   "from there.");
}

// ---- Part 5: streams

WB_LAB_TEST(correctness, 5, "every block adds up all rounds") {
  for (const int n : {1000, 1, 31, 32, 1023, 1024, 1025, size(2, 5000)})
    for (const int rounds : {1, 3}) check_rounds(n, rounds, size(1, 20));
  check_rounds(100, 64, 132);
  for (const std::int64_t order : other_orders()) check_rounds(500, 2, 3, order);
}

WB_LAB_TEST(counters, 3, "a stream within the level-1 cache moves 12 TB in a second") {
  check_stream(
      4096, 32, 12000,
      "64 KiB fit into the level-1 cache of each multiprocessor, which delivers 128 bytes in a clock: 33 TB/s for "
      "132 of them. The level-2 cache would deliver 10.");
}

WB_LAB_TEST(counters, 3, "a stream within the level-2 cache moves 5 TB in a second") {
  check_stream(
      1 << 16, 6, 5000,
      "1 MiB fits into the level-2 cache, which delivers 10 TB/s, if enough loads of each block are under way: "
      "use all the threads that a block can have.");
}

// ---- Part 6: many walks

WB_LAB_TEST(correctness, 5, "many walks end where they should") {
  for (const int n : {8192, 1, 2, 32, 1000, size(3, 8191)})
    for (const int count : {33, 1, 1024, 1025, size(2, 3000)})
      check_many(many_call(test_random(), n, count, static_cast<int>(test_random().integer(0, 64))));
  check_many(many_call(test_random(), 100, 0, 3));
  check_many(many_call(test_random(), 100, 100, 0));
  check_many_in_other_orders();
}

WB_LAB_TEST(time, 10, "many walks are as fast as the reference") {
  check_many_in_other_orders();
  require_time(benchmark_case, check_many, 1.5, 4.0);
}

WB_LAB_BENCHMARK { return many_call(random, 8192, 1 << 18, 32); }

WB_LAB_PLOTS {
  Curve steps{.label = "a step of walk()"};
  // Whole rounds first, so that caches keep what they can; the last chain is larger than all of them.
  for (const int n : {1 << 9, 1 << 10, 1 << 11, 3 << 10, 1 << 12, 5 << 10, 1 << 13, 1 << 15, 1 << 17, 1 << 21}) {
    const int skipped = 32 * n > kL2Bytes ? 0 : n;
    const Ints order = random_order(random, n), next = links_of(order, n);
    const std::optional<Answer> answer =
        run(call("measure_ns", {input("nodes", nodes_of(next)), number("start", order[0]), number("skipped", skipped),
                                number("counted", 4096), output<std::int32_t>("end", 1)}));
    if (answer) steps.points.emplace_back(32.0 * n, answer->output<double>(kReturned).at(0));
  }
  return {{.name = "staircase",
           .kind = PlotKind::staircase,
           .title = "The staircase",
           .caption = "What measure_ns() says of chains of nodes of 32 bytes, after a walk through all of them; of one "
                      "that no cache holds, the first visits.",
           .x = "bytes of the chain",
           .y = "ns for a step",
           .curves = {steps}}};
}
