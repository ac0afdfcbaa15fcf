// Changes are carried in a case, in order, and change bytes as specified.
#include "grader/judge/change.h"

#include <list>
#include <numeric>

#include "common/testing/catch.h"

using namespace warpbook::grader;

namespace {

template <class T>
std::vector<T> changed(std::vector<T> values, const Change& change) {
  change.apply(std::as_writable_bytes(std::span(values)));
  return values;
}

Change only(ChangeBy by, const std::vector<std::int32_t>& values, std::uint64_t first = 0) {
  static std::list<Case> kept;
  change(kept.emplace_back(), Moment::tail(), "x", values, by, first);
  return changes_of(kept.back()).at(0);
}

}  // namespace

TEST_CASE("changes come out of a case as they went in, and in that order") {
  Case given = Case().set("x", std::vector<float>{1, 2});
  for (int i = 0; i < 12; ++i)
    change(given, Moment::child(static_cast<unsigned>(i)), "y.z", std::vector<float>{static_cast<float>(i)},
           ChangeBy::adding, std::uint64_t{100} + static_cast<std::uint64_t>(i));
  change(given, Moment::arrival(), kHeap, std::vector<std::uint8_t>{7});
  const std::vector<Change> changes = changes_of(given);
  REQUIRE(changes.size() == 13);
  for (unsigned i = 0; i < 12; ++i) {
    CHECK(changes[i].moment == Moment::child(i));
    CHECK(changes[i].array == "y.z");
    CHECK(changes[i].by == ChangeBy::adding);
    CHECK(changes[i].first == 100 + i);
  }
  CHECK(changes[12].moment == Moment::arrival());
  CHECK(changes[12].array == kHeap);
  CHECK(changes[12].by == ChangeBy::replacing);
}

TEST_CASE("a program does not see changes, and no message lists them") {
  Case given = Case().set("n", 5);
  change(given, Moment::tail(), "x", std::vector<float>{1});
  CHECK(without_contents(given) == Case().set("n", 5));
  CHECK(given.describe() == "n 5");
}

TEST_CASE("elements are replaced, added to, multiplied and inverted") {
  const std::vector<std::int32_t> values = {1, -2, 3};
  CHECK(changed(values, only(ChangeBy::replacing, {9, 8}, 1)) == std::vector<std::int32_t>{1, 9, 8});
  CHECK(changed(values, only(ChangeBy::adding, {-5, 2147483647})) == std::vector<std::int32_t>{-4, 2147483645, 3});
  CHECK(changed(values, only(ChangeBy::multiplying, {3, 3, 3})) == std::vector<std::int32_t>{3, -6, 9});
  CHECK(changed(values, only(ChangeBy::inverting, {1, 1, 1})) == std::vector<std::int32_t>{0, -1, 2});
  Case given;
  change(given, Moment::tail(), "x", std::vector<float>{2}, ChangeBy::multiplying);
  CHECK(changed(std::vector<float>{1.5f, 1}, changes_of(given)[0]) == std::vector<float>{3, 1});
}

TEST_CASE("values are repeated over a whole array") {
  CHECK(changed(std::vector<std::int32_t>{1, 2, 3}, only(ChangeBy::adding, {10, 20}, kWhole)) ==
        std::vector<std::int32_t>{11, 22, 13});
}

TEST_CASE("in heap memory values are repeated over each piece, and an incomplete element stays") {
  Case given;
  change(given, Moment::tail(), kHeap, std::vector<float>{2}, ChangeBy::multiplying);
  std::vector<std::byte> piece(11, std::byte{1});
  const float ones[] = {1, 1};
  std::memcpy(piece.data(), ones, sizeof ones);
  changes_of(given)[0].apply(piece);
  float found[2];
  std::memcpy(found, piece.data(), sizeof found);
  CHECK((found[0] == 2 && found[1] == 2));
  CHECK((piece[8] == std::byte{1} && piece[10] == std::byte{1}));
}

TEST_CASE("a change beyond the end of its array is refused") {
  std::vector<std::int32_t> values(3);
  for (const Change& beyond : {only(ChangeBy::replacing, {1, 2}, 2), only(ChangeBy::replacing, {1}, 3),
                               only(ChangeBy::replacing, {1}, kWhole - 1)})
    CHECK_THROWS_AS(beyond.apply(std::as_writable_bytes(std::span(values))), ValueError);
}

TEST_CASE("what is found anywhere is replaced wherever it is") {
  std::vector<std::uint8_t> memory(40);
  std::iota(memory.begin(), memory.end(), std::uint8_t{0});
  std::copy_n(memory.begin() + 10, 3, memory.end() - 3);
  Case given;
  change(given, Moment::tail(), kAnywhere, std::vector<std::uint8_t>{10, 11, 12, 200, 201, 202});
  change(given, Moment::tail(), kAnywhere, std::vector<std::uint8_t>{99, 200});
  const std::vector<Change> changes = changes_of(given);
  CHECK(changes[0].replace_all(std::as_writable_bytes(std::span(memory))));
  CHECK(memory[10] == 200);
  CHECK(memory[39] == 202);
  CHECK(memory[9] == 9);
  CHECK_FALSE(changes[1].replace_all(std::as_writable_bytes(std::span(memory))));
}

TEST_CASE("names that are not those of changes are refused") {
  for (const char* const name : {"warpbook.change.1000.2.x", "warpbook.change."}) {
    const Case given = Case().set(name, std::vector<float>{1});
    CHECK_THROWS_AS(changes_of(given), ValueError);
  }
}
