// The body of a function: declarations, labels, instructions and calls, in textual order.
#pragma once

#include "common/simulator/ptx/ast.h"
#include "common/simulator/ptx/inlining.h"
#include "common/simulator/ptx/token_stream.h"

namespace warpbook::simulator::ptx {

/// Parses "{ ... }" into @p function, flattening nested scopes. Source positions are recorded in @p inlining, which
/// resolves them when the module's files are known.
void parse_body(TokenStream& tokens, Function& function, Inlining& inlining);

/// Parses ".pragma "a", "b";" after ".pragma" itself. Pragmas only guide ptxas.
void skip_pragma(TokenStream& tokens);

}  // namespace warpbook::simulator::ptx
