// One operand of an instruction.
#include "common/simulator/ptx/operands.h"

#include "common/simulator/ptx/constant_expression.h"

namespace warpbook::simulator::ptx {
namespace {

class OperandParser {
 public:
  OperandParser(TokenStream& tokens, const Scopes& scopes) : tokens_(tokens), scopes_(scopes) {}

  Operand operand() {
    NestingGuard guard(tokens_, depth_);
    Operand first = single();
    if (!tokens_.current().is('|') || !may_be_paired(first)) return first;
    tokens_.take();
    Operand pair;
    pair.kind = Operand::Kind::pair;
    pair.elements.push_back(std::move(first));
    pair.elements.push_back(single());
    return pair;
  }

 private:
  static bool may_be_paired(const Operand& operand) {
    return operand.kind == Operand::Kind::reg || operand.kind == Operand::Kind::symbol ||
           operand.kind == Operand::Kind::sink || operand.kind == Operand::Kind::vector;
  }

  Operand single() {
    const Token& token = tokens_.current();
    if (token.is('[')) return address();
    if (token.is('{')) return vector();
    if (token.is('!') && tokens_.following().kind == Token::Kind::word) {
      tokens_.take();
      Operand operand = named();
      operand.negated = true;
      return operand;
    }
    if (token.is_word("_")) {
      tokens_.take();
      return {};
    }
    if (token.is('-') && tokens_.following().kind == Token::Kind::word &&
        !tokens_.following().is_word("WARP_SZ")) {  // Part of a video instruction.
      tokens_.take();
      Operand operand = named();
      operand.negated = true;
      return operand;
    }
    if (begins_constant(token)) return constant();
    if (token.kind == Token::Kind::word) return named();
    tokens_.fail("an operand");
  }

  Operand constant() {
    const Constant value = parse_constant(tokens_);
    Operand operand;
    operand.kind = value.is_float() ? Operand::Kind::floating : Operand::Kind::integer;
    operand.integer = value.bits;
    if (value.is_float()) operand.float_type = value.type;
    return operand;
  }

  Operand named() {
    Operand operand;
    operand.name = tokens_.expect_word("a register or symbol");
    operand.kind = scopes_.is_register(operand.name) ? Operand::Kind::reg : Operand::Kind::symbol;
    if (tokens_.current().kind == Token::Kind::dotted) {
      operand.name.append(".").append(tokens_.take().text);
    } else if (const unsigned width = scopes_.register_width(operand.name); width > 1) {
      return elements_of(operand.name, width);
    }
    if (operand.kind == Operand::Kind::symbol) operand.addend = displacement();
    return operand;
  }

  /// A vector register stands for its elements: "%r1" for "{%r1.x, %r1.y}". Only the halves of a register of 128 bits
  /// keep its name.
  static Operand elements_of(const std::string& name, unsigned width) {
    Operand vector;
    vector.kind = Operand::Kind::vector;
    if (width == kHalves) vector.name = name;
    const unsigned elements = width == kHalves ? 2 : width;
    for (unsigned i = 0; i < elements; ++i) {
      Operand element;
      element.kind = Operand::Kind::reg;
      element.name = name + kVectorElements[i];
      vector.elements.push_back(std::move(element));
    }
    return vector;
  }

  /// "+4", "-4", "+-4" or nothing.
  std::int64_t displacement() {
    if (!tokens_.current().is('+') && !tokens_.current().is('-')) return 0;
    return static_cast<std::int64_t>(parse_integer(tokens_, "a displacement"));
  }

  /// "[name + 4]", "[4]", and for textures "[name, sampler, {x, y}]", whose other parts become elements.
  Operand address() {
    tokens_.take();
    Operand operand;
    if (tokens_.current().kind == Token::Kind::word && !tokens_.current().is_word("WARP_SZ")) {
      operand.name = tokens_.take().text;
      operand.addend = displacement();
    } else {
      operand.addend = static_cast<std::int64_t>(parse_integer(tokens_, "an address"));
    }
    operand.kind = Operand::Kind::address;
    while (tokens_.accept(',')) operand.elements.push_back(this->operand());
    tokens_.expect(']', "to close the address");
    return operand;
  }

  Operand vector() {
    tokens_.take();
    Operand operand;
    operand.kind = Operand::Kind::vector;
    do {
      operand.elements.push_back(this->operand());
    } while (tokens_.accept(','));
    tokens_.expect('}', "to close the vector");
    return operand;
  }

  TokenStream& tokens_;
  const Scopes& scopes_;
  unsigned depth_ = 0;
};

}  // namespace

Operand parse_operand(TokenStream& tokens, const Scopes& scopes) { return OperandParser(tokens, scopes).operand(); }

}  // namespace warpbook::simulator::ptx
