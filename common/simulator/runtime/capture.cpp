// Turns work of capturing streams into nodes, and rejects calls that are not allowed meanwhile.
#include "common/simulator/runtime/capture.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <string>

#include "common/simulator/runtime/graph_state.h"
#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {
namespace {

/// Calls that may implicitly wait for work on the device or submit work to streams. CUDA calls them unsafe during a
/// capture, unless its mode is relaxed.
bool is_unsafe(const std::string& name) {
  static const auto* const names = new std::set<std::string>{"cudaMalloc",
                                                             "cudaMallocPitch",
                                                             "cudaMalloc3D",
                                                             "cudaMallocManaged",
                                                             "cudaMallocHost",
                                                             "cudaHostAlloc",
                                                             "cudaHostRegister",
                                                             "cudaHostUnregister",
                                                             "cudaFree",
                                                             "cudaFreeHost",
                                                             "cudaMemcpy",
                                                             "cudaMemcpy2D",
                                                             "cudaMemcpy3D",
                                                             "cudaMemcpyPeer",
                                                             "cudaMemcpyToSymbol",
                                                             "cudaMemcpyFromSymbol",
                                                             "cudaStreamQuery",
                                                             "cudaStreamSynchronize",
                                                             "cudaGraphInstantiate",
                                                             "cudaGraphInstantiateWithFlags",
                                                             "cudaGraphInstantiateWithParams",
                                                             "cudaDeviceSetLimit",
                                                             "cudaMemPoolTrimTo",
                                                             "cuMemAlloc",
                                                             "cuMemAllocManaged",
                                                             "cuMemAllocHost",
                                                             "cuMemHostAlloc",
                                                             "cuMemFree",
                                                             "cuMemFreeHost",
                                                             "cuMemcpy",
                                                             "cuMemcpyHtoD",
                                                             "cuMemcpyDtoH",
                                                             "cuMemcpyDtoD",
                                                             "cuModuleUnload",
                                                             "cudaMallocArray",
                                                             "cudaMalloc3DArray",
                                                             "cudaMallocMipmappedArray",
                                                             "cudaFreeArray",
                                                             "cudaFreeMipmappedArray",
                                                             "cudaMemcpy2DToArray",
                                                             "cudaMemcpy2DFromArray",
                                                             "cudaMemcpy2DArrayToArray",
                                                             "cudaMemcpyToArray",
                                                             "cudaMemcpyFromArray",
                                                             "cudaMemcpyArrayToArray",
                                                             "cuArrayCreate",
                                                             "cuArray3DCreate",
                                                             "cuMipmappedArrayCreate",
                                                             "cuArrayDestroy",
                                                             "cuMipmappedArrayDestroy",
                                                             "cuMemcpy2D",
                                                             "cuMemcpy2DUnaligned",
                                                             "cuMemcpy3D"};
  return names->count(name) != 0;
}

/// A copy that executes in the legacy default stream before the call returns.
bool copies_in_legacy_stream(const std::string& name) {
  return name.find("Memcpy") != std::string::npos && is_unsafe(name);
}

}  // namespace

cudaStreamCaptureMode& thread_capture_mode() {
  static thread_local cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  return mode;
}

Capture* Captures::of(const Stream& stream) const {
  for (const auto& capture : captures_)
    if (capture->streams.count(stream.number) != 0) return capture.get();
  return nullptr;
}

Capture* Captures::find(std::uint64_t id) const {
  for (const auto& capture : captures_)
    if (capture->id == id) return capture.get();
  return nullptr;
}

void Captures::count() { runtime_.capturing = static_cast<unsigned>(captures_.size()); }

cudaError_t Captures::fail(Capture& capture, cudaError_t error) {
  capture.invalid = true;
  return error;
}

cudaError_t Captures::begin(const Stream& stream, cudaStreamCaptureMode mode, Graph* to, const Capture::Nodes& after) {
  if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed) return cudaErrorInvalidValue;
  if (stream.is_default()) return cudaErrorStreamCaptureUnsupported;
  if (of(stream) != nullptr) return cudaErrorIllegalState;
  auto made = std::make_unique<Capture>();
  made->id = ++last_id_;
  made->mode = mode;
  made->thread = std::this_thread::get_id();
  made->origin = stream.number;
  if (to == nullptr) made->own = std::make_unique<Graph>();
  made->graph = to == nullptr ? made->own.get() : to;
  ++made->graph->captures;
  made->streams[stream.number] = after;
  made->non_blocking[stream.number] = (stream.flags & cudaStreamNonBlocking) != 0;
  captures_.push_back(std::move(made));
  count();
  return cudaSuccess;
}

