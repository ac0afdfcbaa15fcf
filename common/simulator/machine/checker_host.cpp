// Kernels and the host's code beside them: what it has waited for, and what they have released to it.
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "common/simulator/machine/checker.h"

namespace warpbook::simulator {

struct Checker::Suspended {
  std::vector<Running> running;
  Knowledge::Map met = 0;
  std::uint64_t arrived = 0;
};

std::shared_ptr<Checker::Suspended> Checker::suspend() {
  flush();
  host_may_know();
  return std::make_shared<Suspended>(Suspended{std::exchange(running_, {}), met_, arrived_});
}

void Checker::go_on(Suspended& suspended) {
  look_at_host_stores();
  beside_host_ = true;
  running_ = std::move(suspended.running);
  met_ = suspended.met;
  arrived_ = suspended.arrived;
  if (!running_.empty()) races_.start_grid(running_.back().floor, running_.back().first);
}

void Checker::forget_knowledge() {
  // The host may still read what threads have released to it.
  if (tells_host_ && !order_.host_has_waited()) return;
  races_.forget_knowledge();
  host_known_ = for_the_host_ = 0;
  tells_host_ = false;
}

void Checker::released_to_host(std::uint64_t address) {
  const Knowledge::Map released = races_.released_to_system(address);
  if (released == 0) return;
  tells_host_ = true;
  for_the_host_ = races_.knowledge().join(for_the_host_, released);
}

void Checker::host_may_know() {
  const Knowledge::Map released = std::exchange(for_the_host_, 0);
  if (!beside_host_ || released == 0 || running_.empty()) return;
  // While the grid ran, the host's reads were not seen.
  host_known_ = races_.knowledge().join(host_known_, released);
  order_.host_observed(running_.back().first);
}

RaceDetector::IsBefore Checker::before_host(HostView view) const {
  return [this, view](std::uint32_t serial) {
    return view == HostView::work ? order_.is_before(serial) : order_.is_before_host(serial);
  };
}

bool Checker::is_in_use(std::uint64_t address, std::uint64_t bytes, bool host_writes, HostView view) const {
  const Allocation* const allocation = memory_.find(address);
  if (allocation == nullptr || races_.is_full()) return false;
  const std::uint64_t end = std::min(address + bytes, allocation->address + allocation->bytes);
  bool found = false;
  races_.find_unordered(address + allocation->shadow_delta - GlobalMemory::kBase, end - address, host_writes,
                        before_host(view), host_known_,
                        [&](const RaceDetector::Unordered&) { return !(found = true); });
  return found;
}

void Checker::host_access(std::uint64_t address, std::uint64_t bytes, bool writes, std::size_t host_place,
                          HostView view) {
  const Allocation* const allocation = memory_.find(address);
  if (allocation == nullptr || races_.is_full()) return;
  const std::uint64_t end = std::min(address + bytes, allocation->address + allocation->bytes);
  const std::uint64_t begin = address + allocation->shadow_delta - GlobalMemory::kBase;
  const auto find = [&](const std::function<bool(const RaceDetector::Unordered&)>& found) {
    races_.find_unordered(begin, end - address, writes, before_host(view), host_known_, found);
  };
  // A store that is strong at system scope needs no waiting. The host sees it, and with it what was released there.
  std::vector<RaceDetector::Unordered> flags;
  find([&](const RaceDetector::Unordered& other) {
    if (is_of_system(other.epoch)) flags.push_back(other);
    return true;
  });
  for (const RaceDetector::Unordered& flag : flags) {
    // Of a word that is stored to, the first byte is known.
    const Knowledge::Map released = flag.wrote ? races_.released_to_system(word_of(flag)) : 0;
    if (released == 0) continue;
    host_known_ = races_.knowledge().join(host_known_, released);
    order_.host_observed(epoch::serial(flag.epoch));
  }
  const auto is_flag = [&](const RaceDetector::Unordered& other) {
    return std::any_of(flags.begin(), flags.end(), [&](const auto& flag) { return flag.address == other.address; });
  };
  std::optional<RaceDetector::Unordered> race;
  find([&](const RaceDetector::Unordered& other) {
    if (is_flag(other)) return true;
    race = other;
    return false;
  });
  if (race) report_host_access(*race, writes, host_place, view);
}

bool Checker::is_of_system(Epoch e) const {
  const std::uint32_t site = epoch::site(e);
  return (e & epoch::kStrong) != 0 && (site >= system_sites_.size() || site == 0 || system_sites_[site]);
}

std::uint64_t Checker::word_of(const RaceDetector::Unordered& other) const {
  const ptx::Type type = type_of(other.epoch);
  const std::uint64_t size = type == ptx::Type::none ? 1 : ptx::size_of(type);
  return other.address / size * size;
}

}  // namespace warpbook::simulator
