// Reserves the device's address range, allocates addresses and finds the allocation at an address.
#include "common/simulator/machine/global_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <stdexcept>

#include "common/simulator/machine/virtual_memory.h"

namespace warpbook::simulator {
namespace {

// The range has three parts: memory that the host cannot access at its device address, memory that it can, and places
// in the bitmaps for registered host memory, where nothing is mapped.
constexpr std::uint64_t kDeviceBegin = GlobalMemory::kBase;
constexpr std::uint64_t kHostBegin = GlobalMemory::kHostBegin;
constexpr std::uint64_t kShadowBegin = kHostBegin + GlobalMemory::kHostBytes;
constexpr std::uint64_t kEnd = GlobalMemory::kBase + GlobalMemory::kBytes;

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kGap = 256;  ///< Smallest gap after an allocation.
constexpr std::uint64_t kLeastRedZone = 64 << 10, kMostRedZone = 1 << 20;
constexpr std::uint64_t kCommitStep = std::uint64_t{64} << 20;
constexpr std::uint64_t kFillLimit = std::uint64_t{32} << 20;
constexpr int kFill = 0xcd;  ///< -4.3e8 as f32, -6.3e66 as f64.
constexpr std::size_t kFreedKept = 4096;

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

/// Allocates addresses of one part, never the same ones twice until the part is used up, so that stale pointers stay
/// invalid.
class Range {
 public:
  Range(std::uint64_t begin, std::uint64_t end) : begin_(begin), end_(end), next_(begin) {}

  /// @param gap minimum distance on both sides, as long as there are addresses that were never used
  std::uint64_t take(std::uint64_t bytes, std::uint64_t alignment, std::uint64_t gap = kGap) {
    std::uint64_t address = round_up(next_ + (gap > last_gap_ ? gap - last_gap_ : 0), alignment);
    if (address > end_ || bytes + gap > end_ - address) {
      address = reuse(bytes, alignment, gap);
      if (address == 0) address = reuse(bytes, alignment, kGap);
      if (address == 0) return 0;
    } else {
      next_ = address + bytes + gap;
      last_gap_ = gap;
    }
    taken_[address] = bytes;
    return address;
  }
  void give_back(std::uint64_t address) { taken_.erase(address); }

 private:
  std::uint64_t reuse(std::uint64_t bytes, std::uint64_t alignment, std::uint64_t gap) const {
    std::uint64_t at = round_up(begin_, alignment);
    for (const auto& [address, size] : taken_) {
      if (at + bytes + gap <= address) return at;
      at = round_up(address + size + gap, alignment);
    }
    return at <= end_ && bytes + gap <= end_ - at ? at : 0;
  }
  std::uint64_t begin_, end_, next_, last_gap_ = kGap;
  std::map<std::uint64_t, std::uint64_t> taken_;
};

std::byte* reserve(void* at, std::uint64_t bytes, int flags) {
  void* pages = mmap(at, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
  if (pages == MAP_FAILED || (at != nullptr && pages != at)) {
    if (pages != MAP_FAILED) munmap(pages, bytes);
    throw std::runtime_error(
        "the virtual GPU needs " + std::to_string(bytes >> 30) +
        " GiB of address space (not of memory) and did not get it: raise the limit on virtual memory (ulimit -v)" +
        (at != nullptr ? ", and use one GlobalMemory at a time" : ""));
  }
  return static_cast<std::byte*>(pages);
}

}  // namespace

struct GlobalMemory::State {
  struct Share {
    std::uint64_t capacity = 0, used = 0;
    DeviceSet access = 0;
  };
  std::vector<Share> devices;  ///< By number.
  std::uint64_t serial = 0;
  bool red_zones = false;
  std::byte* storage = nullptr;  ///< The bytes of [kDeviceBegin, kHostBegin).
  std::uint64_t committed_device = 0, committed_host = 0;
  Range device{kDeviceBegin + kPage, kHostBegin};
  Range host{kHostBegin, kShadowBegin};
  Range shadow{kShadowBegin, kEnd};
  std::map<std::uint64_t, Allocation> live;
  std::map<std::uint64_t, Allocation> hidden;
  std::deque<Allocation> freed;
  std::map<std::uint64_t, Allocation> divided;
  std::vector<std::map<std::uint64_t, Allocation>::node_type> removed;  ///< Pieces.
  std::unique_ptr<VirtualMemory> virtual_memory;

