// Finds accesses to the same bytes that nothing puts in order: by who knows of whom, not by the order of this run.
//
// Each piece of memory keeps who wrote it last and who has read it since (access_history.h); each thread has a clock
// and what it knows of others (block_clocks.h). An access is checked against what its pieces keep, and takes its place
// there if all that was kept is before it. Whole rows are handled at once, as long as nothing is wrong with them.
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

/// Two accesses without an order.
struct Race {
  Epoch earlier = 0;  ///< Of the one that came first in this run.
  Epoch now = 0;
  bool earlier_wrote = false, now_writes = false;
  bool same_value = false;  ///< Both wrote the same bytes.
  bool unfinished = false;  ///< The earlier one is an asynchronous copy that was not waited for.
  /// They are in order, but the later one reads by a path of its own that need not show what was written.
  enum class Path : std::uint8_t { same, asynchronous, texture };
  Path path = Path::same;
  bool several_blocks = false;  ///< The earlier one stands for threads of several blocks.
  bool shared = false;
  std::uint64_t address = 0;  ///< From the start of its memory.
  unsigned lane = 0;
  /// Bytes of this access that the earlier one has, too, from `address` on.
  std::uint32_t offset = 0, bytes = 0;
  /// Memory still holds what the earlier one left or read there.
  bool is_kept = false;
  /// The earlier one is another lane's by the same instruction: memory does not hold it yet.
  bool same_instruction = false;
  const void* context = nullptr;  ///< RaceDetector::WarpAccess::context
};

class RaceDetector {
 public:
  /// Whether all that the block or host's work with this serial number does is before what runs now. Asked for those
  /// of other grids only.
  using IsBefore = std::function<bool(std::uint32_t serial)>;

  RaceDetector(std::function<void(const Race&)> report, IsBefore is_before)
      : report_(std::move(report)), is_before_(std::move(is_before)) {}

  /// Serial numbers for @p count blocks or pieces of work. @returns the first; 0 if there are no more
  std::uint32_t take_serials(std::uint64_t count);
  /// A number for a place in a program. 0 if there are no more: then the place is not known.
  std::uint32_t new_site() { return sites_ + 1 < epoch::kMostSites ? ++sites_ : 0; }

  /// A grid runs whose blocks have serials from @p first on; all with serials below @p floor are before it.
  void start_grid(std::uint32_t floor, std::uint32_t first) {
    floor_ = epoch::first_of(floor);
    grid_first_ = first;
  }
  /// Forgets what threads learned of each other through memory: all of it is before what comes.
  void forget_knowledge();
  void forget_memory(std::uint64_t address, std::uint64_t bytes) { global_.forget(address, bytes); }

  struct WarpAccess {
    BlockClocks* block = nullptr;
    std::uint32_t warp = 0;
    std::uint32_t lanes = 0;                 ///< Those that access.
    const std::uint64_t* address = nullptr;  ///< Of 32 lanes, from the start of the memory.
    AccessHistory* shared = nullptr;         ///< Of the block's shared memory; nullptr: global memory.
    /// Whether a lane writes what is there, or what another thread of the block writes by the same instruction (~0: no
    /// thread of this block). Asked only when it races; nullptr: not known.
    bool (*same_value)(const void* context, unsigned lane, std::uint32_t thread) = nullptr;
    const void* context = nullptr;
    std::uint32_t owner = 0;  ///< Of shared memory: the serial of its block; 0: the one that accesses.
  };
  void access(const AccessForm& form, const WarpAccess& by);

  /// Neighbouring lanes at one distance from each other.
  struct Run {
    std::uint64_t address = 0;  ///< Of the first lane, from the start of the memory.
    std::int64_t stride = 0;
    unsigned first = 0, lanes = BlockClocks::kLanes;
  };
  /// The same as access() for such lanes, if nothing is wrong with them and they take no list.
  /// @returns false if they are to go by way of access(), as if nothing had been done
  bool access_run(const AccessForm& form, BlockClocks& block, std::uint32_t warp, AccessHistory* shared,
                  const Run& run);
  /// What the host's piece of work @p serial reads or writes.
  void access_range(const AccessForm& form, std::uint32_t serial, std::uint64_t address, std::uint64_t bytes);

  /// Who has written a byte of [@p address, @p address + @p bytes) of global memory in the grid that runs; 0: nobody,
  /// or several.
  Epoch written_in_grid(std::uint64_t address, std::uint64_t bytes) const;

  /// An access that is not before what the host does.
  struct Unordered {
    Epoch epoch = 0;
    bool wrote = false;
    std::uint64_t address = 0;  ///< From the start of the memory.
    bool is_kept = false;       ///< Memory still holds what it left or read there.
  };
  /// The host itself reads or writes [@p address, @p address + @p bytes): shows what is there and not before that,
  /// until @p found answers false. Keeps nothing: what comes later is behind it.
  /// @param is_before_host whether the host has waited for the block or work with this serial number
  void find_unordered(std::uint64_t address, std::uint64_t bytes, bool writes, const IsBefore& is_before_host,
                      const std::function<bool(const Unordered&)>& found) const;

