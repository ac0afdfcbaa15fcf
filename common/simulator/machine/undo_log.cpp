// Saves pages of global memory before their first write, and restores them.
#include "common/simulator/machine/undo_log.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace warpbook::simulator {
namespace {

constexpr std::size_t kPageBytes = std::size_t{1} << UndoLog::kPageShift;
/// Pages of a block of the log are 2 MiB, as much as a large page of the host has.
constexpr std::size_t kPagesInBlock = 512;
constexpr std::size_t kBlockBytes = kPagesInBlock * kPageBytes;
/// Where so many of so many neighbours are saved, all will be: the rest is saved at once.
constexpr std::uint64_t kNeighbours = 16;
constexpr std::ptrdiff_t kDense = 2;
/// States of a page other than 1, which means saved.
constexpr std::uint8_t kNotSaved = 0, kBeingSaved = 2;

struct SavedPage {
  std::uint64_t page = 0;
  std::byte* host = nullptr;
  std::size_t bytes = 0;  ///< 0: another thread has saved it, or there was no memory to save it to.
};

/// Tries before a thread that waits for another one's copy yields: a copy is faster than that.
constexpr unsigned kTries = 256;

void relax() {
#if defined(__x86_64__)
  _mm_pause();
#endif
}

// What is saved is rarely read: it need not take the place of other data in the caches. Among several writers that
// costs more than it saves, since each page's lock waits until the stores are made.
using CopyPage = void (*)(std::byte* to, const std::byte* from);
void copy_by_caches(std::byte* to, const std::byte* from) { std::memcpy(to, from, kPageBytes); }
#if defined(__x86_64__)
__attribute__((target("avx512f"))) void copy_past_caches(std::byte* to, const std::byte* from) {
  for (std::size_t i = 0; i < kPageBytes; i += sizeof(__m512i))
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to + i), _mm512_loadu_si512(from + i));
}
CopyPage copy_page() { return __builtin_cpu_supports("avx512f") ? copy_past_caches : copy_by_caches; }
#else
CopyPage copy_page() { return copy_by_caches; }
#endif

/// Zero-initialised memory that is only backed where something is written.
template <class T>
T* map_zeros(std::size_t count) {
  void* const pages =
      mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
  return static_cast<T*>(pages);
}

}  // namespace

