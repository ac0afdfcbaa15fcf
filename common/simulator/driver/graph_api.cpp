// Graphs and captures in the driver API. Each call forwards to its counterpart in the runtime API.
#include "common/simulator/driver/driver_api.h"
#include "common/simulator/driver/graph_frame.h"
#include "common/simulator/driver/graph_parameters.h"

using namespace warpbook::simulator::driver;

CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode) {
  return as_driver([&] { return cudaStreamBeginCapture(stream, static_cast<cudaStreamCaptureMode>(mode)); });
}

CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph, const CUgraphNode* dependencies,
                                     const CUgraphEdgeData* edges, size_t count, CUstreamCaptureMode mode) {
  return as_driver([&] {
    return cudaStreamBeginCaptureToGraph(stream, graph, dependencies, alike<const cudaGraphEdgeData>(edges), count,
                                         static_cast<cudaStreamCaptureMode>(mode));
  });
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) {
  return as_driver([&] { return cudaStreamEndCapture(stream, graph); });
}

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
  return as_driver([&] { return cudaStreamIsCapturing(stream, alike<cudaStreamCaptureStatus>(status)); });
}

CUresult cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id, CUgraph* graph,
                                   const CUgraphNode** dependencies, const CUgraphEdgeData** edges, size_t* count) {
  return as_driver([&] {
    unsigned long long number = 0;
    const cudaGraphEdgeData* data = nullptr;
    const cudaError_t error = cudaStreamGetCaptureInfo(stream, alike<cudaStreamCaptureStatus>(status), &number, graph,
                                                       dependencies, &data, count);
    if (error == cudaSuccess && id != nullptr) *id = number;
    if (error == cudaSuccess && edges != nullptr) *edges = alike<const CUgraphEdgeData>(data);
    return error;
  });
}

CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode* dependencies, const CUgraphEdgeData* edges,
                                              size_t count, unsigned flags) {
  return as_driver([&] {
    return cudaStreamUpdateCaptureDependencies(stream, dependencies, alike<const cudaGraphEdgeData>(edges), count,
                                               flags);
  });
}

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  return as_driver([&] { return cudaThreadExchangeStreamCaptureMode(alike<cudaStreamCaptureMode>(mode)); });
}

CUresult cuGraphCreate(CUgraph* graph, unsigned flags) {
  return as_driver([&] { return cudaGraphCreate(graph, flags); });
}

CUresult cuGraphDestroy(CUgraph graph) {
  return as_driver([&] { return cudaGraphDestroy(graph); });
}

CUresult cuGraphClone(CUgraph* clone, CUgraph graph) {
  return as_driver([&] { return cudaGraphClone(clone, graph); });
}

CUresult cuGraphNodeFindInClone(CUgraphNode* found, CUgraphNode node, CUgraph clone) {
  return as_driver([&] { return cudaGraphNodeFindInClone(found, node, clone); });
}

CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType* type) {
  return as_driver([&] { return cudaGraphNodeGetType(node, alike<cudaGraphNodeType>(type)); });
}

CUresult cuGraphDestroyNode(CUgraphNode node) {
  return as_driver([&] { return cudaGraphDestroyNode(node); });
}

CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode* nodes, size_t* count) {
  return as_driver([&] { return cudaGraphGetNodes(graph, nodes, count); });
}

CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode* nodes, size_t* count) {
  return as_driver([&] { return cudaGraphGetRootNodes(graph, nodes, count); });
}

CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode* from, CUgraphNode* to, CUgraphEdgeData* edges, size_t* count) {
  return as_driver([&] { return cudaGraphGetEdges(graph, from, to, alike<cudaGraphEdgeData>(edges), count); });
}

CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode* nodes, CUgraphEdgeData* edges, size_t* count) {
  return as_driver([&] { return cudaGraphNodeGetDependencies(node, nodes, alike<cudaGraphEdgeData>(edges), count); });
}

CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode* nodes, CUgraphEdgeData* edges, size_t* count) {
  return as_driver([&] { return cudaGraphNodeGetDependentNodes(node, nodes, alike<cudaGraphEdgeData>(edges), count); });
}

CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                   const CUgraphEdgeData* edges, size_t count) {
  return as_driver(
      [&] { return cudaGraphAddDependencies(graph, from, to, alike<const cudaGraphEdgeData>(edges), count); });
}

CUresult cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                      const CUgraphEdgeData* edges, size_t count) {
  return as_driver(
      [&] { return cudaGraphRemoveDependencies(graph, from, to, alike<const cudaGraphEdgeData>(edges), count); });
}

CUresult cuGraphDebugDotPrint(CUgraph graph, const char* path, unsigned flags) {
  return as_driver([&] { return cudaGraphDebugDotPrint(graph, path, flags); });
}

CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle* handle, CUgraph graph, CUcontext, unsigned initial,
                                        unsigned flags) {
  return as_driver([&] {
    return cudaGraphConditionalHandleCreate(alike<cudaGraphConditionalHandle>(handle), graph, initial, flags);
  });
}

CUresult cuUserObjectCreate(CUuserObject* object, void* pointer, CUhostFn destructor, unsigned references,
                            unsigned flags) {
  return as_driver([&] { return cudaUserObjectCreate(object, pointer, destructor, references, flags); });
}

CUresult cuUserObjectRetain(CUuserObject object, unsigned count) {
  return as_driver([&] { return cudaUserObjectRetain(object, count); });
}

CUresult cuUserObjectRelease(CUuserObject object, unsigned count) {
  return as_driver([&] { return cudaUserObjectRelease(object, count); });
}

CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned count, unsigned flags) {
  return as_driver([&] { return cudaGraphRetainUserObject(graph, object, count, flags); });
}

CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned count) {
  return as_driver([&] { return cudaGraphReleaseUserObject(graph, object, count); });
}

CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void* value) {
  return as_driver(
      [&] { return cudaDeviceGetGraphMemAttribute(device, static_cast<cudaGraphMemAttributeType>(attribute), value); });
}

CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void* value) {
  return as_driver(
      [&] { return cudaDeviceSetGraphMemAttribute(device, static_cast<cudaGraphMemAttributeType>(attribute), value); });
}

CUresult cuDeviceGraphMemTrim(CUdevice device) {
  return as_driver([&] { return cudaDeviceGraphMemTrim(device); });
}
