// The operand column of the operation table, parsed once.
#include "common/simulator/ptx/operation_shapes.h"

#include "common/simulator/ptx/modifiers.h"

namespace warpbook::simulator::ptx {
namespace {

struct Named {
  Shape shape = Shape::any;
  Type fixed = Type::none;
};

std::optional<Named> parse_name(std::string_view name) {
  if (name == "T") return Named{Shape::type0};
  if (name == "U") return Named{Shape::type1};
  if (name == "V") return Named{Shape::type2};
  if (name == "W") return Named{Shape::wide};
  if (name == "pred") return Named{Shape::predicate, Type::pred};
  if (name == "addr") return Named{Shape::address};
  if (name == "image") return Named{Shape::image};
  if (name == "at") return Named{Shape::place};
  if (name == "imm") return Named{Shape::immediate};
  if (name == "label") return Named{Shape::label};
  if (name == "any") return Named{Shape::any};
  if (const Type type = parse_type(name); type != Type::none) return Named{Shape::fixed, type};
  return std::nullopt;
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::optional<OperandShape> parse_shape(std::string_view text) {
  OperandShape shape;
  text = trimmed(text);
  if (text.starts_with('=')) {
    shape.output = true;
    text.remove_prefix(1);
  }
  if (text.ends_with('?')) {
    shape.optional = true;
    text.remove_suffix(1);
  }
  if (const std::size_t bar = text.find('|'); bar != std::string_view::npos) {
    const auto second = parse_name(text.substr(bar + 1));
    if (!second || !shape.output) return std::nullopt;
    shape.pair = true;
    shape.second = second->shape;
    shape.second_fixed = second->fixed;
    text = text.substr(0, bar);
  }
  const bool vector = text.ends_with('*');
  if (vector) text.remove_suffix(1);
  const auto first = parse_name(text);
  if (!first) return std::nullopt;
  shape.shape = vector ? Shape::vector : first->shape;
  shape.fixed = first->fixed;
  if (vector) shape.element = first->shape;
  return shape;
}

std::vector<std::vector<OperandShape>> parse_all() {
  std::vector<std::vector<OperandShape>> all(static_cast<std::size_t>(OperationId::count));
  for (std::size_t i = 0; i < all.size(); ++i) {
    // A malformed column has no operands here; a test checks that there is none.
    all[i] = parse_shapes(row(static_cast<OperationId>(i)).operands).value_or(std::vector<OperandShape>());
  }
  return all;
}

}  // namespace

std::optional<std::vector<OperandShape>> parse_shapes(std::string_view operands) {
  std::vector<OperandShape> shapes;
  if (trimmed(operands).empty()) return shapes;
  for (;;) {
    const std::size_t comma = operands.find(',');
    const auto shape = parse_shape(operands.substr(0, comma));
    if (!shape) return std::nullopt;
    shapes.push_back(*shape);
    if (comma == std::string_view::npos) return shapes;
    operands = operands.substr(comma + 1);
  }
}

const std::vector<OperandShape>& shapes(OperationId id) {
  static const std::vector<std::vector<OperandShape>> all = parse_all();
  return all[static_cast<std::size_t>(id)];
}

}  // namespace warpbook::simulator::ptx
