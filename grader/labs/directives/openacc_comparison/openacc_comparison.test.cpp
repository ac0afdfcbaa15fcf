// The tests of lab openacc_comparison: merges of images by OpenACC and CUDA, the bytes they copy, what overlaps.
#include <algorithm>

#include "grader/judge/poison.h"
#include "grader/runner/lab_test.h"

using namespace warpbook::grader;
using warpbook::Random;

namespace {

using Byte = std::uint8_t;

constexpr long kMostSide = 4096, kMostPixels = 1 << 23, kMostPiped = 1 << 24, kMostSteps = 100,
               kMostBlocks = 100;  // Ends of the ranges.

long any_size(long low, long high) { return static_cast<long>(test_random().size(low, high)); }

/// Rows and columns of any shape, with at most this many pixels.
std::pair<long, long> any_shape(long pixels) {
  const long rows = any_size(1, kMostSide), columns = any_size(1, std::min(kMostSide, std::max(1L, pixels / rows)));
  return test_random().integer(0, 1) == 0 ? std::pair{rows, columns} : std::pair{columns, rows};
}

/// Large, and not of one known size: eight blocks of it are equal, and rows are whole sectors.
std::pair<long, long> large_shape() {
  return {8 * static_cast<long>(test_random().integer(450, 511)),
          32 * static_cast<long>(test_random().integer(56, 63))};
}

std::vector<Byte> random_image(Random& random, long rows, long columns) {
  return random.array<Byte>(static_cast<std::size_t>(rows * columns), 0, 255);
}

/// A grid of OpenACC has 64 blocks for each multiprocessor, whatever the rows.
constexpr std::int64_t kWorkOfGrid = 64 * 132 * 5;

Case merge_case(Random& random, const std::string& function, long rows, long columns, long blocks = 1) {
  const long grids = function == "merge_acc" ? 1 : function == "merge_pipelined_acc" ? std::min(rows, blocks) : 0;
  return Case()
      .set("function", function)
      .set(kWork, grids * kWorkOfGrid)
      .set("rows", static_cast<std::int64_t>(rows))
      .set("columns", static_cast<std::int64_t>(columns))
      .set("blocks", static_cast<std::int64_t>(blocks))
      .set("first", random_image(random, rows, columns))
      .set("second", random_image(random, rows, columns));
}

const char* const kWait =
    " the last rows of the result are not there yet.\nWait before you return: '#pragma acc wait' waits for all queues "
    "of "
    "OpenACC, cudaDeviceSynchronize() for all streams of CUDA.";

constexpr long kFewestHidden = 64;  // Pixels.

/// What the device gets is not what the host sees: what the host computes, by whatever way it goes to the device, is
/// wrong. Not of tiny images: if the host computes those, the messages can tell.
Case& with_hidden(Case& given, const char* image) {
  const auto pixels = given.array<Byte>(image).size();
  if (pixels < kFewestHidden) return given;
  return change(given, Moment::arrival(), image, test_random().array<Byte>(pixels, 0, 255));
}

/// An array as the device has got it.
std::vector<Byte> arrived(const Answer& answer, const char* image) {
  auto pixels = answer.given.array<Byte>(image);
  if (!was_changed(answer, Moment::arrival())) return pixels;
  for (const Change& change : changes_of(answer.given))
    if (change.moment == Moment::arrival() && change.array == image)
      change.apply(std::as_writable_bytes(std::span(pixels)));
  return pixels;
}

/// The device must be done when the call returns. On the virtual clock, 20 us are room for the clock's own steps. A
/// real GPU has no clock that tells this without a floor: there, no byte of the result may change after the return.
void require_complete(const Answer& answer) {
  const auto late = answer.reply.integer("late_bytes");
  if (late != 0)
    WB_FAIL("changed_after_return",
            "After the function had returned, " << late << " bytes of the result still changed:" << kWait);
  const bool is_virtual = !answer.profile.text.empty();
  const double left = answer.observed_us("left_us");
  if (is_virtual && left > 20)
    WB_FAIL("returned_early", "The function returned while the device still had work for " << left << " us:" << kWait);
}

/// What OpenACC is to do is done by regions of OpenACC, and what CUDA is to do by kernels of CUDA.
void require_language(const Answer& answer, const std::string& function) {
  const bool by_acc = function.find("_acc") != std::string::npos;
  for (const KernelRecord& kernel : answer.profile.kernels) {
    const bool is_region = kernel.name.find(" [region ") != std::string::npos;
    if (is_region == by_acc) continue;
    WB_FAIL(is_region ? "region_instead_of_kernel" : "kernel_instead_of_region",
            function << "() launched " << kernel.name << ", which is "
                     << (is_region ? "a region of OpenACC: this part is to be written in CUDA, with <<<...>>>."
                                   : "a kernel of CUDA: this part is to be written with pragmas of OpenACC."));
  }
}

/// Kernels that take longer than the copies of what they work on do more than that work.
void require_little_work(const Answer& answer) {
  double copies = 0, kernels = 0;
  for (const CopyRecord& copy : answer.profile.copies) copies += copy.time_us;
  for (const KernelRecord& kernel : answer.profile.kernels) kernels += kernel.time_us;
  if (answer.profile.text.empty() || kernels <= copies) return;
  WB_FAIL(
      "kernels_take_too_long",
      "Kernels take " << kernels << " us together, and all copies " << copies
                      << " us. A merge is one addition for three bytes over the bus: kernels need a small part of the "
                         "copies' time. Do gangs and lanes enough work, and do they do nothing else?");
}

/// Every pixel must be loaded and stored by kernels, however small or large the images are.
void require_on_device(const Answer& answer, double loaded, double stored, double in, double out) {
  if (answer.profile.text.empty() || stored == 0) return;  // A real GPU counts nothing.
  const char* const copies =
      "All pixels, of small images too, are computed from copies in memory of the device: a kernel that is given "
      "pointers of the host fetches and sends each of them over the bus.";
  require_at_least(answer, Quantity::bytes_copied_to_device, in, copies);
  require_at_least(answer, Quantity::bytes_copied_to_host, out, copies);
  const char* const what =
      " A loop without its pragma runs on the host, whatever the size of the images: small ones and large ones are to "
      "be "
      "computed on the device.";
  require_at_least(answer, Quantity::global_store_bytes, stored,
                   std::string("Each pixel of the result must be computed and stored on the device.") + what);
  require_at_least(answer, Quantity::global_load_bytes, loaded,
                   std::string("Each pixel of both images must be loaded on the device.") + what);
}

Answer check_merge(const Case& given) {
  const Answer answer = grade(given);
  const auto first = arrived(answer, "first"), second = arrived(answer, "second");
  std::vector<Byte> expected(first.size());
  for (std::size_t i = 0; i < first.size(); ++i) expected[i] = static_cast<Byte>((first[i] + second[i]) / 2);
  require_equal(answer, "out", expected,
                {static_cast<std::size_t>(given.integer("rows")), static_cast<std::size_t>(given.integer("columns"))});
  require_complete(answer);
  require_language(answer, given.text("function"));
  const auto pixels = static_cast<double>(first.size());
  require_on_device(answer, 2 * pixels, pixels, 2 * pixels, pixels);
  return answer;
}

Answer check_merge(const char* function, long rows, long columns, long blocks = 1, std::int64_t order = 0) {
  Case given = merge_case(test_random(), function, rows, columns, blocks);
  return check_merge(with_hidden(with_hidden(given, "first"), "second").set(kScheduleSeed, order));
}

// In other orders. Images of up to 32 KiB go through a buffer of the OpenACC runtime.
constexpr long kFewRows = 128, kFewColumns = 288;

void check_merge_in_other_orders(const char* function, long blocks = 1) {
  for (const std::int64_t order : other_orders()) check_merge(function, kFewRows, kFewColumns, blocks, order);
}

void check_merge_in_worst_order(const char* function) {
  check_merge(function, kFewRows, kFewColumns, 4, worst_order());
}

void fade(std::vector<Byte>& image, const std::vector<Byte>& target, int steps) {
  for (int step = 0; step < steps; ++step)
    for (std::size_t i = 0; i < image.size(); ++i) image[i] = static_cast<Byte>((image[i] + target[i]) / 2);
}

/// The two, one after the other.
std::vector<Byte> joined(std::vector<Byte> first, const std::vector<Byte>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// @param watched each launch makes one step: between two of them the device puts another image in place of the one
/// that must lie in its memory then
Answer check_fade(long rows, long columns, int steps, bool watched = false, std::int64_t order = 0) {
  const auto image = random_image(test_random(), rows, columns), target = random_image(test_random(), rows, columns);
  Case given = Case()
                   .set("function", "fade_acc")
                   .set("rows", static_cast<std::int64_t>(rows))
                   .set("columns", static_cast<std::int64_t>(columns))
                   .set("steps", steps)
                   .set(kWork, std::int64_t{steps} * kWorkOfGrid)
                   .set(kScheduleSeed, order)
                   .set("image", image)
                   .set("target", target);
  std::vector<Byte> other = random_image(test_random(), rows, columns);
  const auto launch = static_cast<int>(watched ? test_random().integer(1, steps - 1) : 0);
  if (watched) {
    std::vector<Byte> before = image;
    fade(before, target, launch);
    change(given, Moment::host_launch(static_cast<unsigned>(launch)), kAnywhere, joined(before, other));
  } else {
    with_hidden(given, "image");
  }
  const Answer answer = grade(given);
  std::vector<Byte> expected = arrived(answer, "image");
  if (watched && was_changed(answer, Moment::host_launch(static_cast<unsigned>(launch)))) {
    expected = other;
    fade(expected, target, steps - launch);
  } else {
    fade(expected, target, steps);
    if (watched && !answer.profile.kernels.empty())
      WB_FAIL(
          "step_not_on_device",
          "Before launch " << launch + 1 << " the image as it is after " << launch << " of " << steps << " steps is "
                           << "not in the memory of the device. Each launch makes one step, from what the one before "
                           << "has left there. Gangs do not wait for each other, so they must not share the steps.");
  }
  if (image != expected && answer.output<Byte>("image") == image && !answer.reply.has("image" + kHostsView))
    WB_FAIL(
        "image_unchanged",
        "'image' is as it was before the call. Is the work done on the device and copied back? 'copyin' brings nothing "
        "back when the data region ends.");
  require_equal(answer, "image", expected, {static_cast<std::size_t>(rows), static_cast<std::size_t>(columns)});
  require_complete(answer);
  require_language(answer, "fade_acc");
  const double pixels = static_cast<double>(image.size()) * steps;
  require_on_device(answer, 2 * pixels, pixels, steps > 0 ? 2.0 * static_cast<double>(image.size()) : 0,
                    static_cast<double>(image.size()));
  return answer;
}

void check_fade_in_order(std::int64_t order) { check_fade(kFewRows, kFewColumns, 3, false, order); }

/// Room for what the OpenACC runtime copies for itself: a table of addresses for each launch, 8 bytes a variable.
constexpr double kTables = 4096;

/// The images must cross the bus once, and the pixels must be read and written by the device.
void require_copied_once(const Answer& answer, double in, double out, int launches) {
  require_at_most(answer, Quantity::bytes_copied_to_device, in + kTables,
                  "Each input image needs to get there once; what is only written needs no copy in (copyout, create).");
  require_at_most(answer, Quantity::bytes_copied_to_host, out + kTables, "The result needs to come back once.");
  require_at_least(
      answer, Quantity::bytes_copied_to_host, out,
      "The result must come from the device, in copies from its memory: a loop without its pragma runs on the "
      "host, and a kernel that is given host pointers fetches each pixel over the bus.");
  require_on_device(answer, in * launches, out * launches, in, out);
}

/// 32 lanes with 32 pixels side by side need one sector; the small rest is what one lane loads for all.
void require_lanes_side_by_side(const Answer& answer, double loaded) {
  const char* const reason =
      "A pixel is 1 byte: 32 lanes that take 32 pixels side by side load and store 32 bytes, 1 sector. Share the "
      "pixels "
      "of a row among the lanes of a vector, and rows among gangs; a lane with a row of its own is far from its "
      "neighbours.";
  require_at_most(answer, Quantity::global_load_sectors_per_request, 1.3, reason);
  require_at_most(answer, Quantity::global_store_sectors_per_request, 1.3, reason);
  // One lane alone touches one sector, too.
  require_at_least(
      answer, Quantity::active_threads_per_instruction, 16,
      "Half of a warp's 32 lanes is little where all have pixels. Without 'loop vector' above the loop over "
      "the pixels of a row, one lane takes them all, and the others wait.");
  // A mean over requests can be made small by requests that move nothing.
  require_at_most(answer, Quantity::global_load_bytes, 4 * loaded,
                  "The mean over all requests is right, but four times what the images hold is more than it takes.");
}

/// Work on a block must be in one queue. The virtual GPU works in the order of the calls, so a result can be right by
/// luck; its clock shows what would have begun too early. All blocks are equal.
void require_order(const Answer& answer, double image) {
  std::vector<CopyRecord> in, out;
  for (const CopyRecord& copy : answer.profile.copies) {
    if (copy.kind == "host_to_device") in.push_back(copy);
    if (copy.kind == "device_to_host") out.push_back(copy);
  }
  std::vector<KernelRecord> kernels = answer.profile.kernels;
  const auto by_start = [](const auto& a, const auto& b) { return a.start_us < b.start_us; };
  std::sort(kernels.begin(), kernels.end(), by_start);
  std::sort(out.begin(), out.end(), by_start);
  const char* const hint =
      "\nThe result was right by luck: queues do not wait for each other, only work in one queue runs in order. What "
      "to "
      "try: put the copies in, the loop or kernel and the copy out of a block in the same queue, async(block % 2), or "
      "stream, streams[block % 2].";
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    double arrived = 0;
    for (const CopyRecord& copy : in)
      if (copy.start_us + copy.time_us <= kernels[k].start_us + 0.01) arrived += copy.bytes;
    const double needed = 2 * image * static_cast<double>(k + 1) / static_cast<double>(kernels.size());
    if (arrived < needed)
      WB_FAIL("kernel_before_its_data",
              "Kernel " << k + 1 << " of " << kernels.size() << " began when only " << static_cast<long>(arrived)
                        << " of the " << static_cast<long>(needed)
                        << " bytes that it and those before it need had arrived on the device." << hint);
  }
  double sent = 0;
  for (const CopyRecord& copy : out) {
    sent += copy.bytes;
    const auto done = std::count_if(kernels.begin(), kernels.end(), [&](const KernelRecord& kernel) {
      return kernel.start_us + kernel.time_us <= copy.start_us + 0.01;
    });
    const double made = image * static_cast<double>(done) / static_cast<double>(kernels.size());
    if (sent > made + kTables)
      WB_FAIL("copy_before_its_data", "A copy to the host began at "
                                          << copy.start_us << " us, when only " << static_cast<long>(made) << " of the "
                                          << static_cast<long>(sent)
                                          << " bytes that it and those before it bring had been computed." << hint);
  }
}

/// How much of the time of copies and kernels, one after the other, the whole takes: 1 if nothing overlaps.
void require_overlap(const Answer& answer, double limit, const char* what_to_try) {
  require_little_work(answer);
  // Kernels that merge take a few hundredths of the copies' time: no more of theirs counts, or idle ones would make up
  // for copies that wait for each other. Nor do copies that stay on the device, or bring the host next to
  // nothing; the device gets small tables, one copy after the other.
  constexpr double kShareOfKernels = 0.1, kShareOfLargest = 0.01;
  double busy = 0, kernels = 0, largest = 0;
  for (const CopyRecord& copy : answer.profile.copies) largest = std::max(largest, copy.bytes);
  for (const CopyRecord& copy : answer.profile.copies)
    if (copy.kind == "host_to_device" || (copy.kind == "device_to_host" && copy.bytes > kShareOfLargest * largest))
      busy += copy.time_us;
  for (const KernelRecord& kernel : answer.profile.kernels) kernels += kernel.time_us;
  busy += std::min(kernels, kShareOfKernels * busy);
  const auto whole = value_of(answer.profile, Quantity::time_with_copies_us);
  if (!whole || answer.profile.copies.empty()) return;  // No copies: another test says so.
  if (*whole <= limit * busy) return;
  WB_FAIL("no_overlap", "Copies and kernels take "
                            << busy << " us, one after the other; from the first to the last it took " << *whole
                            << " us, " << 100 * *whole / busy << " % of that. At most " << 100 * limit
                            << " % is allowed.\nThe bus carries "
                            << "bytes in both directions at the same time: two images go in, one comes out, so "
                               "67 % are possible at best, and "
                            << "with 8 blocks the last block comes back alone.\nWhat to try: " << what_to_try);
}

constexpr long kRows = 512, kColumns = 1024;  // Whole sectors, 512 KiB.

}  // namespace

