// Finds unordered accesses to the same bytes, from what threads know about each other, not from the order in this run.
//
// Each piece of memory records its last writer and the readers since then (access_history.h); each thread has a clock
// and what it knows about others (block_clocks.h). An access is checked against the records of its pieces, and replaces
// them if all of them are ordered before it. Whole rows are processed at once as long as there is no race.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "common/simulator/observe/access_form.h"
#include "common/simulator/observe/access_history.h"
#include "common/simulator/observe/block_clocks.h"
#include "common/simulator/observe/knowledge.h"

namespace warpbook::simulator {

/// Two unordered accesses.
struct Race {
  Epoch earlier = 0;  ///< The one that came first in this run.
  Epoch now = 0;
  bool earlier_wrote = false, now_writes = false;
  bool same_value = false;  ///< Both wrote the same bytes.
  bool unfinished = false;  ///< The earlier one is an asynchronous copy that was not waited for.
  /// They are ordered, but the later one reads through a path of its own, where the written value need not be visible.
  enum class Path : std::uint8_t { same, asynchronous, texture };
  Path path = Path::same;
  bool several_blocks = false;  ///< The earlier one represents threads of several blocks.
  bool shared = false;
  std::uint64_t address = 0;  ///< Offset in its memory.
  unsigned lane = 0;
  /// Bytes that both accesses share, relative to `address`.
  std::uint32_t offset = 0, bytes = 0;
  /// Memory still holds the value that the earlier one wrote or read there.
  bool is_kept = false;
  /// The earlier one is by another lane of the same instruction: memory does not contain it yet.
  bool same_instruction = false;
  const void* context = nullptr;  ///< RaceDetector::WarpAccess::context
};

class RaceDetector {
 public:
  /// Whether everything in the block or host work with this serial number is ordered before what runs now. Asked only
  /// for other grids.
  using IsBefore = std::function<bool(std::uint32_t serial)>;

  RaceDetector(std::function<void(const Race&)> report, IsBefore is_before)
      : report_(std::move(report)), is_before_(std::move(is_before)) {}

  /// Serial numbers for @p count blocks or pieces of host work. @returns the first; 0 if there are no more
  std::uint32_t take_serials(std::uint64_t count);
  /// A number for a place in a program; 0 if there are no more: then the place is unknown.
  std::uint32_t new_site() { return sites_ + 1 < epoch::kMostSites ? ++sites_ : 0; }

  /// Starts a grid whose blocks have serial numbers from @p first on; everything with a serial number below @p floor is
  /// ordered before it.
  void start_grid(std::uint32_t floor, std::uint32_t first) {
    floor_ = epoch::first_of(floor);
    grid_first_ = first;
  }
  /// Drops what threads learned from each other through memory: all of it is ordered before what follows.
  void forget_knowledge();
  void forget_memory(std::uint64_t address, std::uint64_t bytes) { global_.forget(address, bytes); }

  struct WarpAccess {
    BlockClocks* block = nullptr;
    std::uint32_t warp = 0;
    std::uint32_t lanes = 0;                 ///< The accessing lanes.
    const std::uint64_t* address = nullptr;  ///< For 32 lanes, relative to the start of the memory.
    AccessHistory* shared = nullptr;         ///< The block's shared memory; nullptr: global memory.
    /// Whether a lane writes the value that is already there, or the one that another thread of the block writes by the
    /// same instruction (~0: not a thread of this block). Called only for a race; nullptr: unknown.
    bool (*same_value)(const void* context, unsigned lane, std::uint32_t thread) = nullptr;
    const void* context = nullptr;
    std::uint32_t owner = 0;  ///< For shared memory: the serial number of its block; 0: the accessing block's.
  };
  void access(const AccessForm& form, const WarpAccess& by);

