// The tests of lab pinned_memory: predictions, kinds of memory, rates of copies, and ways to bring data to the device.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;
using warpbook::Random;

namespace {

int size(int low, int high) { return static_cast<int>(test_random().size(low, high)); }

// ---- Kinds of memory, in the order of the contract

struct Kind {
  const char* name;
  const char* host_memory;  ///< As a profile calls it.
  bool is_write_combined;
  const char* advice;
};

const std::vector<Kind> kKinds = {
    {"pageable", "pageable", false, "It is what std::malloc returns."},
    {"pinned", "pinned", false, "It is what cudaMallocHost makes: pinned, and nothing else."},
    {"registered", "registered", false, "std::malloc makes it, and cudaHostRegister pins it where it is."},
    {"write_combined", "pinned", true, "cudaHostAlloc takes the flag cudaHostAllocWriteCombined."},
    {"mapped", "pinned", false, "cudaHostAlloc takes the flag cudaHostAllocMapped."},
};
constexpr std::int64_t kWriteCombined = 4, kMapped = 2;  // cudaHostAllocWriteCombined, cudaHostAllocMapped.

void check_allocate(std::size_t kind, std::size_t bytes) {
  const Kind& expected = kKinds[kind];
  const Answer answer = grade(Case().set("function", "allocate").set("kind", kind).set("bytes", bytes));
  const std::string what = std::string("Memory::") + expected.name;
  const bool is_pinned = answer.observed("memory") == 1, to_be_pinned = kind > 0;
  if (is_pinned != to_be_pinned)
    WB_FAIL("pinned", "allocate(" << what << ", " << bytes << ") returned memory that is " << (is_pinned ? "" : "not ")
                                  << "pinned. " << expected.advice);
  const auto& copies = answer.profile.copies;
  if (!copies.empty() && copies.front().host_memory != expected.host_memory)
    WB_FAIL("kind_of_memory", "allocate(" << what << ", " << bytes << ") returned " << copies.front().host_memory
                                          << " memory. " << expected.advice);
  if (is_pinned) {
    const std::int64_t flags = answer.observed("memory.flags");
    if (((flags & kWriteCombined) != 0) != expected.is_write_combined)
      WB_FAIL(expected.is_write_combined ? "not_write_combined" : "write_combined",
              "allocate(" << what << ", " << bytes << "): the memory is "
                          << (expected.is_write_combined ? "not write-combined"
                                                         : "write-combined, so the host reads it slowly")
                          << " (cudaHostGetFlags says " << flags << "). " << expected.advice);
    if ((flags & kMapped) == 0) WB_FAIL("not_mapped", what << " is not mapped: cudaHostGetFlags says " << flags << ".");
  }
  require_equal(answer, "first", std::vector<std::uint8_t>(bytes, 1));
  require_equal(answer, "second", std::vector<std::uint8_t>(bytes, 2));
  if (answer.observed("after") != 0 || answer.observed("other_after") != 0)
    WB_FAIL("still_pinned", "After release("
                                << what << ", ...) the memory is still pinned. "
                                << (expected.host_memory == std::string("registered")
                                        ? "cudaHostUnregister undoes cudaHostRegister, before the memory is freed."
                                        : "cudaFreeHost gives it back."));
  const double kept = answer.reply.real("kept");  // Small blocks drown in what the program has of its own.
  if (bytes >= 65536 && kept >= static_cast<double>(bytes) / 2)
    WB_FAIL("never_freed", "After release("
                               << what << ", ...) the program has " << kept
                               << " bytes more than before allocate(): what std::malloc made is never freed.");
}

// ---- The sweep

constexpr std::size_t kSizes = 9;
constexpr double kInstant = 0.01;  // Microseconds.

/// The time between a recorded event before the copy and one after it, with nothing else between?
bool is_between_events(const Profile& profile, const CopyRecord& copy, double us) {
  for (const double begin : profile.events_us)
    for (const double end : profile.events_us)
      if (begin <= copy.start_us + kInstant && end + kInstant >= copy.start_us + copy.time_us &&
          std::abs(end - begin - us) <= kInstant + 1e-4 * us)
        return true;
  return false;
}

void check_sweep(std::size_t kind) {
  const Kind& expected = kKinds[kind];
  const Answer answer = grade(Case().set("function", "sweep").set("kind", kind));
  const auto rates = answer.reply.array<float>("gb_per_s");
  const auto& copies = answer.profile.copies;
  const bool is_counted = !answer.profile.text.empty();
  if (rates.size() != kSizes) WB_FAIL("number_of_rates", "sweep() gave " << rates.size() << " rates.");
  if (is_counted && copies.size() != kSizes)
    WB_FAIL("number_of_copies", "sweep(Memory::" << expected.name << ", ...) made " << copies.size()
                                                 << " copies, but each of the " << kSizes
                                                 << " sizes is to be copied once.");
  double bytes = 1024;
  for (std::size_t i = 0; i < kSizes; ++i, bytes *= 4) {
    const double us = bytes / (1000.0 * static_cast<double>(rates[i]));
    if (!(rates[i] > 0) || !std::isfinite(rates[i]))
      WB_FAIL("no_rate", "gb_per_s[" << i << "] is " << rates[i] << ", for copies of " << bytes << " bytes.");
    if (!is_counted) continue;
    const CopyRecord& copy = copies[i];
    if (copy.kind != "host_to_device" || copy.bytes != bytes || copy.host_memory != expected.host_memory)
      WB_FAIL("size_of_copy", "Copy " << i << " of sweep(Memory::" << expected.name << ", ...) took " << copy.bytes
                                      << " bytes from " << copy.host_memory << " memory. It must take " << bytes
                                      << " bytes, of " << expected.host_memory << " memory: allocate() makes it.");
    if (us > copy.time_us + 6 || !is_between_events(answer.profile, copy, us))
      WB_FAIL("other_rate",
              "gb_per_s[" << i << "] is " << rates[i] << ": " << bytes << " bytes in " << us << " us. The copy took "
                          << copy.time_us
                          << " us, and two events around it add 1 to 3. Record one event just before the "
                          << "copy and one just after it, for each size, and ask cudaEventElapsedTime() for the "
                          << "milliseconds between them. 1 GB/s is 10^9 bytes in a second.");
  }
}

// ---- Uploads

void require_complete(const Answer& answer, const char* function) {
  if (!answer.profile.text.empty() && answer.observed_us("left_us") > 0)
    WB_FAIL("returned_early",
            function << " returned while a copy was still under way: wait for its stream before you return.");
}

void require_pinned_copies(const Answer& answer) {
  for (const CopyRecord& copy : answer.profile.copies)
    if (copy.kind == "host_to_device" && copy.host_memory == "pageable")
      WB_FAIL("from_pageable_memory",
              "A copy of " << copy.bytes
                           << " bytes came from pageable memory: the driver copies it through a buffer of "
                           << "its own, and the host waits. Copy from memory that is pinned.");
}

struct Pieces {
  Case given;
  std::vector<float> expected;
};

Pieces pieces_case(Random& random, int pieces, int most) {
  const auto counts = random.array<std::int32_t>(static_cast<std::size_t>(pieces), 0, most);
  const auto gaps = random.array<std::int32_t>(static_cast<std::size_t>(pieces), 0, 7);
  Pieces made;
  std::vector<std::int32_t> starts;
  int end = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    starts.push_back(end + gaps[i]);
    end = starts.back() + counts[i];
  }
  const auto host = random.array(static_cast<std::size_t>(end) + 1, -1000.0f, 1000.0f);
  // The pieces may be in any order.
  for (std::size_t i = starts.size(); i-- > 1;)
    if (counts[i] == counts[i / 2]) std::swap(starts[i], starts[i / 2]);
  for (std::size_t i = 0; i < counts.size(); ++i)
    made.expected.insert(made.expected.end(), host.begin() + starts[i], host.begin() + starts[i] + counts[i]);
  made.given = Case()
                   .set("function", "upload_pieces")
                   .set("host", host)
                   .set("starts", starts)
                   .set("counts", counts)
                   .set("total", made.expected.size());
  return made;
}

