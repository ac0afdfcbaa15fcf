// The names of a function's registers, special registers and constants, and the slots assigned to them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "common/simulator/kernel/liveness.h"
#include "common/simulator/kernel/program.h"
#include "common/simulator/ptx/ast.h"

namespace warpbook::simulator {

RegisterClass class_of(ptx::Type type);

/// Declared registers: from "%r12" to an index.
class RegisterNames {
 public:
  explicit RegisterNames(const ptx::Function& function);
  std::optional<std::uint32_t> find(const std::string& name) const;
  const std::vector<RegisterClass>& classes() const { return classes_; }
  const std::vector<ptx::Type>& types() const { return types_; }  ///< As declared.

 private:
  struct Range {
    std::uint32_t first, count;
  };
  std::unordered_map<std::string, std::uint32_t> single_;
  std::unordered_map<std::string, Range> ranges_;
  std::vector<RegisterClass> classes_;
  std::vector<ptx::Type> types_;
};

/// True for values that are filled in for each block.
constexpr bool differs_by_block(Preset::Kind kind) {
  return kind == Preset::Kind::ctaid_x || kind == Preset::Kind::ctaid_y || kind == Preset::Kind::ctaid_z ||
         kind == Preset::Kind::smid || (kind >= Preset::Kind::cluster_ctaid_x && kind <= Preset::Kind::nclusterid_z);
}
/// True for the block index, in which registers may be linear (block_linear.h).
constexpr bool is_block_index(Preset::Kind kind) {
  return kind == Preset::Kind::ctaid_x || kind == Preset::Kind::ctaid_y || kind == Preset::Kind::ctaid_z;
}
/// True for values that differ between the threads of a block.
constexpr bool differs_by_thread(Preset::Kind kind) {
  switch (kind) {
    case Preset::Kind::tid_x:
    case Preset::Kind::tid_y:
    case Preset::Kind::tid_z:
    case Preset::Kind::laneid:
    case Preset::Kind::warpid:
    case Preset::Kind::lanemask_eq:
    case Preset::Kind::lanemask_lt:
    case Preset::Kind::lanemask_le:
    case Preset::Kind::lanemask_gt:
    case Preset::Kind::lanemask_ge:
      return true;
    default:
      return false;
  }
}
/// Special registers that are fixed while a warp runs ("%tid.x"); empty for others.
std::optional<Preset::Kind> fixed_special_register(std::string_view name);
/// Registers other than "%gridid" that hold one value for the whole grid: the value of their preset; empty for others.
/// "%envreg1" and "%envreg2" are the halves of the address of a cooperative grid's workspace, as CUDA's driver passes
/// them to cooperative_groups (details/driver_abi.h).
std::optional<std::uint64_t> grid_value(std::string_view name);
constexpr std::uint64_t kHighWorkspace = 1, kLowWorkspace = 2, kGraphExec = 3;
/// The start of the shared memory that the system reserves in every block; cooperative_groups uses it to synchronise
/// tiles of several warps (details/memory.h). A preset of kind total_smem_size with the value kReservedShared.
constexpr std::string_view kReservedSharedStart = "%reserved_smem_offset_1";
constexpr std::uint64_t kReservedShared = 1;
/// What a block occupies: its own shared memory, and what the system reserves. Of the same kind.
constexpr std::string_view kOccupiedSharedSize = "%aggr_smem_size";
constexpr std::uint64_t kOccupiedShared = 2;
/// What the system reserves (cudaDevAttrReservedSharedMemoryPerBlock).
constexpr std::uint32_t kReservedSharedBytes = 1024;
/// Special registers that always read as a constant here ("%envreg3").
std::optional<std::uint64_t> constant_special_register(std::string_view name);
/// The selector of read_clock for "%clock", "%clock64", "%globaltimer", ...
std::optional<int> clock_register(std::string_view name);

/// Slots that are filled before a frame starts, one for each distinct value.
class PresetSlots {
 public:
  std::uint32_t slot(Preset::Kind kind, std::uint32_t bytes, std::uint64_t value = 0);
  const std::vector<Preset>& presets() const { return presets_; }
  std::uint32_t bytes() const { return bytes_; }
  /// Presets come last in the register block, so that the decoder can add to them while it emits code.
  void start_at(std::uint32_t offset) { bytes_ = offset; }

 private:
  std::map<std::tuple<Preset::Kind, std::uint32_t, std::uint64_t>, std::uint32_t> slots_;
  std::vector<Preset> presets_;
  std::uint32_t bytes_ = 0;
};

}  // namespace warpbook::simulator
