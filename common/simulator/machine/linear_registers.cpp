// Executes the linear instructions for the first block and its neighbours, and extrapolates.
#include "common/simulator/machine/linear_registers.h"

#include <algorithm>

#include "common/simulator/kernel/registers.h"
#include "common/simulator/machine/block_state.h"

namespace warpbook::simulator {
namespace {

const std::uint32_t* narrow_lanes(const WarpState& warp, std::uint32_t slot) {
  return reinterpret_cast<const std::uint32_t*>(warp.root.registers + slot);
}

const std::uint64_t* wide_lanes(const WarpState& warp, std::uint32_t slot) {
  return reinterpret_cast<const std::uint64_t*>(warp.root.registers + slot);
}

template <class Word>
void fill(std::byte* slot, const std::uint64_t* values, std::uint64_t origin) {
  auto* lanes = reinterpret_cast<Word*>(slot);
  for (unsigned lane = 0; lane < kWarpSize; ++lane) lanes[lane] = static_cast<Word>(values[lane] + origin);
}

unsigned axis_of(Preset::Kind kind) {
  return static_cast<unsigned>(kind) - static_cast<unsigned>(Preset::Kind::ctaid_x);
}

}  // namespace

std::uint64_t LinearRegisters::Register::in_first_lane(const WarpState& warp) const {
  return wide ? *wide_lanes(warp, slot) : *narrow_lanes(warp, slot);
}

std::uint64_t LinearRegisters::Register::origin(const std::uint32_t (&index)[3]) const {
  return growth[0] * index[0] + growth[1] * index[1] + growth[2] * index[2];
}

LinearRegisters::Steps LinearRegisters::steps(std::uint32_t origin) const {
  if (origin == kNoOperand) return {};
  const PerAxis& growth = addresses_[origin].growth;
  return {static_cast<std::int64_t>(growth[0]), static_cast<std::int64_t>(growth[1]),
          static_cast<std::int64_t>(growth[2])};
}

void LinearRegisters::execute(WarpState& warp, const std::uint32_t (&index)[3]) const {
  for (const Preset& preset : index_) {
    std::byte* const slot = warp.root.registers + preset.slot;
    const std::uint32_t value = index[axis_of(preset.kind)];
    if (preset.bytes == 8)
      std::fill_n(reinterpret_cast<std::uint64_t*>(slot), kWarpSize, value);
    else
      std::fill_n(reinterpret_cast<std::uint32_t*>(slot), kWarpSize, value);
  }
  warp.registers = warp.root.registers;
  warp.exec = warp.active = kFullMask;
  for (const Operation& operation : part_->operations) operation.handler(warp, &operation);
}

bool LinearRegisters::overflows(const Register& reg, bool is_signed, const Warps& warps) const {
  const auto value = [&](std::uint64_t word) {
    const auto narrow = static_cast<std::uint32_t>(word);
    return is_signed ? std::int64_t{static_cast<std::int32_t>(narrow)} : std::int64_t{narrow};
  };
  std::int64_t low = INT64_MAX, high = INT64_MIN;
  for (const auto& warp : warps) {
    const std::uint32_t* const lanes = narrow_lanes(*warp, reg.slot);
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      low = std::min(low, value(lanes[lane]));
      high = std::max(high, value(lanes[lane]));
    }
  }
  const std::uint32_t blocks[] = {launch_->grid.x, launch_->grid.y, launch_->grid.z};
  for (unsigned axis = 0; axis < 3; ++axis) {
    // Twice 31 bits: no sum of three such products overflows.
    const std::int64_t most = static_cast<std::int32_t>(reg.growth[axis]) * std::int64_t{blocks[axis] - 1};
    (most < 0 ? low : high) += most;
  }
  return is_signed ? low < INT32_MIN || high > INT32_MAX : low < 0 || high > std::int64_t{UINT32_MAX};
}

