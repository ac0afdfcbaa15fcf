// Stream capture: work submitted to streams becomes nodes of a graph, and does not run.
//
// A capture begins in one stream, its origin. Other streams join it by waiting for an event that was recorded in it,
// and must be joined back before it ends. Each stream of a capture remembers the nodes on which its next node depends.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "common/simulator/runtime/graph.h"
#include "common/simulator/runtime/handles.h"

namespace warpbook::simulator::runtime {

class Runtime;

struct Capture {
  std::uint64_t id = 0;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::thread::id thread;      ///< The thread that began it.
  std::uint32_t origin = 0;    ///< Number of the stream in which it began.
  std::unique_ptr<Graph> own;  ///< nullptr if the program gave the graph.
  Graph* graph = nullptr;
  bool invalid = false;  ///< It met a call that cannot be captured, and must still be ended.
  using Nodes = std::vector<GraphEdge>;
  std::map<std::uint32_t, Nodes> streams;  ///< By stream number: the dependencies of the stream's next node.
  std::map<std::uint32_t, bool> non_blocking;
  bool is_blocking() const {
    return std::any_of(non_blocking.begin(), non_blocking.end(), [](const auto& each) { return !each.second; });
  }
};

class Captures {
 public:
  explicit Captures(Runtime& runtime) : runtime_(runtime) {}

  /// The capture in which @p stream takes part, or nullptr.
  Capture* of(const Stream& stream) const;
  /// @param to the graph that receives the nodes, after @p after; nullptr: a new one
  cudaError_t begin(const Stream& stream, cudaStreamCaptureMode mode, Graph* to, const Capture::Nodes& after);
  /// @param graph receives the handle; 0 after an error
  cudaError_t end(const Stream& stream, std::uint64_t& graph);

  /// Work for @p stream: becomes a node if the stream is capturing. @returns nothing if the work must run
  std::optional<cudaError_t> work(const Stream& stream, const NodeValues& values, std::vector<std::byte> arguments = {},
                                  GraphNode** made = nullptr);
  /// The same for recording an event and for waiting for one.
  std::optional<cudaError_t> record(const Stream& stream, Event& event, unsigned flags);
  std::optional<cudaError_t> wait(const Stream& stream, const Event& event, std::uint64_t handle, unsigned flags);
  /// A call on @p stream that failed, or that captures do not support: invalidates the stream's capture. @returns @p
  /// error
  cudaError_t may_not(const Stream& stream, cudaError_t error);
  /// A call that queries @p event, or waits for it. @returns no error if it was not recorded in a capture
  cudaError_t ask(const Event& event);
  /// A call that waits for @p stream, or queries it.
  cudaError_t synchronise(const Stream& stream);
  /// The same for all streams.
  cudaError_t synchronise_all();
  /// An error if the current call is not allowed while other work is being captured; that capture becomes invalid.
  cudaError_t check_call();
  /// The same for any call that is unsafe.
  cudaError_t refuse_unsafe();
  /// Whether the legacy default stream would wait for a capturing stream.
  bool any_blocking() const;
  /// Call this when a stream is destroyed.
  void forget(const Stream& stream);
  void clear();

 private:
  Capture* find(std::uint64_t id) const;
  cudaError_t fail(Capture& capture, cudaError_t error);
  /// Work in the legacy default stream that would wait for captured work.
  std::optional<cudaError_t> implicit(const Stream& stream);
  std::optional<cudaError_t> implicit_of_all();
  bool is_joined(const Capture& capture) const;
  void remove(Capture& capture);
  void count();

  Runtime& runtime_;
  std::vector<std::unique_ptr<Capture>> captures_;
  std::uint64_t last_id_ = 0;
};

/// This thread's own mode (cudaThreadExchangeStreamCaptureMode).
cudaStreamCaptureMode& thread_capture_mode();

}  // namespace warpbook::simulator::runtime