Answer check_pieces(const Pieces& pieces) {
  const Answer answer = grade(pieces.given);
  require_equal(answer, "out", pieces.expected);
  require_complete(answer, "upload_pieces()");
  return answer;
}

Case upload_case(Random& random, int count) {
  return Case().set("function", "upload").set("host", random.array(static_cast<std::size_t>(count), -1000.0f, 1000.0f));
}

Answer check_upload(const Case& given) {
  const Answer answer = grade(given);
  Comparison comparison = compare_exact(answer, "out", given.array<float>("host"), {});
  if (!comparison.passed)
    comparison.finding.more.push_back(
        "Check each: a buffer must stay as it is until its copy has ended, and the host must wait for that, by an "
        "event "
        "that was recorded after the copy; the last chunk ends with the array; a copy takes bytes, not elements.");
  require_compared(answer, "out", comparison);
  require_complete(answer, "upload()");
  return answer;
}

void check_upload_in_other_orders() {
  for (const std::int64_t order : other_orders())
    check_upload(upload_case(test_random(), 1 << 20).set(kScheduleSeed, order));
}

constexpr int kMost = 1 << 22;
constexpr int kCounted = (1 << 21) + 1237;  // No chunk divides it.
constexpr double kKiB = 1024, kMiB = 1024 * kKiB;

