// Initial contents of variables: constants, addresses of symbols and byte masks of addresses.
#include <bit>
#include <cstring>

#include "common/simulator/ptx/constant_expression.h"
#include "common/simulator/ptx/variables.h"

namespace warpbook::simulator::ptx {
namespace {

constexpr std::uint64_t kLargestInitialised = std::uint64_t{1} << 30;

class InitialiserParser {
 public:
  InitialiserParser(TokenStream& tokens, Variable& variable, std::vector<std::uint64_t>& extents)
      : tokens_(tokens), variable_(variable), extents_(extents), element_bytes_(size_of(variable.type)) {}

  void parse() {
    const bool braced = tokens_.current().is('{');
    if (extents_.empty()) {  // A scalar; braces around it are allowed.
      if (braced) tokens_.take();
      value(0);
      if (braced) tokens_.expect('}', "to close the initialiser");
    } else {
      if (!braced) tokens_.fail("'{' before the initialisers of an array");
      list(0, 0);
      if (extents_[0] == 0) extents_[0] = (used_ + stride(0) - 1) / stride(0);
    }
    for (const Variable::Relocation& relocation : variable_.relocations) {
      if (relocation.bytes == 4 || relocation.bytes == 8) continue;
      tokens_.reject("expected an address of 4 or 8 bytes in the initialiser of '" + variable_.name + "', found " +
                     std::to_string(relocation.bytes) + " of '" + relocation.symbol + "'");
    }
    std::uint64_t elements = 1;
    for (const std::uint64_t extent : extents_) {
      if (extent != 0 && elements > kLargestInitialised / element_bytes_ / extent)
        tokens_.reject("more than 2^30 initialised bytes");
      elements *= extent;
    }
    variable_.initial.resize(elements * element_bytes_);
  }

 private:
  /// Number of elements between entries at nesting level @p level.
  std::uint64_t stride(std::size_t level) const {
    std::uint64_t elements = 1;
    for (std::size_t i = level + 1; i < extents_.size(); ++i) elements *= extents_[i];
    return elements == 0 ? 1 : elements;
  }

  void list(std::size_t level, std::uint64_t first) {
    NestingGuard guard(tokens_, depth_);
    tokens_.take();
    if (tokens_.accept('}')) return;
    const std::uint64_t step = stride(level);
    const bool open_ended = level == 0 && extents_[0] == 0;
    const std::uint64_t end = first + extents_[level] * step;
    std::uint64_t position = first;
    do {
      if (!open_ended && position >= end) {
        tokens_.reject("more initialisers than '" + variable_.name + "' has elements");
      }
      if (!tokens_.current().is('{')) {
        value(position++);
      } else if (level + 1 < extents_.size()) {
        list(level + 1, position);
        position += step;
      } else {
        tokens_.fail("a constant or symbol");
      }
    } while (tokens_.accept(','));
    if (position > used_) used_ = position;
    tokens_.expect('}', "to close the initialisers");
  }

  void value(std::uint64_t position) {
    const std::uint64_t offset = position * element_bytes_;
    if (offset + element_bytes_ > kLargestInitialised) tokens_.reject("more than 2^30 initialised bytes");
    const Token& token = tokens_.current();
    if (token.kind == Token::Kind::word && token.text != "WARP_SZ") return address(offset);
    if (token.kind == Token::Kind::integer && tokens_.following().is('(')) return masked_address(offset);
    if (!begins_constant(token)) tokens_.fail("a constant or symbol");
    const std::uint64_t bits = as_bits(constant());
    if (bits == 0) return;  // The variable is zero-filled.
    if (variable_.initial.size() < offset + element_bytes_) variable_.initial.resize(offset + element_bytes_);
    // Little endian, like the device.
    for (unsigned i = 0; i < element_bytes_ && i < 8; ++i) {
      variable_.initial[offset + i] = static_cast<std::uint8_t>(bits >> (8 * i));
    }
  }

