// The tests of lab coalescing: what the copies, the split records and the transpose must do, what they may cost, and
// why.
#include <algorithm>
#include <set>

#include "grader/runner/lab_test.h"
#include "grader/runner/protocol.h"

using namespace warpbook::grader;
using warpbook::Random;

namespace {

/// Ordinary numbers, and among them any that a float can be: tiny ones, huge ones, zeros of both signs.
std::vector<float> random_floats(Random& random, std::size_t count) {
  std::vector<float> values = random.array(count, -1000.0f, 1000.0f);
  for (std::size_t i = 3; i < count; i += 1 + static_cast<std::size_t>(random.integer(0, 63)))
    values[i] = random.integer(0, 3) == 0 ? std::copysign(random.tiny_float(), random.integer(0, 1) == 0 ? -1.0f : 1.0f)
                                          : random.any_float();
  return values;
}

constexpr int kMost = 1 << 20;        // Elements that go in or come out of a copy: what the contract promises.
constexpr int kMostTurned = 1 << 22;  // Of a matrix.
constexpr int kMostStep = 500'000;    // Of strides, offsets, rows and columns.

int size(int low, int high) { return static_cast<int>(test_random().size(low, high)); }

// ---- The copies

const char* const kStoreReason = "32 lanes write 32 floats that lie side by side: 128 bytes, which are 4 sectors.";

// Sectors per request is a mean: requests that cost little and move nothing would make it small. So the sum must fit,
// too. A fifth more leaves room for what honest copies do at their ends.
constexpr double kRoom = 1.2;
const char* const kNothingElse =
    "The mean over all requests is right, but nothing except the copy itself should be moved.";

/// Loads that move whole sectors only, however wide they are; what is too much is told by the request.
void require_whole_loads(const Answer& answer, const std::string& reason) {
  if (value_of(answer.profile, Quantity::global_load_sectors_ratio).value_or(2) > 1.0)
    require_at_most(answer, Quantity::global_load_sectors_per_request, 4.0, reason);
}

void require_whole_stores(const Answer& answer, const std::string& reason) {
  if (value_of(answer.profile, Quantity::global_store_sectors_ratio).value_or(2) > 1.0)
    require_at_most(answer, Quantity::global_store_sectors_per_request, 4.0, reason);
}

Answer check_strided(int count, int stride) {
  const std::size_t needed = count == 0 ? 0 : (static_cast<std::size_t>(count) - 1) * stride + 1;
  const std::vector<float> in = random_floats(test_random(), needed);
  std::vector<float> expected;
  for (int i = 0; i < count; ++i) expected.push_back(in[static_cast<std::size_t>(i) * stride]);
  const Answer answer = grade(call("copy_strided", {input("in", in), output<float>("out", count),
                                                    number("count", count), number("stride", stride)}));
  require_default_stream(answer);
  require_moved(answer, "out", expected);
  return answer;
}

Answer check_offset(int count, int offset) {
  const std::vector<float> in = random_floats(test_random(), static_cast<std::size_t>(count) + offset);
  const Answer answer = grade(call(
      "copy_offset", {input("in", in), output<float>("out", count), number("count", count), number("offset", offset)}));
  require_default_stream(answer);
  require_moved(answer, "out", std::vector<float>(in.begin() + offset, in.end()));
  return answer;
}

/// The sectors of one full warp's load, counted lane by lane: lane l reads 4 bytes at 4 * (offset + l * stride).
int sectors_of_warp(int offset, int stride) {
  std::set<int> sectors;
  for (int lane = 0; lane < 32; ++lane) sectors.insert(4 * (offset + lane * stride) / 32);
  return static_cast<int>(sectors.size());
}

/// Asks the student's function for each step and some random ones, and compares with `counted`, which counts lane by
/// lane. `what` says what is counted, with # for the number.
void check_predictions(const std::string& function, std::vector<std::int32_t> steps, int (*counted)(int),
                       const std::string& what, const std::string& reason) {
  for (int i = 0; i < 5; ++i) steps.push_back(size(10, kMostStep));
  steps.push_back(kMostStep);
  const Answer answer = grade(call(function, {each("steps", steps)}));
  const std::vector<std::int32_t> found = answer.output<std::int32_t>(kReturned);
  REQUIRE(found.size() == steps.size());
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const int expected = counted(steps[k]);
    if (found[k] != expected)
      WB_FAIL_CALL(
          function << "(" << steps[k] << ")", found[k],
          ", but a full warp " << std::string(what).replace(what.find('#'), 1, std::to_string(expected)) << ".\n"
                               << reason
                               << " A sector is 32 bytes, aligned to 32. Draw the first lanes on paper and count.");
  }
}

