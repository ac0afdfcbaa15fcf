// Managed memory in this process: the host's accesses are noticed, the device's are learnt from footprints.
//
// A managed page that is not with the host has no access rights in this process. Host code that touches it faults; the
// SIGSEGV handler (crash_report.h) moves the page in the model, counts a CPU page fault, and opens it. While a kernel
// or a copy runs, all managed memory is open: what other threads of the program touch meanwhile is not noticed.
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
  /// The device forgets all of it. @param variables addresses of those that keep what they hold, for the program to use
  void clear(const std::vector<std::uint64_t>& variables);

  /// All managed memory may be used by this process, until as many calls of close().
  void open();
  void close();
  /// Closes it for now, however often it was opened. @returns how often that was, for reopen()
  unsigned suspend();
  void reopen(unsigned times);
  bool is_open() const { return opened_ != 0; }
  /// From now on the host has no more rights than @p watch leaves it.
  void watch(HostWatch& watch) { watch_ = &watch; }
  /// Until the next protect() the program in this process may use the page at @p address.
  void open_page(std::uint64_t address);
  /// Gives the pages of @p range the access rights that follow from the model.
  void protect(const ManagedRange& range);
  /// Where the program has copies, takes over what it may have written. Before a page goes from the host to the device.
  void fetch();

 private:
  std::map<std::uint64_t, std::vector<int>> rights_;  ///< By address of the range: mprotect's, of each page.
  std::map<std::uint64_t, std::uint64_t> kept_;  ///< Variables that clear() has left to the host: bytes by address.
  unsigned opened_ = 0;
  HostWatch* watch_ = nullptr;
};

/// Opens managed memory for as long as it lives.
class OpenManagedPages {
 public:
  explicit OpenManagedPages(ManagedPages& pages) : pages_(pages) { pages_.open(); }
  ~OpenManagedPages() { pages_.close(); }
  OpenManagedPages(const OpenManagedPages&) = delete;
  OpenManagedPages& operator=(const OpenManagedPages&) = delete;

 private:
  ManagedPages& pages_;
};

/// What a launch did to pages of managed memory, and what it used of other devices' memory.
struct MemoryTraffic : PageTraffic {
  std::vector<PeerTraffic> peers;
};

/// Follows a launch: opens managed memory, and learns from the footprints of its grids which pages they touch.
class ManagedLaunch {
 public:
  /// @param resident blocks of it that the device holds at one time
  ManagedLaunch(Runtime& runtime, std::uint64_t blocks, std::uint64_t resident, std::uint64_t warps_per_block);
  /// The faults and migrations of the launch; the model has made them. Call once, when it has run.
  PageTraffic finish();
  /// What the launch used of other devices' memory.
  const std::vector<PeerTraffic>& peer_traffic() const { return peer_traffic_; }

 private:
  struct Watched {
    ManagedRange* range;
    std::vector<PageUse> uses;
    std::uint64_t first_block = 0;  ///< Pages that block 0 touched.
  };
  void watch_first_block(const Footprint& footprint);
  void watch_grid(const FootprintObserver::Footprints& footprints);
  /// The launch waits: what it has touched so far is where it wants it, and the host may touch it.
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

/// The host touched @p address, for which it has no rights: moves the page and what comes with it, unless it is there.
/// @returns false if it is there, or that is no managed memory
bool serve_host_fault(Runtime& runtime, std::uint64_t address, bool write);

}  // namespace warpbook::simulator::runtime
