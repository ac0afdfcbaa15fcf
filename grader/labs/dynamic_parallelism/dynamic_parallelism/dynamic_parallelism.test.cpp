// The tests of lab dynamic_parallelism: what parents and children must do, in every legal schedule, and what they cost.
#include <algorithm>
#include <cstdint>
#include <numeric>

#include "grader/runner/lab_test.h"
#include "grader/runner/protocol.h"

using namespace warpbook::grader;
using warpbook::Random;

namespace {

using Numbers = std::vector<std::uint32_t>;

constexpr int kSegment = 256;
constexpr int kLongRow = 512;
constexpr int kDefaultLimit = 2048;
/// Orders of warps, blocks and children in which a result must be right: the documented one, and others in which
/// children run at the moment of their launch.
constexpr int kSchedules[] = {0, 1, 2, 3, 4, 5};

const char* const kInOrder = "In this order children run when their parent has ended.";
const char* const kEarly =
    "In this order a child may start at the moment of its launch, as it may on a GPU. Is what it reads there by then, "
    "from every thread that stores some of it?";

Numbers random_numbers(std::size_t count) {
  Numbers numbers(count);
  for (auto& number : numbers) number = static_cast<std::uint32_t>(test_random().bits());
  return numbers;
}

int any_size(int low, int high) { return static_cast<int>(test_random().size(low, high)); }

// ---- What grids that kernels launched did

bool is_child(const KernelRecord& grid) { return grid.parent.has_value() && grid.queue != "tail"; }
bool is_tail(const KernelRecord& grid) { return grid.queue == "tail"; }

/// Bytes of global memory that a grid moved in a direction, in whatever way.
double bytes_of(const KernelRecord& grid, Direction direction) {
  double bytes = 0;
  for (const LineCounters& line : grid.lines)
    for (const AccessCounters& access : line.accesses)
      if (access.space == "global" && moves(access, direction)) bytes += access.bytes;
  return bytes;
}
double bytes_of(const KernelRecord& grid, bool loaded) {
  return bytes_of(grid, loaded ? Direction::in : Direction::out);
}

/// A launch alone earns nothing: the work is in it. Where nothing was launched, the tests of launches say so. On a real
/// GPU nothing is counted. @param at_all some of it is enough: to be asked before the result is compared, which is
/// wrong if nothing was done
template <class Chosen>
void require_work(const Answer& answer, Chosen chosen, bool loaded, double bytes, const char* what,
                  bool at_all = false) {
  const auto& grids = answer.profile.kernels;
  if (std::none_of(grids.begin(), grids.end(), chosen)) return;
  double found = 0;
  for (const KernelRecord& grid : answer.profile.kernels)
    if (chosen(grid)) found += bytes_of(grid, loaded);
  if (found < (at_all ? std::min(bytes, 1.0) : bytes))
    WB_FAIL(loaded ? "loads_too_little" : "stores_too_little",
            what << " must " << (loaded ? "load " : "write ") << static_cast<long>(bytes)
                 << " bytes of global memory, but " << (loaded ? "loaded " : "wrote ") << static_cast<long>(found)
                 << ". A launch is not enough: the grid that is launched does the work.");
}

// ---- Part 2

/// Bytes that each of the chosen grids moved.
template <class Chosen>
std::vector<double> bytes_of_each(const Answer& answer, Chosen chosen, bool loaded) {
  std::vector<double> bytes;
  for (const KernelRecord& grid : answer.profile.kernels)
    if (chosen(grid)) bytes.push_back(bytes_of(grid, loaded));
  return bytes;
}

/// The host's grid wrote nothing but the parameters of the grids that it launched.
void require_launched_only(const Answer& answer) {
  double written = 0, parameters = 0;
  for (const KernelRecord& grid : answer.profile.kernels) {
    if (grid.parent) parameters += grid.parameter_bytes;
    if (!grid.parent) written += bytes_of(grid, false);
  }
  if (written > parameters)
    WB_FAIL("parent_writes",
            "The parent wrote " << written - parameters << " bytes more than its children need as parameters.");
}

/// One launch by the host, and, if the contract names none, no tail: neither may do what children are to do.
void require_launches(const Answer& answer, bool has_tail) {
  if (answer.profile.text.empty()) return;
  require_at_most(answer, Quantity::launches_by_host, 1, "The host launches the parent, and nothing else.");
  if (!has_tail)
    require_at_most(answer, Quantity::tail_launches, 0,
                    "Nothing here has to wait for everything else: children do the work, and not a tail launch.");
}

/// In the documented order the device replaces what children and tails start from, and what they are to write, just
/// before the first of them starts (change.h): nothing can have done their work before, nor can a second kernel of the
/// host do it after them.
Answer check_smooth(int count, int schedule) {
  const Numbers in = random_numbers(static_cast<std::size_t>(count));
  Numbers others = random_numbers(in.size());
  for (auto& square : others) square = square % 5 == 0 ? 0 : square;  // Zero says nothing about who has been there.
  Case given = call("smooth", {input("in", in), output<std::uint32_t>("squares", in.size()),
                               output<std::uint32_t>("out", in.size()), number("count", in.size())})
                   .set(kScheduleSeed, schedule);
  if (schedule == 0 && count > 0) {
    change(given, Moment::child(), "squares", others);
    change(given, Moment::child(), "in", random_numbers(in.size()));
    change(given, Moment::child(), "out", random_numbers(in.size()));
    change(given, Moment::host_launch(1), "out", random_numbers(1), ChangeBy::replacing, kWhole);
    change(given, Moment::host_launch(1), "squares", random_numbers(1), ChangeBy::replacing, kWhole);
  }
  const Answer answer = grade(given);
  Numbers squares, out;
  for (const std::uint32_t value : in) squares.push_back(value * value);
  if (was_changed(answer, Moment::child())) squares = others;
  for (int i = 0; i < count; ++i) {
    const int begin = i / kSegment * kSegment, end = std::min(begin + kSegment, count);
    const auto at = [&](int j) { return squares[static_cast<std::size_t>(j)]; };
    out.push_back(at(std::max(i - 1, begin)) + at(i) + at(std::min(i + 1, end - 1)));
  }
  require_work(answer, is_child, false, 4.0 * count, "The children", true);
  require_equal(answer, "squares", squares);
  require_equal(answer, "out", out);
  require_work(answer, is_child, false, 4.0 * count, "The children");
  require_default_stream(answer);
  require_launches(answer, false);
  std::vector<double> shares;
  for (int begin = 0; begin < count; begin += kSegment) shares.push_back(4.0 * std::min(kSegment, count - begin));
  require_shares(bytes_of_each(answer, is_child, false), shares, 1, 0, "Children store");
  require_shares(bytes_of_each(answer, is_child, true), shares, 4, 0, "Children load");
  return answer;
}

// ---- Parts 3 and 4

bool is_long(const std::vector<std::int32_t>& offsets, std::size_t row) {
  return offsets[row + 1] - offsets[row] > kLongRow;
}

/// Rows of these lengths with random values.
Case rows_case(Random& random, const char* function, const std::vector<int>& lengths, std::uint32_t most = ~0u) {
  std::vector<std::int32_t> offsets{0};
  for (const int length : lengths) offsets.push_back(offsets.back() + length);
  Numbers values(static_cast<std::size_t>(offsets.back()));
  for (auto& value : values) value = static_cast<std::uint32_t>(random.bits()) & most;
  std::vector<Argument> arguments = {input("values", values), input("offsets", offsets), number("rows", lengths.size()),
                                     output<std::uint32_t>("sums", lengths.size())};
  if (std::string(function) == "largest_row")
    arguments.push_back(output<std::uint32_t>("largest", lengths.empty() ? 0 : 1));
  return call(function, arguments);
}

/// In the documented order: when the first child starts, all long rows get other values. Before a tail launch and
/// before any second launch of the host the values of all rows are lost, and the tail finds another sum of some row.
Case& with_changes(Random& random, Case& given) {
  const auto values = given.array<std::uint32_t>("values");
  const auto offsets = given.array<std::int32_t>("offsets");
  Numbers others = values;
  for (std::size_t r = 0; r + 1 < offsets.size(); ++r)
    if (is_long(offsets, r))
      for (auto i = offsets[r]; i < offsets[r + 1]; ++i)
        others[static_cast<std::size_t>(i)] ^= static_cast<std::uint32_t>(random.bits()) & 0xff;
  change(given, Moment::child(), "values", others);
  change(given, Moment::tail(), "values", Numbers{1}, ChangeBy::replacing, kWhole);
  change(given, Moment::host_launch(1), "values", Numbers{2}, ChangeBy::replacing, kWhole);
  if (given.text("function") == "largest_row" && offsets.size() > 1) {
    const auto row = static_cast<std::uint64_t>(random.integer(0, static_cast<int>(offsets.size()) - 2));
    const auto sum = ~0u - static_cast<std::uint32_t>(random.integer(0, 1000));
    change(given, Moment::tail(), "sums", Numbers{sum}, ChangeBy::replacing, row);
    change(given, Moment::tail(), "largest", Numbers{0});
  }
  return given;
}

/// Applies the changes of a moment to an array, if they were made.
void apply_changes(const Answer& answer, Moment moment, const std::string& array, Numbers& values) {
  if (!was_changed(answer, moment)) return;
  for (const Change& change : changes_of(answer.given))
    if (change.moment == moment && change.array == array) change.apply(std::as_writable_bytes(std::span(values)));
}

Numbers sums_of(const Answer& answer) {
  const Case& given = answer.given;
  auto values = given.array<std::uint32_t>("values");
  apply_changes(answer, Moment::child(), "values", values);
  const auto offsets = given.array<std::int32_t>("offsets");
  Numbers sums;
  for (std::size_t r = 0; r + 1 < offsets.size(); ++r)
    sums.push_back(std::accumulate(values.begin() + offsets[r], values.begin() + offsets[r + 1], 0u));
  apply_changes(answer, Moment::tail(), "sums", sums);
  return sums;
}

/// Lengths of the rows that get a child, and their values together.
std::pair<int, double> long_rows_of(const Case& given) {
  const auto offsets = given.array<std::int32_t>("offsets");
  int rows = 0;
  double values = 0;
  for (std::size_t r = 0; r + 1 < offsets.size(); ++r)
    if (is_long(offsets, r)) ++rows, values += offsets[r + 1] - offsets[r];
  return {rows, values};
}

Answer check_rows(const Case& asked) {
  Case given = asked;
  const bool has_order = given.has(kScheduleSeed) && given.integer(kScheduleSeed) != 0;
  if (!has_order && changes_of(given).empty()) with_changes(test_random(), given);
  const Answer answer = grade(given);
  const Numbers sums = sums_of(answer);
  const double of_children = 4 * long_rows_of(given).second, of_tail = 4.0 * static_cast<double>(sums.size());
  const bool has_tail = given.text("function") == "largest_row" && !sums.empty();
  require_work(answer, is_child, true, of_children, "The children for long rows", true);
  if (has_tail) require_work(answer, is_tail, true, of_tail, "The tail launch", true);
  require_default_stream(answer);
  if (has_tail) {
    INFO("Does one thread launch find_largest, and what makes it wait for all sums, of every block and every child?");
    require_equal(answer, "largest", Numbers{*std::max_element(sums.begin(), sums.end())});
    require_work(answer, is_tail, true, of_tail, "The tail launch");
  }
  require_equal(answer, "sums", sums);
  require_work(answer, is_child, true, of_children, "The children for long rows");
  require_launches(answer, has_tail);
  const auto offsets = given.array<std::int32_t>("offsets");
  std::vector<double> shares;
  for (std::size_t r = 0; r + 1 < offsets.size(); ++r)
    if (is_long(offsets, r)) shares.push_back(4.0 * (offsets[r + 1] - offsets[r]));
  // Where a child looks at all sums, because there is no tail, the result shows that in another order.
  if (!has_tail || value_of(answer.profile, Quantity::tail_launches).value_or(0) > 0)
    require_shares(bytes_of_each(answer, is_child, true), shares, 1.25, 8192, "Children load");
  // The tail has the sums to look at, and short rows are few bytes: nothing is left for anybody else to add up.
  if (has_tail) require_shares(bytes_of_each(answer, is_tail, true), {of_tail}, 1.25, 4096, "The tail loads");
  return answer;
}

constexpr int kMostSmooth = 100000, kMostRows = 100000, kMostVisits = 600;  // Ends of the contract's ranges.

/// Short rows, and long ones at the places that @p is_long chooses.
template <class IsLong>
std::vector<int> lengths_of(Random& random, int rows, IsLong is_long) {
  std::vector<int> lengths;
  for (int r = 0; r < rows; ++r)
    lengths.push_back(static_cast<int>(is_long(r) ? random.integer(kLongRow + 1, 3000) : random.integer(0, 40)));
  return lengths;
}

/// So many rows, of which at most 400 are long.
std::vector<int> many(int rows) {
  const int every = std::max(50, rows / 390);
  return lengths_of(test_random(), rows, [every](int r) { return r % every == 17; });
}

/// One block of rows, of which every eighth is long: 32 children of one block.
Case rows_of_one_block(const char* function) {
  Random& random = test_random();
  return rows_case(random, function, lengths_of(random, 256, [](int r) { return r % 8 == 3; }));
}

// ---- Part 5

/// Each child has one thread, writes, and is in the NULL stream.
void require_visitors(const Answer& answer) {
  for (const KernelRecord& grid : answer.profile.kernels) {
    if (!is_child(grid)) continue;
    if (bytes_of(grid, false) < 4)
      WB_FAIL("idle_child", "A child wrote nothing: each visits an element, and no other thread does.");
    if (grid.grid != std::array{1, 1, 1} || grid.block != std::array{1, 1, 1})
      WB_FAIL("threads_of_child", "A child has several threads, but one element to visit.");
    if (grid.queue != "block")
      WB_FAIL("not_in_null_stream",
              "A child is not in the NULL stream, which the contract asks for: there each block's "
              "children are complete in the order of their launches.");
  }
}

/// @param limit of pending launches that the caller of the answer chose
Answer check_visits(const char* function, int count, int limit = kDefaultLimit, int schedule = 0) {
  Case given = Case()
                   .set("function", function)
                   .set("count", count)
                   .set("limit", limit == kDefaultLimit ? 0 : limit)
                   .set(kScheduleSeed, schedule);
  const bool none_refused = count <= limit || std::string(function) == "visit_by_children";
  // When the first child starts, the elements hold what nobody expects: no child can tell whether its work was done.
  std::vector<std::int32_t> before = test_random().array<std::int32_t>(static_cast<std::size_t>(count), 0, 2);
  if (schedule == 0 && count > 0 && none_refused) change(given, Moment::child(), "visits", before);
  const Answer answer = grade(given);
  const auto visits = answer.output<std::int32_t>("visits");
  const bool changed = was_changed(answer, Moment::child());
  if (!changed) before.assign(before.size(), 0);
  // A visit may store 1 or add 1. Where 1 was before, none can be told from the first kind.
  long lost = 0, visited = 0;
  bool adds = false;
  for (std::size_t i = 0; i < visits.size() && i < before.size(); ++i) {
    if (visits[i] == before[i] && before[i] != 1)
      ++lost;
    else if (visits[i] == 1 || visits[i] == before[i] + 1)
      ++visited;
    adds = adds || (before[i] != 0 && visits[i] == before[i] + 1);
  }
  if (count > limit && visited >= limit && visited + lost == count && lost > 0)
    WB_FAIL("launches_lost",
            (changed ? "At least " : "")
                << lost << " of " << count
                << " elements were never visited: their launches were refused, as too many were pending. Only "
                   "cudaGetLastError() in the launching thread says so.");
  require_visitors(answer);
  std::vector<std::int32_t> expected(static_cast<std::size_t>(count), 1);
  if (adds)  // All alike.
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += before[i];
  require_equal(answer, "visits", expected);
  require_default_stream(answer);
  require_launches(answer, false);
  if (none_refused) require_launched_only(answer);
  return answer;
}

void require_refused(const Answer& answer, int count, int limit = kDefaultLimit) {
  const auto refused = answer.output<std::int32_t>("refused");
  REQUIRE(refused.size() == 1);
  if (refused[0] < 0 || refused[0] > std::max(0, count - limit))
    WB_FAIL("number_of_refused", "*refused is " << refused[0] << " for " << count << " launches, of which at least "
                                                << limit << " are taken.");
  if (answer.observed("before.pending_launches") != answer.observed("after.pending_launches") ||
      answer.observed("before.set") != answer.observed("after.set"))
    WB_FAIL("limit_changed",
            "The limit was changed. In this part it stays as it is: a library cannot know what its caller chose.");
}

// ---- Part 6

/// @param changed nobody has counted the grids of a depth before the first of them starts: the device sees to it. Else
/// in some other order.
void check_tree(int fanout, int depth, bool changed) {
  std::vector<std::int32_t> nodes{1};
  for (int d = 1; d <= depth; ++d) nodes.push_back(nodes.back() * fanout);
  const double grids = std::accumulate(nodes.begin(), nodes.end(), 0);
  Case given = call("count_nodes", {number("fanout", fanout), number("depth", depth),
                                    filled<std::int32_t>("nodes", static_cast<std::size_t>(depth) + 1, 0)});
  std::vector<std::int32_t> before;
  if (!changed) given.set(kScheduleSeed, depth);
  for (int d = 1; d <= depth && changed; ++d) {
    before.push_back(static_cast<std::int32_t>(test_random().integer(0, 1 << 20)));
    change(given, Moment::child(static_cast<unsigned>(d)), "nodes", std::vector<std::int32_t>{before.back()},
           ChangeBy::replacing, static_cast<std::uint64_t>(d));
  }
  const Answer answer = grade(given);
  for (std::size_t d = 1; d <= before.size(); ++d)
    if (was_changed(answer, Moment::child(static_cast<unsigned>(d)))) nodes[d] += before[d - 1];
  require_equal(answer, "nodes", nodes);
  require_default_stream(answer);
  const std::string reason = "Each grid above the last depth launches " + std::to_string(fanout) + " children.";
  if (answer.profile.kernels.empty()) return;
  require_at_least(answer, Quantity::launch_depth, depth, reason);
  require_at_least(answer, Quantity::launches_by_kernels, grids - 1, reason);
  require_at_most(answer, Quantity::launches_by_kernels, grids - 1, reason);
  require_launches(answer, false);
  const double atomics = value_of(answer.profile, Quantity::global_atomic_requests).value_or(grids);
  if (depth > 0 && atomics < grids)
    WB_FAIL("too_few_atomics",
            grids << " grids made " << atomics
                  << " atomic additions: of two that read nodes[d] before either stores it, one is lost.");
  std::vector<double> added;
  for (const KernelRecord& grid : answer.profile.kernels) added.push_back(bytes_of(grid, Direction::both));
  require_shares(added, std::vector<double>(added.size(), depth > 0 ? 4 : 0), 1, 4, "Grids add to");
}

}  // namespace

