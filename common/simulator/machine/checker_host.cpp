// Kernels and the host's code beside them: what it has waited for, and what they have released to it.
#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "common/simulator/machine/access_values.h"
#include "common/simulator/machine/block_state.h"
#include "common/simulator/machine/checker.h"

namespace warpbook::simulator {

struct Checker::Suspended {
  std::vector<Running> running;
  Knowledge::Map met = 0;
  std::uint64_t arrived = 0;
};

void Checker::host_goes_on() {
  if (running_.empty() || std::exchange(running_.back().has_paused, true)) return;
  const std::uint32_t grid = running_.back().first;
  if (running_.size() != 1 || grid == 0) return;
  const std::uint32_t host = races_.take_serials(1);
  if (host != 0) host_changes_.begin(memory_, grid, host, races_.knowledge().with_thread(0, host, 0, 1));
}

std::shared_ptr<Checker::Suspended> Checker::suspend() {
  flush();
  host_may_know();
  return std::make_shared<Suspended>(Suspended{std::exchange(running_, {}), met_, arrived_});
}

void Checker::go_on(Suspended& suspended) {
  look_at_host_stores();
  beside_host_ = true;
  running_ = std::move(suspended.running);
  const bool alone = running_.size() == 1 && running_.back().first == host_changes_.grid();
  if (!alone) host_changes_.end();
  met_ = suspended.met;
  arrived_ = suspended.arrived;
  if (!running_.empty()) races_.start_grid(running_.back().floor, running_.back().first);
}

bool Checker::has_heard(const BlockClocks& clocks, std::uint32_t thread) {
  // Without clocks of their own, threads have no fences: only a barrier can have followed a poll.
  if (!clocks.fine) return clocks.clock != 1;
  return races_.knowledge().knows(clocks.threads[thread].known, host_changes_.host(), 0, 1);
}

void Checker::access_beside_host(WarpState& warp, const Operation* op, const Watched& watched, std::uint32_t lanes,
                                 const std::uint64_t* address) {
  CheckedBlock& block = *warp.state->checked;
  if (block.first_serial != host_changes_.grid()) return;
  const AccessForm& form = watched.form;
  const bool reads = form.kind != AccessForm::Kind::write, writes = form.kind != AccessForm::Kind::read;
  // The host's own accesses are strong at system scope, and release.
  const bool hears = reads && form.strong && watched.order.reads && watched.order.system;
  for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    if (!host_changes_.contains(address[lane])) continue;
    const std::uint32_t number = warp.index * kWarpSize + lane;
    if (hears && block.clocks.fine) {
      BlockClocks::Thread& thread = block.clocks.threads[number];
      Knowledge::Map& into = watched.order.acquires ? thread.known : thread.pending;
      into = races_.knowledge().join(into, host_changes_.stores());
    } else if (reads && !hears && !has_heard(block.clocks, number)) {
      const ReadBesideHost read{site_of(warp, op, watched), lane, address[lane], form.bytes};
      if (host_changes_.is_changed(memory_, read.address, read.bytes))
        report_host_change(warp, read);
      else if (!writes)
        beside_host_reads_.push_back(read);
    }
    if (writes) host_changes_.written(address[lane], form.bytes);
  }
}

const Operation* Checker::execute_beside_host(WarpState& warp, const Operation* op, const Watched& watched) {
  // What the host changes meanwhile is in the value that is read. Nothing that this grid does later can have allowed
  // it.
  const std::vector<ReadBesideHost> reads = std::exchange(beside_host_reads_, {});
  const Operation* const next = watched.handler(warp, op);
  for (const ReadBesideHost& read : reads)
    if (host_changes_.is_changed(memory_, read.address, read.bytes)) report_host_change(warp, read);
  return next;
}

void Checker::report_host_change(WarpState& warp, const ReadBesideHost& read) {
  const auto [site, lane, address, bytes] = read;
  if (races_.is_full()) return;
  const auto [place, fresh] = seen_.try_emplace(std::uint64_t{1} << 63 | site);
  if (!fresh) {
    ++place->second.more;
    return;
  }
  const CheckedBlock& block = *warp.state->checked;
  const std::uint32_t thread = warp.index * kWarpSize + lane;
  const Grid* const grid = grid_of(block.clocks.serial);
  const Epoch now = epoch::make(block.clocks.serial, block.clocks.clock_of(thread), thread, site);
  CheckFinding& finding = place->second.finding;
  finding.check = Check::race;
  finding.kind = "read_after_write";
  finding.space = "global";
  finding.address = address;
  if (grid != nullptr) finding.kernel = grid->name;
  CheckSite first, second = site_of(now, grid, false);
  first.role = "write";
  first.instruction = "host code";
  first.value_is = "written";
  second.value_is = second.role == "atomic" ? "before" : "read";
  const Allocation* const allocation = memory_.find(address);
  first.value = value_text(allocation->host + (address - allocation->address), bytes, type_of(now));
  second.value = first.value;
  finding.message = "thread " + triple(second.thread) + " of block " + triple(second.block) +
                    " reads global memory that the host has written while the kernel ran, and nothing orders the two "
                    "accesses";
  finding.missing = second.role == "atomic"
                        ? "the atomic has the scope of the device: the host is not in it"
                        : "the thread has not acquired, at system scope, what the host has released";
  finding.advice =
      "poll the host's flag by a load with memory_order_acquire of cuda::thread_scope_system, or by a volatile load "
      "with __threadfence_system() after it, before the host's data are read";
  finding.sites = {std::move(first), std::move(second)};
  findings_.add(finding);
}

void Checker::forget_knowledge() {
  // The host may still read what threads have released to it.
  if (tells_host_ && !order_.host_has_waited()) return;
  host_changes_.end();
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
