// From an undefined value that decides something to a finding that a programmer can act on.
#include <bit>

#include "common/simulator/machine/block_state.h"
#include "common/simulator/machine/checker.h"
#include "common/simulator/machine/taint.h"

namespace warpbook::simulator {
namespace {

using ptx::Space;

std::string_view role_of(TaintChecker::Use use) {
  switch (use) {
    case TaintChecker::Use::branch:
      return "branch";
    case TaintChecker::Use::address:
      return "address";
    case TaintChecker::Use::store:
      return "store";
    case TaintChecker::Use::vote:
      return "vote";
    case TaintChecker::Use::print:
      return "print";
    default:
      return "atomic";
  }
}

std::string_view does(TaintChecker::Use use) {
  switch (use) {
    case TaintChecker::Use::branch:
      return "branches on a value";
    case TaintChecker::Use::address:
      return "uses as an address a value";
    case TaintChecker::Use::store:
      return "stores to global memory a value";
    case TaintChecker::Use::vote:
      return "votes at a barrier by a value";
    case TaintChecker::Use::print:
      return "prints a value";
    default:
      return "changes memory atomically by a value";
  }
}

std::string advice_for(Space space) {
  switch (space) {
    case Space::shared:
      return "let threads write all of it, then __syncthreads(), before it is read: shared memory is uninitialised "
             "when a block starts";
    case Space::reg:
      return "give the variable a value where it is declared: an uninitialised register holds an arbitrary value";
    case Space::local:
      return "give the variable or every element of the array a value before it is read";
    default:
      return "fill it before it is read: by cudaMemset, cudaMemcpy or a kernel that writes every element";
  }
}

/// "lane 20, which is not in its mask"
std::string source_of_shuffle(const TaintOrigin& origin, unsigned lane) {
  return "lane " + std::to_string(origin.at[lane]) +
         (((origin.named >> lane) & 1) != 0 ? ", which has ended or does not take part" : ", which is not in its mask");
}

std::string_view word_for(Space space) {
  return space == Space::shared ? "shared" : space == Space::local ? "local" : "global";
}

}  // namespace

CheckSite TaintChecker::site_of(const WarpState& warp, const Operation* op, unsigned lane) const {
  const Launch& launch = *warp.state->launch;
  CheckSite site = source_of(*warp.program, op->index);
  site.kernel = launch.name;
  for (unsigned axis = 0; axis < 3; ++axis) site.block[axis] = warp.block->index[axis];
  site.thread = unfolded(std::uint64_t{warp.index} * kWarpSize + lane, launch.block);
  return site;
}

std::string TaintChecker::place(Space space, std::uint64_t at) const {
  if (space == Space::shared) return "byte " + std::to_string(at) + " of shared memory";
  if (space == Space::local) return "byte " + std::to_string(at) + " of its local memory";
  const Allocation* allocation = memory_.find(at + GlobalMemory::kBase);
  if (allocation == nullptr) return "global memory";
  return "byte " + std::to_string(at + GlobalMemory::kBase - allocation->address) + " of an allocation of " +
         std::to_string(allocation->bytes) + " bytes of global memory";
}

void TaintChecker::report(WarpState& warp, const Operation* op, const TaintRule& rule, Use use, std::uint32_t lanes,
                          std::uint32_t number, Space space, std::uint64_t at) {
  const TaintOrigin& origin = warp.taint->block->origins[number];
  const bool loaded = origin.operation != nullptr, in_register = origin.space == Space::reg;
  const auto site = [&](const TaintRule& of) {
    if (of.site == 0) of.site = ++sites_;
    return std::uint64_t{of.site};
  };
  const std::uint64_t key = site(rule) << 32 | (loaded ? site(*origin.rule) : 0) << 4 | static_cast<unsigned>(use);
  const auto [place_seen, fresh] = seen_.try_emplace(key);
  const std::uint64_t count = lanes_in(lanes);
  if (!fresh) {
    place_seen->second.more += count;
    return;
  }
  CheckFinding& finding = place_seen->second.finding;
  finding.check = Check::init;
  finding.kind = origin.shuffled ? "undefined_shuffle" : "uninitialised";
  finding.count = count;
  finding.kernel = warp.state->launch->name;
  const std::uint32_t known = origin.warp == warp.index ? lanes & origin.lanes : 0;
  const auto lane = static_cast<unsigned>(std::countr_zero(known != 0 ? known : lanes));
  CheckSite used = site_of(warp, op, lane);
  used.role = role_of(use);
  finding.sites.push_back(used);
  finding.message = "thread " + triple(used.thread) + " of block " + triple(used.block) + " ";
  if (use == Use::atomic_place && !loaded) {
    finding.message += "changes atomically " + place(space, at) + ", which is uninitialised";
  } else {
    finding.message += use == Use::atomic_place ? "changes atomically " + place(space, at) + ", which holds a value"
                                                : std::string(does(use));
    space = loaded || in_register ? origin.space : space;
    if (origin.shuffled) {
      const auto by = static_cast<unsigned>(std::countr_zero(known != 0 ? known : origin.lanes));
      CheckSite shuffle = site_of(*warp.state->warps[origin.warp], origin.operation, by);
      finding.message += " that comes from a shuffle, in which thread " + triple(shuffle.thread) + " reads " +
                         source_of_shuffle(origin, by);
      shuffle.role = "shuffle";
      finding.sites.push_back(std::move(shuffle));
    } else if (loaded) {
      const auto by = static_cast<unsigned>(std::countr_zero(known != 0 ? known : origin.lanes));
      at = origin.lanes == 0 ? 0 : origin.at[by];
      finding.message += " that comes from " +
                         (origin.lanes == 0 ? std::string(word_for(space)) + " memory" : place(space, at)) +
                         (known == 0 || ((origin.remote >> by) & 1) == 0 ? "" : " of another block of the cluster") +
                         ", which is uninitialised";
      CheckSite read = site_of(*warp.state->warps[origin.warp], origin.operation, by < kWarpSize ? by : 0);
      read.role = "read";
      finding.sites.push_back(read);
    } else {
      finding.message +=
          in_register ? " that comes from an uninitialised variable" : " that comes from uninitialised memory";
    }
  }
  if (!in_register) finding.space = word_for(space);
  finding.address = space == Space::global && at != 0 ? at + GlobalMemory::kBase : at;
  finding.advice = origin.shuffled ? "name in the mask every lane that is read, and let all that it names call the "
                                     "shuffle; do not use a value from any other lane"
                                   : advice_for(space);
  findings_.add(finding);
}

void TaintChecker::flush() {
  for (auto& [key, seen] : seen_) {
    if (seen.more == 0) continue;
    seen.finding.count = seen.more;
    seen.more = 0;
    findings_.add(seen.finding);
  }
}

}  // namespace warpbook::simulator
