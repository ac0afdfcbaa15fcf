// Virtual memory management: addresses, memory, mappings, access rights, and memory shared between processes.
#include <cstring>
#include <map>
#include <optional>
#include <vector>

#include "common/simulator/driver/driver_call.h"
#include "common/simulator/machine/virtual_memory.h"
#include "common/simulator/runtime/about_device.h"
#include "common/simulator/runtime/foreign_values.h"
#include "common/simulator/runtime/memory_api.h"

namespace {

using namespace warpbook::simulator::driver;
using warpbook::simulator::VirtualMemory;
using warpbook::simulator::runtime::is_device;

bool is_multiple(std::uint64_t value) { return value % VirtualMemory::kGranularity == 0; }

/// cuMemCreate makes pinned memory on a device. @returns an error for anything else
CUresult check_properties(const Runtime& device, const char* name, const CUmemAllocationProp& properties) {
  if (properties.type != CU_MEM_ALLOCATION_TYPE_PINNED) return CUDA_ERROR_INVALID_VALUE;
  if (properties.location.type != CU_MEM_LOCATION_TYPE_DEVICE)
    return warpbook::simulator::driver::not_supported(
        name, " for host memory: CUmemAllocationProp::location must be a device");
  if (!is_device(device, properties.location.id)) return CUDA_ERROR_INVALID_DEVICE;
  return CUDA_SUCCESS;
}

/// The handle types by which other processes can share memory.
constexpr unsigned kHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;

/// This process's number for a device of the machine.
std::optional<unsigned> number_of_device(const Runtime& runtime, unsigned ordinal) {
  for (unsigned number = 0; number < runtime.device_count(); ++number)
    if (runtime.device_at(number).ordinal == ordinal) return number;
  return std::nullopt;
}

/// Other processes may write the memory mapped there.
void note_foreign_values(Runtime& device, const VirtualMemory& memory, std::uint64_t address, std::uint64_t bytes) {
  for (const auto& [at, mapping] : memory.mappings())
    if (memory.is_shared(mapping.handle) && at >= address && at - address < bytes)
      warpbook::simulator::runtime::count_as_defined(device, at, mapping.bytes);
}

std::map<CUmemGenericAllocationHandle, CUmemAllocationProp>& properties_of_memory() {
  static auto* all = new std::map<CUmemGenericAllocationHandle, CUmemAllocationProp>;
  return *all;
}

bool read_access(CUmemAccess_flags flags, VirtualMemory::Access& access) {
  switch (flags) {
    case CU_MEM_ACCESS_FLAGS_PROT_NONE:
      access = VirtualMemory::Access::none;
      return true;
    case CU_MEM_ACCESS_FLAGS_PROT_READ:
      access = VirtualMemory::Access::read;
      return true;
    case CU_MEM_ACCESS_FLAGS_PROT_READWRITE:
      access = VirtualMemory::Access::read_write;
      return true;
    default:
      return false;
  }
}

/// Calls @p body(device, its virtual memory).
template <class Body>
CUresult with_virtual_memory(const char* name, Body body) {
  return driver_call(
      CallKind::ordinary, name, [&](Runtime& device) { return body(device, device.memory.virtual_memory()); },
      Needs::initialised);
}

}  // namespace

CUresult cuMemAddressReserve(CUdeviceptr* address, size_t bytes, size_t alignment, CUdeviceptr,
                             unsigned long long flags) {
  return with_virtual_memory("cuMemAddressReserve", [&](Runtime&, VirtualMemory& memory) {
    const bool power = (alignment & (alignment - 1)) == 0;
    if (address == nullptr || bytes == 0 || bytes % VirtualMemory::kGranularity != 0 || !power || flags != 0)
      return CUDA_ERROR_INVALID_VALUE;
    *address = memory.reserve(bytes, alignment);
    return *address == 0 ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
  });
}

