// Chooses, once, the widest instruction set that this processor has and WARPBOOK_ISA allows.
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "common/simulator/machine/launch.h"
#include "common/simulator/machine/operations/table.h"

namespace warpbook::simulator {
namespace operations {

namespace baseline {
Handler find_handler(ptx::OperationId, const ptx::Modifiers&);
}
namespace avx2 {
Handler find_handler(ptx::OperationId, const ptx::Modifiers&);
}
namespace avx512 {
Handler find_handler(ptx::OperationId, const ptx::Modifiers&);
}

}  // namespace operations

namespace {

enum class Isa { baseline, avx2, avx512 };

Isa widest() {
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
                    __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
  if (!avx2) return Isa::baseline;
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512cd");
  return avx512 ? Isa::avx512 : Isa::avx2;
}

Isa chosen() {
  static const Isa isa = [] {
    const Isa best = widest();
    const char* wanted = std::getenv("WARPBOOK_ISA");
    if (wanted == nullptr || *wanted == '\0') return best;
    const std::string name = wanted;
    const Isa asked = name == "baseline" ? Isa::baseline : name == "avx2" ? Isa::avx2 : Isa::avx512;
    if (name != "baseline" && name != "avx2" && name != "avx512") {
      throw std::runtime_error("WARPBOOK_ISA is '" + name + "': use baseline, avx2 or avx512");
    }
    return asked < best ? asked : best;
  }();
  return isa;
}

}  // namespace

std::string_view instruction_set() {
  switch (chosen()) {
    case Isa::avx512:
      return "avx512";
    case Isa::avx2:
      return "avx2";
    default:
      return "baseline";
  }
}

Handler operations::find_handler(ptx::OperationId id, const ptx::Modifiers& modifiers) {
  switch (chosen()) {
    case Isa::avx512:
      return avx512::find_handler(id, modifiers);
    case Isa::avx2:
      return avx2::find_handler(id, modifiers);
    default:
      return baseline::find_handler(id, modifiers);
  }
}

}  // namespace warpbook::simulator
