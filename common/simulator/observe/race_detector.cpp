// Checks accesses against the recorded ones of each piece of memory, and records them.
#include "common/simulator/observe/race_detector.h"

#include <algorithm>
#include <array>
#include <bit>

#include "common/simulator/observe/wide.h"

namespace warpbook::simulator {
namespace {

using Kind = AccessForm::Kind;

/// Adjacent words, or bytes of a fine page, that belong to adjacent lanes, and the threads of those lanes.
struct Row {
  unsigned count = 0;
  unsigned shift = 0;        ///< log2 of the words or bytes per lane.
  Epoch floor = 0;           ///< Everything before this is ordered before this access,
  Epoch begin = 0, end = 0;  ///< and so is everything of the block in [begin, end).
  Epoch own = 0;             ///< Epoch of the first lane.
};

bool is_good(Epoch e, Epoch own, const Row& row) {
  const bool before = (e < row.floor) | ((e >= row.begin) & (e < row.end));
  return before | (((e ^ own) & epoch::kIdentity) == 0);
}

WB_WIDE bool all_ordered(const Epoch* kept, const Row& of) {
  const Row row = of;
  Epoch bad = 0;
  for (unsigned i = 0; i < row.count; ++i) {
    const Epoch e = kept[i], own = row.own + (Epoch{i >> row.shift} << epoch::kThreadShift);
    const bool before = (e < row.floor) | ((e >= row.begin) & (e < row.end));
    bad |= (before | (((e ^ own) & epoch::kIdentity) == 0)) ? 0 : 1;
  }
  return bad == 0;
}

WB_WIDE void write_cells(Epoch* __restrict written, const Row& of) {
  const Row row = of;
  for (unsigned i = 0; i < row.count; ++i) written[i] = row.own + (Epoch{i >> row.shift} << epoch::kThreadShift);
}

/// Adds readers to the recorded ones, as RaceDetector::joined() does, if that needs no list.
/// @param grid the first epoch of the grid  @returns false if some of them need one; those are unchanged
WB_WIDE bool read_cells(Epoch* __restrict read, const Row& of, Epoch grid) {
  const Row row = of;
  const Epoch phase = row.own >> epoch::kClockShift;
  Epoch bad = 0;
  for (unsigned i = 0; i < row.count; ++i) {
    const Epoch e = read[i], own = row.own + (Epoch{i >> row.shift} << epoch::kThreadShift);
    const bool before = (e < row.floor) | ((e >= row.begin) & (e < row.end));
    const bool good = before | (((e ^ own) & epoch::kIdentity) == 0);
    const bool odd = ((e & (epoch::kSpecial | epoch::kStrong)) != 0) | (e < grid);
    const Epoch together =
        (e >> epoch::kClockShift) == phase ? e | epoch::kGroup : e | epoch::kMany | epoch::kLastClock;
    read[i] = good ? own : odd ? e : together;
    bad |= (!good & odd) ? 1 : 0;
  }
  return bad == 0;
}

/// Whether the recorded row is ordered before a row that covers the whole line, or belongs to the same threads.
bool is_row_good(const AccessHistory::Row& kept, const Row& row) {
  return is_good(kept.first, row.own, row) && (kept.first < row.end || kept.shift == row.shift);
}

/// The part of a row in one line. @returns false if the general path is needed
bool access_line(AccessHistory::Page& page, unsigned line, unsigned from, const Row& row, bool reads, Epoch grid) {
  AccessHistory::Row& written = page.lines[line].written;
  AccessHistory::Row& read = page.lines[line].read;
  const bool whole = row.count == AccessHistory::kLineWords;
  const auto is_ordered = [&](const AccessHistory::Row& kept, bool writes) {
    if (!kept.in_cells && (whole || kept.first < row.floor || (kept.first >= row.begin && kept.first < row.end)))
      return is_row_good(kept, row);
    return all_ordered((writes ? page.written_cells(line) : page.read_cells(line)) + from, row);
  };
  if (!is_ordered(written, true)) return false;
  if (!reads) {
    if (!is_ordered(read, false)) return false;
    if (whole) {
      written = {row.own, static_cast<std::uint8_t>(row.shift), false};
      read = {};
      return true;
    }
    write_cells(page.written_cells(line) + from, row);
    if (read.in_cells || read.first != 0) std::fill_n(page.read_cells(line) + from, row.count, Epoch{0});
    return true;
  }
  if (!whole || read.in_cells) return read_cells(page.read_cells(line) + from, row, grid);
  const Epoch e = read.first;
  if (is_row_good(read, row)) {
    read.first = row.own;
    read.shift = static_cast<std::uint8_t>(row.shift);
  } else if ((e & (epoch::kSpecial | epoch::kStrong)) != 0 || e < grid) {
    return false;
  } else {
    read.first = e >> epoch::kClockShift == row.own >> epoch::kClockShift ? e | epoch::kGroup
                                                                          : e | epoch::kMany | epoch::kLastClock;
  }
  return true;
}

/// A row of bytes from @p byte on, in a fine page. @returns false if the general path is needed
bool access_bytes(AccessHistory::Page& page, unsigned byte, const Row& row, bool reads, Epoch grid) {
  Epoch* const written = page.written_bytes() + byte;
  Epoch* const read = page.read_bytes() + byte;
  if (!all_ordered(written, row)) return false;
  if (reads) return read_cells(read, row, grid);
  if (!all_ordered(read, row)) return false;
  write_cells(written, row);
  std::fill_n(read, row.count, Epoch{0});
  return true;
}

}  // namespace

std::uint32_t RaceDetector::take_serials(std::uint64_t count) {
  if (count >= epoch::kMostSerial - serials_) return 0;
  const std::uint32_t first = serials_ + 1;
  serials_ += static_cast<std::uint32_t>(count);
  return first;
}

void RaceDetector::forget_knowledge() {
  knowledge_.clear();
  released_.clear();
}

RaceDetector::Me RaceDetector::me_of(const AccessForm& form, const WarpAccess& by, unsigned lane) const {
  Me me;
  const BlockClocks& block = *by.block;
  me.block = &block;
  me.thread = by.warp * BlockClocks::kLanes + lane;
  me.fine = block.fine;
  me.known_block = block.known_block_of(me.thread);
  me.is_shared = by.shared != nullptr;
  me.floor = me.is_shared && !block.in_cluster ? epoch::first_of(block.serial) : floor_;
  me.epoch = epoch::make(block.serial, block.clock_of(me.thread), me.thread, form.site);
  if (form.strong) me.epoch |= epoch::kStrong;
  if (form.strong && form.block_scope) me.epoch |= epoch::kBlockScope;
  return me;
}

bool RaceDetector::knows(const Me& me, Epoch e, std::uint32_t thread) const {
  const std::uint32_t serial = epoch::serial(e), clock = epoch::clock(e);
  if (!me.fine) return false;
  const BlockClocks::Thread& own = me.block->threads[me.thread];
  const bool same_warp = serial == me.block->serial && thread / BlockClocks::kLanes == me.thread / BlockClocks::kLanes;
  if (same_warp && own.lanes[thread % BlockClocks::kLanes] >= clock) return true;
  return knowledge_.knows(own.known, serial, thread, clock);
}

bool RaceDetector::is_ordered(Epoch e, const Me& me) const {
  if (e < me.floor) return true;
  if ((e & epoch::kSpecial) != 0) return is_list(e) && is_list_ordered(e, me);
  const std::uint32_t serial = epoch::serial(e);
  if (serial < grid_first_ && serial != me.block->serial && is_before_(serial)) return true;
  if ((e & epoch::kMany) != 0) return false;
  if (serial == me.block->serial) {
    if (epoch::clock(e) <= me.known_block) return true;
    if ((e & epoch::kGroup) != 0) return false;
    if (epoch::thread(e) == me.thread) return true;
  }
  return knows(me, e, epoch::thread(e));
}

bool RaceDetector::is_list_ordered(Epoch e, const Me& me) const {
  for (const Entry& entry : lists_[list_index(e)].entries) {
    for (std::uint32_t left = entry.lanes; left != 0; left &= left - 1) {
      const Epoch of_lane = entry.epoch + (Epoch{std::countr_zero(left)} << epoch::kThreadShift);
      if (!is_ordered(of_lane, me)) return false;
    }
  }
  return true;
}

void RaceDetector::check(const AccessHistory::Pieces& pieces, unsigned number, bool wrote, const AccessForm& form,
                         const Me& first, const WarpAccess& by, unsigned lane, std::uint32_t same) {
  const Epoch* const all = wrote ? pieces.written : pieces.read;
  const Epoch e = all[number];
  if (e < first.floor) return;
  const auto examine = [&](Epoch kept, const Me& me, unsigned of) {
    if (is_ordered(kept, me)) return true;
    const bool alike = (kept & epoch::kStrong) != 0 && (kept & epoch::kSpecial) == 0 && form.strong;
    const bool in_block = epoch::serial(kept) == me.block->serial && (kept & epoch::kMany) == 0;
    if (alike && (in_block || ((kept & epoch::kBlockScope) == 0 && !form.block_scope))) return true;
    Race race;
    race.earlier = kept;
    race.now = me.epoch;
    race.earlier_wrote = wrote;
    race.now_writes = form.kind != Kind::read;
    race.unfinished = (kept & epoch::kUnfinished) == epoch::kUnfinished;
    race.several_blocks = (kept & epoch::kMany) != 0;
    race.shared = by.shared != nullptr;
    race.address = by.address[of];
    race.lane = of;
    race.same_value = wrote && form.kind == Kind::write && !race.unfinished && by.same_value != nullptr &&
                      by.same_value(by.context, of, in_block ? epoch::thread(kept) : ~0u);
    unsigned end = number + 1;
    while (end < pieces.count && all[end] == e) ++end;
    race.offset = number * pieces.bytes;
    race.bytes = (end - number) * pieces.bytes;
    // With several writers, memory holds what the last one stored; a value read before an atomic change is lost.
    const Epoch written = pieces.written[number];
    race.is_kept = wrote ? !is_list(e) && !race.unfinished : (written & (epoch::kStrong | epoch::kSpecial)) == 0;
    const unsigned other = epoch::thread(kept) % BlockClocks::kLanes;
    race.same_instruction = in_block && epoch::thread(kept) / BlockClocks::kLanes == by.warp && other < of &&
                            ((by.lanes >> other) & 1) != 0 && epoch::site(kept) == form.site &&
                            by.address[other] == by.address[of];
    race.context = by.context;
    report_(race);
    return false;
  };
  for (std::uint32_t left = same; left != 0; left &= left - 1) {
    const auto of = static_cast<unsigned>(std::countr_zero(left));
    const Me me = of == lane ? first : me_of(form, by, of);
    if (is_list(e)) {
      for (const Entry& entry : std::vector<Entry>(lists_[list_index(e)].entries))
        for (std::uint32_t lanes = entry.lanes; lanes != 0; lanes &= lanes - 1)
          if (!examine(entry.epoch + (Epoch{std::countr_zero(lanes)} << epoch::kThreadShift), me, of)) return;
    } else if (!examine(e, me, of)) {
      return;
    }
    // Without clocks of their own, the other threads of this access know the same.
    const bool settled = !me.fine && epoch::clock(e) <= me.known_block && epoch::serial(e) == me.block->serial;
    if (settled) return;
  }
}

void RaceDetector::shorten(std::vector<Entry>& entries, std::size_t most, const Me& me) const {
  for (Entry& entry : entries) {
    for (std::uint32_t lanes = entry.lanes; lanes != 0; lanes &= lanes - 1) {
      const int lane = std::countr_zero(lanes);
      if (is_ordered(entry.epoch + (Epoch{lane} << epoch::kThreadShift), me)) entry.lanes &= ~(1u << lane);
    }
  }
  std::erase_if(entries, [](const Entry& entry) { return entry.lanes == 0; });
  // If none is ordered before another, the oldest are dropped, many at once so that this is rare.
  if (entries.size() > most / 4 * 3)
    entries.erase(entries.begin(), entries.end() - static_cast<std::ptrdiff_t>(most / 2));
}

Epoch RaceDetector::list_with(Epoch kept, const Me& me, std::uint32_t same, bool fine_piece) {
  constexpr std::size_t kMostStrong = 32, kMostEntries = 256;
  std::vector<Entry> entries;
  if (is_own_list(kept, fine_piece)) {
    entries = std::move(lists_[list_index(kept)].entries);
  } else if (is_list(kept)) {
    entries = lists_[list_index(kept)].entries;
  } else if (kept != 0 && !is_ordered(kept, me)) {
    entries.push_back({kept, 1});
  }
  const std::size_t most = (me.epoch & epoch::kStrong) != 0 ? kMostStrong : kMostEntries;
  if (entries.size() >= most) shorten(entries, most, me);
  // All lanes of one warp with the same clock share one entry.
  const unsigned first = me.thread % BlockClocks::kLanes;
  const Epoch warp = me.epoch - (Epoch{first} << epoch::kThreadShift);
  std::uint32_t others = same;
  for (std::uint32_t lanes = same & ~(1u << first); lanes != 0 && me.fine; lanes &= lanes - 1) {
    const int lane = std::countr_zero(lanes);
    const BlockClocks::Thread& thread = me.block->threads[me.thread - first + static_cast<unsigned>(lane)];
    if (thread.clock == me.block->threads[me.thread].clock) continue;
    others &= ~(1u << lane);
    const Epoch own_clock = (warp & ~(Epoch{epoch::kMostClock} << epoch::kClockShift)) | Epoch{thread.clock}
                                                                                             << epoch::kClockShift;
    entries.push_back({own_clock + (Epoch{lane} << epoch::kThreadShift), 1});
  }
  // Blocks mostly run one after another, so the warp's entry is among the latest, of its block. A second one would do
  // no harm.
  const auto like = std::find_if(entries.rbegin(), entries.rend(), [&](const Entry& e) {
    return e.epoch == warp || epoch::serial(e.epoch) != epoch::serial(warp);
  });
  if (like != entries.rend() && like->epoch == warp)
    like->lanes |= others;
  else
    entries.push_back({warp, others});
  return listed(kept, std::move(entries), me, fine_piece);
}

bool RaceDetector::is_own_list(Epoch kept, bool fine_piece) const {
  return is_list(kept) && (!fine_piece || lists_[list_index(kept)].of_fine_piece);
}

bool RaceDetector::all_know(Epoch e, const Me& me) const {
  if (e < me.floor) return true;
  if (is_list(e)) {
    const std::vector<Entry>& entries = lists_[list_index(e)].entries;
    return std::all_of(entries.begin(), entries.end(), [&](const Entry& entry) { return all_know(entry.epoch, me); });
  }
  const bool in_block =
      me.is_shared && !me.block->in_cluster && (e & epoch::kSpecial) == 0 && epoch::serial(e) == me.block->serial;
  return in_block && epoch::clock(e) <= me.known_block;
}

Epoch RaceDetector::strong_over(Epoch kept, const AccessForm& form, const Me& me, std::uint32_t same, bool fine_piece) {
  std::vector<Entry> entries;
  const auto stays = [&](Epoch e) { return (e & (epoch::kStrong | epoch::kSpecial)) == 0 && !all_know(e, me); };
  if (is_list(kept)) {
    for (const Entry& entry : lists_[list_index(kept)].entries)
      if (stays(entry.epoch)) entries.push_back(entry);
  } else if (kept != 0 && stays(kept)) {
    entries.push_back({kept, 1});
  }
  if (!entries.empty()) {
    entries.push_back({me.epoch, 1});
    return listed(kept, std::move(entries), me, fine_piece);
  }
  if (!form.answers) return joined(kept, me, same, fine_piece);
  release(kept, fine_piece);
  return me.epoch;
}

void RaceDetector::release(Epoch kept, bool fine_piece) {
  // A list shared by four pieces is freed by the others.
  if (!is_list(kept) || lists_[list_index(kept)].of_fine_piece != fine_piece) return;
  lists_[list_index(kept)].entries.clear();
  free_lists_.push_back(static_cast<std::uint32_t>(list_index(kept)));
}

Epoch RaceDetector::joined(Epoch kept, const Me& me, std::uint32_t same, bool fine_piece) {
  const bool alone = std::has_single_bit(same);
  const Epoch own = alone || me.fine ? me.epoch : me.epoch | epoch::kGroup;
  const bool replaced = is_ordered(kept, me);
  if (replaced && (alone || !me.fine)) {
    release(kept, fine_piece);
    return own;
  }
  if (replaced && me.fine) {
    release(kept, fine_piece);
    kept = 0;
  }
  const std::uint32_t serial = epoch::serial(kept);
  if (me.fine || (kept & epoch::kSpecial) != 0 || (serial < grid_first_ && !replaced)) {
    return list_with(kept, me, same, fine_piece);
  }
  const Epoch strong = epoch::kStrong | epoch::kBlockScope;
  const bool takes_over = (kept & epoch::kStrong) != 0 && (own & epoch::kStrong) == 0;
  Epoch made = takes_over ? own : kept;
  if ((made & kept & own & epoch::kStrong) == 0)
    made &= ~strong;
  else
    made |= (kept | own) & epoch::kBlockScope;
  const bool one_phase = (kept >> epoch::kClockShift) == (own >> epoch::kClockShift);
  return one_phase ? made | epoch::kGroup : made | epoch::kMany | epoch::kLastClock;
}

void RaceDetector::access_lane(const AccessForm& form, const WarpAccess& by, unsigned lane, std::uint32_t same) {
  const Me me = me_of(form, by, lane);
  AccessHistory& history = by.shared != nullptr ? *by.shared : global_;
  const AccessHistory::Pieces pieces = history.at(by.address[lane], form.bytes);
  if (by.shared != nullptr) by.shared->recorded_at_epoch(me.epoch);
  for (unsigned i = 0; i < pieces.count; ++i) {
    Epoch& written = pieces.written[i];
    Epoch& read = pieces.read[i];
    check(pieces, i, true, form, me, by, lane, same);
    if (form.kind == Kind::read) {
      // Many threads may poll a word. A plain store that races with them is found by the next poll.
      if (form.strong && me.fine && (!is_ordered(read, me) || !std::has_single_bit(same))) continue;
      read = joined(read, me, same, pieces.bytes == 1);
      continue;
    }
    check(pieces, i, false, form, me, by, lane, same);
    const bool fine_piece = pieces.bytes == 1;
    if (form.strong) {
      if (all_know(read, me)) {
        release(read, fine_piece);
        read = 0;
      }
      written = strong_over(written, form, me, same, fine_piece);
    } else {
      release(read, fine_piece);
      release(written, fine_piece);
      read = 0;
      written = me.epoch;
    }
    if (by.shared != nullptr) {
      by.shared->written_at_epoch(written);
      by.shared->recorded_at_epoch(written);
    }
  }
}

bool RaceDetector::record_run(const AccessForm& form, const BlockClocks& block, std::uint32_t warp,
                              AccessHistory* shared, const Run& run) {
  const bool reads = form.kind == Kind::read;
  const bool is_row = run.stride == static_cast<std::int64_t>(form.bytes);
  const bool odd = ((run.address | static_cast<std::uint64_t>(run.stride) | form.bytes) & 3) != 0;
  if (form.strong || form.kind == Kind::atomic) return false;
  const std::uint32_t thread = warp * BlockClocks::kLanes + run.first;
  if (block.fine) {
    const BlockClocks::Thread* const threads = block.threads.data() + thread;
    for (unsigned lane = 1; lane < run.lanes; ++lane)
      if (threads[lane].clock != threads[0].clock || threads[lane].known_block != threads[0].known_block) return false;
  }
  AccessHistory& history = shared != nullptr ? *shared : global_;
  if (shared != nullptr) {
    const Epoch now = epoch::make(block.serial, block.clock_of(thread), 0, 0);
    shared->recorded_at_epoch(now);
    if (!reads) shared->written_at_epoch(now);
  }
  Row row;
  row.begin = epoch::first_of(block.serial);
  row.floor = shared != nullptr && !block.in_cluster ? row.begin : floor_;
  row.end = row.begin + (Epoch{block.known_block_of(thread) + 1} << epoch::kClockShift);
  row.own = epoch::make(block.serial, block.clock_of(thread), thread, form.site);
  const Epoch grid = block.fine ? epoch::first_of(epoch::kMostSerial) : epoch::first_of(grid_first_);
  if (is_row) {
    const std::uint64_t room = AccessHistory::kPageBytes - run.address % AccessHistory::kPageBytes;
    if (run.lanes * form.bytes > room) {
      const auto here = static_cast<unsigned>(room / form.bytes);
      if (here * form.bytes != room) return false;
      const Run first{run.address, run.stride, run.first, here},
          second{run.address + room, run.stride, run.first + here, run.lanes - here};
      return record_run(form, block, warp, shared, first) && record_run(form, block, warp, shared, second);
    }
    AccessHistory::Page& page = odd ? history.fine_page_at(run.address) : history.page_at(run.address);
    const auto byte = static_cast<unsigned>(run.address % AccessHistory::kPageBytes), first = byte / 4;
    if (page.is_fine(first / AccessHistory::kLineWords)) {
      row.count = run.lanes * form.bytes;
      row.shift = static_cast<unsigned>(std::countr_zero(form.bytes));
      return access_bytes(page, byte, row, reads, grid);
    }
    row.shift = static_cast<unsigned>(std::countr_zero(form.bytes / 4));
    const unsigned end = first + run.lanes * form.bytes / 4;
    // Line by line; the first and the last may be partial.
    for (unsigned word = first; word < end;) {
      const unsigned line = word / AccessHistory::kLineWords, from = word % AccessHistory::kLineWords;
      row.count = std::min(AccessHistory::kLineWords - from, end - word);
      if (((word - first) & ((1u << row.shift) - 1)) != 0) return false;  // A thread's words are in two lines.
      Row part = row;
      part.own += Epoch{(word - first) >> row.shift} << epoch::kThreadShift;
      if (!access_line(page, line, from, part, reads, grid)) return false;
      word += row.count;
    }
    return true;
  }
  const bool one_place = run.stride == 0 && run.lanes > 1;
  if (one_place && (!reads || block.fine)) return false;
  const unsigned count = one_place ? 1 : run.lanes;
  // Each lane may be in a page of its own, which has left the processor's caches: they are fetched all at once.
  std::array<AccessHistory::Page*, BlockClocks::kLanes> pages;
  const auto byte_of = [&](unsigned lane) {
    const std::uint64_t address = run.address + static_cast<std::uint64_t>(run.stride) * lane;
    return static_cast<unsigned>(address % AccessHistory::kPageBytes);
  };
  for (unsigned lane = 0; lane < count; ++lane) {
    const std::uint64_t address = run.address + static_cast<std::uint64_t>(run.stride) * lane;
    pages[lane] = odd ? &history.fine_page_at(address) : &history.page_at(address);
    if (shared == nullptr) pages[lane]->expect(byte_of(lane));
  }
  for (unsigned lane = 0; lane < count && shared == nullptr; ++lane) pages[lane]->expect_pieces(byte_of(lane));
  const Epoch phase = row.own >> epoch::kClockShift;
  Epoch own = one_place ? row.own | epoch::kGroup : row.own;
  for (unsigned lane = 0; lane < count; ++lane) {
    const auto good = [&](Epoch e) {
      return e < row.floor || (e >= row.begin && e < row.end) || (!one_place && ((e ^ own) & epoch::kIdentity) == 0);
    };
    AccessHistory::Page& page = *pages[lane];
    const unsigned byte = byte_of(lane), word = byte / 4;
    const unsigned line = word / AccessHistory::kLineWords, from = word % AccessHistory::kLineWords;
    const bool fine = page.is_fine(line);
    const unsigned pieces = fine ? form.bytes : form.bytes / 4;
    const auto written_at = [&](unsigned i) {
      return fine ? page.written_bytes()[byte + i] : page.written_at(word + i);
    };
    const auto read_at = [&](unsigned i) { return fine ? page.read_bytes()[byte + i] : page.read_at(word + i); };
    const auto read_pieces = [&] { return fine ? page.read_bytes() + byte : page.read_cells(line) + from; };
    for (unsigned i = 0; i < pieces; ++i)
      if (!good(written_at(i))) return false;
    if (!reads) {
      for (unsigned i = 0; i < pieces; ++i)
        if (!good(read_at(i))) return false;
      std::fill_n(fine ? page.written_bytes() + byte : page.written_cells(line) + from, pieces, own);
      if (fine || page.lines[line].read.in_cells || page.lines[line].read.first != 0)
        std::fill_n(read_pieces(), pieces, Epoch{0});
    } else {
      Epoch* const read = read_pieces();
      for (unsigned i = 0; i < pieces; ++i) {
        const Epoch e = read[i];
        if (good(e)) {
          read[i] = own;
        } else {
          if ((e & (epoch::kSpecial | epoch::kStrong)) != 0 || e < grid) return false;
          read[i] = e >> epoch::kClockShift == phase ? e | epoch::kGroup : e | epoch::kMany | epoch::kLastClock;
        }
      }
    }
    own += Epoch{1} << epoch::kThreadShift;
  }
  return true;
}

void RaceDetector::access(const AccessForm& form, const WarpAccess& by) {
  if (by.shared != nullptr) {
    AccessHistory::NotedLanes lanes{by.lanes, {}};
    for (unsigned lane = 0; lane < BlockClocks::kLanes; ++lane)
      lanes.address[lane] = static_cast<std::uint32_t>(by.address[lane]);
    if (note_lanes(form, *by.block, by.warp, *by.shared, lanes)) return;
    before_recording(form, *by.block, *by.shared);
  }
  record(form, by);
}

void RaceDetector::record(const AccessForm& form, const WarpAccess& by) {
  const bool parts = form.kind != Kind::read;
  for (std::uint32_t left = by.lanes; left != 0;) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    std::uint32_t same = 1u << lane;
    left &= left - 1;
    // Adjacent lanes at one address are one reader. Writers to one address are distinguished by their values.
    while (left != 0) {
      const auto next = static_cast<unsigned>(std::countr_zero(left));
      if (parts || by.address[next] != by.address[lane]) break;
      same |= 1u << next;
      left &= left - 1;
    }
    access_lane(form, by, lane, same);
  }
}

