// What the host has stored to shared memory while a kernel runs beside it.
//
// Stores by the host's own code cannot be observed. So managed and pinned memory is copied when a grid first pauses for
// the host, and compared when the grid reads it: bytes that differ, and that nothing else has written, are the host's.
// The comparison is made at the read, so it does not matter when the host has stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "common/simulator/machine/global_memory.h"
#include "common/simulator/observe/knowledge.h"

namespace warpbook::simulator {

class HostChanges {
 public:
  /// Most memory copied; allocations that do not fit are not tracked.
  static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20;

  /// The grid pauses: copies what it shares with the host. The memory must be accessible.
  /// @param host serial number of what the host does meanwhile  @param stores the knowledge of that
  void begin(const GlobalMemory& memory, std::uint32_t grid, std::uint32_t host, Knowledge::Map stores);
  /// From now on others may have written, or handed over what the host has stored.
  void end();
  bool is_followed() const { return grid_ != 0; }
  std::uint32_t grid() const { return grid_; }
  std::uint32_t host() const { return host_; }
  Knowledge::Map stores() const { return stores_; }

  /// Whether the memory is shared with the host.
  bool contains(std::uint64_t address) const { return find(address) != ranges_.end(); }
  /// Whether the host has changed a byte of [@p address, @p address + @p bytes).
  bool is_changed(const GlobalMemory& memory, std::uint64_t address, std::uint32_t bytes) const;
  /// The grid writes there: later changes are not known to be the host's.
  void written(std::uint64_t address, std::uint32_t bytes);

 private:
  struct Range {
    std::vector<std::byte> before;
    std::vector<bool> written;
  };
  using Ranges = std::map<std::uint64_t, Range>;
  Ranges::const_iterator find(std::uint64_t address) const;

  Ranges ranges_;  ///< By address.
  std::uint32_t grid_ = 0, host_ = 0;
  Knowledge::Map stores_ = 0;
};

}  // namespace warpbook::simulator