// ---- Predictions

WB_LAB_TEST(correctness, 6, "the predicted bytes are what a data region saves") {
  const auto any = [](int most) { return static_cast<int>(test_random().integer(1, most)); };
  for (const auto& [rows, columns, steps] : {std::tuple{10, 10, 1},
                                             {480, 640, 7},
                                             {1536, 2048, 100},
                                             {3, 5, 0},
                                             {any(kMostSide), any(kMostSide), any(1000)}}) {
    const Answer answer =
        grade(call("predict_bytes_to_device", {number("rows", rows), number("columns", columns), number("steps", steps),
                                               each("data_region", std::vector<std::int32_t>{0, 1})}));
    const std::int64_t image = std::int64_t{rows} * columns;
    const std::vector<std::int64_t> expected = {2 * image * steps, 2 * image},
                                    found = answer.output<std::int64_t>(kReturned);
    REQUIRE(found.size() == 2);
    for (int region = 0; region < 2; ++region) {
      if (found[region] == expected[region]) continue;
      WB_FAIL_CALL("predict_bytes_to_device(" << rows << ", " << columns << ", " << steps << ", "
                                              << (region ? "true" : "false") << ")",
                   found[region],
                   "; " << expected[region] << " bytes are copied to the device.\nAn image "
                        << "has rows * columns bytes. copy and copyin both copy in: when the construct "
                           "that they stand on begins. How "
                        << "often does it begin?");
    }
  }
}