// ---- Part 1: what does a child see?

WB_LAB_TEST(correctness, 8, "the prediction says what a child sees") {
  const std::string situations = "abcdefg", expected = "sspppsn";
  const char* const reasons[] = {
      "What a thread stored before its launch is there for the child: the launch orders the two.",
      "The barrier orders the other threads' stores before the launch, and the launch orders them before the child.",
      "Without a barrier nothing says that the other thread has stored it already when the first one launches.",
      "The child may start at once, long before the parent goes on, or long after.",
      "A parent cannot wait for its child: since CUDA 12 there is no cudaDeviceSynchronize() in a kernel.",
      "A tail launch starts after its parent and all the parent's other children are complete.",
      "Shared memory belongs to one block. The child's blocks have their own; such a pointer means nothing there."};
  const Answer answer = grade(
      call("predict_seen", {each("situations", std::vector<std::int32_t>(situations.begin(), situations.end()))}));
  const auto found = answer.output<std::int32_t>(kReturned);
  REQUIRE(found.size() == situations.size());
  for (std::size_t i = 0; i < situations.size(); ++i) {
    if (found[i] != expected[i])
      WB_FAIL("seen_" + situations.substr(i, 1), "'" << situations[i] << "' is not right. " << reasons[i]);
  }
}

// ---- Part 2: a child for each block

