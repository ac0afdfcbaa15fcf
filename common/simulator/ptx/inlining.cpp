// Follows chains of inlined calls outwards.
#include "common/simulator/ptx/inlining.h"

namespace warpbook::simulator::ptx {
namespace {

/// Marks a position whose file is an index into the chains.
constexpr std::uint32_t kNoted = 0x80000000u;
/// Deeper chains are cut off: no program has them, but a corrupt module might.
constexpr std::size_t kDeepest = 64;

}  // namespace

bool Inlining::is_of_toolkit(std::string_view path) {
  for (const std::string_view part :
       {"/targets/x86_64-linux/include/", "/targets/sbsa-linux/include/", "/cuda/include/", "/cuda_runtime/include/",
        "/cccl/include/", "/include/cooperative_groups/", "/include/crt/", "/include/cccl/"}) {
    if (path.find(part) != std::string_view::npos) return true;
  }
  return false;
}

void Inlining::start() { callers_.clear(); }

SourcePosition Inlining::note(const SourcePosition& position, const SourcePosition& caller) {
  const auto place = [](const SourcePosition& p) { return Place{p.file, p.line, p.column}; };
  if (caller.line == 0) {
    callers_.erase(place(position));
    return position;
  }
  callers_[place(position)] = caller;
  std::vector<SourcePosition> chain{position};
  Place numbers = place(position);
  for (SourcePosition next = caller; chain.size() < kDeepest;) {
    chain.push_back(next);
    numbers.insert(numbers.end(), {next.file, next.line, next.column});
    const auto outer = callers_.find(place(next));
    if (outer == callers_.end()) break;
    next = outer->second;
  }
  const auto [found, is_new] = known_.try_emplace(numbers, static_cast<std::uint32_t>(chains_.size()));
  if (is_new) chains_.push_back(std::move(chain));
  SourcePosition noted;
  noted.file = kNoted | found->second;
  noted.line = position.line;
  return noted;
}

SourcePosition Inlining::final_position(const SourcePosition& noted, const Module& module) const {
  if ((noted.file & kNoted) == 0 || (noted.file & ~kNoted) >= chains_.size()) return noted;
  const std::vector<SourcePosition>& chain = chains_[noted.file & ~kNoted];
  for (const SourcePosition& position : chain) {
    const auto file = module.files.find(position.file);
    if (file == module.files.end() || is_of_toolkit(file->second)) continue;
    SourcePosition own = position;
    own.of_toolkit = &position != &chain.front();
    return own;
  }
  return chain.front();
}

void Inlining::resolve(Module& module) const {
  for (Function& function : module.functions) {
    function.source = final_position(function.source, module);
    for (Variable& variable : function.variables) variable.source = final_position(variable.source, module);
    for (Statement& statement : function.body) {
      if (auto* instruction = std::get_if<Instruction>(&statement.node)) {
        instruction->source = final_position(instruction->source, module);
      }
    }
  }
}

}  // namespace warpbook::simulator::ptx
