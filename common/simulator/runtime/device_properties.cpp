// Answers queries from the device description.
#include "common/simulator/runtime/device_properties.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace warpbook::simulator::runtime {
namespace {

void fill_limits(cudaDeviceProp& p, const Device& device) {
  const auto get = [&](cudaDeviceAttr attribute) { return device_attribute(device, attribute).value_or(0); };
  p.totalGlobalMem = device.total_memory;
  p.sharedMemPerBlock = device.shared_per_block;
  p.regsPerBlock = static_cast<int>(device.registers_per_block);
  p.warpSize = static_cast<int>(device.warp_size);
  p.memPitch = static_cast<std::size_t>(get(cudaDevAttrMaxPitch));
  p.maxThreadsPerBlock = static_cast<int>(device.max_threads_per_block);
  p.maxThreadsDim[0] = get(cudaDevAttrMaxBlockDimX);
  p.maxThreadsDim[1] = get(cudaDevAttrMaxBlockDimY);
  p.maxThreadsDim[2] = get(cudaDevAttrMaxBlockDimZ);
  p.maxGridSize[0] = get(cudaDevAttrMaxGridDimX);
  p.maxGridSize[1] = get(cudaDevAttrMaxGridDimY);
  p.maxGridSize[2] = get(cudaDevAttrMaxGridDimZ);
  p.totalConstMem = static_cast<std::size_t>(get(cudaDevAttrTotalConstantMemory));
  p.major = device.compute_major;
  p.minor = device.compute_minor;
  p.multiProcessorCount = static_cast<int>(device.multiprocessors);
  p.memoryBusWidth = get(cudaDevAttrGlobalMemoryBusWidth);
  p.l2CacheSize = get(cudaDevAttrL2CacheSize);
  p.persistingL2CacheMaxSize = get(cudaDevAttrMaxPersistingL2CacheSize);
  p.maxThreadsPerMultiProcessor = static_cast<int>(device.max_threads_per_multiprocessor);
  p.sharedMemPerMultiprocessor = device.shared_per_multiprocessor;
  p.regsPerMultiprocessor = static_cast<int>(device.registers_per_multiprocessor);
  p.sharedMemPerBlockOptin = device.shared_per_block_optin;
  p.maxBlocksPerMultiProcessor = static_cast<int>(device.max_blocks_per_multiprocessor);
  p.accessPolicyMaxWindowSize = get(cudaDevAttrMaxAccessPolicyWindowSize);
  p.reservedSharedMemPerBlock = device.shared_reserved;
}

void fill_features(cudaDeviceProp& p, const Device& device) {
  const auto get = [&](cudaDeviceAttr attribute) { return device_attribute(device, attribute).value_or(0); };
  p.integrated = get(cudaDevAttrIntegrated);
  p.canMapHostMemory = get(cudaDevAttrCanMapHostMemory);
  p.concurrentKernels = get(cudaDevAttrConcurrentKernels);
  p.ECCEnabled = get(cudaDevAttrEccEnabled);
  p.pciBusID = get(cudaDevAttrPciBusId);
  p.pciDeviceID = get(cudaDevAttrPciDeviceId);
  p.pciDomainID = get(cudaDevAttrPciDomainId);
  p.tccDriver = get(cudaDevAttrTccDriver);
  p.asyncEngineCount = get(cudaDevAttrAsyncEngineCount);
  p.unifiedAddressing = get(cudaDevAttrUnifiedAddressing);
  p.streamPrioritiesSupported = get(cudaDevAttrStreamPrioritiesSupported);
  p.globalL1CacheSupported = get(cudaDevAttrGlobalL1CacheSupported);
  p.localL1CacheSupported = get(cudaDevAttrLocalL1CacheSupported);
  p.managedMemory = get(cudaDevAttrManagedMemory);
  p.isMultiGpuBoard = get(cudaDevAttrIsMultiGpuBoard);
  p.multiGpuBoardGroupID = get(cudaDevAttrMultiGpuBoardGroupID);
  p.hostNativeAtomicSupported = get(cudaDevAttrHostNativeAtomicSupported);
  p.pageableMemoryAccess = get(cudaDevAttrPageableMemoryAccess);
  p.concurrentManagedAccess = get(cudaDevAttrConcurrentManagedAccess);
  p.computePreemptionSupported = get(cudaDevAttrComputePreemptionSupported);
  p.canUseHostPointerForRegisteredMem = get(cudaDevAttrCanUseHostPointerForRegisteredMem);
  p.cooperativeLaunch = get(cudaDevAttrCooperativeLaunch);
  p.pageableMemoryAccessUsesHostPageTables = get(cudaDevAttrPageableMemoryAccessUsesHostPageTables);
  p.directManagedMemAccessFromHost = get(cudaDevAttrDirectManagedMemAccessFromHost);
  p.hostRegisterSupported = get(cudaDevAttrHostRegisterSupported);
  p.sparseCudaArraySupported = get(cudaDevAttrSparseCudaArraySupported);
  p.hostRegisterReadOnlySupported = get(cudaDevAttrHostRegisterReadOnlySupported);
  p.timelineSemaphoreInteropSupported = get(cudaDevAttrTimelineSemaphoreInteropSupported);
  p.memoryPoolsSupported = get(cudaDevAttrMemoryPoolsSupported);
  p.gpuDirectRDMASupported = get(cudaDevAttrGPUDirectRDMASupported);
  p.gpuDirectRDMAFlushWritesOptions = static_cast<unsigned>(get(cudaDevAttrGPUDirectRDMAFlushWritesOptions));
  p.gpuDirectRDMAWritesOrdering = get(cudaDevAttrGPUDirectRDMAWritesOrdering);
  p.memoryPoolSupportedHandleTypes = static_cast<unsigned>(get(cudaDevAttrMemoryPoolSupportedHandleTypes));
  p.deferredMappingCudaArraySupported = get(cudaDevAttrDeferredMappingCudaArraySupported);
  p.ipcEventSupported = get(cudaDevAttrIpcEventSupport);
  p.clusterLaunch = get(cudaDevAttrClusterLaunch);
  p.unifiedFunctionPointers = static_cast<int>(device.attribute("unified_function_pointers"));
  p.deviceNumaConfig = get(cudaDevAttrNumaConfig);
  p.deviceNumaId = get(cudaDevAttrNumaId);
  p.mpsEnabled = get(cudaDevAttrMpsEnabled);
  p.hostNumaId = get(cudaDevAttrHostNumaId);
  p.gpuPciDeviceID = static_cast<unsigned>(get(cudaDevAttrGpuPciDeviceId));
  p.gpuPciSubsystemID = static_cast<unsigned>(get(cudaDevAttrGpuPciSubsystemId));
  p.hostNumaMultinodeIpcSupported = get(cudaDevAttrHostNumaMultinodeIpcSupported);
}

void fill_textures(cudaDeviceProp& p, const Device& device) {
  const auto get = [&](cudaDeviceAttr attribute) { return device_attribute(device, attribute).value_or(0); };
  p.textureAlignment = static_cast<std::size_t>(get(cudaDevAttrTextureAlignment));
  p.texturePitchAlignment = static_cast<std::size_t>(get(cudaDevAttrTexturePitchAlignment));
  p.surfaceAlignment = static_cast<std::size_t>(get(cudaDevAttrSurfaceAlignment));
  p.maxTexture1D = get(cudaDevAttrMaxTexture1DWidth);
  p.maxTexture1DMipmap = get(cudaDevAttrMaxTexture1DMipmappedWidth);
  p.maxTexture2D[0] = get(cudaDevAttrMaxTexture2DWidth);
  p.maxTexture2D[1] = get(cudaDevAttrMaxTexture2DHeight);
  p.maxTexture2DMipmap[0] = get(cudaDevAttrMaxTexture2DMipmappedWidth);
  p.maxTexture2DMipmap[1] = get(cudaDevAttrMaxTexture2DMipmappedHeight);
  p.maxTexture2DLinear[0] = get(cudaDevAttrMaxTexture2DLinearWidth);
  p.maxTexture2DLinear[1] = get(cudaDevAttrMaxTexture2DLinearHeight);
  p.maxTexture2DLinear[2] = get(cudaDevAttrMaxTexture2DLinearPitch);
  p.maxTexture2DGather[0] = get(cudaDevAttrMaxTexture2DGatherWidth);
  p.maxTexture2DGather[1] = get(cudaDevAttrMaxTexture2DGatherHeight);
  p.maxTexture3D[0] = get(cudaDevAttrMaxTexture3DWidth);
  p.maxTexture3D[1] = get(cudaDevAttrMaxTexture3DHeight);
  p.maxTexture3D[2] = get(cudaDevAttrMaxTexture3DDepth);
  p.maxTexture3DAlt[0] = get(cudaDevAttrMaxTexture3DWidthAlt);
  p.maxTexture3DAlt[1] = get(cudaDevAttrMaxTexture3DHeightAlt);
  p.maxTexture3DAlt[2] = get(cudaDevAttrMaxTexture3DDepthAlt);
  p.maxTextureCubemap = get(cudaDevAttrMaxTextureCubemapWidth);
  p.maxTexture1DLayered[0] = get(cudaDevAttrMaxTexture1DLayeredWidth);
  p.maxTexture1DLayered[1] = get(cudaDevAttrMaxTexture1DLayeredLayers);
  p.maxTexture2DLayered[0] = get(cudaDevAttrMaxTexture2DLayeredWidth);
  p.maxTexture2DLayered[1] = get(cudaDevAttrMaxTexture2DLayeredHeight);
  p.maxTexture2DLayered[2] = get(cudaDevAttrMaxTexture2DLayeredLayers);
  p.maxTextureCubemapLayered[0] = get(cudaDevAttrMaxTextureCubemapLayeredWidth);
  p.maxTextureCubemapLayered[1] = get(cudaDevAttrMaxTextureCubemapLayeredLayers);
  p.maxSurface1D = get(cudaDevAttrMaxSurface1DWidth);
  p.maxSurface2D[0] = get(cudaDevAttrMaxSurface2DWidth);
  p.maxSurface2D[1] = get(cudaDevAttrMaxSurface2DHeight);
  p.maxSurface3D[0] = get(cudaDevAttrMaxSurface3DWidth);
  p.maxSurface3D[1] = get(cudaDevAttrMaxSurface3DHeight);
  p.maxSurface3D[2] = get(cudaDevAttrMaxSurface3DDepth);
  p.maxSurface1DLayered[0] = get(cudaDevAttrMaxSurface1DLayeredWidth);
  p.maxSurface1DLayered[1] = get(cudaDevAttrMaxSurface1DLayeredLayers);
  p.maxSurface2DLayered[0] = get(cudaDevAttrMaxSurface2DLayeredWidth);
  p.maxSurface2DLayered[1] = get(cudaDevAttrMaxSurface2DLayeredHeight);
  p.maxSurface2DLayered[2] = get(cudaDevAttrMaxSurface2DLayeredLayers);
  p.maxSurfaceCubemap = get(cudaDevAttrMaxSurfaceCubemapWidth);
  p.maxSurfaceCubemapLayered[0] = get(cudaDevAttrMaxSurfaceCubemapLayeredWidth);
  p.maxSurfaceCubemapLayered[1] = get(cudaDevAttrMaxSurfaceCubemapLayeredLayers);
}

}  // namespace

