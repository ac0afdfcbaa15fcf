// Sends calls on graphs to the device. The entry points are the virtual GPU's own (runtime/graph_*_api.cpp).
#include "common/simulator/remote/front/graph_call.h"

#include <utility>

#include "common/simulator/remote/front/process.h"
#include "common/simulator/remote/graph_wire.h"

namespace warpbook::simulator::remote {
namespace {

thread_local bool of_driver = false;

}  // namespace

GraphCallsOfDriver::GraphCallsOfDriver() : before_(std::exchange(of_driver, true)) {}
GraphCallsOfDriver::~GraphCallsOfDriver() { of_driver = before_; }

}  // namespace warpbook::simulator::remote

namespace warpbook::simulator::runtime {

GraphReply ask_graph(const GraphRequest& request) {
  remote::Exchange exchange(remote::Call::graph);
  exchange.arguments().put<std::uint8_t>(remote::of_driver);
  remote::put(exchange.arguments(), request);
  remote::Reader answer = exchange.ask();
  return remote::get_graph_reply(answer);
}

}  // namespace warpbook::simulator::runtime
