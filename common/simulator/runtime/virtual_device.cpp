// Creates a device in its initial state.
#include "common/simulator/runtime/virtual_device.h"

#include "common/simulator/model/timeline.h"

namespace warpbook::simulator::runtime {

VirtualDevice::VirtualDevice(unsigned n, unsigned o, const Device& d) : number(n), ordinal(o), description(d) {
  reset_limits();
  limits.persisting_l2 = static_cast<std::uint64_t>(d.attribute("max_persisting_l2_cache_size")) * 3 / 10;
  flags = cudaDeviceMapHost;
  legacy.number = Timeline::default_stream(number);
  legacy.owned_by_program = false;
}

void VirtualDevice::reset_limits() {
  limits.stack = description.stack_bytes;
  limits.printf = description.printf_bytes;
  limits.heap = description.heap_bytes;
  limits.pending_launches = Limits().pending_launches;
}

}  // namespace warpbook::simulator::runtime