std::optional<int> device_attribute(const Device& device, int attribute) {
  const auto instance = static_cast<int>(device.instance);
  switch (attribute) {
#define WB_ATTRIBUTE(number, key) \
  case number:                    \
    return static_cast<int>(device.attribute(key));
#define WB_ATTRIBUTE_VALUE(number, value) \
  case number:                            \
    return value;
#include "common/simulator/runtime/device_attributes.def"
#undef WB_ATTRIBUTE
#undef WB_ATTRIBUTE_VALUE
    default:
      return std::nullopt;
  }
}

cudaDeviceProp device_properties(const Device& device) {
  cudaDeviceProp properties{};
  std::snprintf(properties.name, sizeof properties.name, "%s", device.display_name.c_str());
  // A made-up UUID, from the device's name and its number in the machine.
  std::memcpy(properties.uuid.bytes, "warpbook", 8);
  std::memcpy(properties.uuid.bytes + 8, device.name.c_str(), std::min<std::size_t>(device.name.size(), 7));
  properties.uuid.bytes[15] = static_cast<char>(device.instance);
  fill_limits(properties, device);
  fill_features(properties, device);
  fill_textures(properties, device);
  return properties;
}

std::string uuid_text(const Device& device) {
  const cudaDeviceProp properties = device_properties(device);
  std::string text = "GPU";
  for (unsigned i = 0; i < sizeof properties.uuid.bytes; ++i) {
    char digits[4];
    const bool begins = i == 0 || i == 4 || i == 6 || i == 8 || i == 10;
    std::snprintf(digits, sizeof digits, "%s%02x", begins ? "-" : "",
                  static_cast<unsigned char>(properties.uuid.bytes[i]));
    text += digits;
  }
  return text;
}

std::string pci_bus_id(const Device& device) {
  char text[32];
  std::snprintf(text, sizeof text, "%04x:%02x:%02x.0", device_attribute(device, cudaDevAttrPciDomainId).value_or(0),
                device_attribute(device, cudaDevAttrPciBusId).value_or(0),
                device_attribute(device, cudaDevAttrPciDeviceId).value_or(0));
  return text;
}

}  // namespace warpbook::simulator::runtime