WB_LAB_TEST(correctness, 6, "gangs, workers and lanes are named as CUDA names them") {
  const std::vector<std::int32_t> expected = {'b', 'y', 'x'},
                                  found =
                                      grade(call("cuda_index_of", {each("levels", std::vector<std::int32_t>{0, 1, 2})}))
                                          .output<std::int32_t>(kReturned);
  REQUIRE(found.size() == 3);
  const char* const levels[] = {"gang", "worker", "vector"};
  for (int i = 0; i < 3; ++i) {
    if (found[i] == expected[i]) continue;
    WB_FAIL(
        std::string("index_of_") + levels[i],
        "cuda_index_of(Level::" << levels[i]
                                << ") is wrong. Lanes of a vector must be lanes of a warp, and a warp is 32 "
                                   "threads with neighbouring threadIdx.x; gangs cannot wait for each other; a gang "
                                   "has one or more workers, each "
                                   "with its own vector.");
  }
}

// ---- One loop

WB_LAB_TEST(correctness, 8, "the merge by OpenACC is exact for every size") {
  for (const auto& [rows, columns] :
       {std::pair{1, 1}, {32, 32}, {7, 1000}, {1000, 7}, {31, 33}, {257, 129}, {0, 0}, {0, 5}})
    check_merge("merge_acc", rows, columns);
  const std::pair largest = {kMostPixels / kMostSide, kMostSide};
  for (const auto& [rows, columns] : {any_shape(1 << 20),
                                      std::pair{kMostSide, 1L},
                                      {1L, kMostSide},
                                      test_random().integer(0, 1) == 0 ? large_shape() : largest})
    check_merge("merge_acc", rows, columns);
  check_merge_in_other_orders("merge_acc");
}

