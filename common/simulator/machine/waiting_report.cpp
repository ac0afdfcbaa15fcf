// Collects the places at which threads wait or spin, and counts the threads at each.
#include "common/simulator/machine/waiting_report.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <map>
#include <string>
#include <tuple>

#include "common/simulator/machine/address_space.h"
#include "common/simulator/machine/control.h"
#include "common/simulator/machine/grid_workspace.h"
#include "common/simulator/machine/ways_on.h"

namespace warpbook::simulator {
namespace {

/// In the order in which a report lists them: what keeps the others waiting comes first.
enum class Role : std::uint8_t { loops, runs, at_barrier, at_lanes, at_mbarrier, at_cluster, at_join };

struct Site {
  std::uint32_t operation = 0;  ///< One of the operations there.
  std::uint64_t threads = 0;
  std::vector<std::uint32_t> warps;  ///< Warps of one block, in order, each once.
  std::string missing;               ///< At an mbarrier: what its phase waits for; in a loop: the memory that it polls.
};

/// By what the threads do and the source line (or, without line information, the PTX line).
using Sites = std::map<std::tuple<Role, std::uint32_t, std::uint32_t>, Site>;

std::string plural(std::uint64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

/// "line 20" (of the file that contains the kernel; else "line 20 of file.h"); "PTX line 7" without line information.
std::string place_of(const Program& program, std::uint32_t operation) {
  const OperationDetail& detail = program.details[operation];
  const auto file = program.files.find(detail.source.file);
  if (file == program.files.end() || detail.source.line == 0) return "PTX line " + std::to_string(detail.ptx_line);
  return "line " + std::to_string(detail.source.line) + " of " + file->second.substr(file->second.rfind('/') + 1);
}

/// The first operation from @p operation on that is in the PTX: the decoder adds some.
std::uint32_t written_at(const Program& program, std::uint32_t operation) {
  while (operation + 1 < program.details.size() && program.details[operation].internal) ++operation;
  return operation;
}

Site& add(Sites& sites, const Program& program, Role role, std::uint32_t operation, std::uint32_t lanes,
          std::uint32_t warp) {
  const std::uint32_t place = written_at(program, operation);
  const OperationDetail& detail = program.details[place];
  const bool has_line = detail.source.line != 0;
  Site& site = sites[{role, has_line ? detail.source.file : 0, has_line ? detail.source.line : detail.ptx_line}];
  if (site.threads == 0) site.operation = place;
  site.threads += static_cast<std::uint64_t>(std::popcount(lanes));
  if (site.warps.empty() || site.warps.back() != warp) site.warps.push_back(warp);
  return site;
}

/// Where a path that continues at @p next is: after the operation that it executed last, which need not precede @p next
/// in the code if a warp executes what lies between only once.
std::uint32_t place_of_path(const Operation* next) {
  const HandlerSet& handlers = handler_set();
  const bool begins = next->handler == handlers.block_entry || next->handler == handlers.indirect_call ||
                      next->handler == handlers.indexed_branch;
  return begins ? next->index : (next - 1)->index + 1;
}

/// The waiting operation.
std::uint32_t place_of_waiting(const Waiting& waiting) {
  const bool behind = waiting.barrier >= 0 && waiting.barrier != kWaitsForMbarrier;
  return behind ? (waiting.path.next - 1)->index : waiting.path.next->index;
}

Role role_of(const Waiting& waiting) {
  if (waiting.barrier == kWaitsForMbarrier) return Role::at_mbarrier;
  if (waiting.barrier == kWaitsForCluster) return Role::at_cluster;
  return waiting.barrier >= 0 ? Role::at_barrier : Role::at_lanes;
}

/// What the mbarrier that the path waits for is missing; if lanes wait for several, that of the first.
std::string missing_at(const BlockState& block, const Waiting& waiting) {
  const Operation& op = *waiting.path.next;
  const auto lane = static_cast<unsigned>(std::countr_zero(waiting.path.mask));
  const std::byte* const slot = waiting.path.frame->registers + op.a;
  std::uint64_t address = op.flags.has_narrow_address() ? reinterpret_cast<const std::uint32_t*>(slot)[lane]
                                                        : reinterpret_cast<const std::uint64_t*>(slot)[lane];
  address += static_cast<std::uint64_t>(op.immediate);
  const std::uint64_t offset = address >= kSharedWindow ? address - kSharedWindow : address;
  if (offset + sizeof(std::uint64_t) > block.shared_bytes) return {};
  const auto barrier = block.mbarrier_at(static_cast<std::uint32_t>(offset));
  if (!barrier) return {};
  std::string text = "its phase (parity " + std::to_string(barrier->phase ? 1 : 0) + ") lacks ";
  if (barrier->pending != 0) text += plural(barrier->pending, "arrival") + " of " + std::to_string(barrier->expected);
  if (barrier->bytes != 0 && barrier->pending != 0) text += " and ";
  if (barrier->bytes > 0)
    text += plural(static_cast<std::uint64_t>(barrier->bytes), "byte");
  else if (barrier->bytes < 0)
    text +=
        "the announcement (expect_tx) of " + plural(static_cast<std::uint64_t>(-barrier->bytes), "byte") + " that came";
  return text;
}

/// The basic blocks on the shortest cycle from @p block back to itself; empty if there is none.
std::vector<std::uint32_t> loop_through(const Program& program, std::uint32_t block) {
  std::map<std::uint32_t, std::uint32_t> came_from;
  std::vector<std::uint32_t> seen = {block}, targets;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    targets.clear();
    const Program::Range& range = program.blocks[seen[i]];
    if (ways_on(program, program.operations[range.end - 1], targets) && range.end < program.operations.size())
      targets.push_back(range.end);
    for (const std::uint32_t target : targets) {
      const std::uint32_t to = program.operations[target].block;
      if (!came_from.try_emplace(to, seen[i]).second) continue;
      if (to != block) {
        seen.push_back(to);
        continue;
      }
      std::vector<std::uint32_t> loop = {seen[i]};
      while (loop.back() != block) loop.push_back(came_from[loop.back()]);
      return loop;
    }
  }
  return {};
}

std::string hexadecimal(std::uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

/// "4 bytes at byte 8 of the variable flag, which hold 0 (0x0)": what the first lane of @p path reads with @p op.
std::string word_of(const BlockState& block, const Path& path, const Operation& op, std::uint32_t bytes) {
  const auto lane = static_cast<unsigned>(std::countr_zero(path.mask));
  const std::byte* const slot = path.frame->registers + op.a;
  const std::uint64_t address = (op.flags.has_narrow_address() ? reinterpret_cast<const std::uint32_t*>(slot)[lane]
                                                               : reinterpret_cast<const std::uint64_t*>(slot)[lane]) +
                                static_cast<std::uint64_t>(op.immediate);
  const bool shared =
      op.space == ptx::Space::shared || (op.space == ptx::Space::generic && space_of(address) == ptx::Space::shared);
  std::string place;
  const std::byte* at = nullptr;
  if (shared) {
    const std::uint64_t offset = address >= kSharedWindow ? address - kSharedWindow : address & 0xffffffffu;
    if (offset + bytes > block.shared_bytes) return {};
    at = block.shared + offset;
    place = "byte " + std::to_string(offset) + " of the block's shared memory";
  } else {
    const Allocation* const allocation = block.launch->memory->find(address);
    if (allocation == nullptr || !allocation->contains(address, bytes)) return {};
    const std::uint64_t offset = address - allocation->address;
    at = allocation->host + offset;
    place = "byte " + std::to_string(offset) + " of ";
    place += allocation->name.empty()
                 ? "the " + std::to_string(allocation->bytes) + " bytes at " + hexadecimal(allocation->address) +
                       " (allocation number " + std::to_string(allocation->serial) + ")"
                 : "the variable " + allocation->name;
  }
  std::uint64_t value = 0;
  std::copy_n(at, bytes, reinterpret_cast<std::byte*>(&value));
  return plural(bytes, "byte") + " at " + place + ", which hold " + std::to_string(value) + " (" + hexadecimal(value) +
         ")";
}

/// The memory that lanes in a loop poll: the words that it reads, two at most.
std::string words_of_loop(const BlockState& block, const Path& path) {
  const Program& program = *block.launch->program;
  std::string text;
  unsigned count = 0;
  std::vector<std::uint32_t> loop = loop_through(program, program.operations[place_of_path(path.next)].block);
  std::sort(loop.begin(), loop.end());
  for (const std::uint32_t b : loop) {
    for (std::uint32_t i = program.blocks[b].begin; i < program.blocks[b].end && count < 2; ++i) {
      const OperationDetail& detail = program.details[i];
      const Operation& op = program.code[program.code_of[i]];
      const std::uint32_t bytes = ptx::size_of(detail.modifiers.types[0]);
      const bool reads = detail.id == ptx::OperationId::ld || ptx::is_atomic(detail.id);
      const bool others_write =
          op.space == ptx::Space::generic || op.space == ptx::Space::global || op.space == ptx::Space::shared;
      if (!reads || !others_write || detail.internal || op.index != i || bytes > 8) continue;
      const std::string word = word_of(block, path, op, bytes);
      if (word.empty() || text.find(word) != std::string::npos) continue;
      text += (count++ == 0 ? "" : " and ") + word;
    }
  }
  return text;
}

/// @param endless the paths that could run only go round loops
void gather(Sites& sites, const BlockState& block, bool endless = true) {
  const Program& program = *block.launch->program;
  for (const auto& warp : block.warps) {
    for (const Waiting& waiting : warp->waiting) {
      Site& site = add(sites, program, role_of(waiting), place_of_waiting(waiting), waiting.path.mask, warp->index);
      if (waiting.barrier == kWaitsForMbarrier && site.missing.empty()) site.missing = missing_at(block, waiting);
    }
    for (const Path& path : warp->ready) {
      Site& site =
          add(sites, program, endless ? Role::loops : Role::runs, place_of_path(path.next), path.mask, warp->index);
      if (!endless) continue;
      constexpr std::size_t kLongest = 300;
      const std::string words = words_of_loop(block, path);
      if (site.missing.find(words) == std::string::npos && site.missing.size() < kLongest)
        site.missing += (site.missing.empty() ? "" : " and ") + words;
    }
    for (const Join& join : warp->joins) {
      if (join.at == nullptr || join.arrived == 0) continue;
      add(sites, program, Role::at_join, place_of_path(join.at), join.arrived, warp->index);
    }
  }
}

std::string describe(const Program& program, Role role, const Site& site) {
  const std::string place = place_of(program, site.operation);
  const bool one = site.threads == 1;
  const std::string waits = one ? " waits" : " wait";
  switch (role) {
    case Role::at_barrier:
      return plural(site.threads, "thread") + waits + " at the barrier in " + place + " (" +
             program.details[site.operation].spelling + ")";
    case Role::at_lanes:
      return plural(site.threads, "thread") + waits + " in " + place + " for other lanes of the warp (" +
             program.details[site.operation].spelling + ")";
    case Role::at_mbarrier:
      return plural(site.threads, "thread") + waits + " for an mbarrier in " + place + " (" +
             program.details[site.operation].spelling + ")" + (site.missing.empty() ? "" : ": " + site.missing);
    case Role::at_cluster:
      return plural(site.threads, "thread") + waits + " at the cluster's barrier in " + place + " (" +
             program.details[site.operation].spelling + ")";
    case Role::at_join:
      return plural(site.threads, "thread") + (one ? " is" : " are") + " past that, in " + place + ", and" + waits +
             " for the rest of the warp";
    case Role::loops:
      return plural(site.threads, "thread") + (one ? " is" : " are") + " in a loop in " + place + " that never ends" +
             (site.missing.empty() ? "" : ", waiting for " + site.missing);
    case Role::runs:
      return plural(site.threads, "thread") + (one ? " runs" : " run") + " in " + place;
  }
  return {};
}

std::string list_of(const Sites& sites, const Program& program, bool with_warps) {
  std::string text;
  for (const auto& [key, site] : sites) {
    if (!text.empty()) text += "; ";
    text += describe(program, std::get<0>(key), site);
    if (!with_warps) continue;
    text += site.warps.size() == 1 ? ", warp " : ", warps ";
    constexpr std::size_t kShown = 4;
    for (std::size_t i = 0; i < std::min(site.warps.size(), kShown); ++i) {
      if (i != 0) text += ", ";
      text += std::to_string(site.warps[i]);
    }
    if (site.warps.size() > kShown) text += ", ...";
  }
  return text;
}

bool any_at(const Sites& sites, Role role) {
  return std::any_of(sites.begin(), sites.end(), [&](const auto& entry) { return std::get<0>(entry.first) == role; });
}

/// Why warps cannot continue, if not because of a barrier that all threads must reach.
FaultCause cause_of(const Sites& sites) {
  if (any_at(sites, Role::loops)) return FaultCause::loop;
  if (any_at(sites, Role::at_lanes)) return FaultCause::lanes;
  return any_at(sites, Role::at_mbarrier) ? FaultCause::barrier : FaultCause::loop;
}

/// Number of blocks that have arrived at a cooperative grid's barrier since it last opened; a grid of one block never
/// waits. Block 0 adds 2^31 - (blocks - 1), each other block 1 (cooperative_groups/details/sync.h).
std::uint64_t at_grid_barrier(const Launch& launch, std::uint64_t blocks) {
  const std::uint64_t address = grid_workspace(launch);
  const Allocation* allocation = address == 0 ? nullptr : launch.memory->find(address);
  if (allocation == nullptr) return 0;
  std::uint32_t barrier = 0;
  std::copy_n(allocation->host + (address - allocation->address) + 4, sizeof barrier,
              reinterpret_cast<std::byte*>(&barrier));
  const std::uint32_t count = barrier & 0x7fffffffu;
  // Without block 0 the low bits count the other blocks; with it they are blocks - 1 short of 2^31.
  return count < blocks ? count : count + blocks - 0x80000000u;
}

}  // namespace

Fault fault_of(const BlockState& block, FaultKind kind, FaultText message) {
  Fault fault;
  fault.kind = kind;
  fault.message = std::move(message.text);
  fault.cause = message.cause;
  for (int axis = 0; axis < 3; ++axis) fault.block[axis] = block.index[axis];
  fault.operation = block.launch->kernel->begin;
  const auto set = [&](const WarpState& warp, std::uint32_t operation, std::uint32_t lanes) {
    fault.operation = written_at(*block.launch->program, operation);
    const Dim3& extent = block.launch->block;
    const std::uint32_t thread = warp.index * kWarpSize + static_cast<std::uint32_t>(std::countr_zero(lanes));
    fault.thread[0] = thread % extent.x;
    fault.thread[1] = thread / extent.x % extent.y;
    fault.thread[2] = thread / extent.x / extent.y;
  };
  // Threads that run are the reason why the others wait.
  for (const auto& warp : block.warps) {
    if (warp->ready.empty()) continue;
    set(*warp, place_of_path(warp->ready.back().next), warp->ready.back().mask);
    return fault;
  }
  for (const auto& warp : block.warps) {
    if (warp->waiting.empty()) continue;
    const Waiting& waiting = warp->waiting.front();
    set(*warp, place_of_waiting(waiting), waiting.path.mask);
    return fault;
  }
  return fault;
}

Fault stopped_block(const BlockState& block, std::uint64_t limit) {
  std::string text =
      "the launch was stopped after " + std::to_string(limit) + " warp instructions: an endless loop, or too much work";
  Sites sites;
  gather(sites, block, false);
  const bool any_waits =
      std::any_of(sites.begin(), sites.end(), [](const auto& entry) { return std::get<0>(entry.first) != Role::runs; });
  if (any_waits) text += ": " + list_of(sites, *block.launch->program, true);
  return fault_of(block, FaultKind::step_limit, text);
}

Fault stuck_block(const BlockState& block) {
  Sites sites;
  gather(sites, block);
  const Program& program = *block.launch->program;
  std::string text = list_of(sites, program, true);
  const std::uint64_t ended = block.launch->block.count() - block.live_threads;
  if (ended != 0) text += "; " + plural(ended, "thread") + (ended == 1 ? " has ended" : " have ended");
  if (any_at(sites, Role::at_barrier)) {
    return fault_of(block, FaultKind::divergent_barrier,
                    {"not all threads of the block reach one barrier: " + text,
                     any_at(sites, Role::at_lanes) ? FaultCause::lanes : FaultCause::barrier});
  }
  return fault_of(block, FaultKind::deadlock, {"no warp can continue: " + text, cause_of(sites)});
}

Fault endless_grid(const std::vector<std::unique_ptr<BlockState>>& resident, std::uint64_t blocks) {
  // The block that is named: one in which threads run, if there is one.
  const auto runs = [](const std::unique_ptr<BlockState>& block) {
    return std::any_of(block->warps.begin(), block->warps.end(), [](const auto& warp) { return !warp->ready.empty(); });
  };
  const auto running = std::find_if(resident.begin(), resident.end(), runs);
  const BlockState& first = running == resident.end() ? *resident.front() : **running;
  const Launch& launch = *first.launch;
  Sites sites;
  for (const auto& block : resident) gather(sites, *block);
  const std::string text = list_of(sites, *launch.program, false);
  const std::uint64_t arrived = at_grid_barrier(launch, blocks);
  if (arrived != 0) {
    std::string message = "grid.sync() waits forever: only " + std::to_string(arrived) + " of " +
                          plural(blocks, "block") + " of the grid have arrived";
    const std::uint64_t ended = blocks - resident.size();
    if (ended != 0) message += ", and " + plural(ended, "block") + (ended == 1 ? " has ended" : " have ended");
    return fault_of(first, FaultKind::deadlock, {message + ": " + text, FaultCause::grid_barrier});
  }
  if (any_at(sites, Role::at_mbarrier) || any_at(sites, Role::at_cluster))
    return fault_of(first, FaultKind::deadlock, {"no thread can continue: " + text, cause_of(sites)});
  return fault_of(first, FaultKind::deadlock, {"the grid loops forever: " + text, cause_of(sites)});
}

}  // namespace warpbook::simulator
