// Prints the widest instruction set that this machine's processor supports; run when CMake configures.
#include <cstdio>

#include "common/simulator/machine/processor.h"

int main() {
  const char* widest = "";
  for (const auto& set : warpbook::simulator::kInstructionSets) {
    if (set.is_there()) widest = set.name;
  }
  std::puts(widest);
}
