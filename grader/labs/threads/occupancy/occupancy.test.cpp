// The tests of lab occupancy: how many blocks fit, launches that fill the device, and registers that are worth it.
#include <algorithm>
#include <cmath>
#include <sstream>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;
using warpbook::Random;

namespace {

int draw(int low, int high) { return static_cast<int>(test_random().integer(low, high)); }

int round_up(int n, int unit) { return (n + unit - 1) / unit * unit; }

// ---- Part 1

struct Device {
  std::string name;
  int threads = 0, blocks = 0, registers = 0, shared = 0;
};

const Device kH200 = {"an H200", 2048, 32, 65536, 233472};

/// What a block asks for. `allowed` is the kernel's maxDynamicSharedSizeBytes.
struct Wanted {
  int registers = 0, own = 0, allowed = 0, threads = 0, dynamic = 0;
};

struct Limits {
  int warps = 0, blocks = 0, registers = 0, shared = 0;
  bool refused = false;
  int smallest() const { return refused ? 0 : std::min({warps, blocks, registers, shared}); }
  /// Which one is the smallest.
  const char* name() const {
    if (refused) return "opting_in";
    if (smallest() == shared) return "shared_memory";
    if (smallest() == registers) return "registers";
    return smallest() == warps ? "warps" : "blocks";
  }
};

/// By counting warps one after the other into the parts of the registers.
Limits limits_of(const Device& device, const Wanted& wanted) {
  const int warps = (wanted.threads + 31) / 32;
  const int of_file = device.registers / 4 / round_up(32 * wanted.registers, 256);
  Limits limits;
  limits.warps = device.threads / 32 / warps;
  limits.blocks = device.blocks;
  limits.registers = 4 * of_file / warps;
  limits.shared = device.shared / round_up(wanted.own + wanted.dynamic + 1024, 128);
  limits.refused = wanted.own + wanted.dynamic > std::max(48 * 1024, wanted.own + wanted.allowed);
  return limits;
}

std::string explained(const Device& device, const Wanted& wanted) {
  const Limits limits = limits_of(device, wanted);
  std::ostringstream text;
  text << "Of " << device.name << " with " << device.threads << " threads, " << device.blocks << " blocks, "
       << device.registers << " registers and " << device.shared
       << " bytes of shared memory on a multiprocessor: a block of " << wanted.threads << " threads with "
       << wanted.registers << " registers each, " << wanted.own << " bytes of static and " << wanted.dynamic
       << " of dynamic shared memory (maxDynamicSharedSizeBytes is " << wanted.allowed << ").\n";
  if (limits.refused)
    text << "None may be launched: more than 48 KiB of shared memory are only for kernels that have opted in to so "
            "much.";
  else
    text << "Its " << (wanted.threads + 31) / 32 << " warps allow " << limits.warps << " blocks, the device "
         << limits.blocks << ", registers " << limits.registers << " (a warp gets "
         << round_up(32 * wanted.registers, 256) << ", and each of four parts has whole warps), shared memory "
         << limits.shared << " (a block gets " << round_up(wanted.own + wanted.dynamic + 1024, 128)
         << " bytes, 1024 of them for CUDA). The smallest counts.";
  return text.str();
}

void require_blocks(const Device& device, const std::vector<Wanted>& all) {
  std::vector<std::int32_t> registers, own, allowed, threads, dynamic;
  for (const Wanted& wanted : all) {
    registers.push_back(wanted.registers), own.push_back(wanted.own), allowed.push_back(wanted.allowed);
    threads.push_back(wanted.threads), dynamic.push_back(wanted.dynamic);
  }
  const Answer answer = grade(Case()
                                  .set("function", "blocks_per_multiprocessor")
                                  .set("resident_threads", device.threads)
                                  .set("resident_blocks", device.blocks)
                                  .set("device_registers", device.registers)
                                  .set("device_shared", device.shared)
                                  .set("registers", registers)
                                  .set("static_bytes", own)
                                  .set("allowed_bytes", allowed)
                                  .set("threads", threads)
                                  .set("dynamic_bytes", dynamic));
  const auto blocks = answer.output<std::int32_t>("blocks");
  REQUIRE(blocks.size() == all.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    if (const Limits limits = limits_of(device, all[i]); blocks[i] != limits.smallest())
      WB_FAIL(Requirement(std::string("blocks_limited_by_") + limits.name()).with("returned", blocks[i]),
              "blocks_per_multiprocessor() returned " << blocks[i] << ", but it is " << limits.smallest() << ".\n"
                                                      << explained(device, all[i]));
}

/// Blocks with little of everything, so that each limit is the smallest for some, and some that are refused.
std::vector<Wanted> many_wanted(const Device& device, int count) {
  std::vector<Wanted> all;
  for (int i = 0; i < count; ++i) {
    Wanted wanted;
    wanted.registers = draw(1, i % 3 == 0 ? 255 : 64);
    wanted.threads = i % 2 == 0 ? draw(1, 1024) : 32 * draw(1, 12);
    wanted.own = i % 4 == 0 ? draw(1, 48 * 1024) : draw(0, 1000);
    wanted.allowed = i % 5 == 0 ? std::min(48 * 1024 - wanted.own, 1024) : device.shared - 1024 - wanted.own;
    wanted.dynamic = i % 3 == 1 ? draw(0, device.shared - 1024 - wanted.own) : i % 3 == 2 ? draw(0, 24 * 1024) : 0;
    all.push_back(wanted);
  }
  return all;
}

// ---- Part 2

/// What a launch of the answer's needs, as the virtual GPU saw it.
struct Seen {
  Wanted wanted;
  int blocks = 0;
};

constexpr int kMultiprocessors = 132;

/// The launch must be that with most threads. Registers are those of a launch: rounded up, as a warp gets them.
void require_launch(int kernel, int per_block, int per_thread, int most) {
  const Answer answer = grade(Case()
                                  .set("function", "choose_launch")
                                  .set("kernel", kernel)
                                  .set("bytes_per_block", per_block)
                                  .set("bytes_per_thread", per_thread)
                                  .set("most_threads", most));
  const auto found =
      std::find_if(answer.profile.kernels.begin(), answer.profile.kernels.end(),
                   [](const KernelRecord& record) { return record.name.find("stage<") != std::string::npos; });
  if (found == answer.profile.kernels.end() || answer.profile.kernels.size() != 1)
    WB_FAIL("launches_itself",
            "The answer launches kernels itself: choose_launch() only says how the given one is to be launched.");
  const auto counted = [&](const char* metric) { return static_cast<int>(found->metrics.at(metric)); };
  Wanted wanted;
  wanted.registers = counted("launch__registers_per_thread");
  wanted.own = counted("launch__shared_mem_per_block_static");
  wanted.allowed = kH200.shared - 1024 - wanted.own;
  int best = 0, blocks = 0;
  for (int threads = 32; threads <= most; threads += 32) {
    wanted.threads = threads, wanted.dynamic = per_block + threads * per_thread;
    const int held = limits_of(kH200, wanted).smallest();
    if (held * threads >= blocks * best) best = threads, blocks = held;
  }
  const int chosen = counted("launch__block_size"), grid = counted("launch__grid_size");
  const int dynamic = counted("launch__shared_mem_per_block_dynamic");
  wanted.threads = chosen, wanted.dynamic = per_block + chosen * per_thread;
  if (dynamic != wanted.dynamic)
    WB_FAIL("dynamic_bytes", "choose_launch() gives a block of "
                                 << chosen << " threads " << dynamic << " bytes of dynamic shared memory, but it needs "
                                 << wanted.dynamic << ": " << per_block << " + " << chosen << " x " << per_thread
                                 << ".");
  const int held = limits_of(kH200, wanted).smallest();
  if (chosen != best)
    WB_FAIL(Requirement("block_size").with("found", chosen),
            "choose_launch() took blocks of "
                << chosen << " threads, of which a multiprocessor holds " << held << ", " << held * chosen
                << " threads. With " << best << " threads in a block it is " << blocks << ", " << blocks * best
                << " threads. Shared memory depends on the block size that is tried: " << per_block << " + threads x "
                << per_thread << " bytes. Of equally good ones, the largest is asked for, up to " << most << ".\n"
                << explained(kH200, wanted));
  if (grid != held * kMultiprocessors)
    WB_FAIL("grid_size", "choose_launch() took " << grid << " blocks, but " << held << " fit on each of "
                                                 << kMultiprocessors << " multiprocessors: " << held * kMultiprocessors
                                                 << ".");
}

// ---- Parts 3 and 4

constexpr int kTaps = 32;

std::vector<float> whole_numbers(Random& random, std::size_t count) {
  const std::vector<std::int32_t> numbers = random.array<std::int32_t>(count, -8, 8);
  return {numbers.begin(), numbers.end()};
}

/// @param threads of a block; 0 is part 4
Case smooth_case(Random& random, int rows, int columns, int threads = 0) {
  Case given = Case()
                   .set("function", "smooth")
                   .set("rows", rows)
                   .set("columns", columns)
                   .set("in", whole_numbers(random, (rows + kTaps - std::size_t{1}) * columns))
                   .set("weights", whole_numbers(random, kTaps));
  return threads > 0 ? given.set("threads", threads) : given;
}

Answer check(const Case& given) {
  const auto rows = static_cast<std::size_t>(given.integer("rows"));
  const auto columns = static_cast<std::size_t>(given.integer("columns"));
  const auto in = given.array<float>("in"), weights = given.array<float>("weights");
  std::vector<float> out(rows * columns);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t k = 0; k < kTaps; ++k)
      for (std::size_t c = 0; c < columns; ++c) out[r * columns + c] += weights[k] * in[(r + k) * columns + c];
  const Answer answer = grade(given);
  require_default_stream(answer);
  require_equal(answer, "out", out, {rows, columns});
  return answer;
}

void check_in_other_orders(int threads) {
  for (const std::int64_t order : other_orders())
    check(smooth_case(test_random(), 70, 90, threads).set(kScheduleSeed, order));
}

/// 32 sums or more are alive in a thread, besides the value that is added to them and addresses: fewer registers are
/// not enough, whatever the compiler.
constexpr double kFewestRegisters = 36;

void require_in_registers(const Answer& answer) {
  for (const KernelRecord& kernel : answer.profile.kernels) {
    for (const LineCounters& line : kernel.lines)
      for (const AccessCounters& access : line.accesses)
        if (access.space == "local")
          WB_FAIL("local_memory",
                  "Line " << line.line << " has " << access.requests << " accesses of warps to local memory.\n"
                          << "An array is in registers only if all loops over it are unrolled, so that each index is a "
                             "constant.");
    if (const double registers = kernel.metrics.at("launch__registers_per_thread"); registers < kFewestRegisters)
      WB_FAIL("too_few_registers",
              "A thread of "
                  << short_name(kernel.name) << " has " << registers
                  << " registers. Its 32 sums, what is added to them and addresses need " << kFewestRegisters
                  << " and more, so some are in local memory: spilled (nvcc --resource-usage tells), or there are "
                     "fewer sums, which means more loads.\n"
                  << "The second number of __launch_bounds__ asks for more blocks than there are registers for.");
  }
}

void require_resident(const Answer& answer, double threads) {
  for (const KernelRecord& kernel : answer.profile.kernels) {
    const double resident = 20.48 * kernel.metrics.at("sm__maximum_warps_per_active_cycle_pct");
    if (resident < threads - 0.5)
      WB_FAIL(
          "too_few_resident",
          "At most "
              << std::round(resident) << " threads of " << short_name(kernel.name)
              << " run on a multiprocessor at the same time, at least " << threads << " are to be: each has "
              << kernel.metrics.at("launch__registers_per_thread") << " registers, and blocks have "
              << kernel.metrics.at("launch__block_size")
              << " threads.\nWithout __launch_bounds__, the compiler does not know how many registers are too many.");
  }
}

}  // namespace

