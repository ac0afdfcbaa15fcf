// How strong accesses synchronise threads.
#include <bit>

#include "common/simulator/observe/race_detector.h"

namespace warpbook::simulator {

void RaceDetector::pass_on(const HandOver& order, const WarpAccess& by) {
  BlockClocks& block = *by.block;
  if (!block.fine) return;
  const std::uint32_t owner = by.owner != 0 ? by.owner : block.serial;
  const std::uint64_t space = by.shared != nullptr ? std::uint64_t{1} << 63 | std::uint64_t{owner} << 24 : 0;
  for (std::uint32_t left = by.lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const std::uint32_t number = by.warp * BlockClocks::kLanes + lane;
    BlockClocks::Thread& thread = block.threads[number];
    Released& released = released_[space | by.address[lane]];
    if (order.reads) {
      const Knowledge::Map beyond = order.wide ? (order.of_last_meeting ? order.met : released.wide) : 0;
      const bool in_block = released.serial == block.serial && !order.of_last_meeting;
      thread.pending = knowledge_.join(thread.pending, beyond);
      if (in_block) thread.pending_block = knowledge_.join(thread.pending_block, released.block);
      if (order.acquires) {
        block.learn(knowledge_, number, knowledge_.join(thread.pending, thread.pending_block));
        thread.pending = thread.pending_block = 0;
      }
    }
    if (!order.writes) continue;
    Knowledge::Map in_block = thread.fenced_block, beyond = order.wide ? thread.fenced : 0;
    Knowledge::Map to_system = order.system ? thread.fenced_system : 0;
    if (order.releases) {
      in_block = block.publish(knowledge_, number);
      if (order.wide) beyond = in_block;
      if (order.system) to_system = in_block;
    }
    if (released.serial != block.serial) {
      released.serial = block.serial;
      released.block = 0;
    }
    // A chain of exchanges publishes what the first of them released (a release sequence); any other store ends it.
    released.block = order.exchanges ? knowledge_.join(released.block, in_block) : in_block;
    released.wide = order.exchanges ? knowledge_.join(released.wide, beyond) : beyond;
    released.system = order.exchanges ? knowledge_.join(released.system, to_system) : to_system;
  }
}

Knowledge::Map RaceDetector::released_at(std::uint64_t address) const {
  const auto found = released_.find(address);
  return found == released_.end() ? 0 : found->second.wide;
}

Knowledge::Map RaceDetector::released_to_system(std::uint64_t address) const {
  const auto found = released_.find(address);
  return found == released_.end() ? 0 : found->second.system;
}

}  // namespace warpbook::simulator
