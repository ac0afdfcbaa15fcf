// Moves pages to files, and maps files of other processes.
#include "common/simulator/machine/shared_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>

namespace warpbook::simulator {
namespace {

/// A file that contains the @p bytes at @p from, or -1.
int file_of(const std::byte* from, std::uint64_t bytes) {
  const int file = ::memfd_create("warpbook-shared-memory", MFD_CLOEXEC);
  if (file < 0) return -1;
  for (std::uint64_t done = 0; done < bytes;) {
    const auto count = ::pwrite(file, from + done, bytes - done, static_cast<off_t>(done));
    if (count <= 0) {
      ::close(file);
      return -1;
    }
    done += static_cast<std::uint64_t>(count);
  }
  return file;
}

}  // namespace

SharedMemory::~SharedMemory() {
  for (const auto& [page, pages] : shared_) ::close(pages.file);
}

std::vector<SharedPages> SharedMemory::share(const Allocation& allocation) {
  const std::uint64_t begin = allocation.address / kPage, end = (allocation.address + allocation.bytes - 1) / kPage + 1;
  const std::byte* const bytes = allocation.host - allocation.address % kPage;
  std::vector<SharedPages> runs;
  for (std::uint64_t page = begin; page < end;) {
    auto next = shared_.upper_bound(page);
    const auto before = next == shared_.begin() ? shared_.end() : std::prev(next);
    if (before != shared_.end() && page - before->first < before->second.count) {
      const SharedPages& there = before->second;
      const std::uint64_t skipped = page - before->first, count = std::min(there.count - skipped, end - page);
      runs.push_back({there.file, there.first + skipped, count});
      page += count;
      continue;
    }
    const std::uint64_t limit = next == shared_.end() ? end : std::min(end, next->first);
    const int file = file_of(bytes + (page - begin) * kPage, (limit - page) * kPage);
    if (file < 0) return {};
    if (!memory_.back(page * kPage, (limit - page) * kPage, file)) {
      ::close(file);
      return {};
    }
    shared_[page] = {file, 0, limit - page};
    runs.push_back({file, 0, limit - page});
    page = limit;
  }
  return runs.size() <= kMostRuns ? runs : std::vector<SharedPages>();
}

std::uint64_t SharedMemory::attach(const std::vector<SharedPages>& runs, std::uint64_t offset, std::uint64_t bytes,
                                   const Allocation& like) {
  std::uint64_t pages = 0;
  for (const SharedPages& run : runs) pages += run.count;
  const std::uint64_t base = memory_.reserve_addresses(pages * kPage, kPage);
  if (base == 0) return 0;
  std::uint64_t at = base;
  for (const SharedPages& run : runs) {
    if (!memory_.back(at, run.count * kPage, run.file, run.first * kPage)) {
      memory_.back(base, pages * kPage, -1);
      memory_.release_addresses(base);
      return 0;
    }
    at += run.count * kPage;
  }
  memory_.expose(base + offset, bytes, like);
  attached_[base + offset] = {base, pages * kPage};
  return base + offset;
}

void SharedMemory::detach(std::uint64_t address) {
  const auto found = attached_.find(address);
  if (found == attached_.end()) return;
  memory_.conceal(address);
  memory_.back(found->second.base, found->second.bytes, -1);
  memory_.release_addresses(found->second.base);
  attached_.erase(found);
}

}  // namespace warpbook::simulator