/// Work for its own sake would fill the gaps.
void require_each_byte_once(const Answer& answer, double bytes) {
  require_at_least(answer, Quantity::bytes_copied_to_device, bytes, "Every element goes to the device.");
  require_at_most(answer, Quantity::bytes_copied_to_device, bytes, "An element that is there need not come again.");
}

// ---- Zero copy

Case pick_case(Random& random, int elements, int count) {
  return Case()
      .set("function", "pick")
      .set("index", random.array<std::int32_t>(static_cast<std::size_t>(count), 0, elements - 1))
      .set("table", random.array(static_cast<std::size_t>(elements), -1000.0f, 1000.0f));
}

Answer check_pick(const Case& given) {
  const Answer answer = grade(given);
  const std::vector<Change> changes = changes_of(given);
  std::vector<float> table = given.array<float>("table"), expected;
  if (was_changed(answer, Moment::arrival())) changes[0].apply(std::as_writable_bytes(std::span(table)));
  for (const std::int32_t element : given.array<std::int32_t>("index"))
    expected.push_back(table[static_cast<std::size_t>(element)]);
  require_equal(answer, "out", expected);
  return answer;
}

}  // namespace

// ---- Part 1: predictions

WB_LAB_TEST(correctness, 6, "the size of half the rate is predicted") {
  const std::vector<std::int32_t> rates = {1000, 8500, 18300, 55500, 100000, size(1000, 100000)};
  for (const int latency : {2000, 6000, 0, 1, 20000, size(1, 20000)}) {
    std::vector<std::int32_t> expected;
    for (const std::int32_t rate : rates)
      expected.push_back(static_cast<std::int32_t>(std::int64_t{latency} * rate / 1000));
    require_returned(grade(call("predict_half_bytes", {number("latency_ns", latency), each("bytes_per_us", rates)})),
                     expected,
                     {"A copy reaches half of the rate when its bytes take as long as its latency. 1000 ns are 1 us."});
  }
}