/// Whether every node from which a stream would continue is ordered before those from which the origin would.
bool Captures::is_joined(const Capture& capture) const {
  std::set<const GraphNode*> reached;
  std::vector<const GraphNode*> open;
  for (const GraphEdge& edge : capture.streams.at(capture.origin)) open.push_back(edge.node);
  while (!open.empty()) {
    const GraphNode* const node = open.back();
    open.pop_back();
    if (!reached.insert(node).second) continue;
    for (const GraphEdge& edge : node->before) open.push_back(edge.node);
  }
  for (const auto& [stream, nodes] : capture.streams)
    for (const GraphEdge& edge : nodes)
      if (reached.count(edge.node) == 0) return false;
  return true;
}

void Captures::remove(Capture& capture) {
  --capture.graph->captures;
  std::erase_if(captures_, [&](const auto& each) { return each.get() == &capture; });
  count();
}

cudaError_t Captures::end(const Stream& stream, std::uint64_t& graph) {
  graph = 0;
  Capture* const capture = of(stream);
  if (capture == nullptr) return cudaErrorIllegalState;
  if (capture->mode != cudaStreamCaptureModeRelaxed && capture->thread != std::this_thread::get_id()) {
    remove(*capture);  // An H200 ends the capture all the same.
    return cudaErrorStreamCaptureWrongThread;
  }
  if (capture->origin != stream.number) return fail(*capture, cudaErrorStreamCaptureUnmatched);
  cudaError_t error = cudaSuccess;
  if (capture->invalid) {
    error = cudaErrorStreamCaptureInvalidated;
  } else if (!is_joined(*capture)) {
    error = cudaErrorStreamCaptureUnjoined;
  } else {
    graph = handle_of(capture->graph);
    if (capture->own != nullptr) runtime_.graphs->keep(std::move(capture->own), "cudaStreamEndCapture");
  }
  remove(*capture);
  return error;
}

bool Captures::any_blocking() const {
  return std::any_of(captures_.begin(), captures_.end(),
                     [](const auto& capture) { return !capture->invalid && capture->is_blocking(); });
}

std::optional<cudaError_t> Captures::implicit(const Stream& stream) {
  if (!stream.is_default()) return std::nullopt;
  return implicit_of_all();
}

std::optional<cudaError_t> Captures::implicit_of_all() {
  if (!any_blocking()) return std::nullopt;
  for (const auto& capture : captures_)
    if (capture->is_blocking()) capture->invalid = true;
  return cudaErrorStreamCaptureImplicit;
}

std::optional<cudaError_t> Captures::work(const Stream& stream, const NodeValues& values,
                                          std::vector<std::byte> arguments, GraphNode** made) {
  Capture* const capture = of(stream);
  if (capture == nullptr) return implicit(stream);
  if (capture->invalid) return cudaErrorStreamCaptureInvalidated;
  GraphNode& node = capture->graph->add(values, std::move(arguments));
  Capture::Nodes& nodes = capture->streams[stream.number];
  for (const GraphEdge& edge : nodes) capture->graph->connect(*edge.node, node, edge.data);
  nodes = {{&node, {}}};
  if (made != nullptr) *made = &node;
  return cudaSuccess;
}

cudaError_t Captures::may_not(const Stream& stream, cudaError_t error) {
  Capture* const capture = of(stream);
  return capture == nullptr ? error : fail(*capture, error);
}

cudaError_t Captures::ask(const Event& event) {
  if (event.captured == nullptr) return refuse_unsafe();
  Capture* const capture = find(event.captured->capture);
  return capture == nullptr || capture->invalid ? cudaErrorInvalidValue : fail(*capture, cudaErrorCapturedEvent);
}

