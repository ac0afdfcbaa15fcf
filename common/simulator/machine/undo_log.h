// The undo log: what global memory held before a speculative launch wrote to it.
//
// Blocks run on several host threads at once in the hope that they do not touch each other's data. The log keeps each
// page as it was before its first write, so that memory can be put back and the launch run again in block order. A
// debugger keeps one for launches in block order, too, to run them again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "common/simulator/machine/global_memory.h"

namespace warpbook::simulator {

class UndoLog {
 public:
  static constexpr unsigned kPageShift = 12;  ///< 4 KiB. Device memory is readable in whole pages.

  /// The host threads that write at the same time.
  enum class Writers : std::uint8_t { one, several };
  explicit UndoLog(Writers writers = Writers::several);
  ~UndoLog();
  UndoLog(const UndoLog&) = delete;
  UndoLog& operator=(const UndoLog&) = delete;

  /// Call this before writing the bytes [address, address + bytes) of @p allocation: saves those of its pages that are
  /// not saved yet. Thread safe: returns when they are saved, by this thread or another one.
  __attribute__((always_inline)) void before_write(const Allocation& allocation, std::uint64_t address,
                                                   std::uint64_t bytes) {
    const std::uint64_t first = (address + allocation.shadow_delta - GlobalMemory::kBase) >> kPageShift;
    const std::uint64_t last = (address + bytes - 1 + allocation.shadow_delta - GlobalMemory::kBase) >> kPageShift;
    for (std::uint64_t page = first; page <= last; ++page)
      if (!is_saved(page)) save(allocation, page);
  }

  /// Restores every saved page. Call this when no worker is running.
  void restore();
  /// Drops everything; the next speculative launch may begin.
  void clear();
  std::size_t saved_pages() const;
  bool has_several_writers() const { return writers_ == Writers::several; }

 private:
  struct State;
  __attribute__((always_inline)) bool is_saved(std::uint64_t page) const {
    return __atomic_load_n(saved_ + page, __ATOMIC_ACQUIRE) == 1;
  }
  void save(const Allocation& allocation, std::uint64_t page);
  void save_among_others(std::uint64_t page, std::byte* host, std::size_t bytes);
  void save_alone(std::uint64_t page, std::byte* host, std::size_t bytes);
  static constexpr std::uint64_t kPages = GlobalMemory::kBytes >> kPageShift;
  std::uint8_t* saved_;  ///< One byte for each page of the device range; 1: saved.
  std::unique_ptr<State> state_;
  const Writers writers_;
};

}  // namespace warpbook::simulator
