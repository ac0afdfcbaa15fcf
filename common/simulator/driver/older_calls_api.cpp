// Older versions of calls, in terms of the newest: programs find them by cuGetProcAddress or dlsym, and programs built
// with older headers call them.
#include <cstdint>

#include "common/simulator/driver/driver_api.h"

CUresult cuCtxCreate(CUcontext* context, unsigned flags, CUdevice device) {
  return cuCtxCreate_v2(context, flags, device);
}

CUresult cuCtxDestroy(CUcontext context) { return cuCtxDestroy_v2(context); }

CUresult cuCtxPopCurrent(CUcontext* context) { return cuCtxPopCurrent_v2(context); }

CUresult cuCtxPushCurrent(CUcontext context) { return cuCtxPushCurrent_v2(context); }

CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) { return cuDeviceGetUuid_v2(uuid, device); }

CUresult cuDevicePrimaryCtxRelease(CUdevice device) { return cuDevicePrimaryCtxRelease_v2(device); }

CUresult cuDevicePrimaryCtxReset(CUdevice device) { return cuDevicePrimaryCtxReset_v2(device); }

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
  return cuDevicePrimaryCtxSetFlags_v2(device, flags);
}

CUresult cuEventDestroy(CUevent event) { return cuEventDestroy_v2(event); }

CUresult cuStreamDestroy(CUstream stream) { return cuStreamDestroy_v2(stream); }

CUresult cuIpcOpenMemHandle(CUdeviceptr* pointer, CUipcMemHandle handle, unsigned flags) {
  return cuIpcOpenMemHandle_v2(pointer, handle, flags);
}

CUresult cuLinkCreate(unsigned count, CUjit_option* options, void** values, CUlinkState* state) {
  return cuLinkCreate_v2(count, options, values, state);
}

CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void* data, size_t bytes, const char* name,
                       unsigned count, CUjit_option* options, void** values) {
  return cuLinkAddData_v2(state, type, data, bytes, name, count, options, values);
}

CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char* path, unsigned count, CUjit_option* options,
                       void** values) {
  return cuLinkAddFile_v2(state, type, path, count, options, values);
}

CUresult cuMemHostRegister(void* pointer, size_t bytes, unsigned flags) {
  return cuMemHostRegister_v2(pointer, bytes, flags);
}

namespace {

/// A place as it was named before there were several nodes of memory: a device, or -1 for the host.
CUmemLocation location_of(CUdevice device) {
  CUmemLocation location{};
  location.type = device == CU_DEVICE_CPU ? CU_MEM_LOCATION_TYPE_HOST : CU_MEM_LOCATION_TYPE_DEVICE;
  location.id = device == CU_DEVICE_CPU ? 0 : device;
  return location;
}

/// A kernel's parameters as they were before it could be a CUkernel.
CUDA_KERNEL_NODE_PARAMS with_function(const CUDA_KERNEL_NODE_PARAMS_v1& older) {
  CUDA_KERNEL_NODE_PARAMS newer{};
  newer.func = older.func;
  newer.gridDimX = older.gridDimX;
  newer.gridDimY = older.gridDimY;
  newer.gridDimZ = older.gridDimZ;
  newer.blockDimX = older.blockDimX;
  newer.blockDimY = older.blockDimY;
  newer.blockDimZ = older.blockDimZ;
  newer.sharedMemBytes = older.sharedMemBytes;
  newer.kernelParams = older.kernelParams;
  newer.extra = older.extra;
  return newer;
}

}  // namespace

CUresult cuMemAdvise(CUdeviceptr address, size_t bytes, CUmem_advise advice, CUdevice device) {
  return cuMemAdvise_v2(address, bytes, advice, location_of(device));
}

CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t bytes, CUdevice device, CUstream stream) {
  return cuMemPrefetchAsync_v2(address, bytes, location_of(device), 0, stream);
}

/// @param failed gets no number: which copy failed is not told, as the newer call has it
CUresult cuMemcpyBatchAsync(CUdeviceptr* to, CUdeviceptr* from, size_t* sizes, size_t count,
                            CUmemcpyAttributes* attributes, size_t* places, size_t attribute_count, size_t* failed,
                            CUstream stream) {
  if (failed != nullptr) *failed = SIZE_MAX;
  return cuMemcpyBatchAsync_v2(to, from, sizes, count, attributes, places, attribute_count, stream);
}

CUresult cuMemcpy3DBatchAsync(size_t count, CUDA_MEMCPY3D_BATCH_OP* copies, size_t* failed, unsigned long long flags,
                              CUstream stream) {
  if (failed != nullptr) *failed = SIZE_MAX;
  return cuMemcpy3DBatchAsync_v2(count, copies, flags, stream);
}

