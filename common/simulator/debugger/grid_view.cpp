// Finds lanes in the paths of their warps.
#include "common/simulator/debugger/grid_view.h"

#include <algorithm>

namespace warpbook::simulator::debugger {
std::string triple_text(Dim3 at) {
  return "(" + std::to_string(at.x) + "," + std::to_string(at.y) + "," + std::to_string(at.z) + ")";
}

Dim3 GridView::index_in(Dim3 extent, std::uint64_t linear) {
  return {static_cast<std::uint32_t>(linear % extent.x), static_cast<std::uint32_t>(linear / extent.x % extent.y),
          static_cast<std::uint32_t>(linear / extent.x / extent.y)};
}

std::optional<std::uint64_t> GridView::linear_in(Dim3 extent, Dim3 index) {
  if (index.x >= extent.x || index.y >= extent.y || index.z >= extent.z) return std::nullopt;
  return (std::uint64_t{index.z} * extent.y + index.y) * extent.x + index.x;
}

std::vector<BlockState*> GridView::blocks() const {
  std::vector<BlockState*> running;
  if (blocks_ == nullptr) return running;
  for (const auto& block : *blocks_) {
    if (block) running.push_back(block.get());
  }
  return running;
}

BlockState* GridView::find(std::uint64_t block) const {
  for (BlockState* const running : blocks())
    if (running->linear == block) return running;
  return nullptr;
}

WarpState* GridView::find(ThreadId thread) const {
  BlockState* const block = find(thread.block);
  return block == nullptr || thread.warp() >= block->warps.size() ? nullptr : block->warps[thread.warp()].get();
}

LaneState GridView::state_of(const WarpState& warp, unsigned lane) const {
  using Status = LaneState::Status;
  const std::uint32_t bit = 1u << lane;
  if (&warp == warp_ && (lanes_ & bit) != 0) return {Status::at_operation, operation_, frame_, -1};
  if ((warp.live & bit) == 0) return {};
  for (const Path& path : warp.ready)
    if ((path.mask & bit) != 0) return {Status::ready, path.next, path.frame, -1};
  for (const Waiting& waiting : warp.waiting) {
    if ((waiting.path.mask & bit) == 0) continue;
    const Status status = waiting.barrier == -1                  ? Status::lanes
                          : waiting.barrier == kWaitsForMbarrier ? Status::mbarrier
                          : waiting.barrier == kWaitsForCluster  ? Status::cluster
                                                                 : Status::barrier;
    // A thread that waits at a block barrier has already passed the instruction.
    const bool behind = status == Status::barrier || status == Status::cluster;
    return {status, waiting.path.next - (behind ? 1 : 0), waiting.path.frame, waiting.barrier};
  }
  for (const Join& join : warp.joins)
    if (join.at != nullptr && (join.arrived & bit) != 0) return {Status::joining, join.at, join.frame, -1};
  return {};
}

unsigned GridView::depth(const Frame* frame) {
  unsigned depth = 0;
  for (; frame != nullptr; frame = frame->caller) ++depth;
  return depth;
}

std::vector<FrameView> GridView::frames(ThreadId thread) const {
  std::vector<FrameView> frames;
  const WarpState* const warp = find(thread);
  if (warp == nullptr) return frames;
  const LaneState state = state_of(*warp, thread.lane());
  const Operation* at = state.next;
  for (const Frame* frame = state.frame; frame != nullptr && at != nullptr; frame = frame->caller) {
    frames.push_back({frame, at, module_.program().details[at->index].function});
    if (frame->join < 0 || static_cast<std::size_t>(frame->join) >= warp->joins.size()) break;
    const Operation* const back = warp->joins[static_cast<std::size_t>(frame->join)].at;
    at = back == nullptr ? nullptr : back - 1;
  }
  return frames;
}

std::size_t GridView::user_frame(const std::vector<FrameView>& frames) const {
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const CodePlace place = module_.lines().place_of(frames[i].at->index);
    if (place.file == nullptr) continue;
    if (!module_.is_of_toolkit(place)) return i;
    if (!first) first = i;
  }
  return first.value_or(0);
}

}  // namespace warpbook::simulator::debugger