WB_LAB_TEST(correctness, 8, "the time of a ring of buffers is predicted") {
  const std::vector<std::int32_t> buffers = {1, 2, 3, 4, 8};
  for (const auto& [chunks, host, copy] : {std::tuple{4, 30, 10},
                                           {4, 10, 30},
                                           {1, 7, 5},
                                           {2, 20, 20},
                                           {1000, 0, 1000},
                                           {5, 9, 0},
                                           {size(3, 1000), size(1, 1000), size(1, 1000)}}) {
    std::vector<std::int32_t> expected;
    for (const std::int32_t ring : buffers) {
      std::vector<int> copied(static_cast<std::size_t>(ring), 0);  // When the last copy from each buffer ended.
      int filled = 0, end = 0;
      for (int chunk = 0; chunk < chunks; ++chunk) {
        int& buffer = copied[static_cast<std::size_t>(chunk % ring)];
        filled = std::max(filled, buffer) + host;
        buffer = end = std::max(filled, end) + copy;
      }
      expected.push_back(end);
    }
    require_returned(
        grade(call("predict_ring_us", {number("chunks", chunks), number("host_us", host), number("copy_us", copy),
                                       each("buffers", buffers)})),
        expected,
        {"Draw two rows, for host and copies. One buffer: filling and copying take turns. Two or more: the "
         "slower of the two works without gaps, and the other one adds its first or last chunk."});
  }
}

// ---- Part 2: kinds of memory

WB_LAB_TEST(correctness, 14, "every kind of memory is what it says, and freed") {
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind)
    for (const int bytes : {1 << 20, size(65536, 1 << 18), 1}) check_allocate(kind, static_cast<std::size_t>(bytes));
}

// ---- Part 3: the sweep

WB_LAB_TEST(correctness, 14, "the sweep measures each size between two events") {
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind) check_sweep(kind);
}

// ---- Part 4: many small pieces

WB_LAB_TEST(correctness, 8, "pieces arrive one behind the other") {
  for (const auto& [pieces, most] :
       {std::pair{3, 100}, {1, 1000}, {5000, 200}, {size(2, 5000), 30}, {1, 1}, {7, 0}, {0, 1}})
    check_pieces(pieces_case(test_random(), pieces, most));
  for (const std::int64_t order : other_orders()) {
    Pieces few = pieces_case(test_random(), 100, 100);
    few.given.set(kScheduleSeed, order);
    check_pieces(few);
  }
}

WB_LAB_TEST(counters, 8, "pieces go by one copy") {
  const Pieces pieces = pieces_case(test_random(), size(1000, 3000), 60);
  const Answer answer = check_pieces(pieces);
  const auto copies = answer.profile.copies.size();
  if (copies != 1)
    WB_FAIL(
        "number_of_copies",
        copies << " copies were made of " << pieces.given.array<std::int32_t>("counts").size()
               << " pieces. Each costs its latency, 2 us or more, and the bytes of a piece take a hundredth of that. "
               << "Gather them on the host, and copy once.");
  require_pinned_copies(answer);
  require_each_byte_once(answer, 4.0 * static_cast<double>(pieces.expected.size()));
}

// ---- Part 5: a ring of pinned buffers

WB_LAB_TEST(correctness, 12, "every element is uploaded through the ring") {
  for (const int count : {1 << 18, 4099, 1, 2, size(3, 1 << 20), kMost, 0})
    check_upload(upload_case(test_random(), count));
  check_upload_in_other_orders();
}

WB_LAB_TEST(counters, 8, "chunks are few and buffers small") {
  check_upload_in_other_orders();
  const Answer answer = check_upload(upload_case(test_random(), kCounted));
  require_pinned_copies(answer);
  require_each_byte_once(answer, 4.0 * kCounted);
  const double pinned = answer.profile.shared_allocations;
  if (pinned > 4 * kMiB)
    WB_FAIL(
        "too_much_pinned",
        pinned / kMiB << " MiB are pinned, and the ring has 4 MiB: pinned memory is taken from all other programs, and "
                      << "pinning costs milliseconds. A few buffers are enough, in turn.");
  const auto& copies = answer.profile.copies;
  const auto most = static_cast<std::size_t>(4.0 * kCounted / (256 * kKiB)) + 1;
  if (copies.size() > most)
    WB_FAIL(
        "too_many_copies",
        copies.size() << " copies were made. Each costs some 2 us, in which 110 KiB could arrive; chunks of 256 KiB or "
                      << "more make that small: at most " << most << " copies.");
  for (const CopyRecord& copy : copies)
    if (copy.bytes > 2 * kMiB)
      WB_FAIL("large_chunk", "A chunk has " << copy.bytes / kMiB
                                            << " MiB. With two buffers of 4 MiB together it has at most 2 MiB: while "
                                            << "one is copied, the host fills the other.");
}

