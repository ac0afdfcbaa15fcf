// The tests of lab unified_memory_prefetch: what must come out, which pages may fault and move, and why.
#include <algorithm>
#include <set>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;
using warpbook::Random;

namespace {

constexpr int kMiBFloats = 1 << 18;
constexpr double kMiB = 1 << 20;

/// Faults of the host that writes `bytes` of new memory in order: six for each 2 MiB.
double faults_of_writing(double bytes) { return bytes / (2 * kMiB) * 6; }

void check_predictions(const char* function, const std::vector<std::int32_t>& values, int (*right)(int),
                       const char* hint) {
  const Answer answer = grade(call(function, {each("values", values)}));
  const std::vector<std::int32_t> found = answer.output<std::int32_t>(kReturned);
  REQUIRE(found.size() == values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (found[i] == right(values[i])) continue;
    WB_FAIL_CALL(function << "(" << values[i] << ")", found[i], ", but it is " << right(values[i]) << ".\n" << hint);
  }
}

int cpu_page_faults(int mebibytes) { return 3 * mebibytes; }
int kib_moved(int stride) {
  std::set<int> pieces;
  for (int at = 0; at < 8192; at += stride) pieces.insert(at / 64);
  return 64 * static_cast<int>(pieces.size());
}

std::vector<float> ramp(int count) {
  std::vector<float> values(count);
  for (int i = 0; i < count; ++i) values[i] = static_cast<float>(i % 1024);
  return values;
}

constexpr int kMost = 1 << 22;  // Floats that an array has at most.

int any_size(int low, int high) { return static_cast<int>(test_random().size(low, high)); }

/// However few elements there are. On a GPU nothing is counted; on the virtual one, work on the host is found out here.
void require_kernel(const Answer& answer, double loaded, double stored) {
  require_done_by_kernels(answer);
  if (stored == 0) return;
  require_at_least(answer, Quantity::kernel_launches, 1, "the work is to be done on the device, by a kernel");
  if (answer.profile.text.empty()) return;
  const char* const reason = "the work is to be done on the device, by a kernel, however few elements there are";
  for (const CopyRecord& copy : answer.profile.copies)
    if (copy.start_us >= answer.profile.kernels.back().start_us)
      WB_FAIL("copy_at_the_end", "A copy or fill (" << copy.kind << ", " << copy.bytes
                                                    << " bytes) comes after the last kernel: the result is "
                                                    << "what kernels have computed.");
  if (loaded > 0) require_at_least(answer, Quantity::global_load_bytes, loaded, reason);
  require_at_least(answer, Quantity::global_store_bytes, stored, reason);
}

/// What was prefetched to the device must be there before a kernel begins, and what goes back must have been computed.
/// The virtual GPU works in the order of the calls, so it counts no fault where streams do not wait for each other; its
/// clock shows what would have been too early.
void require_order(const Answer& answer) {
  constexpr double kInstant = 0.01, kPage = 4096;  // Bytes: pages move as a whole.
  const char* const hint =
      " Streams do not wait for each other, only work in one stream runs in order: on a GPU there would be page "
      "faults. "
      "Prefetch in the stream of the kernel.";
  const auto moved = [](const KernelRecord& kernel, Direction direction) {
    double bytes = 0;
    for (const LineCounters& line : kernel.lines)
      for (const AccessCounters& access : line.accesses)
        if (access.space == "global" && moves(access, direction)) bytes += access.bytes;
    return bytes;
  };
  double prefetched = 0;
  for (const MigrationRecord& pages : answer.profile.migrations)
    if (pages.cause == "prefetch" && pages.direction == "host_to_device") prefetched += pages.bytes;
  for (const KernelRecord& kernel : answer.profile.kernels) {
    double needed = 0, arrived = 0;
    for (const KernelRecord& other : answer.profile.kernels)
      if (other.start_us <= kernel.start_us) needed += moved(other, Direction::in);
    for (const MigrationRecord& pages : answer.profile.migrations)
      if (pages.direction == "host_to_device" && pages.start_us + pages.time_us <= kernel.start_us + kInstant)
        arrived += pages.bytes;
    if (arrived < std::min(needed, prefetched))
      WB_FAIL("kernel_before_its_pages", "A kernel began at "
                                             << kernel.start_us << " us, when only " << static_cast<long>(arrived)
                                             << " of " << static_cast<long>(prefetched)
                                             << " bytes that were prefetched for it had arrived." << hint);
  }
  double sent = 0, rounded = 0;  // Bytes.
  for (const MigrationRecord& pages : answer.profile.migrations) {
    if (pages.cause != "prefetch" || pages.direction != "device_to_host") continue;
    double made = 0;
    for (const KernelRecord& kernel : answer.profile.kernels)
      if (kernel.start_us + kernel.time_us <= pages.start_us + kInstant) made += moved(kernel, Direction::out);
    sent += pages.bytes;
    rounded += kPage;
    if (sent > made + rounded)
      WB_FAIL("prefetch_before_its_data", "A prefetch to the host began at "
                                              << pages.start_us << " us, when only " << static_cast<long>(made)
                                              << " of " << static_cast<long>(sent) << " bytes had been computed."
                                              << hint);
  }
}

constexpr int kFew = 1 << 14;  // Floats, in other orders.

Answer check_fill(int count, std::int64_t order = 0) {
  const Answer answer = grade(Case().set("function", "fill").set("count", count).set(kScheduleSeed, order));
  require_equal(answer, "x", ramp(count));
  require_kernel(answer, 0, 4.0 * count);
  return answer;
}

Case add_case(Random& random, int count) {
  return Case()
      .set("function", "add")
      .set("count", count)
      .set("x", random.array(static_cast<std::size_t>(count), -1000.0f, 1000.0f))
      .set("y", random.array(static_cast<std::size_t>(count), -1000.0f, 1000.0f));
}

Answer check_add(int count, std::int64_t order = 0) {
  const Case given = add_case(test_random(), count).set(kScheduleSeed, order);
  const std::vector<float> x = given.array<float>("x");
  std::vector<float> sum = given.array<float>("y");
  for (int i = 0; i < count; ++i) sum[i] += x[i];
  const Answer answer = grade(given);
  require_equal(answer, "y", sum);
  require_equal(answer, "x", x);
  require_kernel(answer, 8.0 * count, 4.0 * count);
  return answer;
}

/// @param looked_up elements of the table, in random places, each once
Answer check_gather(int table_count, int looked_up) {
  const std::vector<float> table = test_random().array(static_cast<std::size_t>(table_count), -1000.0f, 1000.0f);
  std::vector<std::int32_t> index(looked_up);
  const int step = looked_up == 0 ? 1 : table_count / looked_up;
  for (int i = 0; i < looked_up; ++i) index[i] = i * step + static_cast<int>(test_random().integer(0, step - 1));
  for (int i = looked_up - 1; i > 0; --i) std::swap(index[i], index[test_random().integer(0, i)]);
  std::vector<float> out;
  for (const std::int32_t i : index) out.push_back(table[i]);
  const Answer answer =
      grade(Case().set("function", "gather").set("table_count", table_count).set("table", table).set("index", index));
  require_equal(answer, "out", out);
  require_equal(answer, "table", table);
  require_kernel(answer, 8.0 * looked_up, 4.0 * looked_up);
  return answer;
}

Case pipeline_case(int count) { return Case().set("function", "fill_and_add").set("count", count); }

void check_sum(const Answer& answer, int count) {
  const std::vector<float> x = ramp(count);
  std::vector<float> sum = x;
  for (float& value : sum) value += 1;
  require_equal(answer, "x", x);  // First: who fills on the host is told so.
  require_equal(answer, "y", sum);
}

Answer check_pipeline(int count, std::int64_t order = 0) {
  const Answer answer = grade(pipeline_case(count).set(kScheduleSeed, order));
  check_sum(answer, count);
  require_kernel(answer, 0, 4.0 * count);  // Who fills is asked by the tests of faults.
  return answer;
}

void check_add_in_other_orders() {
  for (const std::int64_t order : other_orders()) check_add(kFew, order);
}

void check_pipeline_in_other_orders() {
  for (const std::int64_t order : other_orders()) check_pipeline(kFew, order);
}

/// What is prefetched is not prefetched at one size alone. Whole blocks of 2 MiB come and go together.
void check_add_of_any_size() {
  const int count = any_size(kMost / 8, kMost / 2);
  const Answer answer = check_add(count);
  const std::string size = std::to_string(count) + " floats, too, are all on the device before the kernel starts";
  require_at_most(answer, Quantity::gpu_page_faults, 0, size);
  require_at_most(answer, Quantity::bytes_migrated_to_host, 4.0 * count + 2 * kMiB, "y alone is to come back");
  require_order(answer);
}

}  // namespace

