// Races of host code: which memory shared with the device is in use by work that the host has not waited for.
//
// Work runs when it is issued; for the program it is in progress until the program waits. Meanwhile the pages that it
// used have no access rights for the program, or no write access if the work only read them. Host code that accesses
// such a page faults (crash_report.h). The access is compared with what the race checker has recorded, byte by byte:
// while anything in the page is in use, the page is opened for one instruction at a time. If the program is in another
// process than the device, or the processor cannot single-step, a page stays open after the first access to it.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "common/simulator/machine/checker.h"
#include "common/simulator/observe/touched_pages.h"
#include "common/simulator/runtime/crash_report.h"

namespace warpbook::simulator::runtime {

class Runtime;

class HostWatch {
 public:
  explicit HostWatch(Runtime& runtime) : runtime_(runtime) {}

  /// Memory that the host shares: managed or pinned.
  void allocated(std::uint64_t address, std::uint64_t bytes, bool managed);
  void freed(std::uint64_t address);
  /// Ordinary memory of the program that it registers: the pages that are entirely inside are shared.
  void registered(std::uint64_t address, std::uint64_t bytes);
  void unregistered(std::uint64_t address);
  void clear();

  /// Work that runs now uses [@p address, @p address + @p bytes), as far as that is shared.
  void used(std::uint64_t address, std::uint64_t bytes, PageUse use);
  /// A shared range: its address, its offset in the device's address range, and its pages.
  struct Range {
    std::uint64_t address = 0, offset = 0;
    std::vector<PageUse> uses;
  };
  /// All shared ranges, with empty uses: for use_all().
  std::vector<Range> ranges() const;
  void use_all(const Range& range);

  /// The host has waited for all work so far.
  void settle();

  /// The device, or the library on its behalf, is about to use shared memory (open) or has done so (close).
  void open();
  void close();
  /// The rights (as for mprotect) that a managed page may have at most.
  int most_rights(std::uint64_t address) const;

  /// Host code is about to read or write the byte at @p address, for which it has no rights: checks that.
  /// @param instruction the accessing instruction; 0: unknown
  /// @returns no: this class does not protect the page
  Served touched(std::uint64_t address, bool writes, std::uint64_t instruction);
  /// The system is about to access [@p address, @p address + @p bytes) for the host: checks that, and opens the pages.
  void use_by_system(std::uint64_t address, std::uint64_t bytes, bool writes);
  /// An access that was served `once` is over.
  void stepped(std::uint64_t address);

 private:
  struct Shared {
    bool managed = false;
    std::vector<PageUse> uses;         ///< Of each page: by work that the host has not waited for.
    std::vector<std::uint16_t> steps;  ///< Accesses that were let through one by one.
    std::vector<int> rights;           ///< Of pinned memory.
  };
  Shared* find(std::uint64_t address, std::uint64_t& begin);
  Checker::HostView view() const;
  void protect(std::uint64_t begin, Shared& shared);
  void open_unused(std::uint64_t begin, Shared& shared, std::size_t page, bool writes);

  Runtime& runtime_;
  std::map<std::uint64_t, Shared> shared_;  ///< By address.
  bool in_use_ = false;                     ///< Some page may have uses.
  std::uint32_t steps_ = 0;
};

}  // namespace warpbook::simulator::runtime