  /// Tables of plain numbers can be megabytes long, so they bypass the expression parser.
  Constant constant() {
    const bool plain = tokens_.following().is(',') || tokens_.following().is('}');
    if (!plain || tokens_.current().kind != Token::Kind::integer) return parse_constant(tokens_);
    const Token literal = tokens_.take();
    return {literal.is_unsigned ? Type::u64 : Type::s64, literal.bits};
  }

  /// @p value as an element of the variable's type.
  std::uint64_t as_bits(const Constant& value) const {
    const bool wants_float = variable_.type == Type::f32 || variable_.type == Type::f64;
    if (!value.is_float()) {
      if (wants_float && value.bits != 0) tokens_.reject("expected a floating-point number, found an integer");
      return value.bits;
    }
    if (value.type == Type::f32 && element_bytes_ == 8 && wants_float) {
      const auto number = static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(value.bits)));
      return std::bit_cast<std::uint64_t>(number);
    }
    if (value.type == Type::f64 && variable_.type == Type::f32) {
      return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(value.bits)));
    }
    if (element_bytes_ != size_of(value.type)) {
      tokens_.reject("a floating-point number does not fit an element of type ." +
                     std::string(name_of(variable_.type)));
    }
    return value.bits;
  }

  struct Target {
    std::string symbol;
    std::int64_t addend = 0;
    bool generic = false;
  };

  /// "symbol + 4", "generic(symbol) + 4" or "generic(symbol + 4)".
  Target target() {
    Target target;
    target.symbol = tokens_.expect_word("a symbol");
    if (target.symbol == "generic" && tokens_.accept('(')) {
      target.generic = true;
      target.symbol = tokens_.expect_word("a symbol");
      target.addend = displacement();
      tokens_.expect(')', "after the symbol");
    }
    target.addend += displacement();
    return target;
  }

  std::int64_t displacement() {
    if (!tokens_.current().is('+') && !tokens_.current().is('-')) return 0;
    const std::uint64_t bits = parse_integer(tokens_, "a displacement");
    return static_cast<std::int64_t>(bits << 16) >> 16;  // 48 bits: no sum of two of them overflows.
  }

  void address(std::uint64_t offset) {
    Target to = target();
    variable_.relocations.push_back({offset, element_bytes_, std::move(to.symbol), to.addend, to.generic});
  }

  /// "0xFF00(symbol)": one byte of an address; the consecutive bytes of one address become one relocation.
  void masked_address(std::uint64_t offset) {
    const std::uint64_t mask = tokens_.take().bits;
    tokens_.expect('(', "after the mask of an address");
    Target to = target();
    tokens_.expect(')', "after a masked address");
    const int shift = std::countr_zero(mask);
    if (element_bytes_ != 1 || mask == 0 || shift % 8 != 0 || mask >> shift != 0xff) {
      tokens_.reject("expected the mask of one byte (0xFF, 0xFF00, ...) in an array of bytes, found " +
                     std::to_string(mask));
    }
    if (shift == 0) {
      variable_.relocations.push_back({offset, 1, std::move(to.symbol), to.addend, to.generic});
      return;
    }
    Variable::Relocation* const last = variable_.relocations.empty() ? nullptr : &variable_.relocations.back();
    if (last == nullptr || last->offset + last->bytes != offset || last->bytes * 8 != static_cast<unsigned>(shift) ||
        last->symbol != to.symbol || last->addend != to.addend || last->generic != to.generic) {
      tokens_.reject("expected the bytes of the address of '" + to.symbol + "' to follow each other, lowest first");
    }
    ++last->bytes;
  }

  TokenStream& tokens_;
  Variable& variable_;
  std::vector<std::uint64_t>& extents_;
  const unsigned element_bytes_;
  std::uint64_t used_ = 0;  ///< One past the last element with an initialiser.
  unsigned depth_ = 0;
};

}  // namespace

void parse_initialiser(TokenStream& tokens, Variable& variable, std::vector<std::uint64_t>& extents) {
  InitialiserParser(tokens, variable, extents).parse();
}

}  // namespace warpbook::simulator::ptx