// ---- Records and vectors

Answer check_split(int count) {
  const std::vector<float> in = random_floats(test_random(), 4 * static_cast<std::size_t>(count));
  std::vector<float> expected(in.size());
  for (std::size_t k = 0; k < in.size(); ++k) expected[k % 4 * count + k / 4] = in[k];
  const Answer answer =
      grade(call("split_records", {input("records", in), output<float>("fields", in.size()), number("count", count)}));
  require_default_stream(answer);
  require_moved(answer, "fields", expected, {4, static_cast<std::size_t>(count)});
  return answer;
}

Answer check_vectorised(int count) {
  const std::vector<float> in = random_floats(test_random(), count);
  const Answer answer =
      grade(call("copy_vectorised", {input("in", in), output<float>("out", in.size()), number("count", count)}));
  require_default_stream(answer);
  require_moved(answer, "out", in);
  return answer;
}

// ---- The transpose

Case transpose_case(Random& random, int rows, int cols) {
  const std::vector<float> in = random_floats(random, static_cast<std::size_t>(rows) * cols);
  return call("transpose",
              {input("in", in), output<float>("out", in.size()), number("rows", rows), number("cols", cols)});
}

std::vector<float> transposed(const std::vector<float>& in, int rows, int cols) {
  std::vector<float> out(in.size());
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c)
      out[static_cast<std::size_t>(c) * rows + r] = in[static_cast<std::size_t>(r) * cols + c];
  return out;
}

Shape shape_of_out(int rows, int cols) { return {static_cast<std::size_t>(cols), static_cast<std::size_t>(rows)}; }

Answer check_transpose(const Case& given) {
  const int rows = static_cast<int>(given.integer("rows")), cols = static_cast<int>(given.integer("cols"));
  const Answer answer = grade(given);
  require_default_stream(answer);
  require_moved(answer, "out", transposed(given.array<float>("in"), rows, cols), shape_of_out(rows, cols));
  return answer;
}

Answer check_transpose(int rows, int cols) { return check_transpose(transpose_case(test_random(), rows, cols)); }

void check_transpose_in_other_orders() {
  for (const std::int64_t order : other_orders())
    check_transpose(transpose_case(test_random(), 64, 96).set(kScheduleSeed, order));
}

}  // namespace

// ---- Parts 1 and 2: the copies

WB_LAB_TEST(correctness, 4, "the strided copy packs every stride-th element") {
  for (const auto& [count, stride] : {std::pair{1, 1},
                                      {1024, 1},
                                      {1000, 3},
                                      {1025, 2},
                                      {4099, 7},
                                      {31, 33},
                                      {33, 32},
                                      {0, 5},
                                      {kMost, 1},
                                      {kMost / kMostStep, kMostStep}})
    check_strided(count, stride);
  for (int i = 0; i < 4; ++i) {
    const int stride = size(1, kMostStep);
    check_strided(size(1, kMost / stride), stride);
  }
}

WB_LAB_TEST(correctness, 4, "the prediction for a stride is what is counted") {
  check_predictions(
      "predict_sectors_strided", {1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 31, 32, 33, 1000},
      [](int stride) { return sectors_of_warp(0, stride); }, "touches # sectors",
      "Lane l reads the 4 bytes at 4 * stride * l.");
}

WB_LAB_TEST(counters, 7, "the strided copy gives neighbouring elements to neighbouring lanes") {
  for (const int stride : {1, 2, 4}) {
    const Answer answer = check_strided(1 << 17, stride);
    const int sectors = sectors_of_warp(0, stride);
    require_whole_stores(answer, kStoreReason);
    require_at_most(answer, Quantity::global_load_sectors_ratio, sectors / 4.0,
                    "With stride " + std::to_string(stride) + ", 32 floats that become neighbours lie in " +
                        std::to_string(sectors) + " sectors, where 4 would hold them.");
    require_at_most(answer, Quantity::global_store_bytes, kRoom * 4 * (1 << 17), kNothingElse);
    require_at_most(answer, Quantity::global_load_bytes, kRoom * sectors * (1 << 17), kNothingElse);
  }
}

WB_LAB_TEST(correctness, 3, "the offset copy copies from the middle of an array") {
  for (const auto& [count, offset] : {std::pair{1, 0},
                                      {256, 1},
                                      {257, 0},
                                      {1000, 7},
                                      {4099, 33},
                                      {31, 8},
                                      {0, 3},
                                      {0, 0},
                                      {kMost - kMostStep, kMostStep},
                                      {kMost, 0}})
    check_offset(count, offset);
  for (int i = 0; i < 4; ++i) {
    const int offset = size(1, kMostStep);
    check_offset(size(1, kMost - offset), offset - i % 2);
  }
}