std::optional<cudaError_t> Captures::record(const Stream& stream, Event& event, unsigned flags) {
  Capture* const capture = of(stream);
  if (capture == nullptr) {
    if (const auto error = implicit(stream)) return error;
    event.captured.reset();
    return std::nullopt;
  }
  if (capture->invalid) return cudaErrorStreamCaptureInvalidated;
  if ((flags & cudaEventRecordExternal) != 0) {
    NodeValues values;
    values.type = cudaGraphNodeTypeEventRecord;
    values.event = handle_of(&event);
    return work(stream, values);
  }
  event.captured = std::make_shared<EventCapture>();
  event.captured->capture = capture->id;
  for (const GraphEdge& edge : capture->streams[stream.number]) event.captured->nodes.push_back(edge.node);
  return cudaSuccess;
}

std::optional<cudaError_t> Captures::wait(const Stream& stream, const Event& event, std::uint64_t handle,
                                          unsigned flags) {
  Capture* const capture = of(stream);
  if (capture != nullptr && capture->invalid) return cudaErrorStreamCaptureInvalidated;
  if ((flags & cudaEventWaitExternal) != 0) {
    if (capture == nullptr) return cudaErrorInvalidValue;
    NodeValues values;
    values.type = cudaGraphNodeTypeWaitEvent;
    values.event = handle;
    return work(stream, values);
  }
  if (event.captured == nullptr) {
    if (capture == nullptr) return implicit(stream);
    if (event.latest == nullptr) return cudaSuccess;
    return fail(*capture, cudaErrorStreamCaptureIsolation);
  }
  Capture* const from = find(event.captured->capture);
  if (from == nullptr) return capture == nullptr ? cudaErrorInvalidValue : fail(*capture, cudaErrorInvalidValue);
  if (capture != nullptr && capture != from) {
    from->invalid = true;
    return fail(*capture, cudaErrorStreamCaptureMerge);
  }
  if (stream.is_default()) return fail(*from, cudaErrorStreamCaptureImplicit);
  if (from->invalid) return cudaErrorStreamCaptureInvalidated;
  Capture::Nodes& nodes = from->streams[stream.number];
  from->non_blocking[stream.number] = (stream.flags & cudaStreamNonBlocking) != 0;
  for (GraphNode* node : event.captured->nodes) {
    const bool known =
        std::any_of(nodes.begin(), nodes.end(), [&](const GraphEdge& edge) { return edge.node == node; });
    if (!known) nodes.push_back({node, {}});
  }
  return cudaSuccess;
}

cudaError_t Captures::synchronise(const Stream& stream) {
  if (Capture* const capture = of(stream)) return fail(*capture, cudaErrorStreamCaptureUnsupported);
  if (const auto error = implicit(stream)) return *error;
  return cudaSuccess;
}

cudaError_t Captures::synchronise_all() {
  bool active = false;
  for (const auto& capture : captures_) {
    active = active || !capture->invalid;
    capture->invalid = true;
  }
  return active ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

cudaError_t Captures::check_call() {
  if (copies_in_legacy_stream(runtime_.call_name)) {
    if (const auto error = implicit_of_all()) return *error;
  }
  return is_unsafe(runtime_.call_name) ? refuse_unsafe() : cudaSuccess;
}

cudaError_t Captures::refuse_unsafe() {
  if (thread_capture_mode() == cudaStreamCaptureModeRelaxed) return cudaSuccess;
  const bool only_own = thread_capture_mode() == cudaStreamCaptureModeThreadLocal;
  cudaError_t error = cudaSuccess;
  for (const auto& capture : captures_) {
    const bool own = capture->thread == std::this_thread::get_id();
    const bool meets =
        own ? capture->mode != cudaStreamCaptureModeRelaxed : !only_own && capture->mode == cudaStreamCaptureModeGlobal;
    if (!meets || capture->invalid) continue;
    error = fail(*capture, cudaErrorStreamCaptureUnsupported);
  }
  return error;
}

void Captures::forget(const Stream& stream) {
  Capture* const capture = of(stream);
  if (capture == nullptr) return;
  if (capture->origin == stream.number) {
    remove(*capture);
  } else {
    capture->non_blocking.erase(stream.number);  // Its nodes must still be joined (H100, 2026-11-27).
  }
}

void Captures::clear() {
  while (!captures_.empty()) remove(*captures_.back());
}

}  // namespace warpbook::simulator::runtime