// ---- Part 1: predict

WB_LAB_TEST(correctness, 6, "the predicted page faults of the host are those that are counted") {
  const auto any = [] { return 2 * static_cast<std::int32_t>(test_random().integer(5, 500)); };
  check_predictions("predict_cpu_page_faults", {2, 4, 6, 8, 16, 64, 128, 1000, any(), any()}, cpu_page_faults,
                    "A fault brings 64 KiB, or the largest aligned part of its block of 2 MiB of which more than half "
                    "is then there. Go through a block of 32 pieces in order: which of them still fault?");
}

WB_LAB_TEST(correctness, 6, "the predicted KiB are those that move") {
  check_predictions("predict_kib_moved", {4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048}, kib_moved,
                    "No page moves alone: the 64 KiB around it come with it. How many such pieces hold a float that is "
                    "read?");
}

// ---- Part 2: first touch on the device

WB_LAB_TEST(correctness, 8, "fill writes every element of every size") {
  for (const int count : {31, 33, 1, 1000, 16384, 16385, 131072, 131073, 0, any_size(2, kMost - 1), kMost})
    check_fill(count);
  for (const std::int64_t order : other_orders()) check_fill(kFew, order);
}

WB_LAB_TEST(counters, 12, "filling copies nothing and faults in few groups") {
  const Answer answer = check_fill(16 * kMiBFloats);
  require_at_most(answer, Quantity::cpu_page_faults, 0,
                  "the device touches x first, so the host has nothing to do with it");
  require_at_most(answer, Quantity::bytes_migrated_to_device, 0,
                  "pages come into being where they are touched first: there is nothing to copy");
  require_at_most(answer, Quantity::gpu_page_faults, 8,
                  "16 MiB with one thread for each element are 24 groups of faults, as neighbouring warps wait for the "
                  "same page. Warps with 64 KiB of their own fault on different ones, which are served together: 4 "
                  "groups, and room for as many again.");
  require_at_least(answer, Quantity::gpu_page_faults, 4,
                   "this part is about faults: without a prefetch, 16 MiB have 4 groups of them. Part 5 is for "
                   "prefetches.");
}

