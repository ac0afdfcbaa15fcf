// The tests of lab streams: predictions, a pipeline that overlaps, events, and a stream of high priority.
#include <algorithm>
#include <iomanip>
#include <sstream>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;
using warpbook::Random;

namespace {

std::vector<float> transformed(std::vector<float> values) {
  for (float& x : values)
    for (int turn = 0; turn < 8; ++turn) x = 0.5f * x + 1.0f;
  return values;
}

Case pipeline_case(Random& random, int count) {
  return Case().set("function", "pipeline").set("in", random.array(static_cast<std::size_t>(count), -1000.0f, 1000.0f));
}

int any_size(int low, int high) { return static_cast<int>(test_random().size(low, high)); }

double bytes_written(const KernelRecord& kernel) {
  double bytes = 0;
  for (const LineCounters& line : kernel.lines)
    for (const AccessCounters& access : line.accesses)
      if (access.space == "global" && moves(access, Direction::out)) bytes += access.bytes;
  return bytes;
}

/// However few elements there are: the device gets them, works on them in its own memory, and sends them back.
/// @returns what is missing; empty: nothing
std::string missing_on_device(const Answer& answer, std::size_t count) {
  if (answer.profile.text.empty()) return "";  // A real GPU counts nothing.
  const long bytes = 4 * static_cast<long>(count);
  long in = 0, out = 0, made = 0;
  for (const CopyRecord& copy : answer.profile.copies) {
    if (copy.host_memory != "array") continue;
    if (copy.kind == "host_to_device") in += static_cast<long>(copy.bytes);
    if (copy.kind == "device_to_host") out += static_cast<long>(copy.bytes);
  }
  for (const KernelRecord& kernel : answer.profile.kernels) made += static_cast<long>(bytes_written(kernel));
  if (in >= bytes && out >= bytes && made >= bytes) return "";
  std::ostringstream text;
  text << "Of the " << bytes << " bytes of its " << count << " elements, " << in << " were copied to the device, "
       << made << " written by kernels and " << out << " copied back. The device does the work, whatever the number of "
       << "elements: copy them in, call transform(), copy them out.";
  return text.str();
}

/// What usually makes a pipeline's result wrong.
constexpr const char* kCausesPipeline =
    "Usual causes: a slice begins at `first` in each of the three arrays; a copy takes bytes, transform() elements; "
    "the last slice ends with the array; both copies and transform() of a slice are in the same stream.";

struct Busy {
  double in = 0, compute = 0, out = 0;
  double most() const { return std::max({in, compute, out}); }
};

Busy busy_times(const Profile& profile) {
  Busy busy;
  for (const KernelRecord& kernel : profile.kernels) busy.compute += kernel.time_us;
  for (const CopyRecord& copy : profile.copies) {
    if (copy.kind == "host_to_device") busy.in += copy.time_us;
    if (copy.kind == "device_to_host") busy.out += copy.time_us;
  }
  return busy;
}

/// Work on a slice must be in order. The virtual GPU works in the order of the calls, so a result can be right by luck,
/// or because the host has made it; its clock shows what would have begun too early.
void require_order(const Answer& answer) {
  constexpr double kInstant = 0.01;
  const std::vector<KernelRecord>& kernels = answer.profile.kernels;
  const std::vector<CopyRecord>& copies = answer.profile.copies;
  const char* const hint =
      "\nThe result was right by luck: streams do not wait for each other, only work in one stream runs in order. Put "
      "the copy in, transform() and the copy out of a slice into the same stream.";
  const auto copied_in = [&](double until) {
    double bytes = 0;
    for (const CopyRecord& copy : copies)
      if (copy.kind == "host_to_device" && copy.start_us + copy.time_us <= until + kInstant) bytes += copy.bytes;
    return bytes;
  };
  const auto made = [&](double until) {
    double bytes = 0;
    for (const KernelRecord& kernel : kernels)
      if (kernel.start_us + kernel.time_us <= until + kInstant) bytes += bytes_written(kernel);
    return bytes;
  };
  for (const KernelRecord& kernel : kernels) {
    double needed = 0;
    for (const KernelRecord& other : kernels)
      if (other.start_us <= kernel.start_us) needed += bytes_written(other);
    const double arrived = copied_in(kernel.start_us);
    if (arrived < needed)
      WB_FAIL("kernel_before_its_data",
              "A kernel began at " << kernel.start_us << " us, when only " << static_cast<long>(arrived) << " of the "
                                   << static_cast<long>(needed)
                                   << " bytes that it and those before it work on had been copied to the device."
                                   << hint);
  }
  for (const CopyRecord& copy : copies) {
    if (copy.kind != "device_to_host") continue;
    double sent = 0;
    for (const CopyRecord& other : copies)
      if (other.kind == "device_to_host" && other.start_us <= copy.start_us) sent += other.bytes;
    if (sent > made(copy.start_us))
      WB_FAIL("copy_before_its_data",
              "A copy to the host began at "
                  << copy.start_us << " us, when only " << static_cast<long>(made(copy.start_us)) << " of the "
                  << static_cast<long>(sent) << " bytes that it and those before it bring had been computed." << hint);
  }
}

Answer check_pipeline(const Case& given) {
  Answer answer = grade(given);
  const std::vector<Change> changes = changes_of(given);
  std::vector<float> in = given.array<float>("in");
  if (was_changed(answer, Moment::arrival())) changes[0].apply(std::as_writable_bytes(std::span(in)));
  Comparison comparison = compare_exact(answer, "out", transformed(in), {});
  const std::size_t count = in.size();
  const std::string missing = missing_on_device(answer, count);
  if (!comparison.passed) comparison.finding.more.push_back(missing.empty() ? kCausesPipeline : missing);
  require_compared(answer, "out", comparison);
  if (answer.reply.has("changed")) WB_FAIL("input_changed", "The input was changed: in is only read.");
  // The virtual GPU says how long it still works; on a real one the worker has looked.
  const bool complete =
      answer.profile.text.empty() ? answer.reply.integer("complete") == 1 : answer.observed_us("left_us") <= 0;
  if (!complete)
    WB_FAIL("returned_early",
            "pipeline() returned while its work was still under way. A call only puts work into a stream, and "
            "cudaStreamDestroy waits for none of it: wait for each stream (cudaStreamSynchronize) before you return.");
  require_done_by_kernels(answer);
  require_order(answer);
  if (!missing.empty())
    WB_FAIL("not_on_the_device", "The result is right, but the device did not compute it. " << missing);
  return answer;
}

void check_pipeline_in_other_orders() {
  for (const std::int64_t order : other_orders())
    check_pipeline(pipeline_case(test_random(), 1 << 15).set(kScheduleSeed, order));
}

constexpr int kMost = 5000000;  // Elements that pipeline() may get.
// 2^22 floats, and some more, so that no number of slices divides them.
constexpr int kTimedCount = (1 << 22) + 1237;

constexpr std::size_t kMostCopies = 300;

/// As many as are timed, and some more, so that no answer can treat one number of elements specially.
int long_count() { return kTimedCount + 2 * static_cast<int>(test_random().integer(0, 50000)); }

// ---- Events

constexpr int kMostTimed = 1 << 22;  // Elements that kernel_ms() may get.

/// The time between two of the recorded events, one before the kernel and one after it?
bool is_between_events(const Answer& answer, const KernelRecord& kernel, double us) {
  constexpr double kInstant = 0.01;
  const std::vector<double>& events = answer.profile.events_us;
  for (const double begin : events)
    for (const double end : events)
      if (begin <= kernel.start_us + kInstant && end + kInstant >= kernel.start_us + kernel.time_us &&
          std::abs(end - begin - us) <= kInstant + 1e-5 * us)
        return true;
  return false;
}

/// transform() was called once, and its kernel is in the stream that it got.
void require_transform_in(const Answer& answer, int stream, const char* which) {
  const auto& kernels = answer.profile.kernels;
  if (kernels.size() != 1)
    WB_FAIL(
        "number_of_kernels",
        kernels.size() << " kernels ran, but transform() was called once, and starts one for any number of elements.");
  const double bytes = 4.0 * static_cast<double>(answer.given.integer("count"));
  if (bytes_written(kernels[0]) < bytes)
    WB_FAIL("kernel_writes_too_little",
            "The kernel wrote " << bytes_written(kernels[0]) << " of " << bytes << " bytes.");
  if (kernels[0].stream != stream)
    WB_FAIL("stream_of_kernel", "The kernel ran in stream "
                                    << kernels[0].stream << " of the program (0 is the default stream), not in "
                                    << which << ", " << stream
                                    << ". The caller of transform() says in which stream its kernel "
                                    << "runs, and relies on that.");
}

/// @param busy floats that another stream copies at the same time
void check_kernel_ms(int count, int busy) {
  const Answer answer = grade(Case().set("function", "kernel_ms").set("count", count).set("busy", busy));
  require_equal(answer, "out", transformed(std::vector<float>(count, 0)));
  const double us = 1000 * answer.reply.real("ms");
  if (us <= 0)
    WB_FAIL("no_time",
            "kernel_ms() returned " << us / 1000 << " ms: a kernel takes some time. Which event comes first?");
  if (answer.profile.text.empty()) return;  // A real GPU: only the virtual one says how long the kernel was.
  const auto& copies = answer.profile.copies;
  const auto find = [&](const char* kind) {
    return std::find_if(copies.begin(), copies.end(), [&](const CopyRecord& copy) { return copy.kind == kind; });
  };
  const auto cleared = find("memset");  // By the grader, in the stream that kernel_ms() gets.
  if (cleared != copies.end()) require_transform_in(answer, cleared->stream, "the one that kernel_ms() got");
  const KernelRecord& kernel = answer.profile.kernels.front();
  if (us < kernel.time_us || us > kernel.time_us + 5)
    WB_FAIL("other_time",
            "kernel_ms() returned "
                << us << " us, but the kernel took " << kernel.time_us
                << " us, and two events around it add 1 to 3.\nAnother stream copies for a long while at "
                   "the same time. Record both events in the stream of the kernel, one before transform() and "
                   "one after it: the default stream waits for all others. Is the result in "
                   "milliseconds?");
  const auto beside = find("host_to_device");
  if (beside != copies.end() && kernel.start_us >= beside->start_us + beside->time_us)
    WB_FAIL("event_in_default_stream",
            "The kernel started only when the copy in another stream had ended: an event without a stream goes to the "
            "default stream, which waits for all others, and they wait for it. Record both events in the stream of the "
            "kernel.");
  if (!is_between_events(answer, kernel, us))
    WB_FAIL("not_between_events",
            "kernel_ms() returned " << us
                                    << " us, which is not the time between two recorded events, one before the kernel "
                                    << "and one after it (" << answer.profile.events_us.size()
                                    << " events were recorded). Ask cudaEventElapsedTime() for it.");
}

void check_wait_for(int count) {
  const Answer answer = grade(Case().set("function", "wait_for").set("count", count));
  require_equal(answer, "out", transformed(std::vector<float>(count, 2)));
  if (answer.observed("first.busy") != 1)
    WB_FAIL(
        "host_waited",
        "When wait_for() returned, the copy in the other stream had ended: the host has waited for it. An event lets "
        "the stream wait and the host go on.");
  if (answer.profile.text.empty()) return;
  const auto& copies = answer.profile.copies;
  if (copies.size() != 2 || copies.front().kind != "host_to_device" || copies.back().kind != "device_to_host")
    WB_FAIL("copies_itself",
            "wait_for() copied something itself. It only lets one stream wait for what is in the other.");
  require_transform_in(answer, copies.back().stream, "the waiting one");
  const CopyRecord& copy = copies.front();
  const double kernel = answer.profile.kernels.front().start_us;
  if (kernel < copy.start_us + copy.time_us)
    WB_FAIL("did_not_wait", "The kernel in the waiting stream started at "
                                << kernel << " us, before the copy in the other one ended at "
                                << copy.start_us + copy.time_us
                                << " us. Which stream records the event, and which one waits?");
}

}  // namespace

