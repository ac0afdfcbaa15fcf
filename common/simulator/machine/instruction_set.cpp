// Chooses, once, the widest instruction set that was built, that this processor supports and that WARPBOOK_ISA allows.
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <stdexcept>
#include <string>

#include "common/simulator/machine/launch.h"
#include "common/simulator/machine/operations/table.h"
#include "common/simulator/machine/processor.h"

// built_instruction_sets.def, written by CMake, has one line WB_INSTRUCTION_SET(name) for each.
namespace warpbook::simulator {
namespace operations {

#define WB_INSTRUCTION_SET(name)                                 \
  namespace name {                                               \
  Handler find_handler(ptx::OperationId, const ptx::Modifiers&); \
  }
#include "built_instruction_sets.def"
#undef WB_INSTRUCTION_SET

}  // namespace operations

namespace {

struct Built {
  std::string_view name;
  Handler (*find_handler)(ptx::OperationId, const ptx::Modifiers&);
};

constexpr Built kBuilt[] = {
#define WB_INSTRUCTION_SET(name) {#name, operations::name::find_handler},
#include "built_instruction_sets.def"
#undef WB_INSTRUCTION_SET
};

const Built* find_built(std::string_view name) {
  for (const Built& built : kBuilt) {
    if (built.name == name) return &built;
  }
  return nullptr;
}

std::string names_of_built() {
  std::string names;
  for (const Built& built : kBuilt) names.append(names.empty() ? "" : ", ").append(built.name);
  return names;
}

/// The widest one up to @p asked. If none that narrow was built: the narrowest that the processor supports, since
/// results do not depend on it.
const Built& choose(std::string_view asked) {
  const auto limit = std::find_if(std::begin(kInstructionSets), std::end(kInstructionSets),
                                  [&](const InstructionSet& set) { return asked == set.name; });
  if (limit == std::end(kInstructionSets) && !asked.empty())
    throw std::runtime_error("WARPBOOK_ISA is '" + std::string(asked) + "': use baseline, avx2 or avx512");
  const Built* best = nullptr;
  for (const auto* set = std::begin(kInstructionSets); set != std::end(kInstructionSets); ++set) {
    const Built* built = set->is_there() ? find_built(set->name) : nullptr;
    if (built != nullptr && (best == nullptr || set <= limit)) best = built;
  }
  if (best == nullptr) {
    throw std::runtime_error("this virtual GPU was built for processors with " + names_of_built() +
                             ", which this one lacks. Configure it here, or for all: cmake --preset sim "
                             "-DWARPBOOK_ISAS=all");
  }
  return *best;
}

const Built& chosen() {
  static const Built& built = [&]() -> const Built& {
    const char* wanted = std::getenv("WARPBOOK_ISA");
    return choose(wanted == nullptr ? "" : wanted);
  }();
  return built;
}

}  // namespace

std::string_view instruction_set() { return chosen().name; }

Handler operations::find_handler(ptx::OperationId id, const ptx::Modifiers& modifiers) {
  return chosen().find_handler(id, modifiers);
}

}  // namespace warpbook::simulator