// ---- Part 1: what fits

WB_LAB_TEST(correctness, 16, "the blocks of an H200's multiprocessor are computed") {
  std::vector<Wanted> all = {{16, 0, 49152, 1024, 0},  {16, 0, 49152, 32, 0},      {33, 0, 49152, 256, 0},
                             {40, 0, 49152, 224, 0},   {16, 0, 49152, 128, 20000}, {16, 0, 49152, 96, 0},
                             {16, 0, 1024, 64, 49152}, {16, 0, 1024, 64, 49153},   {255, 0, 49152, 288, 0},
                             {64, 0, 49152, 1024, 0},  {65, 0, 49152, 1024, 0},    {16, 1, 232447, 64, 232447}};
  const std::vector<Wanted> more = many_wanted(kH200, 3000);
  all.insert(all.end(), more.begin(), more.end());
  require_blocks(kH200, all);
}

WB_LAB_TEST(correctness, 6, "the blocks of other devices are computed") {
  for (const Device& device : {Device{"an A100", 2048, 32, 65536, 167936}, Device{"an L4", 1536, 24, 65536, 102400},
                               Device{"a device that does not exist", 32 * draw(32, 80), draw(8, 40),
                                      16384 * draw(3, 8), 1024 * draw(100, 300)}})
    require_blocks(device, many_wanted(device, 500));
}

