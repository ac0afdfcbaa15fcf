// Access rights of managed pages, host page faults, and the pages that a launch accessed.
#include "common/simulator/runtime/managed_pages.h"

#include <sys/mman.h>

#include <algorithm>
#include <utility>

#include "common/simulator/runtime/host.h"
#include "common/simulator/runtime/host_calls.h"
#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {
namespace {

constexpr int kOpen = PROT_READ | PROT_WRITE;

std::uint64_t touched_pages(const std::vector<PageUse>& uses) {
  return static_cast<std::uint64_t>(std::count_if(uses.begin(), uses.end(), [](PageUse use) { return use != 0; }));
}

int rights_of(const ManagedPage& page) {
  if (!page.on_host) return PROT_NONE;
  return page.on_device ? PROT_READ : kOpen;
}

void record(Runtime& runtime, const PageTraffic& traffic, const Activity& activity) {
  if (traffic.bytes_to_host != 0) {
    runtime.profile.add(MigrationRecord{"device_to_host", "cpu_page_faults", traffic.bytes_to_host, 0,
                                        activity.start_us, activity.end_us - activity.start_us});
  }
}

}  // namespace

void ManagedPages::allocated(std::uint64_t address, std::uint64_t bytes, bool filled) {
  const ManagedRange& range = model.add(address, bytes, filled);
  if (kept_.erase(address) != 0 && host().is_apart()) host().fetch(address, range.pages.size() * kPageBytes);
  rights_[address].assign(range.pages.size(), host().is_apart() ? PROT_NONE : kOpen);
  if (opened_ == 0) protect(range);
}

void ManagedPages::open_page(std::uint64_t address) {
  const ManagedRange* const range = model.find(address);
  if (range == nullptr) return;
  host().protect(address, kPageBytes, kOpen);
  rights_.at(range->address)[(address - range->address) / kPageBytes] = kOpen;
}

void ManagedPages::freed(std::uint64_t address) {
  if (const auto kept = kept_.extract(address)) host().forget(address, kept.mapped());
  const auto rights = rights_.find(address);
  if (rights == rights_.end()) return;
  host().forget(address, rights->second.size() * kPageBytes);
  rights_.erase(rights);
  model.remove(address);
}

void ManagedPages::clear(const std::vector<std::uint64_t>& variables) {
  fetch();
  for (const std::uint64_t address : variables) {
    const auto rights = rights_.find(address);
    if (rights == rights_.end()) continue;
    const std::uint64_t bytes = rights->second.size() * kPageBytes;
    host().protect(address, bytes, kOpen);
    kept_[address] = bytes;
    rights_.erase(rights);
    model.remove(address);
  }
  while (!rights_.empty()) freed(rights_.begin()->first);
}

void ManagedPages::open() {
  if (opened_++ != 0) return;
  if (watch_ != nullptr) watch_->open();
  fetch();
  if (host().is_apart()) return;
  for (auto& [address, rights] : rights_) {
    if (std::all_of(rights.begin(), rights.end(), [](int right) { return right == kOpen; })) continue;
    if (host().protect(address, rights.size() * kPageBytes, kOpen)) std::fill(rights.begin(), rights.end(), kOpen);
  }
}

void ManagedPages::fetch() {
  if (!host().is_apart()) return;
  for (const auto& [address, range] : model.ranges()) {
    for (std::size_t begin = 0; begin < range.pages.size();) {
      const auto may_differ = [&range = range](std::size_t page) { return rights_of(range.pages[page]) == kOpen; };
      std::size_t end = begin + 1;
      while (end < range.pages.size() && may_differ(end) == may_differ(begin)) ++end;
      if (may_differ(begin)) host().fetch(address + begin * kPageBytes, (end - begin) * kPageBytes);
      begin = end;
    }
  }
}

void ManagedPages::close() {
  if (--opened_ != 0) return;
  for (const auto& [address, range] : model.ranges()) protect(range);
  if (watch_ != nullptr) watch_->close();
}

