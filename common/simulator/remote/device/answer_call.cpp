// Which function handles which call.
#include <array>
#include <string>

#include "common/simulator/driver/driver_api.h"
#include "common/simulator/remote/arguments.h"
#include "common/simulator/remote/calls.h"
#include "common/simulator/remote/device/session.h"
#include "common/simulator/runtime/cuda_api.h"

// Deprecated calls are handled like the others.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace warpbook::simulator::remote {
namespace {

constexpr std::size_t at(Call call) { return static_cast<std::size_t>(call); }

const std::array<Handler, kCalls>& handlers() {
  static const std::array<Handler, kCalls> all = [] {
    std::array<Handler, kCalls> made{};
#define WB_REMOTE(result, name, parameters, arguments)            \
  made[at(Call::name)] = [](Session&, Reader& from, Writer& to) { \
    result(*const function) parameters = &::name;                 \
    answer(function, from, to);                                   \
  };
#include "common/simulator/remote/driver_calls.def"
#include "common/simulator/remote/runtime_calls.def"
#undef WB_REMOTE
    made[at(Call::register_binary)] = answer_register_binary;
    made[at(Call::unregister_binary)] = answer_unregister_binary;
    made[at(Call::register_function)] = answer_register_function;
    made[at(Call::register_variable)] = answer_register_variable;
    made[at(Call::init_module)] = answer_init_module;
    made[at(Call::parameters)] = answer_parameters;
    made[at(Call::launch)] = answer_launch;
    made[at(Call::copy)] = answer_copy;
    made[at(Call::register_host)] = answer_register_host;
    made[at(Call::unregister_host)] = answer_unregister_host;
    made[at(Call::host_function)] = answer_host_function;
    made[at(Call::end_host_function)] = answer_end_host_function;
    made[at(Call::host_fault)] = answer_host_fault;
    made[at(Call::host_crash)] = answer_host_crash;
    made[at(Call::unsupported)] = answer_unsupported;
    made[at(Call::unsupported_driver)] = answer_unsupported_driver;
    made[at(Call::texts)] = answer_texts;
    made[at(Call::lists)] = answer_lists;
    made[at(Call::modules)] = answer_module;
    made[at(Call::link)] = answer_link;
    made[at(Call::array)] = answer_array;
    made[at(Call::graph)] = answer_graph;
    made[at(Call::annotation)] = answer_annotation;
    return made;
  }();
  return all;
}

}  // namespace

void answer_call(std::uint16_t call, Session& session, Reader& from, Writer& to) {
  if (call >= kCalls || handlers()[call] == nullptr) throw WireError("there is no call number " + std::to_string(call));
  handlers()[call](session, from, to);
}

}  // namespace warpbook::simulator::remote
