// Synchronises threads, so that each knows what the others have done.
#include "common/simulator/observe/block_clocks.h"

#include <algorithm>
#include <bit>

#include "common/simulator/observe/wide.h"

namespace warpbook::simulator {

void BlockClocks::start(std::uint32_t new_serial, std::uint32_t count, bool is_fine, Knowledge::Map known) {
  serial = new_serial;
  clock = 1;
  fine = is_fine;
  threads.clear();
  if (!fine) return;
  Thread fresh;
  fresh.known = known;
  threads.assign(count, fresh);
}

namespace {

/// The joint knowledge of threads that synchronise. What one of them has fenced, each of them publishes from then on.
struct Together {
  Knowledge& knowledge;
  Knowledge::Map known = 0, fenced_block = 0, fenced = 0, fenced_system = 0;
  Knowledge::Map last[6] = {};

  void add(const BlockClocks::Thread& thread) {
    const Knowledge::Map maps[] = {thread.known,        thread.pending, thread.pending_block,
                                   thread.fenced_block, thread.fenced,  thread.fenced_system};
    Knowledge::Map* const into[] = {&known, &known, &known, &fenced_block, &fenced, &fenced_system};
    for (int i = 0; i < 6; ++i) {
      if (maps[i] == last[i]) continue;  // Most threads know the same.
      last[i] = maps[i];
      *into[i] = knowledge.join(*into[i], maps[i]);
    }
  }
  void give(BlockClocks::Thread& thread) const {
    thread.known = known;
    thread.pending = thread.pending_block = 0;
    thread.fenced_block = fenced_block;
    thread.fenced = fenced;
    thread.fenced_system = fenced_system;
  }
};

/// The greatest of each column of the rows of @p threads that @p mask names.
WB_WIDE void join_rows(const BlockClocks::Thread* threads, std::uint32_t mask, std::uint16_t* __restrict rows) {
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const std::uint16_t* const row = threads[std::countr_zero(left)].lanes;
    for (unsigned other = 0; other < BlockClocks::kLanes; ++other) rows[other] = std::max(rows[other], row[other]);
  }
}

}  // namespace

void BlockClocks::meet_all(Knowledge& knowledge) {
  ++clock;
  if (!fine) return;
  std::uint32_t latest = 0;
  Together all{knowledge};
  for (const Thread& thread : threads) {
    latest = std::max(latest, thread.clock);
    all.add(thread);
  }
  for (Thread& thread : threads) {
    all.give(thread);
    thread.clock = latest + 1;
    thread.known_block = latest;
  }
}

void BlockClocks::meet(Knowledge& knowledge, const std::vector<Lanes>& lanes, Knowledge::Map arrived) {
  if (!fine) return;
  std::uint32_t latest = 0, known_block = 0;
  Together all{knowledge};
  all.known = arrived;
  const auto for_each = [&](auto&& f) {
    for (const Lanes& part : lanes)
      for (std::uint32_t left = part.mask; left != 0; left &= left - 1)
        f(part.warp * kLanes + static_cast<std::uint32_t>(std::countr_zero(left)));
  };
  for_each([&](std::uint32_t t) { known_block = std::max(known_block, threads[t].known_block); });
  for_each([&](std::uint32_t t) {
    const Thread& thread = threads[t];
    latest = std::max(latest, thread.clock);
    all.add(thread);
    all.known = knowledge.with_thread(all.known, serial, t, thread.clock);
    for (std::uint32_t lane = 0; lane < kLanes; ++lane)
      if (thread.lanes[lane] > known_block)
        all.known = knowledge.with_thread(all.known, serial, t / kLanes * kLanes + lane, thread.lanes[lane]);
  });
  for_each([&](std::uint32_t t) {
    Thread& thread = threads[t];
    all.give(thread);
    thread.clock = latest + 1;
    thread.known_block = known_block;
  });
}

void BlockClocks::meet_in_warp(Knowledge& knowledge, std::uint32_t warp, std::uint32_t mask) {
  if (!fine || std::has_single_bit(mask)) return;
  std::uint32_t latest = 0, known_block = 0;
  Together all{knowledge};
  std::uint16_t rows[kLanes] = {};
  Thread* const first = threads.data() + std::size_t{warp} * kLanes;
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const Thread& thread = first[lane];
    latest = std::max(latest, thread.clock);
    known_block = std::max(known_block, thread.known_block);
    all.add(thread);
  }
  join_rows(first, mask, rows);
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    rows[lane] = static_cast<std::uint16_t>(std::min(latest, 0xffffu));
  }
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    Thread& thread = first[std::countr_zero(left)];
    all.give(thread);
    thread.clock = latest + 1;
    thread.known_block = known_block;
    std::copy_n(rows, kLanes, thread.lanes);
  }
}

void BlockClocks::tell(Knowledge& knowledge, std::uint32_t warp, std::uint32_t mask) {
  if (!fine) return;
  Thread* const first = threads.data() + std::size_t{warp} * kLanes;
  Knowledge::Map all = 0, last = 0;
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const Knowledge::Map known = first[std::countr_zero(left)].known;
    if (known == last) continue;  // Most threads know the same.
    all = knowledge.join(all, last = known);
  }
  for (std::uint32_t left = mask; left != 0; left &= left - 1) first[std::countr_zero(left)].known = all;
}

Knowledge::Map BlockClocks::publish(Knowledge& knowledge, std::uint32_t number) {
  Thread& thread = threads[number];
  Knowledge::Map all = knowledge.with_thread(thread.known, serial, number, thread.clock);
  if (thread.known_block != 0) all = knowledge.with_block(all, serial, thread.known_block);
  for (std::uint32_t lane = 0; lane < kLanes; ++lane)
    if (thread.lanes[lane] > thread.known_block)
      all = knowledge.with_thread(all, serial, number / kLanes * kLanes + lane, thread.lanes[lane]);
  ++thread.clock;
  return all;
}

void BlockClocks::learn(Knowledge& knowledge, std::uint32_t thread, Knowledge::Map map) {
  threads[thread].known = knowledge.join(threads[thread].known, map);
}

void BlockClocks::fence(Knowledge& knowledge, std::uint32_t number, bool wide, bool system) {
  Thread& thread = threads[number];
  thread.known = knowledge.join(thread.known, thread.pending_block);
  thread.pending_block = 0;
  if (wide) {
    thread.known = knowledge.join(thread.known, thread.pending);
    thread.pending = 0;
  }
  thread.fenced_block = publish(knowledge, number);
  if (wide) thread.fenced = thread.fenced_block;
  if (system) thread.fenced_system = thread.fenced_block;
}

}  // namespace warpbook::simulator