WB_LAB_TEST(correctness, 8, "CUDA answers the same") {
  for (int kernel = 0; kernel < 4; ++kernel) {
    const int allowed = kernel % 2 == 0 ? 1024 : 180000;
    std::vector<std::int32_t> threads, dynamic;
    for (int i = 0; i < 300; ++i)
      threads.push_back(draw(1, 1024)), dynamic.push_back(draw(0, i % 2 == 0 ? 9000 : 200000));
    const Answer answer = grade(Case()
                                    .set("function", "ask")
                                    .set("kernel", kernel)
                                    .set("allowed", allowed)
                                    .set("threads", threads)
                                    .set("dynamic_bytes", dynamic));
    const auto blocks = answer.output<std::int32_t>("blocks"), answers = answer.output<std::int32_t>("answers");
    REQUIRE(blocks.size() == threads.size());
    REQUIRE(answers.size() == threads.size());
    for (std::size_t i = 0; i < threads.size(); ++i)
      if (blocks[i] != answers[i])
        WB_FAIL_CALL("blocks_per_multiprocessor()", blocks[i],
                     ", but cudaOccupancyMaxActiveBlocksPerMultiprocessor says "
                         << answers[i] << ".\n"
                         << explained(kH200, {static_cast<int>(answer.reply.integer("registers")),
                                              static_cast<int>(answer.reply.integer("static_bytes")), allowed,
                                              threads[i], dynamic[i]}));
  }
}