// ---- Part 1: predictions

WB_LAB_TEST(correctness, 10, "the time of a pipeline is predicted") {
  std::vector<std::int32_t> in = {300, 300, 800, 0, 64, 480}, kernel = {300, 300, 160, 64, 640, 480},
                            out = {300, 300, 800, 0, 64, 960}, slices = {1, 3, 8, 16, 64, 4};
  for (int i = 0; i < 5; ++i) {
    slices.push_back(static_cast<std::int32_t>(test_random().integer(1, 50)));
    for (auto* times : {&in, &kernel, &out})
      times->push_back(slices.back() * static_cast<std::int32_t>(test_random().integer(0, 100)));
  }
  const Answer answer = grade(call("predict_pipeline_us", {each("in_us", in), each("kernel_us", kernel),
                                                           each("out_us", out), each("slices", slices)}));
  const auto found = answer.output<std::int32_t>(kReturned);
  REQUIRE(found.size() == in.size());
  for (std::size_t i = 0; i < in.size(); ++i) {
    const int slowest = std::max({in[i], kernel[i], out[i]});
    const int expected = (in[i] + kernel[i] + out[i]) / slices[i] + slowest / slices[i] * (slices[i] - 1);
    if (found[i] == expected) continue;
    WB_FAIL_CALL("predict_pipeline_us(" << in[i] << ", " << kernel[i] << ", " << out[i] << ", " << slices[i] << ")",
                 found[i],
                 ".\nDraw three rows: copies in, kernels, copies out. The first slice goes through all "
                 "three. The slowest row then has no gaps: when does its last slice end, and what "
                 "comes after it?");
  }
}