  /// Adjacent lanes with one stride.
  struct Run {
    std::uint64_t address = 0;  ///< Of the first lane, relative to the start of the memory.
    std::int64_t stride = 0;
    unsigned first = 0, lanes = BlockClocks::kLanes;
  };
  /// Same as access() for such lanes, if there is no race and no list is needed.
  /// @returns false if access() must be used; then nothing has been changed
  bool access_run(const AccessForm& form, BlockClocks& block, std::uint32_t warp, AccessHistory* shared,
                  const Run& run);
  /// Same as access() for lanes that access words of the block's own shared memory, if that needs only be noted.
  /// @returns false if access() must be used; then nothing has been changed
  static bool note_lanes(const AccessForm& form, const BlockClocks& block, std::uint32_t warp, AccessHistory& shared,
                         const AccessHistory::NotedLanes& lanes);
  /// The read or write of host work @p serial.
  void access_range(const AccessForm& form, std::uint32_t serial, std::uint64_t address, std::uint64_t bytes);

  /// The thread of the running grid that has written a byte of [@p address, @p address + @p bytes) of global memory; 0:
  /// none, or several.
  Epoch written_in_grid(std::uint64_t address, std::uint64_t bytes) const;

  /// An access that is not ordered before what the host does.
  struct Unordered {
    Epoch epoch = 0;
    bool wrote = false;
    std::uint64_t address = 0;  ///< Relative to the start of the memory.
    bool is_kept = false;       ///< Memory still holds the value that it wrote or read there.
  };
  /// The host itself reads or writes [@p address, @p address + @p bytes): calls @p found for each access there that is
  /// not ordered before, until it returns false. Records nothing: whatever follows is ordered after it.
  /// @param is_before_host whether the host has waited for the block or work with this serial number
  /// @param known what threads have released to the host
  void find_unordered(std::uint64_t address, std::uint64_t bytes, bool writes, const IsBefore& is_before_host,
                      Knowledge::Map known, const std::function<bool(const Unordered&)>& found) const;

  /// An asynchronous copy has begun to write; nothing is ordered after it until its thread has waited for it.
  void begin_copy(const AccessForm& form, const WarpAccess& by);
  /// The copy has been waited for: its bytes are written now, by the thread that started it.
  void end_copy(const AccessForm& form, const WarpAccess& by);

  /// Global memory at @p address is likely to be accessed soon: prefetches its records.
  void expect(std::uint64_t address) const { global_.expect(address); }

  /// Synchronises threads through strong accesses.
  void pass_on(const HandOver& order, const WarpAccess& by);
  /// What strong writes to a word of global memory have released beyond their blocks.
  Knowledge::Map released_at(std::uint64_t address) const;
  /// The same beyond the device: what the host learns if it reads the word.
  Knowledge::Map released_to_system(std::uint64_t address) const;

  Knowledge& knowledge() { return knowledge_; }
  std::uint64_t bytes_used() const { return global_.bytes_used(); }
  bool is_full() const { return knowledge_.is_full(); }
  std::size_t lists() const { return lists_.size(); }  ///< Of accesses to one place that are not ordered.

 private:
  struct Me {
    Epoch epoch = 0, floor = 0;
    const BlockClocks* block = nullptr;
    std::uint32_t thread = 0, known_block = 0;
    bool fine = false, is_shared = false;
  };
  /// Mutually unordered accesses to one piece, by warp.
  struct Entry {
    Epoch epoch = 0;  ///< Of the first lane.
    std::uint32_t lanes = 0;
  };
  /// What a strong write released for its readers.
  struct Released {
    Knowledge::Map wide = 0, system = 0, block = 0;
    std::uint32_t serial = 0;  ///< The block for which `block` holds.
  };

