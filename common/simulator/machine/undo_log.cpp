// Saves pages of global memory before their first write and puts them back.
#include "common/simulator/machine/undo_log.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <new>
#include <vector>

namespace warpbook::simulator {
namespace {

constexpr std::size_t kPageBytes = std::size_t{1} << UndoLog::kPageShift;
constexpr std::size_t kPagesInBlock = 256;

struct SavedPage {
  std::uint64_t page;
  std::byte* host;
  std::size_t bytes;
};

}  // namespace

struct UndoLog::State {
  mutable std::mutex mutex;
  std::vector<SavedPage> pages;
  std::vector<std::unique_ptr<std::byte[]>>
      blocks;  ///< Contents: page k is in block k / kPagesInBlock. Kept by clear().
  std::byte* contents(std::size_t k) { return blocks[k / kPagesInBlock].get() + (k % kPagesInBlock) * kPageBytes; }
};

UndoLog::UndoLog() : state_(std::make_unique<State>()) {
  void* flags = mmap(nullptr, kPages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (flags == MAP_FAILED) throw std::bad_alloc();
  saved_ = static_cast<std::uint8_t*>(flags);
}

UndoLog::~UndoLog() { munmap(saved_, kPages); }

void UndoLog::save(const Allocation& allocation, std::uint64_t page) {
  const std::scoped_lock lock(state_->mutex);
  if (is_saved(page)) return;
  // Device memory is mapped in whole pages, so the page is saved as a whole, with whatever other allocations lie in
  // it. Registered host memory has pages of its own here, but only its registered part is known to be mapped.
  std::uint64_t begin = (page << kPageShift) + GlobalMemory::kBase - allocation.shadow_delta;
  std::uint64_t end = begin + kPageBytes;
  if (allocation.kind == MemoryKind::registered) {
    begin = std::max(begin, allocation.address);
    end = std::min(end, allocation.address + allocation.bytes);
  }
  const std::size_t k = state_->pages.size();
  if (k / kPagesInBlock == state_->blocks.size())
    state_->blocks.emplace_back(new std::byte[kPagesInBlock * kPageBytes]);
  std::byte* host = allocation.host + static_cast<std::ptrdiff_t>(begin - allocation.address);
  std::memcpy(state_->contents(k), host, end - begin);
  state_->pages.push_back({page, host, end - begin});
  __atomic_store_n(saved_ + page, std::uint8_t{1}, __ATOMIC_RELEASE);
}

void UndoLog::restore() {
  const std::scoped_lock lock(state_->mutex);
  for (std::size_t k = 0; k < state_->pages.size(); ++k)
    std::memcpy(state_->pages[k].host, state_->contents(k), state_->pages[k].bytes);
}

void UndoLog::clear() {
  const std::scoped_lock lock(state_->mutex);
  for (const SavedPage& saved : state_->pages) saved_[saved.page] = 0;
  state_->pages.clear();
}

std::size_t UndoLog::saved_pages() const {
  const std::scoped_lock lock(state_->mutex);
  return state_->pages.size();
}

}  // namespace warpbook::simulator
