// Maps scratch memory at consecutive addresses in its part of the address space.
#include "common/simulator/remote/device/scratch.h"

#include <sys/mman.h>

#include <new>

#include "common/simulator/machine/global_memory.h"

namespace warpbook::simulator::remote {
namespace {

// After the device's addresses: 1 TiB that nothing else in the process uses.
constexpr std::uint64_t kBegin = GlobalMemory::kBase + (std::uint64_t{1} << 40);
constexpr std::uint64_t kBytes = std::uint64_t{1} << 40;
constexpr std::uint64_t kPageBytes = 4096;

constexpr std::uint64_t pages_of(std::uint64_t bytes) { return (bytes + kPageBytes - 1) / kPageBytes * kPageBytes; }

std::uint64_t next = kBegin;  // Calls are handled one after another.

}  // namespace

Scratch::Scratch(std::uint64_t bytes) : bytes_(pages_of(bytes)) {
  if (bytes_ == 0) return;
  if (next + bytes_ > kBegin + kBytes) next = kBegin;
  void* const wanted = reinterpret_cast<void*>(next);
  void* const pages =
      ::mmap(wanted, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (pages != wanted) throw std::bad_alloc();
  next += bytes_;
  data_ = static_cast<std::byte*>(pages);
}

Scratch::~Scratch() {
  if (data_ != nullptr) ::munmap(data_, bytes_);
}

bool Scratch::meets(std::uint64_t address, std::uint64_t bytes) {
  return address < kBegin + kBytes && bytes > 0 && (address >= kBegin || bytes > kBegin - address);
}

}  // namespace warpbook::simulator::remote