WB_LAB_TEST(correctness, 10, "the default stream makes the others wait as predicted") {
  const std::vector<std::int32_t> expected = {300, 100, 300, 200};
  const char* const hints[] = {"Work in one stream runs in order.", "Nothing orders work in different streams.",
                               "The default stream waits for streams made by cudaStreamCreate, and they wait for it.",
                               "A non-blocking stream and the default stream do not wait for each other. What about "
                               "the stream a?"};
  const Answer answer =
      grade(call("predict_three_kernels_us", {each("ways", std::vector<std::int32_t>{'A', 'B', 'C', 'D'})}));
  const auto found = answer.output<std::int32_t>(kReturned);
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (found[i] != expected[i])
      WB_FAIL_CALL("predict_three_kernels_us('"
                       << "ABCD"[i] << "')",
                   found[i], ". " << hints[i]);
  }
}

// ---- Part 2: the pipeline

WB_LAB_TEST(correctness, 10, "memory of the host is pinned, and freed") {
  for (const int count : {1, any_size(2, kMost - 1), kMost}) {
    const Answer answer = grade(Case().set("function", "allocate_host").set("count", count));
    if (answer.observed("pinned") != 1)
      WB_FAIL("not_pinned",
              "The memory is not pinned: the operating system may move it, so a copy has to go through a buffer of the "
              "driver, and the host waits for it.");
    if (answer.observed("pinned_after") != 0) WB_FAIL("still_pinned", "After free_host() the memory is still pinned.");
    // Small blocks drown in what the program has of its own.
    const double bytes = static_cast<double>(count) * sizeof(float), kept = answer.reply.real("kept");
    if (bytes >= 65536 && kept >= bytes / 2)
      WB_FAIL("never_freed", "After free_host() the program has " << kept << " bytes more than before allocate_host("
                                                                  << count
                                                                  << "): the memory is unregistered, and never freed.");
  }
}