WB_LAB_TEST(correctness, 10, "the child finds all squares, in every schedule") {
  for (const int count : {1, 255, 256, 257, 1000, 0}) check_smooth(count, 0);
  for (const int count : {any_size(2, kMostSmooth - 1), kMostSmooth}) check_smooth(count, 0);
  for (const int schedule : kSchedules) {
    INFO((schedule == 0 ? kInOrder : kEarly));
    check_smooth(2111, schedule);
  }
}

WB_LAB_TEST(counters, 6, "each block launches one child") {
  for (const int segments : {7, any_size(8, 390)}) {
    const Answer answer = check_smooth(segments * kSegment - 7, 0);
    const std::string reason =
        std::to_string(segments) + " segments, a child for each. A launch without an if is made by every thread.";
    require_at_most(answer, Quantity::launches_by_kernels, segments, reason);
    require_at_least(answer, Quantity::launches_by_kernels, segments, reason);
  }
}

// ---- Part 3: children where they pay

WB_LAB_TEST(correctness, 8, "rows of every length are summed") {
  Random& random = test_random();
  check_rows(rows_case(random, "sum_rows", {0, 1, 511, 512, 513, 3, 4097, 0}));
  check_rows(rows_case(random, "sum_rows", {}));
  check_rows(rows_case(random, "sum_rows", {100000}));
  check_rows(rows_case(random, "sum_rows", lengths_of(random, 1023, [](int r) { return r % 101 == 0; })));
  for (const int rows : {any_size(2, kMostRows - 1), kMostRows}) check_rows(rows_case(random, "sum_rows", many(rows)));
  for (const int schedule : {1, 2})
    check_rows(rows_case(random, "sum_rows", lengths_of(random, 600, [](int r) { return r % 31 == 0; }))
                   .set(kScheduleSeed, schedule));
}

