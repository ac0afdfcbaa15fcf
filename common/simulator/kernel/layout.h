// Where variables live: parameters in the launch's buffer or a frame, local variables in a frame, shared ones in a
// block.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "common/simulator/kernel/program.h"
#include "common/simulator/ptx/ast.h"

namespace warpbook::simulator {

constexpr std::uint64_t align_up(std::uint64_t value, std::uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

std::uint32_t alignment_of(const ptx::Variable& variable);

/// Places @p variables one after another from @p offset on, each aligned; advances @p offset to the end.
/// @throws DecodeError if they need more than any device has
std::vector<Parameter> place(const std::vector<ptx::Variable>& variables, std::uint32_t& offset);

/// Offsets of the .local and .param variables in one lane's frame of @p function; parameters and returns first.
struct FrameLayout {
  std::map<std::string, std::uint32_t> offset;
  std::vector<Parameter> parameters, returns;
  std::uint32_t bytes = 0;
};
FrameLayout frame_layout(const ptx::Function& function);

/// Offsets in shared memory for every kernel of a module. Variables that device functions use have the same offset in
/// all kernels (the functions' code is shared). The others are placed kernel by kernel, so that no kernel pays for
/// another's.
class SharedLayout {
 public:
  /// @param only names of the kernels to place; nullptr: all
  explicit SharedLayout(const ptx::Module& module, const std::set<std::string>* only = nullptr);
  /// @returns the offset of @p name in kernel or function @p function; nullptr if it is not a sized shared variable.
  const std::uint32_t* find(const std::string& function, const std::string& name) const;
  /// True for `extern .shared x[]`: it starts where static shared memory ends.
  bool is_dynamic(const std::string& name) const { return dynamic_.count(name) != 0; }
  std::uint32_t bytes(const std::string& kernel) const;

 private:
  std::map<std::string, std::map<std::string, std::uint32_t>> offset_;
  std::map<std::string, std::uint32_t> bytes_;
  std::set<std::string> dynamic_;
};

}  // namespace warpbook::simulator
