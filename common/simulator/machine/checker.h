// The machine's interface to the checkers. They are placed in front of operations that access memory or order threads
// (watch()), and are notified of completed barriers, of blocks and of grids.
//
// A kernel that was decoded without checkers pays nothing for them. With checkers, blocks run one after another.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/simulator/machine/block_state.h"
#include "common/simulator/machine/host_changes.h"
#include "common/simulator/machine/launch.h"
#include "common/simulator/machine/warp_state.h"
#include "common/simulator/observe/constant_reads.h"
#include "common/simulator/observe/findings.h"
#include "common/simulator/observe/proxy_fences.h"
#include "common/simulator/observe/race_detector.h"

namespace warpbook::simulator {

struct Runs;
class TaintChecker;
struct TaintedBlock;

/// Puts checkers in front of the operations of @p program.
void watch(Program& program);

/// The source position of an operation; its role is not filled in.
CheckSite source_of(const Program& program, std::uint32_t operation);
/// The index in a block or grid with this linear number, x fastest.
std::array<std::uint32_t, 3> unfolded(std::uint64_t linear, const Dim3& extent);

/// What checkers record about a running block.
struct CheckedBlock {
  const Launch* launch = nullptr;
  std::uint32_t first_serial = 0;  ///< The grid's first serial number; 0: the grid is not checked.
  BlockClocks clocks;
  AccessHistory shared;
  /// Lanes that have arrived at a barrier, and where that is in the program.
  struct Arrival {
    const WarpState* warp = nullptr;
    std::uint32_t lanes = 0;
    const Operation* operation = nullptr;
  };
  struct Meeting {
    std::vector<BlockClocks::Lanes> lanes;
    Knowledge::Map arrived = 0;
    std::vector<Arrival> gone;  ///< Threads that have arrived and do not wait (bar.arrive).
    void clear() {
      lanes.clear();
      gone.clear();
      arrived = 0;
    }
  };
  std::array<Meeting, 16> meetings;  ///< By barrier number.
  /// Lanes of a warp that a barrier has let through without the others, which are not at a barrier yet.
  struct Part {
    Arrival here;
    std::uint32_t others = 0;
  };
  std::vector<Part> parts;
  std::vector<const Operation*> divergent;  ///< Barriers that are findings already.
  /// Asynchronous copies that were not waited for, per warp in the order of their start.
  struct Copy {
    const Operation* operation = nullptr;
    std::uint32_t lanes = 0;
    std::uint64_t number = 0;  ///< AsyncCopies::next_number() when it started.
    std::array<std::uint32_t, 32> group = {};
    std::array<std::uint64_t, 32> to = {};
    std::uint32_t reading = 0;  ///< Lanes that read global memory.
    std::array<std::uint64_t, 32> from = {};
  };
  std::vector<std::vector<Copy>> copies;
  /// For an mbarrier: what arriving threads have released, and what had been released when its last phase completed.
  struct Phases {
    Knowledge::Map arrived = 0, completed = 0;
  };
  std::unordered_map<std::uint32_t, Phases> mbarriers;  ///< By offset in shared memory.
  std::vector<std::array<std::uint32_t, 32>> committed;
  /// An operation that reads shared memory while its threads continue: a bulk copy to global memory or a wgmma
  /// operation that was not waited for.
  struct Reader {
    WarpState* warp = nullptr;
    const Operation* operation = nullptr;
    unsigned lane = 0;
    std::uint32_t group = 0;
    bool product = false;  ///< Its group belongs to the warp, not to the lane.
    struct Piece {
      std::uint32_t begin = 0, bytes = 0;
    };
    std::vector<Piece> pieces;
  };
  std::vector<Reader> readers;
  struct Groups {
    std::array<std::uint32_t, 32> bulk = {};
    std::uint32_t products = 0;
  };
  std::vector<Groups> groups;  ///< Groups that each warp has committed.
  ProxyFences proxies;         ///< Tracked if the program has such readers.
  /// What is uninitialised there, if that is tracked.
  std::unique_ptr<TaintedBlock> tainted;