WB_LAB_TEST(counters, 8, "long rows get a child, and only they") {
  Random& random = test_random();
  std::vector<int> lengths = lengths_of(random, 1000, [](int r) { return r % 40 == 7; });
  lengths[500] = kLongRow;
  const Answer answer = check_rows(rows_case(random, "sum_rows", lengths));
  const std::string reason =
      "25 of the 1000 rows have more than 512 values, and one has 512. A launch costs its thread about 6 us on an "
      "H200, in which it sums a short row several times; a long row has work for all threads of a child.";
  require_at_most(answer, Quantity::launches_by_kernels, 25, reason);
  require_at_least(answer, Quantity::launches_by_kernels, 25, reason);
  const Answer more = check_rows(rows_case(random, "sum_rows", many(any_size(5000, kMostRows))));
  const int children = long_rows_of(more.given).first;
  const std::string every =
      std::to_string(children) + " rows have more than 512 values: each gets a child, and no other.";
  require_at_most(more, Quantity::launches_by_kernels, children, every);
  require_at_least(more, Quantity::launches_by_kernels, children, every);
}

WB_LAB_TEST(counters, 8, "children of one block run at the same time") {
  const Answer answer = check_rows(rows_of_one_block("sum_rows"));
  require_at_least(answer, Quantity::children_at_a_time, 4,
                   "The block launches 32 children that do not need each other. The NULL stream of a block is one "
                   "stream, in which they run one by one. An H200 runs up to 128 fire-and-forget children at a time.");
}

