// Constant expressions: literals and C's operators on 64-bit integers (PTX ISA, "Constant Expressions").
#pragma once

#include <cstdint>

#include "common/simulator/ptx/token_stream.h"
#include "common/simulator/ptx/types.h"

namespace warpbook::simulator::ptx {

struct Constant {
  Type type = Type::s64;  ///< s64, u64, f32 or f64: the type of `bits` (f32 in the low half).
  std::uint64_t bits = 0;

  bool is_float() const { return type == Type::f32 || type == Type::f64; }
};

/// True if @p token can begin a constant.
bool begins_constant(const Token& token);

/// Parses an expression up to the first token that cannot continue it. A float is a literal with an optional sign.
Constant parse_constant(TokenStream& tokens);

/// Parses an integer expression. @throws ParseError for a float, with @p what in the message
std::uint64_t parse_integer(TokenStream& tokens, std::string_view what);

/// Same as parse_integer, but rejects values above 2^32 - 1.
std::uint32_t parse_small_integer(TokenStream& tokens, std::string_view what);

}  // namespace warpbook::simulator::ptx
