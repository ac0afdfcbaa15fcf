// A precedence parser, and an evaluator that walks the tree.
#include "common/simulator/debugger/expression.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "common/simulator/debugger/expression_words.h"
#include "common/simulator/machine/address_space.h"

namespace warpbook::simulator::debugger {

struct Expression::Node {
  enum class Kind : std::uint8_t { number, name, special, unary, binary, conditional, member, index, cast, size };
  Kind kind = Kind::number;
  std::string text;                        ///< The operator, name, member or type.
  unsigned stars = 0;                      ///< For a cast: how many '*' follow the type.
  ptx::Space space = ptx::Space::generic;  ///< For a cast: "(@shared int*)", whose operand may be an offset there.
  Value value;
  std::vector<std::unique_ptr<Node>> parts;
};

namespace {

using Node = Expression::Node;
using NodePtr = std::unique_ptr<Node>;

/// How tightly a binary operator binds; 0 if @p word is not one.
int precedence(const Word& word) {
  if (word.kind != Word::Kind::sign) return 0;
  constexpr std::pair<std::string_view, int> kBinary[] = {
      {"||", 1}, {"&&", 2}, {"|", 3},  {"^", 4}, {"&", 5}, {"==", 6}, {"!=", 6}, {"<", 7},  {">", 7},  {"<=", 7},
      {">=", 7}, {"<<", 8}, {">>", 8}, {"+", 9}, {"-", 9}, {"*", 10}, {"/", 10}, {"%", 10}, {"@", 11},
  };
  for (const auto& [sign, value] : kBinary)
    if (word.text == sign) return value;
  return 0;
}

/// Nesting limit.
constexpr unsigned kMostDepth = 200;

class Parser {
 public:
  explicit Parser(std::string_view text) : words_(text) {}

  NodePtr whole() {
    if (words_.now().kind == Word::Kind::end) throw EvaluationError("Argument required (expression to compute).");
    NodePtr node = conditional();
    if (node->kind == Node::Kind::name && words_.is("("))
      throw EvaluationError("Functions of the program cannot be called: " + node->text + "().");
    if (words_.now().kind != Word::Kind::end) fail();
    return node;
  }

 private:
  [[noreturn]] void fail() const {
    const Word& word = words_.now();
    throw EvaluationError("A syntax error in expression, near `" +
                          (word.kind == Word::Kind::special ? "$" + word.text : word.text) + "'.");
  }
  static NodePtr make(Node::Kind kind, std::string text, NodePtr first = nullptr, NodePtr second = nullptr) {
    auto node = std::make_unique<Node>();
    node->kind = kind;
    node->text = std::move(text);
    if (first) node->parts.push_back(std::move(first));
    if (second) node->parts.push_back(std::move(second));
    return node;
  }

  NodePtr conditional() {
    if (++depth_ > kMostDepth) throw EvaluationError("The expression is nested too deeply.");
    NodePtr condition = binary(1);
    if (words_.accept("?")) {
      NodePtr yes = conditional();
      if (!words_.accept(":")) fail();
      NodePtr no = conditional();
      condition = make(Node::Kind::conditional, "?", std::move(condition), std::move(yes));
      condition->parts.push_back(std::move(no));
    }
    --depth_;
    return condition;
  }

  NodePtr binary(int least) {
    NodePtr left = unary();
    for (int here = precedence(words_.now()); here >= least && here != 0; here = precedence(words_.now())) {
      const std::string sign = words_.take().text;
      left = make(Node::Kind::binary, sign, std::move(left), binary(here + 1));
    }
    return left;
  }

  NodePtr unary() {
    if (++depth_ > kMostDepth) throw EvaluationError("The expression is nested too deeply.");
    NodePtr node;
    for (const char* sign : {"-", "+", "!", "~", "*", "&"}) {
      if (!node && words_.accept(sign)) node = make(Node::Kind::unary, sign, unary());
    }
    if (!node) node = words_.now().kind == Word::Kind::name && words_.now().text == "sizeof" ? size() : cast();
    --depth_;
    return node;
  }

  NodePtr size() {
    words_.take();
    if (auto type = type_in_brackets()) {
      type->kind = Node::Kind::size;
      return type;
    }
    return make(Node::Kind::size, "", unary());
  }