CUresult cuStreamBatchMemOp(CUstream stream, unsigned count, CUstreamBatchMemOpParams* operations, unsigned flags) {
  return cuStreamBatchMemOp_v2(stream, count, operations, flags);
}

CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags) {
  return cuStreamWaitValue32_v2(stream, address, value, flags);
}

CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned flags) {
  return cuStreamWaitValue64_v2(stream, address, value, flags);
}

CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags) {
  return cuStreamWriteValue32_v2(stream, address, value, flags);
}

CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned flags) {
  return cuStreamWriteValue64_v2(stream, address, value, flags);
}

CUresult cuStreamBeginCapture(CUstream stream) {
  return cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
}

CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id) {
  return cuStreamGetCaptureInfo_v3(stream, status, id, nullptr, nullptr, nullptr, nullptr);
}

CUresult cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id, CUgraph* graph,
                                   const CUgraphNode** dependencies, size_t* count) {
  return cuStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, nullptr, count);
}

CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode* dependencies, size_t count, unsigned flags) {
  return cuStreamUpdateCaptureDependencies_v2(stream, dependencies, nullptr, count, flags);
}

CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to, size_t count) {
  return cuGraphAddDependencies_v2(graph, from, to, nullptr, count);
}

CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to, size_t count) {
  return cuGraphRemoveDependencies_v2(graph, from, to, nullptr, count);
}

CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode* from, CUgraphNode* to, size_t* count) {
  return cuGraphGetEdges_v2(graph, from, to, nullptr, count);
}

CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode* dependencies, size_t* count) {
  return cuGraphNodeGetDependencies_v2(node, dependencies, nullptr, count);
}

CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode* dependent, size_t* count) {
  return cuGraphNodeGetDependentNodes_v2(node, dependent, nullptr, count);
}

CUresult cuGraphAddNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                        CUgraphNodeParams* parameters) {
  return cuGraphAddNode_v2(node, graph, dependencies, nullptr, count, parameters);
}

CUresult cuGraphAddKernelNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                              const CUDA_KERNEL_NODE_PARAMS_v1* parameters) {
  if (parameters == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const CUDA_KERNEL_NODE_PARAMS newer = with_function(*parameters);
  return cuGraphAddKernelNode_v2(node, graph, dependencies, count, &newer);
}

CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS_v1* parameters) {
  if (parameters == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUDA_KERNEL_NODE_PARAMS newer{};
  const CUresult result = cuGraphKernelNodeGetParams_v2(node, &newer);
  if (result != CUDA_SUCCESS) return result;
  *parameters = {newer.func,      newer.gridDimX,  newer.gridDimY,       newer.gridDimZ,     newer.blockDimX,
                 newer.blockDimY, newer.blockDimZ, newer.sharedMemBytes, newer.kernelParams, newer.extra};
  return CUDA_SUCCESS;
}

CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1* parameters) {
  if (parameters == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const CUDA_KERNEL_NODE_PARAMS newer = with_function(*parameters);
  return cuGraphKernelNodeSetParams_v2(node, &newer);
}

CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_KERNEL_NODE_PARAMS_v1* parameters) {
  if (parameters == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const CUDA_KERNEL_NODE_PARAMS newer = with_function(*parameters);
  return cuGraphExecKernelNodeSetParams_v2(exec, node, &newer);
}

CUresult cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphNode* failed, CUgraphExecUpdateResult* result) {
  CUgraphExecUpdateResultInfo info{};
  const CUresult answer = cuGraphExecUpdate_v2(exec, graph, &info);
  if (failed != nullptr) *failed = info.errorNode;
  if (result != nullptr) *result = info.result;
  return answer;
}

/// @param log gets no text
CUresult cuGraphInstantiate_v2(CUgraphExec* exec, CUgraph graph, CUgraphNode* failed, char* log, size_t log_bytes) {
  if (log != nullptr && log_bytes != 0) *log = '\0';
  CUDA_GRAPH_INSTANTIATE_PARAMS parameters{};
  const CUresult result = cuGraphInstantiateWithParams(exec, graph, &parameters);
  if (failed != nullptr) *failed = parameters.hErrNode_out;
  return result;
}

CUresult cuGraphInstantiate(CUgraphExec* exec, CUgraph graph, CUgraphNode* failed, char* log, size_t log_bytes) {
  return cuGraphInstantiate_v2(exec, graph, failed, log, log_bytes);
}