WB_LAB_TEST(counters, 10, "the merge by OpenACC copies every image once and launches once") {
  check_merge_in_worst_order("merge_acc");
  const Answer answer = check_merge("merge_acc", kRows, kColumns);
  require_at_most(answer, Quantity::kernel_launches, 1, "One loop nest is one kernel.");
  require_copied_once(answer, 2.0 * kRows * kColumns, 1.0 * kRows * kColumns, 1);
}

WB_LAB_TEST(counters, 8, "the merge by OpenACC lays lanes along rows") {
  check_merge_in_worst_order("merge_acc");
  require_lanes_side_by_side(check_merge("merge_acc", kRows, kColumns), 2.0 * kRows * kColumns);
}

// ---- Data region

WB_LAB_TEST(correctness, 8, "the fade is exact for every number of steps") {
  for (const auto& [rows, columns, steps] : {std::tuple{1L, 1L, 1},
                                             {33L, 65L, 3},
                                             {100L, 100L, 5},
                                             {10L, 10L, 0},
                                             {257L, 31L, 2},
                                             {5L, 64L, int{kMostSteps}}})
    check_fade(rows, columns, steps);
  const auto [rows, columns] = any_shape(1 << 16);
  check_fade(rows, columns, static_cast<int>(any_size(1, std::clamp((1L << 13) / rows, 1L, kMostSteps))));
  check_fade(kMostPixels / 2 / kMostSide, kMostSide, 2);
  for (const std::int64_t order : other_orders()) check_fade_in_order(order);
}

