// The nodes that a graph for device-side launch may have, as on an H200 (2026-11-23).
#include "common/simulator/runtime/device_graph_rules.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "common/simulator/runtime/copy.h"
#include "common/simulator/runtime/graph_node.h"

namespace warpbook::simulator::runtime {
namespace {

/// Whether @p function, or a function that it calls directly, calls a function whose name begins with @p name.
bool calls_outside(const Program& program, const Function& function, std::string_view name) {
  std::vector<bool> seen(program.functions.size());
  std::vector<const Function*> open{&function};
  while (!open.empty()) {
    const Function& next = *open.back();
    open.pop_back();
    for (std::uint32_t i = next.begin; i < next.end; ++i) {
      const OperationDetail& detail = program.details[i];
      if (detail.internal || detail.id != ptx::OperationId::call) continue;
      const auto site = static_cast<std::size_t>(program.operations[i].immediate);
      if (site >= program.calls.size()) continue;
      const CallSite& call = program.calls[site];
      if (call.system == SystemCall::unknown && std::string_view(call.name).starts_with(name)) return true;
      if (call.function < 0 || seen[static_cast<std::size_t>(call.function)]) continue;
      seen[static_cast<std::size_t>(call.function)] = true;
      open.push_back(&program.functions[static_cast<std::size_t>(call.function)]);
    }
  }
  return false;
}

bool launches_grids(Runtime& runtime, const NodeValues& values) {
  Kernel* const kernel = registry().find_kernel(reinterpret_cast<const void*>(values.function));
  KernelResources resources;
  return kernel != nullptr && find_resources(runtime, *kernel, resources) == cudaSuccess &&
         calls_outside(*resources.program, *resources.function, "__cudaCDP2");
}

/// The device cannot access pageable host memory.
bool is_pageable(const Runtime& runtime, const Box& box) {
  const auto place = locate(runtime, box.base, 1, true);
  return !place || place->allocation == nullptr;
}

bool is_allowed(Runtime& runtime, const NodeValues& values) {
  switch (values.type) {
    case cudaGraphNodeTypeKernel:
      return !launches_grids(runtime, values);
    case cudaGraphNodeTypeMemcpy:
      return !is_pageable(runtime, target_of(values)) && !is_pageable(runtime, source_of(values));
    case cudaGraphNodeTypeMemset:
    case cudaGraphNodeTypeGraph:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool launches_graphs(const KernelResources& resources) {
  constexpr std::string_view kName = "cudaGraphLaunch";
  const std::vector<CallSite>& calls = resources.program->calls;
  // Few programs have such a call at all.
  return std::any_of(calls.begin(), calls.end(), [&](const CallSite& site) { return site.name == kName; }) &&
         calls_outside(*resources.program, *resources.function, kName);
}

cudaGraphInstantiateResult check_for_device(Runtime& runtime, const Graph& graph, const GraphNode*& where) {
  where = nullptr;
  if (graph.nodes().empty()) return cudaGraphInstantiateError;
  const unsigned device = graph.nodes().front()->device;
  auto result = cudaGraphInstantiateSuccess;
  graph.each_node([&](const GraphNode& node) {
    if (result != cudaGraphInstantiateSuccess) return;
    if (!is_allowed(runtime, node.values)) result = cudaGraphInstantiateNodeOperationNotSupported;
    if (node.device != device) result = cudaGraphInstantiateMultipleDevicesNotSupported;
    if (result != cudaGraphInstantiateSuccess) where = &node;
  });
  return result;
}

}  // namespace warpbook::simulator::runtime