WB_LAB_TEST(time, 8, "rows are summed as fast as the reference does") {
  require_time(
      benchmark_case, [](const Case& given) { check_rows(given); }, 1.4, 2.5);
}

// ---- Part 4: after all children

WB_LAB_TEST(correctness, 10, "the largest sum is found after all sums, in every schedule") {
  Random& random = test_random();
  for (const int rows : {1, 255, 256, 257})
    check_rows(rows_case(random, "largest_row", lengths_of(random, rows, [](int) { return false; })));
  check_rows(rows_case(random, "largest_row", {}));
  for (const int rows : {any_size(258, kMostRows - 1), kMostRows})
    check_rows(rows_case(random, "largest_row", many(rows)));
  for (const int schedule : kSchedules) {
    INFO((schedule == 0 ? kInOrder : kEarly));
    // The last row is the largest for sure: its sum is the last to be there in the documented order.
    const std::vector<int> lengths = lengths_of(random, 700, [](int r) { return r % 64 == 63 || r == 699; });
    Case given = rows_case(random, "largest_row", lengths);
    auto values = given.array<std::uint32_t>("values");
    for (auto& value : values) value %= 1000;
    std::fill(values.end() - lengths.back(), values.end(), 5000u);
    check_rows(given.set("values", values).set(kScheduleSeed, schedule));
  }
}