WB_LAB_TEST(correctness, 4, "the prediction for an offset is what is counted") {
  check_predictions(
      "predict_sectors_offset", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 32, 33, 1000, 1001},
      [](int offset) { return sectors_of_warp(offset, 1); }, "touches # sectors",
      "Lane l reads the 4 bytes at 4 * (offset + l).");
}

WB_LAB_TEST(counters, 4, "the offset copy moves no more sectors than the offset costs") {
  for (const int offset : {0, 1, 8}) {
    const Answer answer = check_offset(1 << 16, offset);
    const int sectors = sectors_of_warp(offset, 1);
    require_whole_stores(answer, kStoreReason);
    require_at_most(answer, Quantity::global_load_sectors_ratio, sectors / 4.0,
                    "At offset " + std::to_string(offset) + " the 128 bytes of a warp lie in " +
                        std::to_string(sectors) + " sectors.");
    require_at_most(answer, Quantity::global_store_bytes, kRoom * 4 * (1 << 16), kNothingElse);
    require_at_most(answer, Quantity::global_load_bytes, kRoom * sectors * (1 << 16), kNothingElse);
  }
}

// ---- Part 3: records

WB_LAB_TEST(correctness, 4, "the prediction for records is what is counted") {
  check_predictions(
      "predict_bytes_per_useful_byte", {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 100},
      [](int fields) { return 32 * sectors_of_warp(0, fields) / 128; }, "moves # byte(s) for each byte that it wants",
      "Lane l reads 4 bytes of the record that begins at 4 * fields * l; 32 lanes want 128 bytes.");
}

WB_LAB_TEST(correctness, 5, "the records are split into fields") {
  for (const int count : {1, 2, 31, 32, 33, 255, 256, 257, 1000, 4099}) check_split(count);
  check_split(0);
  for (int i = 0; i < 3; ++i) check_split(size(1, kMost / 4));
  check_split(kMost / 4);
}

WB_LAB_TEST(counters, 7, "the records are moved without a useless byte") {
  const Answer answer = check_split(1 << 15);
  require_at_most(answer, Quantity::global_load_sectors_ratio, 1.0,
                  "A warp that loads 32 whole records, 16 bytes for each lane, moves 512 bytes and wants all of them. "
                  "Field by field, each of four loads moves these 512 bytes and wants 128.");
  require_at_most(answer, Quantity::global_store_sectors_ratio, 1.0,
                  "Neighbouring lanes store the same field of neighbouring records: neighbours in the field's array.");
  require_at_most(answer, Quantity::global_load_bytes, kRoom * 16 * (1 << 15), kNothingElse);
  require_at_most(answer, Quantity::global_store_bytes, kRoom * 16 * (1 << 15), kNothingElse);
}

// ---- Part 4: 16 bytes for each lane

WB_LAB_TEST(correctness, 4, "the vectorised copy copies every element") {
  for (const int count : {4, 128, 1024, 4096, 4099, 1023, 1, 2, 3, 5, 127, 129, 100003}) check_vectorised(count);
  check_vectorised(0);
  for (int i = 0; i < 4; ++i) check_vectorised(size(1, kMost));
  check_vectorised(kMost - 1);
  check_vectorised(kMost);
}

WB_LAB_TEST(counters, 4, "the vectorised copy moves 16 bytes for each lane") {
  const Answer answer = check_vectorised(1 << 17);
  const std::string full =
      "32 lanes with 16 bytes each, side by side, are 512 bytes: 16 sectors, each wanted as a whole.";
  require_at_most(answer, Quantity::global_load_sectors_ratio, 1.0, full);
  require_at_most(answer, Quantity::global_store_sectors_ratio, 1.0, full);
  const std::string few = full + " A copy by floats needs four times as many requests for the same bytes.";
  require_at_least(answer, Quantity::global_load_sectors_per_request, 16, few);
  require_at_least(answer, Quantity::global_store_sectors_per_request, 16, few);
  require_at_most(answer, Quantity::global_load_bytes, kRoom * 4 * (1 << 17), kNothingElse);
  require_at_most(answer, Quantity::global_store_bytes, kRoom * 4 * (1 << 17), kNothingElse);
}

// ---- Part 5: the transpose

WB_LAB_TEST(correctness, 7, "the transpose is exact for whole tiles") {
  for (const auto& [rows, cols] : {std::pair{32, 32}, {64, 64}, {32, 96}, {128, 32}, {160, 224}})
    check_transpose(rows, cols);
  check_transpose_in_other_orders();
}