  /// "(unsigned int*)" and "(struct Point*)": the text in parentheses is a type if it ends with a star or begins with a
  /// type keyword. A bare name of a struct is taken for a variable.
  NodePtr type_in_brackets() {
    const bool has_space = words_.is("(") && words_.is("@", 1);
    std::size_t ahead = has_space ? 3 : 1;
    if (!words_.is("(") || words_.now(ahead).kind != Word::Kind::name) return nullptr;
    const ptx::Space space = has_space ? space_called(words_.now(2).text) : ptx::Space::generic;
    std::string name;
    bool certain = has_space;
    for (; words_.now(ahead).kind == Word::Kind::name; ++ahead) {
      const std::string& word = words_.now(ahead).text;
      certain |= word == "struct" || basic_type(word) != nullptr;
      if (word != "struct" && word != "const" && word != "volatile") name += (name.empty() ? "" : " ") + word;
    }
    unsigned stars = 0;
    for (; words_.is("*", ahead); ++ahead) ++stars;
    if (!words_.is(")", ahead) || (!certain && stars == 0)) return nullptr;
    for (std::size_t i = 0; i <= ahead; ++i) words_.take();
    NodePtr node = make(Node::Kind::cast, name);
    node->stars = stars;
    node->space = space;
    if (has_space && stars == 0) throw EvaluationError("Only a pointer type has a memory space: (@shared int*).");
    return node;
  }

  static ptx::Space space_called(const std::string& name) {
    for (const auto& [known, space] : {std::pair{"shared", ptx::Space::shared},
                                       {"local", ptx::Space::local},
                                       {"global", ptx::Space::global},
                                       {"generic", ptx::Space::generic}})
      if (name == known) return space;
    throw EvaluationError("No memory space named @" + name + ": @shared, @local, @global or @generic is expected.");
  }

  NodePtr cast() {
    if (NodePtr node = type_in_brackets()) {
      node->parts.push_back(unary());
      return node;
    }
    return postfix();
  }

  NodePtr postfix() {
    NodePtr node = primary();
    for (;;) {
      if (words_.accept("[")) {
        node = make(Node::Kind::index, "[", std::move(node), conditional());
        if (!words_.accept("]")) fail();
      } else if (words_.is(".") || words_.is("->")) {
        if (words_.take().text == "->") node = make(Node::Kind::unary, "*", std::move(node));
        if (words_.now().kind != Word::Kind::name) fail();
        node = make(Node::Kind::member, words_.take().text, std::move(node));
      } else {
        return node;
      }
    }
  }

  NodePtr primary() {
    switch (words_.now().kind) {
      case Word::Kind::number: {
        NodePtr node = make(Node::Kind::number, "");
        node->value = words_.take().value;
        return node;
      }
      case Word::Kind::name:
        return make(Node::Kind::name, words_.take().text);
      case Word::Kind::special:
        return make(Node::Kind::special, words_.take().text);
      default:
        if (!words_.accept("(")) fail();
        NodePtr node = conditional();
        if (!words_.accept(")")) fail();
        return node;
    }
  }

  Words words_;
  unsigned depth_ = 0;
};

Value dereferenced(Context& context, const Value& pointer) {
  const Number number = number_of(context, pointer);
  const Type& type = plain(number.type);
  if (type.kind == Type::Kind::integer && type.bytes == 8) {  // As in gdb, an address alone is that of an int.
    Value value;
    value.type = integer_type(4, true);
    value.place = {Place::Kind::memory, ptx::Space::generic, number.bits, ""};
    return value;
  }
  if (type.kind != Type::Kind::pointer) throw EvaluationError("Attempt to take contents of a non-pointer value.");
  if (plain(type.target).kind == Type::Kind::void_)
    throw EvaluationError("Attempt to take contents of a void pointer.");
  Value value;
  value.type = type.target;
  value.place = {Place::Kind::memory, ptx::Space::generic, number.bits, ""};
  if (plain(pointer.type).kind == Type::Kind::array) value.place = pointer.place;
  return value;
}

class Evaluator {
 public:
  explicit Evaluator(Context& context) : context_(context) {}