WB_LAB_TEST(correctness, 15, "every element goes through the pipeline, whatever their number") {
  for (const int count : {17, 4096, 4099, 1000, 65537, 16, 15, 2, 1})
    check_pipeline(pipeline_case(test_random(), count));
  check_pipeline(pipeline_case(test_random(), 0));
  check_pipeline(pipeline_case(test_random(), any_size(1, kMost)));
  // What the device gets is not what the host sees: so the host cannot do the work, however its results go there.
  for (const int count : {1, 2, any_size(3, 16), any_size(17, 4096), any_size(4097, 500000)}) {
    Case given = pipeline_case(test_random(), count);
    change(given, Moment::arrival(), "in", pipeline_case(test_random(), count).array<float>("in"));
    check_pipeline(given);
  }
  // Long enough to be still under way if nobody waits.
  check_pipeline(pipeline_case(test_random(), static_cast<int>(test_random().integer(kMost / 2, kMost - 1))));
  check_pipeline(pipeline_case(test_random(), kMost));
  check_pipeline_in_other_orders();
}

WB_LAB_TEST(counters, 10, "every byte is copied in once and out once") {
  check_pipeline_in_other_orders();
  const int count = long_count();
  const Answer answer = check_pipeline(pipeline_case(test_random(), count));
  const double bytes = 4.0 * count;
  require_at_least(answer, Quantity::bytes_copied_to_device, bytes, "The kernels need every element on the device.");
  require_at_most(answer, Quantity::bytes_copied_to_device, bytes, "An element that is there need not come in again.");
  require_at_least(answer, Quantity::bytes_copied_to_host, bytes, "Every result goes back.");
  require_at_most(answer, Quantity::bytes_copied_to_host, bytes, "An element is copied back only once.");
}

