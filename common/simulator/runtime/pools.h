// Memory pools, of this process and imported ones.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "common/simulator/machine/global_memory.h"
#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/handles.h"
#include "common/simulator/runtime/pool_file.h"
#include "common/simulator/runtime/pool_use.h"

namespace warpbook::simulator::runtime {

class Runtime;

struct Pool {
  std::uint32_t number = 0;  ///< Unique among the pools of this process.
  unsigned device = 0;
  cudaMemAllocationType type = cudaMemAllocationTypePinned;
  cudaMemLocationType location = cudaMemLocationTypeDevice;
  bool usual = false;    ///< The default pool of its place, which is not destroyed.
  DeviceSet access = 0;  ///< Devices that may use its memory, its own included.
  cudaMemAccessFlags host_access = cudaMemAccessFlagsProtNone;  ///< What cudaMemPoolGetAccess says.
  bool shared = false;             ///< Made for export (cudaMemHandleTypePosixFileDescriptor).
  bool imported = false;           ///< Its memory belongs to another process, or was exported by this one.
  PoolDescription source;          ///< What it was imported from.
  std::set<std::uint64_t> memory;  ///< Addresses of what was allocated, or imported,
  std::map<std::string, std::uint64_t> imports;  ///< and these by what the exporter says of them.
  std::map<cudaMemPoolAttr, std::uint64_t> attributes;
  std::uint64_t most = 0;  ///< cudaMemPoolProps::maxSize
  PoolUse use;             ///< What it has allocated itself.
};

/// The pools of one place.
struct PlacePools {
  Pool* usual = nullptr;    ///< cudaMemGetDefaultMemPool
  Pool* current = nullptr;  ///< The pool that cudaMallocAsync uses, for pinned memory of a device.
};
PlacePools& pools_of(unsigned device, cudaMemAllocationType type = cudaMemAllocationTypePinned,
                     cudaMemLocationType location = cudaMemLocationTypeDevice);

/// Whether there can be pools of this type and place; cudaErrorNotSupported where CUDA has them only by their handles.
cudaError_t check_place(const Runtime& runtime, const cudaMemLocation& location, cudaMemAllocationType type);

/// The live pool that @p handle names, or nullptr.
Pool* find_pool(cudaMemPool_t handle);
HandleTable<Pool>& pools();
Pool& make_pool(unsigned device, cudaMemAllocationType type = cudaMemAllocationTypePinned,
                cudaMemLocationType location = cudaMemLocationTypeDevice);

/// The description that cudaMemPoolExportToShareableHandle writes into a file and cudaMemPoolImportFromShareableHandle
/// reads.
cudaError_t export_pool(cudaMemPool_t pool, cudaMemAllocationHandleType type, unsigned flags,
                        PoolDescription& description);
cudaError_t import_pool(const PoolDescription& description, cudaMemPool_t* pool);

/// The exportable pool that owns the allocation at @p pointer, or nullptr.
const Pool* shared_pool_with(const void* pointer);
/// Returns the address in this process of the allocation that @p data describes.
cudaError_t import_pointer(Runtime& runtime, Pool& pool, const cudaMemPoolPtrExportData& data, void** pointer);
/// Frees imported memory once all work in streams is complete. @returns false if it is not imported memory
bool release_imported(Runtime& runtime, const void* pointer, cudaError_t& error);

}  // namespace warpbook::simulator::runtime
