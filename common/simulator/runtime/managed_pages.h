// Managed memory in this process: accesses of the host cause faults; those of the device are known from footprints.
//
// A managed page that is not on the host has no access rights in this process. Host code that accesses it faults; the
// SIGSEGV handler (crash_report.h) moves the page in the model, counts a CPU page fault, and gives access. While a
// kernel or a copy runs, all managed memory is open: accesses of other threads of the program during that time are not
// noticed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "common/simulator/machine/footprint_observer.h"
#include "common/simulator/model/managed_memory.h"
#include "common/simulator/model/time_model.h"
#include "common/simulator/runtime/host.h"
#include "common/simulator/runtime/host_watch.h"

namespace warpbook::simulator::runtime {

class Runtime;

class ManagedPages {
 public:
  ManagedMemory model;

  /// @param filled it holds values already: a variable with an initial value
  void allocated(std::uint64_t address, std::uint64_t bytes, bool filled);
  void freed(std::uint64_t address);
  /// The device forgets all managed memory. @param variables addresses of those that keep their values, for the program
  /// to use
  void clear(const std::vector<std::uint64_t>& variables);

  /// Opens all managed memory to this process, until a matching number of close() calls.
  void open();
  void close();
  /// Closes it for now, however often it was opened. @returns the number of times, for reopen()
  unsigned suspend();
  void reopen(unsigned times);
  bool is_open() const { return opened_ != 0; }
  /// From now on the host has no more rights than @p watch allows.
  void watch(HostWatch& watch) { watch_ = &watch; }
  /// Gives the program in this process access to the page at @p address until the next protect().
  void open_page(std::uint64_t address);
  /// Sets the access rights of the pages of @p range according to the model.
  void protect(const ManagedRange& range);
  /// If the program has copies, takes over what it may have written. Called before a page moves from the host to the
  /// device.
  void fetch();

 private:
  std::map<std::uint64_t, std::vector<int>> rights_;  ///< By address of the range: mprotect's, of each page.
  std::map<std::uint64_t, std::uint64_t> kept_;  ///< Variables that clear() has left to the host: bytes by address.
  unsigned opened_ = 0;
  HostWatch* watch_ = nullptr;
};

/// Opens managed memory for its lifetime.
class OpenManagedPages {
 public:
  explicit OpenManagedPages(ManagedPages& pages) : pages_(pages) { pages_.open(); }
  ~OpenManagedPages() { pages_.close(); }
  OpenManagedPages(const OpenManagedPages&) = delete;
  OpenManagedPages& operator=(const OpenManagedPages&) = delete;

 private:
  ManagedPages& pages_;
};

/// What a launch did to pages of managed memory, and its use of other devices' memory.
struct MemoryTraffic : PageTraffic {
  std::vector<PeerTraffic> peers;
  double heap_bytes = 0;  ///< Of a piece that malloc in the kernel returned, on average.
};

/// Follows a launch: opens managed memory, and takes the pages that its grids accessed from their footprints.
class ManagedLaunch {
 public:
  /// @param resident blocks that the device holds at one time
  ManagedLaunch(Runtime& runtime, std::uint64_t blocks, std::uint64_t resident, std::uint64_t warps_per_block);
  /// The faults and migrations of the launch; the model has made them. Call it once, after the launch has run.
  PageTraffic finish();
  /// The launch's use of other devices' memory.
  const std::vector<PeerTraffic>& peer_traffic() const { return peer_traffic_; }

 private:
  struct Watched {
    ManagedRange* range;
    std::vector<PageUse> uses;
    std::uint64_t first_block = 0;  ///< Pages that block 0 accessed.
  };
  void watch_first_block(const Footprint& footprint);
  void watch_grid(const FootprintObserver::Footprints& footprints);
  /// The launch waits: the pages that it has accessed so far are where it wants them, and the host may access them.
  void watch_pause(const FootprintObserver::Footprints& footprints);
  void show_pinned(const FootprintObserver::Footprints& footprints) const;
  void move();
  FaultWindow window(const Watched& watched) const;
  Runtime& runtime_;
  OpenManagedPages open_;
  std::vector<Watched> watched_;
  std::vector<HostWatch::Range> in_use_;
  std::vector<Host::Range> copied_;
  const std::uint64_t blocks_, resident_, warps_;
  std::uint64_t remote_bytes_ = 0;
  PageTraffic total_;
  std::vector<const Allocation*> peers_;
  std::vector<PeerTraffic> peer_traffic_;
  std::unique_ptr<FootprintObserver> observer_;
};

/// The host accessed @p address, for which it has no rights: moves the page and what comes with it, unless it is there.
/// @returns false if it is there, or the address is not in managed memory
bool serve_host_fault(Runtime& runtime, std::uint64_t address, bool write);

}  // namespace warpbook::simulator::runtime