  static bool counts(MemoryKind kind) {
    return kind == MemoryKind::device || kind == MemoryKind::managed || kind == MemoryKind::module;
  }
  static bool lies_in_device(MemoryKind kind) { return kind == MemoryKind::device || kind == MemoryKind::module; }
  std::uint64_t gap_of(std::uint64_t bytes) const {
    return red_zones ? std::clamp(round_up(bytes, kGap), kLeastRedZone, kMostRedZone) : kGap;
  }
  static std::uint64_t charged(const Allocation& allocation) {
    return allocation.mapped || allocation.is_piece ? 0 : round_up(allocation.bytes, 512);
  }
  std::uint64_t left(unsigned device) const {
    const Share& share = devices[device];
    return share.capacity - std::min(share.capacity, share.used);
  }
  /// Follows the devices' access to the memory of its owner.
  static bool is_shared_by_device(const Allocation& allocation) {
    return lies_in_device(allocation.kind) && !allocation.mapped && !allocation.is_pooled;
  }

  /// Makes the first @p bytes of a part writable.
  static bool commit(std::byte* part, std::uint64_t& committed, std::uint64_t bytes, std::uint64_t limit) {
    if (bytes <= committed) return true;
    const std::uint64_t target = std::min(round_up(bytes, kCommitStep), limit);
    if (mprotect(part + committed, target - committed, PROT_READ | PROT_WRITE) != 0) return false;
    madvise(part + committed, target - committed, MADV_HUGEPAGE);
    committed = target;
    return true;
  }

