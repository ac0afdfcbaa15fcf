// Saves pages of global memory before their first write and puts them back.
#include "common/simulator/machine/undo_log.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace warpbook::simulator {
namespace {

constexpr std::size_t kPageBytes = std::size_t{1} << UndoLog::kPageShift;
constexpr std::size_t kPagesInBlock = 256;
/// Flags of a page, beside 1, which says that it is saved.
constexpr std::uint8_t kNotSaved = 0, kBeingSaved = 2;

struct SavedPage {
  std::uint64_t page;
  std::byte* host;
  std::size_t bytes;
};

/// Copies past the caches: what is saved is rarely read again. @p to is the beginning of a page.
void copy_away(std::byte* to, const std::byte* from, std::size_t bytes) {
#if defined(__SSE2__)
  if (bytes == kPageBytes) {
    for (std::size_t i = 0; i < bytes; i += sizeof(__m128i)) {
      const __m128i part = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i));
      _mm_stream_si128(reinterpret_cast<__m128i*>(to + i), part);
    }
    _mm_sfence();
    return;
  }
#endif
  std::memcpy(to, from, bytes);
}

struct FreePages {
  void operator()(std::byte* pages) const { std::free(pages); }
};

}  // namespace

struct UndoLog::State {
  mutable std::mutex mutex;
  std::vector<SavedPage> pages;
  /// Contents: page k is in block k / kPagesInBlock. Kept by clear().
  std::vector<std::unique_ptr<std::byte, FreePages>> blocks;
  std::byte* contents(std::size_t k) { return blocks[k / kPagesInBlock].get() + (k % kPagesInBlock) * kPageBytes; }
};

UndoLog::UndoLog() : state_(std::make_unique<State>()) {
  void* flags = mmap(nullptr, kPages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (flags == MAP_FAILED) throw std::bad_alloc();
  saved_ = static_cast<std::uint8_t*>(flags);
}

UndoLog::~UndoLog() { munmap(saved_, kPages); }

void UndoLog::save(const Allocation& allocation, std::uint64_t page) {
  // Device memory is mapped in whole pages, so the page is saved as a whole, with whatever other allocations lie in
  // it. Registered host memory has pages of its own here, but only its registered part is known to be mapped.
  std::uint64_t begin = (page << kPageShift) + GlobalMemory::kBase - allocation.shadow_delta;
  std::uint64_t end = begin + kPageBytes;
  if (allocation.kind == MemoryKind::registered) {
    begin = std::max(begin, allocation.address);
    end = std::min(end, allocation.address + allocation.bytes);
  }
  std::byte* host = allocation.host + static_cast<std::ptrdiff_t>(begin - allocation.address);
  std::byte* contents = nullptr;
  bool mine = false;
  {
    const std::scoped_lock lock(state_->mutex);
    mine = __atomic_load_n(saved_ + page, __ATOMIC_ACQUIRE) == kNotSaved;
    if (mine) {
      const std::size_t k = state_->pages.size();
      if (k / kPagesInBlock == state_->blocks.size()) {
        std::unique_ptr<std::byte, FreePages> block(
            static_cast<std::byte*>(std::aligned_alloc(kPageBytes, kPagesInBlock * kPageBytes)));
        if (block == nullptr) throw std::bad_alloc();
        state_->blocks.push_back(std::move(block));
      }
      contents = state_->contents(k);
      state_->pages.push_back({page, host, end - begin});
      __atomic_store_n(saved_ + page, kBeingSaved, __ATOMIC_RELAXED);
    }
  }
  if (!mine) {  // Another thread is at it; what it saves must be what this one has not written yet.
    while (!is_saved(page)) std::this_thread::yield();
    return;
  }
  copy_away(contents, host, end - begin);
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