  CheckedBlock();
  ~CheckedBlock();
};

class Checker {
 public:
  /// Interface to what knows the order of grids and of the host's work.
  class Order {
   public:
    virtual ~Order() = default;
    /// Everything with a smaller serial number is ordered before what runs now.
    virtual std::uint32_t floor() const = 0;
    /// Whether the grid or work with this serial number is ordered before what runs now.
    virtual bool is_before(std::uint32_t serial) const = 0;
    /// What runs now has these serial numbers.
    virtual void took(std::uint32_t first, std::uint64_t count) = 0;
    /// Why it is not ordered before, and what would order it: for messages.
    struct Missing {
      std::string what, advice;
    };
    virtual Missing missing(std::uint32_t serial) const = 0;
    /// Whether the host has waited for the grid or work with this serial number.
    virtual bool is_before_host(std::uint32_t serial) const = 0;
    /// It has released something to the host through memory that both access: the host is ordered after what precedes
    /// it.
    virtual void host_observed(std::uint32_t serial) = 0;
    /// Whether the host has waited for everything so far.
    virtual bool host_has_waited() const = 0;
  };

  Checker(CheckSet checks, const GlobalMemory& memory, CheckFindings& findings, Order& order);
  ~Checker();
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;

  const CheckSet checks;

  // Called by the machine.
  void start_grid(const Launch& launch);
  void end_grid();
  /// Grids that have started and not ended.
  struct Suspended;
  /// They are about to pause, so that the host goes on. Memory shared with the host is still accessible.
  void host_goes_on();
  /// They pause, and other grids run that are not part of them. @returns an object whose destruction resumes them
  std::shared_ptr<Suspended> suspend();
  void go_on(Suspended& suspended);
  std::unique_ptr<CheckedBlock> make_block(const Launch& launch) const;
  /// The warps of the block exist now.
  void prepared(BlockState& block);
  void start(BlockState& block, std::uint64_t linear);
  /// @p lanes of @p warp have arrived at a barrier.
  void arrive(WarpState& warp, const Operation* op, unsigned barrier, std::uint32_t lanes, bool waits);
  /// The barrier completes. @param all it is one for all threads of the block
  void open(BlockState& state, unsigned barrier, bool all);
  /// @p lanes of @p warp have exited.
  void left(WarpState& warp, std::uint32_t lanes);
  const Operation* execute(WarpState& warp, const Operation* op, const Watched& watched);
  /// Whether atomic_changes() counts this atomic: an integer atomic that returns the old value.
  static bool tells_changes(const Operation& op, const OperationDetail& detail);
  /// How often such atomics have changed memory, counted while `sync` is checked.
  const std::uint64_t& atomic_changes() const { return atomic_changes_; }

  // mbarriers in @p block's shared memory, bulk copies and clusters (checker_asynchronous.cpp).
  void forget_mbarrier(BlockState& block, std::uint32_t offset);
  void arrived_at_mbarrier(WarpState& by, unsigned lane, BlockState& block, std::uint32_t offset, bool releases);
  void completed_mbarrier(BlockState& block, std::uint32_t offset);
  void waited_for_mbarrier(WarpState& by, unsigned lane, BlockState& block, std::uint32_t offset);
  /// The mbarrier has waited for the lane's copies with smaller numbers.
  void ended_copies(WarpState& by, unsigned lane, std::uint64_t number, BlockState& block, std::uint32_t offset);
  void begin_landing(BlockState& block, const Landing& landing);
  void landed(BlockState& block, const Landing& landing);
  /// A lane's bulk copy reads or writes a range: offsets in shared memory, or addresses in global memory. Changes of
  /// tensor maps do, too.
  void read_in_bulk(WarpState& warp, const Operation* op, unsigned lane, std::uint64_t begin, std::uint64_t bytes,
                    bool shared);
  void wrote_in_bulk(WarpState& warp, const Operation* op, unsigned lane, std::uint64_t begin, std::uint64_t bytes,
                     bool reduces, bool shared = false);
  /// All threads of these blocks have arrived at the cluster barrier.
  void open_cluster(const std::vector<BlockState*>& blocks);

