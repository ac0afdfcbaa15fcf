// mbarrier: arrivals, expected bytes, and threads that test or wait.
#include <algorithm>
#include <cstring>
#include <string>

#include "common/simulator/machine/asynchronous.h"
#include "common/simulator/machine/block_state.h"
#include "common/simulator/machine/checker.h"
#include "common/simulator/machine/control.h"
#include "common/simulator/machine/lane_values.h"

namespace warpbook::simulator::asynchronous {
namespace {

using ptx::OperationId;

constexpr std::uint32_t kWordBytes = 8;

/// One lane's mbarrier.
struct Found {
  SharedPlace place;
  Mbarrier barrier;
  explicit operator bool() const { return place.block != nullptr; }
};

const ptx::Modifiers& modifiers_of(const Warp& warp, const Operation* op) {
  return warp.program->details[op->index].modifiers;
}

bool refuse(Warp& warp, const Operation* op, unsigned lane, std::uint32_t offset, const std::string& text) {
  raise(warp, op, FaultKind::trap, lane, offset, kWordBytes, true, {text, FaultCause::barrier});
  return false;
}

std::string named(std::uint32_t offset) {
  return "the mbarrier at offset " + std::to_string(offset) + " of shared memory";
}

Found find(Warp& warp, const Operation* op, unsigned lane) {
  Found found;
  found.place = find_shared(warp, op, lane, lane_address(warp, op, lane), kWordBytes, kWordBytes, true);
  if (found.place.block == nullptr) return found;
  const auto barrier = found.place.block->mbarrier_at(found.place.offset);
  if (!barrier) {
    refuse(warp, op, lane, found.place.offset,
           named(found.place.offset) +
               " is used before it has been initialised: mbarrier.init (init(&barrier, count)) comes first, then a "
               "barrier of all threads");
    found.place.block = nullptr;
    return found;
  }
  found.barrier = *barrier;
  return found;
}

void count_access(Warp& warp, const Operation* op) {
  MemoryCounters& counters = warp.worker->counters.memory[op->memory];
  const auto lanes = lanes_in(warp.exec);
  counters.requests += 1;
  counters.bytes += std::uint64_t{lanes} * kWordBytes;
  counters.wavefronts += 1;
  counters.wavefronts_ideal += 1;
}

const Operation* init(Warp& warp, const Operation* op) {
  count_access(warp, op);
  const bool good = for_lanes(warp.exec, [&](unsigned lane) {
    const SharedPlace place = find_shared(warp, op, lane, lane_address(warp, op, lane), kWordBytes, kWordBytes, true);
    if (place.block == nullptr) return false;
    const std::uint32_t count = word_of(warp, op->b, lane);
    if (count == 0 || count > Mbarrier::kMostArrivals)
      return refuse(warp, op, lane, place.offset,
                    named(place.offset) + " cannot expect " + std::to_string(count) + " arrivals: 1 to " +
                        std::to_string(Mbarrier::kMostArrivals) + " are allowed");
    Mbarrier barrier;
    barrier.expected = barrier.pending = count;
    place.block->store_mbarrier(place.offset, barrier);
    if (place.block->checked) warp.worker->checker->forget_mbarrier(*place.block, place.offset);
    return true;
  });
  return good ? op + 1 : nullptr;
}

const Operation* invalidate(Warp& warp, const Operation* op) {
  count_access(warp, op);
  const bool good = for_lanes(warp.exec, [&](unsigned lane) {
    const Found found = find(warp, op, lane);
    if (!found) return false;
    std::memset(found.place.block->shared + found.place.offset, 0, kWordBytes);
    return true;
  });
  return good ? op + 1 : nullptr;
}

bool announce(Warp& warp, const Operation* op, unsigned lane, Found& found, std::int64_t bytes) {
  const std::int64_t sum = found.barrier.bytes + bytes;
  if (sum > Mbarrier::kMostBytes || sum < -Mbarrier::kMostBytes)
    return refuse(warp, op, lane, found.place.offset,
                  named(found.place.offset) + " would wait for " + std::to_string(sum) + " bytes: at most " +
                      std::to_string(Mbarrier::kMostBytes) + " are allowed at a time");
  found.barrier.bytes = static_cast<std::int32_t>(sum);
  return true;
}

/// mbarrier.expect_tx and mbarrier.complete_tx.
template <bool Announces>
const Operation* transfer(Warp& warp, const Operation* op) {
  count_access(warp, op);
  const bool good = for_lanes(warp.exec, [&](unsigned lane) {
    Found found = find(warp, op, lane);
    if (!found) return false;
    const std::int64_t bytes = word_of(warp, op->b, lane);
    if (!announce(warp, op, lane, found, Announces ? bytes : -bytes)) return false;
    found.place.block->store_mbarrier(found.place.offset, found.barrier);
    return true;
  });
  return good ? op + 1 : nullptr;
}

enum class Arrival : std::uint8_t { plain, announcing, not_completing };

/// d = state before, b = number of arrivals, or bytes that are expected first.
template <Arrival Kind, bool Drops>
const Operation* arrive(Warp& warp, const Operation* op) {
  count_access(warp, op);
  const bool releases = modifiers_of(warp, op).semantics != ptx::Semantics::relaxed;
  const bool good = for_lanes(warp.exec, [&](unsigned lane) {
    Found found = find(warp, op, lane);
    if (!found) return false;
    BlockState& block = *found.place.block;
    const std::uint32_t operand = op->b == kNoOperand ? 1 : word_of(warp, op->b, lane);
    const std::uint32_t count = Kind == Arrival::announcing ? 1 : operand;
    if (Kind == Arrival::announcing && !announce(warp, op, lane, found, operand)) return false;
    if (count == 0 || count > found.barrier.pending)
      return refuse(warp, op, lane, found.place.offset,
                    std::to_string(count) + " arrivals at " + named(found.place.offset) + ", whose phase waits for " +
                        std::to_string(found.barrier.pending) + " more: more threads arrive than it was told of");
    if (Kind == Arrival::not_completing && count == found.barrier.pending && found.barrier.bytes == 0)
      return refuse(warp, op, lane, found.place.offset,
                    "an arrival that must not complete the phase (.noComplete) is the last one that " +
                        named(found.place.offset) + " waits for");
    wide_of(warp, op->d, lane) = found.barrier.word();
    if (block.checked)
      warp.worker->checker->arrived_at_mbarrier(state_of(warp), lane, block, found.place.offset, releases);
    found.barrier.pending -= count;
    if (Drops) found.barrier.expected -= std::min(count, found.barrier.expected);
    block.store_mbarrier(found.place.offset, found.barrier);
    return true;
  });
  return good ? op + 1 : nullptr;
}

/// d = whether the phase given by b is complete: b is a state, or the phase's parity.
template <bool Waits, bool ByParity>
const Operation* look(Warp& warp, const Operation* op) {
  WarpState& state = state_of(warp);
  const bool acquires = modifiers_of(warp, op).semantics != ptx::Semantics::relaxed;
  std::uint32_t done = 0;
  std::int64_t& batches = warp.worker->counters.memory[op->memory].reach;
  const bool good = for_lanes(warp.exec, [&](unsigned lane) {
    Found found = find(warp, op, lane);
    if (!found) return false;
    BlockState& block = *found.place.block;
    bool phase = false;
    if constexpr (ByParity) {
      phase = (word_of(warp, op->b, lane) & 1) != 0;
    } else {
      const auto before = Mbarrier::of(wide_of(warp, op->b, lane));
      if (!before)
        return refuse(warp, op, lane, found.place.offset,
                      "this is not a state that an arrival at " + named(found.place.offset) + " has returned");
      phase = before->phase;
    }
    if (found.barrier.phase == phase) {
      block.settle(found.place.offset);
      if (const auto now = block.mbarrier_at(found.place.offset)) found.barrier = *now;
    }
    if (found.barrier.phase == phase) return true;
    done |= 1u << lane;
    if (const auto later = block.copy_batches.begun_after(found.place.offset, phase))
      batches = std::max(batches, static_cast<std::int64_t>(*later) + 1);
    if (block.checked && acquires) warp.worker->checker->waited_for_mbarrier(state, lane, block, found.place.offset);
    return true;
  });
  if (!good) return nullptr;
  if (Waits && done == 0 && (state.impatient & warp.active) == 0) return state.wait_for(kWaitsForMbarrier, op);
  state.impatient &= ~warp.active;
  count_access(warp, op);
  if (op->d != kNoOperand) {
    std::uint32_t& answer = mask_of(warp, op->d);
    answer = (answer & ~warp.exec) | done;
  }
  // A thread that tests again and again lets others run.
  return done == 0 ? state.give_way(op + 1) : op + 1;
}

const Operation* pending_count(Warp& warp, const Operation* op) {
  for_lanes(warp.exec, [&](unsigned lane) {
    const auto barrier = Mbarrier::of(wide_of(warp, op->a, lane));
    word_of(warp, op->d, lane) = barrier ? barrier->pending : 0;
    return true;
  });
  return op + 1;
}

/// An arrival that waits for the asynchronous copies that the lane has started.
template <bool Counts>
const Operation* arrive_behind_copies(Warp& warp, const Operation* op) {
  WarpState& state = state_of(warp);
  const bool good = for_lanes(warp.exec, [&](unsigned lane) {
    Found found = find(warp, op, lane);
    if (!found) return false;
    BlockState& block = *found.place.block;
    if (!Counts) {
      if (found.barrier.pending == Mbarrier::kMostArrivals)
        return refuse(warp, op, lane, found.place.offset, named(found.place.offset) + " cannot wait for more arrivals");
      ++found.barrier.pending;
    } else if (found.barrier.pending <= block.in_flight.arrivals(found.place.offset)) {
      return refuse(warp, op, lane, found.place.offset,
                    "more arrivals at " + named(found.place.offset) + " than its phase waits for");
    }
    const std::uint64_t word = found.barrier.word();
    std::memcpy(block.shared + found.place.offset, &word, sizeof word);
    Landing landing;
    landing.barrier = found.place.offset;
    landing.by = &state;
    landing.lane = lane;
    landing.operation = op;
    landing.arrives = true;
    landing.copies = state.copies.next_number();
    block.copy_batches.begin(found.place.offset, found.barrier.phase);
    block.begin(std::move(landing));
    return true;
  });
  return good ? op + 1 : nullptr;
}

}  // namespace

Handler resolve_mbarrier(OperationId id) {
  switch (id) {
    case OperationId::mbarrier_init:
      return init;
    case OperationId::mbarrier_inval:
      return invalidate;
    case OperationId::mbarrier_expect_tx:
      return transfer<true>;
    case OperationId::mbarrier_complete_tx:
      return transfer<false>;
    case OperationId::mbarrier_arrive:
      return arrive<Arrival::plain, false>;
    case OperationId::mbarrier_arrive_expect_tx:
      return arrive<Arrival::announcing, false>;
    case OperationId::mbarrier_arrive_no_complete:
      return arrive<Arrival::not_completing, false>;
    case OperationId::mbarrier_arrive_drop:
      return arrive<Arrival::plain, true>;
    case OperationId::mbarrier_arrive_drop_expect_tx:
      return arrive<Arrival::announcing, true>;
    case OperationId::mbarrier_arrive_drop_no_complete:
      return arrive<Arrival::not_completing, true>;
    case OperationId::mbarrier_test_wait:
      return look<false, false>;
    case OperationId::mbarrier_test_wait_parity:
      return look<false, true>;
    case OperationId::mbarrier_try_wait:
      return look<true, false>;
    case OperationId::mbarrier_try_wait_parity:
      return look<true, true>;
    case OperationId::mbarrier_pending_count:
      return pending_count;
    case OperationId::cp_async_mbarrier_arrive:
      return arrive_behind_copies<false>;
    case OperationId::cp_async_mbarrier_arrive_noinc:
      return arrive_behind_copies<true>;
    default:
      return nullptr;
  }
}

}  // namespace warpbook::simulator::asynchronous
