// What the entry points of graph calls share: building requests, kernel arguments, lists of nodes.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "common/simulator/runtime/graph_message.h"

namespace warpbook::simulator::runtime {

template <class Handle>
std::uint64_t number_of(Handle handle) {
  return reinterpret_cast<std::uint64_t>(handle);
}

inline GraphRequest graph_request(GraphCall call, const char* name, std::uint64_t first = 0, std::uint64_t second = 0,
                                  std::uint64_t flags = 0) {
  GraphRequest request;
  request.call = call;
  request.name = name;
  request.first = first;
  request.second = second;
  request.flags = flags;
  return request;
}

/// The entry point itself has found @p error.
inline cudaError_t refuse(const char* name, cudaError_t error) {
  return ask_graph(graph_request(GraphCall::refuse, name, 0, 0, error)).error;
}

/// Copies nodes into a request. @returns false if there is no list
inline bool put_nodes(GraphRequest& request, const cudaGraphNode_t* nodes, const cudaGraphEdgeData* edges,
                      std::size_t count) {
  if (count != 0 && nodes == nullptr) return false;
  for (std::size_t i = 0; i < count; ++i) request.nodes.push_back(number_of(nodes[i]));
  if (edges != nullptr) request.edges.assign(edges, edges + count);
  return true;
}

/// Returns a list to the program: as many elements as it has room for (null in unused ones), and their number. @param
/// out nullptr: the program only asks for the number
inline void take_nodes(const std::vector<std::uint64_t>& nodes, cudaGraphNode_t* out, std::size_t room) {
  if (out == nullptr) return;
  for (std::size_t i = 0; i < room; ++i)
    out[i] = i < nodes.size() ? reinterpret_cast<cudaGraphNode_t>(nodes[i]) : nullptr;
}

/// The count that the program gets: of all elements, or of those that were returned.
inline std::size_t count_of(const std::vector<std::uint64_t>& nodes, bool asks, std::size_t room) {
  return asks ? nodes.size() : std::min(nodes.size(), room);
}

/// Lays out the arguments of a kernel, given as one pointer each or as a buffer in the driver's `extra`.
cudaError_t pack_arguments(const char* name, std::uint64_t function, void** arguments, void** extra,
                           std::vector<std::byte>& packed);

/// Pointers to the arguments of @p node in @p packed. They stay valid until the next such call for the node.
void** keep_arguments(const char* name, std::uint64_t node, std::uint64_t function,
                      const std::vector<std::byte>& packed);

}  // namespace warpbook::simulator::runtime