void RaceDetector::access_range(const AccessForm& form, std::uint32_t serial, std::uint64_t address,
                                std::uint64_t bytes) {
  BlockClocks one;
  one.start(serial, 1, false, 0);
  AccessForm part = form;
  Row row;
  row.count = AccessHistory::kLineWords;
  row.shift = 4;
  row.floor = floor_;
  row.begin = row.end = epoch::first_of(serial);
  row.own = epoch::make(serial, one.clock, 0, form.site);
  Row all_bytes = row;
  all_bytes.count = AccessHistory::kLineBytes;
  all_bytes.shift = 6;
  // Most lines were last accessed as a whole, by one block or one piece of work: whether that is ordered before this
  // is asked once, not for each word.
  const auto include_work = [&](Epoch e) {
    const std::uint32_t other = epoch::serial(e);
    if (e < row.floor || (e >= row.begin && e < row.end) || (e & epoch::kSpecial) != 0) return;
    if (other >= grid_first_ || other == serial || !is_before_(other)) return;
    row.begin = epoch::first_of(other);
    row.end = epoch::first_of(other + 1);
  };
  for (const std::uint64_t end = address + bytes; address < end; address += part.bytes) {
    const std::uint64_t left = end - address;
    if (address % AccessHistory::kLineBytes == 0 && left >= AccessHistory::kLineBytes) {
      AccessHistory::Page& page = global_.page_at(address);
      const auto line = static_cast<unsigned>(address % AccessHistory::kPageBytes / AccessHistory::kLineBytes);
      part.bytes = AccessHistory::kLineBytes;
      const bool reads = form.kind == Kind::read;
      const Epoch grid = epoch::first_of(grid_first_);
      const AccessHistory::Line& kept = page.lines[line];
      if (!kept.written.in_cells) include_work(kept.written.first);
      if (!reads && !kept.read.in_cells) include_work(kept.read.first);
      if (page.is_fine(line) ? access_bytes(page, line * AccessHistory::kLineBytes, all_bytes, reads, grid)
                             : access_line(page, line, 0, row, reads, grid))
        continue;
    }
    part.bytes = address % 4 != 0 || left < 4 ? 1 : 4;
    WarpAccess by;
    by.block = &one;
    by.lanes = 1;
    by.address = &address;
    access_lane(part, by, 0, 1);
  }
}

Epoch RaceDetector::written_in_grid(std::uint64_t address, std::uint64_t bytes) const {
  for (const std::uint64_t end = address + bytes; address < end; ++address) {
    const AccessHistory::Page* const page = global_.existing_page(address);
    if (page == nullptr) return 0;
    const Epoch e = page->written_byte(static_cast<unsigned>(address % AccessHistory::kPageBytes));
    if (e != 0 && epoch::serial(e) >= grid_first_ && (e & epoch::kSpecial) == 0) return e;
  }
  return 0;
}

}  // namespace warpbook::simulator
