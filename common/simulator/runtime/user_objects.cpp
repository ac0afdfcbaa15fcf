// Counts references to the program's objects.
#include "common/simulator/runtime/user_objects.h"

#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/host.h"

namespace warpbook::simulator::runtime {

std::uint64_t UserObjects::create(std::uint64_t destructor, std::uint64_t object, std::uint32_t references) {
  constexpr std::uint64_t kFirst = 0x1000, kStep = 0x10;
  const std::uint64_t handle = kFirst + kStep * ++last_;
  live_[handle] = {destructor, object, references};
  return handle;
}

void UserObjects::retain(std::uint64_t handle, std::uint32_t count) { live_.at(handle).references += count; }

bool UserObjects::release(std::uint64_t handle, std::uint32_t count) {
  const auto found = live_.find(handle);
  if (found == live_.end() || found->second.references < count) return false;
  found->second.references -= count;
  if (found->second.references != 0) return true;
  const Object object = found->second;
  live_.erase(found);
  const HostFunctionScope scope;
  host().run(object.destructor, object.object);
  return true;
}

}  // namespace warpbook::simulator::runtime