  Value value(const Node& node) {
    switch (node.kind) {
      case Node::Kind::number:
        return node.value;
      case Node::Kind::name:
        return without_reference(context_.named(node.text));
      case Node::Kind::special:
        return context_.special(node.text);
      case Node::Kind::unary:
        return unary(node);
      case Node::Kind::binary:
        return binary(node);
      case Node::Kind::conditional:
        return value(number(*node.parts[0]).truth() ? *node.parts[1] : *node.parts[2]);
      case Node::Kind::member:
        return member(value(*node.parts[0]), node.text);
      case Node::Kind::index:
        return element(value(*node.parts[0]), number(*node.parts[1]).whole());
      case Node::Kind::cast:
        return cast(node);
      case Node::Kind::size:
        return integer_value(size_of(sized_type(node)), integer_type(8, false));
    }
    return {};
  }

 private:
  Number number(const Node& node) { return number_of(context_, value(node)); }

  Value without_reference(Value found) {
    const Type& type = plain(found.type);
    if (type.kind != Type::Kind::pointer || !type.is_reference) return found;
    return dereferenced(context_, found);
  }

  Value unary(const Node& node) {
    const Node& inner = *node.parts[0];
    if (node.text == "*") return without_reference(dereferenced(context_, value(inner)));
    if (node.text == "&") return address(value(inner));
    Number operand = number(inner);
    if (node.text == "!") return integer_value(operand.truth() ? 0 : 1, boolean_type());
    if (!operand.is_floating && size_of(operand.type) < 4) operand.type = integer_type(4, true);
    if (node.text == "-") {
      operand.floating = -operand.floating;
      operand.bits = 0 - operand.bits;
    } else if (node.text == "~") {
      if (operand.is_floating) throw EvaluationError("Argument to complement operation not an integer, boolean.");
      operand.bits = ~operand.bits;
    }
    return value_of(operand);
  }

  Value address(const Value& of) {
    if (of.place.kind == Place::Kind::in_register)
      throw EvaluationError("Attempt to take address of value not located in memory: it is in register %" +
                            of.place.name.substr(of.place.name.find('%') + 1) + ".");
    if (of.place.kind == Place::Kind::none || of.bits != 0)
      throw EvaluationError("Attempt to take address of value not located in memory.");
    if (of.place.space == ptx::Space::param) throw EvaluationError("A parameter of a kernel has no address.");
    return integer_value(of.place.address, pointer_to(of.type));
  }

  Value member(const Value& whole, const std::string& name) {
    const Value from = without_reference(whole);
    const Type& type = plain(from.type);
    if (type.kind == Type::Kind::pointer) return member(dereferenced(context_, from), name);  // gdb accepts this, too.
    if (type.kind != Type::Kind::structure)
      throw EvaluationError("Attempt to extract a component of a value that is not a structure.");
    if (auto found = find_member(from, type, name)) return without_reference(*found);
    throw EvaluationError("There is no member named " + name + ".");
  }

  std::optional<Value> find_member(const Value& from, const Type& type, const std::string& name) {
    for (const Member& member : type.members) {
      if (member.name != name) continue;
      return part(from, member.type, member.offset, member.bits, member.first_bit);
    }
    for (const Member& member : type.members) {
      if (!member.name.empty() || plain(member.type).kind != Type::Kind::structure) continue;
      if (auto found = find_member(part(from, member.type, member.offset), plain(member.type), name)) return found;
    }
    return std::nullopt;
  }

  Value part(const Value& whole, const Type* type, std::uint64_t offset, std::uint32_t bits = 0,
             std::uint32_t first_bit = 0) {
    Value value;
    value.type = type;
    value.bits = bits;
    value.first_bit = first_bit;
    if (whole.place.kind == Place::Kind::memory) {
      value.place = whole.place;
      value.place.address += offset;
      return value;
    }
    const std::vector<std::uint8_t> bytes = bytes_of(context_, whole);
    if (offset + size_of(type) > bytes.size()) throw EvaluationError("value has been optimized out");
    value.bytes.assign(bytes.begin() + static_cast<std::ptrdiff_t>(offset),
                       bytes.begin() + static_cast<std::ptrdiff_t>(offset + size_of(type)));
    return value;
  }