  // Called by the runtime.
  /// Newly allocated memory is uninitialised.
  void allocated(std::uint64_t address, std::uint64_t bytes);
  void freed(std::uint64_t address, std::uint64_t bytes);
  /// A copy or fill in the grid, or a call of the device runtime, has written memory. @param from 0: a fill
  void copied(std::uint64_t to, std::uint64_t from, std::uint64_t bytes);
  /// The machine has written a result to a lane's generic address.
  void wrote(WarpState& warp, unsigned lane, std::uint64_t address, std::uint64_t bytes);
  /// A host call that does work in a stream.
  struct HostCall {
    std::string name;       ///< "cudaMemcpyAsync"
    std::size_t place = 0;  ///< CheckSite::host_place
  };
  /// A copy is about to read memory shared with the host, to which the host may have stored.
  void look_at_host_stores();
  /// What a copy or fill is about to write.
  struct Moved {
    const std::byte* bytes = nullptr;
    std::uint32_t period = 0;  ///< For a fill: length of the repeated pattern; 0: a copy.
  };
  /// The call reads or writes device memory, at its position in the stream, before the bytes are moved.
  void host_work(const HostCall& call, std::uint64_t to, std::uint64_t from, std::uint64_t bytes, const Moved& moved);
  /// Memory of a pool is alive from or until its position in the stream.
  void lives_from_or_to(const HostCall& call, const char* role, std::uint64_t address, std::uint64_t bytes);
  /// Whether there are accesses to [@p address, @p address + @p bytes) of shared host memory that the host has not
  /// waited for and that conflict with what it does itself. HostView: the code that asks is the host's own, a function
  /// of a stream run by a host call, or a function that is work of the stream (then what the host has waited for does
  /// not matter).
  enum class HostView : std::uint8_t { host, function, work };
  bool is_in_use(std::uint64_t address, std::uint64_t bytes, bool host_writes, HostView view) const;
  /// The host's own code reads or writes [@p address, @p address + @p bytes) at this place: a finding if the device
  /// uses it.
  void host_access(std::uint64_t address, std::uint64_t bytes, bool writes, std::size_t host_place, HostView view);
  /// Afterwards the findings contain everything that was reported.
  void flush();
  /// A lane's printf reads an argument at its generic address.
  void printed(WarpState& warp, const Operation* op, unsigned lane, std::uint64_t address, std::uint64_t bytes);
  /// What a lane's launch passes on to the new grid.
  Knowledge::Map publish(WarpState& warp, unsigned lane);
  /// A new tree of grids: everything that threads learned from each other is ordered before it.
  void forget_knowledge();

