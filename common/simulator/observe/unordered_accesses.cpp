// Finds the accesses that the host's own code is not ordered after.
#include <algorithm>
#include <bit>

#include "common/simulator/observe/race_detector.h"

namespace warpbook::simulator {

void RaceDetector::find_unordered(std::uint64_t address, std::uint64_t bytes, bool writes,
                                  const IsBefore& is_before_host, Knowledge::Map known,
                                  const std::function<bool(const Unordered&)>& found) const {
  std::uint32_t asked = 0;  // Adjacent accesses mostly belong to one block or piece of work.
  bool answer = true;
  const auto is_unordered = [&](Epoch e) {
    if (epoch::serial(e) != asked) answer = is_before_host(asked = epoch::serial(e));
    if (e == 0 || answer) return false;
    const bool of_thread = (e & (epoch::kMany | epoch::kSpecial)) == 0;
    return !of_thread || !knowledge_.knows(known, epoch::serial(e), epoch::thread(e), epoch::clock(e));
  };
  const auto show = [&](Epoch e, bool wrote, std::uint64_t at, Epoch written) {
    const bool is_kept = wrote ? (e & epoch::kSpecial) == 0 : (written & (epoch::kStrong | epoch::kSpecial)) == 0;
    if (!is_list(e)) return !is_unordered(e) || found({e, wrote, at, is_kept});
    const std::vector<Entry>& entries = lists_[list_index(e)].entries;
    return std::all_of(entries.begin(), entries.end(), [&](const Entry& entry) {
      const Epoch of_lane = entry.epoch + (Epoch{std::countr_zero(entry.lanes)} << epoch::kThreadShift);
      return entry.lanes == 0 || !is_unordered(of_lane) || found({of_lane, wrote, at, is_kept});
    });
  };
  for (const std::uint64_t end = address + bytes; address < end;) {
    const AccessHistory::Page* const page = global_.existing_page(address);
    const auto byte = static_cast<unsigned>(address % AccessHistory::kPageBytes);
    if (page == nullptr) {
      address += AccessHistory::kPageBytes - byte;
      continue;
    }
    const Epoch written = page->written_byte(byte);
    if (!show(written, true, address, written)) return;
    if (writes && !show(page->read_byte(byte), false, address, written)) return;
    address += page->is_fine() ? 1 : 4 - address % 4;
  }
}

}  // namespace warpbook::simulator