void ManagedPages::protect(const ManagedRange& range) {
  std::vector<int>& rights = rights_.at(range.address);
  const auto rights_to_be = [&](std::size_t page) {
    const int rights = rights_of(range.pages[page]);
    return watch_ == nullptr ? rights : rights & watch_->most_rights(range.address + page * kPageBytes);
  };
  for (std::size_t begin = 0; begin < range.pages.size();) {
    const int wanted = rights_to_be(begin);
    std::size_t end = begin + 1;
    // A host in another process sees the changed pages and no others: it may have written those since.
    const auto changes = [&](std::size_t page) { return host().is_apart() && rights[page] != wanted; };
    while (end < range.pages.size() && rights_to_be(end) == wanted && changes(end) == changes(begin)) ++end;
    const auto first = rights.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = rights.begin() + static_cast<std::ptrdiff_t>(end);
    if (std::any_of(first, last, [&](int right) { return right != wanted; })) {
      if (!host().protect(range.address + begin * kPageBytes, (end - begin) * kPageBytes, wanted)) {
        // Too many mappings for the system: without access rights, accesses of the host are not noticed.
        complain_once(
            "the host accesses managed memory in too many separate pieces: its further page faults are not counted");
        if (host().protect(range.address, rights.size() * kPageBytes, kOpen))
          std::fill(rights.begin(), rights.end(), kOpen);
        return;
      }
      std::fill(first, last, wanted);
    }
    begin = end;
  }
}

unsigned ManagedPages::suspend() {
  const unsigned times = std::exchange(opened_, 1);
  close();
  return times;
}

void ManagedPages::reopen(unsigned times) {
  open();
  opened_ = times;
}

namespace {

/// The memory of other devices that kernels of the active device may use.
std::vector<const Allocation*> peers_of(const Runtime& runtime) {
  std::vector<const Allocation*> found;
  for (const Allocation* allocation : runtime.memory.live()) {
    const bool of_device = allocation->kind == MemoryKind::device || allocation->kind == MemoryKind::module;
    if (of_device && allocation->device != active_device() && allocation->allows(active_device()))
      found.push_back(allocation);
  }
  return found;
}

}  // namespace

ManagedLaunch::ManagedLaunch(Runtime& runtime, std::uint64_t blocks, std::uint64_t resident,
                             std::uint64_t warps_per_block)
    : runtime_(runtime), open_(runtime.managed), blocks_(blocks), resident_(resident), warps_(warps_per_block) {
  for (auto& [address, range] : runtime.managed.model.ranges()) {
    if (!ManagedMemory::settled(range, active_device()))
      watched_.push_back({&range, std::vector<PageUse>(range.pages.size(), PageUse{0})});
  }
  copied_ = host().copied_pinned();
  if (runtime.device_count() > 1) peers_ = peers_of(runtime);
  if (runtime.watch) in_use_ = runtime.watch->ranges();
  if (watched_.empty() && copied_.empty() && in_use_.empty() && peers_.empty()) return;
  observer_ = std::make_unique<FootprintObserver>(
      [this](const Footprint& footprint) { watch_first_block(footprint); },
      [this](const FootprintObserver::Footprints& footprints) { watch_grid(footprints); },
      [this](const FootprintObserver::Footprints& footprints) { watch_pause(footprints); });
}

void ManagedLaunch::watch_first_block(const Footprint& footprint) {
  for (Watched& watched : watched_) {
    std::vector<PageUse> uses(watched.range->pages.size());
    add_touched_pages({&footprint}, watched.range->address - GlobalMemory::kBase, uses);
    watched.first_block = touched_pages(uses);
  }
}

void ManagedLaunch::watch_grid(const FootprintObserver::Footprints& footprints) {
  std::map<unsigned, std::vector<ByteRange>> by_device;
  for (const Allocation* peer : peers_)
    by_device[peer->device].push_back({peer->address - GlobalMemory::kBase, peer->bytes});
  for (const auto& [owner, ranges] : by_device) {
    const TouchedBytes touched = touched_bytes(footprints, ranges);
    const Link* const link = runtime_.link(active_device(), owner);
    if (touched.any != 0) peer_traffic_.push_back({link, touched.read, touched.written, touched.any});
  }
  for (Watched& watched : watched_) {
    const std::uint64_t offset = watched.range->address - GlobalMemory::kBase;
    add_touched_pages(footprints, offset, watched.uses);
    // Which pages it accesses remotely follows from where they are before the launch.
    ManagedRange before = *watched.range;
    std::vector<std::uint8_t> remote(before.pages.size());
    ManagedMemory::device_touches(before, watched.uses, window(watched), &remote, active_device());
    if (std::find(remote.begin(), remote.end(), 1) != remote.end())
      remote_bytes_ += touched_bytes(footprints, offset, remote);
  }
  for (HostWatch::Range& range : in_use_) add_touched_pages(footprints, range.offset, range.uses);
  show_pinned(footprints);
}

