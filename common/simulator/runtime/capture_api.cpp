// Stream capture.
#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/graph_entry.h"

using namespace warpbook::simulator::runtime;

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return ask_graph(graph_request(GraphCall::begin_capture, "cudaStreamBeginCapture", number_of(stream), 0, mode)).error;
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                          const cudaGraphEdgeData* edges, size_t count, cudaStreamCaptureMode mode) {
  constexpr const char* kName = "cudaStreamBeginCaptureToGraph";
  GraphRequest request = graph_request(GraphCall::begin_capture_to, kName, number_of(stream), number_of(graph), mode);
  if (!put_nodes(request, dependencies, edges, count)) return refuse(kName, cudaErrorInvalidValue);
  return ask_graph(request).error;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  // If the program gives no place for it, the graph is lost; an H200 reports no error.
  const GraphReply reply = ask_graph(graph_request(GraphCall::end_capture, "cudaStreamEndCapture", number_of(stream)));
  if (graph != nullptr) *graph = reinterpret_cast<cudaGraph_t>(reply.handle);
  return reply.error;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  constexpr const char* kName = "cudaStreamIsCapturing";
  if (status == nullptr) return refuse(kName, cudaErrorInvalidValue);
  const GraphReply reply = ask_graph(graph_request(GraphCall::capture_info, kName, number_of(stream)));
  if (reply.error == cudaSuccess) *status = static_cast<cudaStreamCaptureStatus>(reply.handle);
  return reply.error;
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                     cudaGraph_t* graph, const cudaGraphNode_t** dependencies,
                                     const cudaGraphEdgeData** edges, size_t* count) {
  constexpr const char* kName = "cudaStreamGetCaptureInfo";
  if (status == nullptr) return refuse(kName, cudaErrorInvalidValue);
  const GraphReply reply = ask_graph(graph_request(GraphCall::capture_info, kName, number_of(stream)));
  if (reply.error != cudaSuccess) return reply.error;
  // Valid until this thread's next query of the stream.
  static thread_local std::vector<cudaGraphNode_t> kept;
  static thread_local std::vector<cudaGraphEdgeData> kept_edges;
  kept.clear();
  for (const std::uint64_t node : reply.nodes) kept.push_back(reinterpret_cast<cudaGraphNode_t>(node));
  kept_edges = reply.edges;
  *status = static_cast<cudaStreamCaptureStatus>(reply.handle);
  if (id != nullptr) *id = reply.other;
  if (graph != nullptr) *graph = reinterpret_cast<cudaGraph_t>(reply.third);
  if (dependencies != nullptr) *dependencies = kept.empty() ? nullptr : kept.data();
  if (edges != nullptr) *edges = kept_edges.empty() ? nullptr : kept_edges.data();
  if (count != nullptr) *count = kept.size();
  return cudaSuccess;
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies,
                                                const cudaGraphEdgeData* edges, size_t count, unsigned flags) {
  constexpr const char* kName = "cudaStreamUpdateCaptureDependencies";
  GraphRequest request = graph_request(GraphCall::update_dependencies, kName, number_of(stream), 0, flags);
  if (!put_nodes(request, dependencies, edges, count)) return refuse(kName, cudaErrorInvalidValue);
  return ask_graph(request).error;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  constexpr const char* kName = "cudaThreadExchangeStreamCaptureMode";
  if (mode == nullptr) return refuse(kName, cudaErrorInvalidValue);
  const GraphReply reply =
      ask_graph(graph_request(GraphCall::exchange_mode, kName, 0, 0, static_cast<std::uint64_t>(*mode)));
  if (reply.error == cudaSuccess) *mode = static_cast<cudaStreamCaptureMode>(reply.handle);
  return reply.error;
}
