// Texts for faulty accesses.
#include "common/simulator/machine/access_messages.h"

#include <cstdio>

#include "common/simulator/machine/address_space.h"
#include "common/simulator/machine/virtual_memory.h"

namespace warpbook::simulator {
namespace {

std::string hexadecimal(std::uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string count_of_bytes(std::uint64_t n) { return std::to_string(n) + (n == 1 ? " byte" : " bytes"); }

std::string access(std::uint32_t bytes, bool write) {
  return (write ? "write of " : "read of ") + count_of_bytes(bytes);
}

std::string name_of_kind(const Allocation& allocation) {
  switch (allocation.kind) {
    case MemoryKind::device:
      return "device memory";
    case MemoryKind::managed:
      return "managed memory";
    case MemoryKind::pinned:
      return "pinned host memory";
    case MemoryKind::registered:
      return "registered host memory";
    case MemoryKind::module:
      return allocation.is_piece ? "what malloc in a kernel returned" : "the variable " + allocation.name;
  }
  return "memory";
}

std::string name_of_allocation(const Allocation& allocation) {
  return count_of_bytes(allocation.bytes) + " of " + name_of_kind(allocation) + " at " +
         hexadecimal(allocation.address) +
         (allocation.name.empty() && !allocation.is_piece
              ? " (allocation number " + std::to_string(allocation.serial) + ")"
              : "");
}

std::string name_of_space(ptx::Space space) {
  switch (space) {
    case ptx::Space::shared:
      return "shared memory";
    case ptx::Space::local:
      return "local memory";
    case ptx::Space::param:
      return "the kernel's parameters";
    case ptx::Space::constant:
      return "constant memory";
    default:
      return "global memory";
  }
}

}  // namespace

FaultText describe_no_constant(const GlobalMemory& memory, std::uint64_t address, std::uint32_t bytes) {
  const Allocation* const holder = memory.find(address);
  return {access(bytes, false) + " of constant memory at " + hexadecimal(address) + ", which is in " +
              (holder == nullptr ? "nobody's memory" : name_of_allocation(*holder)) +
              ": an index outside of a __constant__ array? (A GPU reads 0 there and says nothing.)",
          FaultCause::constant_memory};
}

FaultText describe_no_access(const Allocation& allocation, const std::string& access) {
  const std::string owner = std::to_string(allocation.device);
  const std::string remedy = allocation.mapped      ? "cuMemSetAccess for the device that runs the kernel"
                             : allocation.is_pooled ? "cudaMemPoolSetAccess for the device that runs the kernel"
                                                    : "cudaDeviceEnablePeerAccess(" + owner +
                                                          ", 0) while the device that runs the kernel is current";
  const std::string place = allocation.kind == MemoryKind::pinned ? "the host" : "device " + owner;
  return {access + ": memory of " + place + ", " + name_of_allocation(allocation) +
              ", which the device that runs the kernel may not access: call " + remedy,
          FaultCause::other_devices_memory};
}

FaultText describe_outside_global(const GlobalMemory& memory, std::uint64_t address, std::uint32_t bytes, bool write) {
  std::string text = access(bytes, write) + " at " + hexadecimal(address);
  if (address < 4096) return {text + ": a null pointer, or an index added to one", FaultCause::null_pointer};
  const ptx::Space space = space_of(address);
  if (space == ptx::Space::shared || space == ptx::Space::local) {
    return {text + ": an address of " + name_of_space(space) + ", which belongs to one " +
                (space == ptx::Space::shared ? "block" : "thread") +
                ": a kernel cannot use that of the kernel that launched it",
            FaultCause::other_grids_memory};
  }
  const Allocation* holder = memory.find(address);
  if (holder != nullptr && holder->contains(address, bytes)) return describe_no_access(*holder, text);
  if (holder != nullptr) {
    const std::uint64_t past = address + bytes - (holder->address + holder->bytes);
    return {text + " runs " + count_of_bytes(past) + " past the end of " + name_of_allocation(*holder),
            FaultCause::past_allocation};
  }
  switch (memory.virtual_memory().state_of(address)) {
    case VirtualMemory::State::reserved:
      return {text + ": the address is reserved, but no memory is mapped there (cuMemMap)", FaultCause::no_allocation};
    case VirtualMemory::State::no_access:
      return {text + ": memory is mapped there, but the device may not access it (cuMemSetAccess)",
              FaultCause::no_allocation};
    case VirtualMemory::State::ordinary:
      break;
  }
  if (const Allocation* freed = memory.freed(address))
    return {text + ": it was freed before: " + name_of_allocation(*freed), FaultCause::freed_memory};
  const bool device = address >= GlobalMemory::kBase && address < GlobalMemory::kBase + GlobalMemory::kBytes;
  if (!device && address < (std::uint64_t{1} << 48)) {
    const bool far = address < 0x10000000000;  // Programs have neither heap nor stack nor code there.
    if (far) return {text + ": no allocation is near", FaultCause::no_allocation};
    return {text +
                ": not device memory; it looks like a pointer to host memory, which kernels cannot reach (allocate "
                "it with cudaMalloc or cudaMallocManaged, or register it)",
            FaultCause::host_pointer};
  }
  const Allocation* nearest = memory.nearest(address);
  if (nearest == nullptr) return {text + ": nothing is allocated", FaultCause::no_allocation};
  const std::uint64_t end = nearest->address + nearest->bytes;
  if (address >= end)
    return {text + " is " + count_of_bytes(address - end) + " past the end of " + name_of_allocation(*nearest),
            FaultCause::past_allocation};
  return {text + " is " + count_of_bytes(nearest->address - address) + " before the start of " +
              name_of_allocation(*nearest),
          FaultCause::before_allocation};
}

FaultText describe_outside(ptx::Space space, std::uint64_t offset, std::uint32_t bytes, bool write,
                           std::uint64_t size) {
  const bool negative = offset >> 31 == 1;  // Addresses in these spaces have 32 bits.
  const std::string text = access(bytes, write) + " at offset " +
                           (negative ? "-" + std::to_string((1ull << 32) - offset) : std::to_string(offset)) + " of " +
                           name_of_space(space);
  switch (space) {
    case ptx::Space::shared:
      if (size == 0)
        return {text + ": this launch has none (dynamic shared memory is the third argument in <<< >>>)",
                FaultCause::no_shared};
      return {text + ", of which the block has " + count_of_bytes(size), FaultCause::outside_shared};
    case ptx::Space::local:
      return {text + ", of which a thread has " + count_of_bytes(size) + " (cudaLimitStackSize)",
              FaultCause::outside_local};
    default:
      return {text + ", which are " + count_of_bytes(size), FaultCause::outside_parameters};
  }
}

FaultText describe_misaligned(ptx::Space space, std::uint64_t address, std::uint32_t bytes, bool write) {
  const std::string place = space == ptx::Space::shared || space == ptx::Space::local || space == ptx::Space::param
                                ? "offset " + std::to_string(address) + " of " + name_of_space(space)
                                : hexadecimal(address);
  return access(bytes, write) + " at " + place + ", which is not a multiple of " + std::to_string(bytes);
}

FaultText describe_read_only(const Allocation& allocation, std::uint64_t address, std::uint32_t bytes) {
  if (allocation.mapped) {
    return {access(bytes, true) + " at " + hexadecimal(address) +
                ", which the device may only read (cuMemSetAccess with CU_MEM_ACCESS_FLAGS_PROT_READ)",
            FaultCause::no_allocation};
  }
  return {
      access(bytes, true) + " at " + hexadecimal(address) + ", in constant memory: " + name_of_allocation(allocation),
      FaultCause::constant_memory};
}

FaultText describe_wrong_space(ptx::Space space, std::uint64_t address, std::uint32_t bytes) {
  return "atomic operation on " + count_of_bytes(bytes) + " at " + hexadecimal(address) + ", which is in " +
         name_of_space(space) + ": atomics work on global and shared memory only";
}

}  // namespace warpbook::simulator