 private:
  struct Grid {
    std::uint32_t first = 0;
    std::uint64_t count = 0;
    Dim3 grid, block;
    std::string name;  ///< Of the kernel or of the host call.
    bool host = false;
  };
  /// A host call's work in its stream takes its serial numbers. @param role of the call in findings; nullptr: derived
  /// from what it does @returns false if there are no more numbers
  /// @returns false if there are no more
  struct StreamWork {
    std::uint32_t serial = 0, site = 0;
  };
  bool begin_stream_work(const HostCall& call, const char* role, StreamWork& work);
  void touch_in_stream(const StreamWork& work, AccessForm::Kind kind, std::uint64_t address, std::uint64_t bytes);
  void access(WarpState& warp, const Operation* op, const Watched& watched);
  /// Constants are read by many warps: an access is recorded if it reads bytes that the grid has not read before.
  void access_constant(WarpState& warp, const Operation* op, const Watched& watched);
  const Operation* execute_atomic(WarpState& warp, const Operation* op, const Watched& watched);
  bool access_runs(WarpState& warp, const AccessForm& form, const Runs& runs, AccessHistory* shared);
  /// An access whose addresses need not be looked at: they are linear, or the same in every block.
  /// @returns false if it needs to be looked at; then nothing has been changed
  bool access_by_pattern(WarpState& warp, const Operation* op, const Watched& watched);
  /// The same for lanes without a stride, whose addresses in shared memory are the same in every block.
  static bool note_pattern(WarpState& warp, const Operation* op, const AccessForm& form);
  /// @param shared_of the block whose shared memory is accessed; nullptr: global memory
  void access_in(WarpState& warp, const Operation* op, const Watched& watched, std::uint32_t lanes,
                 const std::uint64_t* address, BlockState* shared_of, bool own_values = true);
  /// Shared memory of the lanes' own block or of other blocks of its cluster.
  void access_shared(WarpState& warp, const Operation* op, const Watched& watched, std::uint32_t lanes,
                     const std::uint64_t* address);
  /// Lines of a matrix, each treated like a lane's access.
  void access_lines(WarpState& warp, const Operation* op, const Watched& watched);
  /// Lanes access global memory, to which the host may have stored while the grid ran.
  void access_beside_host(WarpState& warp, const Operation* op, const Watched& watched, std::uint32_t lanes,
                          const std::uint64_t* address);
  /// Whether the thread may have acquired what the host stores while the grid runs.
  bool has_heard(const BlockClocks& clocks, std::uint32_t thread);
  /// A lane's read of memory to which the host may store, of which the thread has heard nothing.
  struct ReadBesideHost {
    std::uint32_t site = 0;
    unsigned lane = 0;
    std::uint64_t address = 0;
    std::uint32_t bytes = 0;
  };
  void report_host_change(WarpState& warp, const ReadBesideHost& read);
  /// Executes the operation of beside_host_reads_: the host may store until then.
  const Operation* execute_beside_host(WarpState& warp, const Operation* op, const Watched& watched);
  /// What a wgmma.mma_async reads in shared memory, for all threads of the warp, at the time when it executes.
  void access_group(WarpState& warp, const Operation* op, const Watched& watched);
  using Arrival = CheckedBlock::Arrival;
  /// The barrier completes: checks how the waiting threads arrived. @param all as in open()
  void check_places(const BlockState& block, unsigned barrier, bool all);
  /// Checks lanes of one warp at different barriers of the program. @returns whether that is a finding
  bool check_pair(const Arrival& one, const Arrival& other);
  /// A barrier with a count completes: notes warps of which only some lanes have arrived.
  static void note_parts(const BlockState& block, unsigned barrier);
  /// The other lanes of such a warp have arrived at a barrier; nullptr: they have exited.
  void check_parts(WarpState& warp, const Operation* op, std::uint32_t lanes);
  void report_arrivals(const std::vector<Arrival>& arrivals, const char* kind, std::string message, const char* advice);
  /// Checks for lanes that name others in a mask but not themselves, or others that name other lanes.
  void check_masks(WarpState& warp, const Operation* op);
  // Reads through the async proxy (checker_proxies.cpp).
  void follow_proxies(const Launch& launch, BlockState& state);
  bool has_proxy_readers(const Program& program);
  /// Commits and waits of bulk copies and wgmma operations, and proxy fences.
  void order_readers(WarpState& warp, const Operation* op);
  /// Shared memory is read from now until the reader's group has been waited for.
  void begin_reading(WarpState& warp, const Operation* op, unsigned lane, std::uint32_t begin, std::uint32_t bytes);
  void end_reading(const CheckedBlock::Reader& reader);
  /// The warp or its lanes have waited for all groups but the latest @p pending.
  void end_readers_of(WarpState& warp, bool products, std::uint64_t pending);
  /// @p bytes of shared memory at @p begin are stored: no reader may still be reading them.
  void check_readers(WarpState& warp, std::uint32_t site, unsigned lane, BlockState& block, std::uint32_t begin,
                     std::uint32_t bytes);
  void stored_to_shared(WarpState& warp, const AccessForm& form, std::uint32_t lanes, const std::uint64_t* address,
                        BlockState& block);
  /// It is read through the async proxy: a finding if stores there are not visible to that proxy.
  void check_proxy(WarpState& warp, const Operation* op, unsigned lane, std::uint32_t begin, std::uint32_t bytes);
  /// A texel is read: a finding if the grid itself has stored it.
  void check_texel(WarpState& warp, const Operation* op, unsigned lane, std::uint64_t begin, std::uint64_t bytes);
  static void met(CheckedBlock& block) {
    if (block.proxies.is_followed()) block.proxies.met();
  }
  /// Lanes that store to memory that one of their asynchronous copies still reads.
  void check_sources(WarpState& warp, const AccessForm& form, std::uint32_t lanes, const std::uint64_t* address);
  void start_copy(WarpState& warp, const Operation* op, const Watched& watched);
  template <class Done>
  void end_copies_if(WarpState& warp, std::uint32_t lanes, Done is_done);
  void access_mbarrier(WarpState& warp, const Operation* op, const Watched& watched);
  enum class Stretch : std::uint8_t { access, begins, ends };
  /// What a lane does to a range of memory.
  void stretch(WarpState& by, const Operation* op, unsigned lane, AccessForm::Kind kind, std::uint64_t begin,
               std::uint64_t bytes, AccessHistory* shared, Stretch what);
  std::uint32_t site_of(const WarpState& warp, const Operation* op, const Watched& watched);
  void report(const Race& race);
  /// Whether the access is strong at system scope, so for the host, too.
  bool is_of_system(Epoch e) const;
  /// Where the thread's access to this byte begins.
  std::uint64_t word_of(const RaceDetector::Unordered& other) const;
  /// A word of memory shared with the host has been stored to at system scope.
  void released_to_host(std::uint64_t address);
  /// A grid that has run while the host's code ran, too, ends or pauses.
  void host_may_know();
  void report_host_access(const RaceDetector::Unordered& other, bool writes, std::size_t host_place, HostView view);
  RaceDetector::IsBefore before_host(HostView view) const;
  /// Adds what both accesses stored or read, as far as it is known.
  void add_values(const Race& race, CheckSite& first, CheckSite& second) const;
  ptx::Type type_of(Epoch e) const;
  bool is_in_toolkit(const Race& race) const;
  const Grid* grid_of(std::uint32_t serial) const;
  CheckSite site_of(Epoch e, const Grid* grid, bool wrote) const;

