// Declarations of variables and parameters: type, alignment, array extents and initial contents.
#pragma once

#include <cstdint>
#include <vector>

#include "common/simulator/ptx/ast.h"
#include "common/simulator/ptx/token_stream.h"

namespace warpbook::simulator::ptx {

/// Parses what follows ".global", ".shared", ...: "[.align n] .type name[extents] [= initialiser] {, name ...};".
/// @param linkage external, visible and weak, which every declared variable takes over; so is its space.
std::vector<Variable> parse_variables(TokenStream& tokens, const Variable& linkage);

/// Parses "(.param .b64 a, .reg .f32 b)"; "()" is an empty list.
std::vector<Variable> parse_parameters(TokenStream& tokens);

/// Parses "= value" or "= { ... }" (with '=' already taken) into Variable::initial and relocations.
/// @param extents of the array (0 for "[]", which the initialiser then fills in) and, innermost, of the vector.
void parse_initialiser(TokenStream& tokens, Variable& variable, std::vector<std::uint64_t>& extents);

/// Parses ".attribute(.managed, ...)" (with ".attribute" already taken); true if ".managed" is among them.
bool parse_attributes(TokenStream& tokens);

}  // namespace warpbook::simulator::ptx