CUresult cuMemAddressFree(CUdeviceptr address, size_t bytes) {
  return with_virtual_memory("cuMemAddressFree", [&](Runtime&, VirtualMemory& memory) {
    return memory.release_addresses(address, bytes) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}

CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, size_t bytes, const CUmemAllocationProp* properties,
                     unsigned long long flags) {
  return with_virtual_memory("cuMemCreate", [&](Runtime& device, VirtualMemory& memory) {
    if (handle == nullptr || properties == nullptr || bytes == 0 || !is_multiple(bytes) || flags != 0)
      return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = check_properties(device, "cuMemCreate", *properties)) return error;
    if ((properties->requestedHandleTypes & ~kHandleTypes) != 0)
      return warpbook::simulator::driver::not_supported("cuMemCreate",
                                                        " with handles other than POSIX file descriptors");
    const auto owner = static_cast<unsigned>(properties->location.id);
    const warpbook::simulator::runtime::OnDevice there(owner);
    if (bytes > free_bytes(device)) return CUDA_ERROR_OUT_OF_MEMORY;
    const std::uint64_t made = memory.create(bytes, owner, device.device_at(owner).ordinal);
    if (made == 0) return CUDA_ERROR_OUT_OF_MEMORY;
    properties_of_memory()[made] = *properties;
    *handle = made;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  return with_virtual_memory("cuMemRelease", [&](Runtime&, VirtualMemory& memory) {
    return memory.release(handle) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle, void* address) {
  return with_virtual_memory("cuMemRetainAllocationHandle", [&](Runtime&, VirtualMemory& memory) {
    if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const std::uint64_t found = memory.retain(reinterpret_cast<std::uint64_t>(address));
    if (found == 0) return CUDA_ERROR_INVALID_VALUE;
    *handle = found;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemMap(CUdeviceptr address, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags) {
  return with_virtual_memory("cuMemMap", [&](Runtime& device, VirtualMemory& memory) {
    if (bytes == 0 || !is_multiple(address) || flags != 0) return CUDA_ERROR_INVALID_VALUE;
    // An H200 accepts whole allocations only.
    if (const std::uint64_t whole = memory.bytes_of(handle); whole != 0 && (offset != 0 || bytes != whole))
      return CUDA_ERROR_NOT_SUPPORTED;
    if (!memory.map(address, bytes, handle)) return CUDA_ERROR_INVALID_VALUE;
    device.profile.allocated(address, bytes, "device", "cuMemMap", device.places.here());
    return CUDA_SUCCESS;
  });
}

CUresult cuMemUnmap(CUdeviceptr address, size_t bytes) {
  return with_virtual_memory("cuMemUnmap", [&](Runtime& device, VirtualMemory& memory) {
    if (const cudaError_t error = device.wait_for_all()) return result_of(error);
    std::vector<std::uint64_t> mapped;
    for (std::uint64_t at = address; at - address < bytes;) {
      const VirtualMemory::Mapping* const mapping = memory.find(at);
      if (mapping == nullptr) return CUDA_ERROR_INVALID_VALUE;
      mapped.push_back(mapping->address);
      at = mapping->address + mapping->bytes;
    }
    if (!memory.unmap(address, bytes)) return CUDA_ERROR_INVALID_VALUE;
    for (const std::uint64_t at : mapped) device.profile.freed(at, device.places.here());
    return CUDA_SUCCESS;
  });
}

CUresult cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc* descriptions, size_t count) {
  return with_virtual_memory("cuMemSetAccess", [&](Runtime& device, VirtualMemory& memory) {
    if (descriptions == nullptr || count == 0) return CUDA_ERROR_INVALID_VALUE;
    if (const cudaError_t error = device.wait_for_all()) return result_of(error);
    for (std::size_t i = 0; i < count; ++i) {
      if (descriptions[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE)
        return warpbook::simulator::driver::not_supported("cuMemSetAccess",
                                                          " for the host: CUmemAccessDesc::location must be a device");
      if (!is_device(device, descriptions[i].location.id)) return CUDA_ERROR_INVALID_DEVICE;
      const auto accessor = static_cast<unsigned>(descriptions[i].location.id);
      VirtualMemory::Access access{};
      if (!read_access(descriptions[i].flags, access)) return CUDA_ERROR_INVALID_VALUE;
      if (memory.is_mixed(address, bytes, access, accessor))
        return warpbook::simulator::driver::not_supported("cuMemSetAccess",
                                                          " where one device may only read and another one write");
      if (!memory.set_access(address, bytes, access, accessor)) return CUDA_ERROR_INVALID_VALUE;
    }
    note_foreign_values(device, memory, address, bytes);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location, CUdeviceptr address) {
  return with_virtual_memory("cuMemGetAccess", [&](Runtime& device, VirtualMemory& memory) {
    if (flags == nullptr || location == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (location->type != CU_MEM_LOCATION_TYPE_DEVICE || !is_device(device, location->id))
      return CUDA_ERROR_INVALID_DEVICE;
    const VirtualMemory::Mapping* const mapping = memory.find(address);
    if (mapping == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const VirtualMemory::Access access = mapping->access[static_cast<unsigned>(location->id)];
    *flags = access == VirtualMemory::Access::none   ? CU_MEM_ACCESS_FLAGS_PROT_NONE
             : access == VirtualMemory::Access::read ? CU_MEM_ACCESS_FLAGS_PROT_READ
                                                     : CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemGetAllocationGranularity(size_t* granularity, const CUmemAllocationProp* properties,
                                       CUmemAllocationGranularity_flags option) {
  return with_virtual_memory("cuMemGetAllocationGranularity", [&](Runtime& device, VirtualMemory&) {
    const bool known = option == CU_MEM_ALLOC_GRANULARITY_MINIMUM || option == CU_MEM_ALLOC_GRANULARITY_RECOMMENDED;
    if (granularity == nullptr || properties == nullptr || !known) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = check_properties(device, "cuMemGetAllocationGranularity", *properties)) return error;
    *granularity = VirtualMemory::kGranularity;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* properties, CUmemGenericAllocationHandle handle) {
  return with_virtual_memory("cuMemGetAllocationPropertiesFromHandle", [&](Runtime&, VirtualMemory& memory) {
    if (properties == nullptr || !memory.is_handle(handle)) return CUDA_ERROR_INVALID_VALUE;
    *properties = properties_of_memory()[handle];
    return CUDA_SUCCESS;
  });
}

CUresult cuMemExportToShareableHandle(void* handle, CUmemGenericAllocationHandle memory_handle,
                                      CUmemAllocationHandleType type, unsigned long long flags) {
  return with_virtual_memory("cuMemExportToShareableHandle", [&](Runtime& device, VirtualMemory& memory) {
    if (handle == nullptr || flags != 0 || !memory.is_handle(memory_handle)) return CUDA_ERROR_INVALID_VALUE;
    const CUmemAllocationProp& made = properties_of_memory()[memory_handle];
    if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR || made.requestedHandleTypes != type)
      return CUDA_ERROR_INVALID_VALUE;
    const int file = memory.share(memory_handle);
    if (file < 0) return CUDA_ERROR_OPERATING_SYSTEM;
    for (const auto& [address, mapping] : memory.mappings())
      if (mapping.handle == memory_handle) note_foreign_values(device, memory, address, mapping.bytes);
    std::memcpy(handle, &file, sizeof file);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle* handle, void* shared,
                                        CUmemAllocationHandleType type) {
  return with_virtual_memory("cuMemImportFromShareableHandle", [&](Runtime& device, VirtualMemory& memory) {
    if (handle == nullptr || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) return CUDA_ERROR_INVALID_VALUE;
    const int file = static_cast<int>(reinterpret_cast<std::intptr_t>(shared));
    const auto ordinal = VirtualMemory::ordinal_of(file);
    if (!ordinal) return CUDA_ERROR_UNKNOWN;
    const auto owner = number_of_device(device, *ordinal);
    if (!owner) return CUDA_ERROR_INVALID_DEVICE;
    const std::uint64_t made = memory.import(file, *owner);
    if (made == 0) return CUDA_ERROR_OPERATING_SYSTEM;
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_NONE;  // It cannot be exported again.
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, static_cast<int>(*owner)};
    properties_of_memory()[made] = properties;
    *handle = made;
    return CUDA_SUCCESS;
  });
}
