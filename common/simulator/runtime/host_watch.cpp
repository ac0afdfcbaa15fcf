// Removes and restores access rights of pages, and reports accesses to the checker.
#include "common/simulator/runtime/host_watch.h"

#include <sys/mman.h>

#include <algorithm>
#include <iterator>

#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/host.h"
#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {
namespace {

constexpr int kAllRights = PROT_READ | PROT_WRITE;

/// Limits of accesses that are single-stepped: per page, and for the whole program. Each takes some microseconds.
constexpr std::uint16_t kMostStepsOfPage = 256;
constexpr std::uint32_t kMostSteps = 20000;

/// The rights that the host keeps, unchecked, on a page with this use by the device.
int rights_beside(PageUse use) {
  if (use == 0) return kAllRights;
  return (use & kPageWritten) != 0 ? PROT_NONE : PROT_READ;
}

std::uint64_t page_behind(std::uint64_t address) { return (address + kPageBytes - 1) / kPageBytes * kPageBytes; }

}  // namespace

void HostWatch::allocated(std::uint64_t address, std::uint64_t bytes, bool managed) {
  const std::size_t pages = (bytes + kPageBytes - 1) / kPageBytes;
  Shared& shared = shared_[address];
  shared.managed = managed;
  shared.uses.assign(pages, 0);
  shared.steps.assign(pages, 0);
  if (!managed) shared.rights.assign(pages, kAllRights);
}

void HostWatch::freed(std::uint64_t address) {
  const auto found = shared_.find(address);
  if (found == shared_.end()) return;
  std::fill(found->second.uses.begin(), found->second.uses.end(), PageUse{0});
  protect(address, found->second);
  shared_.erase(found);
}

void HostWatch::registered(std::uint64_t address, std::uint64_t bytes) {
  const std::uint64_t begin = page_behind(address), end = (address + bytes) / kPageBytes * kPageBytes;
  // Without rights on the stack the fault could not even be handled. If the program is in another process, its own
  // pages cannot be protected.
  const auto stack = reinterpret_cast<std::uint64_t>(&begin);
  if (begin >= end || (stack >= begin && stack < end) || host().is_apart()) return;
  serve_also(begin, end - begin);
  allocated(begin, end - begin, false);
}

void HostWatch::unregistered(std::uint64_t address) { freed(page_behind(address)); }

void HostWatch::clear() {
  while (!shared_.empty()) freed(shared_.begin()->first);
  in_use_ = false;
}

HostWatch::Shared* HostWatch::find(std::uint64_t address, std::uint64_t& begin) {
  const auto next = shared_.upper_bound(address);
  if (next == shared_.begin()) return nullptr;
  auto& [first, shared] = *std::prev(next);
  begin = first;
  return address - first < shared.uses.size() * kPageBytes ? &shared : nullptr;
}

void HostWatch::used(std::uint64_t address, std::uint64_t bytes, PageUse use) {
  std::uint64_t begin = 0;
  Shared* shared = bytes == 0 ? nullptr : find(address, begin);
  // Registered memory may begin in a page that is not shared.
  if (bytes > kPageBytes - address % kPageBytes && shared == nullptr) {
    const std::uint64_t behind = page_behind(address);
    bytes -= behind - address;
    shared = find(address = behind, begin);
  }
  if (shared == nullptr) return;
  const std::size_t last = std::min<std::size_t>((address - begin + bytes - 1) / kPageBytes, shared->uses.size() - 1);
  for (std::size_t page = (address - begin) / kPageBytes; page <= last; ++page) shared->uses[page] |= use;
  in_use_ = true;
}

std::vector<HostWatch::Range> HostWatch::ranges() const {
  std::vector<Range> all;
  for (const auto& [address, shared] : shared_) {
    const Allocation* const memory = runtime_.memory.find(address);
    if (memory == nullptr) continue;
    all.push_back(
        {address, address + memory->shadow_delta - GlobalMemory::kBase, std::vector<PageUse>(shared.uses.size())});
  }
  return all;
}

void HostWatch::use_all(const Range& range) {
  const auto found = shared_.find(range.address);
  if (found == shared_.end()) return;
  for (std::size_t page = 0; page < range.uses.size(); ++page) {
    found->second.uses[page] |= range.uses[page];
    in_use_ |= range.uses[page] != 0;
  }
}

void HostWatch::settle() {
  if (!in_use_) return;
  in_use_ = false;
  for (auto& [address, shared] : shared_) {
    std::fill(shared.uses.begin(), shared.uses.end(), PageUse{0});
    std::fill(shared.steps.begin(), shared.steps.end(), std::uint16_t{0});
  }
  if (runtime_.managed.is_open()) return;  // close() will set the rights.
  for (auto& [address, shared] : shared_) protect(address, shared);
}

void HostWatch::open() {
  for (auto& [address, shared] : shared_) {
    if (shared.managed || host().is_apart()) continue;
    if (std::all_of(shared.rights.begin(), shared.rights.end(), [](int rights) { return rights == kAllRights; }))
      continue;
    host().limit(address, shared.rights.size() * kPageBytes, kAllRights);
    std::fill(shared.rights.begin(), shared.rights.end(), kAllRights);
  }
}