WB_LAB_TEST(correctness, 6, "the most registers are computed") {
  std::vector<std::int32_t> threads, blocks, expected;
  for (int i = 0; i < 200; ++i) {
    threads.push_back(i < 32 ? 32 * (i + 1) : draw(1, 1024));
    const int most = 64 / ((threads.back() + 31) / 32);
    blocks.push_back(i < 32 ? most : draw(1, most));
    std::int32_t registers = 255;
    while (limits_of(kH200, {registers, 0, 0, threads.back(), 0}).registers < blocks.back()) --registers;
    expected.push_back(registers);
  }
  require_returned(grade(call("most_registers", {each("threads", threads), each("blocks", blocks)})), expected,
                   {"A part of the registers has 16,384, and whole warps: as many as a fourth of all, rounded up. Each "
                    "of them gets a multiple of 256, which is a multiple of 8 for a thread; 255 are the most."});
}

WB_LAB_TEST(correctness, 6, "what is left for the L1 cache is computed") {
  std::vector<std::int32_t> blocks, bytes, expected;
  for (int i = 0; i < 200; ++i) {
    blocks.push_back(i % 32 + 1);
    const int most = 233472 / blocks.back() / 128 * 128 - 1024;
    bytes.push_back(i < 32 ? 0 : i < 64 ? most : draw(0, i % 2 == 0 ? most : std::min(most, 3000)));
    const int taken = blocks.back() * round_up(bytes.back() + 1024, 128);
    const std::vector<int> sizes = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};
    expected.push_back(256 - *std::find_if(sizes.begin(), sizes.end(), [&](int kib) { return taken <= 1024 * kib; }));
  }
  require_returned(grade(call("l1_kib", {each("blocks", blocks), each("shared_bytes", bytes)})), expected,
                   {"Each block gets 1024 bytes more than it asks for, rounded up to a multiple of 128. The smallest "
                    "carve-out that holds them all goes to shared memory, the rest of 256 KiB is cache."});
}

// ---- Part 2: ask CUDA

