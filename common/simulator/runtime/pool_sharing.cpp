// Pools shared between processes. A process imports a pool through its file, then each allocation through the
// exporter's export data. Errors are an H200's (2026-11-23).
#include <unistd.h>

#include <algorithm>

#include "common/simulator/runtime/active_device.h"
#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/ipc.h"
#include "common/simulator/runtime/pools.h"

namespace warpbook::simulator::runtime {
namespace {

/// The pool that owns the allocation that begins at @p pointer.
template <class Accept>
Pool* pool_with(const void* pointer, const Accept& accept) {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  for (const auto& [handle, pool] : pools().live())
    if (accept(*pool) && pool->memory.count(address) != 0) return pool.get();
  return nullptr;
}

}  // namespace

cudaError_t export_pool(cudaMemPool_t handle, cudaMemAllocationHandleType type, unsigned flags,
                        PoolDescription& description) {
  return call(CallKind::ordinary, "cudaMemPoolExportToShareableHandle", [&](Runtime& runtime) {
    const Pool* const pool = find_pool(handle);
    const bool fits = pool != nullptr && pool->shared && type == cudaMemHandleTypePosixFileDescriptor && flags == 0;
    if (!fits) return cudaErrorInvalidValue;
    description.process = ::getpid();
    description.pool = pool->number;
    description.device = runtime.device_at(pool->device).ordinal;
    return cudaSuccess;
  });
}

cudaError_t import_pool(const PoolDescription& description, cudaMemPool_t* handle) {
  return call(CallKind::ordinary, "cudaMemPoolImportFromShareableHandle", [&](Runtime& runtime) {
    for (const auto& [known, pool] : pools().live()) {
      if (!pool->imported || pool->source.process != description.process || pool->source.pool != description.pool)
        continue;
      *handle = reinterpret_cast<cudaMemPool_t>(pool.get());
      return cudaSuccess;
    }
    for (unsigned number = 0; number < runtime.device_count(); ++number) {
      if (runtime.device_at(number).ordinal != description.device) continue;
      Pool& made = make_pool(number);
      made.imported = true;
      made.source = description;
      *handle = reinterpret_cast<cudaMemPool_t>(&made);
      return cudaSuccess;
    }
    complain("cudaMemPoolImportFromShareableHandle: the pool belongs to device " + std::to_string(description.device) +
             " of the machine, which this process does not see: make it visible (CUDA_VISIBLE_DEVICES, "
             "WARPBOOK_DEVICES)");
    return cudaErrorInvalidDevice;
  });
}

const Pool* shared_pool_with(const void* pointer) {
  return pool_with(pointer, [](const Pool& each) { return each.shared; });
}

cudaError_t import_pointer(Runtime& runtime, Pool& pool, const cudaMemPoolPtrExportData& data, void** pointer) {
  const std::string key(reinterpret_cast<const char*>(data.reserved), sizeof data.reserved);
  if (const auto known = pool.imports.find(key); known != pool.imports.end()) {
    *pointer = reinterpret_cast<void*>(known->second);
    return cudaSuccess;
  }
  std::uint64_t address = 0;
  if (const cudaError_t error = runtime.ipc->attach(data, pool.source, pool.device, address)) return error;
  pool.memory.insert(address);
  pool.imports[key] = address;
  *pointer = reinterpret_cast<void*>(address);
  return cudaSuccess;
}

bool release_imported(Runtime& runtime, const void* pointer, cudaError_t& error) {
  Pool* const pool = pool_with(pointer, [](const Pool& each) { return each.imported; });
  if (pool == nullptr) return false;
  error = runtime.wait_for_all();
  if (error != cudaSuccess) return true;
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  pool->memory.erase(address);
  std::erase_if(pool->imports, [&](const auto& each) { return each.second == address; });
  runtime.ipc->detach(address);
  return true;
}

}  // namespace warpbook::simulator::runtime