WB_LAB_TEST(counters, 6, "one launch by the host and one tail launch find the largest sum") {
  check_rows(rows_of_one_block("largest_row"));
  Random& random = test_random();
  const Answer several =
      check_rows(rows_case(random, "largest_row", lengths_of(random, 2000, [](int r) { return r % 500 == 9; })));
  require_at_most(several, Quantity::tail_launches, 1,
                  "One thread of the whole grid launches it, not one of each block.");
  require_at_least(several, Quantity::tail_launches, 1,
                   "Only a tail launch waits for all blocks of the parent and for all their children.");
}

// ---- Part 5: too many launches

WB_LAB_TEST(correctness, 8, "no element is lost when launches are refused") {
  for (const int count : {0, 1, kMostVisits}) require_refused(check_visits("visit_all", count), count);
  const int limit = any_size(100, 300);
  for (const int count : {limit, limit + 1, any_size(limit + 2, kMostVisits)})
    require_refused(check_visits("visit_all", count, limit), count, limit);
}

WB_LAB_TEST(counters, 4, "every launch that the device takes is made") {
  const int limit = any_size(100, 400), count = any_size(limit + 100, kMostVisits);
  const Answer answer = check_visits("visit_all", count, limit);
  const std::string set = "The caller has set the limit to " + std::to_string(limit) + " pending launches.";
  require_at_least(answer, Quantity::launches_by_kernels, limit, set + " Make every launch that it accepts.");
  if (answer.profile.text.empty()) return;
  const auto require_told = [](const Answer& given) {
    const double children = value_of(given.profile, Quantity::launches_by_kernels).value_or(0);
    const auto all = given.given.integer("count");
    const auto refused = given.output<std::int32_t>("refused")[0];
    if (refused != all - children)
      WB_FAIL("number_of_refused", "*refused is " << refused << ", but " << all - children << " of " << all
                                                  << " launches were refused. Count each once, with atomicAdd.");
    return children;
  };
  check_visits("visit_all", any_size(1, limit), limit);
  require_told(answer);
  // In other orders some children are complete before the limit is reached. How many launches the device accepts is
  // then known only to those who ask.
  double taken = 0;
  for (const int schedule : {1, 2, 3, 4}) {
    const Answer early = check_visits("visit_all", kMostVisits, limit, schedule);
    require_refused(early, kMostVisits, limit);
    taken = std::max(taken, require_told(early));
  }
  if (taken <= limit)
    WB_FAIL("stops_at_the_limit",
            "Children that are complete early make room for more launches than the limit of "
                << limit
                << ", but no more were made. Launch for each element, and ask cudaGetLastError() what came of it.");
}