WB_LAB_TEST(counters, 15, "copies and kernels overlap") {
  check_pipeline_in_other_orders();
  const Answer answer = check_pipeline(pipeline_case(test_random(), long_count()));
  const auto& kernels = answer.profile.kernels;
  const auto in_default =
      std::count_if(kernels.begin(), kernels.end(), [](const KernelRecord& k) { return k.stream == 0; });
  if (kernels.size() > 1 && in_default > 0)
    WB_FAIL("default_stream",
            in_default << " of " << kernels.size()
                       << " kernels are in the default stream. Each of them waits for everything that was put into the "
                          "other streams before, and what comes later waits for it: while it runs, nothing is copied. "
                          "Pass the stream of the slice to transform().");
  if (answer.profile.copies.size() > kMostCopies)
    WB_FAIL("too_many_copies", answer.profile.copies.size()
                                   << " copies were made, each of which costs some 2 us before its first byte moves. "
                                   << "Slices of a megabyte are small enough: at most " << kMostCopies
                                   << " copies are allowed.");
  const Busy busy = busy_times(answer.profile);
  if (busy.compute > busy.in)
    WB_FAIL(
        "kernels_take_too_long",
        "Kernels take " << busy.compute << " us and copies in " << busy.in
                        << " us, but transform() needs a fraction of the copies' time: work for its own sake overlaps "
                           "with nothing that is needed.");
  std::ostringstream reason;
  reason << std::fixed << std::setprecision(0) << "Copies in take " << busy.in << " us together, kernels "
         << busy.compute << ", copies out " << busy.out
         << ". No order can be faster than the longest of the three. A quarter more leaves room for the first slice "
            "on its way in and the last one on its way out. One after the other they take "
         << busy.in + busy.compute + busy.out << " us.";
  require_at_most(answer, Quantity::time_with_copies_us, 1.25 * busy.most(), reason.str());
}

WB_LAB_TEST(time, 10, "the pipeline is as fast as the reference") {
  check_pipeline_in_other_orders();
  const Case given = benchmark_case(test_random());
  check_pipeline(given);
  require_time(given, 1.10, 1.6);
}

// ---- Part 3: events

WB_LAB_TEST(correctness, 10, "events time a kernel beside other work") {
  check_kernel_ms(1 << 16, 1 << 22);
  for (const int count : {any_size(2, kMostTimed - 1), kMostTimed, 1}) check_kernel_ms(count, 1 << 20);
}

WB_LAB_TEST(correctness, 5, "one stream waits for another, and the host does not") {
  for (const int count : {1 << 20, any_size(1 << 16, 1 << 21)}) check_wait_for(count);
}

// ---- Part 4: priorities

WB_LAB_TEST(correctness, 5, "the urgent stream has the highest priority") {
  // Devices differ in how many priorities they have: an H200 has six, this one any number.
  for (const std::int64_t priorities : {std::int64_t{5}, test_random().integer(6, 40)}) {
    const Answer answer = grade(Case().set("function", "create_urgent_stream").set(kStreamPriorities, priorities));
    if (answer.observed("stream.default") != 0)
      WB_FAIL("returned_default_stream", "create_urgent_stream() returned a default stream, not one of its own.");
    if (answer.observed("stream.priority") != answer.reply.integer("greatest"))
      WB_FAIL("priority", "The stream has priority " << answer.observed("stream.priority") << "; the highest is "
                                                     << answer.reply.integer("greatest")
                                                     << ". The lower the number, the higher the priority.");
    if (answer.reply.integer("same") != 0)
      WB_FAIL("same_stream_again",
              "A second call returned the same stream. Each caller gets one of its own, and may destroy it.");
    if (answer.observed("stream.non_blocking") != 1)
      WB_FAIL("waits_for_default_stream",
              "The stream waits for the default stream. Give it the flag cudaStreamNonBlocking.");
  }
}

WB_LAB_BENCHMARK { return pipeline_case(random, kTimedCount); }
