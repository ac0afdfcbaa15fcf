// Registered memory, page faults of the program's code, host functions.
#include "common/simulator/driver/driver_api.h"
#include "common/simulator/remote/calls.h"
#include "common/simulator/remote/device/scratch.h"
#include "common/simulator/remote/device/session.h"
#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/graph_state.h"
#include "common/simulator/runtime/host_access.h"
#include "common/simulator/runtime/host_function.h"
#include "common/simulator/runtime/later.h"

namespace warpbook::simulator::remote {
namespace {

thread_local bool has_turn = false;

void take_turn(void*) { has_turn = true; }
void take_callback(cudaStream_t, cudaError_t, void*) { has_turn = true; }

}  // namespace

void answer_register_host(Session&, Reader& from, Writer& to) {
  const auto address = from.get<std::uint64_t>(), bytes = from.get<std::uint64_t>();
  const auto flags = from.get<unsigned>();
  from.end();
  const bool meets = Scratch::meets(address, bytes);
  to.put<std::uint64_t>(cudaHostRegister(meets ? nullptr : reinterpret_cast<void*>(address), bytes, flags));
}

void answer_unregister_host(Session&, Reader& from, Writer& to) {
  const auto address = from.get<std::uint64_t>();
  from.end();
  to.put<std::uint64_t>(cudaHostUnregister(reinterpret_cast<void*>(address)));
}

void answer_host_fault(Session&, Reader& from, Writer& to) {
  const auto address = from.get<std::uint64_t>();
  const bool write = from.get<std::uint8_t>() != 0;
  from.end();
  to.put<std::uint8_t>(runtime::serve_host_access(address, write, 0) != runtime::Served::no);
}

void answer_host_crash(Session&, Reader& from, Writer&) {
  const auto address = from.get<std::uint64_t>();
  const bool write = from.get<std::uint8_t>() != 0;
  const auto offset = from.get<std::uint64_t>();
  from.end();
  if (GlobalMemory::is_device_only(address))
    runtime::explain_host_access({.address = address, .write = write, .offset = offset});
}

void answer_host_function(Session& session, Reader& from, Writer& to) {
  const auto kind = from.get<HostFunctionKind>();
  auto* const stream = reinterpret_cast<cudaStream_t>(from.get<std::uint64_t>());
  const bool given = from.get<std::uint8_t>() != 0;
  const auto flags = from.get<std::uint32_t>();
  const auto function = from.get<std::uint64_t>(), data = from.get<std::uint64_t>();
  from.end();
  has_turn = false;
  std::uint64_t error = 0;
  bool failed = false;
  const bool later = kind != HostFunctionKind::thread && given && flags == 0 &&
                     runtime::comes_later(stream, kind == HostFunctionKind::openacc);
  if (later) {
    // The device requests the program to run it when its turn comes.
    error = cudaLaunchHostFunc(stream, reinterpret_cast<cudaHostFn_t>(function), reinterpret_cast<void*>(data));
    to.put(error);
    to.put<std::uint8_t>(0);
    to.put<std::uint8_t>(0);
    to.put<std::uint8_t>(error == 0);
    return;
  }
  switch (kind) {
    case HostFunctionKind::launch:
      // A captured function is the program's own; a launch of the graph requests the program to run it.
      error = given && is_capturing(stream)
                  ? cudaLaunchHostFunc(stream, reinterpret_cast<cudaHostFn_t>(function), reinterpret_cast<void*>(data))
                  : cudaLaunchHostFunc(stream, given ? take_turn : nullptr, nullptr);
      break;
    case HostFunctionKind::callback:
      error = cudaStreamAddCallback(stream, given ? take_callback : nullptr, nullptr, flags);
      break;
    case HostFunctionKind::driver:
    case HostFunctionKind::openacc: {
      // Both APIs have the same numbers for these errors.
      error = kind == HostFunctionKind::openacc ? std::uint64_t{runtime::take_turn_in_stream(stream)}
                                                : std::uint64_t{cuLaunchHostFunc(
                                                      stream, [](void*) {}, nullptr)};
      const runtime::Runtime* const device = runtime::Runtime::existing();
      failed = device != nullptr && device->fault_pending();
      break;
    }
    case HostFunctionKind::thread:
      has_turn = true;
      break;
    default:
      throw WireError("there is no such host function");
  }
  if (has_turn && session.host_function == nullptr)
    session.host_function = std::make_unique<runtime::HostFunctionScope>();
  to.put(error);
  to.put<std::uint8_t>(has_turn);
  to.put<std::uint8_t>(failed);
  to.put<std::uint8_t>(0);
}

void answer_end_host_function(Session& session, Reader& from, Writer&) {
  from.end();
  session.host_function.reset();
}

}  // namespace warpbook::simulator::remote
