// Device names.
#include <algorithm>
#include <string>

#include "common/simulator/driver/driver_api.h"
#include "common/simulator/remote/front/process.h"

namespace {

using namespace warpbook::simulator::remote;

CUresult text_of(TextKind kind, char* text, int length, CUdevice device) {
  Exchange exchange(Call::texts);
  exchange.arguments().put(kind);
  exchange.arguments().put<std::uint64_t>(text == nullptr || length < 0 ? 0 : static_cast<std::uint64_t>(length));
  exchange.arguments().put<std::int32_t>(device);
  Reader answer = exchange.ask();
  const auto error = static_cast<CUresult>(answer.get<std::uint64_t>());
  const std::string found = answer.text();
  if (error == CUDA_SUCCESS) std::memcpy(text, found.c_str(), std::min<std::size_t>(length, found.size() + 1));
  return error;
}

}  // namespace

CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  return text_of(TextKind::driver_device_name, name, length, device);
}

CUresult cuDeviceGetPCIBusId(char* text, int length, CUdevice device) {
  return text_of(TextKind::driver_pci_bus_id, text, length, device);
}
