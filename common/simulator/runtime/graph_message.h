// Requests and replies of calls on graphs and captures, as values.
//
// The entry points of both APIs (graph_api.cpp, graph_node_api.cpp, ... and driver/graph_api.cpp) only translate their
// arguments into a request. If the device is in another process (remote/), the same entry points run in the program's
// process and the request is sent: so it contains numbers, and pointers only as values that are never followed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/simulator/runtime/cuda_api.h"

namespace warpbook::simulator::runtime {

/// Parameters of a node of any type. Those that its type does not have are zero.
struct NodeValues {
  std::int32_t type = cudaGraphNodeTypeEmpty;  ///< cudaGraphNodeType

  // Kernel. Its arguments are separate, laid out as Function::parameters says.
  std::uint64_t function = 0;  ///< A host function or a handle.
  std::array<std::uint32_t, 3> grid{}, block{};
  std::uint64_t shared_bytes = 0;
  std::int32_t cooperative = 0, priority = 0;
  std::array<std::uint32_t, 3> cluster{};  ///< Blocks of a cluster; zeros: the launch gives none.
  std::int32_t cluster_policy = 0;         ///< cudaClusterSchedulingPolicy

  // Copy and fill.
  std::uint64_t to = 0, to_pitch = 0, to_rows = 0;  ///< Slices of `rows` rows, `pitch` bytes apart.
  std::uint64_t from = 0, from_pitch = 0, from_rows = 0;
  std::uint64_t width = 0, height = 1, depth = 1;  ///< Bytes, rows and slices; for a memset, width counts elements.
  std::int32_t kind = cudaMemcpyDefault;
  std::int32_t symbol_side = 0;     ///< 1: `to` is a symbol, 2: `from` is. Cleared when the node is made.
  std::uint64_t symbol_offset = 0;  ///< In bytes.
  std::uint32_t value = 0, element_bytes = 1;

  // Host function.
  std::uint64_t host_function = 0, user_data = 0;

  // Event, child graph, memory.
  std::uint64_t event = 0;
  std::uint64_t graph = 0;
  std::int32_t moves_graph = 0;
  std::int32_t device = 0;  ///< The device that owns the memory.
  std::uint64_t address = 0, bytes = 0;

  // Conditional.
  std::uint64_t condition = 0;
  std::int32_t condition_type = 0;
  std::uint32_t bodies = 0;
};

/// Attributes of a kernel node that a `set_params` request changes: bits of its `flags`, which are 0 if it changes the
/// parameters.
constexpr std::uint64_t kNodeCooperative = 1, kNodePriority = 2, kNodeCluster = 4, kNodeClusterPolicy = 8;

/// The requested call: graph_calls.def has a row for each.
enum class GraphCall : std::uint16_t {
#define WB_GRAPH_CALL(name, answer) name,
#include "common/simulator/runtime/graph_calls.def"
#undef WB_GRAPH_CALL
};

struct GraphRequest {
  GraphCall call = GraphCall::refuse;
  const char* name = "";  ///< Of the entry point.
  std::uint64_t first = 0, second = 0, third = 0;
  std::uint64_t flags = 0;
  NodeValues values;
  std::vector<std::byte> arguments;
  std::vector<std::uint64_t> nodes, targets;
  std::vector<cudaGraphEdgeData> edges;  ///< One for each of `nodes`, or none.
};

struct GraphReply {
  cudaError_t error = cudaSuccess;
  std::uint64_t handle = 0, other = 0, third = 0;
  NodeValues values;
  std::vector<std::byte> arguments;
  std::vector<std::uint64_t> nodes, targets;
  std::vector<cudaGraphEdgeData> edges;
  std::string text;
};

/// Executes one call.
GraphReply ask_graph(const GraphRequest& request);

}  // namespace warpbook::simulator::runtime
