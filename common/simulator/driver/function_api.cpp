// Kernels: attributes, occupancy, launches.
#include <algorithm>
#include <vector>

#include "common/simulator/driver/driver_call.h"
#include "common/simulator/driver/modules.h"
#include "common/simulator/model/occupancy.h"
#include "common/simulator/runtime/launch.h"

namespace {

using namespace warpbook::simulator::driver;
using warpbook::simulator::Dim3;
using warpbook::simulator::runtime::Kernel;
using warpbook::simulator::runtime::KernelResources;

/// Calls @p body(device, kernel, resources) for a kernel that can be run.
template <class Body>
CUresult with_function(CallKind kind, const char* name, CUfunction handle, Body body) {
  return driver_call(kind, name, [&](Runtime& device) {
    Kernel* kernel = find_function(handle);
    if (kernel == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    KernelResources resources;
    if (const cudaError_t error = find_resources(device, *kernel, resources)) return result_of(error);
    return result_of(body(device, *kernel, resources));
  });
}

/// Finds each parameter in the buffer of CU_LAUNCH_PARAM_BUFFER_POINTER; false if @p extra is something else.
bool arguments_from_buffer(void** extra, const warpbook::simulator::Function& function, std::vector<void*>& arguments) {
  char* buffer = nullptr;
  std::size_t bytes = 0;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER) {
      buffer = static_cast<char*>(extra[1]);
    } else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE) {
      bytes = *static_cast<std::size_t*>(extra[1]);
    } else {
      return false;
    }
  }
  if (buffer == nullptr) return false;
  for (const auto& parameter : function.parameters) {
    if (parameter.offset + std::size_t{parameter.bytes} > bytes) return false;
    arguments.push_back(buffer + parameter.offset);
  }
  return true;
}

CUresult launch_function(const char* name, CUfunction handle, const Dim3& grid, const Dim3& block,
                         unsigned shared_bytes, CUstream stream_handle, void** parameters, void** extra,
                         bool cooperative) {
  return with_function(CallKind::enqueue, name, handle,
                       [&](Runtime& device, Kernel& kernel, const KernelResources& resources) {
                         auto* stream = device.find_stream(stream_handle);
                         if (stream == nullptr) return cudaErrorInvalidResourceHandle;
                         std::vector<void*> arguments;
                         if (parameters != nullptr && extra != nullptr) return cudaErrorInvalidValue;
                         if (extra != nullptr) {
                           if (!arguments_from_buffer(extra, *resources.function, arguments))
                             return cudaErrorInvalidValue;
                           parameters = arguments.data();
                         }
                         return launch(device, *stream, kernel, {grid, block, shared_bytes, parameters, cooperative});
                       });
}