  /// An asynchronous copy has begun to write; nobody is behind it until its thread has waited for it.
  void begin_copy(const AccessForm& form, const WarpAccess& by);
  /// Waited for: the bytes are written now by the thread that began it.
  void end_copy(const AccessForm& form, const WarpAccess& by);

  /// Global memory at @p address is likely to be accessed soon: brings what is kept of it nearer.
  void expect(std::uint64_t address) const { global_.expect(address); }

  /// What strong accesses hand on.
  void pass_on(const HandOver& order, const WarpAccess& by);
  /// What strong writes to a word of global memory have released beyond their blocks.
  Knowledge::Map released_at(std::uint64_t address) const;

  Knowledge& knowledge() { return knowledge_; }
  std::uint64_t bytes_used() const { return global_.bytes_used(); }
  bool is_full() const { return knowledge_.is_full(); }

 private:
  struct Me {
    Epoch epoch = 0, floor = 0;
    const BlockClocks* block = nullptr;
    std::uint32_t thread = 0, known_block = 0;
    bool fine = false, is_shared = false;
  };
  /// Accesses of one piece that are not ordered among each other, by warp.
  struct Entry {
    Epoch epoch = 0;  ///< Of the first lane.
    std::uint32_t lanes = 0;
  };
  /// What a strong write left for those who read it.
  struct Released {
    Knowledge::Map wide = 0, block = 0;
    std::uint32_t serial = 0;  ///< Of the block that `block` is for.
  };

  bool keep_run(const AccessForm& form, const BlockClocks& block, std::uint32_t warp, AccessHistory* shared,
                const Run& run);
  /// Notes a read of shared memory, if all writes there are before it. @returns false if that has to be looked at
  static bool note_read(const AccessForm& form, const BlockClocks& block, std::uint32_t warp, AccessHistory& shared,
                        const Run& run);
  /// What was noted becomes part of what is kept.
  void keep_noted(BlockClocks& block, AccessHistory& shared);
  Me me_of(const AccessForm& form, const WarpAccess& by, unsigned lane) const;
  void access_lane(const AccessForm& form, const WarpAccess& by, unsigned lane, std::uint32_t same);
  bool is_ordered(Epoch e, const Me& me) const;
  bool knows(const Me& me, Epoch e, std::uint32_t thread) const;
  bool is_list_ordered(Epoch e, const Me& me) const;
  /// Checks against what the piece with this number keeps of writes or of reads.
  void check(const AccessHistory::Pieces& pieces, unsigned number, bool wrote, const AccessForm& form, const Me& me,
             const WarpAccess& by, unsigned lane, std::uint32_t same);
  /// @p own joins those that are kept and not before it.
  Epoch joined(Epoch kept, const Me& me, std::uint32_t same, bool fine_piece);
  /// What was kept is kept no more.
  void release(Epoch kept, bool fine_piece);
  Epoch list_with(Epoch kept, const Me& me, std::uint32_t same, bool fine_piece);
  /// The list of these in place of what was kept.
  Epoch listed(Epoch kept, std::vector<Entry> entries, const Me& me, bool fine_piece);
  /// Whether it may be changed: what four pieces share is left as it is.
  bool is_own_list(Epoch kept, bool fine_piece) const;
  /// What a strong write leaves. Strong ones do not race with it, but with plain ones before it: those stay, unless
  /// all know them.
  Epoch strong_over(Epoch kept, const AccessForm& form, const Me& me, std::uint32_t same, bool fine_piece);
  /// Whether what was kept is before all that those do who may access the memory.
  bool all_know(Epoch e, const Me& me) const;
  /// Leaves entries out that are before @p me, and old ones, so that at most three quarters of @p most are left.
  void shorten(std::vector<Entry>& entries, std::size_t most, const Me& me) const;
  static std::size_t list_index(Epoch e) { return static_cast<std::size_t>(e & ((Epoch{1} << epoch::kKindShift) - 1)); }

  std::function<void(const Race&)> report_;
  IsBefore is_before_;
  std::uint32_t serials_ = 0, sites_ = 0, grid_first_ = 0;
  Epoch floor_ = 0;
  AccessHistory global_;
  Knowledge knowledge_;
  /// Accesses of one piece, or of the four pieces into which a word was parted.
  struct List {
    std::vector<Entry> entries;
    bool of_fine_piece = false;  ///< Of one piece of 1 byte.
  };
  std::vector<List> lists_;
  std::vector<std::uint32_t> free_lists_;
  std::unordered_map<std::uint64_t, Released> released_;
};

}  // namespace warpbook::simulator