WB_LAB_TEST(counters, 10, "the fade keeps its images on the device") {
  check_fade_in_order(worst_order());
  constexpr int kSteps = 6;
  const Answer answer = check_fade(kRows, kColumns, kSteps, true);
  const char* const reason =
      "Each step is one kernel. Gangs do not wait for each other, so they must not share the steps.";
  require_at_most(answer, Quantity::kernel_launches, kSteps, reason);
  require_at_least(answer, Quantity::kernel_launches, kSteps, reason);
  require_copied_once(answer, 2.0 * kRows * kColumns, 1.0 * kRows * kColumns, kSteps);
  require_lanes_side_by_side(answer, 2.0 * kRows * kColumns * kSteps);
}

// ---- Queues

WB_LAB_TEST(correctness, 8, "the pipeline by OpenACC is exact for every number of blocks") {
  for (const auto& [rows, columns, blocks] :
       {std::tuple{1, 1, 1}, {64, 64, 2}, {100, 33, 3}, {5, 301, 8}, {3, 3, 100}, {333, 77, 1}, {10, 64, 4}, {0, 0, 3}})
    check_merge("merge_pipelined_acc", rows, columns, blocks);
  check_merge("merge_pipelined_acc", 1024, 999, 4);  // large enough to see whether somebody waits
  const auto [rows, columns] = any_shape(1 << 20);
  check_merge("merge_pipelined_acc", rows, columns, any_size(1, kMostBlocks));
  check_merge_in_other_orders("merge_pipelined_acc", 4);
}