  bool record_run(const AccessForm& form, const BlockClocks& block, std::uint32_t warp, AccessHistory* shared,
                  const Run& run);
  /// Notes a read of shared memory if all writes there are ordered before it. @returns false if that must be checked
  static bool note_read(const AccessForm& form, const BlockClocks& block, std::uint32_t warp, AccessHistory& shared,
                        const Run& run);
  /// Notes a write if since the block's last barrier there were only noted writes, of other words.
  /// @returns false if it must be checked
  static bool note_write(const AccessForm& form, const BlockClocks& block, std::uint32_t warp, AccessHistory& shared,
                         const Run& run);
  static bool may_note(const AccessForm& form, const BlockClocks& block) {
    return !form.strong && !block.fine && block.clock < epoch::kMostClock;
  }
  /// Same as access(), without notes.
  void record(const AccessForm& form, const WarpAccess& by);
  /// Noted accesses are recorded in pages.
  void record_noted(BlockClocks& block, AccessHistory& shared);
  /// The same, unless they cannot race with an access of @p form.
  void before_recording(const AccessForm& form, BlockClocks& block, AccessHistory& shared) {
    if (form.kind != AccessForm::Kind::read || shared.notes_writes()) record_noted(block, shared);
  }
  Me me_of(const AccessForm& form, const WarpAccess& by, unsigned lane) const;
  void access_lane(const AccessForm& form, const WarpAccess& by, unsigned lane, std::uint32_t same);
  bool is_ordered(Epoch e, const Me& me) const;
  bool knows(const Me& me, Epoch e, std::uint32_t thread) const;
  bool is_list_ordered(Epoch e, const Me& me) const;
  /// Checks against the recorded writes or reads of the piece with this number.
  void check(const AccessHistory::Pieces& pieces, unsigned number, bool wrote, const AccessForm& form, const Me& me,
             const WarpAccess& by, unsigned lane, std::uint32_t same);
  /// Adds @p own to the recorded accesses that are not ordered before it.
  Epoch joined(Epoch kept, const Me& me, std::uint32_t same, bool fine_piece);
  /// Frees a record.
  void release(Epoch kept, bool fine_piece);
  Epoch list_with(Epoch kept, const Me& me, std::uint32_t same, bool fine_piece);
  /// Replaces a record by a list of these entries.
  Epoch listed(Epoch kept, std::vector<Entry> entries, const Me& me, bool fine_piece);
  static bool is_list(Epoch e) { return (e & epoch::kSpecial) != 0 && (e & epoch::kStrong) == 0; }
  /// Frees lists of global memory to which no record refers any more: rows of records are replaced, and those of freed
  /// memory dropped, without a look at them. Allocates room for more if they are few.
  void collect_lists();
  /// Whether the list may be changed: a list shared by four pieces may not.
  bool is_own_list(Epoch kept, bool fine_piece) const;
  /// The record after a strong write. Earlier strong accesses do not race with it. Earlier plain ones do: they stay
  /// recorded unless all threads know them.
  Epoch strong_over(Epoch kept, const AccessForm& form, const Me& me, std::uint32_t same, bool fine_piece);
  /// Whether a recorded access is ordered before everything that any thread with access to the memory does.
  bool all_know(Epoch e, const Me& me) const;
  /// Removes entries that are ordered before @p me, and old ones, so that at most three quarters of @p most are left.
  void shorten(std::vector<Entry>& entries, std::size_t most, const Me& me) const;
  static std::size_t list_index(Epoch e) { return static_cast<std::size_t>(e & ((Epoch{1} << epoch::kKindShift) - 1)); }

  std::function<void(const Race&)> report_;
  IsBefore is_before_;
  std::uint32_t serials_ = 0, sites_ = 0, grid_first_ = 0;
  Epoch floor_ = 0;
  AccessHistory global_;
  Knowledge knowledge_;
  /// Accesses to one piece, or to the four pieces of a split word.
  struct List {
    std::vector<Entry> entries;
    bool of_fine_piece = false;  ///< Belongs to one piece of 1 byte.
    bool is_shared = false;      ///< Of a block's shared memory, whose records are not here.
  };
  std::vector<List> lists_;
  std::vector<std::uint32_t> free_lists_;
  std::unordered_map<std::uint64_t, Released> released_;
};

}  // namespace warpbook::simulator
