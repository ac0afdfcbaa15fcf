// The vector sum in memory that the program maps itself: adjacent chunks in one address range, one chunk at two
// addresses, and memory that must not be accessed. Argument: `unmapped`, `inaccessible` or `read_only` for an access
// that ends in a fault.
#include <cstring>
#include <string>
#include <vector>

#include "sample.h"

namespace {

CUmemAllocationProp pinned_on_device() {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, {0}};
  return properties;
}

std::size_t granularity() {
  const CUmemAllocationProp properties = pinned_on_device();
  std::size_t least = 0, recommended = 0;
  CU(cuMemGetAllocationGranularity(&least, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  CU(cuMemGetAllocationGranularity(&recommended, &properties, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
  REQUIRE(least == 2 << 20 && recommended == least);
  return least;
}

CUmemGenericAllocationHandle create(std::size_t bytes) {
  const CUmemAllocationProp properties = pinned_on_device();
  CUmemGenericAllocationHandle handle = 0;
  CU(cuMemCreate(&handle, bytes, &properties, 0));
  return handle;
}

void allow(CUdeviceptr address, std::size_t bytes, CUmemAccess_flags flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE) {
  const CUmemAccessDesc access{{CU_MEM_LOCATION_TYPE_DEVICE, {0}}, flags};
  CU(cuMemSetAccess(address, bytes, &access, 1));
}

/// An address range with memory in chunks.
CUdeviceptr map_chunks(std::size_t bytes, std::size_t chunk) {
  CUdeviceptr address = 0;
  CU(cuMemAddressReserve(&address, bytes, 0, 0, 0));
  for (std::size_t at = 0; at < bytes; at += chunk) {
    const CUmemGenericAllocationHandle handle = create(chunk);
    CU(cuMemMap(address + at, chunk, 0, handle, 0));
    CU(cuMemRelease(handle));  // The mapping keeps it.
  }
  allow(address, bytes);
  return address;
}

void check_sum(CUfunction add, std::size_t unit) {
  const int count = static_cast<int>(3 * unit / sizeof(float));
  const std::size_t bytes = 3 * unit;
  std::vector<float> a(count), b(count), c(count);
  for (int i = 0; i < count; ++i) {
    a[i] = static_cast<float>(i);
    b[i] = static_cast<float>(3 * i % 1000);
  }
  const CUdeviceptr device_a = map_chunks(bytes, unit), device_b = map_chunks(bytes, bytes),
                    device_c = map_chunks(bytes, unit);
  CU(cuMemcpyHtoD(device_a, a.data(), bytes));  // Across all chunks at once.
  CU(cuMemcpyHtoD(device_b, b.data(), bytes));
  int n = count;
  CUdeviceptr pointers[] = {device_a, device_b, device_c};
  void* parameters[] = {&pointers[0], &pointers[1], &pointers[2], &n};
  CU(cuLaunchKernel(add, (n + 255) / 256, 1, 1, 256, 1, 1, 0, nullptr, parameters, nullptr));
  CU(cuMemcpyDtoH(c.data(), device_c, bytes));
  for (int i = 0; i < count; ++i) REQUIRE(c[i] == a[i] + b[i]);
  for (const CUdeviceptr address : pointers) {
    CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemFree(address));
    CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(address, bytes));
    CU(cuMemUnmap(address, bytes));
    CU(cuMemAddressFree(address, bytes));
  }
}

void check_aliases(CUfunction add_to, std::size_t unit) {
  CUdeviceptr address = 0;
  CU(cuMemAddressReserve(&address, 6 * unit, 0, 0, 0));
  const CUmemGenericAllocationHandle handle = create(2 * unit);
  CU(cuMemMap(address, 2 * unit, 0, handle, 0));
  CU(cuMemMap(address + 3 * unit, 2 * unit, 0, handle, 0));  // The same memory.
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemMap(address + unit, 2 * unit, 0, handle, 0));
  CU_FAILS(CUDA_ERROR_NOT_SUPPORTED, cuMemMap(address + 2 * unit, unit, 0, handle, 0));
  CU_FAILS(CUDA_ERROR_NOT_SUPPORTED, cuMemMap(address + 2 * unit, unit, unit, handle, 0));
  allow(address, 2 * unit);
  allow(address + 3 * unit, 2 * unit);
  CU(cuMemsetD32(address, 5, 32));
  CUdeviceptr alias = address + 3 * unit;
  int value = 7;
  void* parameters[] = {&alias, &value};
  CU(cuLaunchKernel(add_to, 1, 1, 1, 32, 1, 1, 0, nullptr, parameters, nullptr));
  int got[32];
  CU(cuMemcpyDtoH(got, address, sizeof got));
  for (const int word : got) REQUIRE(word == 12);

  CUmemGenericAllocationHandle same = 0;
  CU(cuMemRetainAllocationHandle(&same, reinterpret_cast<void*>(alias + 100)));
  REQUIRE(same == handle);
  CUmemAllocationProp properties{};
  CU(cuMemGetAllocationPropertiesFromHandle(&properties, handle));
  REQUIRE(properties.type == CU_MEM_ALLOCATION_TYPE_PINNED && properties.location.id == 0);
  unsigned long long flags = 0;
  const CUmemLocation device{CU_MEM_LOCATION_TYPE_DEVICE, {0}};
  CU(cuMemGetAccess(&flags, &device, alias));
  REQUIRE(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);

  CUdeviceptr start = 0, mapping = 0;
  std::size_t bytes = 0;
  unsigned mapped = ~0u;  // The driver writes four bytes.
  CU(cuPointerGetAttribute(&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, alias + 4));
  CU(cuPointerGetAttribute(&bytes, CU_POINTER_ATTRIBUTE_RANGE_SIZE, alias + 4));
  CU(cuPointerGetAttribute(&mapping, CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR, alias + 4));
  REQUIRE(start == address && bytes == 6 * unit && mapping == alias);
  CU(cuPointerGetAttribute(&mapped, CU_POINTER_ATTRIBUTE_MAPPED, alias + 4));
  REQUIRE(mapped == 1);
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttribute(&mapped, CU_POINTER_ATTRIBUTE_MAPPED, address + 2 * unit));
  unsigned type = 0;
  CUpointer_attribute wanted[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_DEVICE_POINTER};
  CUdeviceptr pointer = 0;
  void* places[] = {&type, &pointer};
  CU(cuPointerGetAttributes(2, wanted, places, alias + 4));
  REQUIRE(type == CU_MEMORYTYPE_DEVICE && pointer == alias + 4);

  std::size_t before = 0, after = 0, total = 0;
  CU(cuMemGetInfo(&before, &total));
  CU(cuMemUnmap(address, 2 * unit));
  CU(cuMemUnmap(alias, 2 * unit));
  CU(cuMemRelease(handle));
  CU(cuMemGetInfo(&after, &total));
  REQUIRE(after == before);
  CU(cuMemRelease(handle));
  CU(cuMemGetInfo(&after, &total));
  REQUIRE(after == before + 2 * unit);
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemRelease(handle));
  CU(cuMemAddressFree(address, 6 * unit));
}

