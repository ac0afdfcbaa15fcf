// The mbarriers of a block: phases that complete, copies that complete for them, threads that wait.
#include <algorithm>
#include <cstring>

#include "common/simulator/machine/block_state.h"
#include "common/simulator/machine/checker.h"
#include "common/simulator/machine/taint_rule.h"
#include "common/simulator/observe/undefined_bits.h"

namespace warpbook::simulator {

std::optional<Mbarrier> BlockState::mbarrier_at(std::uint32_t offset) const {
  std::uint64_t word;
  std::memcpy(&word, shared + offset, sizeof word);
  return Mbarrier::of(word);
}

void BlockState::store_mbarrier(std::uint32_t offset, Mbarrier barrier) {
  const bool completes = barrier.is_complete();
  if (completes) {
    barrier.phase = !barrier.phase;
    barrier.pending = barrier.expected;
  }
  const std::uint64_t word = barrier.word();
  std::memcpy(shared + offset, &word, sizeof word);
  if (completes && checked) worker->checker->completed_mbarrier(*this, offset);
  // Waiting threads may see the end of the phase, or cause it by testing the mbarrier (settle).
  const bool lacks_landings = barrier.pending == in_flight.arrivals(offset) && in_flight.has(offset);
  if (!completes && !lacks_landings) return;
  progressed();
  for (const auto& warp : warps) warp->release(kWaitsForMbarrier);
}

void BlockState::settle(std::uint32_t offset) {
  if (in_flight.empty() || !in_flight.has(offset)) return;
  const auto barrier = mbarrier_at(offset);
  if (!barrier || barrier->pending != in_flight.arrivals(offset)) return;
  for (const Landing& landing : in_flight.take(offset)) land(landing);
}

void BlockState::begin(Landing landing) {
  if (checked) worker->checker->begin_landing(*this, landing);
  if (at_once()) {
    land(landing);
    return;
  }
  const std::uint32_t offset = landing.barrier;
  in_flight.add(std::move(landing));
  const auto barrier = mbarrier_at(offset);
  if (barrier) store_mbarrier(offset, *barrier);
}

void BlockState::land(const Landing& landing) {
  auto barrier = mbarrier_at(landing.barrier);
  if (landing.arrives) {
    landing.by->copies.wait_until(landing.lane, landing.copies, shared);
    if (checked) worker->checker->ended_copies(*landing.by, landing.lane, landing.copies, *this, landing.barrier);
    if (!barrier) return;
    if (barrier->pending != 0) --barrier->pending;
    store_mbarrier(landing.barrier, *barrier);
    return;
  }
  if (landing.reduction != ptx::AtomicOp::none) {
    reduce_bytes(shared + landing.to, landing.data.data(), landing.data.size(), landing.reduction, landing.type);
  } else if (landing.swizzle.span == 0) {
    std::memcpy(shared + landing.to, landing.data.data(), landing.data.size());
  } else {
    constexpr std::uint32_t kPiece = 16;
    for (std::uint32_t at = 0; at < landing.data.size(); at += kPiece) {
      const std::uint32_t to = landing.swizzle(landing.to + landing.swizzle.spread(at));
      const auto bytes = std::min<std::size_t>(kPiece, landing.data.size() - at);
      if (to + bytes <= shared_bytes) std::memcpy(shared + to, landing.data.data() + at, bytes);
    }
  }
  if (checked) worker->checker->landed(*this, landing);
  if (!barrier) return;
  barrier->bytes -= landing.bytes;
  store_mbarrier(landing.barrier, *barrier);
}

void BlockState::time_out() {
  ++idle_timeouts_;
  for (const auto& warp : warps) warp->impatient |= warp->release(kWaitsForMbarrier);
}

bool BlockState::waits_for(std::int32_t barrier) const {
  return std::any_of(warps.begin(), warps.end(), [&](const auto& warp) {
    return std::any_of(warp->waiting.begin(), warp->waiting.end(),
                       [&](const Waiting& waiting) { return waiting.barrier == barrier; });
  });
}

}  // namespace warpbook::simulator