  Value element(const Value& from, std::int64_t index) {
    const Type& type = plain(from.type);
    if (type.kind == Type::Kind::array)
      return part(from, type.target, static_cast<std::uint64_t>(index) * size_of(type.target));
    if (type.kind != Type::Kind::pointer)
      throw EvaluationError("cannot subscript something of type `" + type_text(from.type) + "'");
    Value value = dereferenced(context_, from);
    value.place.address += static_cast<std::uint64_t>(index) * size_of(value.type);
    return without_reference(value);
  }

  const Type* named_type(const Node& node) {
    const Type* type = basic_type(node.text);
    if (type == nullptr) type = context_.type_named(node.text);
    if (type == nullptr) throw EvaluationError("No struct type named " + node.text + ".");
    for (unsigned i = 0; i < node.stars; ++i) type = pointer_to(type);
    return type;
  }

  /// A name in brackets is a variable or a type.
  const Type* sized_type(const Node& node) {
    if (node.parts.empty()) return named_type(node);
    const Node& inner = *node.parts[0];
    try {
      return value(inner).type;
    } catch (const EvaluationError&) {
      const Type* const type = inner.kind == Node::Kind::name ? context_.type_named(inner.text) : nullptr;
      if (type == nullptr) throw;
      return type;
    }
  }

  Value cast(const Node& node) {
    const Type* type = named_type(node);
    const Value from = value(*node.parts[0]);
    if (!is_scalar(plain(type))) {
      if (size_of(type) != size_of(from.type)) throw EvaluationError("Invalid cast.");
      Value same = from;
      same.type = type;
      return same;
    }
    Number number = converted(number_of(context_, from), type);
    if (number.bits < kWindowBytes) number.bits += window_of(node.space);
    return value_of(number);
  }

  static Number converted(Number number, const Type* type) {
    const bool floating = plain(type).kind == Type::Kind::floating;
    if (floating && !number.is_floating)
      number.floating = plain(number.type).is_signed ? static_cast<double>(static_cast<std::int64_t>(number.bits))
                                                     : static_cast<double>(number.bits);
    if (!floating && number.is_floating)
      number.bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(number.floating));
    if (plain(type).kind == Type::Kind::boolean) number.bits = number.truth() ? 1 : 0;
    number.is_floating = floating;
    number.type = type;
    return number;
  }

  Value binary(const Node& node) {
    const std::string& sign = node.text;
    if (sign == "&&")
      return integer_value(number(*node.parts[0]).truth() && number(*node.parts[1]).truth(), boolean_type());
    if (sign == "||")
      return integer_value(number(*node.parts[0]).truth() || number(*node.parts[1]).truth(), boolean_type());
    if (sign == "@") return repeated(value(*node.parts[0]), number(*node.parts[1]).whole());
    const Number left = number(*node.parts[0]), right = number(*node.parts[1]);
    const bool left_points = plain(left.type).kind == Type::Kind::pointer;
    const bool right_points = plain(right.type).kind == Type::Kind::pointer;
    if ((left_points || right_points) && (sign == "+" || sign == "-")) return moved(left, right, sign == "-");
    return value_of(computed(sign, left, right));
  }

  Value repeated(const Value& first, std::int64_t count) {
    if (first.place.kind != Place::Kind::memory)
      throw EvaluationError("Only values in memory can be extended with '@'.");
    if (count < 1) throw EvaluationError("Invalid number " + std::to_string(count) + " of repetitions.");
    Value all;
    all.type = array_of(first.type, static_cast<std::uint64_t>(count));
    all.place = first.place;
    return all;
  }

  static Value moved(const Number& left, const Number& right, bool back) {
    const bool left_points = plain(left.type).kind == Type::Kind::pointer;
    const Number& pointer = left_points ? left : right;
    const Number& other = left_points ? right : left;
    const std::uint64_t step = std::max<std::uint64_t>(1, size_of(plain(pointer.type).target));
    if (plain(other.type).kind == Type::Kind::pointer)
      return integer_value(static_cast<std::uint64_t>(static_cast<std::int64_t>(left.bits - right.bits) /
                                                      static_cast<std::int64_t>(step)),
                           integer_type(8, true));
    const std::uint64_t by = static_cast<std::uint64_t>(other.whole()) * step;
    return integer_value(back ? pointer.bits - by : pointer.bits + by, pointer.type);
  }

