// Immediates of mma.sp and wgmma.mma_async: selectors, scales, transpositions.
#include "common/simulator/ptx/group_products.h"

#include "common/simulator/ptx/fragments.h"

namespace warpbook::simulator::ptx {
namespace {

struct Kind {
  bool group = false, sparse = false, registers = false;
  bool scales = false, transposes = false;
};

Kind kind_of(OperationId id) {
  const std::string_view name = row(id).name;
  Kind kind;
  kind.group = name.starts_with("wgmma_") && row(id).modifiers.starts_with(".mma_async");
  kind.sparse = name.starts_with("wgmma_sp_") || name.starts_with("mma_sp_");
  kind.registers = kind.group && name.ends_with("_registers");
  const bool has = kind.group;
  const auto of = [&](std::string_view type) { return has && name.find(type) != std::string_view::npos; };
  kind.transposes = of("_half") || of("_bf16");
  kind.scales = kind.transposes || of("_tf32") || of("_fp8");
  return kind;
}

/// Number of valid selectors: the fewer lanes of a quad hold metadata, the more there are.
unsigned selectors(const Modifiers& modifiers, bool group) {
  const unsigned bits = element_bits(modifiers.types[1]), stored_bits = modifiers.matrix.k / 2u * bits;
  if (bits <= 8) return group ? 1 : bits * modifiers.matrix.k / 256u >= 2 ? 1 : 2;
  return stored_bits >= 256 ? 2 : 4;
}

}  // namespace

bool is_group_product(OperationId id) { return kind_of(id).group; }
bool is_sparse_product(OperationId id) { return kind_of(id).sparse; }
bool has_a_in_registers(OperationId id) { return kind_of(id).registers; }

std::int64_t pack_immediates(const std::vector<std::int64_t>& values) {
  std::uint64_t packed = 0;
  for (std::size_t i = 0; i < values.size() && i < 8; ++i)
    packed |= (static_cast<std::uint64_t>(values[i]) & 0xff) << (8 * i);
  return static_cast<std::int64_t>(packed);
}

GroupImmediates group_immediates(OperationId id, std::int64_t packed) {
  const Kind kind = kind_of(id);
  GroupImmediates found;
  auto rest = static_cast<std::uint64_t>(packed);
  const auto next = [&] {
    const auto value = static_cast<std::int8_t>(rest & 0xff);
    rest >>= 8;
    return value;
  };
  if (kind.sparse) found.selector = static_cast<unsigned>(next());
  if (kind.scales) {
    const bool a = next() < 0, b = next() < 0;
    found.negates = a != b;
  }
  if (kind.transposes) {
    found.transposes_a = !kind.registers && next() != 0;
    found.transposes_b = next() != 0;
  }
  return found;
}

std::string wrong_immediates(OperationId id, const Modifiers& modifiers, const std::vector<std::int64_t>& values) {
  const Kind kind = kind_of(id);
  std::size_t at = 0;
  const auto wrong = [&](const std::string& name, const std::string& wanted) {
    return "its " + name + " is " + std::to_string(values[at]) + ", which should be " + wanted;
  };
  if (kind.sparse) {
    const unsigned count = selectors(modifiers, kind.group);
    if (at < values.size() && (values[at] < 0 || values[at] >= count))
      return wrong("sparsity selector", count == 1 ? "0" : "one of 0 to " + std::to_string(count - 1));
    ++at;
  }
  for (unsigned i = 0; kind.scales && i < 2; ++i, ++at)
    if (at < values.size() && values[at] != 1 && values[at] != -1)
      return wrong(i == 0 ? "scale of A" : "scale of B", "1 or -1");
  for (; at < values.size(); ++at)
    if (values[at] != 0 && values[at] != 1) return wrong("transposition", "0 or 1");
  return {};
}

}  // namespace warpbook::simulator::ptx
