// Arguments of kernel nodes in the program's process.
#include "common/simulator/runtime/graph_entry.h"

#include <map>
#include <mutex>

namespace warpbook::simulator::runtime {
namespace {

// Keys of the driver's `extra` (CU_LAUNCH_PARAM_BUFFER_POINTER, CU_LAUNCH_PARAM_BUFFER_SIZE).
constexpr std::uint64_t kBufferPointer = 1, kBufferSize = 2;

}  // namespace

cudaError_t pack_arguments(const char* name, std::uint64_t function, void** arguments, void** extra,
                           std::vector<std::byte>& packed) {
  const GraphReply layout = ask_graph(graph_request(GraphCall::layout, name, function));
  if (layout.error != cudaSuccess) return layout.error;
  packed.resize(layout.handle);
  if (arguments != nullptr && extra != nullptr) return refuse(name, cudaErrorInvalidValue);
  if (extra != nullptr) {
    const std::byte* buffer = nullptr;
    std::size_t bytes = 0;
    for (; *extra != nullptr; extra += 2) {
      if (number_of(*extra) == kBufferPointer) buffer = static_cast<const std::byte*>(extra[1]);
      if (number_of(*extra) == kBufferSize) bytes = *static_cast<const std::size_t*>(extra[1]);
    }
    if (buffer == nullptr) return refuse(name, cudaErrorInvalidValue);
    std::copy_n(buffer, std::min(bytes, packed.size()), packed.begin());
    return cudaSuccess;
  }
  if (arguments == nullptr && !layout.nodes.empty()) return refuse(name, cudaErrorInvalidValue);
  for (std::size_t i = 0; i < layout.nodes.size(); ++i)
    std::memcpy(packed.data() + layout.nodes[i], arguments[i], layout.targets[i]);
  return cudaSuccess;
}

void** keep_arguments(const char* name, std::uint64_t node, std::uint64_t function,
                      const std::vector<std::byte>& packed) {
  struct Kept {
    std::vector<std::byte> bytes;
    std::vector<void*> pointers;
  };
  static std::mutex lock;
  static auto* const all = new std::map<std::uint64_t, Kept>;
  const GraphReply layout = ask_graph(graph_request(GraphCall::layout, name, function));
  const std::lock_guard guard(lock);
  Kept& kept = (*all)[node];
  kept.bytes = packed;
  kept.pointers.clear();
  for (const std::uint64_t offset : layout.nodes) kept.pointers.push_back(kept.bytes.data() + offset);
  kept.pointers.push_back(nullptr);
  return kept.pointers.data();
}

}  // namespace warpbook::simulator::runtime
