// Packs the parameters of launches.
#include "common/simulator/remote/front/launch.h"

#include <map>
#include <mutex>
#include <vector>

#include "common/simulator/remote/front/process.h"

namespace warpbook::simulator::remote {
namespace {

struct Parameter {
  std::uint32_t offset = 0, bytes = 0;
};

std::mutex& lock() {
  static auto* one = new std::mutex;
  return *one;
}

std::map<const void*, std::vector<Parameter>>& known() {
  static auto* kernels = new std::map<const void*, std::vector<Parameter>>;
  return *kernels;
}

/// The layout of a kernel's parameters, which the device knows. Empty if it has none, or is not a kernel.
std::vector<Parameter> parameters_of(const void* function) {
  {
    const std::lock_guard guard(lock());
    const auto found = known().find(function);
    if (found != known().end()) return found->second;
  }
  Exchange exchange(Call::parameters);
  exchange.arguments().put(reinterpret_cast<std::uint64_t>(function));
  Reader answer = exchange.ask();
  const bool is_kernel = answer.get<std::uint8_t>() != 0;
  std::vector<Parameter> parameters(answer.get<std::uint32_t>());
  for (Parameter& parameter : parameters) parameter = answer.get<Parameter>();
  const std::lock_guard guard(lock());
  if (is_kernel) known()[function] = parameters;
  return parameters;
}

}  // namespace

std::uint64_t launch(const LaunchMessage& message) {
  Exchange exchange(Call::launch);
  Writer& to = exchange.arguments();
  to.put(message.kind);
  to.put(reinterpret_cast<std::uint64_t>(message.function));
  to.put(message.grid);
  to.put(message.block);
  to.put(message.shared_bytes);
  to.put(reinterpret_cast<std::uint64_t>(message.stream));
  const bool given = message.arguments != nullptr || message.buffer != nullptr;
  to.put<std::uint8_t>(given);
  std::vector<std::byte> packed;
  if (message.buffer != nullptr) {
    const auto* bytes = static_cast<const std::byte*>(message.buffer);
    packed.assign(bytes, bytes + message.buffer_bytes);
  } else if (message.arguments != nullptr) {
    const std::vector<Parameter> parameters = parameters_of(message.function);
    if (!parameters.empty()) packed.resize(parameters.back().offset + parameters.back().bytes);
    for (std::size_t i = 0; i < parameters.size(); ++i)
      std::memcpy(packed.data() + parameters[i].offset, message.arguments[i], parameters[i].bytes);
  }
  to.block(packed.data(), packed.size());
  to.block(message.attributes, message.attribute_bytes);
  return exchange.ask().get<std::uint64_t>();
}

}  // namespace warpbook::simulator::remote
