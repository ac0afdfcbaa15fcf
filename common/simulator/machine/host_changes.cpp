// Copies shared memory, and compares it.
#include "common/simulator/machine/host_changes.h"

#include <algorithm>
#include <iterator>

namespace warpbook::simulator {

void HostChanges::begin(const GlobalMemory& memory, std::uint32_t grid, std::uint32_t host, Knowledge::Map stores) {
  end();
  std::uint64_t left = kMostBytes;
  for (const Allocation* const allocation : memory.live()) {
    const bool is_shared = allocation->kind == MemoryKind::managed || allocation->kind == MemoryKind::pinned;
    if (!is_shared || allocation->bytes > left) continue;
    left -= allocation->bytes;
    Range& range = ranges_[allocation->address];
    range.before.assign(allocation->host, allocation->host + allocation->bytes);
    range.written.assign(allocation->bytes, false);
  }
  if (ranges_.empty()) return;
  grid_ = grid;
  host_ = host;
  stores_ = stores;
}

void HostChanges::end() {
  ranges_.clear();
  grid_ = host_ = 0;
  stores_ = 0;
}

HostChanges::Ranges::const_iterator HostChanges::find(std::uint64_t address) const {
  const auto next = ranges_.upper_bound(address);
  if (next == ranges_.begin()) return ranges_.end();
  const auto found = std::prev(next);
  return address - found->first < found->second.before.size() ? found : ranges_.end();
}

bool HostChanges::is_changed(const GlobalMemory& memory, std::uint64_t address, std::uint32_t bytes) const {
  const auto found = find(address);
  if (found == ranges_.end()) return false;
  const Allocation* const allocation = memory.find(address);
  const auto& [begin, range] = *found;
  if (allocation == nullptr || allocation->address != begin || allocation->bytes != range.before.size()) return false;
  const std::uint64_t first = address - begin, last = std::min<std::uint64_t>(first + bytes, range.before.size());
  for (std::uint64_t at = first; at < last; ++at)
    if (!range.written[at] && allocation->host[at] != range.before[at]) return true;
  return false;
}

void HostChanges::written(std::uint64_t address, std::uint32_t bytes) {
  const auto found = find(address);
  if (found == ranges_.end()) return;
  Range& range = ranges_[found->first];
  const std::uint64_t first = address - found->first,
                      last = std::min<std::uint64_t>(first + bytes, range.written.size());
  std::fill(range.written.begin() + static_cast<std::ptrdiff_t>(first),
            range.written.begin() + static_cast<std::ptrdiff_t>(last), true);
}

}  // namespace warpbook::simulator
