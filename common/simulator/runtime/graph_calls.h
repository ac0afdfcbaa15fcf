// Functions that execute calls on executable graphs, and what they share with the other graph calls.
#pragma once

#include "common/simulator/runtime/graph.h"
#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime::graph_calls {

cudaError_t upload(Runtime& runtime, const GraphRequest& request, GraphReply& reply);
cudaError_t instantiate_graph(Runtime& runtime, const GraphRequest& request, GraphReply& reply);
cudaError_t destroy_exec(Runtime& runtime, const GraphRequest& request, GraphReply& reply);
cudaError_t exec_flags(Runtime& runtime, const GraphRequest& request, GraphReply& reply);
cudaError_t exec_set_params(Runtime& runtime, const GraphRequest& request, GraphReply& reply);
cudaError_t exec_update(Runtime& runtime, const GraphRequest& request, GraphReply& reply);
cudaError_t set_enabled(Runtime& runtime, const GraphRequest& request, GraphReply& reply);
cudaError_t get_enabled(Runtime& runtime, const GraphRequest& request, GraphReply& reply);
cudaError_t launch(Runtime& runtime, const GraphRequest& request, GraphReply& reply);
cudaError_t clusters(Runtime& runtime, const GraphRequest& request, GraphReply& reply);

/// Changes the parameters of @p node, which may belong to an executable graph.
cudaError_t change(Runtime& runtime, GraphNode& node, const GraphRequest& request);

inline cudaStream_t stream_of(std::uint64_t handle) { return reinterpret_cast<cudaStream_t>(handle); }

}  // namespace warpbook::simulator::runtime::graph_calls