WB_LAB_TEST(counters, 8, "most threads run at the same time") {
  for (const auto& [kernel, per_block, per_thread] :
       {std::tuple{0, 0, 0}, {0, 0, 16}, {1, 1000, 20}, {1, 0, 8}, {2, 100, 4}, {2, 5000, 40}})
    require_launch(kernel, per_block, per_thread, 1024);
  require_launch(0, 0, 300, 160);
  require_launch(0, draw(0, 2000), draw(0, 40), 32 * draw(4, 31));
  require_launch(1, draw(0, 2000), draw(0, 40), 32 * draw(4, 31));
}

WB_LAB_TEST(counters, 6, "blocks may have more than 48 KiB") {
  require_launch(0, 0, 200, 1024);
  require_launch(0, 65536, 1024, 1024);
  require_launch(3, 65536, 4, 1024);
  require_launch(2, draw(49152, 65536), draw(0, 300), 1024);
}

// ---- Part 3: a promise to the compiler

WB_LAB_TEST(correctness, 8, "blocks of any size smooth columns") {
  for (const int threads : {32, 1024, 96, 256, 512, 768, 32 * draw(1, 32)})
    check(smooth_case(test_random(), draw(1, 150), draw(1, 1500), threads));
  check(smooth_case(test_random(), 0, 5, 64));
  check(smooth_case(test_random(), 32, 1024, 1024));
  check_in_other_orders(64);
}

WB_LAB_TEST(counters, 8, "a large block has its sums in registers") {
  check_in_other_orders(64);
  const Answer answer = check(smooth_case(test_random(), 256, 2048, 1024));
  require_at_most(answer, Quantity::global_load_requests, 1.05 * 63 / 32 * 256 * 2048 / 32,
                  "Each thread makes 32 rows of a column: it loads 63 elements.");
  require_in_registers(answer);
  require_resident(answer, 1024);
}

// ---- Part 4: less occupancy, less work

WB_LAB_TEST(correctness, 4, "the loads of a column are predicted") {
  std::vector<std::int32_t> rows, strips, expected;
  for (int i = 0; i < 100; ++i) {
    rows.push_back(i < 20 ? i : draw(0, 4096)), strips.push_back(i < 20 ? i % 4 + 1 : draw(1, 64));
    std::int32_t loads = 0;
    for (int first = 0; first < rows.back(); first += strips.back())
      loads += std::min(strips.back(), rows.back() - first) + kTaps - 1;
    expected.push_back(loads);
  }
  require_returned(grade(call("predict_loads", {each("rows", rows), each("strip", strips)})), expected,
                   {"A thread with n rows needs n + 31 elements, the last strip's thread too."});
}

WB_LAB_TEST(correctness, 8, "all columns are smoothed") {
  for (const auto& [rows, columns] : std::vector<std::pair<int, int>>{
           {1, 1}, {0, 7}, {31, 33}, {32, 256}, {33, 257}, {63, 255}, {64, 1}, {4096, 5}, {3, 4096}, {1024, 2048}})
    check(smooth_case(test_random(), rows, columns));
  for (int i = 0; i < 4; ++i) check(smooth_case(test_random(), draw(1, 300), draw(1, 700)));
  check_in_other_orders(0);
}

WB_LAB_TEST(counters, 8, "an element is loaded about twice and sums stay in registers") {
  check_in_other_orders(0);
  const Answer answer = check(smooth_case(test_random(), 512, 1024));
  require_at_most(answer, Quantity::global_load_requests, 2.1 * 512 * 1024 / 32,
                  "A thread with n rows loads n + 31 elements: 32 for one row, 1.97 for each of 32 rows.");
  require_at_most(answer, Quantity::global_store_requests, 1.05 * 512 * 1024 / 32, "Each result is stored once.");
  require_at_most(answer, Quantity::shared_requests, 0,
                  "This part is about registers: no element goes through shared memory.");
  require_in_registers(answer);
  require_resident(answer, 1024);
}

WB_LAB_TEST(time, 8, "columns are smoothed as fast as by the reference") {
  check_in_other_orders(0);
  require_time(
      benchmark_case, [](const Case& given) { check(given); }, 1.25, 3.0);
}

WB_LAB_BENCHMARK { return smooth_case(random, 1024, 2048); }

// More than the contract promises, for the reference and the rungs on a real GPU: two arrays of 256 MiB.
WB_LAB_LARGE_BENCHMARK { return smooth_case(random, 8192, 8192); }
