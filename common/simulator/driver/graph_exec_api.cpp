// Executable graphs in the driver API. Each call forwards to its counterpart in the runtime API.
#include "common/simulator/driver/driver_api.h"
#include "common/simulator/driver/graph_frame.h"
#include "common/simulator/driver/graph_parameters.h"

using namespace warpbook::simulator::driver;

CUresult cuGraphInstantiateWithFlags(CUgraphExec* exec, CUgraph graph, unsigned long long flags) {
  return as_driver([&] { return cudaGraphInstantiateWithFlags(exec, graph, flags); });
}

CUresult cuGraphInstantiateWithParams(CUgraphExec* exec, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS* parameters) {
  return as_driver(
      [&] { return cudaGraphInstantiateWithParams(exec, graph, alike<cudaGraphInstantiateParams>(parameters)); });
}

CUresult cuGraphExecGetFlags(CUgraphExec exec, cuuint64_t* flags) {
  return as_driver([&] { return cudaGraphExecGetFlags(exec, alike<unsigned long long>(flags)); });
}

CUresult cuGraphExecDestroy(CUgraphExec exec) {
  return as_driver([&] { return cudaGraphExecDestroy(exec); });
}

CUresult cuGraphUpload(CUgraphExec exec, CUstream stream) {
  return as_driver([&] { return cudaGraphUpload(exec, stream); });
}

CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
  return as_driver([&] { return cudaGraphLaunch(exec, stream); });
}

CUresult cuGraphExecUpdate_v2(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo* info) {
  return as_driver([&] { return cudaGraphExecUpdate(exec, graph, alike<cudaGraphExecUpdateResultInfo>(info)); });
}

CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec exec, CUgraphNode node,
                                           const CUDA_KERNEL_NODE_PARAMS* parameters) {
  if (parameters == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const cudaKernelNodeParams kernel = runtime_kernel(*parameters);
  return as_driver([&] { return cudaGraphExecKernelNodeSetParams(exec, node, &kernel); });
}

CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D* parameters,
                                        CUcontext) {
  if (parameters == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const cudaMemcpy3DParms copy = runtime_copy(*parameters);
  return as_driver([&] { return cudaGraphExecMemcpyNodeSetParams(exec, node, &copy); });
}

CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS* parameters,
                                        CUcontext) {
  return as_driver(
      [&] { return cudaGraphExecMemsetNodeSetParams(exec, node, alike<const cudaMemsetParams>(parameters)); });
}

CUresult cuGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_HOST_NODE_PARAMS* parameters) {
  return as_driver(
      [&] { return cudaGraphExecHostNodeSetParams(exec, node, alike<const cudaHostNodeParams>(parameters)); });
}

CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraph child) {
  return as_driver([&] { return cudaGraphExecChildGraphNodeSetParams(exec, node, child); });
}

CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
  return as_driver([&] { return cudaGraphExecEventRecordNodeSetEvent(exec, node, event); });
}

CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
  return as_driver([&] { return cudaGraphExecEventWaitNodeSetEvent(exec, node, event); });
}

CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node, unsigned enabled) {
  return as_driver([&] { return cudaGraphNodeSetEnabled(exec, node, enabled); });
}

CUresult cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node, unsigned* enabled) {
  return as_driver([&] { return cudaGraphNodeGetEnabled(exec, node, enabled); });
}

CUresult cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraphNodeParams* parameters) {
  if (parameters == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return as_driver([&] {
    cudaGraphNodeParams any = runtime_any(*parameters);
    const cudaError_t error = cudaGraphExecNodeSetParams(exec, node, &any);
    if (error == cudaSuccess) give_back(any, *parameters);
    return error;
  });
}
