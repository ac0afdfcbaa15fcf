// Collects the linear accesses of a kernel, and compares the bytes of its blocks axis by axis.
#include "common/simulator/machine/disjoint_blocks.h"

#include <algorithm>
#include <optional>

#include "common/simulator/machine/block_state.h"
#include "common/simulator/machine/control.h"

namespace warpbook::simulator {
namespace {

using ptx::OperationId;
using Spans = std::vector<ByteSpan>;

/// With more, the proof would take longer than saving what is overwritten.
constexpr std::size_t kMostSpans = 4096, kMostComparisons = std::size_t{1} << 16;
/// No distance within device memory is longer.
constexpr std::int64_t kFar = std::int64_t{1} << 40;

/// Sorts spans, and joins those that touch or overlap.
void join(Spans& spans) {
  std::sort(spans.begin(), spans.end(), [](const ByteSpan& a, const ByteSpan& b) { return a.begin < b.begin; });
  std::size_t last = 0;
  for (std::size_t i = 1; i < spans.size(); ++i) {
    if (spans[i].begin <= spans[last].end)
      spans[last].end = std::max(spans[last].end, spans[i].end);
    else
      spans[++last] = spans[i];
  }
  if (!spans.empty()) spans.resize(last + 1);
}

/// Whether joined spans overlap themselves moved by @p distance.
bool overlap(const Spans& spans, std::int64_t distance) {
  for (std::size_t still = 0, moved = 0; still < spans.size() && moved < spans.size();) {
    if (spans[still].end <= spans[moved].begin + distance)
      ++still;
    else if (spans[moved].end + distance <= spans[still].begin)
      ++moved;
    else
      return true;
  }
  return false;
}

bool are_disjoint_along(const Spans& spans, const GridAxis& axis) {
  const std::int64_t extent = spans.back().end - spans.front().begin;
  std::size_t comparisons = 0;
  for (std::int64_t k = 1; k < axis.blocks && k * axis.step < extent; ++k) {
    comparisons += spans.size();
    if (comparisons > kMostComparisons || overlap(spans, k * axis.step)) return false;
  }
  return true;
}

/// The spans of all blocks along an axis, or if they are too many, one that contains them.
void repeat(Spans& spans, const GridAxis& axis) {
  const std::int64_t whole = axis.step * (axis.blocks - 1);
  const bool touch =
      std::all_of(spans.begin(), spans.end(), [&](const ByteSpan& s) { return s.end - s.begin == axis.step; });
  if (!touch && spans.size() * axis.blocks > kMostSpans) {
    spans = {{spans.front().begin, spans.back().end + whole}};
    return;
  }
  const std::size_t count = spans.size();
  for (std::size_t i = 0; i < count; ++i) {
    const ByteSpan first = spans[i];
    if (touch) spans[i].end += whole;
    for (std::int64_t k = 1; k < axis.blocks && !touch; ++k)
      spans.push_back({first.begin + k * axis.step, first.end + k * axis.step});
  }
  join(spans);
}

/// An operation that can neither read nor write global memory, as far as its kernel may write it.
bool stays_in_block(const Operation& operation, const OperationDetail& detail) {
  const HandlerSet& handlers = handler_set();
  for (const Handler handler : {operation.handler, operation.guarded}) {
    if (handler != nullptr &&
        (handler == handlers.call || handler == handlers.indirect_call || handler == handlers.system_call))
      return false;
  }
  const ptx::Space space = detail.modifiers.space;
  switch (detail.id) {
    case OperationId::ld:
    case OperationId::st:  // Constant memory is not in what is written: have_disjoint_writes().
      return space == ptx::Space::shared || space == ptx::Space::local || space == ptx::Space::constant;
    case OperationId::ld_param:
    case OperationId::st_param:
    case OperationId::shfl:
    case OperationId::shfl_sync:
    case OperationId::membar:
    case OperationId::fence:
      return true;
    default:
      return ptx::is_atomic(detail.id) ? space == ptx::Space::shared : detail.pipe != ptx::Pipe::lsu;
  }
}

/// A load or store, and what it accesses in block (0, 0, 0).
struct LinearAccess {
  bool writes = false;
  LinearRegisters::Steps steps = {};  ///< From block to block.
  Spans spans;
  ByteSpan whole;  ///< Contains what all blocks access.
};

/// @returns false if it accesses too much, or too far away
bool describe(const Launch& launch, const Operation& operation, const LinearRegisters::Warps& warps,
              LinearAccess& access) {
  const OperationDetail& detail = launch.program->details[operation.index];
  const std::int64_t bytes = std::int64_t{ptx::size_of(detail.modifiers.types[0])} * operation.count;
  const std::uint64_t threads = launch.block.count();
  for (const auto& warp : warps) {
    const auto* const address = reinterpret_cast<const std::uint64_t*>(warp->root.registers + operation.a);
    for (unsigned lane = 0; lane < kWarpSize && std::uint64_t{warp->index} * kWarpSize + lane < threads; ++lane) {
      const auto at = static_cast<std::int64_t>(address[lane] + static_cast<std::uint64_t>(operation.immediate) -
                                                GlobalMemory::kBase);
      if (at < -kFar || at > kFar) return false;
      if (!access.spans.empty() && access.spans.back().end == at)
        access.spans.back().end += bytes;
      else
        access.spans.push_back({at, at + bytes});
    }
    if (access.spans.size() > kMostSpans) return false;
  }
  join(access.spans);
  access.whole = {access.spans.front().begin, access.spans.back().end};
  const std::uint32_t blocks[] = {launch.grid.x, launch.grid.y, launch.grid.z};
  for (unsigned axis = 0; axis < 3; ++axis) {
    const std::int64_t step = access.steps[axis], count = std::int64_t{blocks[axis]} - 1;
    if (step < -kFar || step > kFar || (count != 0 && (step < 0 ? -step : step) > kFar / count)) return false;
    (step < 0 ? access.whole.begin : access.whole.end) += step * count;
  }
  return true;
}

/// The kernel's accesses to global memory; empty if some are not known.
std::optional<std::vector<LinearAccess>> linear_accesses(const Launch& launch, const LinearRegisters& linear,
                                                         const LinearRegisters::Warps& warps) {
  const Program& program = *launch.program;
  const Function& kernel = *launch.kernel;
  std::vector<LinearAccess> accesses;
  const std::uint32_t end = kernel.end < program.code_of.size() ? program.code_of[kernel.end]
                                                                : static_cast<std::uint32_t>(program.code.size());
  for (std::uint32_t i = program.code_of[kernel.begin]; i < end; ++i) {
    const Operation& operation = program.code[i];
    const OperationDetail& detail = program.details[operation.index];
    const bool is_access = detail.id == OperationId::ld || detail.id == OperationId::st;
    if (detail.internal) continue;
    if (!is_access || operation.pattern == kNoOperand || operation.space != ptx::Space::global) {
      if (!stays_in_block(operation, detail)) return std::nullopt;
      continue;
    }
    LinearAccess access;
    access.writes = detail.id == OperationId::st;
    access.steps = linear.steps(kernel.global_patterns[operation.pattern]);
    if (!describe(launch, operation, warps, access)) return std::nullopt;
    accesses.push_back(std::move(access));
  }
  return accesses;
}

/// Memory that has one address only, and that the host cannot access after a fault.
bool is_plain(const Allocation& allocation) {
  return allocation.kind == MemoryKind::device && !allocation.mapped && !allocation.is_pooled &&
         !allocation.is_constant() && !allocation.read_only;
}

}  // namespace

bool are_disjoint(Spans spans, std::vector<GridAxis> axes) {
  if (spans.empty()) return true;
  join(spans);
  std::erase_if(axes, [](const GridAxis& axis) { return axis.blocks == 1; });
  for (GridAxis& axis : axes) axis.step = axis.step < 0 ? -axis.step : axis.step;
  std::sort(axes.begin(), axes.end(), [](const GridAxis& a, const GridAxis& b) { return a.step < b.step; });
  for (const GridAxis& axis : axes) {
    if (axis.step == 0 || axis.step > kFar / axis.blocks || !are_disjoint_along(spans, axis)) return false;
    repeat(spans, axis);
  }
  return true;
}

bool have_disjoint_writes(const Launch& launch, const LinearRegisters& linear, const LinearRegisters::Warps& warps) {
  if (!linear.is_linear()) return false;
  const std::optional<std::vector<LinearAccess>> accesses = linear_accesses(launch, linear, warps);
  if (!accesses) return false;
  struct Written {
    const Allocation* allocation = nullptr;
    LinearRegisters::Steps steps = {};
    Spans spans;
    ByteSpan whole;
  };
  std::vector<Written> all;
  for (const LinearAccess& access : *accesses) {
    if (!access.writes) continue;
    const std::uint64_t begin = GlobalMemory::kBase + static_cast<std::uint64_t>(access.whole.begin);
    const Allocation* const allocation = launch.memory->find(begin);
    if (allocation == nullptr || !is_plain(*allocation) || !allocation->allows(launch.device) ||
        !allocation->contains(begin, static_cast<std::uint64_t>(access.whole.end - access.whole.begin)))
      return false;
    const auto same =
        std::find_if(all.begin(), all.end(), [&](const Written& w) { return w.allocation == allocation; });
    if (same == all.end()) {
      all.push_back({allocation, access.steps, access.spans, access.whole});
      continue;
    }
    if (same->steps != access.steps) return false;
    same->spans.insert(same->spans.end(), access.spans.begin(), access.spans.end());
    same->whole = {std::min(same->whole.begin, access.whole.begin), std::max(same->whole.end, access.whole.end)};
  }
  for (const LinearAccess& access : *accesses) {
    const bool reads_written = !access.writes && std::any_of(all.begin(), all.end(), [&](const Written& w) {
      return access.whole.begin < w.whole.end && w.whole.begin < access.whole.end;
    });
    if (reads_written) return false;
  }
  return std::all_of(all.begin(), all.end(), [&](const Written& w) {
    return are_disjoint(w.spans,
                        {{w.steps[0], launch.grid.x}, {w.steps[1], launch.grid.y}, {w.steps[2], launch.grid.z}});
  });
}

}  // namespace warpbook::simulator