CUresult best_block(const char* name, int* grid, int* block, CUfunction handle, CUoccupancyB2DSize shared_of,
                    size_t dynamic_shared, int limit) {
  return with_function(
      CallKind::ordinary, name, handle, [&](Runtime& device, Kernel&, const KernelResources& resources) {
        if (grid == nullptr || block == nullptr || limit < 0) return CUDA_ERROR_INVALID_VALUE;
        const unsigned warp = 32;
        unsigned most = resources.max_threads;
        if (limit != 0) most = std::min(most, static_cast<unsigned>(limit));
        unsigned best_threads = 0;
        *grid = *block = 0;
        // Of the block sizes that put the most threads on an SM, the largest, as the toolkit's header chooses.
        for (unsigned rounded = (most + warp - 1) / warp * warp; rounded > 0; rounded -= warp) {
          const unsigned threads = std::min(rounded, most);
          const std::size_t shared =
              resources.static_shared + (shared_of == nullptr ? dynamic_shared : shared_of(static_cast<int>(threads)));
          const unsigned blocks = occupancy(device.device(), resources.registers, threads, shared).blocks;
          if (blocks * threads <= best_threads) continue;
          best_threads = blocks * threads;
          *block = static_cast<int>(threads);
          *grid = static_cast<int>(blocks * device.device().multiprocessors);
        }
        return CUDA_SUCCESS;
      });
}

}  // namespace

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction handle) {
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cudaFuncAttributes all;
  const CUresult error = forward([&] { return cudaFuncGetAttributes(&all, reinterpret_cast<const void*>(handle)); });
  if (error != CUDA_SUCCESS) return error == CUDA_ERROR_INVALID_RESOURCE_TYPE ? CUDA_ERROR_INVALID_HANDLE : error;
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = all.maxThreadsPerBlock;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      *value = static_cast<int>(all.sharedSizeBytes);
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      *value = static_cast<int>(all.constSizeBytes);
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      *value = static_cast<int>(all.localSizeBytes);
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      *value = all.numRegs;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
      *value = all.ptxVersion;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      *value = all.binaryVersion;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
      *value = all.cacheModeCA;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *value = all.maxDynamicSharedSizeBytes;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      *value = all.preferredShmemCarveout;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
      *value = all.nonPortableClusterSizeAllowed;
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult cuFuncSetAttribute(CUfunction handle, CUfunction_attribute attribute, int value) {
  return forward([&] {
    return cudaFuncSetAttribute(reinterpret_cast<const void*>(handle), static_cast<cudaFuncAttribute>(attribute),
                                value);
  });
}

CUresult cuFuncSetCacheConfig(CUfunction handle, CUfunc_cache config) {
  return forward([&] {
    return cudaFuncSetCacheConfig(reinterpret_cast<const void*>(handle), static_cast<cudaFuncCache>(config));
  });
}

CUresult cuFuncGetName(const char** name, CUfunction handle) {
  return forward([&] { return cudaFuncGetName(name, reinterpret_cast<const void*>(handle)); });
}

CUresult cuFuncGetParamInfo(CUfunction handle, size_t index, size_t* offset, size_t* bytes) {
  return forward([&] { return cudaFuncGetParamInfo(reinterpret_cast<const void*>(handle), index, offset, bytes); });
}

CUresult cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction handle) {
  return with_function(CallKind::ordinary, "cuFuncIsLoaded", handle, [&](Runtime&, Kernel&, const KernelResources&) {
    if (state == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *state = CU_FUNCTION_LOADING_STATE_LOADED;
    return CUDA_SUCCESS;
  });
}

CUresult cuFuncLoad(CUfunction handle) {
  return with_function(CallKind::ordinary, "cuFuncLoad", handle,
                       [](Runtime&, Kernel&, const KernelResources&) { return CUDA_SUCCESS; });
}

CUresult cuFuncGetModule(CUmodule* module, CUfunction handle) {
  return with_function(CallKind::ordinary, "cuFuncGetModule", handle,
                       [&](Runtime&, Kernel& kernel, const KernelResources&) {
                         if (module == nullptr) return CUDA_ERROR_INVALID_VALUE;
                         *module = reinterpret_cast<CUmodule>(kernel.module);
                         return CUDA_SUCCESS;
                       });
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction handle, int threads,
                                                              size_t dynamic_shared, unsigned flags) {
  return forward([&] {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, reinterpret_cast<const void*>(handle),
                                                                  threads, dynamic_shared, flags);
  });
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction handle, int threads,
                                                     size_t dynamic_shared) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, handle, threads, dynamic_shared, 0);
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, CUfunction handle, int blocks, int threads) {
  return forward([&] {
    return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, reinterpret_cast<const void*>(handle), blocks, threads);
  });
}

CUresult cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction handle, CUoccupancyB2DSize shared_of,
                                          size_t dynamic_shared, int limit) {
  return best_block("cuOccupancyMaxPotentialBlockSize", grid, block, handle, shared_of, dynamic_shared, limit);
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, CUfunction handle,
                                                   CUoccupancyB2DSize shared_of, size_t dynamic_shared, int limit,
                                                   unsigned flags) {
  if (flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE) return CUDA_ERROR_INVALID_VALUE;
  return best_block("cuOccupancyMaxPotentialBlockSizeWithFlags", grid, block, handle, shared_of, dynamic_shared, limit);
}

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared_bytes, CUstream stream, void** parameters,
                        void** extra) {
  return launch_function("cuLaunchKernel", function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z},
                         shared_bytes, stream, parameters, extra, false);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** parameters, void** extra) {
  if (config == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::vector<void*> arguments;
  if (extra != nullptr) {
    const CUresult error = with_function(
        CallKind::enqueue, "cuLaunchKernelEx", function, [&](Runtime&, Kernel&, const KernelResources& resources) {
          const bool fits = parameters == nullptr && arguments_from_buffer(extra, *resources.function, arguments);
          return fits ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
        });
    if (error != CUDA_SUCCESS) return error;
    parameters = arguments.data();
  }
  return forward([&]() -> CUresult {
    if (find_function(function) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    // The attributes of both APIs have the same numbers and the same layout.
    static_assert(sizeof(cudaLaunchAttribute) == sizeof(CUlaunchAttribute));
    cudaLaunchConfig_t same{};
    same.gridDim = {config->gridDimX, config->gridDimY, config->gridDimZ};
    same.blockDim = {config->blockDimX, config->blockDimY, config->blockDimZ};
    same.dynamicSmemBytes = config->sharedMemBytes;
    same.stream = config->hStream;
    same.attrs = reinterpret_cast<cudaLaunchAttribute*>(config->attrs);
    same.numAttrs = config->numAttrs;
    return result_of(cudaLaunchKernelExC(&same, reinterpret_cast<const void*>(function), parameters));
  });
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                                   CUstream stream, void** parameters) {
  return launch_function("cuLaunchCooperativeKernel", function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z},
                         shared_bytes, stream, parameters, nullptr, true);
}
