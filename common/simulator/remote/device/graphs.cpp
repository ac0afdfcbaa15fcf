// Calls on graphs. Their entry points run in the program's process; the graphs are here.
#include "common/simulator/driver/driver_call.h"
#include "common/simulator/remote/device/session.h"
#include "common/simulator/remote/graph_wire.h"
#include "common/simulator/runtime/graph_state.h"

namespace warpbook::simulator::remote {

bool is_capturing(cudaStream_t stream) {
  const std::lock_guard guard(runtime::runtime_lock());
  runtime::Runtime* const device = runtime::Runtime::existing();
  if (device == nullptr || device->capturing == 0) return false;
  const runtime::Stream* const found = device->find_stream(stream);
  return found != nullptr && device->graphs->captures.of(*found) != nullptr;
}

void answer_graph(Session&, Reader& from, Writer& to) {
  const bool of_driver = from.get<std::uint8_t>() != 0;
  std::string name;
  const runtime::GraphRequest request = get_graph_request(from, name);
  from.end();
  runtime::GraphReply reply;
  if (of_driver) {
    const CUresult result = driver::forward([&] {
      reply = runtime::ask_graph(request);
      return reply.error;
    });
    if (reply.error == cudaSuccess) reply.error = static_cast<cudaError_t>(result);
  } else {
    reply = runtime::ask_graph(request);
  }
  // The name is only valid as long as the message.
  const std::lock_guard guard(runtime::runtime_lock());
  if (runtime::Runtime* const device = runtime::Runtime::existing()) device->call_name = "";
  put(to, reply);
}

}  // namespace warpbook::simulator::remote