/// An access that the device must not make.
int fault(CUfunction touch, std::size_t unit, const std::string& kind) {
  CUdeviceptr address = 0;
  CU(cuMemAddressReserve(&address, 3 * unit, 0, 0, 0));
  CU(cuMemMap(address, unit, 0, create(unit), 0));
  CU(cuMemMap(address + unit, unit, 0, create(unit), 0));
  allow(address, unit, kind == "read_only" ? CU_MEM_ACCESS_FLAGS_PROT_READ : CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  REQUIRE(kind == "unmapped" || kind == "inaccessible" || kind == "read_only");
  const std::size_t unit_at = kind == "unmapped" ? 2 : kind == "inaccessible" ? 1 : 0;
  auto at = static_cast<long long>(unit_at * unit / sizeof(int));
  int value = 1;
  void* parameters[] = {&address, &at, &value};
  CU(cuLaunchKernel(touch, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  CU_FAILS(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
  return passed("fault");
}

}  // namespace

int main(int count, char** arguments) {
  make_context();
  CUmodule module = nullptr;
  CUfunction add = nullptr, add_to = nullptr, touch = nullptr;
  CU(cuModuleLoad(&module, beside(arguments[0], "kernels.ptx").c_str()));
  CU(cuModuleGetFunction(&add, module, "vector_add"));
  CU(cuModuleGetFunction(&add_to, module, "add_to"));
  CU(cuModuleGetFunction(&touch, module, "touch"));
  const std::size_t unit = granularity();
  if (count > 1) return fault(touch, unit, arguments[1]);
  check_sum(add, unit);
  check_aliases(add_to, unit);
  return passed("vector_add_mapped");
}