void ManagedLaunch::watch_pause(const FootprintObserver::Footprints& footprints) {
  for (Watched& watched : watched_)
    add_touched_pages(footprints, watched.range->address - GlobalMemory::kBase, watched.uses);
  show_pinned(footprints);
  move();
}

void ManagedLaunch::show_pinned(const FootprintObserver::Footprints& footprints) const {
  for (const Host::Range& range : copied_) {
    const Allocation* const memory = runtime_.memory.find(range.address);
    if (memory == nullptr) continue;
    // Registered memory may begin anywhere in a page.
    const std::uint64_t before = range.address % kPageBytes, end = before + range.bytes;
    std::vector<PageUse> uses((end + kPageBytes - 1) / kPageBytes);
    add_touched_pages(footprints, range.address - before + memory->shadow_delta - GlobalMemory::kBase, uses);
    for (std::size_t page = 0; page < uses.size(); ++page) {
      const std::uint64_t first = std::max(before, page * kPageBytes), last = std::min(end, (page + 1) * kPageBytes);
      if ((uses[page] & kPageWritten) != 0) host().show(range.address + (first - before), last - first);
    }
  }
}

FaultWindow ManagedLaunch::window(const Watched& watched) const {
  return FaultWindow::of(blocks_, resident_, warps_, watched.first_block, touched_pages(watched.uses));
}

PageTraffic ManagedLaunch::finish() {
  observer_.reset();
  for (const HostWatch::Range& range : in_use_) runtime_.watch->use_all(range);
  move();
  total_.remote_bytes = remote_bytes_;
  return total_;
}

void ManagedLaunch::move() {
  for (Watched& watched : watched_) {
    const PageTraffic traffic =
        ManagedMemory::device_touches(*watched.range, watched.uses, window(watched), nullptr, active_device());
    runtime_.profile.add(watched.range->address, traffic);
    total_.add(traffic);
    for (std::size_t page = 0; host().is_apart() && page < watched.uses.size(); ++page) {
      if ((watched.uses[page] & kPageWritten) != 0 && watched.range->pages[page].on_host)
        host().show(watched.range->address + page * kPageBytes, kPageBytes);
    }
  }
}

bool serve_host_fault(Runtime& runtime, std::uint64_t address, bool write) {
  const std::lock_guard guard(runtime_lock());
  ManagedRange* range = runtime.managed.model.find(address);
  if (range == nullptr) return false;
  const int there = rights_of(range->pages[(address - range->address) / kPageBytes]);
  if ((there & (write ? PROT_WRITE : PROT_READ)) != 0 && runtime.watch) return false;
  const PageTraffic traffic = ManagedMemory::host_touches(*range, (address - range->address) / kPageBytes, write);
  runtime.profile.add(range->address, traffic);
  if (traffic.faulted()) record(runtime, traffic, runtime.timeline.host_fault(traffic));
  runtime.managed.protect(*range);
  return true;
}

void use_on_host(const void* pointer, std::size_t bytes, bool write) {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  const bool shared = address - GlobalMemory::kBase < GlobalMemory::kBytes && !GlobalMemory::is_device_only(address);
  Runtime* runtime = Runtime::existing();
  if (!shared || runtime == nullptr || bytes == 0) return;
  const std::lock_guard guard(runtime_lock());
  if (runtime->watch) runtime->watch->use_by_system(address, bytes, write);
  const ManagedRange* range = runtime->managed.model.find(address);
  if (range == nullptr) return;
  const std::size_t first = (address - range->address) / kPageBytes;
  const std::size_t last =
      std::min<std::size_t>((address - range->address + bytes - 1) / kPageBytes + 1, range->pages.size());
  for (std::size_t page = first; page < last; ++page) {
    const ManagedPage& state = range->pages[page];
    if (!state.on_host || (write && state.on_device)) {
      serve_host_fault(*runtime, range->address + page * kPageBytes, write);
    }
  }
}

}  // namespace warpbook::simulator::runtime