// ---- Part 3: prefetch

WB_LAB_TEST(correctness, 8, "the sum is right for every size") {
  for (const int count : {1, 31, 257, 1024, 1025, 0, any_size(2, kMost - 1), kMost}) check_add(count);
  check_add_in_other_orders();
}

WB_LAB_TEST(counters, 10, "the kernel that adds has no page fault") {
  check_add_in_other_orders();
  check_add_of_any_size();
  const Answer answer = check_add(4 * kMiBFloats);
  require_at_most(answer, Quantity::gpu_page_faults, 0,
                  "all bytes of x and y can be on the device before the kernel starts: floats have 4 bytes, and a "
                  "prefetch back belongs after the kernel.");
  require_order(answer);
}

WB_LAB_TEST(counters, 10, "what comes back is y, before the host asks for it") {
  check_add_in_other_orders();
  check_add_of_any_size();
  constexpr double kBytes = 4 * kMiB;
  const Answer answer = check_add(4 * kMiBFloats);
  require_at_most(answer, Quantity::cpu_page_faults, 2 * faults_of_writing(kBytes),
                  "12 faults for each of x and y are those of the host that wrote them; reading y adds none if y is "
                  "there already.");
  require_at_most(
      answer, Quantity::bytes_migrated_to_host, kBytes,
      "y has 4 MiB; x has not changed and is not needed. What comes back before the kernel is done comes twice.");
  require_at_most(answer, Quantity::bytes_migrated_to_device, 2 * kBytes, "x and y have 4 MiB each.");
  require_order(answer);
}

