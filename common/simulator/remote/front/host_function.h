// Host functions in streams: the device says when, this process runs them.
#pragma once

#include <cstdint>
#include <memory>

#include "common/simulator/remote/front/process.h"

namespace warpbook::simulator::remote {

/// While one lives, this thread must not call the API, like CUDA's own thread for host functions.
class HostFunctionScope {
 public:
  HostFunctionScope() = default;
  ~HostFunctionScope() { Exchange(Call::end_host_function).ask(); }
  HostFunctionScope(const HostFunctionScope&) = delete;
  HostFunctionScope& operator=(const HostFunctionScope&) = delete;
};

/// The result of submitting a host function to a stream.
struct HostFunctionTurn {
  std::uint64_t error = 0;  ///< An error of the API that the kind belongs to.
  bool runs = false;        ///< It must run now; the thread is then in a host function.
  bool failed = false;      ///< A kernel before it failed.
  bool later = false;       ///< The device will request this process to run it later.
};

/// Holds a host function that is more than a pointer until its turn comes: the device requests run().
template <class Function>
struct LaterFunction {
  Function function;
  static void run(void* data) {
    const std::unique_ptr<LaterFunction> self(static_cast<LaterFunction*>(data));
    self->function();
  }
};

/// Submits a host function to a stream. @param given whether there is a function at all
/// @param function called if the stream is capturing, or if its turn comes later, with @p data
/// @param data its argument
inline HostFunctionTurn host_function_turn(HostFunctionKind kind, const void* stream, bool given,
                                           std::uint32_t flags = 0, const void* function = nullptr,
                                           const void* data = nullptr) {
  Exchange exchange(Call::host_function);
  exchange.arguments().put(kind);
  exchange.arguments().put(reinterpret_cast<std::uint64_t>(stream));
  exchange.arguments().put<std::uint8_t>(given);
  exchange.arguments().put(flags);
  exchange.arguments().put(reinterpret_cast<std::uint64_t>(function));
  exchange.arguments().put(reinterpret_cast<std::uint64_t>(data));
  Reader answer = exchange.ask();
  HostFunctionTurn turn;
  turn.error = answer.get<std::uint64_t>();
  turn.runs = answer.get<std::uint8_t>() != 0;
  turn.failed = answer.get<std::uint8_t>() != 0;
  turn.later = answer.get<std::uint8_t>() != 0;
  return turn;
}

}  // namespace warpbook::simulator::remote