  static Number computed(const std::string& sign, const Number& a, const Number& b) {
    const bool floating = a.is_floating || b.is_floating;
    const std::uint64_t wide = std::max<std::uint64_t>({4, size_of(a.type), size_of(b.type)});
    const auto is_unsigned = [&](const Number& n) { return size_of(n.type) == wide && !plain(n.type).is_signed; };
    const bool shift = sign == "<<" || sign == ">>";
    Number result;
    result.type = floating ? floating_type(size_of(a.type) == 8 || size_of(b.type) == 8 ? 8 : 4)
                  : shift  ? integer_type(static_cast<unsigned>(std::max<std::uint64_t>(4, size_of(a.type))),
                                          size_of(a.type) < 4 || plain(a.type).is_signed)
                           : integer_type(static_cast<unsigned>(wide), !is_unsigned(a) && !is_unsigned(b));
    const Number left = converted(a, result.type), right = converted(b, shift ? integer_type(8, true) : result.type);
    const auto truth = [&](bool yes) {
      result.is_floating = false;
      result.bits = yes ? 1 : 0;
      result.type = boolean_type();
      return result;
    };
    result.is_floating = floating;
    if (floating) {
      const double x = left.floating, y = right.floating;
      if (sign == "+")
        result.floating = x + y;
      else if (sign == "-")
        result.floating = x - y;
      else if (sign == "*")
        result.floating = x * y;
      else if (sign == "/")
        result.floating = x / y;
      else if (sign == "<")
        return truth(x < y);
      else if (sign == ">")
        return truth(x > y);
      else if (sign == "<=")
        return truth(x <= y);
      else if (sign == ">=")
        return truth(x >= y);
      else if (sign == "==")
        return truth(x == y);
      else if (sign == "!=")
        return truth(x != y);
      else
        throw EvaluationError("Integer or bool arguments needed for '" + sign + "'.");
      return result;
    }
    const bool narrow = size_of(result.type) == 4, is_signed = plain(result.type).is_signed;
    const auto fit = [&](std::uint64_t bits) {
      if (!narrow) return bits;
      return is_signed ? static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(bits)})
                       : std::uint64_t{static_cast<std::uint32_t>(bits)};
    };
    const std::uint64_t x = fit(left.bits), y = shift ? right.bits : fit(right.bits);
    const auto sx = static_cast<std::int64_t>(x), sy = static_cast<std::int64_t>(y);
    const bool less = is_signed ? sx < sy : x < y;
    if (sign == "<") return truth(less);
    if (sign == ">") return truth(!less && x != y);
    if (sign == "<=") return truth(less || x == y);
    if (sign == ">=") return truth(!less);
    if (sign == "==") return truth(x == y);
    if (sign == "!=") return truth(x != y);
    if (sign == "+")
      result.bits = x + y;
    else if (sign == "-")
      result.bits = x - y;
    else if (sign == "*")
      result.bits = x * y;
    else if (sign == "&")
      result.bits = x & y;
    else if (sign == "|")
      result.bits = x | y;
    else if (sign == "^")
      result.bits = x ^ y;
    else if (sign == "<<")
      result.bits = y > 63 ? 0 : x << y;
    else if (sign == ">>")
      result.bits = is_signed ? static_cast<std::uint64_t>(sx >> std::min<std::uint64_t>(y, 63)) : y > 63 ? 0 : x >> y;
    else if (y == 0)
      throw EvaluationError("Division by zero");
    else if (is_signed && sy == -1)
      result.bits = sign == "/" ? 0 - x : 0;
    else if (sign == "/")
      result.bits = is_signed ? static_cast<std::uint64_t>(sx / sy) : x / y;
    else
      result.bits = is_signed ? static_cast<std::uint64_t>(sx % sy) : x % y;
    result.bits = fit(result.bits);
    return result;
  }

  Context& context_;
};

}  // namespace

Expression::Expression(std::string_view text) : text_(text), root_(Parser(text).whole()) {}
Expression::~Expression() = default;
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;

Value Expression::evaluate(Context& context) const { return Evaluator(context).value(*root_); }

}  // namespace warpbook::simulator::debugger