void HostWatch::close() {
  for (auto& [address, shared] : shared_)
    if (!shared.managed) protect(address, shared);
}

int HostWatch::most_rights(std::uint64_t address) const {
  const auto next = shared_.upper_bound(address);
  if (next == shared_.begin()) return kAllRights;
  const auto& [begin, shared] = *std::prev(next);
  const std::uint64_t page = (address - begin) / kPageBytes;
  return page < shared.uses.size() ? rights_beside(shared.uses[page]) : kAllRights;
}

void HostWatch::protect(std::uint64_t begin, Shared& shared) {
  if (shared.managed) {
    if (const ManagedRange* const range = runtime_.managed.model.find(begin)) runtime_.managed.protect(*range);
    return;
  }
  const std::size_t pages = shared.uses.size();
  for (std::size_t page = 0; page < pages;) {
    const int rights = rights_beside(shared.uses[page]);
    std::size_t end = page;
    bool changes = false;
    for (; end < pages && rights_beside(shared.uses[end]) == rights; ++end) changes |= shared.rights[end] != rights;
    if (changes && !host().limit(begin + page * kPageBytes, (end - page) * kPageBytes, rights)) {
      // Too many mappings for the system.
      std::fill(shared.uses.begin(), shared.uses.end(), PageUse{0});
      host().limit(begin, pages * kPageBytes, kAllRights);
      std::fill(shared.rights.begin(), shared.rights.end(), kAllRights);
      return;
    }
    std::fill(shared.rights.begin() + static_cast<std::ptrdiff_t>(page),
              shared.rights.begin() + static_cast<std::ptrdiff_t>(end), rights);
    page = end;
  }
}

/// Opens @p page, and the following pages that are no longer in use: the host has waited for part of the work.
void HostWatch::open_unused(std::uint64_t begin, Shared& shared, std::size_t page, bool writes) {
  constexpr std::size_t kAhead = 64;
  shared.uses[page] = 0;
  const std::size_t end = std::min(page + kAhead, shared.uses.size());
  for (++page; page < end && shared.uses[page] != 0; ++page) {
    if (runtime_.checker->is_in_use(begin + page * kPageBytes, kPageBytes, writes, view())) break;
    shared.uses[page] = 0;
  }
  protect(begin, shared);
}

/// A host function in a stream is ordered after everything before it in the stream. If it runs within the call that
/// enqueues it, so is the host: it has waited for the stream.
Checker::HostView HostWatch::view() const {
  if (!in_host_function()) return Checker::HostView::host;
  return runtime_.order.current() != 0 ? Checker::HostView::work : Checker::HostView::function;
}

Served HostWatch::touched(std::uint64_t address, bool writes, std::uint64_t instruction) {
  std::uint64_t begin = 0;
  Shared* const shared = find(address, begin);
  if (shared == nullptr) return Served::no;
  const std::size_t page = (address - begin) / kPageBytes;
  const int wanted = writes ? kAllRights : PROT_READ;
  if (wanted == (rights_beside(shared->uses[page]) & wanted)) return Served::no;
  const std::uint64_t first = begin + page * kPageBytes;
  if (!writes && !runtime_.checker->is_in_use(first, kPageBytes, false, view())) {
    shared->uses[page] = kPageRead;
    protect(begin, *shared);
    return Served::yes;
  }
  if (!runtime_.checker->is_in_use(first, kPageBytes, true, view())) {
    open_unused(begin, *shared, page, true);
    return Served::yes;
  }
  const std::size_t place = instruction == 0 ? 0 : runtime_.places.interrupted(instruction);
  runtime_.checker->host_access(address, 1, writes, place, view());
  // The access may have settled everything: this byte was the device's signal to the host.
  if ((rights_beside(shared->uses[page]) & wanted) == wanted) return Served::yes;
  if (!kCanStep || host().is_apart() || ++shared->steps[page] > kMostStepsOfPage || ++steps_ > kMostSteps) {
    open_unused(begin, *shared, page, true);
    return Served::yes;
  }
  if (shared->managed) {
    runtime_.managed.open_page(first);
  } else {
    host().limit(first, kPageBytes, kAllRights);
    shared->rights[page] = kAllRights;
  }
  return Served::once;
}

void HostWatch::use_by_system(std::uint64_t address, std::uint64_t bytes, bool writes) {
  std::uint64_t begin = 0;
  Shared* const shared = in_use_ && bytes != 0 ? find(address, begin) : nullptr;
  if (shared == nullptr) return;
  runtime_.checker->host_access(address, bytes, writes, runtime_.places.here(), view());
  const std::size_t last = std::min<std::size_t>((address - begin + bytes - 1) / kPageBytes, shared->uses.size() - 1);
  for (std::size_t page = (address - begin) / kPageBytes; page <= last; ++page) shared->uses[page] = 0;
  protect(begin, *shared);
}

void HostWatch::stepped(std::uint64_t address) {
  std::uint64_t begin = 0;
  Shared* const shared = find(address, begin);
  if (shared != nullptr && !runtime_.managed.is_open()) protect(begin, *shared);
}

}  // namespace warpbook::simulator::runtime