WB_LAB_TEST(counters, 4, "with the limit raised no launch is refused") {
  const int low = any_size(100, 300);
  for (const auto& [count, limit] : {std::pair{kMostVisits, low},
                                     {any_size(low + 1, kMostVisits), low},
                                     {any_size(1, 200), kDefaultLimit},
                                     {0, low}}) {
    const Answer answer = check_visits("visit_by_children", count, limit);
    if (count > 0)
      require_at_least(answer, Quantity::launches_by_kernels, count,
                       "Every element is visited by a child. The host raises cudaLimitDevRuntimePendingLaunchCount "
                       "before it launches the parent.");
    const auto after = answer.observed("after.pending_launches");
    if (after < std::max(count, limit))
      WB_FAIL("limit_too_low", "The limit is "
                                   << after << " after visit_by_children(" << count << ", ...); it was " << limit
                                   << ". Raise it where it is lower than count; never lower it: others rely on it.");
    if (after > std::max(count, limit))
      WB_FAIL("limit_too_high", "The limit is " << after << " after visit_by_children(" << count << ", ...); it was "
                                                << limit << ", and " << std::max(count, limit)
                                                << " are enough: room for launches takes memory of the device.");
  }
}

// ---- Part 6: recursion

WB_LAB_TEST(correctness, 4, "the prediction counts the grids of a tree") {
  std::vector<std::int32_t> fanouts = {1, 1, 2, 3, 4, 8, 5}, depths = {0, 5, 5, 4, 5, 3, 0};
  for (int i = 0; i < 5; ++i) {
    fanouts.push_back(static_cast<std::int32_t>(test_random().integer(1, 8)));
    depths.push_back(static_cast<std::int32_t>(test_random().integer(1, 5)));
  }
  const Answer answer = grade(call("predict_grids", {each("fanouts", fanouts), each("depths", depths)}));
  const auto found = answer.output<std::int32_t>(kReturned);
  REQUIRE(found.size() == fanouts.size());
  for (std::size_t i = 0; i < fanouts.size(); ++i) {
    int expected = 0;
    for (int d = 0, width = 1; d <= depths[i]; ++d, width *= fanouts[i]) expected += width;
    if (found[i] != expected)
      WB_FAIL_CALL("predict_grids(" << fanouts[i] << ", " << depths[i] << ")", found[i],
                   "; there are " << expected << " grids. Draw the tree for fanout 2 and depth 2: 1 + 2 + 4 grids.");
  }
}

WB_LAB_TEST(correctness, 8, "the tree has all its grids at each depth") {
  const int any_fanout = static_cast<int>(test_random().integer(2, 8));
  const int any_depth = static_cast<int>(test_random().integer(1, any_fanout <= 3 ? 5 : any_fanout == 4 ? 4 : 3));
  for (const auto& [fanout, depth] :
       {std::pair{1, 0}, {1, 5}, {2, 5}, {4, 4}, {8, 0}, {8, 3}, {3, 2}, {any_fanout, any_depth}}) {
    check_tree(fanout, depth, false);
    check_tree(fanout, depth, true);
  }
}

WB_LAB_BENCHMARK {
  const auto lengths = [&] {
    std::vector<int> some;
    // Long rows come in groups, as work in practice does.
    for (int r = 0; r < 768; ++r)
      some.push_back(static_cast<int>(r / 8 % 16 == 0 ? random.integer(20000, 25000) : random.integer(0, 40)));
    return some;
  }();
  Case given = rows_case(random, "sum_rows", lengths);
  return with_changes(random, given);
}
