// What is linear in the block's index, and what must not be taken for it.
#include "common/simulator/kernel/block_linear.h"

#include "common/testing/catch.h"

using namespace warpbook::simulator;
using Found = std::vector<bool>;
using Shape = LinearForm::Shape;
using Value = LinearForm::Value;

namespace {

struct Row {
  LinearForm form;
  Access access;
  bool constant = false;
  bool crosses_lanes = false;
};

/// An instruction that writes register @p result. @p operands: registers from 0 on, and what follows.
constexpr int kBlock = -1, kThread = -2, kNumber = -3;

Row makes(std::uint32_t result, Shape shape, const std::vector<int>& operands) {
  Row row;
  row.form.shape = shape;
  row.form.shares_inputs = true;
  row.access.writes = {result};
  for (const int operand : operands) {
    if (operand >= 0) {
      row.form.operands.push_back({Value::reg, static_cast<std::uint32_t>(operand)});
      row.access.reads.push_back(static_cast<std::uint32_t>(operand));
    } else {
      row.form.operands.push_back({operand == kBlock    ? Value::block_index
                                   : operand == kThread ? Value::differs_by_thread
                                                        : Value::same_for_all,
                                   kNoRegister});
      row.form.shares_inputs = row.form.shares_inputs && operand == kNumber;
    }
  }
  return row;
}

Row constant(Row row) {
  row.constant = true;
  return row;
}

Row wide(Row row, bool is_signed) {
  row.form.widens = true;
  row.form.is_signed = is_signed;
  return row;
}

/// Stores register @p value (none: -1) at the address in register @p address.
Row stores(std::uint32_t address, int value = -1) {
  Row row;
  row.form.address = address;
  row.access.reads = {address};
  if (value >= 0) row.access.reads.push_back(static_cast<std::uint32_t>(value));
  return row;
}

Row reads(std::uint32_t reg) {
  Row row;
  row.access.reads = {reg};
  return row;
}

BlockLinear find(const std::vector<Row>& rows, std::size_t beginning = 100,
                 const std::vector<std::uint32_t>& live_at_entry = {}) {
  std::vector<LinearForm> forms;
  std::vector<Access> accesses;
  std::vector<bool> constants, crosses;
  for (const Row& row : rows) {
    forms.push_back(row.form);
    accesses.push_back(row.access);
    constants.push_back(row.constant);
    crosses.push_back(row.crosses_lanes);
  }
  return find_block_linear(forms, accesses, constants, crosses, live_at_entry, 8, beginning);
}

}  // namespace

TEST_CASE("the usual index and the address made of it are linear, and an access to it fills nothing") {
  // r0 = parameter; r1 = block * number + thread; r2 = wide r1 * number; r3 = r0 + r2; [r3] = ...
  const BlockLinear found =
      find({constant(makes(0, Shape::sum, {kNumber})), makes(1, Shape::product_and_third, {kBlock, kNumber, kThread}),
            wide(makes(2, Shape::product, {1, kNumber}), true), makes(3, Shape::sum, {0, 2}), stores(3)});
  CHECK(found.instructions == Found{false, true, true, true, false});
  CHECK(found.filled == Found(8, false));
  REQUIRE(found.checks.size() == 1);
  CHECK(found.checks[0] == BlockLinear::Check{1, true});
}

TEST_CASE("what others read is filled") {
  const std::vector<Row> sum{makes(0, Shape::sum, {kBlock, kThread})};
  const auto filled = [&](const Row& reader) {
    std::vector<Row> rows = sum;
    rows.push_back(reader);
    return static_cast<bool>(find(rows).filled[0]);
  };
  CHECK(filled(reads(0)));
  CHECK(filled(stores(1, 0)));
  CHECK(filled(stores(0, 0)));  // The address is stored, too.
  CHECK_FALSE(filled(stores(0, 1)));
}

TEST_CASE("only what every thread computes is filled: others compute theirs where they come by") {
  // r0 = block + thread; behind a branch: r1 = r0 + 1; r2 = r1 + 1, which is read
  const std::vector<Row> rows{makes(0, Shape::sum, {kBlock, kThread}), makes(1, Shape::sum, {0, kNumber}),
                              makes(2, Shape::sum, {1, kNumber}), reads(2)};
  const BlockLinear found = find(rows, 1);
  CHECK(found.instructions == Found{true, false, false, false});
  CHECK(found.filled[0]);
  CHECK_FALSE(found.registers[1]);
  CHECK(find(rows, 3).instructions == Found{true, true, true, false});
}

TEST_CASE("what something linear is made of is filled where others read it, too") {
  // behind a branch: r0 = block + thread; r1 = r0 + 1, which is read; r2 = r0 + 2; [r2] = ...
  const std::vector<Row> rows{makes(0, Shape::sum, {kBlock, kThread}), makes(1, Shape::sum, {0, kNumber}), reads(1),
                              makes(2, Shape::sum, {0, kNumber}), stores(2)};
  const BlockLinear found = find(rows, 0);
  CHECK(found.instructions == Found{true, false, false, true, false});
  CHECK(found.filled[0]);
  CHECK_FALSE(found.filled[2]);
}

TEST_CASE("a product is linear with a number that all threads share, not with what differs") {
  const auto product = [](int a, int b) {
    return static_cast<bool>(find({constant(makes(0, Shape::sum, {kNumber})), constant(makes(1, Shape::sum, {kThread})),
                                   makes(2, Shape::sum, {kBlock}), makes(3, Shape::product, {a, b})})
                                 .instructions[3]);
  };
  CHECK(product(2, 0));
  CHECK(product(0, 2));
  CHECK(product(kBlock, kNumber));
  CHECK_FALSE(product(2, 1));
  CHECK_FALSE(product(kBlock, kThread));
  CHECK_FALSE(product(2, 2));
}

TEST_CASE("a number that was read is shared only if it was read at one place for all") {
  Row load = constant(makes(0, Shape::other, {}));
  load.form.shares_inputs = true;
  CHECK(find({load, makes(1, Shape::product, {kBlock, 0})}).instructions[1]);
  load.form.shares_inputs = false;
  CHECK_FALSE(find({load, makes(1, Shape::product, {kBlock, 0})}).instructions[1]);
}

TEST_CASE("a shift is linear in what is shifted") {
  const Row index = makes(0, Shape::sum, {kBlock});
  CHECK(find({index, makes(1, Shape::shifted, {0, kNumber})}).instructions[1]);
  CHECK_FALSE(find({index, makes(1, Shape::shifted, {kNumber, 0})}).instructions[1]);
  CHECK_FALSE(find({index, makes(1, Shape::shifted, {0, kThread})}).instructions[1]);
}

TEST_CASE("what is written twice, under a guard, read early or by other lanes is not linear") {
  const Row index = makes(0, Shape::sum, {kBlock});
  CHECK(find({index}).instructions[0]);
  CHECK_FALSE(find({index, makes(0, Shape::sum, {0, kNumber})}).instructions[0]);
  CHECK_FALSE(find({index}, 100, {0}).instructions[0]);
  Row guarded = index;
  guarded.access.guarded = true;
  CHECK_FALSE(find({guarded}).instructions[0]);
  Row shuffle = reads(0);
  shuffle.crosses_lanes = true;
  CHECK_FALSE(find({index, shuffle}).instructions[0]);
}