WB_LAB_TEST(correctness, 7, "the transpose is exact where the edge cuts a tile") {
  for (const auto& [rows, cols] : {std::pair{97, 61}, {31, 31}, {33, 33}, {31, 33}, {33, 31}, {7, 509}, {509, 7}})
    check_transpose(rows, cols);
  for (const bool wide : {true, false, true, false}) {
    const int longer = size(1, kMostStep), shorter = size(1, std::min(kMostTurned / longer, kMostStep));
    check_transpose(wide ? shorter : longer, wide ? longer : shorter);
  }
  check_transpose_in_other_orders();
}

WB_LAB_TEST(correctness, 3, "the transpose is exact for one row, one column and nothing") {
  for (const auto& [rows, cols] : {std::pair{1, 1},
                                   {1, 1000},
                                   {1000, 1},
                                   {1, 32},
                                   {33, 1},
                                   {0, 0},
                                   {0, 7},
                                   {7, 0},
                                   {0, kMostStep},
                                   {kMostStep, 0},
                                   {1, kMostStep},
                                   {kMostStep, 1}})
    check_transpose(rows, cols);
  check_transpose_in_other_orders();
}

WB_LAB_TEST(correctness, 4, "the transpose computes every answer anew, large ones too") {
  const auto between = [](int low, int high) { return static_cast<int>(test_random().integer(low, high)); };
  check_transpose(between(1500, 1600), between(1100, 1200));
  check_transpose_in_other_orders();
  const int rows = between(64, 127), cols = between(64, 127);
  const std::size_t size = static_cast<std::size_t>(rows) * cols;
  Case given;
  for (const std::string name : {"first", "second"})
    given = then(given, "transpose",
                 {input(name, random_floats(test_random(), size)), output<float>(name + "_out", size),
                  number("rows", rows), number("cols", cols)});
  const Answer answer = grade(given);
  require_moved(answer, "first_out", transposed(given.array<float>("first"), rows, cols), shape_of_out(rows, cols));
  require_moved(answer, "second_out", transposed(given.array<float>("second"), rows, cols), shape_of_out(rows, cols));
}

// Multiples of 32, so that every request is a full warp's, and not square.
constexpr int kCountedRows = 512, kCountedCols = 1024;

WB_LAB_TEST(counters, 6, "the transpose loads along rows") {
  check_transpose_in_other_orders();
  const Answer answer = check_transpose(kCountedRows, kCountedCols);
  require_whole_loads(
      answer,
      "32 lanes that read along a row of in read 128 bytes side by side: 4 sectors. Down a column, each "
      "lane is in a sector of its own, and 28 of its 32 bytes are moved for nothing.");
  require_at_most(answer, Quantity::global_load_bytes, kRoom * 4 * kCountedRows * kCountedCols, kNothingElse);
}

WB_LAB_TEST(counters, 6, "the transpose stores along rows") {
  check_transpose_in_other_orders();
  const Answer answer = check_transpose(kCountedRows, kCountedCols);
  require_whole_stores(
      answer,
      "32 lanes that write along a row of out write 128 bytes side by side: 4 sectors. Down a column, each "
      "lane is in a sector of its own, and 28 of its 32 bytes are moved for nothing.");
  require_at_most(answer, Quantity::global_store_bytes, kRoom * 4 * kCountedRows * kCountedCols, kNothingElse);
}

WB_LAB_TEST(counters, 7, "the transpose has no bank conflicts in its tile") {
  check_transpose_in_other_orders();
  const Answer answer = check_transpose(kCountedRows, kCountedCols);
  const std::string reason =
      "Both sides can move along rows only if the order changes in between, in a tile in shared memory. There, "
      "32 lanes in 32 different banks are served at once, in 1 wavefront.";
  // The order has changed on the way if both sides move along rows: in a tile, or by shuffles, which meet no bank.
  constexpr double kBytes = 4.0 * kCountedRows * kCountedCols;
  const std::string both = "Having no conflicts counts only where the order changes. " + reason;
  require_at_most(answer, Quantity::global_load_bytes, kRoom * kBytes, both);
  require_at_most(answer, Quantity::global_store_bytes, kRoom * kBytes, both);
  require_at_most(answer, Quantity::shared_bank_conflicts, 0, reason);
}

WB_LAB_TEST(time, 10, "the transpose is as fast as the reference") {
  check_transpose_in_other_orders();
  require_time(
      benchmark_case, [](const Case& given) { check_transpose(given); }, 1.15, 3.0);
}

WB_LAB_BENCHMARK { return transpose_case(random, 2048, 2048); }

// More than the contract promises, for the reference and the rungs on a real GPU. Two matrices of 256 MiB: far more
// than a cache holds, so that the memory's bandwidth decides.
WB_LAB_LARGE_BENCHMARK { return transpose_case(random, 8192, 8192); }
