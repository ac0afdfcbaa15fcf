// The syntax tree's own behaviour.
#include "common/simulator/ptx/ast.h"

namespace warpbook::simulator::ptx {

std::string Instruction::spelling() const {
  std::string text = opcode;
  for (const std::string& modifier : modifiers) text.append(".").append(modifier);
  return text;
}

}  // namespace warpbook::simulator::ptx