// ---- Part 4: advice

WB_LAB_TEST(correctness, 8, "every element that is asked for is looked up") {
  for (const auto& [table, looked_up] : {std::pair{1, 1}, {1000, 1000}, {70000, 33}, {300000, 1025}, {5, 0}})
    check_gather(table, looked_up);
  const int table = any_size(1, kMost - 1);
  check_gather(table, any_size(1, table));
  check_gather(kMost, any_size(1, 100000));
}

WB_LAB_TEST(counters, 12, "looking up few elements moves no page") {
  constexpr int kTable = 4 * kMiBFloats;
  const int looked_up = any_size(300, 800);
  const Answer answer = check_gather(kTable, looked_up);
  double over_the_bus = 0;
  for (const KernelRecord& kernel : answer.profile.kernels) over_the_bus += kernel.unified_memory.remote_bytes;
  if (over_the_bus > 2 * 32.0 * looked_up)
    WB_FAIL("over_the_bus",
            over_the_bus << " bytes of the table were read over the bus, but " << looked_up
                         << " elements need a sector of 32 bytes each: look up what is asked for, and nothing else.");
  require_at_most(
      answer, Quantity::bytes_migrated_to_device, 0,
      "some 500 floats are 2 KiB, and 64 KiB around each of them are all 4 MiB. Over the bus, a sector of 32 "
      "bytes for each is all that is needed: advise (cudaMemAdvise) where the table stays, the host, and who "
      "accesses it there, the device.");
  require_at_most(answer, Quantity::gpu_page_faults, 0,
                  "once the device is said to access the table where it is, its addresses are mapped beforehand");
  require_at_most(answer, Quantity::cpu_page_faults, faults_of_writing(4 * kMiB),
                  "the host wrote the table with that many; it finds all of it where it left it");
}

// ---- Part 5: all of it

WB_LAB_TEST(correctness, 5, "filling and adding is right for every size") {
  for (const int count : {1, 1000, 16384, 0, any_size(2, kMost - 1), kMost}) check_pipeline(count);
  check_pipeline_in_other_orders();
}

WB_LAB_TEST(counters, 5, "filling and adding faults nowhere and copies y alone") {
  check_pipeline_in_other_orders();
  const Answer answer = check_pipeline(4 * kMiBFloats);
  require_at_most(answer, Quantity::cpu_page_faults, 0, "the host touches y alone, which can be there by then");
  require_at_most(answer, Quantity::gpu_page_faults, 0,
                  "new memory can be prefetched too: then its pages are made there");
  require_at_most(answer, Quantity::bytes_migrated_to_device, 0, "x and y come into being on the device");
  require_at_most(answer, Quantity::bytes_migrated_to_host, 4 * kMiB, "y has 4 MiB, and x is not needed");
  require_order(answer);
}

constexpr int kTimed = 16 * kMiBFloats;

WB_LAB_TEST(time, 10, "the sum is with the host as soon as with the reference") {
  check_pipeline_in_other_orders();
  require_time(
      benchmark_case, [](const Case& given) { check_sum(grade(given), kTimed); }, 1.25, 4.0);
}

WB_LAB_BENCHMARK {
  (void)random;
  return pipeline_case(kTimed);
}