void LinearRegisters::prepare(const Launch& launch, const Warps& warps) {
  launch_ = &launch;
  const Function& kernel = *launch.kernel;
  part_ = &kernel.linear;
  index_.clear();
  for (const Preset& preset : kernel.presets)
    if (is_block_index(preset.kind)) index_.push_back(preset);
  filled_.clear();
  addresses_.clear();
  std::vector<Register> checked;
  for (const LinearPart::Register& reg : part_->filled) filled_.push_back({reg.slot, reg.wide, {}, {}});
  for (const std::uint32_t slot : part_->origins) addresses_.push_back({slot, true, {}, {}});
  for (const LinearPart::Check& check : part_->checks) checked.push_back({check.slot, false, {}, {}});
  std::vector<Register>* const all[] = {&filled_, &addresses_, &checked};

  const std::uint32_t blocks[] = {launch.grid.x, launch.grid.y, launch.grid.z};
  for (unsigned axis = 0; axis < 3 && !part_->operations.empty(); ++axis) {
    if (blocks[axis] == 1) continue;
    std::uint32_t neighbour[3] = {0, 0, 0};
    neighbour[axis] = 1;
    execute(*warps.front(), neighbour);
    for (std::vector<Register>* some : all)
      for (Register& reg : *some) reg.growth[axis] = reg.in_first_lane(*warps.front());
  }
  for (const auto& warp : warps) {
    if (!part_->operations.empty()) execute(*warp, {0, 0, 0});
  }
  for (std::vector<Register>* some : all) {
    for (Register& reg : *some) {
      for (unsigned axis = 0; axis < 3; ++axis)
        if (blocks[axis] != 1) reg.growth[axis] -= reg.in_first_lane(*warps.front());
    }
  }
  linear_ = true;
  for (std::size_t i = 0; i < checked.size(); ++i)
    linear_ = linear_ && !overflows(checked[i], part_->checks[i].is_signed, warps);
  for (Register& reg : filled_) {
    for (const auto& warp : warps) {
      for (unsigned lane = 0; lane < kWarpSize; ++lane)
        reg.values.push_back(reg.wide ? wide_lanes(*warp, reg.slot)[lane] : narrow_lanes(*warp, reg.slot)[lane]);
    }
  }

  origins_.assign(addresses_.size() + 1, {});
  const std::size_t patterns = kernel.global_patterns.size();
  patterns_.assign(warps.size() * patterns, {});
  for (std::size_t w = 0; w < warps.size(); ++w) {
    warps[w]->global_patterns = patterns_.data() + w * patterns;
    for (std::size_t k = 0; k < patterns; ++k) {
      const std::uint32_t origin = kernel.global_patterns[k];
      const bool moves = origin != kNoOperand;
      GlobalPattern& pattern = warps[w]->global_patterns[k];
      pattern.origin = &origins_[moves ? origin : addresses_.size()];
      if (moves && !linear_) pattern.found = GlobalPattern::kMostFound;
    }
  }
}

void LinearRegisters::start(const std::uint32_t (&index)[3], const Warps& warps) {
  if (!linear_) {
    for (const auto& warp : warps) execute(*warp, index);
    return;
  }
  std::uint32_t next[3] = {index[0] + 1, index[1], index[2]};
  const std::uint32_t blocks[] = {launch_->grid.x, launch_->grid.y};
  for (unsigned axis = 0; axis < 2 && next[axis] == blocks[axis]; ++axis) {
    next[axis] = 0;
    ++next[axis + 1];
  }
  for (std::size_t i = 0; i < addresses_.size(); ++i)
    origins_[i] = {addresses_[i].origin(index), addresses_[i].origin(next)};
  for (const Register& reg : filled_) {
    const std::uint64_t origin = reg.origin(index);
    for (std::size_t w = 0; w < warps.size(); ++w) {
      std::byte* const slot = warps[w]->root.registers + reg.slot;
      if (reg.wide)
        fill<std::uint64_t>(slot, reg.values.data() + w * kWarpSize, origin);
      else
        fill<std::uint32_t>(slot, reg.values.data() + w * kWarpSize, origin);
    }
  }
}

}  // namespace warpbook::simulator
