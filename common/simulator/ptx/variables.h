// Declarations of variables and parameters: type, alignment, array extents and initial contents.
#pragma once

#include <cstdint>
#include <vector>

#include "common/simulator/ptx/ast.h"
#include "common/simulator/ptx/token_stream.h"

namespace warpbook::simulator::ptx {

/// Parses the part after ".global", ".shared", ...: "[.align n] .type name[extents] [= initialiser] {, name ...};".
/// @param linkage external, visible, weak and the state space, copied to every declared variable
std::vector<Variable> parse_variables(TokenStream& tokens, const Variable& linkage);

/// Parses "(.param .b64 a, .reg .f32 b)"; "()" is an empty list.
std::vector<Variable> parse_parameters(TokenStream& tokens);

/// Parses "= value" or "= { ... }" (after '=') into Variable::initial and relocations.
/// @param extents of the array (0 for "[]", filled in from the initialiser) and, innermost, of the vector
void parse_initialiser(TokenStream& tokens, Variable& variable, std::vector<std::uint64_t>& extents);

/// Parses ".attribute(.managed, ...)" after ".attribute"; true if ".managed" is among them.
bool parse_attributes(TokenStream& tokens);

}  // namespace warpbook::simulator::ptx
