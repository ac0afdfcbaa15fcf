// Graph nodes in the driver API. Each call forwards to its counterpart in the runtime API.
#include "common/simulator/driver/driver_api.h"
#include "common/simulator/driver/graph_frame.h"
#include "common/simulator/driver/graph_parameters.h"

using namespace warpbook::simulator::driver;

CUresult cuGraphAddKernelNode_v2(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                                 const CUDA_KERNEL_NODE_PARAMS* parameters) {
  if (parameters == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const cudaKernelNodeParams kernel = runtime_kernel(*parameters);
  return as_driver([&] { return cudaGraphAddKernelNode(node, graph, dependencies, count, &kernel); });
}

CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS* parameters) {
  if (parameters == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return as_driver([&] {
    cudaKernelNodeParams kernel{};
    const cudaError_t error = cudaGraphKernelNodeGetParams(node, &kernel);
    if (error == cudaSuccess) *parameters = driver_kernel(kernel);
    return error;
  });
}

CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS* parameters) {
  if (parameters == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const cudaKernelNodeParams kernel = runtime_kernel(*parameters);
  return as_driver([&] { return cudaGraphKernelNodeSetParams(node, &kernel); });
}

CUresult cuGraphAddMemcpyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                              const CUDA_MEMCPY3D* parameters, CUcontext) {
  if (parameters == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const cudaMemcpy3DParms copy = runtime_copy(*parameters);
  return as_driver([&] { return cudaGraphAddMemcpyNode(node, graph, dependencies, count, &copy); });
}

CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D* parameters) {
  if (parameters == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return as_driver([&] {
    cudaMemcpy3DParms copy{};
    const cudaError_t error = cudaGraphMemcpyNodeGetParams(node, &copy);
    if (error == cudaSuccess) *parameters = driver_copy(copy);
    return error;
  });
}

CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D* parameters) {
  if (parameters == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const cudaMemcpy3DParms copy = runtime_copy(*parameters);
  return as_driver([&] { return cudaGraphMemcpyNodeSetParams(node, &copy); });
}

CUresult cuGraphAddMemsetNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                              const CUDA_MEMSET_NODE_PARAMS* parameters, CUcontext) {
  return as_driver([&] {
    return cudaGraphAddMemsetNode(node, graph, dependencies, count, alike<const cudaMemsetParams>(parameters));
  });
}

CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS* parameters) {
  return as_driver([&] { return cudaGraphMemsetNodeGetParams(node, alike<cudaMemsetParams>(parameters)); });
}

CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS* parameters) {
  return as_driver([&] { return cudaGraphMemsetNodeSetParams(node, alike<const cudaMemsetParams>(parameters)); });
}

CUresult cuGraphAddHostNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                            const CUDA_HOST_NODE_PARAMS* parameters) {
  return as_driver([&] {
    return cudaGraphAddHostNode(node, graph, dependencies, count, alike<const cudaHostNodeParams>(parameters));
  });
}

CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS* parameters) {
  return as_driver([&] { return cudaGraphHostNodeGetParams(node, alike<cudaHostNodeParams>(parameters)); });
}

CUresult cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS* parameters) {
  return as_driver([&] { return cudaGraphHostNodeSetParams(node, alike<const cudaHostNodeParams>(parameters)); });
}

CUresult cuGraphAddChildGraphNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                                  CUgraph child) {
  return as_driver([&] { return cudaGraphAddChildGraphNode(node, graph, dependencies, count, child); });
}

CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph* graph) {
  return as_driver([&] { return cudaGraphChildGraphNodeGetGraph(node, graph); });
}

CUresult cuGraphAddEmptyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count) {
  return as_driver([&] { return cudaGraphAddEmptyNode(node, graph, dependencies, count); });
}

CUresult cuGraphAddEventRecordNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                                   CUevent event) {
  return as_driver([&] { return cudaGraphAddEventRecordNode(node, graph, dependencies, count, event); });
}

CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent* event) {
  return as_driver([&] { return cudaGraphEventRecordNodeGetEvent(node, event); });
}

CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event) {
  return as_driver([&] { return cudaGraphEventRecordNodeSetEvent(node, event); });
}

CUresult cuGraphAddEventWaitNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                                 CUevent event) {
  return as_driver([&] { return cudaGraphAddEventWaitNode(node, graph, dependencies, count, event); });
}

CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent* event) {
  return as_driver([&] { return cudaGraphEventWaitNodeGetEvent(node, event); });
}

CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event) {
  return as_driver([&] { return cudaGraphEventWaitNodeSetEvent(node, event); });
}

CUresult cuGraphAddMemAllocNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                                CUDA_MEM_ALLOC_NODE_PARAMS* parameters) {
  return as_driver([&] {
    return cudaGraphAddMemAllocNode(node, graph, dependencies, count, alike<cudaMemAllocNodeParams>(parameters));
  });
}

CUresult cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS* parameters) {
  return as_driver([&] { return cudaGraphMemAllocNodeGetParams(node, alike<cudaMemAllocNodeParams>(parameters)); });
}

CUresult cuGraphAddMemFreeNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                               CUdeviceptr address) {
  return as_driver(
      [&] { return cudaGraphAddMemFreeNode(node, graph, dependencies, count, reinterpret_cast<void*>(address)); });
}

CUresult cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr* address) {
  return as_driver([&] { return cudaGraphMemFreeNodeGetParams(node, address); });
}

CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode to, CUgraphNode from) {
  return as_driver([&] { return cudaGraphKernelNodeCopyAttributes(to, from); });
}

CUresult cuGraphKernelNodeGetAttribute(CUgraphNode node, CUkernelNodeAttrID id, CUkernelNodeAttrValue* value) {
  return as_driver([&] {
    return cudaGraphKernelNodeGetAttribute(node, static_cast<cudaLaunchAttributeID>(id),
                                           alike<cudaLaunchAttributeValue>(value));
  });
}

CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, CUkernelNodeAttrID id, const CUkernelNodeAttrValue* value) {
  return as_driver([&] {
    return cudaGraphKernelNodeSetAttribute(node, static_cast<cudaLaunchAttributeID>(id),
                                           alike<const cudaLaunchAttributeValue>(value));
  });
}

CUresult cuGraphAddNode_v2(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                           const CUgraphEdgeData* edges, size_t count, CUgraphNodeParams* parameters) {
  if (parameters == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return as_driver([&] {
    cudaGraphNodeParams any = runtime_any(*parameters);
    const cudaError_t error =
        cudaGraphAddNode(node, graph, dependencies, alike<const cudaGraphEdgeData>(edges), count, &any);
    if (error == cudaSuccess) give_back(any, *parameters);
    return error;
  });
}

CUresult cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams* parameters) {
  if (parameters == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return as_driver([&] {
    cudaGraphNodeParams any = runtime_any(*parameters);
    const cudaError_t error = cudaGraphNodeSetParams(node, &any);
    if (error == cudaSuccess) give_back(any, *parameters);
    return error;
  });
}