  const GlobalMemory& memory_;
  CheckFindings& findings_;
  Order& order_;
  RaceDetector races_;
  ConstantReads constant_reads_;
  std::unordered_map<const Program*, bool> proxy_readers_;  ///< has_proxy_readers()
  std::unique_ptr<TaintChecker> taint_;                     ///< If uninitialised values are tracked.
  /// Running grids: a launch in a kernel may run before the kernel ends.
  struct Running {
    std::uint32_t floor = 0, first = 0;
    bool has_paused = false;
  };
  std::vector<Running> running_;
  Knowledge::Map met_ = 0;     ///< What all blocks of a cooperative grid knew at their last grid barrier (grid.sync()),
  std::uint64_t arrived_ = 0;  ///< and the number of blocks that have arrived since.
  Knowledge::Map host_known_ = 0;    ///< What threads have released to the host at words that it has read since,
  Knowledge::Map for_the_host_ = 0;  ///< and what they have released to it during the current run.
  bool tells_host_ = false;          ///< Something was released to the host since forget_knowledge().
  HostChanges host_changes_;         ///< What the host does while a grid runs.
  std::vector<ReadBesideHost> beside_host_reads_;  ///< Of the current operation, if the host had changed nothing yet.
  bool beside_host_ = false;  ///< The current run goes on with a grid, maybe while the host's code runs.
  std::vector<Grid> grids_;
  std::uint64_t atomic_changes_ = 0;
  Moved moved_;                        ///< What the current host work writes,
  std::uint64_t moved_to_ = 0;         ///< and its address.
  std::vector<CheckSite> sites_;       ///< By site number.
  std::vector<ptx::Type> site_types_;  ///< Types of the values accessed there.
  std::vector<bool> toolkit_sites_;    ///< Sites in code of CUDA's headers.
  std::vector<bool> system_sites_;  ///< Sites whose accesses have system scope, so they are strong for the host, too.
  struct Seen {
    CheckFinding finding;
    std::uint64_t more = 0;  ///< Not reported yet.
  };
  std::unordered_map<std::uint64_t, Seen> seen_;
  std::map<std::pair<std::string, std::size_t>, std::uint32_t> call_sites_;
};

/// Completes the copies of @p lanes for which is_done(copy, lane): their bytes are written now.
template <class Done>
void Checker::end_copies_if(WarpState& warp, std::uint32_t lanes, Done is_done) {
  CheckedBlock& block = *warp.state->checked;
  std::vector<CheckedBlock::Copy>& copies = block.copies[warp.index];
  for (CheckedBlock::Copy& copy : copies) {
    std::uint32_t done = 0;
    for (std::uint32_t left = copy.lanes & lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      if (is_done(copy, lane)) done |= 1u << lane;
    }
    if (done == 0) continue;
    copy.lanes &= ~done;
    const Watched& watched = warp.program->watched[copy.operation->index];
    AccessForm form = watched.form;
    form.kind = AccessForm::Kind::write;
    form.site = site_of(warp, copy.operation, watched);
    RaceDetector::WarpAccess by;
    by.block = &block.clocks;
    by.warp = warp.index;
    by.lanes = done;
    by.address = copy.to.data();
    by.shared = &block.shared;
    races_.end_copy(form, by);
    if (block.proxies.is_followed()) stored_to_shared(warp, form, done, copy.to.data(), *warp.state);
  }
  std::erase_if(copies, [](const CheckedBlock::Copy& copy) { return copy.lanes == 0; });
}

}  // namespace warpbook::simulator
