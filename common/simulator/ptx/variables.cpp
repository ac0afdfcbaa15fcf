// Declarations of variables and parameters.
#include "common/simulator/ptx/variables.h"

#include <bit>
#include <limits>

#include "common/simulator/ptx/constant_expression.h"
#include "common/simulator/ptx/modifiers.h"

namespace warpbook::simulator::ptx {
namespace {

constexpr std::uint64_t kLargestVariable = std::uint64_t{1} << 48;

/// The part before the name, which all names of one directive share.
struct Prefix {
  Variable variable;         ///< Without a name.
  std::uint64_t vector = 1;  ///< 2 for ".v2"
};

std::uint32_t parse_alignment(TokenStream& tokens) {
  const std::uint32_t alignment = parse_small_integer(tokens, "an alignment");
  if (!std::has_single_bit(alignment)) {
    tokens.reject("expected a power of two as alignment, found " + std::to_string(alignment));
  }
  return alignment;
}

/// ".ptr .global .align 16" describes what a pointer parameter points to, not the parameter.
void skip_pointee(TokenStream& tokens) {
  while (tokens.current().kind == Token::Kind::dotted) {
    const Token word = tokens.current();
    if (word.text == "align") {
      tokens.take();
      parse_alignment(tokens);
    } else if (parse_space(word.text)) {
      tokens.take();
    } else {
      tokens.fail("a state space or '.align' after '.ptr'");
    }
  }
}

/// A handle: 64 bits that the runtime fills in.
bool is_opaque_type(std::string_view word) { return word == "texref" || word == "samplerref" || word == "surfref"; }

Prefix parse_prefix(TokenStream& tokens, const Variable& linkage) {
  Prefix prefix{linkage};
  Variable& variable = prefix.variable;
  while (tokens.current().kind == Token::Kind::dotted) {
    const std::string_view word = tokens.current().text;
    if (word == "align") {
      tokens.take();
      variable.alignment = parse_alignment(tokens);
    } else if (word == "attribute") {
      tokens.take();
      variable.managed = parse_attributes(tokens) || variable.managed;
    } else if (word == "v2" || word == "v4" || word == "v8") {
      tokens.take();
      prefix.vector = static_cast<std::uint64_t>(word[1] - '0');
    } else if (word == "ptr") {
      tokens.take();
      skip_pointee(tokens);
    } else if (const Type type = parse_type(word); type != Type::none && variable.type == Type::none) {
      tokens.take();
      variable.type = type;
    } else if (is_opaque_type(word)) {
      tokens.take();
      variable.type = Type::b64;
    } else {
      tokens.fail("a type or '.align'");
    }
  }
  if (variable.type == Type::none) tokens.fail("a type");
  return prefix;
}

std::vector<std::uint64_t> parse_extents(TokenStream& tokens) {
  std::vector<std::uint64_t> extents;
  while (tokens.accept('[')) {
    if (tokens.accept(']')) {
      if (!extents.empty()) tokens.reject("only the first extent of an array may be empty");
      extents.push_back(0);
      continue;
    }
    extents.push_back(parse_integer(tokens, "the extent of an array"));
    tokens.expect(']', "after the extent of an array");
  }
  return extents;
}

std::uint64_t product(const TokenStream& tokens, const std::vector<std::uint64_t>& extents, unsigned element_bytes) {
  std::uint64_t elements = 1;
  for (const std::uint64_t extent : extents) {
    if (extent != 0 && elements > kLargestVariable / element_bytes / extent) {
      tokens.reject("an array of more than 2^48 bytes");
    }
    elements *= extent;
  }
  return elements;
}

Variable parse_declarator(TokenStream& tokens, const Prefix& prefix) {
  Variable variable = prefix.variable;
  variable.name = tokens.expect_word("the name of a variable");
  const unsigned element_bytes = size_of(variable.type);
  if (variable.alignment == 0) variable.alignment = element_bytes * static_cast<std::uint32_t>(prefix.vector);
  std::vector<std::uint64_t> extents = parse_extents(tokens);
  if (prefix.vector > 1) extents.push_back(prefix.vector);
  variable.elements = product(tokens, extents, element_bytes);
  if (tokens.accept('=')) {
    parse_initialiser(tokens, variable, extents);
    variable.elements = product(tokens, extents, element_bytes);
  }
  return variable;
}

}  // namespace

bool parse_attributes(TokenStream& tokens) {
  bool managed = false;
  tokens.expect('(', "after '.attribute'");
  do {
    if (tokens.accept_dotted("managed")) {
      managed = true;
    } else if (tokens.accept_dotted("unified")) {
      tokens.expect('(', "after '.unified'");
      parse_integer(tokens, "the first half of an identifier");
      tokens.expect(',', "between the halves of an identifier");
      parse_integer(tokens, "the second half of an identifier");
      tokens.expect(')', "after '.unified'");
    } else {
      tokens.fail("'.managed' or '.unified'");
    }
  } while (tokens.accept(','));
  tokens.expect(')', "after the attributes");
  return managed;
}

std::vector<Variable> parse_variables(TokenStream& tokens, const Variable& linkage) {
  const Prefix prefix = parse_prefix(tokens, linkage);
  std::vector<Variable> variables;
  do {
    variables.push_back(parse_declarator(tokens, prefix));
  } while (tokens.accept(','));
  tokens.expect(';', "after the declaration of a variable");
  return variables;
}

std::vector<Variable> parse_parameters(TokenStream& tokens) {
  std::vector<Variable> parameters;
  tokens.expect('(', "before the parameters");
  if (tokens.accept(')')) return parameters;
  do {
    Variable linkage;
    if (tokens.accept_dotted("param")) {
      linkage.space = Space::param;
    } else if (!tokens.accept_dotted("reg")) {
      tokens.fail("'.param' or '.reg'");
    }
    parameters.push_back(parse_declarator(tokens, parse_prefix(tokens, linkage)));
  } while (tokens.accept(','));
  tokens.expect(')', "after the parameters");
  return parameters;
}

}  // namespace warpbook::simulator::ptx
