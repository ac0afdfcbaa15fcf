// One operand of an instruction: registers, constants, symbols, addresses, vectors and pairs.
#pragma once

#include "common/simulator/ptx/ast.h"
#include "common/simulator/ptx/scopes.h"
#include "common/simulator/ptx/token_stream.h"

namespace warpbook::simulator::ptx {

/// Parses one operand. @p scopes distinguishes registers from symbols.
Operand parse_operand(TokenStream& tokens, const Scopes& scopes);

}  // namespace warpbook::simulator::ptx