WB_LAB_TEST(counters, 12, "the pipeline by OpenACC copies both ways at the same time") {
  check_merge_in_worst_order("merge_pipelined_acc");
  const auto [rows, columns] = large_shape();
  const double image = static_cast<double>(rows * columns);
  const Answer answer = check_merge("merge_pipelined_acc", rows, columns, 8);
  require_copied_once(answer, 2 * image, image, 1);
  require_order(answer, image);
  require_overlap(
      answer, 0.85,
      "put update device, the loop and update self of a block in one queue, async(block % 2), on all three, "
      "and wait only after the last block. Clauses that copy (copyin, copyout) do not belong on the loop of a block: "
      "they "
      "allocate memory and free it, and freeing memory waits for all work of the device. Allocate once, before the "
      "first block (enter data create).");
}

// ---- CUDA

WB_LAB_TEST(correctness, 8, "the merges by CUDA are exact for every size and number of blocks") {
  for (const auto& [rows, columns, blocks] :
       {std::tuple{1, 1, 1}, {64, 64, 4}, {100, 33, 7}, {5, 301, 8}, {3, 3, 100}, {333, 77, 1}, {0, 0, 3}})
    check_merge("merge_pipelined_cuda", rows, columns, blocks);
  check_merge("merge_cuda", 123, 457);
  check_merge("merge_pipelined_cuda", 1024, 999, 4);  // large enough to see whether somebody waits
  const auto [rows, columns] = any_shape(1 << 20);
  check_merge("merge_pipelined_cuda", rows, columns, any_size(1, kMostBlocks));
  check_merge("merge_cuda", columns, rows);
  check_merge("merge_cuda", kMostSide, kMostPixels / kMostSide);
  check_merge_in_other_orders("merge_cuda");
  check_merge_in_other_orders("merge_pipelined_cuda", 4);
}

