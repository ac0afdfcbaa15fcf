// Pointer attributes.
#include <cstring>
#include <set>

#include "common/simulator/driver/driver_call.h"
#include "common/simulator/driver/pointer_attributes.h"
#include "common/simulator/machine/virtual_memory.h"

namespace {

using namespace warpbook::simulator::driver;
using warpbook::simulator::Allocation;
using warpbook::simulator::MemoryKind;
using warpbook::simulator::VirtualMemory;

/// An address and the memory there.
struct Pointee {
  CUdeviceptr address = 0;
  const Allocation* allocation = nullptr;
  const VirtualMemory::Mapping* mapping = nullptr;
  const VirtualMemory::Reservation* reservation = nullptr;

  bool is_known() const { return allocation != nullptr || reservation != nullptr; }
  bool is_host() const {
    return allocation != nullptr &&
           (allocation->kind == MemoryKind::pinned || allocation->kind == MemoryKind::registered);
  }
  bool is_managed() const { return allocation != nullptr && allocation->kind == MemoryKind::managed; }
  bool is_mapped() const { return reservation == nullptr || mapping != nullptr; }
};

Pointee find_pointee(const Runtime& device, CUdeviceptr address) {
  const VirtualMemory& memory = device.memory.virtual_memory();
  return {address, device.memory.find(address), memory.find(address), memory.find_reservation(address)};
}

/// Allocations with CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, by their serial numbers, which are never used again. Synchronous
/// copies always synchronise here. Guarded by the lock of driver_call().
std::set<std::uint64_t>& synchronous() {
  static std::set<std::uint64_t> serials;
  return serials;
}

unsigned access_flags(const Pointee& pointee) {
  if (pointee.allocation == nullptr) return CU_POINTER_ATTRIBUTE_ACCESS_FLAG_NONE;
  return pointee.allocation->read_only && pointee.allocation->mapped ? CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READ
                                                                     : CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE;
}

/// The value of an attribute, in the low bytes. @returns an error for an attribute that the pointer does not have
CUresult value_of(const Pointee& pointee, CUpointer_attribute attribute, std::uint64_t& value) {
  value = 0;
  // An H200 knows nothing about reserved addresses without memory (2026-11-24).
  if (!pointee.is_known() || !pointee.is_mapped()) return CUDA_ERROR_INVALID_VALUE;
  const bool virtual_address = pointee.reservation != nullptr;
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      value = virtual_address ? 0 : reinterpret_cast<std::uint64_t>(current_context());
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      value = pointee.is_host() ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      if (pointee.allocation == nullptr) return CUDA_ERROR_INVALID_VALUE;  // Nobody may access it yet.
      value = pointee.address;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      if (!pointee.is_host() && !pointee.is_managed()) return CUDA_ERROR_INVALID_VALUE;
      value = pointee.address;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
      // Two disjoint sets of numbers: mapped memory by its handle, other memory by its order.
      value = pointee.mapping != nullptr ? pointee.mapping->handle * 2 + 1 : pointee.allocation->serial * 2;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      value = pointee.is_managed();
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
    case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
      return CUDA_SUCCESS;  // The first device, and features that the virtual GPU does not have.
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
      value = pointee.allocation != nullptr && synchronous().count(pointee.allocation->serial) != 0;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      value = virtual_address ? pointee.reservation->address : pointee.allocation->address;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      value = virtual_address ? pointee.reservation->bytes : pointee.allocation->bytes;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MAPPED:
      value = 1;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
      value = access_flags(pointee);
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR: {
      const bool size = attribute == CU_POINTER_ATTRIBUTE_MAPPING_SIZE;
      if (pointee.mapping != nullptr) {
        value = size ? pointee.mapping->bytes : pointee.mapping->address;
      } else {
        value = size ? pointee.allocation->bytes : pointee.allocation->address;
      }
      return CUDA_SUCCESS;
    }
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

}  // namespace

CUresult cuPointerGetAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr pointer) {
  return driver_call(CallKind::query, "cuPointerGetAttribute", [&](Runtime& device) {
    const std::size_t bytes = pointer_attribute_bytes(attribute);
    if (data == nullptr || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    std::uint64_t value = 0;
    const CUresult error = value_of(find_pointee(device, pointer), attribute, value);
    if (error == CUDA_SUCCESS) std::memcpy(data, &value, bytes);
    return error;
  });
}

CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute* attributes, void** data, CUdeviceptr pointer) {
  return driver_call(CallKind::query, "cuPointerGetAttributes", [&](Runtime& device) {
    if (count == 0 || attributes == nullptr || data == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const Pointee pointee = find_pointee(device, pointer);
    // Unlike the call for one attribute, this succeeds for any pointer: attributes that it does not have are 0.
    for (unsigned i = 0; i < count; ++i) {
      const std::size_t bytes = pointer_attribute_bytes(attributes[i]);
      if (bytes == 0 || data[i] == nullptr) return CUDA_ERROR_INVALID_VALUE;
      std::uint64_t value = 0;
      if (value_of(pointee, attributes[i], value) != CUDA_SUCCESS) {
        value = attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL ? static_cast<std::uint32_t>(-2) : 0;
      }
      std::memcpy(data[i], &value, bytes);
    }
    return CUDA_SUCCESS;
  });
}

CUresult cuPointerSetAttribute(const void* value, CUpointer_attribute attribute, CUdeviceptr pointer) {
  return driver_call(CallKind::ordinary, "cuPointerSetAttribute", [&](Runtime& device) {
    if (value == nullptr || attribute != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS) return CUDA_ERROR_INVALID_VALUE;
    const Pointee pointee = find_pointee(device, pointer);
    if (!pointee.is_known()) return CUDA_ERROR_INVALID_VALUE;
    if (pointee.allocation == nullptr) return CUDA_SUCCESS;
    if (*static_cast<const unsigned*>(value) != 0)
      synchronous().insert(pointee.allocation->serial);
    else
      synchronous().erase(pointee.allocation->serial);
    return CUDA_SUCCESS;
  });
}