WB_LAB_TEST(counters, 8, "copies follow one another without gaps") {
  check_upload_in_other_orders();
  const Answer answer = check_upload(upload_case(test_random(), kCounted));
  require_each_byte_once(answer, 4.0 * kCounted);
  require_pinned_copies(answer);
  double busy = 0;
  for (const CopyRecord& copy : answer.profile.copies) busy += copy.time_us;
  std::ostringstream reason;
  reason << "The copies take " << busy
         << " us together, and 2.5 us may lie between one and the next: an event takes 1.3. "
         << "With two buffers or more the next one is full and in the stream before the last one has been copied; with "
            "one, the device waits for the host each time, some 6 us.";
  const auto gaps = static_cast<double>(answer.profile.copies.size()) - 1;
  require_at_most(answer, Quantity::time_with_copies_us, busy + 2.5 * gaps, reason.str());
}

WB_LAB_TEST(time, 6, "the ring is as fast as the reference") {
  check_upload_in_other_orders();
  require_time(
      benchmark_case, [](const Case& given) { check_upload(given); }, 1.10, 1.5);
}

// ---- Part 6: zero copy

WB_LAB_TEST(correctness, 4, "elements are picked from the memory of the host") {
  for (const int count : {1000, 1, 255, 256, 257, size(1, 1 << 16), 0})
    check_pick(pick_case(test_random(), size(1000, 1 << 18), count));
  // What the device reads is not what the host sees: the host cannot do the work.
  Case given = pick_case(test_random(), 5000, 300);
  change(given, Moment::arrival(), "table", pick_case(test_random(), 5000, 300).array<float>("table"));
  check_pick(given);
  for (const std::int64_t order : other_orders())
    check_pick(pick_case(test_random(), 5000, 700).set(kScheduleSeed, order));
}

WB_LAB_TEST(counters, 4, "picking copies nothing") {
  const int count = size(10000, 20000);
  const Answer answer = check_pick(pick_case(test_random(), 1 << 20, count));
  for (const CopyRecord& copy : answer.profile.copies)
    WB_FAIL("copies_itself",
            "A copy of " << copy.bytes << " bytes was made (" << copy.kind << "). The table has 4 MiB, and " << count
                         << " elements of it are needed: a kernel reads these from the host's memory, 32 bytes each.");
  require_at_most(
      answer, Quantity::global_load_bytes, 1.02 * 36 * count,
      "For each element 4 bytes of its number come from the device and a sector of 32 bytes from the table.");
  require_at_most(answer, Quantity::kernel_launches, 1, "One kernel picks all of them.");
}

WB_LAB_BENCHMARK { return upload_case(random, kMost); }

WB_LAB_PLOTS {
  Plot plot{.name = "sweep",
            .kind = PlotKind::sweep,
            .title = "The sweep",
            .caption = "What sweep() measured for each kind of memory.",
            .x = "bytes of a copy",
            .y = "GB/s"};
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
    const std::optional<Answer> answer = run(Case().set("function", "sweep").set("kind", kind));
    Curve curve{.label = kKinds[kind].name};
    double bytes = 256;  // A quarter of the first size.
    if (answer)
      for (const float rate : answer->reply.array<float>("gb_per_s")) curve.points.emplace_back(bytes *= 4, rate);
    plot.curves.push_back(curve);
  }
  return {plot};
}