/// Pages saved one after another: page k is in block k / kPagesInBlock. Threads take slots without waiting for each
/// other, except for the first slot of a new block.
struct UndoLog::State {
  struct Block {
    explicit Block(bool large) : contents(static_cast<std::byte*>(std::aligned_alloc(kBlockBytes, kBlockBytes))) {
      if (contents == nullptr) throw std::bad_alloc();
      if (large) madvise(contents, kBlockBytes, MADV_HUGEPAGE);
    }
    ~Block() { std::free(contents); }
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;
    std::byte* contents_of(std::size_t k) const { return contents + k % kPagesInBlock * kPageBytes; }
    SavedPage pages[kPagesInBlock] = {};
    std::byte* const contents;
  };
  static constexpr std::size_t kMostBlocks = kPages / kPagesInBlock;
  State() : blocks(map_zeros<std::atomic<Block*>>(kMostBlocks)) {}
  ~State() {
    for (std::size_t k = 0; k < kMostBlocks && blocks[k] != nullptr; ++k) delete blocks[k].load();
    munmap(blocks, kMostBlocks * sizeof *blocks);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  Block& block_of(std::size_t k) {
    std::atomic<Block*>& place = blocks[k / kPagesInBlock];
    if (Block* const there = place.load(std::memory_order_acquire)) return *there;
    const std::scoped_lock lock(mutex);
    if (Block* const there = place.load(std::memory_order_acquire)) return *there;
    auto* const fresh = new Block(k >= kPagesInBlock);  // A thread that saves little needs no large page of the host.
    place.store(fresh, std::memory_order_release);
    return *fresh;
  }

  std::atomic<std::size_t> count{0};  ///< Pages saved.
  std::mutex mutex;                   ///< Held while a block is allocated.
  std::atomic<Block*>* blocks;        ///< Kept by clear().
};

UndoLog::UndoLog(Writers writers)
    : saved_(map_zeros<std::uint8_t>(kPages)), state_(std::make_unique<State>()), writers_(writers) {}

UndoLog::~UndoLog() { munmap(saved_, kPages); }

void UndoLog::save(const Allocation& allocation, std::uint64_t page) {
  // Device memory is mapped in whole pages, so the whole page is saved, with whatever other allocations are in it.
  // Registered host memory has pages of its own here, but only its registered part is known to be mapped.
  std::uint64_t begin = (page << kPageShift) + GlobalMemory::kBase - allocation.shadow_delta;
  std::uint64_t end = begin + kPageBytes;
  if (allocation.kind == MemoryKind::registered) {
    begin = std::max(begin, allocation.address);
    end = std::min(end, allocation.address + allocation.bytes);
  }
  std::byte* host = allocation.host + static_cast<std::ptrdiff_t>(begin - allocation.address);
  if (writers_ == Writers::several) return save_among_others(page, host, end - begin);
  save_alone(page, host, end - begin);
  if (allocation.kind != MemoryKind::device) return;
  const std::uint64_t first = page / kNeighbours * kNeighbours;
  if (std::count(saved_ + first, saved_ + first + kNeighbours, 1) != kDense) return;
  for (std::uint64_t near = first; near < first + kNeighbours; ++near) {
    const std::uint64_t address = (near << kPageShift) + GlobalMemory::kBase - allocation.shadow_delta;
    if (is_saved(near) || !allocation.contains(address, kPageBytes)) continue;
    save_alone(near, allocation.host + (address - allocation.address), kPageBytes);
  }
}

void UndoLog::save_alone(std::uint64_t page, std::byte* host, std::size_t bytes) {
  static const CopyPage copy = copy_page();
  const std::size_t k = state_->count.load(std::memory_order_relaxed);
  state_->count.store(k + 1, std::memory_order_relaxed);
  State::Block& block = state_->block_of(k);
  block.pages[k % kPagesInBlock] = {page, host, bytes};
  if (bytes == kPageBytes)
    copy(block.contents_of(k), host);
  else
    std::memcpy(block.contents_of(k), host, bytes);
  saved_[page] = 1;
}

void UndoLog::save_among_others(std::uint64_t page, std::byte* host, std::size_t bytes) {
  const std::size_t k = state_->count.fetch_add(1, std::memory_order_relaxed);
  State::Block& block = state_->block_of(k);
  std::uint8_t found = kNotSaved;
  if (!__atomic_compare_exchange_n(saved_ + page, &found, kBeingSaved, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    // Another thread is saving it; its copy must not contain what this thread is about to write.
    for (unsigned tries = 0; !is_saved(page); ++tries) {
      if (tries < kTries)
        relax();
      else
        std::this_thread::yield();
    }
    return;
  }
  block.pages[k % kPagesInBlock] = {page, host, bytes};
  std::memcpy(block.contents_of(k), host, bytes);
  __atomic_store_n(saved_ + page, std::uint8_t{1}, __ATOMIC_RELEASE);
}

void UndoLog::restore() {
  for (std::size_t k = 0; k < state_->count; ++k) {
    const State::Block& block = state_->block_of(k);
    const SavedPage& saved = block.pages[k % kPagesInBlock];
    if (saved.bytes != 0) std::memcpy(saved.host, block.contents_of(k), saved.bytes);
  }
}

void UndoLog::clear() {
  for (std::size_t k = 0; k < state_->count; ++k) {
    SavedPage& saved = state_->block_of(k).pages[k % kPagesInBlock];
    saved_[saved.page] = kNotSaved;
    saved = {};  // A slot that is not filled next time must count as empty.
  }
  state_->count = 0;
}

std::size_t UndoLog::saved_pages() const {
  std::size_t pages = 0;
  for (std::size_t k = 0; k < state_->count; ++k)
    pages += state_->block_of(k).pages[k % kPagesInBlock].bytes != 0 ? 1 : 0;
  return pages;
}

}  // namespace warpbook::simulator
