// Races of the host's own code: which memory that it shares with the device is in use by work it has not waited for.
//
// Work is done when it is issued; in the program's view it goes on until the program waits. Meanwhile the pages that it
// has used have no access rights for the program, or none to write where it has only read. Host code that touches such
// a page faults (crash_report.h). What it touches there is compared with what the race checker keeps: byte by byte, for
// the page is opened for one instruction at a time as long as anything in it is in use. Where the program is apart from
// the device, or the processor cannot step, a page is open after the first access to it.
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

  /// Memory that the host shares: managed, or pinned.
  void allocated(std::uint64_t address, std::uint64_t bytes, bool managed);
  void freed(std::uint64_t address);
  /// Memory of the program's own that it registers: the pages that lie in it as a whole are shared.
  void registered(std::uint64_t address, std::uint64_t bytes);
  void unregistered(std::uint64_t address);
  void clear();

  /// Work that is done now uses [@p address, @p address + @p bytes), as far as that is shared.
  void used(std::uint64_t address, std::uint64_t bytes, PageUse use);
  /// Address of what is shared, where it begins in the device's range, and its pages.
  struct Range {
    std::uint64_t address = 0, offset = 0;
    std::vector<PageUse> uses;
  };
  /// All that is shared, without uses: for use_all().
  std::vector<Range> ranges() const;
  void use_all(const Range& range);

  /// The host has waited for all that was done.
  void settle();

  /// The device, or the library for it, is about to use shared memory; and has.
  void open();
  void close();
  /// mprotect's rights that a managed page may have at most.
  int most_rights(std::uint64_t address) const;

  /// Host code is about to read or write the byte at @p address, for which it has no rights: checks that.
  /// @param instruction that does so; 0: not known
  /// @returns no: the page is not kept from the host because of this
  Served touched(std::uint64_t address, bool writes, std::uint64_t instruction);
  /// The system is about to read or write [@p address, @p address + @p bytes) for it: checks that, and opens the pages.
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
  bool in_use_ = false;                     ///< A page may have uses.
  std::uint32_t steps_ = 0;
};

}  // namespace warpbook::simulator::runtime