  const Allocation* insert(Allocation allocation) {
    allocation.serial = ++serial;
    if (counts(allocation.kind)) devices[allocation.device].used += charged(allocation);
    return &live.insert_or_assign(allocation.address, std::move(allocation)).first->second;
  }
};

GlobalMemory::GlobalMemory(std::uint64_t capacity) : state_(std::make_unique<State>()) {
  add_device(capacity);
  state_->virtual_memory = std::make_unique<VirtualMemory>(*this);
  reserve(reinterpret_cast<void*>(kBase), kBytes, MAP_FIXED_NOREPLACE);
  try {
    state_->storage = reserve(nullptr, kHostBegin - kDeviceBegin, 0);
  } catch (...) {
    munmap(reinterpret_cast<void*>(kBase), kBytes);
    throw;
  }
}

GlobalMemory::~GlobalMemory() {
  state_->virtual_memory.reset();
  munmap(state_->storage, kHostBegin - kDeviceBegin);
  munmap(reinterpret_cast<void*>(kBase), kBytes);
}

void GlobalMemory::set_red_zones(bool value) { state_->red_zones = value; }

void GlobalMemory::add_device(std::uint64_t capacity) {
  const auto number = static_cast<unsigned>(state_->devices.size());
  if (number == kMostDevices) throw std::invalid_argument("there are " + std::to_string(number) + " devices at most");
  state_->devices.push_back({capacity, 0, only_device(number)});
}

void GlobalMemory::set_access(unsigned owner, DeviceSet devices) {
  state_->devices[owner].access = devices;
  for (auto* memory : {&state_->live, &state_->hidden}) {
    for (auto& [address, allocation] : *memory)
      if (allocation.device == owner && State::is_shared_by_device(allocation)) allocation.access = devices;
  }
}

DeviceSet GlobalMemory::access(unsigned owner) const { return state_->devices[owner].access; }

void GlobalMemory::allow(std::uint64_t address, unsigned device) {
  const auto found = state_->live.find(address);
  if (found != state_->live.end()) found->second.access |= only_device(device);
}

void GlobalMemory::set_pool_access(std::uint64_t address, DeviceSet devices) {
  for (auto* memory : {&state_->live, &state_->hidden}) {
    const auto found = memory->find(address);
    if (found == memory->end()) continue;
    found->second.is_pooled = true;
    found->second.access = devices;
  }
}

const Allocation* GlobalMemory::allocate(std::uint64_t bytes, MemoryKind kind, std::uint64_t alignment,
                                         std::string name, unsigned device) {
  State& state = *state_;
  bytes = std::max<std::uint64_t>(bytes, 1);
  alignment = std::max<std::uint64_t>(alignment, 256);
  if (bytes > kBytes) return nullptr;
  if (State::counts(kind) && round_up(bytes, 512) > state.left(device)) return nullptr;

  Allocation allocation;
  allocation.bytes = bytes;
  allocation.kind = kind;
  allocation.name = std::move(name);
  allocation.device = static_cast<std::uint8_t>(device);
  if (State::lies_in_device(kind)) allocation.access = state.devices[device].access;
  const bool in_device = State::lies_in_device(kind);
  Range& range = in_device ? state.device : state.host;
  // Memory that the host shares has pages of its own.
  const std::uint64_t gap = state.gap_of(bytes);
  allocation.address = in_device ? range.take(bytes, alignment, gap)
                                 : range.take(round_up(bytes, kPage), std::max(alignment, kPage), gap);
  if (allocation.address == 0) return nullptr;
  const std::uint64_t end = allocation.address + bytes;
  const bool ok =
      in_device ? State::commit(state.storage, state.committed_device, end - kDeviceBegin, kHostBegin - kDeviceBegin)
                : State::commit(reinterpret_cast<std::byte*>(kHostBegin), state.committed_host, end - kHostBegin,
                                kShadowBegin - kHostBegin);
  if (!ok) {
    range.give_back(allocation.address);
    return nullptr;
  }
  allocation.host = in_device ? state.storage + (allocation.address - kDeviceBegin)
                              : reinterpret_cast<std::byte*>(allocation.address);
  // Only the start of a very large allocation is poisoned: the rest stays zero and costs no memory until it is used.
  if (kind == MemoryKind::device) std::memset(allocation.host, kFill, std::min(bytes, kFillLimit));
  return state.insert(std::move(allocation));
}

void GlobalMemory::place(std::uint64_t address, std::byte* host) {
  const auto found = state_->live.find(address);
  if (found != state_->live.end()) found->second.host = host;
}

const Allocation* GlobalMemory::register_host(void* host, std::uint64_t bytes, std::byte* here) {
  State& state = *state_;
  Allocation allocation;
  allocation.address = reinterpret_cast<std::uint64_t>(host);
  allocation.bytes = bytes;
  allocation.host = here;
  allocation.kind = MemoryKind::registered;
  if (bytes == 0 || allocation.address + bytes < allocation.address) return nullptr;
  if (allocation.address < kBase + kBytes && allocation.address + bytes > kBase) return nullptr;
  const auto next = state.live.lower_bound(allocation.address);
  if (next != state.live.end() && next->first < allocation.address + bytes) return nullptr;
  if (find(allocation.address) != nullptr) return nullptr;

  const std::uint64_t offset = allocation.address % kPage;
  const std::uint64_t shadow = state.shadow.take(round_up(offset + bytes, kPage), kPage);
  if (shadow == 0) return nullptr;
  allocation.shadow_delta = shadow + offset - allocation.address;
  return state.insert(std::move(allocation));
}

bool GlobalMemory::free(std::uint64_t address) {
  State& state = *state_;
  const auto found = state.live.find(address);
  if (found == state.live.end()) return false;
  Allocation allocation = std::move(found->second);
  state.live.erase(found);
  if (State::counts(allocation.kind)) state.devices[allocation.device].used -= State::charged(allocation);

  if (allocation.kind == MemoryKind::registered) {
    state.shadow.give_back((address + allocation.shadow_delta) / kPage * kPage);
  } else {
    (State::lies_in_device(allocation.kind) ? state.device : state.host).give_back(address);
    // Whole pages are returned to the system; the neighbours share the others.
    std::byte* const begin = allocation.host + (round_up(address, kPage) - address);
    std::byte* const end = allocation.host + allocation.bytes;
    if (begin < end) {
      const auto pages = static_cast<std::uint64_t>(end - begin) / kPage * kPage;
      if (pages != 0) madvise(begin, pages, MADV_DONTNEED);
    }
  }
  allocation.host = nullptr;
  state.freed.push_back(std::move(allocation));
  if (state.freed.size() > kFreedKept) state.freed.pop_front();
  return true;
}

bool GlobalMemory::hide(std::uint64_t address) {
  State& state = *state_;
  auto found = state.live.extract(address);
  if (!found) return false;
  Allocation& allocation = found.mapped();
  if (State::counts(allocation.kind)) state.devices[allocation.device].used -= State::charged(allocation);
  state.freed.push_back(allocation);
  state.freed.back().host = nullptr;
  if (state.freed.size() > kFreedKept) state.freed.pop_front();
  state.hidden.insert(std::move(found));
  return true;
}

bool GlobalMemory::reveal(std::uint64_t address) {
  State& state = *state_;
  const auto found = state.hidden.find(address);
  if (found == state.hidden.end()) return false;
  Allocation allocation = found->second;
  if (State::counts(allocation.kind) && State::charged(allocation) > state.left(allocation.device)) return false;
  state.hidden.erase(found);
  if (allocation.kind == MemoryKind::device)
    std::memset(allocation.host, kFill, std::min(allocation.bytes, kFillLimit));
  state.insert(std::move(allocation));
  return true;
}

const Allocation* GlobalMemory::hidden(std::uint64_t address) const {
  const auto next = state_->hidden.upper_bound(address);
  if (next == state_->hidden.begin()) return nullptr;
  const Allocation& allocation = std::prev(next)->second;
  return allocation.contains(address, 1) ? &allocation : nullptr;
}

VirtualMemory& GlobalMemory::virtual_memory() { return *state_->virtual_memory; }
const VirtualMemory& GlobalMemory::virtual_memory() const { return *state_->virtual_memory; }

std::uint64_t GlobalMemory::reserve_addresses(std::uint64_t bytes, std::uint64_t alignment) {
  return bytes > kBytes || alignment > kBytes ? 0 : state_->device.take(bytes, alignment, kGap);
}

void GlobalMemory::release_addresses(std::uint64_t address) { state_->device.give_back(address); }

bool GlobalMemory::back(std::uint64_t address, std::uint64_t bytes, int file, std::uint64_t offset) {
  void* const place = state_->storage + (address - kDeviceBegin);
  const int flags = MAP_FIXED | (file >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE);
  // Without a file the bytes are accessible, too: commit() makes all addresses below it accessible.
  return mmap(place, bytes, PROT_READ | PROT_WRITE, flags, file, static_cast<off_t>(offset)) == place;
}

bool GlobalMemory::take_capacity(std::uint64_t bytes, unsigned device) {
  if (bytes > state_->left(device)) return false;
  state_->devices[device].used += bytes;
  return true;
}

void GlobalMemory::give_capacity(std::uint64_t bytes, unsigned device) { state_->devices[device].used -= bytes; }

void GlobalMemory::expose(std::uint64_t address, std::uint64_t bytes, const Allocation& like) {
  Allocation allocation = like;
  allocation.address = address;
  allocation.bytes = bytes;
  allocation.host = state_->storage + (address - kDeviceBegin);
  allocation.mapped = true;
  state_->insert(std::move(allocation));
}

void GlobalMemory::conceal(std::uint64_t address) { state_->live.erase(address); }

void GlobalMemory::poison(int file, std::uint64_t bytes) {
  const std::uint64_t count = std::min(bytes, kFillLimit);
  void* const place = mmap(nullptr, count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (place == MAP_FAILED) return;  // Zero is as good as any unspecified value.
  std::memset(place, kFill, count);
  munmap(place, count);
}

void GlobalMemory::divide(std::uint64_t address) {
  if (auto whole = state_->live.extract(address)) state_->divided.insert(std::move(whole));
}

void GlobalMemory::add_piece(std::uint64_t address, std::uint64_t bytes) {
  const auto next = state_->divided.upper_bound(address);
  if (next == state_->divided.begin()) return;
  Allocation piece = std::prev(next)->second;
  piece.host += address - piece.address;
  piece.address = address;
  piece.bytes = bytes;
  piece.is_piece = true;
  state_->live[address] = std::move(piece);
}

void GlobalMemory::remove_piece(std::uint64_t address) {
  auto piece = state_->live.extract(address);
  if (!piece) return;
  state_->freed.push_back(piece.mapped());
  if (state_->freed.size() > kFreedKept) state_->freed.pop_front();
  piece.mapped().bytes = 0;
  state_->removed.push_back(std::move(piece));
}

void GlobalMemory::forget_removed() { state_->removed.clear(); }

void GlobalMemory::forget_freed(std::uint64_t address) {
  const auto found = std::find_if(state_->freed.begin(), state_->freed.end(), [&](const Allocation& allocation) {
    return allocation.is_piece && allocation.address == address;
  });
  if (found != state_->freed.end()) state_->freed.erase(found);
}

void GlobalMemory::unite() {
  std::erase_if(state_->live, [](const auto& entry) { return entry.second.is_piece; });
  state_->live.merge(state_->divided);
  forget_removed();
}

void GlobalMemory::set_constant(std::uint64_t address, bool read_only) {
  const auto found = state_->live.find(address);
  if (found == state_->live.end()) return;
  found->second.constant = true;
  found->second.read_only = read_only;
}

const Allocation* GlobalMemory::find(std::uint64_t address) const {
  auto next = state_->live.upper_bound(address);
  if (next == state_->live.begin()) return nullptr;
  const Allocation& allocation = std::prev(next)->second;
  return allocation.contains(address, 1) ? &allocation : nullptr;
}

const Allocation* GlobalMemory::nearest(std::uint64_t address) const {
  const auto next = state_->live.upper_bound(address);
  const Allocation* above = next == state_->live.end() ? nullptr : &next->second;
  const Allocation* below = next == state_->live.begin() ? nullptr : &std::prev(next)->second;
  if (above == nullptr || below == nullptr) return above == nullptr ? below : above;
  if (below->contains(address, 1)) return below;
  return address - (below->address + below->bytes) <= above->address - address ? below : above;
}

const Allocation* GlobalMemory::freed(std::uint64_t address) const {
  const auto found = std::find_if(state_->freed.rbegin(), state_->freed.rend(),
                                  [&](const Allocation& allocation) { return allocation.contains(address, 1); });
  return found == state_->freed.rend() ? nullptr : &*found;
}

std::uint64_t GlobalMemory::capacity(unsigned device) const { return state_->devices[device].capacity; }
std::uint64_t GlobalMemory::used(unsigned device) const { return state_->devices[device].used; }

std::vector<const Allocation*> GlobalMemory::live() const {
  std::vector<const Allocation*> all;
  for (const auto& [address, allocation] : state_->live) all.push_back(&allocation);
  return all;
}

}  // namespace warpbook::simulator