WB_LAB_TEST(counters, 6, "the pipeline by CUDA copies both ways at the same time") {
  check_merge_in_worst_order("merge_pipelined_cuda");
  const long rows = kMostSide, columns = kMostPixels / kMostSide;
  const double image = static_cast<double>(rows * columns);
  const Answer answer = check_merge("merge_pipelined_cuda", rows, columns, 8);
  require_copied_once(answer, 2 * image, image, 1);
  require_order(answer, image);
  require_lanes_side_by_side(answer, 2 * image);
  require_overlap(answer, 0.85,
                  "use cudaMemcpyAsync and the kernel with the block's stream, and wait only after the last block: "
                  "cudaMemcpy makes the host wait.");
}

WB_LAB_TEST(counters, 4, "OpenACC takes little longer than your CUDA for the same images") {
  for (const char* function : {"merge_acc", "merge_cuda", "merge_pipelined_acc", "merge_pipelined_cuda"})
    check_merge_in_worst_order(function);
  constexpr double kLimit = 1.45;
  // Each block of a pipeline costs OpenACC some calls more, so these images are larger.
  for (const auto& [by_acc, by_cuda, side] :
       {std::tuple{"merge_acc", "merge_cuda", 1024}, {"merge_pipelined_acc", "merge_pipelined_cuda", 2048}}) {
    const long rows = 2 * side, columns = side - 32 * static_cast<long>(test_random().integer(0, 3));
    const double image = static_cast<double>(rows * columns);
    const Answer acc = check_merge(by_acc, rows, columns, 4), cuda = check_merge(by_cuda, rows, columns, 4);
    require_copied_once(acc, 2 * image, image, 1);
    require_copied_once(cuda, 2 * image, image, 1);
    require_order(acc, image);
    require_order(cuda, image);
    require_little_work(cuda);
    const double of_acc = value_of(acc.profile, Quantity::time_with_copies_us).value_or(0);
    const double of_cuda = value_of(cuda.profile, Quantity::time_with_copies_us).value_or(0);
    if (of_acc <= kLimit * of_cuda) continue;
    const auto gangs =
        std::max_element(acc.profile.kernels.begin(), acc.profile.kernels.end(),
                         [](const KernelRecord& a, const KernelRecord& b) { return a.time_us < b.time_us; });
    WB_FAIL(Requirement("slower_than_cuda")
                .with("gangs", gangs->grid[0])
                .with("workers", gangs->block[1])
                .with("lanes", gangs->block[0]),
            by_acc << " takes " << of_acc << " us, " << of_acc / of_cuda << " times as long as your " << by_cuda << " ("
                   << of_cuda << " us); at most " << kLimit << " times is allowed.\nIts slowest kernel ran with "
                   << gangs->grid[0] << " gangs of " << gangs->block[1] << " workers of " << gangs->block[0]
                   << " lanes and took " << gangs->time_us
                   << " us.\nThe device has 132 multiprocessors, each with room for "
                   << "32 gangs: rows shared among too few gangs leave most of it idle. Leave their number to the "
                      "compiler. If there "
                   << "are gangs enough, the blocks wait for each other: see what the test of copies both ways says.");
  }
}

WB_LAB_TEST(time, 6, "the pipeline by OpenACC is as fast as the reference") {
  check_merge_in_worst_order("merge_pipelined_acc");
  require_time(
      benchmark_case, [](const Case& given) { check_merge(given); }, 1.10, 1.40);
}

WB_LAB_BENCHMARK { return merge_case(random, "merge_pipelined_acc", kMostSide, kMostPiped / kMostSide, 4); }

// On an H200 the queues' gain must outweigh what libgomp's calls cost on the host, which takes larger images.
WB_LAB_LARGE_BENCHMARK { return merge_case(random, "merge_pipelined_acc", 12288, 8192, 4); }
