// Device memory that several processes use: the pages of an allocation move to a file, which other processes map.
//
// Whole pages are shared, so the first and last page of an allocation may belong to neighbours that are shared through
// files of their own: the pages of one allocation are in up to three files.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "common/simulator/machine/global_memory.h"

namespace warpbook::simulator {

/// Consecutive pages in a file.
struct SharedPages {
  int file = -1;
  std::uint64_t first = 0, count = 0;
};

class SharedMemory {
 public:
  static constexpr std::uint64_t kPage = 4096;
  static constexpr std::size_t kMostRuns = 3;

  explicit SharedMemory(GlobalMemory& memory) : memory_(memory) {}
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  /// Moves an allocation of device memory to files, and returns where its pages are. Empty if the system has no more
  /// files.
  std::vector<SharedPages> share(const Allocation& allocation);

  /// Maps another process's allocation, which begins at byte @p offset of the first page. @param like gives the owner
  /// and the access rights @returns its address; 0 if the system refuses
  std::uint64_t attach(const std::vector<SharedPages>& runs, std::uint64_t offset, std::uint64_t bytes,
                       const Allocation& like);
  void detach(std::uint64_t address);

 private:
  GlobalMemory& memory_;
  std::map<std::uint64_t, SharedPages> shared_;  ///< By number of the first page.
  struct Attached {
    std::uint64_t base = 0, bytes = 0;
  };
  std::map<std::uint64_t, Attached> attached_;  ///< By address.
};

}  // namespace warpbook::simulator
