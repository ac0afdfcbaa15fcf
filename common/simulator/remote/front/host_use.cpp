// Moves managed memory to the host for C library calls (runtime/host_calls.cpp), by touching it.
#include <cstdint>

#include "common/simulator/machine/global_memory.h"
#include "common/simulator/runtime/host_calls.h"

namespace warpbook::simulator::runtime {

void use_on_host(const void* pointer, std::size_t bytes, bool write) {
  constexpr std::uint64_t kPage = 4096;
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  if (address - GlobalMemory::kHostBegin >= GlobalMemory::kHostBytes || bytes == 0) return;
  for (std::uint64_t at = address; at < address + bytes; at = (at / kPage + 1) * kPage) {
    auto* const byte = reinterpret_cast<volatile char*>(at);
    const char value = *byte;
    if (write) *byte = value;
  }
}

}  // namespace warpbook::simulator::runtime
